// Distance and depth against brute force over the features of polytopes; the oracles against each other; and the cases
// that can be worked out by hand. million_pairs_test.cpp goes through all shapes.
#include "physics/query/distance.h"
#include "tests/physics/query/direction_search.h"
#include "tests/physics/query/pair_generator.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace cairn::physics {
namespace {

using oracle::DVec3;
using oracle::Kind;
using oracle::Random;

constexpr std::array polytopes{Kind::sphere, Kind::box, Kind::capsule, Kind::hull, Kind::diamond};

template <typename Visit>
void for_pairs(std::span<const Kind> kinds, std::uint64_t seed, int count, Visit visit) {
    for (const Kind a : kinds) {
        for (const Kind b : kinds) {
            Random random(seed + 10 * std::uint64_t(a) + std::uint64_t(b));
            for (int i = 0; i < count; ++i) {
                visit(oracle::random_pair(a, b, random));
                if (::testing::Test::HasFatalFailure()) {
                    return;
                }
            }
        }
    }
}

TEST(Distance, AgreesWithBruteForceOverFeatures) {
    int separated = 0, overlapping = 0;
    double worst_distance = 0.0, worst_depth = 0.0;
    for_pairs(polytopes, 100, oracle::count(40), [&](const oracle::Pair& c) {
        const double exact =
            oracle::signed_distance(oracle::solid(c.a, c.pose_a), oracle::solid(c.b, c.pose_b)).distance;
        const double got = double(signed_distance(c.a, c.pose_a, c.b, c.pose_b).distance);
        const double error = std::abs(got - exact);
        if (exact >= 0.0) {
            ++separated;
            worst_distance = std::max(worst_distance, error / (c.size + exact));
            ASSERT_LT(error, 1e-6 * (c.size + exact)) << describe(c) << " got " << got << " expected " << exact;
        } else {
            ++overlapping;
            worst_depth = std::max(worst_depth, error / c.size);
            ASSERT_LT(error, 1e-5 * -exact + 3e-7 * c.size) << describe(c) << " got " << got << " expected " << exact;
        }
    });
    std::printf("%d separated, worst error %.1e of size and distance; %d overlapping, worst error %.1e of the size\n",
                separated, worst_distance, overlapping, worst_depth);
    EXPECT_GT(separated, 100);
    EXPECT_GT(overlapping, 100);
}

// Two proofs that share no line: over all features, and over all directions.
TEST(DistanceOracle, FeaturesAndDirectionsAgree) {
    int separated = 0, overlapping = 0;
    for_pairs(polytopes, 200, oracle::count(40), [&](const oracle::Pair& c) {
        const double exact =
            oracle::signed_distance(oracle::solid(c.a, c.pose_a), oracle::solid(c.b, c.pose_b)).distance;
        const oracle::Bounds proof = oracle::bounded_distance(c.a, c.pose_a, c.b, c.pose_b, 1e-6, 1e-8 * c.size);
        ASSERT_LE(proof.lower, proof.upper);
        ASSERT_LE(proof.upper - proof.lower, 1e-6 * std::abs(proof.lower) + 1.1e-8 * c.size) << describe(c);
        // Faces of hulls are flat up to the rounding of their vertices only.
        const double rounding = 5e-7 * c.size + 1e-12 * std::abs(exact);
        ASSERT_GE(exact, proof.lower - rounding) << describe(c);
        ASSERT_LE(exact, proof.upper + rounding) << describe(c);
        ASSERT_NEAR(oracle::separation_along(c.a, c.pose_a, c.b, c.pose_b, proof.direction), proof.lower,
                    1e-12 * (c.size + std::abs(exact)) * 1e2)
            << describe(c);
        (exact > 0.0 ? separated : overlapping) += 1;
    });
    EXPECT_GT(separated, 100);
    EXPECT_GT(overlapping, 100);
}

// The generator puts two farthest points on one line, so it knows the distance that it made, for round shapes too.
TEST(DistanceOracle, FindsTheGapThatWasMade) {
    using oracle::Placing;
    int far = 0, touching = 0;
    for_pairs(oracle::all_kinds, 300, oracle::count(20), [&](const oracle::Pair& c) {
        const oracle::Bounds proof = oracle::bounded_distance(c.a, c.pose_a, c.b, c.pose_b, 1e-6, 1e-8 * c.size);
        const double rounding =
            1e-6 * (c.size + glm::length(DVec3(c.pose_a.position)) + glm::length(DVec3(c.pose_b.position)));
        switch (c.placing) {
        case Placing::far:
            ASSERT_GT(proof.lower, 0.09 * c.size - rounding) << describe(c);
            ++far;
            break;
        case Placing::near:
            ASSERT_GT(proof.lower, -rounding) << describe(c);
            ASSERT_LT(proof.upper, 0.1 * c.small + rounding) << describe(c);
            break;
        case Placing::touching:
            ASSERT_NEAR(proof.lower, 0.0, 1e-6 * c.size + rounding) << describe(c);
            ++touching;
            break;
        case Placing::shallow:
            ASSERT_GT(proof.lower, -0.02 * c.small - rounding) << describe(c);
            // Corners that meet aslant may pass by each other.
            ASSERT_LT(proof.upper, 0.02 * c.small + rounding) << describe(c);
            break;
        case Placing::deep:
            ASSERT_GT(proof.lower, -c.small - rounding) << describe(c); // through a thin plate it may come out again
            break;
        case Placing::contained:
        case Placing::coincident:
            ASSERT_LT(proof.upper, 0.0) << describe(c);
            break;
        }
    });
    EXPECT_GT(far, 100);
    EXPECT_GT(touching, 100);
}

// Worked out by hand, for shapes round and flat.
TEST(DistanceOracle, FindsKnownDepths) {
    const Transform origin;
    const Quat across(std::sqrt(0.5f), std::sqrt(0.5f), 0.0f, 0.0f);
    const auto check = [&](const Geometry& a, const Geometry& b, const Transform& pose_b, double expected) {
        const Shape sa = oracle::make(a);
        const Shape sb = oracle::make(b);
        const oracle::Bounds proof = oracle::bounded_distance(sa, origin, sb, pose_b, 1e-7, 1e-9);
        EXPECT_LE(proof.upper - proof.lower, 1e-7 * std::abs(expected) + 1.1e-9);
        // The shapes' sizes are floats: 0.3f is not 0.3.
        EXPECT_LE(proof.lower, expected + 2e-7);
        EXPECT_GE(proof.upper, expected - 2e-7);
        EXPECT_NEAR(double(signed_distance(sa, origin, sb, pose_b).distance), expected, 1e-6);
    };
    // Coaxial: equally deep all round, 0.5 + 0.25; with shorter cylinders along the axis.
    check(Cylinder{0.5f, 2.0f}, Cylinder{0.25f, 1.0f}, origin, -0.75);
    check(Cylinder{2.0f, 0.5f}, Cylinder{1.0f, 0.25f}, origin, -0.75);
    check(Cylinder{0.5f, 2.0f}, Cylinder{0.25f, 1.0f}, {Vec3(0.0f, 0.0f, 3.5f), identity_orientation}, 0.5);
    check(Cylinder{0.5f, 2.0f}, Cylinder{0.25f, 1.0f}, {Vec3(1.0f, 0.0f, 0.0f), identity_orientation}, 0.25);
    // Crossed cylinders: sides against each other.
    check(Cylinder{0.5f, 2.0f}, Cylinder{0.5f, 2.0f}, {Vec3(0.75f, 0.0f, 0.0f), across}, -0.25);
    // Cone on its base in a large box: out through the base, 1/4 of its height above the origin.
    check(Box{Vec3(10.0f, 10.0f, 1.0f)}, Cone{1.0f, 2.0f}, {Vec3(0.0f, 0.0f, 1.25f), identity_orientation}, -0.25);
    // Tip to tip with another cone, upside down.
    check(Cone{1.0f, 2.0f}, Cone{1.0f, 2.0f}, {Vec3(0.0f, 0.0f, 3.5f), Quat(0.0f, 1.0f, 0.0f, 0.0f)}, 0.5);
    // Through the mantle of half angle atan(1/2): the base rim of B touches nothing, B's centre is 1 from A's axis.
    check(Sphere{0.5f}, Cylinder{1.0f, 1.0f}, {Vec3(0.0f, 0.0f, 0.5f), identity_orientation}, -1.0);
    check(Box{Vec3(1.0f)}, Box{Vec3(1.0f)}, {Vec3(1.5f, 0.25f, 0.0f), identity_orientation}, -0.5);
    check(Capsule{0.5f, 1.0f}, Capsule{0.5f, 1.0f}, {Vec3(0.75f, 0.0f, 0.0f), across}, -0.25);
}

} // namespace
} // namespace cairn::physics
