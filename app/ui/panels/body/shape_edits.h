// What a body's shapes are called, and the ones that a person can add to it.
#pragma once

#include "app/ui/text/frame_text.h"
#include "physics/world/frame_state.h"

#include <array>

namespace cairn::ui {

// Kind and size, for people: "box 1 × 1 × 2 m".
FrameText shape_text(const physics::Geometry& geometry);

inline constexpr std::array<const char*, 6> new_shape_names = {"Box",      "Sphere", "Capsule",
                                                               "Cylinder", "Cone",   "Diamond"};

// One of new_shape_names, upright on top of the body's bounds in its own frame, of half its greatest extent and of 1 m
// at most.
physics::ShapeDef new_shape(const physics::BodyModel& model, std::size_t kind);

} // namespace cairn::ui
