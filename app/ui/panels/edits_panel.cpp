// What was done to this world and can be undone, and what was undone and can be done again.
#include "app/ui/panels/panels.h"

#include <algorithm>

namespace cairn::ui {

void edits_panel(Context& ctx) {
    Widgets& w = ctx.widgets;
    const core::EditNames& names = ctx.simulation.edit_names();
    if (names.undo.empty() && names.redo.empty()) {
        w.muted("Nothing has been edited.");
        return;
    }
    const float line = ImGui::GetTextLineHeightWithSpacing();
    const std::size_t count = names.undo.size() + names.redo.size();
    ImGui::BeginChild("edits.rows", ImVec2(0.0f, static_cast<float>(std::min<std::size_t>(count, 10)) * line));
    // The newest on top: what can be done again, then what can be undone.
    int steps = 0; // negative: to undo
    for (std::size_t row = 0; row < count; ++row) {
        const bool undone = row < names.redo.size();
        const std::size_t at = undone ? names.redo.size() - 1 - row : row - names.redo.size();
        ImGui::PushID(static_cast<int>(row));
        ImGui::PushStyleColor(ImGuiCol_Text, undone ? theme::muted : theme::text);
        const bool current = !undone && at == 0;
        if (w.entry("edit", (undone ? names.redo : names.undo)[at], current)) {
            steps = undone ? static_cast<int>(at) + 1 : -static_cast<int>(at);
        }
        ImGui::PopStyleColor();
        w.mark(formatted("edits.%zu", row));
        ImGui::PopID();
    }
    ImGui::EndChild();
    w.tip("Click a step: everything after it is undone, or everything up to it is redone.");
    if (steps != 0 && ctx.can_edit()) {
        for (int i = 0; i < std::abs(steps); ++i) {
            steps < 0 ? ctx.simulation.undo() : ctx.simulation.redo();
        }
        ctx.log.info(std::string(formatted(steps < 0 ? "Undone: %d steps" : "Redone: %d steps", std::abs(steps))));
    }
}

} // namespace cairn::ui
