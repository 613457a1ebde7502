#include "app/ui/panels/panels.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cairn::ui {

namespace {

struct HelpRow {
    std::string keys; // none: `text` heads a group
    const char* text = "";
};

// By groups, in the order of the table; keys that do the same share a row.
std::vector<HelpRow> help_rows() {
    std::vector<HelpRow> rows;
    std::vector<const char*> groups;
    for (const KeyBinding& binding : default_key_bindings()) {
        const bool known = std::any_of(groups.begin(), groups.end(),
                                       [&](const char* group) { return std::strcmp(group, binding.group) == 0; });
        if (!known) {
            groups.push_back(binding.group);
        }
    }
    for (const char* group : groups) {
        rows.push_back({"", group});
        Action last{};
        bool first = true;
        for (const KeyBinding& binding : key_bindings()) {
            if (std::strcmp(binding.group, group) != 0) {
                continue;
            }
            if (!first && binding.action == last) {
                rows.back().keys += ", " + binding.key_name;
            } else {
                rows.push_back({binding.key_name, binding.description});
            }
            last = binding.action;
            first = false;
        }
    }
    rows.push_back({"", "Mouse"});
    for (const MouseBinding& binding : mouse_bindings()) {
        rows.push_back({binding.gesture, binding.description});
    }
    return rows;
}

} // namespace

void draw_help(App& app) {
    if (!app.show_help) {
        return;
    }
    Widgets& w = app.widgets;
    const float s = w.scale, gap = 26.0f * s, between = 12.0f * s;
    const ImVec2 window(static_cast<float>(app.window.width), static_cast<float>(app.window.height));
    ImGui::SetNextWindowPos(ImVec2(0.5f * window.x, 0.5f * window.y), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(window.x - 8.0f * s, window.y - 8.0f * s));
    ImGui::SetNextWindowBgAlpha(1.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(20 * s, 14 * s));
    const bool open = ImGui::Begin("help", nullptr,
                                   ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                       ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_AlwaysAutoResize |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (open) {
        const std::vector<HelpRow> rows = help_rows();
        float key_width = 0.0f, text_width = 0.0f, both = 0.0f;
        bool mouse = false;
        for (const HelpRow& row : rows) {
            mouse |= row.keys.empty() && std::strcmp(row.text, "Mouse") == 0;
            ImGui::PushFont(w.fonts.mono);
            const float width = ImGui::CalcTextSize(row.keys.c_str()).x;
            ImGui::PopFont();
            const float words = ImGui::CalcTextSize(row.text).x;
            if (mouse) { // longer on the left, and set one after the other
                both = std::max(both, width + words);
            } else {
                key_width = std::max(key_width, width);
                text_width = std::max(text_width, words);
            }
        }
        if (w.button("help.tour", "Show the first steps", "The short tour of the first run.")) {
            app.show_help = false;
            begin_tour(app);
        }
        ImGui::SameLine(0.0f, between);
        ImGui::AlignTextToFramePadding();
        w.muted("Keys can be changed in the settings file.", false);
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ImGui::GetStyle().ItemSpacing.x, 2.0f * s));
        // As many columns as the height asks for and the width allows; what is then too long is scrolled.
        const float line = ImGui::GetTextLineHeightWithSpacing();
        const float column_width = std::max(key_width + text_width, both) + between + gap;
        const float high = window.y - 8.0f * s - 28.0f * s - 2.0f * ImGui::GetFrameHeight();
        const int most = std::max(1, static_cast<int>((window.x - 48.0f * s + gap) / column_width));
        const int wanted = static_cast<int>(std::ceil(line * static_cast<float>(rows.size() + 4) / high));
        const int columns = std::clamp(wanted, 1, most);
        const std::size_t each = (rows.size() + static_cast<std::size_t>(columns)) / static_cast<std::size_t>(columns);
        const float left = ImGui::GetCursorPosX(), top = ImGui::GetCursorPosY() + 6.0f * s;
        float lowest = top;
        std::size_t in_column = 0;
        int column = 0;
        mouse = false;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const HelpRow& row = rows[i];
            const bool head = row.keys.empty();
            if ((in_column >= each || (head && in_column + 2 >= each)) && column + 1 < columns) {
                ++column;
                in_column = 0;
            }
            const float x = left + static_cast<float>(column) * column_width;
            const float y = top + line * static_cast<float>(in_column++);
            ImGui::SetCursorPos(ImVec2(x, y));
            if (head) {
                mouse |= std::strcmp(row.text, "Mouse") == 0;
                ImGui::PushFont(w.fonts.strong);
                ImGui::TextUnformatted(row.text);
                ImGui::PopFont();
            } else {
                ImGui::PushFont(w.fonts.mono);
                ImGui::TextColored(theme::accent, "%s", row.keys.c_str());
                ImGui::PopFont();
                // What the mouse does is said in longer words: its column is where they end.
                const float room = std::max(key_width, mouse ? ImGui::GetItemRectSize().x : 0.0f);
                ImGui::SetCursorPos(ImVec2(x + room + between, y));
                ImGui::TextUnformatted(row.text);
            }
            lowest = std::max(lowest, y + line);
        }
        ImGui::SetCursorPos(ImVec2(left, lowest));
        ImGui::Dummy(ImVec2(1.0f, 1.0f));
        ImGui::PopStyleVar();
        const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
        w.mark("help", {at.x, at.y, size.x, size.y});
    }
    ImGui::End();
}

namespace {

// A short coloured word at the top edge: what state the program is in.
float pill(App& app, float x, const char* name, std::string_view text, const ImVec4& colour) {
    const float s = app.widgets.scale;
    ImDrawList* draw = ImGui::GetForegroundDrawList();
    const char* end = text.data() + text.size();
    const ImVec2 size = ImGui::CalcTextSize(text.data(), end);
    const float height = size.y + 8.0f * s, width = size.x + 34.0f * s, top = 10.0f * s;
    draw->AddRectFilled(ImVec2(x, top), ImVec2(x + width, top + height), theme::packed(theme::panel), 0.5f * height);
    draw->AddCircleFilled(ImVec2(x + 15.0f * s, top + 0.5f * height), 4.0f * s, theme::packed(colour), 16);
    draw->AddText(ImVec2(x + 25.0f * s, top + 4.0f * s), theme::packed(theme::text), text.data(), end);
    app.widgets.mark(joined("pill.", name), {x, top, width, height});
    return width + 6.0f * s;
}

} // namespace

void draw_notes(App& app, float bottom) {
    const float s = app.widgets.scale;
    struct Pill {
        const char* name;
        FrameText text;
        ImVec4 colour;
    };
    FrameList<Pill> pills;
    if (app.simulation.recording()) {
        pills.push_back(
            {"recording",
             formatted("Recording, %llu steps", static_cast<unsigned long long>(app.simulation.recorded_steps())),
             theme::bad});
    }
    if (const auto& replay = app.simulation.replay()) {
        pills.push_back({"replay",
                         formatted("Replay, %llu of %llu", static_cast<unsigned long long>(replay->step),
                                   static_cast<unsigned long long>(replay->steps)),
                         replay->divergence ? theme::bad : theme::good});
    }
    if (const auto& what_if = app.simulation.what_if()) {
        const double hz = static_cast<double>(app.frame().settings.hz);
        pills.push_back({"what_if",
                         formatted("What if: %s%.1f of %.1f s",
                                   app.frame().step == what_if->from ? "change anything, then go on. " : "",
                                   static_cast<double>(app.frame().step) / hz, static_cast<double>(what_if->end) / hz),
                         theme::accent});
    }
    if (app.simulation.paused && !app.simulation.hurried) {
        pills.push_back({"paused", "Paused", theme::accent});
    }
    if (app.tools.once()) {
        pills.push_back({"placing", "Click where to spawn, Esc cancels", theme::accent});
    }
    if (app.tools.player.active()) {
        pills.push_back({"player",
                         joined("You are the ", player_shapes()[app.tools.player.shape()].name, ", ",
                                key_of(Action::toggle_player), " ends it"),
                         theme::good});
    }
    if (app.log.time() - app.figures.dropped_at < 1.5 && !app.options.frames) {
        pills.push_back({"slow",
                         formatted("Too much to compute: time runs at %.0f %%, %.1f s dropped",
                                   100.0 * std::clamp(app.figures.pace, 0.0, 1.0), app.simulation.dropped_seconds()),
                         theme::bad});
    }
    float total = 0.0f;
    for (const Pill& p : pills) {
        total += ImGui::CalcTextSize(p.text.c_str()).x + 40.0f * s;
    }
    float x = 0.5f * (static_cast<float>(app.window.width) - total);
    for (const Pill& p : pills) {
        x += pill(app, x, p.name, p.text, p.colour);
    }

    // Notes: newest at the bottom, between the columns.
    ImDrawList* draw = ImGui::GetForegroundDrawList();
    const float wrap = std::max(0.42f * static_cast<float>(app.window.width), 200.0f * s);
    int shown = 0;
    const auto& messages = app.log.all();
    for (auto it = messages.rbegin(); it != messages.rend() && shown < 4; ++it) {
        const float alpha = app.log.visibility(*it);
        if (alpha <= 0.0f) {
            continue;
        }
        ++shown;
        FrameText text(it->text);
        if (it->times > 1) {
            text += formatted("  (%d times)", it->times);
        }
        const ImVec2 size = ImGui::CalcTextSize(text.c_str(), nullptr, false, wrap);
        const ImVec4 colour = it->severity == Severity::error     ? theme::bad
                              : it->severity == Severity::warning ? theme::accent
                                                                  : theme::muted;
        const float width = size.x + 26.0f * s, height = size.y + 12.0f * s;
        const float left = 0.5f * (static_cast<float>(app.window.width) - width);
        draw->AddRectFilled(ImVec2(left, bottom - height), ImVec2(left + width, bottom),
                            theme::packed(theme::panel, alpha), 6.0f * s);
        draw->AddRectFilled(ImVec2(left, bottom - height + 5.0f * s), ImVec2(left + 3.0f * s, bottom - 5.0f * s),
                            theme::packed(colour, alpha), 1.5f * s);
        draw->AddText(ImGui::GetFont(), ImGui::GetFontSize(), ImVec2(left + 13.0f * s, bottom - height + 6.0f * s),
                      theme::packed(theme::text, alpha), text.c_str(), nullptr, wrap);
        app.widgets.mark(formatted("note.%d", shown - 1), {left, bottom - height, width, height});
        bottom -= height + 5.0f * s;
    }
}

} // namespace cairn::ui
