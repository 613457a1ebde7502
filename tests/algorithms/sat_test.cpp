// The separating axis test against closed forms, in the arrangements that are hard for it.
#include "app/algorithms/sat.h"
#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn::algorithms {

using namespace physics;

namespace {

using oracle::make;
using DVec3 = glm::dvec3;

Transform at(float x, float y, float z, const Quat& orientation = identity_orientation) {
    Transform pose;
    pose.position = Vec3(x, y, z);
    pose.orientation = orientation;
    return pose;
}

Quat turn_z(double angle) {
    return Quat(float(std::cos(0.5 * angle)), 0.0f, 0.0f, float(std::sin(0.5 * angle)));
}

Quat turn_x(double angle) {
    return Quat(float(std::cos(0.5 * angle)), float(std::sin(0.5 * angle)), 0.0f, 0.0f);
}

Shape hull(std::vector<Vec3> points) {
    return make(PointSet{std::make_shared<const std::vector<Vec3>>(std::move(points))});
}

void expect_near(const Vec3& got, const DVec3& wanted, double tolerance, const char* what) {
    EXPECT_LT(glm::length(DVec3(got) - wanted), tolerance)
        << what << ' ' << got.x << ' ' << got.y << ' ' << got.z << " instead of " << wanted.x << ' ' << wanted.y << ' '
        << wanted.z;
}

// The points lie on both shapes and are joined by the distance along the normal.
void expect_consistent(const SatResult& r, const Shape& a, const Transform& pose_a, const Shape& b,
                       const Transform& pose_b, double tolerance) {
    EXPECT_NEAR(oracle::outside(a, pose_a, DVec3(r.point_a)), 0.0, tolerance);
    EXPECT_NEAR(oracle::outside(b, pose_b, DVec3(r.point_b)), 0.0, tolerance);
    expect_near(r.point_b - r.point_a, DVec3(r.distance * r.normal), tolerance, "points");
    EXPECT_GE(oracle::separation_along(a, pose_a, b, pose_b, glm::normalize(DVec3(r.normal))),
              double(r.distance) - tolerance);
}

TEST(Sat, FacesOfBoxes) {
    const Shape a = make(Box{Vec3(1.0f, 2.0f, 3.0f)});
    const Shape b = make(Box{Vec3(1.0f)});
    const Transform above = at(0.25f, -0.5f, 3.75f);
    const SatResult deep = sat(a, Transform{}, b, above);
    EXPECT_EQ(deep.status, QueryStatus::overlapping);
    EXPECT_NEAR(deep.distance, -0.25, 1e-6);
    expect_near(deep.normal, DVec3(0, 0, 1), 1e-6, "normal");
    expect_consistent(deep, a, Transform{}, b, above, 1e-6);

    const SatResult flipped = sat(b, above, a, Transform{});
    EXPECT_EQ(flipped.distance, deep.distance);
    expect_near(flipped.normal, DVec3(0, 0, -1), 1e-6, "normal");

    const Transform beside = at(0.0f, -5.0f, 0.0f);
    const SatResult apart = sat(a, Transform{}, b, beside);
    EXPECT_EQ(apart.status, QueryStatus::separated);
    EXPECT_NEAR(apart.distance, 2.0, 1e-6);
    expect_near(apart.normal, DVec3(0, -1, 0), 1e-6, "normal");
    expect_consistent(apart, a, Transform{}, b, beside, 1e-6);

    const SatResult flush = sat(a, Transform{}, b, at(2.0f, 0.5f, 0.0f));
    EXPECT_EQ(flush.status, QueryStatus::touching);
    EXPECT_EQ(flush.distance, 0.0f);
    expect_near(flush.normal, DVec3(1, 0, 0), 1e-6, "normal");
    EXPECT_GE(flush.axes, 6);
}

TEST(Sat, CrossedEdges) {
    // Two beams with square sections on edge, crossed at a right angle: only their edges meet.
    const Shape beam = make(Box{Vec3(0.5f, 5.0f, 0.5f)});
    const double eighth = 0.25 * 3.14159265358979323846;
    const Quat on_edge = Quat(float(std::cos(0.5 * eighth)), 0.0f, float(std::sin(0.5 * eighth)), 0.0f);
    const Transform low = at(0, 0, 0, on_edge);
    for (const double gap : {0.3, -0.01, -0.2}) {
        const Transform high = at(0.4f, 0.3f, float(std::sqrt(2.0) + gap), turn_z(2.0 * eighth) * on_edge);
        const SatResult r = sat(beam, low, beam, high);
        EXPECT_NEAR(r.distance, gap, 2e-6);
        expect_near(r.normal, DVec3(0, 0, 1), 1e-5, "normal");
        expect_consistent(r, beam, low, beam, high, 3e-6);
        expect_near(r.point_a, DVec3(0.0, 0.3, std::sqrt(0.5)), 1e-5, "where the edges cross");
    }
}

// Along none of the axes of the test are these as far apart as they are.
TEST(Sat, CornersApart) {
    const Shape box = make(Box{Vec3(1.0f)});
    const SatResult corner = sat(box, Transform{}, box, at(5.0f, 6.0f, 7.0f));
    EXPECT_NEAR(corner.distance, std::sqrt(9.0 + 16.0 + 25.0), 2e-6);
    expect_near(corner.point_a, DVec3(1, 1, 1), 1e-6, "a");
    expect_near(corner.point_b, DVec3(4, 5, 6), 1e-6, "b");
    expect_near(corner.normal, DVec3(3, 4, 5) / std::sqrt(50.0), 1e-6, "normal");

    const SatResult edges = sat(box, Transform{}, box, at(5.0f, 0.5f, 7.0f));
    EXPECT_NEAR(edges.distance, std::sqrt(9.0 + 25.0), 2e-6);
    expect_near(edges.normal, DVec3(3, 0, 5) / std::sqrt(34.0), 1e-6, "normal");
    EXPECT_EQ(edges.point_a.y, edges.point_b.y);

    // A corner over the middle of an edge.
    const Shape tip = hull({{0, 0, 0}, {-1, 3, 1}, {1, 3, 1}, {0, 3, -1}});
    const Transform pose = at(3.0f + tip.author_offset.x, 3.0f + tip.author_offset.y, 0.25f + tip.author_offset.z);
    const SatResult over_edge = sat(box, Transform{}, tip, pose);
    EXPECT_NEAR(over_edge.distance, std::sqrt(8.0), 2e-6);
    expect_near(over_edge.point_a, DVec3(1, 1, 0.25), 2e-6, "a");
}

// Faces in one plane overlap in a region that no corner of either lies in.
TEST(Sat, FacesThatCross) {
    const Shape plank = make(Box{Vec3(5.0f, 0.5f, 0.25f)});
    const double quarter = 0.5 * 3.14159265358979323846;
    for (const float height : {0.75f, 0.5f, 0.375f}) {
        const Transform across = at(1.0f, -0.5f, height, turn_z(quarter));
        const SatResult r = sat(plank, Transform{}, plank, across);
        EXPECT_NEAR(r.distance, double(height) - 0.5, 1e-6);
        expect_near(r.normal, DVec3(0, 0, 1), 1e-6, "normal");
        expect_consistent(r, plank, Transform{}, plank, across, 1e-6);
        EXPECT_GE(r.point_a.x, 0.5f - 1e-5f);
        EXPECT_LE(r.point_a.x, 1.5f + 1e-5f);
        EXPECT_GE(r.point_a.y, -0.5f - 1e-5f);
        EXPECT_LE(r.point_a.y, 0.5f + 1e-5f);
    }
}

TEST(Sat, CoincidentCentres) {
    const Shape box = make(Box{Vec3(1.0f, 2.0f, 3.0f)});
    const SatResult same = sat(box, at(4, 5, 6), box, at(4, 5, 6));
    EXPECT_EQ(same.status, QueryStatus::overlapping);
    EXPECT_NEAR(same.distance, -2.0, 1e-6);
    EXPECT_NEAR(std::abs(same.normal.x), 1.0f, 1e-6f);
    expect_consistent(same, box, at(4, 5, 6), box, at(4, 5, 6), 2e-6);

    const Shape diamond = make(Diamond{1.0f});
    const SatResult gems = sat(diamond, Transform{}, diamond, Transform{});
    // Both caps are the planes z = 0.4 and, through the facets below, cones: the depth is that of the brute force.
    const oracle::Answer exact =
        oracle::signed_distance(oracle::solid(diamond, Transform{}), oracle::solid(diamond, Transform{}));
    EXPECT_NEAR(gems.distance, exact.distance, 1e-6);
    expect_consistent(gems, diamond, Transform{}, diamond, Transform{}, 2e-6);
}

TEST(Sat, OneInsideTheOther) {
    const Shape large = make(Box{Vec3(50.0f, 40.0f, 30.0f)});
    const Shape small = make(Box{Vec3(0.05f)});
    const Transform pose = at(-49.0f, 3.0f, 7.0f);
    const SatResult r = sat(large, Transform{}, small, pose);
    EXPECT_NEAR(r.distance, -1.05, 1e-5);
    expect_near(r.normal, DVec3(-1, 0, 0), 1e-6, "normal");
    expect_consistent(r, large, Transform{}, small, pose, 1e-5);
}

// Edges at an angle t make a facet as narrow as t. With the origin under it, leaving the facet out because the edges
// are "parallel" gives the depth along its neighbours, which is too large.
TEST(Sat, NearlyParallelEdges) {
    const double eighth = 0.25 * 3.14159265358979323846;
    const Shape beam = make(Box{Vec3(5.0f, 0.5f, 0.5f)});
    oracle::Random random(7);
    int by_edges = 0;
    for (int i = 0; i < 200; ++i) {
        const double angle = random.log_between(1e-6, 1e-2);
        const double depth = random.log_between(1e-4, 1e-2);
        const Transform low = at(0, 0, 0, turn_x(eighth));
        const Transform high = at(float(random.between(-1.0, 1.0)), float(0.1 * angle), float(std::sqrt(2.0) - depth),
                                  turn_z(angle) * turn_x(eighth));
        const SatResult r = sat(beam, low, beam, high);
        const oracle::Answer exact = oracle::signed_distance(oracle::solid(beam, low), oracle::solid(beam, high));
        ASSERT_NEAR(r.distance, exact.distance, 1e-5 * depth + 1e-6) << angle << ' ' << depth;
        by_edges += r.normal.z > 0.999f;
    }
    EXPECT_GT(by_edges, 20);
    EXPECT_LT(by_edges, 200);
}

// Tip to tip no axis of the test separates needles by more than a sliver of the gap between them.
TEST(Sat, NeedlesTipToTip) {
    const float w = 1e-3f;
    const std::vector<Vec3> points{{0, 0, 5}, {0, 0, -5}, {w, 0, 0}, {-w, 0, 0}, {0, w, 0}, {0, -w, 0}};
    const Shape needle = hull(points);
    for (const double angle : {0.0, 0.3}) {
        const Transform above = at(0, 0, 10.01f, turn_z(angle));
        const SatResult r = sat(needle, Transform{}, needle, above);
        EXPECT_EQ(r.status, QueryStatus::separated);
        EXPECT_NEAR(r.distance, 0.01, 1e-5);
        expect_near(r.normal, DVec3(0, 0, 1), 1e-3, "normal");
        // Sideways the tips pass each other.
        const SatResult past = sat(needle, Transform{}, needle, at(2.0f * w, 0, 9.5f, turn_z(angle)));
        EXPECT_EQ(past.status, QueryStatus::separated);
        const oracle::Answer exact = oracle::signed_distance(
            oracle::solid(needle, Transform{}), oracle::solid(needle, at(2.0f * w, 0, 9.5f, turn_z(angle))));
        EXPECT_NEAR(past.distance, exact.distance, 1e-6);
    }
}

TEST(Sat, PlatesFaceToFace) {
    const Shape plate = make(Box{Vec3(10.0f, 10.0f, 1e-3f)});
    for (const float gap : {1e-3f, -1e-3f}) {
        const Transform above = at(3.0f, 4.0f, 2e-3f + gap, turn_z(0.5));
        const SatResult r = sat(plate, Transform{}, plate, above);
        EXPECT_NEAR(r.distance, gap, 1e-6);
        expect_near(r.normal, DVec3(0, 0, 1), 1e-6, "normal");
        expect_consistent(r, plate, Transform{}, plate, above, 4e-6);
    }
}

TEST(Sat, FarFromTheWorldsOrigin) {
    const Shape box = make(Box{Vec3(0.5f)});
    const Transform a = at(4096.0f, -8192.0f, 1024.0f);
    const Transform b = at(4096.5f, -8191.125f, 1024.25f);
    const SatResult r = sat(box, a, box, b);
    EXPECT_FLOAT_EQ(r.distance, -0.125f);
    expect_near(r.normal, DVec3(0, 1, 0), 1e-6, "normal");
}

// Of a mesh of many faces only those about the deepest point are measured, and of two million pairs of edges a few.
TEST(Sat, MeasuresFewAxesOfFineMeshes) {
    std::vector<Vec3> points;
    constexpr int count = 482;
    for (int i = 0; i < count; ++i) { // a spiral over the sphere
        const double z = 1.0 - (2.0 * i + 1.0) / count;
        const double r = std::sqrt(1.0 - z * z);
        points.push_back(Vec3(DVec3(r * std::cos(2.399963 * i), r * std::sin(2.399963 * i), z)));
    }
    const Shape ball = hull(points);
    ASSERT_EQ(ball.hull->vertices.size(), std::size_t(count));
    const auto faces = int(ball.hull->faces.size());
    for (const float x : {2.1f, 1.99f, 1.7f, 0.1f}) {
        const Transform pose = at(x, 0.3f, -0.2f, turn_z(1.0) * turn_x(2.0));
        const SatResult r = sat(ball, Transform{}, ball, pose);
        EXPECT_GT(r.axes, 0);
        EXPECT_LT(r.axes, faces) << x;
        EXPECT_NEAR(r.distance, signed_distance(ball, Transform{}, ball, pose).distance, 2e-6);
        expect_consistent(r, ball, Transform{}, ball, pose, 3e-6);
    }
}

} // namespace
} // namespace cairn::algorithms
