#include "app/ui/tools/bar/tool_bar.h"

#include "app/ui/camera/picking.h"
#include "app/ui/context/context.h"
#include "app/ui/input/actions.h"
#include "app/ui/screen/pointing/pointing.h"
#include "app/ui/tools/player/player.h"
#include "app/ui/tools/tool_box.h"
#include "app/ui/tools/tool_icon.h"

#include <algorithm>
#include <utility>

namespace cairn::ui {

namespace {

void draw_player(const IconPen& pen) {
    pen.draw->AddCircleFilled(pen.at(0, -0.7f), 0.42f * pen.r, pen.ink, 14);
    pen.draw->AddRectFilled(pen.at(-0.55f, -0.1f), pen.at(0.55f, 1.15f), pen.ink, 0.35f * pen.r);
}

float button_side(const Context& ctx) {
    return ImGui::GetFrameHeight() + 4.0f * ctx.widgets.scale;
}

// A square button; `icon` draws into it.
template <typename Icon>
bool bar_button(Context& ctx, const char* id, bool lit, bool enabled, const Icon& icon) {
    const float side = button_side(ctx);
    ImGui::BeginDisabled(!enabled);
    ImGui::PushID(id);
    const bool pressed = plain_button("##tool", ImVec2(side, side), lit);
    ImGui::PopID();
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec4 colour = lit ? theme::on_accent : theme::text;
    icon(IconPen{ImGui::GetWindowDrawList(), ImVec2(low.x + 0.5f * side, low.y + 0.5f * side), 0.22f * side,
                 1.7f * ctx.widgets.scale, theme::packed(colour, enabled ? 1.0f : 0.4f)});
    ImGui::EndDisabled();
    return pressed;
}

constexpr float bar_padding = 4.0f, bar_gap = 3.0f; // at scale 1

float bar_pitch(const Context& ctx) {
    return button_side(ctx) + bar_gap * ctx.widgets.scale;
}

// From the top down, and where there is no room for all, in the next column. Returns whether one was pressed.
bool tool_buttons(Context& ctx, int rows) {
    Widgets& w = ctx.widgets;
    const float padding = bar_padding * w.scale, pitch = bar_pitch(ctx);
    int placed = 0;
    const auto next_place = [&] {
        ImGui::SetCursorPos(ImVec2(padding + pitch * static_cast<float>(placed / rows),
                                   padding + pitch * static_cast<float>(placed % rows)));
        ++placed;
    };
    const bool replay = ctx.simulation.replaying();
    ToolBox& tools = ctx.get<ToolBox>();
    Player& player = ctx.get<Player>();
    bool any = false;
    for (const auto& tool : tools.all()) {
        const ToolInfo& info = tool->info();
        next_place();
        const bool chosen = bar_button(ctx, info.id, tool.get() == &tools.tool(), !(info.edits && replay), info.icon);
        w.mark(joined("tool.", info.id));
        w.tip_by([&] { return joined(info.name, " (", ctx.key_of(tool_action(info)), ")\n", info.help); });
        if (chosen) {
            tools.choose(ctx, info.id);
        }
        any |= chosen;
    }
    next_place();
    const bool chosen = bar_button(ctx, "player", player.active(), !replay, draw_player);
    w.mark("tool.player");
    w.tip_by([&] {
        return joined("Control a body (", ctx.key_of("toggle_player"),
                      ")\nArrow keys, E and Q move it, 1 to 9 change its shape. It pushes other bodies.");
    });
    if (chosen) {
        player.toggle(ctx);
    }
    return any || chosen;
}

// One button with the tool in hand, and a popup of all beside it.
void folded_tools(Context& ctx, int rows) {
    Widgets& w = ctx.widgets;
    const ToolInfo& info = ctx.get<ToolBox>().tool().info();
    const float s = w.scale;
    const ImVec2 corner = ImGui::GetWindowPos();
    ImGui::SetCursorPos(ImVec2(bar_padding * s, bar_padding * s));
    const bool pressed = bar_button(ctx, "unfold", true, true, [&](const IconPen& pen) {
        info.icon(pen);
        pen.draw->AddTriangleFilled(pen.at(2.0f, 1.2f), pen.at(2.0f, 2.0f), pen.at(1.2f, 2.0f),
                                    pen.ink); // there is more
    });
    w.mark("tools.unfold");
    w.tip_by([&] { return joined("All tools; the one in hand is ", info.name, "."); });
    if (pressed) {
        ImGui::OpenPopup("tools.all");
    }
    ImGui::SetNextWindowPos(ImVec2(corner.x, corner.y), ImGuiCond_Always);
    if (ImGui::BeginPopup("tools.all")) {
        if (tool_buttons(ctx, rows)) {
            ImGui::CloseCurrentPopup();
        }
        w.mark_window("tools.all");
        ImGui::EndPopup();
    }
}

} // namespace

void tool_bar(Context& ctx, float right, float bottom) {
    Widgets& w = ctx.widgets;
    const float s = w.scale, margin = 8.0f * s, pitch = bar_pitch(ctx);
    const Rectangle* column = w.place("column.left");
    const float x = column != nullptr ? column->x + column->width + 6.0f * s : margin;
    const auto rows_above = [&](float y) {
        return std::max(1, static_cast<int>((y - margin - bar_padding * s) / pitch));
    };
    const int count = static_cast<int>(ctx.get<ToolBox>().all().size()) + 1, rows = rows_above(bottom);
    const int columns = (count + rows - 1) / rows;
    constexpr float least_beside = 90.0f; // of the world and of what is written over it, at scale 1
    const bool folded = x + static_cast<float>(columns) * pitch + least_beside * s > right;
    ImGui::SetNextWindowPos(ImVec2(x, margin), ImGuiCond_Always);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(bar_padding * s, bar_padding * s));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(bar_gap * s, bar_gap * s));
    const ImGuiWindowFlags flags = fixed_window | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_AlwaysAutoResize |
                                   ImGuiWindowFlags_NoFocusOnAppearing;
    if (ImGui::Begin(folded ? "tools.folded" : "tools", nullptr, flags)) {
        if (folded) {
            folded_tools(ctx, rows_above(ctx.window_size().y - margin));
        } else {
            tool_buttons(ctx, rows);
        }
        w.mark_window("column.tools");
    }
    ImGui::End();
    ImGui::PopStyleVar(2);
}

void tool_settings(Context& ctx) {
    Widgets& w = ctx.widgets;
    Tool& tool = ctx.get<ToolBox>().tool();
    Player& player = ctx.get<Player>();
    if (tool.has_settings()) {
        ImGui::TextColored(theme::accent, "%s", tool.info().name);
        w.tip(tool.info().help);
        tool.settings(ctx);
    }
    if (player.active() && !player.drives()) {
        ImGui::TextColored(theme::accent, "Player: %s", player_shapes()[player.shape()].name);
        w.number("tool.player_speed", "Speed", player.speed,
                 {"m/s", 0.5f, 50.0f, 0.05f, "%.1f", "Speed of the player."}, 6.0f);
        w.number("tool.player_size", "Size", player.size,
                 {"m", 0.1f, 10.0f, 0.01f, "%.2f", "Size of the next shape it takes."}, 1.0f);
    }
}

namespace {

// Where keys or a gamepad point: a ring with four hairs, filled while the button is down.
void draw_crosshair(const Context& ctx) {
    const Crosshair& crosshair = ctx.get<Crosshair>();
    if (!crosshair.shown) {
        return;
    }
    const float s = ctx.widgets.scale, inner = 5.0f * s, outer = 13.0f * s;
    const ImVec2 at(ctx.cursor.x, ctx.cursor.y);
    ImDrawList* draw = ImGui::GetForegroundDrawList();
    const auto draw_with = [&](ImU32 ink, float stroke) {
        for (const auto& [x, y] : {std::pair{1.0f, 0.0f}, {-1.0f, 0.0f}, {0.0f, 1.0f}, {0.0f, -1.0f}}) {
            draw->AddLine(ImVec2(at.x + x * inner, at.y + y * inner), ImVec2(at.x + x * outer, at.y + y * outer), ink,
                          stroke);
        }
        draw->AddCircle(at, 8.0f * s, ink, 24, stroke);
    };
    draw_with(theme::packed(theme::panel), 4.0f * s); // seen on any ground
    draw_with(theme::packed(theme::accent), 2.0f * s);
    if (crosshair.pressed) {
        draw->AddCircleFilled(at, 4.0f * s, theme::packed(theme::accent), 16);
    }
}

} // namespace

void draw_tool_overlay(Context& ctx) {
    draw_crosshair(ctx);
    const ToolOverlay& overlay = ctx.get<ToolBox>().overlay;
    ImDrawList* draw = ImGui::GetBackgroundDrawList();
    const float s = ctx.widgets.scale;
    if (overlay.frame) {
        const Rectangle& r = *overlay.frame;
        const ImVec2 low(r.x, r.y), high(r.x + r.width, r.y + r.height);
        draw->AddRectFilled(low, high, theme::packed(theme::accent, 0.10f));
        draw->AddRect(low, high, theme::packed(theme::accent), 0.0f, 0, 1.2f * s);
    }
    ImFont* font = ctx.widgets.fonts.mono;
    for (const ToolLabel& label : overlay.labels) {
        const auto at = window_position(ctx.camera.camera(), label.at, ctx.window_size());
        if (!at) {
            continue;
        }
        const ImVec2 size = font->CalcTextSizeA(font->FontSize, 1e6f, 0.0f, label.text.data());
        // Beside the cursor's arrow, and within the window.
        const float x = std::clamp(at->x + 14.0f * s, 0.0f, std::max(ctx.window_size().x - size.x - 12.0f * s, 0.0f));
        const float y = std::clamp(at->y + 10.0f * s, 0.0f, std::max(ctx.window_size().y - size.y - 8.0f * s, 0.0f));
        draw->AddRectFilled(ImVec2(x, y), ImVec2(x + size.x + 12.0f * s, y + size.y + 6.0f * s),
                            theme::packed(theme::panel, 0.9f), 4.0f * s);
        draw->AddText(font, font->FontSize, ImVec2(x + 6.0f * s, y + 3.0f * s), theme::packed(theme::text),
                      label.text.data());
    }
}

} // namespace cairn::ui
