// The colours of the program: eight hues for bodies, one colour for each debug layer, the same in world and panels.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>

namespace cairn::ui {

// OKLCH (Ottosson 2020): perceptual lightness 0..1, chroma about 0..0.3, hue in radians. Returns linear sRGB, clamped
// to the gamut.
glm::vec3 linear_from_oklch(float lightness, float chroma, float hue);

// Transfer function of sRGB, for what is drawn without a renderer that encodes: the panels.
glm::vec3 srgb_from_linear(const glm::vec3& linear);
glm::vec3 linear_from_srgb(const glm::vec3& srgb);

inline constexpr int body_hue_count = 8;

// Linear colour of hue 0..7, all of one lightness and chroma. `awake` 1 = full chroma, 0 = the hue greyed by rest.
// `shade` -1..1 makes a body a little darker or lighter, so that neighbours of one hue stay two.
glm::vec3 body_colour(int hue, float awake, float shade = 0.0f);

// The hue of a body slot. Slots are scattered over the hues, so that rows and layers of a grid do not come out striped.
int hue_of_slot(std::uint32_t slot);
float shade_of_slot(std::uint32_t slot); // -1..1

namespace colours {  // linear
glm::vec3 neutral(); // static bodies
glm::vec3 ground();
glm::vec3 accent(); // amber
glm::vec3 contacts();
glm::vec3 normals();
glm::vec3 impulses();
glm::vec3 bounds();
glm::vec3 velocities();
glm::vec3 centres();
glm::vec3 joints();   // cyan
glm::vec3 faces();    // rose
glm::vec3 tree();     // lime
glm::vec3 inertia();  // magenta
glm::vec3 islands();  // turquoise
glm::vec3 sleeping(); // indigo
glm::vec3 sweeps();   // violet
glm::vec3 names();    // near white
} // namespace colours

} // namespace cairn::ui
