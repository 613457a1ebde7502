// Which plane to cut a part by.
#pragma once

#include "physics/base/executor.h"
#include "physics/geometry/decomposition/parts/mesh_part.h"

#include <optional>
#include <span>
#include <vector>

namespace cairn::physics::detail {

// What a plane makes of a part.
std::vector<MeshPart> cut(const MeshPart& part, const CutPlane& plane);

// For each part the plane after which, with the best further cut of every piece, the least excess remains: the sum of
// what the pieces' hulls hold beyond the pieces. Planes across the axes and their diagonals are tried, and those of
// flat faces. `allowed`: the concavity up to which a part is not cut, grid units. None for parts smaller than that.
std::vector<std::optional<CutPlane>> best_cuts(std::span<const MeshPart> parts, double allowed, Executor& executor);

} // namespace cairn::physics::detail
