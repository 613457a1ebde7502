// Puts parts together again whose common hull is good enough.
#pragma once

#include "physics/base/executor.h"
#include "physics/geometry/decomposition/parts/part_hull.h"

#include <cstddef>
#include <vector>

namespace cairn::physics::detail {

// A part, or several that share a hull.
struct HulledPart {
    MeshPart part;
    PartHull hull;
    bool usable = true; // its hull is a shape by itself
};

struct MergeSettings {
    double allowed = 0.0;       // concavity, grid units
    double spacing = 0.0;       // of samples, grid units
    std::size_t most_hulls = 0; // whatever concavity that takes
};

// Merges the pair of least concavity while that is allowed, or there are too many parts, or one is not usable by
// itself.
void merge_parts(std::vector<HulledPart>& parts, const MergeSettings& settings, double scale, Executor& executor);

// Whether the hull makes a shape; `scale` in metres a grid unit.
bool is_usable(const PartHull& hull, double scale);

} // namespace cairn::physics::detail
