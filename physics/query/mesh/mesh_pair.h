// Distance and casts between a convex shape and a mesh, triangle by triangle.
#pragma once

#include "physics/query/shape_cast.h"

#include <optional>

namespace cairn::physics {

// From the surface, whichever side the shape is on; `normal` and the points as if the shape were A. nullopt: the
// distance is not less than `limit`, m.
std::optional<DistanceResult> mesh_distance(const Shape& shape, const Transform& pose, const Shape& mesh,
                                            const Transform& mesh_pose, float limit);

// As overlap(), where `other` may be a mesh, of which the surface counts.
bool overlap_any(const Shape& shape, const Transform& pose, const Shape& other, const Transform& other_pose);

// As shape_cast(). Triangles of one-sided meshes are met from their front alone, as by contacts.
ShapeCast mesh_cast(const Shape& shape, const Transform& from, const Vec3& translation, const Shape& mesh,
                    const Transform& mesh_pose, const ShapeCastSettings& settings = {});

} // namespace cairn::physics
