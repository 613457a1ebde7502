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
// Bodies, and good and bad, in colours that people with any kind of colour vision tell apart.
void set_safe(bool safe);
bool safe();
glm::vec3 of_body(int hue, float awake, float shade = 0.0f); // as body_colour(), or a safe one
glm::vec3 neutral();                                         // static bodies
glm::vec3 ground();
glm::vec3 sensor(); // shapes that collide with nothing
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
glm::vec3 zones();    // salmon
} // namespace colours

} // namespace cairn::ui
