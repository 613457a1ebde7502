// Boxes and hulls as the separating axis test reads them, and the axes that it finds.
#pragma once

#include "physics/geometry/shape.h"
#include "physics/query/distance/pair_distance.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace cairn::algorithms {

using physics::apply;
using physics::apply_inverse_rotation;
using physics::ConvexHull;
using physics::core_support;
using physics::DVec3;
using physics::Frame;
using physics::Plane;
using physics::Shape;
using physics::ShapeKind;
using physics::Vec3;

// Separations closer than this fraction of the pair's size count as equal, so that the first of several equal axes (the
// faces of A, of B, then the edges) is kept however rounding falls.
inline constexpr double sat_tie_ratio = 1e-12;

// The stored face normals are single precision.
inline constexpr double sat_normal_error = 1e-6;

namespace sat_box {
inline constexpr std::array<ConvexHull::Face, 6> faces{{{0, 4}, {4, 4}, {8, 4}, {12, 4}, {16, 4}, {20, 4}}};
// Corner i lies on the positive side of axis k if bit k is set; faces in the order -x +x -y +y -z +z.
inline constexpr std::array<std::uint32_t, 24> indices{0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                                       2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
inline constexpr std::array<ConvexHull::Edge, 12> edges{{{0, 1, 2, 4},
                                                         {2, 3, 4, 3},
                                                         {4, 5, 5, 2},
                                                         {6, 7, 3, 5},
                                                         {0, 2, 4, 0},
                                                         {1, 3, 1, 4},
                                                         {4, 6, 0, 5},
                                                         {5, 7, 5, 1},
                                                         {0, 4, 0, 2},
                                                         {1, 5, 2, 1},
                                                         {2, 6, 3, 0},
                                                         {3, 7, 1, 3}}};
} // namespace sat_box

// What the test reads of a shape, whichever kind it is.
struct SatPolytope {
    const Shape* shape = nullptr;
    std::span<const Vec3> vertices;
    std::span<const ConvexHull::Face> faces;
    std::span<const std::uint32_t> indices;
    std::span<const ConvexHull::Edge> edges;
    std::span<const Plane> planes;
    std::array<Vec3, 8> box_vertices;
    std::array<Plane, 6> box_planes;

    explicit SatPolytope(const Shape& s) : shape(&s) {
        if (s.kind == ShapeKind::hull) {
            const ConvexHull& hull = *s.hull;
            vertices = hull.vertices;
            faces = hull.faces;
            indices = hull.face_indices;
            edges = hull.edges;
            planes = hull.planes;
            return;
        }
        const Vec3& h = s.half_extents;
        for (int i = 0; i < 8; ++i) {
            box_vertices[i] = Vec3((i & 1) != 0 ? h.x : -h.x, (i & 2) != 0 ? h.y : -h.y, (i & 4) != 0 ? h.z : -h.z);
        }
        for (int f = 0; f < 6; ++f) {
            box_planes[f].normal = Vec3(0.0f);
            box_planes[f].normal[f / 2] = f % 2 == 0 ? -1.0f : 1.0f;
            box_planes[f].offset = h[f / 2];
        }
        vertices = box_vertices;
        faces = sat_box::faces;
        indices = sat_box::indices;
        edges = sat_box::edges;
        planes = box_planes;
    }
    SatPolytope(const SatPolytope&) = delete; // the spans may point into it
    SatPolytope& operator=(const SatPolytope&) = delete;

    DVec3 vertex(std::uint32_t i) const { return DVec3(vertices[i]); }
    std::span<const std::uint32_t> face(std::size_t f) const {
        return indices.subspan(faces[f].first_index, faces[f].index_count);
    }
    // Unit, outwards; of a hull's face from its corners (Newell), since the stored plane is rounded.
    DVec3 face_normal(std::size_t f) const {
        const DVec3 stored(planes[f].normal);
        if (shape->kind != ShapeKind::hull) {
            return stored;
        }
        const std::span<const std::uint32_t> corners = face(f);
        const DVec3 origin = vertex(corners[0]);
        DVec3 n(0.0);
        for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
            n += glm::cross(vertex(corners[i]) - origin, vertex(corners[i + 1]) - origin);
        }
        const double length2 = glm::dot(n, n);
        return length2 > 0.0 ? n * (1.0 / std::sqrt(length2)) : stored;
    }
};

inline DVec3 support_in(const Frame& frame, const SatPolytope& p, const DVec3& direction) {
    return apply(frame, core_support(*p.shape, apply_inverse_rotation(frame.rotation, direction)));
}

inline Frame inverse(const Frame& f) {
    Frame r;
    r.rotation = glm::transpose(f.rotation);
    r.position = -apply_inverse_rotation(f.rotation, f.position);
    return r;
}

enum class SatAxisKind : std::uint8_t { none, face_a, face_b, edges };

struct SatAxis {
    SatAxisKind kind = SatAxisKind::none;
    double separation = -std::numeric_limits<double>::max();
    DVec3 normal{0.0}; // unit, from A to B, frame of A
    std::uint32_t feature_a = 0, feature_b = 0;
};

} // namespace cairn::algorithms
