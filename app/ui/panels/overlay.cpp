#include "app/ui/panels/panels.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cairn::ui {

void draw_help(App& app) {
    if (!app.show_help) {
        return;
    }
    Widgets& w = app.widgets;
    const float s = w.scale;
    ImGui::SetNextWindowPos(
        ImVec2(0.5f * static_cast<float>(app.window.width), 0.5f * static_cast<float>(app.window.height)),
        ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(static_cast<float>(app.window.width) - 8.0f * s,
                                                             static_cast<float>(app.window.height) - 8.0f * s));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(22 * s, 16 * s));
    const bool open = ImGui::Begin("help", nullptr,
                                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (open) {
        const auto key_row = [&](const char* key, float key_width, const char* what) {
            ImGui::PushFont(w.fonts.mono);
            ImGui::TextColored(theme::accent, "%s", key);
            ImGui::PopFont();
            ImGui::SameLine(0.0f, 0.0f);
            ImGui::SetCursorPosX(ImGui::GetCursorPosX() - ImGui::GetItemRectSize().x + key_width);
            ImGui::TextUnformatted(what);
        };
        // Two columns of groups, in the order of the table.
        const char* groups[2][2] = {{"Time", "Bodies"}, {"Camera", "View"}};
        if (ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit)) {
            for (const auto& column : groups) {
                ImGui::TableNextColumn();
                for (const char* group : column) {
                    ImGui::PushFont(w.fonts.strong);
                    ImGui::TextUnformatted(group);
                    ImGui::PopFont();
                    for (const KeyBinding& binding : key_bindings()) {
                        if (std::strcmp(binding.group, group) == 0) {
                            key_row(binding.key_name.c_str(), 92.0f * s, binding.description);
                            ImGui::SameLine(0.0f, 28.0f * s);
                            ImGui::Dummy(ImVec2(1, 1));
                        }
                    }
                    ImGui::Dummy(ImVec2(1, 6 * s));
                }
            }
            ImGui::EndTable();
        }
        ImGui::PushFont(w.fonts.strong);
        ImGui::TextUnformatted("Mouse");
        ImGui::PopFont();
        for (const MouseBinding& binding : mouse_bindings()) {
            key_row(binding.gesture, 270.0f * s, binding.description);
        }
        const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
        w.mark("help", {at.x, at.y, size.x, size.y});
    }
    ImGui::End();
}

namespace {

// A short coloured word at the top edge: what state the program is in.
float pill(App& app, float x, const char* name, const std::string& text, const ImVec4& colour) {
    const float s = app.widgets.scale;
    ImDrawList* draw = ImGui::GetForegroundDrawList();
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const float height = size.y + 8.0f * s, width = size.x + 34.0f * s, top = 10.0f * s;
    draw->AddRectFilled(ImVec2(x, top), ImVec2(x + width, top + height), theme::packed(theme::panel), 0.5f * height);
    draw->AddCircleFilled(ImVec2(x + 15.0f * s, top + 0.5f * height), 4.0f * s, theme::packed(colour), 16);
    draw->AddText(ImVec2(x + 25.0f * s, top + 4.0f * s), theme::packed(theme::text), text.c_str());
    app.widgets.mark(std::string("pill.") + name, {x, top, width, height});
    return width + 6.0f * s;
}

} // namespace

void draw_notes(App& app) {
    const float s = app.widgets.scale;
    struct Pill {
        const char* name;
        std::string text;
        ImVec4 colour;
    };
    std::vector<Pill> pills;
    if (app.simulation.recording()) {
        pills.push_back(
            {"recording",
             formatted("Recording, %llu steps", static_cast<unsigned long long>(app.simulation.recorded_steps())),
             theme::bad});
    }
    if (const auto replay = app.simulation.replay()) {
        pills.push_back({"replay",
                         formatted("Replay, %llu of %llu", static_cast<unsigned long long>(replay->step),
                                   static_cast<unsigned long long>(replay->steps)),
                         replay->divergence ? theme::bad : theme::good});
    }
    if (app.simulation.paused) {
        pills.push_back({"paused", "Paused", theme::accent});
    }
    if (app.placing) {
        pills.push_back({"placing", "Click where to spawn, Esc cancels", theme::accent});
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

    // Notes: newest at the bottom, above the lower edge, between the columns.
    ImDrawList* draw = ImGui::GetForegroundDrawList();
    const float wrap = std::max(0.42f * static_cast<float>(app.window.width), 200.0f * s);
    float bottom = static_cast<float>(app.window.height) - 12.0f * s;
    int shown = 0;
    const auto& messages = app.log.all();
    for (auto it = messages.rbegin(); it != messages.rend() && shown < 4; ++it) {
        const float alpha = app.log.visibility(*it);
        if (alpha <= 0.0f) {
            continue;
        }
        ++shown;
        std::string text = it->text;
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
        app.widgets.mark("note." + std::to_string(shown - 1), {left, bottom - height, width, height});
        bottom -= height + 5.0f * s;
    }
}

} // namespace cairn::ui
