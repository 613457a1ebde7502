#include "app/ui/dialogs/question.h"

#include "app/ui/context/context.h"
#include "app/ui/input/key_codes.h"

#include <algorithm>
#include <imgui_internal.h>
#include <utility>

namespace cairn::ui {

namespace {

void answer(Context& ctx, std::size_t index) {
    Question asked = std::exchange(ctx.get<Dialogs>().question, {});
    if (asked.choices[index].then) {
        asked.choices[index].then(ctx);
    }
}

} // namespace

bool begin_modal(const char* name, float window_width, float window_height, float width) {
    ImGui::SetNextWindowPos(ImVec2(0.0f, 0.0f));
    ImGui::SetNextWindowSize(ImVec2(window_width, window_height));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4(0.0f, 0.0f, 0.0f, 0.5f));
    ImGui::Begin(joined(name, ".veil").c_str(), nullptr,
                 fixed_window | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoFocusOnAppearing);
    // Not by the focus, which would take the keyboard from a field.
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    ImGui::SetNextWindowPos(ImVec2(0.5f * window_width, 0.5f * window_height), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0.0f), ImVec2(width, window_height));
    ImGui::SetNextWindowBgAlpha(1.0f);
    ImGui::SetNextWindowFocus();
    return ImGui::Begin(name, nullptr, fixed_window | ImGuiWindowFlags_AlwaysAutoResize);
}

void ask(Context& ctx, Question question) {
    Dialogs& dialogs = ctx.get<Dialogs>();
    if (dialogs.question.open()) {
        answer(ctx, dialogs.question.choices.size() - 1);
    }
    dialogs.question = std::move(question);
}

bool dialog_key(Context& ctx, int key) {
    Question& question = ctx.get<Dialogs>().question;
    if (!question.open()) {
        return ctx.get<Dialogs>().file.key(key);
    }
    const std::size_t count = question.choices.size();
    switch (key) {
    case key_enter:
    case key_keypad_enter:
        answer(ctx, question.chosen);
        break;
    case key_escape:
        answer(ctx, count - 1);
        break;
    case key_left:
        question.chosen = (question.chosen + count - 1) % count;
        break;
    case key_right:
    case key_tab:
        question.chosen = (question.chosen + 1) % count;
        break;
    default:
        break;
    }
    return true;
}

void draw_dialogs(Context& ctx) {
    FileDialog& file = ctx.get<Dialogs>().file;
    if (const auto path = file.draw(ctx.widgets, ctx.window_size())) {
        const auto then = file.request().then;
        then(ctx, *path);
    }
    Question& question = ctx.get<Dialogs>().question;
    if (!question.open()) {
        return;
    }
    Widgets& w = ctx.widgets;
    const glm::vec2 window = ctx.window_size();
    const float s = w.scale;
    std::optional<std::size_t> pressed;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(18.0f * s, 16.0f * s));
    if (begin_modal("question", window.x, window.y, std::min(460.0f * s, window.x - 16.0f * s))) {
        w.heading(question.title, true);
        w.words(question.text, theme::text);
        ImGui::Dummy(ImVec2(1.0f, 6.0f * s));
        const float room = ImGui::GetContentRegionAvail().x;
        float taken = 0.0f;
        for (std::size_t i = 0; i < question.choices.size(); ++i) {
            const Question::Choice& choice = question.choices[i];
            const float width = ImGui::CalcTextSize(choice.title.c_str()).x + 28.0f * s;
            if (i > 0 && taken + width <= room) {
                ImGui::SameLine();
            } else {
                taken = 0.0f;
            }
            taken += width + ImGui::GetStyle().ItemSpacing.x;
            if (w.button(joined("question.", choice.id).c_str(), choice.title.c_str(), "", width, true,
                         i == question.chosen)) {
                pressed = i;
            }
        }
        w.mark_window("question");
    }
    ImGui::End();
    ImGui::PopStyleVar();
    if (pressed) {
        answer(ctx, *pressed);
    }
}

} // namespace cairn::ui
