#include "physics/geometry/hull/hull_support.h"

#include "tests/physics/geometry/generators.h"
#include "tests/physics/geometry/hull_checks.h"

#include <gtest/gtest.h>

namespace cairn::physics {

namespace {

using namespace geometry_testing;
using DVec3 = glm::dvec3;

double highest(const ConvexHull& hull, const DVec3& direction) {
    double best = -1e300;
    for (const Vec3& v : hull.vertices) {
        best = std::max(best, glm::dot(DVec3(v), direction));
    }
    return best;
}

// Where an edge climb starts at `from` and finds no higher neighbour.
std::uint32_t climb(const ConvexHull& hull, const DVec3& direction, std::uint32_t from) {
    for (;;) {
        std::uint32_t best = from;
        for (std::uint32_t n = hull.neighbour_start[from]; n < hull.neighbour_start[from + 1]; ++n) {
            const std::uint32_t other = hull.neighbours[n];
            if (glm::dot(DVec3(hull.vertices[other]) - DVec3(hull.vertices[best]), direction) > 0.0) {
                best = other;
            }
        }
        if (best == from) {
            return from;
        }
        from = best;
    }
}

// Directions into every cell, onto cell borders, and square to faces, where many vertices are nearly equally high.
std::vector<DVec3> directions_for(const ConvexHull& hull, Random& random) {
    std::vector<DVec3> directions;
    for (int i = 0; i < 600; ++i) {
        directions.emplace_back(random.direction());
    }
    for (int x = -16; x <= 16; x += 2) {
        for (int y = -16; y <= 16; y += 2) {
            for (const double side : {16.0, -16.0}) {
                directions.emplace_back(x, y, side);
                directions.emplace_back(side, x, y);
                directions.emplace_back(y, side, x);
            }
        }
    }
    for (std::size_t f = 0; f < hull.planes.size() && f < 400; ++f) {
        directions.emplace_back(hull.planes[f].normal);
    }
    return directions;
}

TEST(HullSupport, NeverMissesTheFarthestVertex) {
    Random random(61);
    int with_cells = 0;
    double climbing_misses_by = 0.0; // share of the hull's radius
    for (const NamedPoints& set : point_families(71)) {
        for (const bool turned : {false, true}) {
            const ConvexHull hull =
                hull_of(turned ? placed(set.points, 1.0f, random.rotation(), 4.0f * random.in_cube()) : set.points);
            SCOPED_TRACE(set.name);
            ASSERT_EQ(hull.support_cells > 0, hull.vertices.size() > detail::scan_limit);
            with_cells += hull.support_cells > 0 ? 1 : 0;
            const double size = static_cast<double>(hull.bounding_radius);
            for (const DVec3& direction : directions_for(hull, random)) {
                const double scale = size * glm::length(direction);
                const double best = highest(hull, direction);
                const std::uint32_t exact = detail::support_vertex(hull, direction);
                EXPECT_GE(glm::dot(DVec3(hull.vertices[exact]), direction), best - 1e-14 * scale);
                const std::uint32_t single = detail::support_vertex(hull, Vec3(direction));
                EXPECT_GE(glm::dot(DVec3(hull.vertices[single]), direction), best - 1e-6 * scale);
                const std::uint32_t climbed = climb(hull, direction, 0);
                climbing_misses_by =
                    std::max(climbing_misses_by, (best - glm::dot(DVec3(hull.vertices[climbed]), direction)) / scale);
            }
        }
    }
    EXPECT_GE(with_cells, 12);
    // The reason why edges are not climbed: even with every height in double, the rounding of the vertices makes a
    // climb stop short on hulls with very short edges.
    EXPECT_GE(climbing_misses_by, 1e-2);
}

TEST(HullSupport, CellsStayShortOnRoundHulls) {
    Random random(67);
    for (const int count : {100, 1000, 4000}) {
        std::vector<Vec3> points;
        for (int i = 0; i < count; ++i) {
            points.push_back(random.direction());
        }
        const ConvexHull hull = hull_of(points);
        const auto cells = static_cast<double>(hull.cell_start.size() - 1);
        EXPECT_EQ(hull.cell_start.size() - 1, 6u * hull.support_cells * hull.support_cells);
        EXPECT_LE(static_cast<double>(hull.cell_vertices.size()) / cells, 24.0) << count << " vertices";
    }
}

TEST(HullSupport, OfNoDirectionIsSomeVertex) {
    for (const NamedPoints& set : point_families(71)) {
        const ConvexHull hull = hull_of(set.points);
        EXPECT_LT(detail::support_vertex(hull, Vec3(0.0f)), hull.vertices.size());
    }
}

} // namespace

} // namespace cairn::physics
