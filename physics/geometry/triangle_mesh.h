// A fixed surface of triangles: a tree that finds those near a place, and what lies beside each.
#pragma once

#include "physics/base/executor.h"
#include "physics/geometry/aabb.h"
#include "physics/geometry/geometry.h"
#include "physics/geometry/height_grid.h"
#include "physics/geometry/triangle_tree.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace cairn::physics {

inline constexpr std::size_t max_mesh_triangles = std::size_t{1} << 22;
inline constexpr std::size_t max_mesh_materials = 0xffff;

// Immutable after building. Triangles stand in the order of the tree's leaves, which follows from their places alone.
// At most 60 bytes a triangle beside the vertices.
struct TriangleMesh {
    static constexpr std::uint32_t none = MeshTriangle::none;
    using Triangle = MeshTriangle;

    std::vector<Vec3> vertices; // local, m
    std::vector<Triangle> triangles;
    // Bit k: edge k stands out, seen from the front; bit 3 + k: seen from behind. Borders do on both sides. What only
    // meets triangles whose edges do not stand out can only meet their faces.
    std::vector<std::uint8_t> ridges;
    std::vector<std::uint16_t> materials; // as MeshData::triangle_materials, in the order here
    std::vector<std::uint32_t> source;    // of each triangle its place in MeshData::triangles
    TriangleTree tree;
    std::optional<HeightGrid> grid; // in place of all lists above
    Aabb bounds;
    bool two_sided = false;
    float skin = 0.0f; // m: what lies no deeper behind a face is within the surface and not beyond it

    // Of lists and heights alike.
    Triangle triangle(std::uint32_t t) const { return grid ? grid->triangle(t) : triangles[t]; }
    Vec3 vertex(std::uint32_t v) const { return grid ? grid->vertex(v) : vertices[v]; }
    std::uint32_t vertex_count() const {
        return grid ? grid->vertex_count() : static_cast<std::uint32_t>(vertices.size());
    }
    unsigned ridges_of(std::uint32_t t) const { return grid ? find_ridges(t, corners(t)) : unsigned{ridges[t]}; }
    // The same where the corners are known.
    unsigned ridges_of(std::uint32_t t, const std::array<DVec3, 3>& corner) const {
        return grid ? find_ridges(t, corner) : unsigned{ridges[t]};
    }
    unsigned find_ridges(std::uint32_t t, const std::array<DVec3, 3>& corner) const;

    std::array<DVec3, 3> corners(std::uint32_t t) const {
        if (grid) {
            const std::array<Vec3, 3> c = grid->corners(t);
            return {DVec3(c[0]), DVec3(c[1]), DVec3(c[2])};
        }
        const auto v = triangles[t].vertex;
        return {DVec3(vertex(v[0])), DVec3(vertex(v[1])), DVec3(vertex(v[2]))};
    }
    DVec3 normal(std::uint32_t triangle) const { return normal_of(corners(triangle)); } // unit, towards the front
    static DVec3 normal_of(const std::array<DVec3, 3>& corner) {
        return glm::normalize(glm::cross(corner[1] - corner[0], corner[2] - corner[0]));
    }

    // Calls visit(triangle), in ascending order, for all whose bounds overlap the region (local).
    template <typename Visit>
    void query(const Aabb& region, Visit&& visit) const {
        if (grid) {
            grid->query(region, visit);
            return;
        }
        tree.query(region, [&](std::uint32_t t) {
            if (overlaps(bounds_of(t), region)) {
                visit(t);
            }
        });
    }
    Aabb bounds_of(std::uint32_t triangle) const;

    // The nearest triangle that the ray meets within `reach` times its direction, on its front or, of a two-sided mesh,
    // on either side. The ray is local.
    struct Hit {
        std::uint32_t triangle = none;
        double distance = 0.0; // as a multiple of `direction`
    };
    Hit cast(const DVec3& origin, const DVec3& direction, double reach, int& tested) const;

    // A place on a triangle: its inside, one of its edges (from corner k to the next) or one of its corners.
    struct Feature {
        enum class Kind : std::uint8_t { face, edge, corner } kind = Kind::face;
        int index = 0;
    };
    Feature feature_at(std::uint32_t triangle, const DVec3& point) const; // the one nearest to the point

    // Whether the surface about the feature lies nowhere above the plane through it that is square to `direction`
    // (unit). Only along such directions can a convex shape rest on the feature: an edge between two faces admits those
    // between their normals, an edge within a plane that plane's alone, and an edge in a valley none.
    bool admits(std::uint32_t triangle, const Feature& feature, const DVec3& direction) const;

    // A name of the feature in 15 bits, the same from all triangles that share it.
    std::uint32_t name_of(std::uint32_t triangle, const Feature& feature) const;

    std::size_t memory_bytes() const;
};

// Orders of triangles in their trees, TriangleMesh::source, for whoever keeps them from run to run: finding them is the
// greatest part of what a mesh costs to build. Called from any thread.
class MeshOrders {
  public:
    MeshOrders() = default;
    virtual ~MeshOrders() = default;
    MeshOrders(const MeshOrders&) = delete;
    MeshOrders& operator=(const MeshOrders&) = delete;
    // That of a mesh of these vertices and triangles, as it was kept; empty if there is none. One that does not fit the
    // mesh is ignored; one that fits, but is another, makes a tree that is slow, and other bits.
    virtual std::vector<std::uint32_t> find(const MeshData& mesh) = 0;
    virtual void keep(const MeshData& mesh, std::span<const std::uint32_t> order) = 0;
};

// Refuses, with a reason: no triangles, too many, corners that are not in the list or not finite or beyond 1e4 m,
// materials that are not one for each triangle or not in the list. Left out are triangles without area. Vertices at the
// same place count as one where triangles are joined. The same on any number of threads; without an executor on this
// one. With `orders` it is built by the order that is kept, and else kept.
std::variant<TriangleMesh, std::string> build_triangle_mesh(const Mesh& mesh, Executor* executor = nullptr,
                                                            MeshOrders* orders = nullptr);

// What build_triangle_mesh gives for `data`, which is what `before` was built from but for its materials. Those must be
// valid.
TriangleMesh with_materials(const TriangleMesh& before, const MeshData& data);

// The bounds of what would be built, m, or why it would be refused; at a small part of the cost.
std::variant<Aabb, std::string> check_triangle_mesh(const Mesh& mesh);

// Refuses, with a reason: sides that are not 2 to 4096 samples, a spacing that is not from 1e-4 m up, numbers of
// heights or holes that do not fit, what is not finite or beyond 1e4 m, and fields that are one hole.
std::variant<TriangleMesh, std::string> build_height_field(const HeightField& field);

// What build_height_field gives for `data`, which is what the field `before` has but for the samples within `changed`,
// in time with these. The new heights must be valid.
TriangleMesh with_heights(const TriangleMesh& before, std::shared_ptr<const HeightData> data,
                          const HeightRegion& changed);

} // namespace cairn::physics
