#include "tests/physics/geometry/generators.h"
#include "tests/physics/geometry/hull_checks.h"

#include "physics/geometry/geometry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

namespace cairn::physics {

namespace {

using namespace geometry_testing;

std::string refusal(const std::vector<Vec3>& points) {
    const auto built = build_convex_hull(points);
    const auto* error = std::get_if<HullError>(&built);
    return error ? error->reason : "";
}

std::vector<Vec3> cube_corners() {
    std::vector<Vec3> points;
    for (int i = 0; i < 8; ++i) {
        points.emplace_back(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    }
    return points;
}

TEST(ConvexHull, HoldsItsInvariantsForEveryFamilyScaleAndPose) {
    Random random(7);
    int built = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        for (const NamedPoints& set : point_families(seed)) {
            for (const float scale : {1e-3f, 1.0f, 1e3f}) {
                for (const bool turned : {false, true}) {
                    const Quat rotation = turned ? random.rotation() : identity_orientation;
                    const Vec3 offset = turned ? 3.0f * scale * random.in_cube() : Vec3(0.0f);
                    const std::vector<Vec3> points = placed(set.points, scale, rotation, offset);
                    SCOPED_TRACE(set.name + " scale " + std::to_string(scale) + (turned ? " turned" : ""));
                    check_hull(hull_of(points), points);
                    ++built;
                }
            }
        }
    }
    EXPECT_GE(built, 400);
}

TEST(ConvexHull, OfACubeIsSixSquares) {
    const ConvexHull hull = hull_of(cube_corners());
    EXPECT_EQ(hull.vertices, cube_corners());
    EXPECT_EQ(hull.faces.size(), 6u);
    EXPECT_EQ(hull.edges.size(), 12u);
    for (const ConvexHull::Face& face : hull.faces) {
        EXPECT_EQ(face.index_count, 4u);
    }
    EXPECT_FLOAT_EQ(hull.volume, 8.0f);
    EXPECT_FLOAT_EQ(hull.unit_inertia[0][0], 8.0f * 8.0f / 12.0f);
    EXPECT_EQ(hull.unit_inertia[1][0], 0.0f);
    EXPECT_EQ(hull.centroid, Vec3(0.0f));
    EXPECT_FLOAT_EQ(hull.inner_radius, 1.0f);
    EXPECT_FLOAT_EQ(hull.bounding_radius, std::sqrt(3.0f));
}

TEST(ConvexHull, DropsWhatIsNoCornerInAnyPose) {
    // Grids, duplicates and points on edges and faces of a cube leave its eight corners, also when rounding has pushed
    // them a little out of the faces.
    Random random(11);
    int checked = 0;
    for (const NamedPoints& set : point_families(5)) {
        if (set.name != "cube grid" && set.name != "duplicates" && set.name != "points on edges and faces" &&
            set.name != "near duplicates") {
            continue;
        }
        for (int pose = 0; pose < 50; ++pose) {
            const float scale = pose % 3 == 0 ? 1e-3f : (pose % 3 == 1 ? 1.0f : 1e3f);
            const std::vector<Vec3> points =
                placed(set.points, scale, random.rotation(), 2.0f * scale * random.in_cube());
            const ConvexHull hull = hull_of(points);
            SCOPED_TRACE(set.name + " pose " + std::to_string(pose));
            EXPECT_EQ(hull.vertices.size(), 8u);
            EXPECT_EQ(hull.faces.size(), 6u);
            ++checked;
        }
    }
    EXPECT_EQ(checked, 200);
}

TEST(ConvexHull, MergesTheRingOfAPrismToTwoPolygons) {
    Random random(3);
    for (const NamedPoints& set : point_families(1)) {
        if (set.name != "prism") {
            continue;
        }
        for (int pose = 0; pose < 20; ++pose) {
            const ConvexHull hull = hull_of(placed(set.points, 1.0f, random.rotation(), random.in_cube()));
            EXPECT_EQ(hull.vertices.size(), 200u);
            EXPECT_EQ(hull.faces.size(), 102u);
            std::map<std::uint32_t, int> sides;
            for (const ConvexHull::Face& face : hull.faces) {
                ++sides[face.index_count];
            }
            EXPECT_EQ(sides[100], 2);
            EXPECT_EQ(sides[4], 100);
        }
    }
}

TEST(ConvexHull, OfTheDiamondIsProper) {
    const std::vector<Vec3>& points = diamond_points();
    ASSERT_EQ(points.size(), 56u);
    // The seven points of the first facet as their source gives them.
    EXPECT_EQ(points[0], Vec3(0.1f, 0.0f, -1.0f));
    EXPECT_EQ(points[3], Vec3(0.4f, 0.0f, 0.4f));
    EXPECT_NEAR(points[4].x, 0.8 * std::cos(3.14159265358979 / 8), 1e-7);
    EXPECT_NEAR(points[6].y, std::sin(3.14159265358979 / 8), 1e-7);
    const ConvexHull hull = hull_of(points);
    check_hull(hull, points);
    EXPECT_EQ(hull.vertices.size(), 56u);
    // Eightfold symmetry about z: the centroid on the axis, equal moments across it.
    EXPECT_NEAR(hull.centroid.x, 0.0f, 1e-6f);
    EXPECT_NEAR(hull.centroid.y, 0.0f, 1e-6f);
    EXPECT_NEAR(hull.unit_inertia[0][0], hull.unit_inertia[1][1], 1e-5f);
    EXPECT_NEAR(hull.unit_inertia[1][0], 0.0f, 1e-6f);
    const Vec3 size = hull.bounds.upper - hull.bounds.lower;
    EXPECT_NEAR(size.x, 2.0f, 1e-6f);
    EXPECT_NEAR(size.z, 1.4f, 1e-6f);
    std::map<std::uint32_t, int> sides;
    for (const ConvexHull::Face& face : hull.faces) {
        ++sides[face.index_count];
    }
    EXPECT_EQ(sides[8], 2) << "table and culet are octagons";
    EXPECT_EQ(sides[4], 16) << "the girdle";
    EXPECT_EQ(sides[3], 8 * (5 + 3)) << "five facets of crown and three of pavilion in each eighth";
}

// The sources look for the second seed along -p0 instead of away from p0, which finds the same point again when the
// input lies to one side of the origin.
TEST(ConvexHull, DoesNotDependOnWhereTheOriginIs) {
    for (const Vec3& offset : {Vec3(0), Vec3(5, 0, 0), Vec3(-5, -5, -5), Vec3(100, -3, 0.5f)}) {
        std::vector<Vec3> points = cube_corners();
        for (Vec3& p : points) {
            p += offset;
        }
        const ConvexHull hull = hull_of(points);
        check_hull(hull, points);
        EXPECT_EQ(hull.vertices, cube_corners());
        EXPECT_EQ(hull.centroid, offset);
    }
}

// The sources merge points within an absolute centimetre.
TEST(ConvexHull, KeepsSmallShapesWhole) {
    for (const float scale : {1e-4f, 1e-3f, 1e-2f}) {
        std::vector<Vec3> points;
        for (const Vec3& p : diamond_points()) {
            points.push_back(scale * p);
        }
        const ConvexHull hull = hull_of(points);
        EXPECT_EQ(hull.vertices.size(), 56u);
        EXPECT_EQ(hull.faces.size(), hull_of(diamond_points()).faces.size());
    }
}

TEST(ConvexHull, IsTheSameSolidForEveryOrderOfThePoints) {
    Random random(23);
    for (const NamedPoints& set : point_families(9)) {
        if (set.name != "ball" && set.name != "box volume" && set.name != "prism" && set.name != "cube") {
            continue;
        }
        std::vector<Vec3> points = placed(set.points, 1.0f, random.rotation(), random.in_cube());
        const auto positions = [](const ConvexHull& hull) {
            std::vector<std::vector<std::array<float, 3>>> faces;
            for (std::size_t f = 0; f < hull.faces.size(); ++f) {
                std::vector<std::array<float, 3>> corners;
                for (const std::uint32_t v : hull.face(f)) {
                    corners.push_back({hull.vertices[v].x, hull.vertices[v].y, hull.vertices[v].z});
                }
                std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
                faces.push_back(corners);
            }
            std::sort(faces.begin(), faces.end());
            return faces;
        };
        const ConvexHull first = hull_of(points);
        for (int round = 0; round < 5; ++round) {
            for (std::size_t i = points.size(); i > 1; --i) {
                std::swap(points[i - 1], points[random.below(i)]);
            }
            const ConvexHull again = hull_of(points);
            SCOPED_TRACE(set.name);
            ASSERT_EQ(again.vertices.size(), first.vertices.size());
            ASSERT_EQ(again.faces.size(), first.faces.size());
            EXPECT_NEAR(again.volume, first.volume, 1e-6f * first.volume);
            const auto a = positions(first);
            const auto b = positions(again);
            for (std::size_t f = 0; f < a.size(); ++f) {
                ASSERT_EQ(a[f].size(), b[f].size());
            }
        }
    }
}

TEST(ConvexHull, IsTheSameBitsWhenBuiltTwice) {
    for (const NamedPoints& set : point_families(31)) {
        const ConvexHull a = hull_of(set.points);
        const ConvexHull b = hull_of(set.points);
        EXPECT_EQ(a.vertices, b.vertices);
        EXPECT_EQ(a.face_indices, b.face_indices);
        EXPECT_EQ(a.volume, b.volume);
        EXPECT_EQ(a.unit_inertia, b.unit_inertia);
    }
}

TEST(ConvexHull, RefusesWhatHasNoVolume) {
    EXPECT_EQ(refusal({}), "a hull needs at least 4 points, not 0");
    EXPECT_EQ(refusal({Vec3(0), Vec3(1, 0, 0), Vec3(0, 1, 0)}), "a hull needs at least 4 points, not 3");
    EXPECT_EQ(refusal(std::vector<Vec3>(10, Vec3(1, 2, 3))), "all points coincide");
    Random random(2);
    for (int round = 0; round < 50; ++round) {
        const Quat rotation = random.rotation();
        const float scale = round % 2 == 0 ? 1.0f : 1e3f;
        const Vec3 offset = scale * random.in_cube();
        std::vector<Vec3> line, plane, thin;
        for (int i = 0; i < 100; ++i) {
            const Vec3 p = random.in_cube();
            line.push_back(Vec3(p.x, 0, 0));
            plane.push_back(Vec3(p.x, p.y, 0));
            thin.push_back(Vec3(p.x, p.y, 1e-6f * p.z));
        }
        EXPECT_EQ(refusal(placed(line, scale, rotation, offset)), "the points lie on one line");
        EXPECT_EQ(refusal(placed(plane, scale, rotation, offset)), "the points lie in one plane");
        EXPECT_EQ(refusal(placed(thin, scale, rotation, offset)), "the points lie in one plane");
    }
    EXPECT_EQ(refusal({Vec3(0), Vec3(0), Vec3(1, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)}), "the points lie in one plane");
}

TEST(ConvexHull, RefusesAbsurdCoordinates) {
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()}) {
        std::vector<Vec3> points = cube_corners();
        points[5].y = bad;
        EXPECT_EQ(refusal(points), "point 5 is not finite");
    }
    std::vector<Vec3> points = cube_corners();
    points[2].z = 1.1e6f;
    EXPECT_EQ(refusal(points), "point 2 lies more than 1e6 m from the origin");
    points = cube_corners();
    for (Vec3& p : points) {
        p *= 1e-8f;
    }
    EXPECT_EQ(refusal(points), "all points coincide");
}

TEST(ConvexHull, RefusesMoreVerticesThanFeatureIdsCanName) {
    Random random(77);
    std::vector<Vec3> points;
    for (int i = 0; i < 6000; ++i) {
        points.push_back(random.direction());
    }
    EXPECT_NE(refusal(points).find("at most 4096 are allowed"), std::string::npos) << refusal(points);
    points.resize(4000);
    const ConvexHull hull = hull_of(points);
    EXPECT_GT(hull.vertices.size(), 3900u);
    check_hull(hull, points);
}

// A cylinder of very many sides has more corners than allowed at the usual tolerance, and not at the coarser one.
TEST(ConvexHull, CoarsensBeforeItRefuses) {
    Random random(79);
    std::vector<Vec3> rims;
    for (int i = 0; i < 8000; ++i) {
        const float angle = 6.2831853f * static_cast<float>(i / 2) / 4000.0f;
        rims.push_back(Vec3(std::cos(angle), std::sin(angle), i % 2 == 0 ? 0.0f : 1.0f));
    }
    const std::vector<Vec3> points = placed(rims, 1.0f, random.rotation(), random.in_cube());
    const ConvexHull hull = hull_of(points);
    EXPECT_LE(hull.vertices.size(), max_hull_vertices);
    EXPECT_GE(hull.vertices.size(), 1000u);
    // Volume and inertia are those of all 4000 sides, not of those that are left.
    const double half_angle = 3.14159265358979 / 4000.0;
    EXPECT_NEAR(static_cast<double>(hull.volume), 4000.0 * std::sin(half_angle) * std::cos(half_angle), 2e-6);
    double outside = 0.0;
    for (std::size_t i = 0; i < points.size(); i += 7) {
        for (const Plane& plane : hull.planes) {
            outside = std::max(outside,
                               static_cast<double>(glm::dot(plane.normal, points[i] - hull.centroid) - plane.offset));
        }
    }
    EXPECT_LE(outside, 1e-5 * static_cast<double>(extent_of(points)));
    EXPECT_GE(outside, 1e-6 * static_cast<double>(extent_of(points))) << "the coarser tolerance was in use";
}

TEST(ConvexHull, CopesWithAHundredThousandPoints) {
    Random random(5);
    std::vector<Vec3> ball, grid;
    for (int i = 0; i < 100000; ++i) {
        ball.push_back(random.in_ball());
    }
    const int side = 130;
    for (int i = 0; i < side * side; ++i) {
        for (int s = 0; s < 6; ++s) {
            Vec3 p;
            p[s % 3] = s < 3 ? 1.0f : -1.0f;
            p[(s + 1) % 3] = 2.0f * static_cast<float>(i % side) / (side - 1) - 1.0f;
            p[(s + 2) % 3] = 2.0f * static_cast<float>(i / side) / (side - 1) - 1.0f;
            grid.push_back(p);
        }
    }
    const ConvexHull round = hull_of(ball);
    EXPECT_GT(round.vertices.size(), 1000u);
    std::vector<Vec3> rind; // no vertex lies deeper
    for (const Vec3& p : ball) {
        if (glm::dot(p, p) > 0.9f) {
            rind.push_back(p);
        }
    }
    check_hull(round, rind);
    for (int pose = 0; pose < 4; ++pose) {
        const std::vector<Vec3> points = placed(grid, 1.0f, random.rotation(), random.in_cube());
        const ConvexHull hull = hull_of(points);
        EXPECT_EQ(hull.vertices.size(), 8u);
        EXPECT_EQ(hull.faces.size(), 6u);
        check_hull(hull, points);
    }
}

} // namespace

} // namespace cairn::physics
