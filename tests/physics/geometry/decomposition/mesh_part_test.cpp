// The parts of convex decomposition: filling polygons, clipping meshes, distances and windings.
#include "physics/geometry/decomposition/parts/mesh_part.h"
#include "physics/geometry/decomposition/parts/mesh_tree.h"
#include "physics/geometry/decomposition/parts/part_hull.h"
#include "tests/physics/geometry/decomposition/concave_shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <random>

namespace cairn::physics::detail {
namespace {

double area_of(std::span<const glm::dvec2> points, const IndexTriangle& t) {
    const glm::dvec2 u = points[t[1]] - points[t[0]], v = points[t[2]] - points[t[0]];
    return 0.5 * (u.x * v.y - u.y * v.x);
}

// Directed edges in sum: those of the boundary once, all others never.
std::map<PolygonEdge, int> boundary_of(std::span<const IndexTriangle> triangles) {
    std::map<PolygonEdge, int> sum;
    for (const IndexTriangle& t : triangles) {
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t a = t[i], b = t[(i + 1) % 3];
            sum[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
        }
    }
    std::erase_if(sum, [](const auto& e) { return e.second == 0; });
    return sum;
}

struct Outline {
    std::vector<glm::dvec2> points;
    std::vector<PolygonEdge> edges;
    double area = 0.0;

    // A ring of random radii around `middle`, counter-clockwise or clockwise.
    void add(std::mt19937& random, glm::dvec2 middle, double least, double most, int corners, bool hole) {
        std::uniform_real_distribution<double> radius(least, most);
        const auto first = static_cast<std::uint32_t>(points.size());
        const auto count = static_cast<std::uint32_t>(corners);
        for (std::uint32_t i = 0; i < count; ++i) {
            const double angle = 2.0 * std::numbers::pi * i / count, r = radius(random);
            points.emplace_back(std::floor(middle.x + r * std::cos(angle)), std::floor(middle.y + r * std::sin(angle)));
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t a = first + i, b = first + (i + 1) % count;
            edges.push_back(hole ? PolygonEdge{b, a} : PolygonEdge{a, b});
            const glm::dvec2 p = points[edges.back()[0]], q = points[edges.back()[1]];
            area += 0.5 * (p.x * q.y - p.y * q.x);
        }
    }
};

TEST(PolygonFill, CoversOutlinesWithHolesOnce) {
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
        Outline outline;
        outline.add(random, {0, 0}, 600'000, 1'000'000, 3 + round % 60, false);
        const int holes = round % 5;
        for (int h = 0; h < holes && round % 60 > 10; ++h) {
            const double angle = 2.0 * std::numbers::pi * h / holes;
            outline.add(random, 250'000.0 * glm::dvec2(std::cos(angle), std::sin(angle)), 20'000, 90'000,
                        3 + round % 17, true);
            if (h == 0) { // an island in it
                outline.add(random, 250'000.0 * glm::dvec2(1.0, 0.0), 1'000, 9'000, 3 + round % 5, false);
            }
        }
        const auto triangles = fill_polygon(outline.points, outline.edges);
        double sum = 0.0;
        for (const IndexTriangle& t : triangles) {
            EXPECT_GE(exact_turn(outline.points[t[0]], outline.points[t[1]], outline.points[t[2]]), 0) << round;
            sum += area_of(outline.points, t);
        }
        EXPECT_NEAR(sum, outline.area, 1e-9 * outline.area) << round;
        std::map<PolygonEdge, int> expected;
        for (const PolygonEdge& e : outline.edges) {
            expected[{std::min(e[0], e[1]), std::max(e[0], e[1])}] += e[0] < e[1] ? 1 : -1;
        }
        EXPECT_EQ(boundary_of(triangles), expected) << round;
    }
}

// Whatever the edges are, nothing stays open.
TEST(PolygonFill, CrossingBoundariesAreStillClosed) {
    std::mt19937 random(6);
    std::uniform_int_distribution<int> coordinate(-20, 20);
    for (int round = 0; round < 500; ++round) {
        std::vector<glm::dvec2> points;
        const std::uint32_t count = 3 + static_cast<std::uint32_t>(round) % 12;
        while (points.size() < count) {
            const glm::dvec2 p(coordinate(random), coordinate(random));
            if (std::find(points.begin(), points.end(), p) == points.end()) {
                points.push_back(p);
            }
        }
        std::vector<PolygonEdge> edges;
        for (std::uint32_t i = 0; i < count; ++i) {
            edges.push_back({i, (i + 1) % count});
        }
        std::map<PolygonEdge, int> expected;
        for (const PolygonEdge& e : edges) {
            expected[{std::min(e[0], e[1]), std::max(e[0], e[1])}] += e[0] < e[1] ? 1 : -1;
        }
        EXPECT_EQ(boundary_of(fill_polygon(points, edges)), expected) << round;
    }
}

MeshPart on_grid(const test::TriangleSoup& soup) {
    MeshPart part;
    for (const Vec3& p : soup.points) {
        part.points.push_back(glm::floor(glm::dvec3(p) * 1e10));
    }
    part.triangles.assign(soup.triangles.begin(), soup.triangles.end());
    part.surface_count = part.triangles.size();
    return part;
}

TEST(MeshPart, PlanesCutAnyShapeIntoClosedPartsOfTheSameVolume) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    for (const test::ConcaveShape& shape : test::concave_shapes()) {
        if (shape.name == "sheet" || shape.mesh.triangles.size() > 5000) {
            continue;
        }
        const MeshPart whole = on_grid(shape.mesh);
        ASSERT_TRUE(boundary_of(whole.triangles).empty()) << shape.name;
        const double volume = volume_of(whole);
        EXPECT_GT(volume, 0.0) << shape.name;
        std::vector<CutPlane> planes;
        for (int i = 0; i < 12; ++i) {
            const glm::dvec3 normal = glm::normalize(glm::dvec3(unit(random), unit(random), unit(random)));
            planes.push_back({normal, glm::dot(normal, 0.7 * whole.points[random() % whole.points.size()])});
        }
        for (int i = 0; i < 12; ++i) { // through corners, in the plane of faces where these lie across an axis
            glm::dvec3 normal(0.0);
            normal[i % 3] = 1.0;
            planes.push_back({normal, whole.points[random() % whole.points.size()][i % 3]});
        }
        for (const CutPlane& plane : planes) {
            double sum = 0.0;
            for (const int side : {0, 1}) {
                const MeshPart part = clip(whole, plane, side);
                EXPECT_TRUE(boundary_of(part.triangles).empty()) << shape.name;
                sum += volume_of(part);
                for (const glm::dvec3& p : part.points) {
                    EXPECT_GT((side == 0 ? -1.0 : 1.0) * plane.height(p), -3.0) << shape.name;
                }
                double connected = 0.0;
                for (const MeshPart& piece : connected_parts(part)) {
                    EXPECT_TRUE(boundary_of(piece.triangles).empty()) << shape.name;
                    connected += volume_of(piece);
                }
                EXPECT_NEAR(connected, volume_of(part), 1e-9 * volume) << shape.name;
            }
            EXPECT_NEAR(sum, volume, 1e-8 * volume) << shape.name;
        }
    }
}

TEST(MeshPart, LegsComeApartAndCavitiesStay) {
    for (const test::ConcaveShape& shape : test::concave_shapes()) {
        if (shape.name == "chair") {
            EXPECT_EQ(connected_parts(clip(on_grid(shape.mesh), {{0, 0, 1}, 4e9}, 0)).size(), 4u);
        }
        if (shape.name == "hollow box") {
            EXPECT_EQ(connected_parts(on_grid(shape.mesh)).size(), 1u);
            const auto halves = connected_parts(clip(on_grid(shape.mesh), {{0, 0, 1}, 0.0}, 1));
            ASSERT_EQ(halves.size(), 1u);
            EXPECT_NEAR(volume_of(halves[0]), 0.5 * (8.0 - 2.744) * 1e30, 1e24);
        }
    }
}

TEST(MeshTree, DistancesAndWindingsAreThoseOfAllTriangles) {
    std::mt19937 random(8);
    std::uniform_real_distribution<double> along(-1.5e10, 1.5e10);
    for (const test::ConcaveShape& shape : test::concave_shapes()) {
        if (shape.name != "torus" && shape.name != "hollow box" && shape.name != "cup") {
            continue;
        }
        const MeshPart part = on_grid(shape.mesh);
        const MeshTree tree(part);
        for (int i = 0; i < 500; ++i) {
            glm::dvec3 p = glm::floor(glm::dvec3(along(random), along(random), along(random)));
            if (i % 5 == 0) { // level with a corner, where a ray meets edges
                const glm::dvec3& corner = part.points[random() % part.points.size()];
                p.y = corner.y;
                p.z = corner.z;
            }
            double angle = 0.0, nearest = std::numeric_limits<double>::max();
            for (const IndexTriangle& t : part.triangles) {
                const glm::dvec3 a = part.points[t[0]] - p, b = part.points[t[1]] - p, c = part.points[t[2]] - p;
                const double la = glm::length(a), lb = glm::length(b), lc = glm::length(c);
                angle += 2.0 * std::atan2(glm::dot(a, glm::cross(b, c)), la * lb * lc + glm::dot(a, b) * lc +
                                                                             glm::dot(b, c) * la + glm::dot(c, a) * lb);
                MeshPart single;
                single.points = {part.points[t[0]], part.points[t[1]], part.points[t[2]]};
                single.triangles = {{0, 1, 2}};
                nearest = std::min(nearest, MeshTree(single).distance(p));
            }
            if (nearest > 10.0) {
                EXPECT_EQ(tree.winding(p), std::lround(angle / (4.0 * std::numbers::pi))) << shape.name << ' ' << i;
            }
            EXPECT_DOUBLE_EQ(tree.distance(p), nearest) << shape.name;
        }
    }
    MeshPart triangle; // and one of them in closed form
    triangle.points = {{0, 0, 0}, {100, 0, 0}, {0, 100, 0}};
    triangle.triangles = {{0, 1, 2}};
    const MeshTree tree(triangle);
    EXPECT_DOUBLE_EQ(tree.distance({20, 20, 7}), 7.0);
    EXPECT_DOUBLE_EQ(tree.distance({50, -12, 5}), 13.0);
    EXPECT_DOUBLE_EQ(tree.distance({-3, -4, 0}), 5.0);
    EXPECT_DOUBLE_EQ(tree.distance({80, 80, 0}), 60.0 / std::sqrt(2.0));
}

// The depth of a hole, of a mouth and of a cave, each of which only one of the three measures sees.
TEST(Concavity, IsTheDepthOfDentsMouthsAndCaves) {
    const auto measured = [](const test::TriangleSoup& soup) {
        const MeshPart part = on_grid(soup);
        return concavity(part, MeshTree(part), hull_of(part.points, 0.0), 2e8, 1e30) / 1e10;
    };
    EXPECT_EQ(measured(test::box_mesh(Vec3(-1.0f), Vec3(1.0f))), 0.0);
    test::TriangleSoup hollow = test::box_mesh(Vec3(-1.0f), Vec3(1.0f)), cave = test::box_mesh(Vec3(-0.6f), Vec3(0.6f));
    for (auto& t : cave.triangles) {
        std::swap(t[1], t[2]);
    }
    append(hollow, cave);
    EXPECT_NEAR(measured(hollow), 0.6, 0.05) << "the middle of the cave";
    // Through a torus: from the middle of the hull's flat faces to the tube.
    EXPECT_NEAR(measured(test::torus_mesh(1.0f, 0.3f, 96, 48)), std::sqrt(1.0 + 0.09) - 0.3, 0.03);
}

TEST(HullSimplification, KeepsWhatSticksOutMost) {
    std::mt19937 random(9);
    std::normal_distribution<double> normal;
    std::vector<glm::dvec3> ball;
    for (int i = 0; i < 2000; ++i) {
        ball.push_back(glm::floor(1e10 * glm::normalize(glm::dvec3(normal(random), normal(random), normal(random)))));
    }
    const PartHull full = hull_of(ball, 0.0);
    double before = 1e30;
    for (std::size_t count = 8; count <= 128; count *= 2) {
        const PartHull few = simplified(full, count);
        EXPECT_EQ(few.points.size(), count);
        double outside = 0.0;
        for (const glm::dvec3& p : full.points) {
            double most = -1e30;
            for (const PartHull::Face& face : few.faces) {
                most = std::max(most, glm::dot(face.normal, p) - face.offset);
            }
            outside = std::max(outside, most);
        }
        EXPECT_LT(outside, before);
        // Of a ball, a cap per corner: 4 / n of the radius is what the height of n caps comes to; greedily, twice that.
        EXPECT_LT(outside, 8.0 / static_cast<double>(count) * 1e10);
        before = outside;
    }
    EXPECT_EQ(simplified(full, 5000).points.size(), full.points.size());
}

} // namespace
} // namespace cairn::physics::detail
