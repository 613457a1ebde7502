// What queries of a world take and give: see World.
#pragma once

#include "physics/query/distance.h"
#include "physics/query/ray_cast.h"
#include "physics/query/shape_cast.h"
#include "physics/world/body_def.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

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

struct BodyModel;

// What is touched where a query hits.
struct TouchedMaterial {
    Material material;                  // in force there: of the triangles, else of the shape, else of the body
    std::optional<std::uint32_t> place; // in MeshData::materials, of a mesh that has any
    std::string name;                   // of that material
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

// Of the model of the body that was hit (World::model); `triangle` as of RayHit and ShapeCast. Queries do not look it
// up: whoever wants to know asks.
TouchedMaterial touched_material(const BodyModel& model, std::uint32_t shape,
                                 std::uint32_t triangle = MeshTriangle::none);
inline TouchedMaterial touched_material(const BodyModel& model, const WorldRayHit& hit) {
    return touched_material(model, hit.shape, hit.hit.triangle);
}
inline TouchedMaterial touched_material(const BodyModel& model, const WorldShapeCast& hit) {
    return touched_material(model, hit.shape, hit.cast.triangle);
}

} // namespace cairn::physics
