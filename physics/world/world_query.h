// What queries of a world take and give: see World.
#pragma once

#include "physics/query/distance.h"
#include "physics/query/ray_cast.h"
#include "physics/query/shape_cast.h"
#include "physics/world/body_def.h"

#include <cstdint>
#include <functional>

namespace cairn::physics {

// Which shapes a query sees: no sensors. A body must satisfy all of it.
struct QueryFilter {
    std::uint32_t groups = 0xffffffffu; // bit g: bodies of group g
    bool fixed = true, kinematic = true, dynamic = true;
    BodyId except; // mostly the one that asks
    // Called last, with the body and the place of the shape in its BodyModel::parts; empty: all. Must not change the
    // world.
    std::function<bool(BodyId body, std::uint32_t shape)> accept;
};

struct WorldRayHit {
    BodyId body;
    RayHit hit;
    std::uint32_t shape = 0; // place in BodyModel::parts
};

struct WorldShape {
    BodyId body;
    std::uint32_t shape = 0; // place in BodyModel::parts
    friend bool operator==(const WorldShape&, const WorldShape&) = default;
};

struct WorldShapeCast {
    BodyId body;
    std::uint32_t shape = 0; // place in BodyModel::parts
    ShapeCast cast;          // A is the shape that moves
};

struct WorldDistance {
    BodyId body;
    std::uint32_t shape = 0; // place in BodyModel::parts
    DistanceResult nearest;  // A is what is asked about
};

} // namespace cairn::physics
