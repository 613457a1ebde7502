// Fonts, colours and measures of the panels.
#pragma once

#include "app/ui/widgets/message_log.h"

#include <glm/glm.hpp>
#include <imgui.h>

namespace cairn::ui {

struct Fonts {
    ImFont* text = nullptr;   // 15 px sans at scale 1
    ImFont* strong = nullptr; // headings
    ImFont* mono = nullptr;   // numbers
};

// Rasterises the fonts for `pixels_per_unit` = UI scale times framebuffer pixels per window unit, into ImGui's atlas. A
// font that is not on this machine is replaced, with a message.
Fonts load_fonts(float scale, float framebuffer_ratio, MessageLog& log);

// Dark slate with one amber accent; all measures times `scale`.
void apply_theme(float scale);

namespace theme { // good and bad: see colours::set_safe()
inline const ImVec4 text{0.90f, 0.92f, 0.94f, 1.0f};
inline const ImVec4 muted{0.58f, 0.63f, 0.69f, 1.0f};
inline const ImVec4 accent{0.98f, 0.70f, 0.25f, 1.0f};
inline const ImVec4 on_accent{0.10f, 0.11f, 0.13f, 1.0f};
inline ImVec4 good{0.47f, 0.79f, 0.55f, 1.0f};
inline ImVec4 bad{0.95f, 0.44f, 0.40f, 1.0f};
inline const ImVec4 panel{0.105f, 0.122f, 0.149f, 0.95f};
ImU32 packed(const ImVec4& colour, float alpha = 1.0f);
// A linear colour of the world as the panels show it.
ImVec4 from_linear(const glm::vec3& linear);
} // namespace theme

} // namespace cairn::ui
