#include "app/ui/widgets/theme.h"

#include "app/core/scene/scene.h"
#include "app/ui/widgets/palette.h"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn::ui {

namespace {

constexpr float text_pixels = 15.0f;

// Latin, the punctuation, superscripts, arrows and signs that the panels use.
const ImWchar glyph_ranges[] = {0x0020, 0x017f, 0x0394, 0x0394, 0x03a9, 0x03c9, 0x2010, 0x2027, 0x2070, 0x2094,
                                0x2190, 0x2193, 0x2212, 0x2212, 0x221a, 0x221a, 0x2248, 0x2265, 0};

using Names = std::vector<std::string>;

const Names sans = {"inter/Inter-Regular.otf", "roboto/unhinted/RobotoTTF/Roboto-Regular.ttf", "dejavu/DejaVuSans.ttf"};
const Names sans_strong = {"inter/Inter-SemiBold.otf", "roboto/unhinted/RobotoTTF/Roboto-Medium.ttf",
                           "dejavu/DejaVuSans-Bold.ttf"};
const Names monospaced = {"jetbrains-mono/JetBrainsMono-Regular.ttf", "dejavu/DejaVuSansMono.ttf"};

std::filesystem::path find_font(const Names& names) {
    const std::vector<std::filesystem::path> folders = {core::data_folder() / "assets" / "fonts",
                                                        "/usr/share/fonts/opentype", "/usr/share/fonts/truetype",
                                                        "/usr/local/share/fonts", "/usr/share/fonts"};
    std::error_code ignored;
    for (const std::string& name : names) {
        for (const auto& folder : folders) {
            for (const auto& path : {folder / name, folder / std::filesystem::path(name).filename()}) {
                if (std::filesystem::is_regular_file(path, ignored)) {
                    return path;
                }
            }
        }
    }
    return {};
}

ImFont* add_font(const Names& names, float pixels, const char* purpose, MessageLog& log, float lower = 0.0f) {
    ImFontConfig config;
    config.OversampleH = 2;
    config.OversampleV = 1;
    config.GlyphOffset.y = lower;
    const std::filesystem::path path = find_font(names);
    if (!path.empty()) {
        if (ImFont* font = ImGui::GetIO().Fonts->AddFontFromFileTTF(path.c_str(), pixels, &config, glyph_ranges)) {
            return font;
        }
    }
    log.warning(std::string("No font for ") + purpose + " found; install fonts-inter, fonts-jetbrains-mono or " +
                "fonts-dejavu-core");
    config.SizePixels = pixels;
    return ImGui::GetIO().Fonts->AddFontDefault(&config);
}

} // namespace

namespace theme {

ImU32 packed(const ImVec4& colour, float alpha) {
    return ImGui::ColorConvertFloat4ToU32(ImVec4(colour.x, colour.y, colour.z, colour.w * alpha));
}

ImVec4 from_linear(const glm::vec3& linear) {
    const glm::vec3 c = srgb_from_linear(linear);
    return {c.x, c.y, c.z, 1.0f};
}

} // namespace theme

Fonts load_fonts(float scale, float framebuffer_ratio, MessageLog& log) {
    ImGuiIO& io = ImGui::GetIO();
    io.Fonts->Clear();
    const float pixels = text_pixels * scale * framebuffer_ratio;
    Fonts fonts;
    fonts.text = add_font(sans, pixels, "text", log);
    fonts.strong = add_font(sans_strong, pixels, "headings", log);
    // A little smaller, so that its wide letters match; and lower by the difference, onto the same line as the text.
    fonts.mono = add_font(monospaced, pixels * 0.93f, "numbers", log, std::round(0.05f * pixels));
    io.FontGlobalScale = 1.0f / framebuffer_ratio;
    io.FontDefault = fonts.text;
    return fonts;
}

void apply_theme(float scale) {
    ImGuiStyle style;
    ImGui::StyleColorsDark(&style);
    style.WindowPadding = {10, 8};
    style.FramePadding = {7, 3};
    style.ItemSpacing = {6, 5};
    style.ItemInnerSpacing = {6, 4};
    style.IndentSpacing = 12;
    style.ScrollbarSize = 9;
    style.GrabMinSize = 8;
    style.WindowRounding = 8;
    style.ChildRounding = 5;
    style.FrameRounding = 4;
    style.PopupRounding = 6;
    style.ScrollbarRounding = 6;
    style.GrabRounding = 4;
    style.WindowBorderSize = 1;
    style.FrameBorderSize = 0;
    style.PopupBorderSize = 1;
    style.WindowMinSize = {16, 16};
    style.ScaleAllSizes(scale);

    const ImVec4 frame{0.17f, 0.197f, 0.237f, 1.0f};
    const ImVec4 frame_hovered{0.215f, 0.25f, 0.30f, 1.0f};
    const ImVec4 frame_active{0.25f, 0.29f, 0.345f, 1.0f};
    const auto tint = [](float alpha) { return ImVec4(theme::accent.x, theme::accent.y, theme::accent.z, alpha); };
    ImVec4* c = style.Colors;
    c[ImGuiCol_Text] = theme::text;
    c[ImGuiCol_TextDisabled] = theme::muted;
    c[ImGuiCol_WindowBg] = theme::panel;
    c[ImGuiCol_PopupBg] = {0.09f, 0.105f, 0.13f, 0.98f};
    c[ImGuiCol_Border] = {1.0f, 1.0f, 1.0f, 0.07f};
    c[ImGuiCol_FrameBg] = frame;
    c[ImGuiCol_FrameBgHovered] = frame_hovered;
    c[ImGuiCol_FrameBgActive] = frame_active;
    c[ImGuiCol_ScrollbarBg] = {0, 0, 0, 0};
    c[ImGuiCol_ScrollbarGrab] = frame_hovered;
    c[ImGuiCol_ScrollbarGrabHovered] = frame_active;
    c[ImGuiCol_ScrollbarGrabActive] = frame_active;
    c[ImGuiCol_CheckMark] = theme::accent;
    c[ImGuiCol_SliderGrab] = tint(0.8f);
    c[ImGuiCol_SliderGrabActive] = theme::accent;
    c[ImGuiCol_Button] = {0.205f, 0.237f, 0.285f, 1.0f};
    c[ImGuiCol_ButtonHovered] = {0.26f, 0.30f, 0.36f, 1.0f};
    c[ImGuiCol_ButtonActive] = tint(0.55f);
    c[ImGuiCol_Header] = {0.145f, 0.168f, 0.204f, 1.0f};
    c[ImGuiCol_HeaderHovered] = {0.19f, 0.22f, 0.265f, 1.0f};
    c[ImGuiCol_HeaderActive] = {0.22f, 0.255f, 0.31f, 1.0f};
    c[ImGuiCol_Separator] = {1.0f, 1.0f, 1.0f, 0.08f};
    c[ImGuiCol_PlotLines] = theme::accent;
    c[ImGuiCol_PlotHistogram] = theme::accent;
    c[ImGuiCol_TextSelectedBg] = tint(0.35f);
    c[ImGuiCol_TableBorderLight] = {1.0f, 1.0f, 1.0f, 0.05f};
    ImGui::GetStyle() = style;
}

} // namespace cairn::ui
