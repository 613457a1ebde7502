#include "app/ui/panels/panels.h"

#include <cctype>

namespace cairn::ui {

void layers_panel(App& app) {
    Widgets& w = app.widgets;
    if (!w.section("layers", "Layers", true)) {
        return;
    }
    ViewOptions& v = app.view_options;
    const float column = 0.5f * ImGui::GetContentRegionAvail().x;
    const float start = ImGui::GetCursorPosX();
    int i = 0;
    const auto next_column = [&] {
        if (i++ % 2 == 1) {
            ImGui::SameLine(start + column);
        }
    };
    for (const DebugLayer& layer : debug_layers()) {
        next_column();
        std::string title = layer.name;
        title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
        ImGui::PushStyleColor(ImGuiCol_CheckMark, theme::from_linear(layer.colour));
        w.toggle((std::string("layers.") + layer.name).c_str(), title.c_str(), v.layers.*(layer.shown),
                 layer.description);
        ImGui::PopStyleColor();
        if (!(v.layers.*(layer.shown))) { // the colour of the layer, also while it is off
            const ImVec2 low = ImGui::GetItemRectMin();
            const float side = ImGui::GetItemRectSize().y;
            ImGui::GetWindowDrawList()->AddCircleFilled(ImVec2(low.x + 0.5f * side, low.y + 0.5f * side),
                                                        2.5f * w.scale,
                                                        theme::packed(theme::from_linear(layer.colour), 0.8f));
        }
    }
    ImGui::Separator();
    i = 0;
    next_column();
    w.toggle("layers.grid", "Grid", v.grid, "The metre grid on the ground.");
    next_column();
    w.toggle("layers.textures", "Textures", v.textures, "Surface textures of bodies and ground.");
    next_column();
    w.toggle("layers.touching", "Touching", v.touching_display,
             "Colours what touches another body warm, what is free cool.");
    next_column();
    w.toggle("layers.smooth", "Smooth", app.draw.interpolate,
             "Draws between the last two steps. Off: only whole steps.");
    next_column();
    w.toggle("layers.occlusion", "Ambient occlusion", app.draw.occlusion,
             app.software_driver ? "Darkens corners and contacts. Slow here: no graphics card draws this window."
                                 : "Darkens corners and contacts.");

    const char* shadow_names[] = {"Off", "1024", "2048", "4096"};
    const int shadow_sizes[] = {0, 1024, 2048, 4096};
    int shadow = 0;
    for (int k = 0; k < 4; ++k) {
        shadow = app.draw.shadow_map >= shadow_sizes[k] ? k : shadow;
    }
    if (w.choice("layers.shadows", "Shadows", shadow, shadow_names, 4, "Resolution of the shadows.")) {
        app.draw.shadow_map = shadow_sizes[shadow];
    }
    const char* msaa_names[] = {"Off", "2×", "4×", "8×"};
    int choices = 1;
    while (choices < 4 && (1 << choices) <= app.max_msaa) {
        ++choices;
    }
    int msaa = 0;
    for (int k = 0; k < choices; ++k) {
        msaa = app.draw.msaa >= (1 << k) ? k : msaa;
    }
    if (w.choice("layers.msaa", "Edges (MSAA)", msaa, msaa_names, choices, "Samples per pixel that smooth edges.")) {
        app.draw.msaa = 1 << msaa;
    }
}

} // namespace cairn::ui
