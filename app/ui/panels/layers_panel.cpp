#include "app/ui/panels/panels.h"
#include "app/ui/screen/drawing.h"
#include "app/ui/screen/layout.h"
#include "app/ui/screen/pointing/pointing.h"
#include "app/ui/widgets/palette.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

namespace {

// A bar of the scale's colours with its numbers below.
void draw_scale(Widgets& w, const ColourScale& scale) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = 10.0f * w.scale;
    ImDrawList& out = *ImGui::GetWindowDrawList();
    const auto colour = [](int step) {
        const float share = static_cast<float>(step) / static_cast<float>(ramp_steps - 1);
        return theme::packed(theme::from_linear(ramp_colour(share)));
    };
    for (int step = 0; step + 1 < ramp_steps; ++step) {
        const auto x = [&](int i) { return at.x + width * static_cast<float>(i) / static_cast<float>(ramp_steps - 1); };
        out.AddRectFilledMultiColor(ImVec2(x(step), at.y), ImVec2(x(step + 1), at.y + height), colour(step),
                                    colour(step + 1), colour(step + 1), colour(step));
    }
    const ImFont& font = *w.fonts.mono;
    // From the upper end down, where the unit stands; a number that has no room beside the one above it is left out.
    float end = at.x + width;
    const float gap = 8.0f * w.scale;
    for (std::size_t i = scale.ticks.size(); i-- > 0;) {
        const ColourScale::Tick& tick = scale.ticks[i];
        const float room = font.CalcTextSizeA(font.FontSize, 1e9f, 0.0f, tick.text).x;
        const float middle = at.x + width * scale.share(tick.value);
        const float x = std::max(std::min(middle - 0.5f * room, at.x + width - room), at.x);
        if (x + room <= end) {
            out.AddText(&font, font.FontSize, ImVec2(x, at.y + height + 2.0f * w.scale), theme::packed(theme::muted),
                        tick.text);
            end = x - gap;
        }
    }
    ImGui::Dummy(ImVec2(width, height + font.FontSize + 4.0f * w.scale));
    w.mark("layers.legend");
}

void draw_cases(Widgets& w, const std::vector<ColourCase>& cases) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (i > 0) {
            ImGui::SameLine(0.0f, 16.0f * w.scale);
        }
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float side = ImGui::GetTextLineHeight();
        ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x, at.y + 0.15f * side),
                                                  ImVec2(at.x + 0.7f * side, at.y + 0.85f * side),
                                                  theme::packed(theme::from_linear(cases[i].colour)), 2.0f * w.scale);
        ImGui::Dummy(ImVec2(0.7f * side, side));
        ImGui::SameLine(0.0f, 6.0f * w.scale);
        ImGui::TextUnformatted(cases[i].text);
    }
    w.mark("layers.legend");
}

// The groups that the contacts of this frame are in, in the order in which they are solved.
void draw_groups(Widgets& w, const physics::FrameState& frame) {
    int largest = -1;
    for (const std::uint8_t group : frame.contact_colours) {
        largest = group == physics::FrameState::no_colour ? largest : std::max(largest, static_cast<int>(group));
    }
    if (largest < 0) {
        w.muted(frame.contacts.empty() ? "Nothing touches." : "Shown from the next step on; resting bodies have none.");
        w.mark("layers.legend");
        return;
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x, height = 12.0f * w.scale;
    const float width = std::min(room / static_cast<float>(largest + 1), 2.0f * height);
    for (int i = 0; i <= largest; ++i) {
        const float x = at.x + width * static_cast<float>(i);
        ImGui::GetWindowDrawList()->AddRectFilled(
            ImVec2(x, at.y), ImVec2(x + width - 1.0f, at.y + height),
            theme::packed(theme::from_linear(colours::group(static_cast<std::uint8_t>(i)))));
    }
    ImGui::Dummy(ImVec2(room, height));
    w.mark("layers.legend");
}

void colour_choice(Context& ctx) {
    Widgets& w = ctx.widgets;
    const std::vector<ColourModeInfo>& modes = colour_modes();
    FrameList<const char*> titles;
    for (const ColourModeInfo& info : modes) {
        titles.push_back(info.title);
    }
    ColourMode& mode = ctx.view_options.colours;
    int chosen = static_cast<int>(mode);
    if (w.choice("layers.colours", "Colours", chosen, titles.data(), static_cast<int>(titles.size()),
                 info_of(mode).description)) {
        mode = modes[static_cast<std::size_t>(chosen)].mode;
    }
    if (const ColourScale* scale = scale_of(mode)) {
        draw_scale(w, *scale);
    } else if (mode == ColourMode::groups) {
        draw_groups(w, ctx.frame());
    } else if (!cases_of(mode).empty()) {
        draw_cases(w, cases_of(mode));
    }
}

} // namespace

void layers_panel(Context& ctx) {
    Widgets& w = ctx.widgets;
    ViewOptions& v = ctx.view_options;
    const float column = 0.5f * ImGui::GetContentRegionAvail().x;
    const float start = ImGui::GetCursorPosX();
    int i = 0;
    const auto next_column = [&] {
        if (i++ % 2 == 1) {
            ImGui::SameLine(start + column);
        }
    };
    static const std::vector<std::string> names = [] { // of the toggles, in the order of the table
        std::vector<std::string> all;
        for (const DebugLayer& layer : debug_layers()) {
            all.push_back(std::string("layers.") + layer.name);
        }
        return all;
    }();
    std::size_t which = 0;
    for (const DebugLayer& layer : debug_layers()) {
        next_column();
        ImGui::PushStyleColor(ImGuiCol_CheckMark, theme::from_linear(layer.colour));
        w.toggle(names[which++].c_str(), layer.title, v.layers[layer], layer.description);
        ImGui::PopStyleColor();
        if (!v.layers[layer]) { // the colour of the layer, also while it is off
            const ImVec2 low = ImGui::GetItemRectMin();
            const float side = ImGui::GetItemRectSize().y;
            ImGui::GetWindowDrawList()->AddCircleFilled(ImVec2(low.x + 0.5f * side, low.y + 0.5f * side),
                                                        2.5f * w.scale,
                                                        theme::packed(theme::from_linear(layer.colour), 0.8f));
        }
    }
    ImGui::Separator();
    colour_choice(ctx);
    ImGui::Separator();
    i = 0;
    next_column();
    w.toggle("layers.grid", "Grid", v.grid, "The metre grid on the ground.");
    next_column();
    w.toggle("layers.textures", "Textures", v.textures, "Surface textures of bodies and ground.");
    next_column();
    Drawing& drawing = ctx.get<Drawing>();
    w.toggle("layers.smooth", "Smooth", drawing.settings.interpolate,
             "Interpolates between the last two steps. Off: shows whole steps only.");
    next_column();
    w.toggle("layers.occlusion", "Occlusion", drawing.settings.occlusion,
             drawing.software_driver
                 ? "Ambient occlusion: darkens corners and contacts. Slow here: no graphics card draws this window."
                 : "Ambient occlusion: darkens corners and contacts.");

    next_column();
    bool safe = colours::safe();
    if (w.toggle("layers.safe_colours", "Safe colours", safe,
                 "Colours that stay apart with any kind of colour vision: bodies, good and bad.")) {
        colours::set_safe(safe);
    }
    static constexpr int sizes[] = {100, 125, 150, 175, 200};
    const char* size_titles[] = {"100 %", "125 %", "150 %", "175 %", "200 %"};
    int size = 0;
    for (int k = 0; k < 5; ++k) {
        size = ctx.get<Layout>().text_size >= sizes[k] ? k : size;
    }
    if (w.choice("layers.text_size", "Text size", size, size_titles, 5,
                 joined("Of all text and panels (", ctx.key_of("larger_text"), ", ", ctx.key_of("smaller_text"), ").")
                     .c_str())) {
        ctx.get<Layout>().text_size = sizes[size];
    }

    GamepadSettings& pad = ctx.get<GamepadSettings>();
    w.toggle("layers.gamepad", "Gamepad", pad.on,
             joined(pad.connected.empty() ? std::string_view("None is connected.") : std::string_view(pad.connected),
                    " Left stick: fly or move the player. Right stick: look. Triggers: down, up.")
                 .c_str());
    if (pad.on && !pad.connected.empty()) {
        w.number("layers.gamepad_speed", "Stick speed", pad.speed,
                 {"×", 0.1f, 5.0f, 0.01f, "%.1f", "How fast the sticks fly and turn."}, 1.0f);
        w.number("layers.gamepad_dead_zone", "Dead zone", pad.dead_zone,
                 {"", 0.0f, 0.9f, 0.002f, "%.2f", "Share of a stick's reach that counts as let go."}, 0.15f);
    }

    const char* quality_titles[] = {"Low", "Medium", "High", "Ultra", "Custom"};
    const auto now = quality_of(drawing.settings, drawing.max_msaa);
    int quality = now ? static_cast<int>(*now) : 4;
    if (w.choice("layers.quality", "Quality", quality, quality_titles, now ? 4 : 5,
                 drawing.software_driver ? "Rendering quality. There is no graphics card: Low keeps the frame rate up."
                                         : "Rendering quality.") &&
        quality < 4) {
        set_quality(drawing.settings, static_cast<Quality>(quality));
        drawing.settings.msaa = std::min(drawing.settings.msaa, std::max(drawing.max_msaa, 1));
    }
    auto percent = static_cast<float>(drawing.settings.resolution);
    if (w.number("layers.resolution", "Resolution", percent,
                 {"%", 10.0f, 100.0f, 0.5f, "%.0f",
                  "Share of the window's pixels, along each side, in which the world is drawn: fewer are faster."},
                 100.0f)) {
        drawing.settings.resolution = static_cast<int>(std::lround(percent));
    }
    const char* map_names[] = {"1", "2", "3", "4"};
    const char* shadow_names[] = {"Off", "1024", "2048", "4096"};
    const int shadow_sizes[] = {0, 1024, 2048, 4096};
    int shadow = 0;
    for (int k = 0; k < 4; ++k) {
        shadow = drawing.settings.shadow_map >= shadow_sizes[k] ? k : shadow;
    }
    if (w.choice("layers.shadows", "Shadows", shadow, shadow_names, 4, "Resolution of the shadows.")) {
        drawing.settings.shadow_map = shadow_sizes[shadow];
    }
    int maps = drawing.settings.shadow_cascades - 1;
    if (drawing.settings.shadow_map > 0 &&
        w.choice("layers.cascades", "Shadow maps", maps, map_names, 4,
                 "Number of cascades, each twice as wide as the one before: more of them reach farther.")) {
        drawing.settings.shadow_cascades = maps + 1;
    }
    const char* msaa_names[] = {"Off", "2×", "4×", "8×"};
    int choices = 1;
    while (choices < 4 && (1 << choices) <= drawing.max_msaa) {
        ++choices;
    }
    int msaa = 0;
    for (int k = 0; k < choices; ++k) {
        msaa = drawing.settings.msaa >= (1 << k) ? k : msaa;
    }
    if (w.choice("layers.msaa", "Edges (MSAA)", msaa, msaa_names, choices, "Samples per pixel that smooth edges.")) {
        drawing.settings.msaa = 1 << msaa;
    }
}

} // namespace cairn::ui
