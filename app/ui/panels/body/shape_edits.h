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

// Of points and surfaces, which have no sizes of their own: scaled about their origin to be `after` instead of `before`
// along each axis, m. What has no extent along an axis keeps that. False for every other kind.
bool scale(physics::Geometry& geometry, const physics::Vec3& before, const physics::Vec3& after);

// As large by `factor` about the origin of the body's frame, with its place there; height fields keep their size.
physics::ShapeDef scaled(physics::ShapeDef shape, float factor);

// Of all shapes together, along the body's axes and about its centre of mass.
physics::Aabb bounds_of_shapes(const physics::BodyModel& model);

// `to`, with what has changed from `before` to `after`: sizes where both are of one kind, place, sensor and material.
physics::ShapeDef with_change(physics::ShapeDef to, const physics::ShapeDef& before, const physics::ShapeDef& after);

// One of new_shape_names, upright on top of the body's bounds in its own frame, of half its greatest extent and of 1 m
// at most.
physics::ShapeDef new_shape(const physics::BodyModel& model, std::size_t kind);

} // namespace cairn::ui
