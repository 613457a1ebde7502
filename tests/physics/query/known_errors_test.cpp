// Mistakes that published implementations of these algorithms make, each with the input that shows it. The numbers are
// those of the list of errors that the project keeps of its sources.
#include "physics/query/epa.h"
#include "physics/query/manifold.h"
#include "physics/query/time_of_impact.h"
#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>

namespace cairn::physics {
namespace {

using oracle::Random;

const Shape unit_box = oracle::make(Box{Vec3(1.0f)});

// 3: a support point at the origin of the difference, as touching shapes have it, is not a duplicate of an unused slot.
TEST(KnownErrors, CornerTouchingCornerIsAContact) {
    for (const Vec3& d : {Vec3(2, 2, 2), Vec3(-2, 2, 2), Vec3(2, -2, -2), Vec3(2, 2, 0), Vec3(0, 0, -2)}) {
        EXPECT_TRUE(overlap(unit_box, {}, unit_box, {d}));
        const DistanceResult r = signed_distance(unit_box, {}, unit_box, {d});
        EXPECT_EQ(r.status, QueryStatus::touching);
        EXPECT_NEAR(r.distance, 0.0f, 1e-6f);
        EXPECT_NEAR(glm::length(r.normal), 1.0f, 1e-6f);
        EXPECT_GT(collide(unit_box, {}, unit_box, {d}, 0.0f + 1e-5f).count, 0);
    }
}

// 4: EPA needs a start with volume. Wherever the last simplex is a point, line or triangle through the origin, or the
// difference itself is flat, the normal must be a number.
TEST(KnownErrors, FlatStartsGiveNormals) {
    const Shape capsule = oracle::make(Capsule{0.5f, 1.0f});
    const Shape plate = oracle::make(Box{Vec3(1.0f, 1.0f, 1e-4f)});
    const Shape needle = oracle::make(Box{Vec3(1e-4f, 1e-4f, 1.0f)});
    const Shape sphere = oracle::make(Sphere{0.5f});
    const std::vector<Shape> shapes{unit_box, capsule, plate, needle, sphere};
    const std::vector<Quat> turns{identity_orientation, Quat(0.70710678f, 0.70710678f, 0, 0),
                                  Quat(0.70710678f, 0, 0.70710678f, 0)};
    int overlapping = 0;
    for (const Shape& a : shapes) {
        for (const Shape& b : shapes) {
            for (const Quat& q : turns) {
                for (const Vec3& offset : {Vec3(0.0f), Vec3(0, 0, 0.25f), Vec3(0.25f, 0, 0), Vec3(0, 0, 1e-7f)}) {
                    const Transform pose{offset, q};
                    const DistanceResult r = signed_distance(a, {}, b, pose);
                    ASSERT_NE(r.status, QueryStatus::failed);
                    ASSERT_TRUE(is_finite(r.normal) && is_finite(r.distance));
                    ASSERT_NEAR(glm::length(r.normal), 1.0f, 1e-5f);
                    overlapping += r.distance < 0.0f;
                    // Moving by the depth along the normal separates.
                    const double slab = oracle::separation_along(a, {}, b, pose, glm::dvec3(r.normal));
                    ASSERT_NEAR(slab, double(r.distance), 1e-6);
                }
            }
        }
    }
    EXPECT_GT(overlapping, 200);
}

// 5: an absolute tolerance of a millimetre is the whole of a small shape; squared distances make a face behind the
// origin look near.
TEST(KnownErrors, DepthScalesWithTheShapes) {
    Random random(20);
    for (int i = 0; i < 300; ++i) {
        const Quat qa = random.orientation();
        const Quat qb = random.orientation();
        const Vec3 offset(random.direction() * random.between(0.0, 1.5));
        const double large = double(signed_distance(unit_box, {Vec3(0), qa}, unit_box, {offset, qb}).distance);
        const Shape tiny = oracle::make(Box{Vec3(1e-3f)});
        const double small = double(signed_distance(tiny, {Vec3(0), qa}, tiny, {offset * 1e-3f, qb}).distance);
        ASSERT_NEAR(small * 1e3, large, 1e-5 * std::abs(large) + 1e-6) << i;
    }
    // The origin of the difference close behind one face and far from the others.
    const DistanceResult r = signed_distance(unit_box, {}, unit_box, {Vec3(1.999f, 0.3f, 0.1f)});
    EXPECT_NEAR(r.distance, -0.001f, 1e-6f);
    EXPECT_NEAR(r.normal.x, 1.0f, 1e-6f);
}

// 6: a fast spin needs more than ten advances: never "no hit" because the steps ran out.
TEST(KnownErrors, ManyAdvancesAreNotAMiss) {
    const Shape beam = oracle::make(Box{Vec3(3.0f, 0.25f, 0.25f)});
    const Shape post = oracle::make(Box{Vec3(0.1f, 0.1f, 1.0f)});
    Sweep spinning;
    spinning.angular_velocity = Vec3(0, 0, 20);
    Sweep standing;
    standing.start.position = Vec3(0, 2.9f, 0);
    for (int n = 1; n < 10; ++n) {
        ToiSettings settings;
        settings.max_iterations = n;
        const TimeOfImpact r = time_of_impact(beam, spinning, post, standing, 0.2f, settings);
        ASSERT_NE(r.status, ToiStatus::miss) << n;
        ASSERT_LE(r.time, 0.0785f);
    }
}

// 9: separated pairs have a normal.
TEST(KnownErrors, SeparatedPairsHaveANormal) {
    const Shape sphere = oracle::make(Sphere{0.5f});
    const DistanceResult r = signed_distance(unit_box, {}, sphere, {Vec3(0, 4, 0)});
    EXPECT_EQ(r.status, QueryStatus::separated);
    EXPECT_EQ(r.normal, Vec3(0, 1, 0));
    const DistanceResult boxes = signed_distance(unit_box, {}, unit_box, {Vec3(0, 0, -4)});
    EXPECT_LT(glm::length(boxes.normal - Vec3(0, 0, -1)), 1e-6f);
    EXPECT_NEAR(boxes.distance, 2.0f, 1e-6f);
}

// 10: the origin on the line through the simplex (centres in line with a corner, an edge, a face) gives no zero search
// direction, touching counts, and the loop ends.
TEST(KnownErrors, OriginOnTheLineOfTheSimplex) {
    for (int x = -1; x <= 1; ++x) {
        for (int y = -1; y <= 1; ++y) {
            for (int z = -1; z <= 1; ++z) {
                for (const float k : {0.0f, 0.5f, 1.0f, 2.0f, 2.5f}) {
                    const Vec3 d = Vec3(float(x), float(y), float(z)) * k;
                    const bool expected = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) <= 2.0f;
                    ASSERT_EQ(overlap(unit_box, {}, unit_box, {d}), expected) << x << y << z << k;
                    const DistanceResult r = signed_distance(unit_box, {}, unit_box, {d});
                    ASSERT_NE(r.status, QueryStatus::failed);
                    ASSERT_LE(r.gjk_iterations, 12);
                    ASSERT_LE(r.epa_iterations, 30);
                }
            }
        }
    }
}

// 11: faces seen by the new point are removed by the side of their planes; the silhouette never comes out empty and the
// loop ends. Boxes resting flush, where boxes "fall through each other", and coplanar facets everywhere.
TEST(KnownErrors, FlushBoxesHaveTheirDepth) {
    for (const float depth : {1e-4f, 1e-3f, 0.1f, 0.5f}) {
        for (const float side : {0.0f, 0.1f, 0.9f}) {
            const DistanceResult r = signed_distance(unit_box, {}, unit_box, {Vec3(side, 0, 2.0f - depth)});
            ASSERT_NEAR(r.distance, -depth, 1e-6f);
            ASSERT_LT(glm::length(r.normal - Vec3(0, 0, 1)), 1e-6f);
            ASSERT_LE(r.epa_iterations, 20);
            ASSERT_LT(glm::length(r.point_b - r.point_a - r.normal * r.distance), 1e-5f);
        }
    }
}

// 12: beside a box there is no hit, however the region tests fall through; every direction round it.
TEST(KnownErrors, NoFalseHitsBesideAShape) {
    Random random(21);
    const Shape diamond = oracle::make(Diamond{1.0f});
    int beside = 0, on = 0;
    for (int i = 0; i < oracle::count(20000); ++i) {
        const Shape& a = i % 2 == 0 ? unit_box : diamond;
        const Transform pa{Vec3(0), random.orientation()};
        Transform pb{Vec3(0), random.orientation()};
        const glm::dvec3 n = random.direction();
        const double gap = random.between(-0.2, 0.2);
        pb.position = Vec3(n * (gap - oracle::separation_along(a, pa, unit_box, pb, n)));
        const bool hit = overlap(a, pa, unit_box, pb);
        if (gap > 1e-5) { // a slab between them proves it
            ASSERT_FALSE(hit) << i;
            ++beside;
        } else {
            on += hit;
        }
    }
    EXPECT_GT(beside, 5000);
    EXPECT_GT(on, 1000);
}

// The polytope alone, from every dimension of the last simplex.
TEST(KnownErrors, PolytopeBoundsItsAnswer) {
    Random random(22);
    std::array<int, 5> from{};
    for (int i = 0; i < 2000; ++i) {
        const Vec3 offset = i % 4 == 0 ? Vec3(0.0f) : Vec3(random.direction() * random.between(0.0, 1.0));
        const Quat q = i % 3 == 0 ? identity_orientation : random.orientation();
        const CorePair pair = core_pair(unit_box, unit_box, relative_frame(frame_of({}), frame_of({offset, q})));
        const GjkResult g = gjk(pair, 1e300, -1.0, between_centres(pair));
        ASSERT_EQ(g.outcome, GjkResult::Outcome::touching);
        ++from[g.count];
        const EpaResult e = epa(pair, g);
        ASSERT_GE(e.depth, e.lower - 1e-9);
        ASSERT_LT(e.depth - e.lower, 1e-5);
        ASSERT_NEAR(glm::length(e.normal), 1.0, 1e-9);
    }
    EXPECT_GT(from[4], 0);
    EXPECT_GT(from[2] + from[3], 0);
}

} // namespace
} // namespace cairn::physics
