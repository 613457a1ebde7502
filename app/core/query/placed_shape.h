// One shape at its pose, a part of a line of `cairn query`.
#pragma once

#include "app/core/scene/json/document.h"
#include "physics/geometry/shape.h"
#include "physics/world/body_def.h"

#include <filesystem>

namespace cairn::core {

struct PlacedShape {
    physics::BodyDef body; // of one shape
    physics::Shape shape;
    glm::dvec3 position{0.0}; // as written: the body holds it in single precision
};

// Read by the rules of scene files. `surface`: it may be a mesh or a height field. Throws InputError, located in the
// line.
PlacedShape read_placed_shape(const Document& line, const Node& node, const std::filesystem::path& folder,
                              bool surface);

// Documents keep numbers in single precision; here the difference of two positions counts. No node: the origin.
glm::dvec3 precise_position(const Document& line, const Node* position);

} // namespace cairn::core
