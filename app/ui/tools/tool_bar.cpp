#include "app/ui/app.h"
#include "app/ui/picking.h"
#include "app/ui/tools/tool_box.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

namespace {

struct Pen {
    ImDrawList* draw;
    ImVec2 centre;
    float r, stroke;
    ImU32 ink;

    ImVec2 at(float x, float y) const { return {centre.x + x * r, centre.y + y * r}; }
    void line(float x0, float y0, float x1, float y1) const { draw->AddLine(at(x0, y0), at(x1, y1), ink, stroke); }
    void head(float x, float y, float dx, float dy) const { // an arrow's, pointing along (dx, dy)
        constexpr float length = 0.5f, half = 0.38f;
        draw->AddTriangleFilled(at(x, y), at(x - length * dx - half * dy, y - length * dy + half * dx),
                                at(x - length * dx + half * dy, y - length * dy - half * dx), ink);
    }
    void arc(float x, float y, float radius, float from, float to) const {
        draw->PathArcTo(at(x, y), radius * r, from, to, 20);
        draw->PathStroke(ink, 0, stroke);
    }
};

void draw_icon(const Pen& pen, ToolKind kind) {
    switch (kind) {
    case ToolKind::select: // a pointer
        pen.draw->AddTriangleFilled(pen.at(-0.7f, -1.1f), pen.at(0.75f, 0.3f), pen.at(-0.7f, 0.85f), pen.ink);
        pen.draw->AddLine(pen.at(-0.1f, 0.2f), pen.at(0.35f, 1.15f), pen.ink, 1.6f * pen.stroke);
        break;
    case ToolKind::move: // a cross of arrows
        pen.line(-0.9f, 0, 0.9f, 0);
        pen.line(0, -0.9f, 0, 0.9f);
        for (const auto& [x, y] : {std::pair{1.0f, 0.0f}, {-1.0f, 0.0f}, {0.0f, 1.0f}, {0.0f, -1.0f}}) {
            pen.head(1.25f * x, 1.25f * y, x, y);
        }
        break;
    case ToolKind::turn: // a ring with a head
        pen.arc(0, 0, 0.95f, -0.4f, 4.6f);
        pen.head(0.55f, -0.95f, 0.9f, 0.2f);
        pen.draw->AddCircleFilled(pen.centre, 0.2f * pen.r, pen.ink, 10);
        break;
    case ToolKind::launch: // a curve that ends in a ball
        pen.arc(0.1f, 1.0f, 1.3f, -2.95f, -1.0f);
        pen.draw->AddCircleFilled(pen.at(0.85f, -0.25f), 0.38f * pen.r, pen.ink, 14);
        break;
    case ToolKind::wand: // two arrows against each other
        pen.line(-1.2f, -0.45f, 0.5f, -0.45f);
        pen.head(1.15f, -0.45f, 1, 0);
        pen.line(1.2f, 0.55f, -0.5f, 0.55f);
        pen.head(-1.15f, 0.55f, -1, 0);
        break;
    case ToolKind::blast: // rays
        for (int i = 0; i < 8; ++i) {
            const float angle = 0.785398163f * static_cast<float>(i), c = std::cos(angle), s = std::sin(angle);
            pen.line(0.5f * c, 0.5f * s, 1.15f * c, 1.15f * s);
        }
        pen.draw->AddCircleFilled(pen.centre, 0.26f * pen.r, pen.ink, 12);
        break;
    case ToolKind::place: // a plus in a box
        pen.draw->AddRect(pen.at(-1, -1), pen.at(1, 1), pen.ink, 1.5f, 0, pen.stroke);
        pen.line(-0.5f, 0, 0.5f, 0);
        pen.line(0, -0.5f, 0, 0.5f);
        break;
    case ToolKind::measure: // a rule
        pen.line(-1.1f, 0.6f, 1.1f, 0.6f);
        for (int i = 0; i < 5; ++i) {
            const float x = -1.1f + 0.55f * static_cast<float>(i);
            pen.line(x, 0.6f, x, i % 2 == 0 ? -0.5f : 0.05f);
        }
        break;
    case ToolKind::join: // two links
        pen.draw->AddCircle(pen.at(-0.55f, 0), 0.6f * pen.r, pen.ink, 16, pen.stroke);
        pen.draw->AddCircle(pen.at(0.55f, 0), 0.6f * pen.r, pen.ink, 16, pen.stroke);
        break;
    case ToolKind::remove: // a cross
        pen.line(-0.85f, -0.85f, 0.85f, 0.85f);
        pen.line(-0.85f, 0.85f, 0.85f, -0.85f);
        break;
    }
}

void draw_player(const Pen& pen) {
    pen.draw->AddCircleFilled(pen.at(0, -0.7f), 0.42f * pen.r, pen.ink, 14);
    pen.draw->AddRectFilled(pen.at(-0.55f, -0.1f), pen.at(0.55f, 1.15f), pen.ink, 0.35f * pen.r);
}

float button_side(const App& app) {
    return ImGui::GetFrameHeight() + 4.0f * app.widgets.scale;
}

// A square button; `icon` draws into it.
template <typename Icon>
bool bar_button(App& app, const char* id, bool lit, bool enabled, const Icon& icon) {
    const float side = button_side(app);
    ImGui::BeginDisabled(!enabled);
    if (lit) {
        ImGui::PushStyleColor(ImGuiCol_Button, theme::accent);
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, theme::accent);
    }
    ImGui::PushID(id);
    const bool pressed = ImGui::Button("##tool", ImVec2(side, side));
    ImGui::PopID();
    if (lit) {
        ImGui::PopStyleColor(2);
    }
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec4 colour = lit ? ImVec4(0.10f, 0.11f, 0.13f, 1.0f) : theme::text;
    icon(Pen{ImGui::GetWindowDrawList(), ImVec2(low.x + 0.5f * side, low.y + 0.5f * side), 0.22f * side,
             1.7f * app.widgets.scale, theme::packed(colour, enabled ? 1.0f : 0.4f)});
    ImGui::EndDisabled();
    return pressed;
}

} // namespace

void tool_bar(App& app, float bottom) {
    Widgets& w = app.widgets;
    const float s = w.scale, margin = 8.0f * s;
    const Rectangle* column = w.place("column.left");
    const float x = column != nullptr ? column->x + column->width + 6.0f * s : margin;
    ImGui::SetNextWindowPos(ImVec2(x, margin), ImGuiCond_Always);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(4.0f * s, 4.0f * s));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(3.0f * s, 3.0f * s));
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav;
    if (ImGui::Begin("tools", nullptr, flags)) {
        // From the top down, and where there is no room for all, in the next column.
        const float pitch = button_side(app) + 3.0f * s;
        const int rows = std::max(1, static_cast<int>((bottom - margin - 5.0f * s) / pitch));
        int placed = 0;
        const auto next_place = [&] {
            ImGui::SetCursorPos(ImVec2(4.0f * s + pitch * static_cast<float>(placed / rows),
                                       4.0f * s + pitch * static_cast<float>(placed % rows)));
            ++placed;
        };
        const bool replay = app.simulation.replaying();
        for (const ToolInfo& info : tool_infos()) {
            const bool changes = info.kind != ToolKind::select && info.kind != ToolKind::measure;
            next_place();
            const bool chosen = bar_button(app, info.id, app.tools.active() == info.kind, !(changes && replay),
                                           [&](const Pen& pen) { draw_icon(pen, info.kind); });
            w.mark(info.widget);
            w.tip_by([&] { return joined(info.name, " (", key_of(info.action), ")\n", info.help); });
            if (chosen) {
                app.tools.choose(app, info.kind);
            }
        }
        next_place();
        const bool chosen = bar_button(app, "player", app.tools.player.active(), !replay, draw_player);
        w.mark("tool.player");
        w.tip_by([&] {
            return joined("Control a body (", key_of(Action::toggle_player),
                          ")\nArrow keys, E and Q move it, 1 to 9 change its shape. It pushes other bodies.");
        });
        if (chosen) {
            app.tools.player.toggle(app);
        }
        const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
        w.mark("column.tools", {at.x, at.y, size.x, size.y});
    }
    ImGui::End();
    ImGui::PopStyleVar(2);
}

void tool_settings(App& app) {
    Widgets& w = app.widgets;
    if (app.tools.tool().has_settings()) {
        ImGui::TextColored(theme::accent, "%s", app.tools.active_info().name);
        w.tip(app.tools.active_info().help);
        app.tools.tool().settings(app);
    }
    if (app.tools.player.active() && !app.tools.player.drives()) {
        ImGui::TextColored(theme::accent, "Player: %s", player_shapes()[app.tools.player.shape()].name);
        w.number("tool.player_speed", "Speed", app.tools.player.speed,
                 {"m/s", 0.5f, 50.0f, 0.05f, "%.1f", "Speed of the player."}, 6.0f);
        w.number("tool.player_size", "Size", app.tools.player.size,
                 {"m", 0.1f, 10.0f, 0.01f, "%.2f", "Size of the next shape it takes."}, 1.0f);
    }
}

void draw_tool_overlay(App& app) {
    const ToolOverlay& overlay = app.tools.overlay;
    ImDrawList* draw = ImGui::GetBackgroundDrawList();
    const float s = app.widgets.scale;
    if (overlay.frame) {
        const Rectangle& r = *overlay.frame;
        const ImVec2 low(r.x, r.y), high(r.x + r.width, r.y + r.height);
        draw->AddRectFilled(low, high, theme::packed(theme::accent, 0.10f));
        draw->AddRect(low, high, theme::packed(theme::accent), 0.0f, 0, 1.2f * s);
    }
    ImFont* font = app.widgets.fonts.mono;
    for (const ToolLabel& label : overlay.labels) {
        const auto at = window_position(app.camera.camera(), label.at, app.window_size());
        if (!at) {
            continue;
        }
        const ImVec2 size = font->CalcTextSizeA(font->FontSize, 1e6f, 0.0f, label.text.data());
        // Beside the cursor's arrow, and within the window.
        const float x = std::clamp(at->x + 14.0f * s, 0.0f, std::max(app.window_size().x - size.x - 12.0f * s, 0.0f));
        const float y = std::clamp(at->y + 10.0f * s, 0.0f, std::max(app.window_size().y - size.y - 8.0f * s, 0.0f));
        draw->AddRectFilled(ImVec2(x, y), ImVec2(x + size.x + 12.0f * s, y + size.y + 6.0f * s),
                            theme::packed(theme::panel, 0.9f), 4.0f * s);
        draw->AddText(font, font->FontSize, ImVec2(x + 6.0f * s, y + 3.0f * s), theme::packed(theme::text),
                      label.text.data());
    }
}

} // namespace cairn::ui
