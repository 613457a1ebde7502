// Clipping one contact patch by the sides of another. Internal to queries.
#pragma once

#include "physics/query/manifold/patch/contact_patch.h"

namespace cairn::physics {

// Names of contact points. They use the corners and edges of the shapes and not the order in which clipping met them,
// nor which of the two faces was the reference, so that they stay the same while the same features touch.
enum class PointFeature : std::uint32_t { vertex_a, vertex_b, edges, witness };

inline std::uint32_t feature_id(PointFeature kind, std::uint32_t first, std::uint32_t second = 0) {
    // A hull of 4096 vertices has at most 12282 edges: two of 14 bits and two bits of kind fit.
    return (static_cast<std::uint32_t>(kind) << 30) | ((first & 0x7fffu) << 15) | (second & 0x7fffu);
}

struct ClippedPoint {
    DVec3 position{0.0}; // on the incident patch
    std::uint32_t feature = 0;
};

inline constexpr int max_clipped_points = 2 * max_patch_vertices;

struct ClippedPatch {
    int count = 0;
    Room<ClippedPoint, max_clipped_points> points;

    void add(const DVec3& position, std::uint32_t feature) { points.put(count++, {position, feature}); }
};

// The part of `incident` that lies over the polygon `reference`. Corners up to `slack` (m) outside a side count as
// inside, so that flush edges do not change the answer from step to step.
ClippedPatch clip(const Patch& reference, const Patch& incident, bool reference_is_a, double slack);

} // namespace cairn::physics
