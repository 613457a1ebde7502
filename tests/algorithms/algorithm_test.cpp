// The algorithms against each other, over every combination of shapes and of ways to lie to each other: a sample in the
// ordinary run, over a million pairs with CAIRN_LONG=1.
#include "app/algorithms/algorithm.h"
#include "tests/physics/query/pair_generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>
#include <string>

namespace cairn::algorithms {

using namespace physics;

namespace {

using oracle::DVec3;
using oracle::Kind;
using oracle::Pair;
using oracle::Random;

// Touching is what single precision cannot tell from either side; of the pair's size.
constexpr double touching = 1e-6;
// What the depths by two algorithms may differ by: of the depth, and of the size.
constexpr double depth_tolerance = 1e-4;
constexpr double size_tolerance = 1e-6;
// World points are single precision.
constexpr double rounding = 4e-7;

struct Tally {
    int pairs = 0, measured_twice = 0;
    int separated = 0, touching = 0, overlapping = 0; // by gjk_epa
    int apart_by_sat = 0, deep_by_sat = 0;
    int hits = 0, misses = 0; // by region_gjk
    int most_rounds = 0;      // of region_gjk
    double worst_depth = 0.0; // difference, of the depth
    double worst_distance = 0.0;
    std::map<std::string, int> classes;
    std::map<std::string, int> errors;
    std::string examples;
};

class Comparison {
  public:
    Comparison(const Pair& pair, Tally& tally) : c_(pair), tally_(tally) {}

    void run() {
        const QueryAnswer reference = answer(QueryAlgorithm::gjk_epa);
        ++tally_.pairs;
        tally_.separated += reference.status == QueryStatus::separated;
        tally_.touching += reference.status == QueryStatus::touching;
        tally_.overlapping += reference.status == QueryStatus::overlapping;
        ++tally_.classes[oracle::name(c_.setting)];
        ++tally_.classes[oracle::name(c_.placing)];
        ++tally_.classes[oracle::name(c_.ratio)];
        ++tally_.classes[oracle::name(c_.form_a)];
        ++tally_.classes[oracle::name(c_.form_b)];
        distance_ = double(reference.separation->distance);
        expect(reference.status != QueryStatus::failed, "gjk_epa failed", distance_, 0.0);
        separates(*reference.separation, depth_tolerance, "normal by gjk_epa");
        compare_region_gjk();
        if (answers(QueryAlgorithm::sat, c_.a, c_.b)) {
            compare_sat(reference);
        }
    }

  private:
    QueryAnswer answer(QueryAlgorithm algorithm) const {
        return query_pair(algorithm, c_.a, c_.pose_a, c_.b, c_.pose_b).value();
    }

    void expect(bool condition, const char* what, double got, double wanted) {
        if (condition) {
            return;
        }
        if (tally_.errors[what]++ < 2) {
            char text[160];
            std::snprintf(text, sizeof text, "%s: got %.9g, wanted %.9g\n    ", what, got, wanted);
            tally_.examples += text + oracle::describe(c_) + '\n';
        }
    }

    // The normal separates by the distance, and moving B by the depth along it separates.
    void separates(const Separation& s, double of_distance, const char* what) {
        const double distance = double(s.distance);
        const DVec3 n = glm::normalize(DVec3(s.normal));
        const double along = oracle::separation_along(c_.a, c_.pose_a, c_.b, c_.pose_b, n);
        expect(std::abs(glm::length(DVec3(s.normal)) - 1.0) < 1e-5, what, glm::length(DVec3(s.normal)), 1.0);
        expect(along >= distance - size_tolerance * c_.size - of_distance * std::abs(distance), what, along, distance);
    }

    void compare_region_gjk() {
        const QueryAnswer r = answer(QueryAlgorithm::region_gjk);
        const bool hit = r.status == QueryStatus::overlapping;
        tally_.hits += hit;
        tally_.misses += r.status == QueryStatus::separated;
        tally_.most_rounds = std::max(tally_.most_rounds, r.iterations);
        expect(!r.separation.has_value(), "region_gjk measures", 1.0, 0.0);
        expect(hit || r.status == QueryStatus::separated, "region_gjk failed", r.iterations, distance_);
        expect(!hit || distance_ <= 2.0 * touching * c_.size, "region_gjk hits what is apart", r.iterations, distance_);
        expect(hit || distance_ >= 0.0, "region_gjk misses an overlap", r.iterations, distance_);
    }

    void compare_sat(const QueryAnswer& reference) {
        const QueryAnswer r = answer(QueryAlgorithm::sat);
        const Separation& s = *r.separation;
        const double distance = double(s.distance);
        const double difference = std::abs(distance - distance_);
        ++tally_.measured_twice;
        tally_.apart_by_sat += r.status == QueryStatus::separated;
        tally_.deep_by_sat += distance < -0.01 * c_.size;
        expect(r.status != QueryStatus::failed, "sat failed", distance, distance_);
        expect(r.status == reference.status || std::abs(distance_) <= 2.0 * touching * c_.size, "sat disagrees",
               distance, distance_);
        if (distance_ >= 0.0) {
            tally_.worst_distance = std::max(tally_.worst_distance, difference / (c_.size + distance_));
            expect(difference <= size_tolerance * (c_.size + distance_), "distance by sat", distance, distance_);
        } else {
            if (distance_ < -1e-3 * c_.size) {
                tally_.worst_depth = std::max(tally_.worst_depth, difference / -distance_);
            }
            expect(difference <= depth_tolerance * -distance_ + size_tolerance * c_.size, "depth by sat", distance,
                   distance_);
        }
        separates(s, size_tolerance, "normal by sat");
        const double coarse = rounding * (c_.size + double(glm::length(c_.pose_b.position)));
        const DVec3 between = DVec3(s.point_b) - DVec3(s.point_a) - distance * DVec3(s.normal);
        expect(glm::length(between) <= 2e-6 * (c_.size + std::abs(distance)) + coarse, "points by sat",
               glm::length(between), 0.0);
        const double off_a = oracle::outside(c_.a, c_.pose_a, DVec3(s.point_a));
        const double off_b = oracle::outside(c_.b, c_.pose_b, DVec3(s.point_b));
        expect(std::abs(off_a) <= 2e-6 * c_.size + coarse, "point by sat on A", off_a, 0.0);
        expect(std::abs(off_b) <= 2e-6 * c_.size + coarse, "point by sat on B", off_b, 0.0);
    }

    const Pair& c_;
    Tally& tally_;
    double distance_ = 0.0; // by gjk_epa
};

bool is_polytope(Kind kind) {
    return kind == Kind::box || kind == Kind::hull || kind == Kind::diamond;
}

TEST(Algorithms, AgreeOnEveryPair) {
    Tally tally;
    for (const Kind ka : oracle::all_kinds) {
        for (const Kind kb : oracle::all_kinds) {
            Random random(50000 + 10 * std::uint64_t(ka) + std::uint64_t(kb));
            const int pairs = is_polytope(ka) && is_polytope(kb) ? oracle::count(80, 420) : oracle::count(20, 900);
            for (int i = 0; i < pairs; ++i) {
                const Pair pair = oracle::random_pair(ka, kb, random);
                Comparison(pair, tally).run();
            }
        }
    }
    std::printf("%d pairs, %d of them polytopes; by gjk_epa separated %d touching %d overlapping %d; depth by sat "
                "differs by %.2e of it, distance by %.2e of the size; region_gjk took %d rounds at most\n",
                tally.pairs, tally.measured_twice, tally.separated, tally.touching, tally.overlapping,
                tally.worst_depth, tally.worst_distance, tally.most_rounds);
    for (const auto& [what, count] : tally.errors) {
        ADD_FAILURE() << what << ": " << count << " times";
    }
    EXPECT_TRUE(tally.examples.empty()) << tally.examples;

    EXPECT_GT(tally.separated, tally.pairs / 10);
    EXPECT_GT(tally.overlapping, tally.pairs / 10);
    EXPECT_GT(tally.touching, tally.pairs / 50);
    EXPECT_GT(tally.hits, tally.pairs / 10);
    EXPECT_GT(tally.misses, tally.pairs / 10);
    EXPECT_GT(tally.apart_by_sat, tally.measured_twice / 10);
    EXPECT_GT(tally.deep_by_sat, tally.measured_twice / 10);
    const auto expect_all = [&](const auto& classes) {
        for (const auto c : classes) {
            EXPECT_GT(tally.classes[oracle::name(c)], tally.pairs / 100) << oracle::name(c);
        }
    };
    expect_all(oracle::all_settings);
    expect_all(oracle::all_placings);
    expect_all(oracle::all_forms);
    expect_all(oracle::all_ratios);
}

TEST(Algorithms, HaveNames) {
    for (const QueryAlgorithm algorithm : all_query_algorithms) {
        EXPECT_EQ(query_algorithm(name_of(algorithm)), algorithm);
        EXPECT_FALSE(scope_of(algorithm).empty());
    }
    EXPECT_EQ(name_of(QueryAlgorithm::gjk_epa), "gjk_epa");
    EXPECT_EQ(name_of(QueryAlgorithm::sat), "sat");
    EXPECT_EQ(name_of(QueryAlgorithm::region_gjk), "region_gjk");
    EXPECT_FALSE(query_algorithm("").has_value());
    EXPECT_FALSE(query_algorithm("SAT").has_value());
    EXPECT_FALSE(query_algorithm("sat ").has_value());
}

TEST(Algorithms, SayWhatTheyCannotAnswer) {
    const std::array<Shape, 7> shapes{oracle::make(Sphere{1.0f}),
                                      oracle::make(Box{Vec3(1.0f)}),
                                      oracle::make(Capsule{0.5f, 0.5f}),
                                      oracle::make(Cylinder{0.5f, 0.5f}),
                                      oracle::make(Cone{0.5f, 1.0f}),
                                      oracle::make(Diamond{1.0f}),
                                      oracle::make(PointSet{std::make_shared<const std::vector<Vec3>>(
                                          std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}})})};
    int rejected = 0;
    Transform away;
    away.position = Vec3(5.0f, 0.0f, 0.0f);
    for (const Shape& a : shapes) {
        for (const Shape& b : shapes) {
            const bool polytopes = (a.kind == ShapeKind::box || a.kind == ShapeKind::hull) &&
                                   (b.kind == ShapeKind::box || b.kind == ShapeKind::hull);
            for (const QueryAlgorithm algorithm : all_query_algorithms) {
                const auto answer = query_pair(algorithm, a, Transform{}, b, away);
                ASSERT_EQ(answer.has_value(), algorithm != QueryAlgorithm::sat || polytopes);
                ASSERT_EQ(answers(algorithm, a, b), answer.has_value());
                rejected += !answer.has_value();
                if (answer) {
                    EXPECT_EQ(answer->status, QueryStatus::separated);
                    EXPECT_EQ(answer->separation.has_value(), algorithm != QueryAlgorithm::region_gjk);
                }
            }
        }
    }
    EXPECT_EQ(rejected, 49 - 9);
}

// A pose that is no pose is answered, by every algorithm, and not with a hit.
TEST(Algorithms, FailOnPosesThatAreNotFinite) {
    const Shape box = oracle::make(Box{Vec3(1.0f)});
    const Shape cone = oracle::make(Cone{0.5f, 1.0f});
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        Transform pose;
        pose.position.y = bad;
        const auto by_sat = query_pair(QueryAlgorithm::sat, box, Transform{}, box, pose);
        EXPECT_NE(by_sat->status, QueryStatus::overlapping);
        for (const Shape& other : {box, cone}) {
            const auto by_regions = query_pair(QueryAlgorithm::region_gjk, box, Transform{}, other, pose);
            EXPECT_NE(by_regions->status, QueryStatus::overlapping);
        }
    }
}

} // namespace
} // namespace cairn::algorithms
