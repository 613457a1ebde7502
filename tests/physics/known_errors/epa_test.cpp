// Error 11: the expanding polytope.
#include "physics/query/distance.h"
#include "physics/query/epa.h"
#include "tests/physics/known_errors/difference.h"

#include <gtest/gtest.h>

namespace cairn::physics {
namespace {

using oracle::Random;

const Shape unit_box = oracle::make(Box{Vec3(1.0f)});

// 11: boxes resting flush, with coplanar facets everywhere in their difference.
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
