// The colours of the program: eight hues for bodies, one colour for each debug layer, the same in world and panels.
#pragma once

#include "app/core/look/body_colours.h"

#include <glm/glm.hpp>

namespace cairn::ui {

using core::body_colour;
using core::body_hue_count;
using core::hue_of_slot;
using core::linear_from_oklch;
using core::linear_from_srgb;
using core::shade_of_slot;
using core::srgb_from_linear;

namespace colours { // linear
// In OKLCH, which people see as even; called for the linear one.
struct Paint {
    float lightness, chroma, degrees;
    glm::vec3 operator()() const;
};

// Bodies, and good and bad, in colours that people with any kind of colour vision tell apart.
void set_safe(bool safe);
bool safe();
glm::vec3 of_body(int hue, float awake, float shade = 0.0f); // as body_colour(), or a safe one
glm::vec3 neutral();                                         // static bodies
glm::vec3 ground();
inline constexpr Paint sensor{0.72f, 0.13f, 175.0f}; // shapes that collide with nothing
inline constexpr Paint accent{0.80f, 0.16f, 75.0f};  // amber
inline constexpr Paint contacts{0.60f, 0.23f, 27.0f};
inline constexpr Paint normals{0.88f, 0.17f, 100.0f};
inline constexpr Paint impulses{0.72f, 0.19f, 55.0f};
inline constexpr Paint bounds{0.70f, 0.18f, 145.0f};
inline constexpr Paint velocities{0.62f, 0.18f, 255.0f};
inline constexpr Paint centres{0.97f, 0.0f, 0.0f};
inline constexpr Paint joints{0.86f, 0.14f, 200.0f};   // cyan
inline constexpr Paint faces{0.74f, 0.17f, 5.0f};      // rose
inline constexpr Paint tree{0.82f, 0.20f, 125.0f};     // lime
inline constexpr Paint inertia{0.66f, 0.23f, 340.0f};  // magenta
inline constexpr Paint islands{0.72f, 0.13f, 175.0f};  // turquoise
inline constexpr Paint sleeping{0.46f, 0.16f, 275.0f}; // indigo
inline constexpr Paint sweeps{0.56f, 0.24f, 300.0f};   // violet
inline constexpr Paint names{0.96f, 0.008f, 255.0f};   // near white
inline constexpr Paint zones{0.80f, 0.15f, 20.0f};     // salmon
} // namespace colours

} // namespace cairn::ui
