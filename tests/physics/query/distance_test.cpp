// Distance and depth against brute force, over every combination of shapes and of ways to lie to each other.
#include "physics/query/distance.h"
#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace cairn::physics {
namespace {

using oracle::Random;
using DVec3 = glm::dvec3;

enum class Kind { sphere, box, capsule, hull, diamond, cylinder, cone };
constexpr std::array<Kind, 7> all_kinds{Kind::sphere,  Kind::box,      Kind::capsule, Kind::hull,
                                        Kind::diamond, Kind::cylinder, Kind::cone};

bool is_sampled(Kind k) {
    return k == Kind::cylinder || k == Kind::cone;
}

// A shape of about `size` metres; now and then a needle or a plate.
Shape random_shape(Kind kind, double size, Random& random) {
    const auto factor = [&] { return random.below(6) == 0 ? random.log_between(0.01, 1.0) : random.between(0.3, 1.0); };
    const float s = float(size);
    switch (kind) {
    case Kind::sphere:
        return oracle::make(Sphere{s});
    case Kind::box:
        return oracle::make(Box{Vec3(float(factor()) * s, float(factor()) * s, float(factor()) * s)});
    case Kind::capsule:
        return oracle::make(Capsule{float(factor()) * s, float(factor()) * s});
    case Kind::diamond:
        return oracle::make(Diamond{s});
    case Kind::cylinder:
        return oracle::make(Cylinder{float(factor()) * s, float(factor()) * s});
    case Kind::cone:
        return oracle::make(Cone{float(factor()) * s, float(factor()) * s});
    case Kind::hull:
        break;
    }
    for (;;) {
        const DVec3 squash(factor(), factor(), factor());
        auto points = std::make_shared<std::vector<Vec3>>();
        const int n = 4 + random.below(random.below(4) == 0 ? 60 : 12);
        for (int i = 0; i < n; ++i) {
            points->push_back(Vec3(random.direction() * squash * size));
        }
        auto built = build_shape(PointSet{points});
        if (auto* shape = std::get_if<Shape>(&built)) { // four points may be too flat to be accepted
            return *shape;
        }
    }
}

Quat aligned_orientation(Random& random) {
    constexpr float h = 0.70710678f;
    const std::array<Quat, 6> choices{Quat(1, 0, 0, 0), Quat(h, h, 0, 0), Quat(h, 0, h, 0),
                                      Quat(h, 0, 0, h), Quat(0, 1, 0, 0), Quat(0.5f, 0.5f, 0.5f, 0.5f)};
    return choices[random.below(6)];
}

enum class Placing { far, near, touching, shallow, deep, contained, coincident };

struct Case {
    Kind kind_a, kind_b;
    Shape a, b;
    Transform pose_a, pose_b;
    Placing placing;
    double size; // of the pair
};

Case random_case(Kind ka, Kind kb, Random& random) {
    Case c;
    c.kind_a = ka;
    c.kind_b = kb;
    const double size = random.log_between(1e-3, 100.0);
    // The smallest size that shapes may have is 0.1 mm.
    const double ratio = random.below(3) == 0 ? random.log_between(1e-3, 1.0) : random.between(0.3, 1.0);
    const double other = std::max(size * ratio, 0.02);
    const bool swap = random.below(2) == 0;
    c.a = random_shape(ka, std::max(swap ? other : size, 0.02), random);
    c.b = random_shape(kb, std::max(swap ? size : other, 0.02), random);
    c.size = double(c.a.bounding_radius) + double(c.b.bounding_radius);
    const double small = std::min(double(c.a.bounding_radius), double(c.b.bounding_radius));
    const bool parallel = random.below(3) == 0;
    c.pose_a.orientation = parallel ? aligned_orientation(random) : random.orientation();
    c.pose_b.orientation = parallel ? c.pose_a.orientation * aligned_orientation(random) : random.orientation();
    c.pose_a.position = Vec3(random.direction() * random.between(0.0, 10.0) * c.size);
    DVec3 u = random.direction();
    if (parallel && random.below(2) == 0) {
        u = DVec3(rotate(c.pose_a.orientation, Vec3(random.below(2) ? 1 : 0, random.below(2) ? 1 : 0, 1.0f)));
        u = glm::normalize(u);
    }
    c.placing = Placing(random.below(7));
    double gap = 0.0;
    switch (c.placing) {
    case Placing::far:
        gap = random.between(0.1, 20.0) * c.size;
        break;
    case Placing::near:
        gap = random.log_between(1e-4, 0.1) * small;
        break;
    case Placing::touching:
        break;
    case Placing::shallow:
        gap = -random.log_between(1e-4, 0.02) * small;
        break;
    case Placing::deep:
        gap = -random.between(0.05, 1.0) * small;
        break;
    case Placing::contained:
        gap = -1.0;
        break;
    case Placing::coincident:
        break;
    }
    if (c.placing == Placing::coincident) {
        c.pose_b.position = c.pose_a.position;
    } else if (c.placing == Placing::contained) {
        c.pose_b.position = c.pose_a.position + Vec3(u * random.between(0.0, 0.5) * c.size * 0.2);
    } else {
        c.pose_b.position = c.pose_a.position;
        const double now = oracle::separation_along(c.a, c.pose_a, c.b, c.pose_b, u);
        c.pose_b.position = Vec3(DVec3(c.pose_a.position) + u * (gap - now));
        if (c.placing != Placing::far && c.placing != Placing::deep) {
            // Where the nearest features and not just the slabs along u shall be that far apart: start apart, and move
            // along the normal. The answer used here only makes the case, it is not trusted.
            c.pose_b.position = Vec3(DVec3(c.pose_a.position) + u * (c.size * 0.05 - now));
            const DistanceResult r = signed_distance(c.a, c.pose_a, c.b, c.pose_b);
            c.pose_b.position += Vec3(DVec3(r.normal) * (gap - double(r.distance)));
        }
    }
    return c;
}

struct Tally {
    int separated = 0, overlapping = 0, touching = 0, failed = 0, shallow = 0, deep = 0;
    double worst_distance = 0.0, worst_depth = 0.0;
    int most_gjk = 0, most_epa = 0;
};

std::string describe(const Case& c) {
    char text[512];
    std::snprintf(text, sizeof text,
                  "kinds %d %d placing %d size %g a(%.9g; %.9g %.9g %.9g; %.9g %.9g %.9g; %.9g %.9g %.9g %.9g) b(%.9g; "
                  "%.9g %.9g %.9g; "
                  "%.9g %.9g %.9g; %.9g %.9g %.9g %.9g)",
                  int(c.kind_a), int(c.kind_b), int(c.placing), c.size, double(c.a.radius), double(c.a.half_extents.x),
                  double(c.a.half_extents.y), double(c.a.half_extents.z), double(c.pose_a.position.x),
                  double(c.pose_a.position.y), double(c.pose_a.position.z), double(c.pose_a.orientation.w),
                  double(c.pose_a.orientation.x), double(c.pose_a.orientation.y), double(c.pose_a.orientation.z),
                  double(c.b.radius), double(c.b.half_extents.x), double(c.b.half_extents.y),
                  double(c.b.half_extents.z), double(c.pose_b.position.x), double(c.pose_b.position.y),
                  double(c.pose_b.position.z), double(c.pose_b.orientation.w), double(c.pose_b.orientation.x),
                  double(c.pose_b.orientation.y), double(c.pose_b.orientation.z));
    return text;
}

void check(const Case& c, Tally& tally) {
    const DistanceResult r = signed_distance(c.a, c.pose_a, c.b, c.pose_b);
    const double distance = double(r.distance);
    const double rounding = 4e-7 * (c.size + double(glm::length(c.pose_b.position)) * 0.5);
    ASSERT_NE(r.status, QueryStatus::failed)
        << describe(c) << " distance " << distance << " iterations " << r.gjk_iterations << " " << r.epa_iterations;
    tally.separated += r.status == QueryStatus::separated;
    tally.overlapping += r.status == QueryStatus::overlapping;
    tally.touching += r.status == QueryStatus::touching;
    tally.most_gjk = std::max(tally.most_gjk, r.gjk_iterations);
    tally.most_epa = std::max(tally.most_epa, r.epa_iterations);

    const DVec3 n = glm::normalize(DVec3(r.normal));
    ASSERT_NEAR(glm::length(DVec3(r.normal)), 1.0, 1e-5);
    // The slabs along the normal certify the distance from below; in penetration they say that moving by the depth
    // separates.
    const double slab = oracle::separation_along(c.a, c.pose_a, c.b, c.pose_b, n);
    ASSERT_GE(slab, distance - 1e-6 * c.size - 1e-6 * std::abs(distance)) << describe(c);
    // The points certify it from above.
    // Inside a round shape the depth is almost the same in a whole range of directions, so that the direction and the
    // points are less certain than the depth.
    const bool round = is_sampled(c.kind_a) || is_sampled(c.kind_b);
    const double direction_error = round && distance < 0.0 ? 3e-3 : 1e-5;
    const DVec3 between = DVec3(r.point_b) - DVec3(r.point_a);
    ASSERT_LT(glm::length(between - distance * n), 2e-6 * c.size + direction_error * std::abs(distance) + rounding)
        << describe(c) << " distance " << distance << " slab " << slab;
    ASSERT_LT(std::abs(oracle::outside(c.a, c.pose_a, DVec3(r.point_a))), 1e-5 * c.size + rounding) << describe(c);
    ASSERT_LT(std::abs(oracle::outside(c.b, c.pose_b, DVec3(r.point_b))), 1e-5 * c.size + rounding) << describe(c);

    if (is_sampled(c.kind_a) || is_sampled(c.kind_b)) {
        if (distance >= 0.0) {
            return; // certified from both sides already
        }
        // Between the prisms inside and outside the true shapes.
        constexpr int sides = 24;
        const double inner =
            oracle::signed_distance(oracle::solid(c.a, c.pose_a, sides), oracle::solid(c.b, c.pose_b, sides)).distance;
        const double outer = oracle::signed_distance(oracle::solid(c.a, c.pose_a, sides, true),
                                                     oracle::solid(c.b, c.pose_b, sides, true))
                                 .distance;
        ASSERT_LE(distance, inner + 1e-4 * std::abs(inner) + 1e-6 * c.size) << describe(c);
        ASSERT_GE(distance, outer - 1e-4 * std::abs(outer) - 1e-6 * c.size) << describe(c);
        return;
    }
    const oracle::Answer exact = oracle::signed_distance(oracle::solid(c.a, c.pose_a), oracle::solid(c.b, c.pose_b));
    if (exact.distance >= 0.0) {
        const double error = std::abs(distance - exact.distance) / (c.size + exact.distance);
        tally.worst_distance = std::max(tally.worst_distance, error);
        ASSERT_LT(error, 1e-6) << describe(c) << " got " << distance << " expected " << exact.distance;
    } else {
        const double error = std::abs(distance - exact.distance);
        tally.shallow += exact.distance > -0.02 * c.size;
        tally.deep += exact.distance < -0.1 * c.size;
        if (exact.distance < -1e-3 * c.size) {
            tally.worst_depth = std::max(tally.worst_depth, error / -exact.distance);
        }
        ASSERT_LT(error, 1e-5 * -exact.distance + 1e-7 * c.size)
            << describe(c) << " got " << distance << " expected " << exact.distance;
    }
    // The answer does not depend on the order.
    const DistanceResult flipped = signed_distance(c.b, c.pose_b, c.a, c.pose_a);
    ASSERT_NEAR(double(flipped.distance), distance, 1e-5 * std::abs(distance) + 1e-6 * c.size) << describe(c);
    ASSERT_EQ(overlap(c.a, c.pose_a, c.b, c.pose_b), r.status != QueryStatus::separated) << describe(c);
}

TEST(Distance, AgreesWithBruteForceForEveryPair) {
    Tally total;
    for (const Kind ka : all_kinds) {
        for (const Kind kb : all_kinds) {
            Random random(1000 + 10 * std::uint64_t(ka) + std::uint64_t(kb));
            int pairs = oracle::count(120, 100);
            if (is_sampled(ka) || is_sampled(kb)) {
                pairs /= 2;
            }
            if (ka == Kind::diamond && kb == Kind::diamond) {
                pairs /= 2;
            }
            for (int i = 0; i < pairs; ++i) {
                const Case c = random_case(ka, kb, random);
                check(c, total);
                if (testing::Test::HasFatalFailure()) {
                    return;
                }
            }
        }
    }
    std::printf("separated %d touching %d overlapping %d shallow %d deep %d worst distance %.2e of size, worst depth "
                "%.2e relative, most iterations gjk %d epa %d\n",
                total.separated, total.touching, total.overlapping, total.shallow, total.deep, total.worst_distance,
                total.worst_depth, total.most_gjk, total.most_epa);
    EXPECT_GT(total.separated, 1000);
    EXPECT_GT(total.overlapping, 1000);
    EXPECT_GT(total.touching, 50);
    EXPECT_GT(total.shallow, 300);
    EXPECT_GT(total.deep, 300);
}

} // namespace
} // namespace cairn::physics
