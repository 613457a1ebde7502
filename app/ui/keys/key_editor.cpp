#include "app/ui/keys/key_editor.h"

#include "app/ui/context/context.h"
#include "app/ui/dialogs/question.h"
#include "app/ui/input/chord.h"
#include "app/ui/input/key_codes.h"
#include "app/ui/text/fuzzy.h"

#include <algorithm>
#include <cstring>
#include <imgui_stdlib.h>
#include <utility>

namespace cairn::ui {

namespace {

void stop_listening(KeyEditor& editor) {
    editor.listening = editor.wanted_by = nullptr;
    editor.conflicts.clear();
}

// At once where nobody else has them.
void want(Context& ctx, const Action& action, std::vector<std::string> keys) {
    KeyEditor& editor = ctx.get<KeyEditor>();
    stop_listening(editor);
    editor.conflicts = ctx.actions.conflicts(action, keys);
    if (editor.conflicts.empty()) {
        ctx.actions.assign(action, keys);
    } else {
        editor.wanted_by = &action;
        editor.wanted = std::move(keys);
    }
}

void heard(Context& ctx, const std::string& key) {
    KeyEditor& editor = ctx.get<KeyEditor>();
    const Action& action = *editor.listening;
    std::vector<std::string> keys = keys_in(ctx.actions.bindings(), action);
    if (std::ranges::find(keys, key) != keys.end()) { // it has it
        stop_listening(editor);
        return;
    }
    if (editor.place < keys.size()) {
        keys[editor.place] = key;
    } else {
        keys.push_back(key);
    }
    want(ctx, action, std::move(keys));
}

void conflict_row(Context& ctx) {
    Widgets& w = ctx.widgets;
    KeyEditor& editor = ctx.get<KeyEditor>();
    std::string text;
    for (const KeyConflict& conflict : editor.conflicts) {
        text += (text.empty() ? "" : "; ") + conflict.key + " is \"" + conflict.other->title + "\"";
    }
    w.words(text + ".", theme::accent);
    w.mark("keys.conflict");
    if (w.button("keys.take", "Take it away there", "The other action loses this key.")) {
        ctx.actions.assign(*editor.wanted_by, editor.wanted);
        stop_listening(editor);
        return;
    }
    ImGui::SameLine();
    if (w.button("keys.leave", "Leave it", "Nothing changes.")) {
        stop_listening(editor);
    }
}

void action_row(Context& ctx, const Action& action, float keys_at) {
    Widgets& w = ctx.widgets;
    KeyEditor& editor = ctx.get<KeyEditor>();
    const std::vector<std::string> keys = keys_in(ctx.actions.bindings(), action);
    const std::vector<std::string> standard = keys_in(ctx.actions.default_bindings(), action);
    const bool changed = keys != standard;
    ImGui::AlignTextToFramePadding();
    ImGui::PushTextWrapPos(keys_at - ImGui::GetStyle().ItemSpacing.x);
    ImGui::TextColored(changed ? theme::accent : theme::text, "%s", action.title.c_str());
    ImGui::PopTextWrapPos();
    ImGui::SameLine(keys_at);
    const auto listen = [&](std::size_t place) {
        stop_listening(editor);
        editor.listening = &action;
        editor.place = place;
    };
    if (editor.listening == &action) {
        ImGui::TextColored(theme::accent, "Press a key");
        w.mark("keys.listening");
        ImGui::SameLine();
        if (editor.place < keys.size()) {
            if (w.button("keys.remove", "No key", "Takes this key away from the action.")) {
                std::vector<std::string> left = keys;
                left.erase(left.begin() + static_cast<std::ptrdiff_t>(editor.place));
                want(ctx, action, std::move(left));
            }
            ImGui::SameLine();
        }
        if (w.button("keys.cancel", "Cancel", "Esc does the same.")) {
            stop_listening(editor);
        }
    } else {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const FrameText id = joined("keys.", action.id) + formatted(".%zu", i);
            if (w.button(id.c_str(), keys[i].c_str(), "")) {
                listen(i);
            }
            ImGui::SameLine();
        }
        if (w.button(joined("keys.", action.id, ".add").c_str(), "+", "")) {
            listen(keys.size());
        }
        if (changed) {
            ImGui::SameLine();
            std::string help = "As the program has it: ";
            for (const std::string& key : standard) {
                help += (&key == &standard.front() ? "" : ", ") + key;
            }
            if (w.button(joined("keys.", action.id, ".reset").c_str(), "Reset", help.c_str())) {
                want(ctx, action, standard);
            }
        }
    }
    if (editor.wanted_by == &action) {
        conflict_row(ctx);
    }
}

// The next item stands beside the last one if it is so wide at most that there is room for it, else below it.
bool next_fits(float width) {
    const float end = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width;
    const bool fits = end <= ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    if (fits) {
        ImGui::SameLine();
    }
    return fits;
}

void reset_all(Context& ctx) {
    ask(ctx,
        {.title = "Reset all keys?",
         .text = "Every action gets the keys that the program gives it.",
         .choices = {{"reset", "Reset all", [](Context& a) { a.actions.set_keys({}); }}, {"cancel", "Cancel", {}}}});
}

void rows(Context& ctx, float keys_at) {
    Widgets& w = ctx.widgets;
    const KeyEditor& editor = ctx.get<KeyEditor>();
    const char* group = "";
    bool any = false;
    for (const auto& action : ctx.actions.all()) {
        const std::vector<std::string> keys = keys_in(ctx.actions.bindings(), *action);
        const bool changed = keys != keys_in(ctx.actions.default_bindings(), *action);
        std::string words = action->title + ' ' + action->id + ' ' + action->group;
        for (const std::string& key : keys) {
            words += ' ' + key;
        }
        const bool in_hand = editor.listening == action.get() || editor.wanted_by == action.get();
        if (!in_hand && ((editor.changed_only && !changed) || !found_score(editor.search, action->title, words))) {
            continue;
        }
        if (std::strcmp(group, action->group) != 0) {
            group = action->group;
            w.heading(group);
        }
        any = true;
        action_row(ctx, *action, keys_at);
    }
    if (!any) {
        w.muted(editor.changed_only && editor.search.empty() ? "All keys are those of the program."
                                                             : "No action matches the search.");
    }
}

} // namespace

void open_key_editor(Context& ctx) {
    KeyEditor& editor = ctx.get<KeyEditor>();
    stop_listening(editor);
    editor.open = !editor.open;
    editor.search.clear();
}

bool key_editor_key(Context& ctx, int key, int modifiers) {
    KeyEditor& editor = ctx.get<KeyEditor>();
    if (!editor.open) {
        return false;
    }
    if (key == key_escape) {
        if (editor.listening != nullptr || editor.wanted_by != nullptr) {
            stop_listening(editor);
        } else {
            editor.open = false;
        }
    } else if (editor.listening != nullptr) {
        const std::string text = chord_text(key, modifiers);
        if (parse_chord(text) == std::pair(key, modifiers)) { // Shift alone is no key, and some keys have no name
            heard(ctx, text);
        }
    }
    return true;
}

void draw_key_editor(Context& ctx) {
    KeyEditor& editor = ctx.get<KeyEditor>();
    if (!editor.open || ctx.get<Dialogs>().modal()) { // a question has the window for itself
        return;
    }
    Widgets& w = ctx.widgets;
    const glm::vec2 window = ctx.window_size();
    const float s = w.scale, width = std::min(620.0f * s, window.x - 16.0f * s);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(16.0f * s, 14.0f * s));
    if (begin_modal("keys", window.x, window.y, width)) {
        w.heading("Keys");
        const char* hint = "Click a key, and press the one that you want in its place.";
        const bool one_line = next_fits(ImGui::CalcTextSize(hint).x);
        w.muted(hint, !one_line);
        if (editor.listening == nullptr) {
            w.next_keeps_keyboard();
        }
        ImGui::SetNextItemWidth(0.4f * width);
        ImGui::InputTextWithHint("##keys.search", "Search", &editor.search);
        w.mark("keys.search");
        const float around = 2.0f * ImGui::GetStyle().FramePadding.x, box = ImGui::GetFrameHeight() + around;
        next_fits(ImGui::CalcTextSize("Changed only").x + box);
        w.toggle("keys.changed_only", "Changed only", editor.changed_only, "Only what is not as the program has it.");
        next_fits(ImGui::CalcTextSize("Reset all").x + around);
        if (w.button("keys.reset_all", "Reset all", "Every action gets the program's keys.", 0.0f,
                     !ctx.actions.changed_keys().empty())) {
            reset_all(ctx);
        }
        next_fits(ImGui::CalcTextSize("Close").x + around);
        if (w.button("keys.close", "Close", "Esc does the same.")) {
            editor.open = false;
        }
        ImGui::BeginChild("keys.rows",
                          ImVec2(0.0f, std::max(window.y - ImGui::GetCursorPosY() - 30.0f * s, 120.0f * s)));
        rows(ctx, 0.52f * width);
        ImGui::EndChild();
        w.mark_window("keys");
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

} // namespace cairn::ui
