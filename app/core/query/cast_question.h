// A line of `cairn query` that asks what a ray, or a shape that moves, meets first.
#pragma once

#include "app/core/scene/json/document.h"
#include "physics/query/ray_cast.h"
#include "physics/query/shape_cast.h"
#include "physics/world/frame_state.h"

#include <filesystem>
#include <optional>

namespace cairn::core {

struct CastQuestion {
    glm::dvec3 origin{0.0}; // world, m: all below is seen from here, as in Question
    physics::Ray ray;       // without a shape to move
    std::optional<physics::Shape> shape;
    physics::Transform from;         // of the shape
    physics::Vec3 translation{0.0f}; // m
    physics::BodyModel target;       // of one part
    physics::Transform target_pose;
};

bool asks_for_cast(const Document& line);

// Meshes are looked for in `folder`. Throws InputError, located in the line.
CastQuestion read_cast_question(const Document& line, const std::filesystem::path& folder);

physics::RayCast ray_answer(const CastQuestion& question);
physics::ShapeCast shape_answer(const CastQuestion& question); // of one that moves a shape

} // namespace cairn::core
