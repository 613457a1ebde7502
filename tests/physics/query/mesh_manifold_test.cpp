// Contacts with meshes against brute force over all triangles, which knows nothing of trees, edges or features.
#include "physics/query/mesh/mesh_manifold.h"
#include "physics/query/ray_cast.h"
#include "tests/physics/geometry/shape_samples.h"
#include "tests/physics/query/oracle.h"
#include "tests/physics/world/mesh_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace cairn::physics {
namespace {

using geometry_testing::shape_of;
using oracle::DVec3;
using testing::from_both_sides;
using testing::hills;
using testing::make_plane;
using testing::make_terrain;

std::string mesh_refusal(const Geometry& geometry) {
    const auto built = build_shape(geometry);
    const auto* error = std::get_if<ShapeError>(&built);
    const std::optional<ShapeError> checked = check_geometry(geometry);
    EXPECT_EQ(checked ? checked->reason : "", error != nullptr ? error->reason : "") << "without building it";
    return error != nullptr ? error->reason : std::string();
}

Mesh rough_terrain() {
    return make_terrain(24, 0.7f, 0.3f, [](float x, float y) { return 0.6f * hills(2.0f * x, 2.0f * y); });
}

// The distance of a point from a triangle, over its inside, its edges and its corners in turn.
double distance_to(const DVec3& p, const std::array<DVec3, 3>& c) {
    const DVec3 n = glm::normalize(glm::cross(c[1] - c[0], c[2] - c[0]));
    double best = std::numeric_limits<double>::max();
    bool inside = true;
    for (std::size_t k = 0; k < 3; ++k) {
        const DVec3& a = c[k];
        const DVec3 e = c[(k + 1) % 3] - a;
        inside = inside && glm::dot(glm::cross(e, p - a), n) >= 0.0;
        const double t = std::clamp(glm::dot(p - a, e) / glm::dot(e, e), 0.0, 1.0);
        best = std::min(best, glm::length(p - (a + e * t)));
    }
    return inside ? std::min(best, std::abs(glm::dot(n, p - c[0]))) : best;
}

double least_separation(const MeshManifolds& found) {
    double least = std::numeric_limits<double>::max();
    for (int i = 0; i < found.count; ++i) {
        const Manifold& m = found.items[static_cast<std::size_t>(i)];
        for (int k = 0; k < m.count; ++k) {
            least = std::min(least, double(m.points[static_cast<std::size_t>(k)].separation));
        }
    }
    return least;
}

TEST(MeshManifold, BallsAreAsFarAsBruteForceSays) {
    const Shape mesh = shape_of(rough_terrain());
    const Shape ball = shape_of(Sphere{0.3f});
    oracle::Random random(11);
    constexpr double ahead = 0.1;
    int near = 0, edges = 0;
    for (int i = 0; i < 4000; ++i) {
        const float x = float(random.between(-6.0, 6.0)), y = float(random.between(-6.0, 6.0));
        const Vec3 centre(x, y, 0.6f * hills(2.0f * x, 2.0f * y) + float(random.between(0.3, 0.9)));
        double distance = std::numeric_limits<double>::max();
        for (std::uint32_t t = 0; t < mesh.mesh->triangles.size(); ++t) {
            distance = std::min(distance, distance_to(DVec3(centre), mesh.mesh->corners(t)));
        }
        distance -= double(ball.radius);
        const MeshManifolds found = collide_mesh(mesh, {}, ball, {centre, identity_orientation}, float(ahead));
        if (distance > ahead + 1e-5) {
            EXPECT_EQ(found.count, 0) << i;
            EXPECT_LE(double(found.apart), distance + 1e-6) << i;
            EXPECT_GE(found.apart, float(ahead)) << i;
        } else if (distance < ahead - 1e-5) {
            ASSERT_GT(found.count, 0) << i;
            EXPECT_NEAR(least_separation(found), distance, 2e-5) << i;
            ++near;
            edges += found.count > 1 ? 1 : 0;
        }
    }
    EXPECT_GT(near, 500);
    EXPECT_GT(edges, 50); // many touch more than one face
}

// The triangle as a flat solid.
oracle::Solid flat(const std::array<DVec3, 3>& c) {
    oracle::Solid solid;
    solid.vertices.assign(c.begin(), c.end());
    solid.edges = {{0, 1}, {1, 2}, {2, 0}};
    solid.faces = {{0, 1, 2}, {0, 2, 1}};
    return solid;
}

// Of the shape, from all triangles that it may be near.
double distance_from_all(const TriangleMesh& mesh, const Shape& shape, const Transform& pose) {
    const oracle::Solid solid = oracle::solid(shape, pose);
    double distance = std::numeric_limits<double>::max();
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const std::array<DVec3, 3> corners = mesh.corners(t);
        if (distance_to(DVec3(pose.position), corners) < double(shape.bounding_radius) + 0.2) {
            distance = std::min(distance, oracle::signed_distance(flat(corners), solid).distance);
        }
    }
    return distance;
}

// True if it is near. What overlaps is the business of the world's tests.
bool expect_as_far_as_all(const Shape& mesh, const Shape& shape, const Transform& pose, int i) {
    constexpr double ahead = 0.1;
    const double distance = distance_from_all(*mesh.mesh, shape, pose);
    if (distance < 1e-3) {
        return false;
    }
    const MeshManifolds found = collide_mesh(mesh, {}, shape, pose, float(ahead));
    if (distance < ahead - 1e-4) {
        EXPECT_GT(found.count, 0) << i;
        // A face may be preferred to a better direction, by a thousandth of the size.
        EXPECT_NEAR(least_separation(found), distance, 2e-3 * double(shape.bounding_radius) + 0.02 * distance) << i;
        return true;
    }
    if (distance > ahead + 1e-4) {
        EXPECT_EQ(found.count, 0) << i;
        EXPECT_LE(double(found.apart), distance + 1e-5) << i;
    }
    return false;
}

TEST(MeshManifold, PolytopesAreAsFarAsBruteForceSays) {
    const Shape mesh =
        shape_of(make_terrain(10, 0.9f, 0.3f, [](float x, float y) { return 0.6f * hills(2.0f * x, 2.0f * y); }));
    const std::array<Shape, 3> shapes{shape_of(Box{Vec3(0.3f, 0.2f, 0.1f)}), shape_of(Capsule{0.1f, 0.3f}),
                                      shape_of(Diamond{0.3f})};
    oracle::Random random(12);
    int near = 0;
    for (int i = 0; i < 600; ++i) {
        const Shape& shape = shapes[static_cast<std::size_t>(i) % shapes.size()];
        const float x = float(random.between(-3.0, 3.0)), y = float(random.between(-3.0, 3.0));
        const Transform pose{Vec3(x, y, 0.6f * hills(2.0f * x, 2.0f * y) + float(random.between(0.2, 0.7))),
                             random.orientation()};
        near += expect_as_far_as_all(mesh, shape, pose, i) ? 1 : 0;
    }
    EXPECT_GT(near, 60);
}

// Most triangles lie wholly under the plate, which few of them touch; a summit that it rests on is met along its
// normal.
TEST(MeshManifold, PlatesOverManyTrianglesAreAsFarAsBruteForceSays) {
    const Shape mesh = shape_of(make_terrain(20, 0.12f, 0.0f, [](float x, float y) {
        return 0.05f * (std::sin(9.0f * x) + std::cos(7.0f * y) + std::sin(5.0f * x + 4.0f * y));
    }));
    const Shape plate = shape_of(Box{Vec3(0.8f, 0.6f, 0.05f)});
    oracle::Random random(13);
    int near = 0, along_its_normal = 0;
    for (int i = 0; i < 400; ++i) {
        const auto tilt = [&random] { return float(random.between(-0.1, 0.1)); };
        const Transform pose{
            {float(random.between(-0.3, 0.3)), float(random.between(-0.3, 0.3)), float(random.between(0.2, 0.4))},
            normalized(Quat(1, tilt(), tilt(), tilt()))};
        if (expect_as_far_as_all(mesh, plate, pose, i)) {
            ++near;
            const Vec3 normal = collide_mesh(mesh, {}, plate, pose, 0.1f).items[0].normal;
            along_its_normal += glm::dot(normal, pose.orientation * Vec3(0, 0, 1)) > 0.99999f ? 1 : 0;
        }
    }
    EXPECT_GT(near, 60);
    EXPECT_GT(3 * along_its_normal, near); // the others are met by an edge of the plate
}

// All that lies or slides on a plane touches the plane, a little sunk as it is when it rests; and without regard to
// what lies beside a triangle, it does not.
TEST(MeshManifold, CutsWithinAPlaneAreNotFelt) {
    const Shape mesh = shape_of(make_plane(20, 0.31f));
    const std::array<Shape, 5> shapes{shape_of(Sphere{0.25f}), shape_of(Box{Vec3(0.2f)}), shape_of(Capsule{0.2f, 0.3f}),
                                      shape_of(Cylinder{0.2f, 0.2f}), shape_of(Diamond{0.3f})};
    oracle::Random random(13);
    int tilted = 0, tilted_alone = 0;
    for (int i = 0; i < 1500; ++i) {
        const Shape& shape = shapes[static_cast<std::size_t>(i) % shapes.size()];
        Transform pose{Vec3(0.0f), random.orientation()};
        pose.position = Vec3(float(random.between(-2.0, 2.0)), float(random.between(-2.0, 2.0)), 0.0f);
        pose.position.z = -bounds(shape, pose).lower.z - 0.002f;
        const auto count = [&](bool joined) {
            const MeshManifolds found = collide_mesh(mesh, {}, shape, pose, 0.02f, {}, joined);
            int tilts = 0;
            for (int k = 0; k < found.count; ++k) {
                tilts += found.items[static_cast<std::size_t>(k)].normal.z < 0.99999f ? 1 : 0;
            }
            if (joined) {
                EXPECT_EQ(found.count, 1) << i;
                EXPECT_NEAR(least_separation(found), -0.002, 5e-5) << i; // points nearly as deep are as good
            }
            return tilts;
        };
        tilted += count(true);
        tilted_alone += count(false);
    }
    EXPECT_EQ(tilted, 0);
    EXPECT_GT(tilted_alone, 500);
}

// A box stands on its own corners, wherever the mesh has some below it; where the mesh is deepest amid them, it stands
// on that as well.
TEST(MeshManifold, ABoxStandsOnItsCornersAndNotOnThoseOfThePlane) {
    const Vec3 half(0.5f);
    const Shape box = shape_of(Box{half});
    oracle::Random random(17);
    for (const float cell : {0.31f, 0.5f, 1.0f, 1.7f}) {
        const Shape mesh = shape_of(make_plane(20, cell)),
                    level = shape_of(make_terrain(20, cell, 0.0f, [](float, float) { return 0.0f; }));
        for (int i = 0; i < 200; ++i) {
            // By whole cells from time to time: corners of the mesh below the middle and the sides of the box.
            const auto place = [&] {
                return i % 4 == 0 ? cell * std::floor(float(random.between(-2.0, 3.0)))
                                  : float(random.between(-2.0, 2.0));
            };
            const Transform pose{Vec3(place(), place(), half.z - 1e-4f), identity_orientation};
            const MeshManifolds found = collide_mesh(i % 2 == 0 ? level : mesh, {}, box, pose, 0.02f);
            ASSERT_EQ(found.count, 1) << cell << ' ' << i;
            for (const float x : {-half.x, half.x}) {
                for (const float y : {-half.y, half.y}) {
                    float nearest = 1.0f;
                    for (int k = 0; k < found.items[0].count; ++k) {
                        const Vec3 off = found.items[0].points[static_cast<std::size_t>(k)].point_b - pose.position;
                        nearest = std::min(nearest, std::hypot(off.x - x, off.y - y));
                    }
                    EXPECT_LT(nearest, 2e-3f) << cell << ' ' << i << ": " << x << ", " << y;
                }
            }
        }
    }
    const Shape peaked =
        shape_of(make_terrain(4, 0.7f, 0.0f, [](float x, float y) { return std::hypot(x, y) < 0.1f ? 0.002f : 0.0f; }));
    const MeshManifolds found = collide_mesh(peaked, {}, box, {Vec3(0, 0, half.z), identity_orientation}, 0.02f);
    ASSERT_EQ(found.count, 1);
    EXPECT_NEAR(least_separation(found), -0.002, 1e-4);
}

// The edge of a step and the bottom of a gutter.
TEST(MeshManifold, EdgesThatStandOutAndGutters) {
    const auto fold = [](float height) { // two faces that meet along y
        auto data = std::make_shared<MeshData>();
        data->vertices = {{-1, -1, height}, {0, -1, 0}, {1, -1, height}, {-1, 1, height}, {0, 1, 0}, {1, 1, height}};
        data->triangles = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};
        return shape_of(Mesh{data});
    };
    const Shape ball = shape_of(Sphere{0.25f});
    const Shape ridge = fold(-0.5f), gutter = fold(0.5f);
    const MeshManifolds on_ridge = collide_mesh(ridge, {}, ball, {Vec3(0, 0.1f, 0.26f), identity_orientation}, 0.02f);
    ASSERT_EQ(on_ridge.count, 1);
    EXPECT_NEAR(on_ridge.items[0].normal.z, 1.0f, 1e-6f);
    EXPECT_NEAR(on_ridge.items[0].points[0].separation, 0.01f, 1e-5f);
    const float slant = std::sqrt(1.25f);
    const MeshManifolds in_gutter =
        collide_mesh(gutter, {}, ball, {Vec3(0, 0.1f, 0.25f * slant), identity_orientation}, 0.02f);
    ASSERT_EQ(in_gutter.count, 2);
    for (int i = 0; i < 2; ++i) {
        const Manifold& m = in_gutter.items[static_cast<std::size_t>(i)];
        EXPECT_NEAR(std::abs(m.normal.x), 0.5f / slant, 1e-5f);
        EXPECT_NEAR(m.points[0].separation, 0.0f, 1e-5f);
    }
    EXPECT_LT(in_gutter.items[0].normal.x * in_gutter.items[1].normal.x, 0.0f);
    // A box overhanging the ridge is carried by it and not pushed aside by the slope that its side dips below.
    const Shape box = shape_of(Box{Vec3(0.3f, 0.3f, 0.1f)});
    const MeshManifolds balanced = collide_mesh(ridge, {}, box, {Vec3(0.05f, 0, 0.099f), identity_orientation}, 0.02f);
    ASSERT_EQ(balanced.count, 1);
    EXPECT_NEAR(balanced.items[0].normal.z, 1.0f, 1e-5f);
}

// What a shape comes to lie over in the coming step, where it does not touch it yet.
TEST(MeshManifold, MeetsFacesAheadWhereTheGroundRises) {
    const auto fold_of = [](float height) { // level up to x = 0, from there on a slope up to this height at x = 1
        auto data = std::make_shared<MeshData>();
        data->vertices = {{-1, -1, 0}, {0, -1, 0}, {1, -1, height}, {-1, 1, 0}, {0, 1, 0}, {1, 1, height}};
        data->triangles = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};
        return Mesh{data};
    };
    const auto bent = [&](float height) { return shape_of(fold_of(height)); };
    const Shape rising = bent(0.5f), falling = bent(-0.5f), level = bent(0.0f);
    const Vec3 slope = glm::normalize(Vec3(-0.5f, 0.0f, 1.0f));
    const auto moving = [](const Shape& mesh, const Shape& shape, const Vec3& at, const Vec3& shift) {
        return collide_mesh(mesh, {}, shape, {at, identity_orientation}, 0.005f, {}, true, {}, {shift, Vec3(0.0f)});
    };
    const Shape ball = shape_of(Sphere{0.25f}), box = shape_of(Box{Vec3(0.25f)});
    const Vec3 before_bend(-0.2f, 0.1f, 0.25f), into_ground(0.2f, 0.0f, -0.02f);
    const MeshManifolds found = moving(rising, ball, before_bend, into_ground);
    ASSERT_EQ(found.count, 2);
    EXPECT_NEAR(found.items[0].normal.z, 1.0f, 1e-6f);
    EXPECT_LT(glm::distance(found.items[1].normal, slope), 1e-6f);
    EXPECT_NEAR(found.items[1].points[0].separation, glm::dot(before_bend, slope) - 0.25f, 1e-5f);
    EXPECT_EQ(moving(rising, ball, before_bend, Vec3(0.0f)).count, 1) << "at rest";
    EXPECT_EQ(moving(rising, ball, before_bend, -into_ground).count, 1) << "moving away";
    EXPECT_EQ(moving(rising, ball, before_bend, Vec3(0.05f, 0, 0)).count, 1) << "not so far";
    EXPECT_EQ(moving(rising, ball, before_bend, Vec3(0.2f, 0, 0.2f)).count, 1) << "over it";
    EXPECT_EQ(moving(falling, ball, before_bend, into_ground).count, 1) << "where the ground falls away";
    EXPECT_EQ(moving(level, ball, before_bend, into_ground).count, 1) << "what lies in one plane is one face";
    const Shape crest = shape_of(from_both_sides(fold_of(-1.0f)));
    EXPECT_EQ(moving(crest, shape_of(Sphere{0.05f}), Vec3(-0.1f, 0.1f, 0.05f), Vec3(0.2f, 0, 0)).count, 1)
        << "the back of a slope that it flies over is no obstacle";
    auto ramp_beside = std::make_shared<MeshData>(); // level up to y = 0.5, and beyond that a ramp along x
    ramp_beside->vertices = {{-1, -1, 0},  {2, -1, 0},      {2, 0.5f, 0},    {-1, 0.5f, 0},
                             {0, 0.5f, 0}, {1, 0.5f, 0.5f}, {1, 1.5f, 0.5f}, {0, 1.5f, 0}};
    ramp_beside->triangles = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}};
    const Vec3 beside(-0.1f, 0.2f, 0.05f), under_ramp(0.3f, 0.5f, 0.0f);
    EXPECT_EQ(moving(shape_of(Mesh{ramp_beside}), shape_of(Sphere{0.05f}), beside, under_ramp).count, 1)
        << "the path leads round the edge of the ramp";
    const MeshManifolds turning = collide_mesh(level, {}, box, {Vec3(-0.3f, 0, 0.25f), identity_orientation}, 0.005f,
                                               {}, true, {}, {into_ground, Vec3(0.0f, -0.1f, 0.0f)});
    EXPECT_EQ(turning.count, 1) << "nor of what turns on a plane";
    // The corners of a box do so, too, all that pass the bend.
    const MeshManifolds of_box = moving(rising, box, Vec3(-0.3f, 0, 0.25f), into_ground);
    ASSERT_EQ(of_box.count, 2);
    EXPECT_LT(glm::distance(of_box.items[1].normal, slope), 1e-6f);
    for (int i = 0; i < of_box.items[1].count; ++i) {
        EXPECT_GE(of_box.items[1].points[static_cast<std::size_t>(i)].separation, 0.0f);
        EXPECT_GT(of_box.items[1].points[static_cast<std::size_t>(i)].point_b.x, -0.21f) << "it does not pass the bend";
    }
}

TEST(MeshManifold, OneSideOrBoth) {
    const Mesh plane = make_plane(4, 1.0f);
    const Shape ball = shape_of(Sphere{0.25f});
    const Transform below{Vec3(0.1f, 0.2f, -0.24f), identity_orientation};
    EXPECT_EQ(collide_mesh(shape_of(plane), {}, ball, below, 0.02f).count, 0);
    const MeshManifolds found = collide_mesh(shape_of(from_both_sides(plane)), {}, ball, below, 0.02f);
    ASSERT_EQ(found.count, 1);
    EXPECT_NEAR(found.items[0].normal.z, -1.0f, 1e-6f);
    EXPECT_NEAR(found.items[0].points[0].separation, -0.01f, 1e-5f);
}

// Möller and Trumbore's test, against the tree's.
TEST(MeshManifold, RaysHitWhatBruteForceHits) {
    for (const bool two_sided : {false, true}) {
        const Shape mesh = shape_of(two_sided ? from_both_sides(rough_terrain()) : rough_terrain());
        const Transform pose{Vec3(1, -2, 0.5f), normalized(Quat(0.9f, 0.1f, -0.3f, 0.2f))};
        oracle::Random random(14);
        int hits = 0;
        for (int i = 0; i < 3000; ++i) {
            Ray ray;
            ray.origin = Vec3(random.vector(-9.0, 9.0));
            ray.direction = Vec3(random.direction());
            ray.max_distance = 30.0f;
            double best = double(ray.max_distance);
            const DVec3 o(ray.origin), d(glm::normalize(DVec3(ray.direction)));
            for (std::uint32_t t = 0; t < mesh.mesh->triangles.size(); ++t) {
                std::array<DVec3, 3> c = mesh.mesh->corners(t);
                const glm::dquat q = glm::normalize(glm::dquat(pose.orientation));
                for (DVec3& corner : c) {
                    corner = q * corner + DVec3(pose.position);
                }
                const DVec3 e1 = c[1] - c[0], e2 = c[2] - c[0], h = glm::cross(d, e2);
                const double a = glm::dot(e1, h);
                if ((!two_sided && a <= 0.0) || a == 0.0) {
                    continue;
                }
                const double u = glm::dot(o - c[0], h) / a;
                const double v = glm::dot(d, glm::cross(o - c[0], e1)) / a;
                const double distance = glm::dot(e2, glm::cross(o - c[0], e1)) / a;
                if (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance >= 0.0) {
                    best = std::min(best, distance);
                }
            }
            const RayCast cast = ray_cast(mesh, pose, ray);
            EXPECT_NEAR(double(cast->distance), best, 1e-4) << i;
            if (cast) {
                ++hits;
                EXPECT_LE(glm::dot(cast->normal, ray.direction), 0.0f) << i;
            }
        }
        EXPECT_GT(hits, 300);
    }
}

TEST(MeshManifold, TreesAreSmallAndComplete) {
    const Shape shape = shape_of(rough_terrain());
    const TriangleMesh& mesh = *shape.mesh;
    EXPECT_LE(mesh.memory_bytes() - mesh.vertices.size() * sizeof(Vec3), 60 * mesh.triangles.size() + 1000);
    oracle::Random random(15);
    for (int i = 0; i < 300; ++i) {
        const Vec3 low(random.vector(-8.0, 8.0));
        const Aabb region{low, low + glm::abs(Vec3(random.vector(0.0, 3.0)))};
        std::vector<std::uint32_t> found, expected;
        mesh.query(region, [&](std::uint32_t t) { found.push_back(t); });
        for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
            if (overlaps(mesh.bounds_of(t), region)) {
                expected.push_back(t);
            }
        }
        EXPECT_EQ(found, expected); // in ascending order
    }
    // Corners named twice are joined: nothing inside stands out as a border.
    Mesh soup = make_plane(6, 1.0f);
    auto data = std::make_shared<MeshData>();
    for (const auto& triangle : soup.data->triangles) {
        const auto first = static_cast<std::uint32_t>(data->vertices.size());
        for (const std::uint32_t v : triangle) {
            data->vertices.push_back(soup.data->vertices[v]);
        }
        data->triangles.push_back({first, first + 1, first + 2});
    }
    const Shape welded = shape_of(Mesh{data});
    int borders = 0;
    for (const TriangleMesh::Triangle& triangle : welded.mesh->triangles) {
        borders += static_cast<int>(std::count(triangle.beside.begin(), triangle.beside.end(), TriangleMesh::none));
    }
    EXPECT_EQ(borders, 4 * 6);
}

TEST(MeshManifold, BadMeshesAreRefused) {
    const auto mesh = [](std::vector<Vec3> vertices, std::vector<std::array<std::uint32_t, 3>> triangles) {
        return Mesh{std::make_shared<const MeshData>(MeshData{std::move(vertices), std::move(triangles), false})};
    };
    const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    EXPECT_EQ(mesh_refusal(mesh(corners, {{0, 1, 2}})), "");
    EXPECT_EQ(mesh_refusal(Mesh{}), "a mesh needs at least one triangle");
    EXPECT_EQ(mesh_refusal(mesh(corners, {{0, 1, 3}})),
              "triangle 0 names vertex 3, but there are only 3 (the first is 0)");
    EXPECT_EQ(mesh_refusal(mesh({{0, 0, 0}, {1, 0, 0}, {0, std::nanf(""), 0}}, {{0, 1, 2}})),
              "vertex 2 is not within 10000 m of the origin");
    EXPECT_EQ(mesh_refusal(mesh(corners, {{0, 1, 1}})), "all triangles of the mesh are without area");
    EXPECT_EQ(mesh_refusal(mesh({{0, 0, 0}, {1e-5f, 0, 0}, {0, 1e-5f, 0}}, {{0, 1, 2}}))
                  .rfind("half the longest side of the mesh must lie between", 0),
              0u);
    // What is left out does not count for the size either.
    EXPECT_EQ(mesh_refusal(mesh({{0, 0, 0}, {1e-5f, 0, 0}, {0, 1e-5f, 0}, {9, 9, 9}}, {{0, 1, 2}, {0, 3, 3}}))
                  .rfind("half the longest side of the mesh must lie between", 0),
              0u);
}

} // namespace
} // namespace cairn::physics
