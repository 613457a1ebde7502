// Signed distance against an independent proof, over every combination of shapes and of ways to lie to each other: a
// sample in the ordinary run, over a million pairs with CAIRN_LONG=1.
#include "physics/query/distance.h"
#include "tests/physics/query/direction_search.h"
#include "tests/physics/query/pair_generator.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace cairn::physics {
namespace {

using oracle::DVec3;
using oracle::Kind;
using oracle::Pair;
using oracle::Random;

// What the queries promise.
constexpr double distance_tolerance = 1e-5; // of the pair's size
constexpr double deep_tolerance = 1e-4;     // of the depth
// The result is a float, the poses are floats: of the pair's size, added to the above.
constexpr double pair_resolution = 1.2e-7;
// Up to this the status is `touching`, which says that the sign is not known; of the pair's size.
constexpr double touching_gap = 1e-6;
// Closer to the border between two states than this the state may be either; of the pair's size.
constexpr double undecided = 2.0 * touching_gap;
// Points are world coordinates in floats: relative to the pair's size and its distance from the world's origin.
constexpr double point_resolution = 4e-7;

struct MillionTally {
    int pairs = 0;
    std::map<std::string, int> states, kinds_of_failure, classes;
    std::vector<std::string> examples;
    double worst_distance = 0.0;   // error of the pair's size and the distance: the result is a float
    double worst_depth = 0.0;      // error of the depth, for depths of more than a thousandth of the size
    double worst_depth_size = 0.0; // error of the pair's size, for all depths
    double widest = 0.0;           // of the proof, in terms of what it is to prove
    int most_gjk = 0, most_epa = 0;
    long long cells = 0;
};

class Check {
  public:
    Check(const Pair& pair, MillionTally& tally) : c_(pair), tally_(tally) {}

    void run() {
        const DistanceResult r = signed_distance(c_.a, c_.pose_a, c_.b, c_.pose_b);
        count(r);
        against_proof(r);
        normal_and_points(r);
        other_ways(r);
    }

  private:
    void expect(bool condition, const char* what, double got, double wanted) {
        if (condition) {
            return;
        }
        if (tally_.kinds_of_failure[what]++ < 2) {
            char text[160];
            std::snprintf(text, sizeof text, "%s: got %.9g, wanted %.9g\n    ", what, got, wanted);
            tally_.examples.push_back(text + oracle::describe(c_));
        }
    }

    void count(const DistanceResult& r) {
        ++tally_.pairs;
        constexpr std::array states{"separated", "touching_gap", "overlapping", "failed"};
        ++tally_.states[states[std::size_t(r.status)]];
        ++tally_.classes[oracle::name(c_.setting)];
        ++tally_.classes[oracle::name(c_.placing)];
        ++tally_.classes[oracle::name(c_.ratio)];
        ++tally_.classes[oracle::name(c_.form_a)];
        ++tally_.classes[oracle::name(c_.form_b)];
        tally_.most_gjk = std::max(tally_.most_gjk, r.gjk_iterations);
        tally_.most_epa = std::max(tally_.most_epa, r.epa_iterations);
    }

    void against_proof(const DistanceResult& r) {
        const double d = double(r.distance);
        const oracle::Bounds proof = oracle::bounded_distance(c_.a, c_.pose_a, c_.b, c_.pose_b, 2e-6, 1e-8 * c_.size);
        tally_.cells += proof.cells;
        // The error that is certain: how far the answer lies outside the proven interval.
        const double error = std::max({proof.lower - d, d - proof.upper, 0.0});
        const double truth = d < proof.lower ? proof.lower : proof.upper;
        if (proof.lower >= 0.0) {
            const double allowed = distance_tolerance * c_.size;
            tally_.worst_distance = std::max(tally_.worst_distance, error / (c_.size + proof.lower));
            tally_.widest =
                std::max(tally_.widest, (proof.upper - proof.lower) / (allowed + distance_tolerance * proof.lower));
            expect(error <= allowed + pair_resolution * proof.lower, "distance", d, truth);
        } else {
            const double allowed = tolerance_of_depth(r, proof.lower);
            tally_.worst_depth_size = std::max(tally_.worst_depth_size, error / c_.size);
            if (proof.lower < -1e-3 * c_.size) {
                tally_.worst_depth = std::max(tally_.worst_depth, -error / proof.lower);
            }
            tally_.widest = std::max(tally_.widest, (proof.upper - proof.lower) / allowed);
            expect(error <= allowed, "depth", d, truth);
        }
        expect(r.status != QueryStatus::failed, "status failed", d, truth);
        if (proof.lower > undecided * c_.size) {
            expect(r.status == QueryStatus::separated, "status of a separated pair", d, truth);
        } else if (proof.upper < -undecided * c_.size) {
            expect(r.status == QueryStatus::overlapping, "status of an overlapping pair", d, truth);
        }
    }

    double tolerance_of_depth(const DistanceResult& r, double d) const {
        return r.status == QueryStatus::touching ? touching_gap * c_.size
                                                 : -deep_tolerance * d + pair_resolution * c_.size;
    }

    void normal_and_points(const DistanceResult& r) {
        const double d = double(r.distance);
        const double length = glm::length(DVec3(r.normal));
        expect(std::abs(length - 1.0) < 1e-6, "length of the normal", length, 1.0);
        const DVec3 n = DVec3(r.normal) / length;
        // Moving B by the depth along the normal separates; outside, the slabs along the normal are that far apart.
        const double slab = oracle::separation_along(c_.a, c_.pose_a, c_.b, c_.pose_b, n);
        const double slack =
            (d < 0.0 ? deep_tolerance * -d : distance_tolerance * c_.size) + pair_resolution * (c_.size + std::abs(d));
        expect(slab >= d - slack, "separation along the normal", slab, d);
        const double rounding = point_resolution * (c_.size + glm::length(DVec3(c_.pose_a.position)) +
                                                    glm::length(DVec3(c_.pose_b.position)));
        const double apart = glm::length(DVec3(r.point_b) - DVec3(r.point_a) - d * n);
        const double on_a = oracle::outside(c_.a, c_.pose_a, DVec3(r.point_a));
        const double on_b = oracle::outside(c_.b, c_.pose_b, DVec3(r.point_b));
        const double allowed = distance_tolerance * c_.size + rounding;
        expect(apart <= allowed + deep_tolerance * std::abs(d), "points along the normal", apart, 0.0);
        expect(std::abs(on_a) <= allowed, "point on A's surface", on_a, 0.0);
        expect(std::abs(on_b) <= allowed, "point on B's surface", on_b, 0.0);
    }

    void other_ways(const DistanceResult& r) {
        const double d = double(r.distance);
        const bool meet = overlap(c_.a, c_.pose_a, c_.b, c_.pose_b);
        expect(meet == (r.status != QueryStatus::separated), "overlap() against the status", meet ? 1.0 : 0.0, d);

        const double allowed = 2.0 * (d < 0.0 ? tolerance_of_depth(r, d) : distance_tolerance * c_.size);
        const DistanceResult swapped = signed_distance(c_.b, c_.pose_b, c_.a, c_.pose_a);
        expect(std::abs(double(swapped.distance) - d) <= allowed + pair_resolution * std::abs(d), "roles swapped",
               double(swapped.distance), d);

        Random random(std::uint64_t(tally_.pairs));
        const Transform motion{Vec3(random.direction() * c_.size), random.orientation()};
        Transform moved_a = compose(motion, c_.pose_a);
        Transform moved_b = compose(motion, c_.pose_b);
        moved_a.orientation = normalized(moved_a.orientation);
        moved_b.orientation = normalized(moved_b.orientation);
        const DistanceResult moved = signed_distance(c_.a, moved_a, c_.b, moved_b);
        const double rounding =
            1e-6 * (2.0 * c_.size + glm::length(DVec3(moved_a.position)) + glm::length(DVec3(moved_b.position)));
        expect(std::abs(double(moved.distance) - d) <= allowed + rounding, "moved together", double(moved.distance), d);
    }

    const Pair& c_;
    MillionTally& tally_;
};

struct KindPair {
    Kind a, b;
};

std::vector<KindPair> all_kind_pairs() {
    std::vector<KindPair> pairs;
    for (const Kind a : oracle::all_kinds) {
        for (const Kind b : oracle::all_kinds) {
            if (a <= b) {
                pairs.push_back({a, b});
            }
        }
    }
    return pairs;
}

class MillionPairs : public ::testing::TestWithParam<KindPair> {};

TEST_P(MillionPairs, DistanceAndDepthAreProven) {
    const auto [a, b] = GetParam();
    Random random(7000 + 10 * std::uint64_t(a) + std::uint64_t(b));
    MillionTally tally;
    const int pairs = oracle::count(120, 300); // 28 combinations: 1,008,000 pairs in the long run
    for (int i = 0; i < pairs; ++i) {
        const bool swap = random.below(2) == 0;
        const Pair pair = oracle::random_pair(swap ? b : a, swap ? a : b, random);
        Check(pair, tally).run();
    }
    std::printf("%-8s %-8s: %d pairs, separated %d touching_gap %d overlapping %d failed %d; worst distance %.1e of "
                "size and distance, worst depth %.1e relative and %.1e of the size; proof within %.2f; most iterations "
                "gjk %d epa "
                "%d; %.0f triangles a pair\n",
                oracle::name(a), oracle::name(b), tally.pairs, tally.states["separated"], tally.states["touching_gap"],
                tally.states["overlapping"], tally.states["failed"], tally.worst_distance, tally.worst_depth,
                tally.worst_depth_size, tally.widest, tally.most_gjk, tally.most_epa,
                double(tally.cells) / tally.pairs);
    for (const auto& [what, times] : tally.kinds_of_failure) {
        ADD_FAILURE() << times << " times: " << what;
    }
    for (const std::string& example : tally.examples) {
        std::printf("  %s\n", example.c_str());
    }
    EXPECT_LT(tally.widest, 0.25) << "the proof is too wide to decide";
    EXPECT_GT(tally.states["separated"], pairs / 5);
    EXPECT_GT(tally.states["overlapping"], pairs / 5);
    for (const auto setting : oracle::all_settings) {
        EXPECT_GT(tally.classes[oracle::name(setting)], pairs / 40) << oracle::name(setting);
    }
    for (const auto placing : oracle::all_placings) {
        EXPECT_GT(tally.classes[oracle::name(placing)], pairs / 40) << oracle::name(placing);
    }
    for (const auto ratio : oracle::all_ratios) {
        EXPECT_GT(tally.classes[oracle::name(ratio)], pairs / 8) << oracle::name(ratio);
    }
    const auto has_forms = [](Kind kind) { return kind != Kind::sphere && kind != Kind::diamond; };
    if (has_forms(a) || has_forms(b)) {
        EXPECT_GT(tally.classes["needle"], pairs / 40);
        EXPECT_GT(tally.classes["plate"], pairs / 40);
    }
}

INSTANTIATE_TEST_SUITE_P(AllShapes, MillionPairs, ::testing::ValuesIn(all_kind_pairs()), [](const auto& test) {
    return std::string(oracle::name(test.param.a)) + "_" + oracle::name(test.param.b);
});

} // namespace
} // namespace cairn::physics
