#include "tests/physics/geometry/hull_checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace cairn::physics::geometry_testing {

namespace {

using DVec3 = glm::dvec3;

double height(const Plane& plane, const DVec3& p) {
    return glm::dot(DVec3(plane.normal), p) - static_cast<double>(plane.offset);
}

void check_topology(const ConvexHull& hull) {
    const std::size_t v = hull.vertices.size();
    const std::size_t e = hull.edges.size();
    const std::size_t f = hull.faces.size();
    EXPECT_EQ(v + f, e + 2) << "Euler's formula";
    EXPECT_GE(v, 4u);
    EXPECT_GE(f, 4u);
    ASSERT_EQ(hull.planes.size(), f);
    ASSERT_EQ(hull.face_indices.size(), 2 * e);
    ASSERT_EQ(hull.face_edges.size(), 2 * e);

    std::uint32_t slot = 0;
    std::vector<std::uint32_t> previous;
    std::vector<int> uses(e, 0);
    for (std::uint32_t i = 0; i < f; ++i) {
        ASSERT_EQ(hull.faces[i].first_index, slot);
        slot += hull.faces[i].index_count;
        const auto corners = hull.face(i);
        ASSERT_GE(corners.size(), 3u);
        EXPECT_EQ(std::set<std::uint32_t>(corners.begin(), corners.end()).size(), corners.size());
        EXPECT_EQ(*std::min_element(corners.begin(), corners.end()), corners.front());
        const std::vector<std::uint32_t> now(corners.begin(), corners.end());
        EXPECT_LT(previous, now) << "faces in lexicographic order";
        previous = now;
        for (std::uint32_t k = 0; k < corners.size(); ++k) {
            const std::uint32_t from = corners[k];
            const std::uint32_t to = corners[(k + 1) % corners.size()];
            ASSERT_LT(from, v);
            const std::uint32_t edge_index = hull.face_edges[hull.faces[i].first_index + k];
            ASSERT_LT(edge_index, e);
            const ConvexHull::Edge& edge = hull.edges[edge_index];
            EXPECT_EQ(edge.vertex_a, std::min(from, to));
            EXPECT_EQ(edge.vertex_b, std::max(from, to));
            EXPECT_EQ(from < to ? edge.face_a : edge.face_b, i);
            ++uses[edge_index];
        }
    }
    EXPECT_EQ(slot, hull.face_indices.size());
    std::set<std::pair<std::uint32_t, std::uint32_t>> distinct, face_pairs;
    std::vector<std::set<std::uint32_t>> around(v);
    for (std::size_t i = 0; i < e; ++i) {
        const ConvexHull::Edge& edge = hull.edges[i];
        EXPECT_EQ(uses[i], 2);
        EXPECT_LT(edge.vertex_a, edge.vertex_b);
        EXPECT_NE(edge.face_a, edge.face_b);
        EXPECT_TRUE(distinct.emplace(edge.vertex_a, edge.vertex_b).second) << "one edge between two vertices";
        EXPECT_TRUE(face_pairs.emplace(std::min(edge.face_a, edge.face_b), std::max(edge.face_a, edge.face_b)).second)
            << "one edge between two faces";
        around[edge.vertex_a].insert(edge.vertex_b);
        around[edge.vertex_b].insert(edge.vertex_a);
    }
    ASSERT_EQ(hull.neighbour_start.size(), v + 1);
    ASSERT_EQ(hull.neighbour_start.front(), 0u);
    ASSERT_EQ(hull.neighbour_start.back(), hull.neighbours.size());
    for (std::size_t i = 0; i < v; ++i) {
        EXPECT_GE(around[i].size(), 3u) << "a corner has three edges";
        const std::set<std::uint32_t> listed(hull.neighbours.begin() + hull.neighbour_start[i],
                                             hull.neighbours.begin() + hull.neighbour_start[i + 1]);
        EXPECT_EQ(listed, around[i]);
    }
}

void check_faces(const ConvexHull& hull, double tolerance) {
    for (std::size_t i = 0; i < hull.faces.size(); ++i) {
        const Plane& plane = hull.planes[i];
        EXPECT_NEAR(glm::length(DVec3(plane.normal)), 1.0, 1e-6);
        EXPECT_GT(plane.offset, 0.0f) << "the centroid lies inside";
        const auto corners = hull.face(i);
        const std::size_t n = corners.size();
        double least = 0.0;
        for (const Vec3& p : hull.vertices) {
            least = std::max(least, height(plane, DVec3(p)));
        }
        EXPECT_LE(least, tolerance) << "face " << i << " has vertices in front of it";
        for (std::size_t k = 0; k < n; ++k) {
            const DVec3 a(hull.vertices[corners[k]]);
            const DVec3 b(hull.vertices[corners[(k + 1) % n]]);
            const DVec3 c(hull.vertices[corners[(k + 2) % n]]);
            EXPECT_NEAR(height(plane, a), 0.0, tolerance) << "face " << i;
            // Counter-clockwise and convex: every corner turns left, or is straight within the tolerance.
            const double turn = glm::dot(DVec3(plane.normal), glm::cross(b - a, c - b));
            EXPECT_GE(turn, -tolerance * glm::length(c - a)) << "face " << i << " corner " << k;
        }
        DVec3 area(0.0);
        for (std::size_t k = 1; k + 1 < n; ++k) {
            const DVec3 o(hull.vertices[corners[0]]);
            area += glm::cross(DVec3(hull.vertices[corners[k]]) - o, DVec3(hull.vertices[corners[k + 1]]) - o);
        }
        EXPECT_GE(glm::dot(area, DVec3(plane.normal)), 0.0) << "winding of face " << i;
    }
}

void check_mass(const ConvexHull& hull, double extent) {
    EXPECT_GT(hull.volume, 0.0f);
    const Mat3& m = hull.unit_inertia;
    for (int i = 0; i < 3; ++i) {
        EXPECT_GT(m[i][i], 0.0f);
        for (int j = 0; j < 3; ++j) {
            EXPECT_EQ(m[i][j], m[j][i]) << "symmetric to the last bit";
        }
        // Moments of a solid obey the triangle inequality about any axes.
        EXPECT_LE(m[i][i], (m[(i + 1) % 3][(i + 1) % 3] + m[(i + 2) % 3][(i + 2) % 3]) * (1.0f + 1e-5f));
    }
    double radius = 0.0;
    Aabb box;
    for (const Vec3& p : hull.vertices) {
        radius = std::max(radius, glm::length(DVec3(p)));
        box.lower = glm::min(box.lower, p);
        box.upper = glm::max(box.upper, p);
    }
    EXPECT_EQ(box, hull.bounds);
    EXPECT_NEAR(static_cast<double>(hull.bounding_radius), radius, 1e-6 * extent);
    float inner = hull.planes.front().offset;
    for (const Plane& plane : hull.planes) {
        inner = std::min(inner, plane.offset);
    }
    EXPECT_EQ(hull.inner_radius, inner);
}

} // namespace

void check_hull(const ConvexHull& hull, std::span<const Vec3> input) {
    Vec3 low = input[0];
    Vec3 high = input[0];
    for (const Vec3& p : input) {
        low = glm::min(low, p);
        high = glm::max(high, p);
    }
    const Vec3 sides = high - low;
    const double extent = static_cast<double>(std::max(sides.x, std::max(sides.y, sides.z)));
    const double tolerance = 1e-5 * extent;
    check_topology(hull);
    if (::testing::Test::HasFatalFailure()) {
        return;
    }
    check_faces(hull, tolerance);
    check_mass(hull, extent);

    // The published centroid is rounded to a float; far from the origin that shows in these comparisons only.
    const Vec3 far = glm::max(glm::abs(low), glm::abs(high));
    const double rounding = 1.2e-7 * static_cast<double>(far.x + far.y + far.z);
    double outside = 0.0;
    for (const Vec3& p : input) {
        for (const Plane& plane : hull.planes) {
            outside = std::max(outside, height(plane, DVec3(p) - DVec3(hull.centroid)));
        }
    }
    EXPECT_LE(outside, tolerance + rounding) << "an input point lies outside";

    // Vertices are input points, in the input's order.
    std::size_t next = 0;
    for (const Vec3& v : hull.vertices) {
        while (next < input.size() &&
               glm::length(DVec3(input[next]) - DVec3(hull.centroid) - DVec3(v)) > rounding + 2e-7 * extent) {
            ++next;
        }
        ASSERT_LT(next, input.size()) << "a vertex is no input point or out of order";
    }
}

ConvexHull hull_of(std::span<const Vec3> points) {
    auto built = build_convex_hull(points);
    if (const auto* error = std::get_if<HullError>(&built)) {
        throw std::runtime_error("no hull: " + error->reason);
    }
    return std::get<ConvexHull>(std::move(built));
}

} // namespace cairn::physics::geometry_testing
