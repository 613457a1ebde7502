// A shape ready for queries: built once from a Geometry, immutable. All kinds but the mesh are convex and centred on
// their own centroid.
#pragma once

#include "physics/base/executor.h"
#include "physics/geometry/aabb.h"
#include "physics/geometry/convex_hull.h"
#include "physics/geometry/geometry.h"
#include "physics/geometry/triangle_mesh.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace cairn::physics {

enum class ShapeKind : std::uint8_t { sphere, box, capsule, cylinder, cone, hull, mesh };

// Local coordinates have the centroid of the solid at the origin, axes of revolution along Z.
struct Shape {
    ShapeKind kind = ShapeKind::sphere;
    float radius = 0.0f;     // sphere, capsule, cylinder, cone (of the base), m
    Vec3 half_extents{0.0f}; // box: all three; capsule and cylinder: z = half height; cone: z = height / 2, m
    std::shared_ptr<const ConvexHull> hull;   // kind == hull
    std::shared_ptr<const TriangleMesh> mesh; // kind == mesh: no volume and no inertia, and its radii are both those of
                                              // the ball about it, since what matters of a pair is the smaller shape

    Aabb local_bounds;         // m
    float volume = 0.0f;       // m^3
    Mat3 unit_inertia{0.0f};   // about the centroid for density 1 kg/m^3, kg m^2
    float bounding_radius = 0; // greatest distance of a point of the shape from the centroid, m
    float inner_radius = 0;    // radius of the largest ball about the centroid that fits inside, m
    Vec3 author_offset{0.0f};  // where the centroid was in the author's coordinates (point sets, the diamond), m
};

inline bool is_polytope(const Shape& shape) {
    return shape.kind == ShapeKind::box || shape.kind == ShapeKind::hull;
}

struct ShapeError {
    std::string reason;
};

// Validates the geometry and builds the shape. Refuses, with a reason: sizes that are not finite or not within [1e-4,
// 1e4] m (of a point set: half the longest side), what build_convex_hull refuses, and hulls in which a ball of 1e-6 m
// radius does not fit. Hulls of the same points are not shared here; see ShapeLibrary.
// Large meshes are built on the executor's threads, if there is one, and by the orders that are kept; what comes out is
// the same.
std::variant<Shape, ShapeError> build_shape(const Geometry& geometry, Executor* executor = nullptr,
                                            MeshOrders* orders = nullptr);

// What build_shape would refuse it for, if for anything. A mesh is not built for that.
std::optional<ShapeError> check_geometry(const Geometry& geometry);

// The same for a height field whose samples within `changed` are others: see with_heights of its mesh.
Shape with_heights(const Shape& before, std::shared_ptr<const HeightData> data, const HeightRegion& changed);

// The same for a mesh of the same triangles of other materials: see with_materials of its mesh.
Shape with_materials(const Shape& before, const MeshData& data);

// Farthest point of the shape along `direction` (local, any length; zero gives some point of the shape), local
// coordinates.
Vec3 support(const Shape& shape, const Vec3& direction);

// World bounds of the shape at `pose`; tight for every kind but the mesh, whose own bounds are turned.
Aabb bounds(const Shape& shape, const Transform& pose);

// Greatest value of dot(direction, cross(angular_velocity, p)) over the points p of the shape taken relative to the
// centre of rotation, all in the shape's local frame; m/s. `centre` is the centre of rotation in local coordinates,
// `direction` a unit vector. Never smaller than the true value (used as a bound by conservative advancement).
float max_rotational_speed(const Shape& shape, const Vec3& centre, const Vec3& angular_velocity, const Vec3& direction);

// Triangles for drawing: flat facets get one normal per face, round parts get smooth normals. Counter-clockwise from
// outside. `edges` are the true edges (facets of hulls and boxes, rims of cylinders and cones), as pairs of positions.
struct ShapeMesh {
    std::vector<Vec3> positions;          // local, m
    std::vector<Vec3> normals;            // unit, one per position
    std::vector<std::uint32_t> triangles; // three indices each
    std::vector<Vec3> edges;              // two positions each
};
ShapeMesh tessellate(const Shape& shape, int segments = 32);

// Columns and rows of a height field that are drawn: all, or of a large one each n-th and the last, so that no more
// than a million triangles are.
struct DrawnSamples {
    std::vector<std::uint32_t> across, along;
};
DrawnSamples drawn_samples(const HeightData& data);
Vec3 drawn_normal(const HeightGrid& grid, std::uint32_t column, std::uint32_t row); // unit

} // namespace cairn::physics
