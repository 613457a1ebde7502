// The colours of bodies, the same wherever they are drawn: in the window, in exported files and on reports.
#pragma once

#include "physics/world/body_def.h"

#include <cstdint>
#include <glm/glm.hpp>

namespace cairn::core {

// OKLCH (Ottosson 2020): perceptual lightness 0..1, chroma about 0..0.3, hue in radians. Returns linear sRGB, clamped
// to the gamut.
glm::vec3 linear_from_oklch(float lightness, float chroma, float hue);

// Transfer function of sRGB, for what is drawn without a renderer that encodes: panels and pages.
glm::vec3 srgb_from_linear(const glm::vec3& linear);
glm::vec3 linear_from_srgb(const glm::vec3& srgb);

inline constexpr int body_hue_count = 8;

// Linear colour of hue 0..7, all of one lightness and chroma. `awake` 1 = full chroma, 0 = the hue greyed by rest.
// `shade` -1..1 makes a body a little darker or lighter, so that neighbours of one hue stay two.
glm::vec3 body_colour(int hue, float awake, float shade = 0.0f);
// Of a body that has a colour of its own, greyed by rest alike.
glm::vec3 body_colour(const physics::Colour& own, float awake);

// The hue of a body slot. Slots are scattered over the hues, so that rows and layers of a grid do not come out striped.
int hue_of_slot(std::uint32_t slot);
float shade_of_slot(std::uint32_t slot); // -1..1

glm::vec3 neutral_colour(); // linear, of static bodies
glm::vec3 ground_colour();

} // namespace cairn::core
