// The farthest of many points, at every vector width, against a plain loop.
#include "physics/geometry/highest.h"

#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

namespace cairn::physics::detail {
namespace {

using oracle::DVec3;
using oracle::Random;

// The smallest index of the greatest dot(point, direction) - offset.
std::uint32_t first_of_highest(const std::vector<Vec3>& points, const std::vector<float>& offsets, const DVec3& d) {
    std::uint32_t best = 0;
    double most = -1e300;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const DVec3 p(points[i]);
        const double height = p.x * d.x + p.y * d.y + p.z * d.z - double(offsets[i]);
        if (height > most) {
            most = height;
            best = i;
        }
    }
    return best;
}

// Points of a coarse grid, so that many are equally high, and any number of them.
void compare_with_loop(std::int64_t target) {
    Random random(40);
    for (std::size_t count = 1; count < 150; ++count) {
        std::vector<Vec3> points;
        std::vector<float> offsets;
        for (std::size_t i = 0; i < count; ++i) {
            const DVec3 p(random.below(5) - 2, random.below(5) - 2, random.below(5) - 2);
            points.push_back(Vec3(p));
            offsets.push_back(float(random.below(3)));
        }
        Lanes alone, with_offsets;
        alone.assign(points);
        with_offsets.assign(points, offsets);
        const std::vector<float> none(count, 0.0f);
        for (int i = 0; i < 20; ++i) {
            const DVec3 d = i % 2 == 0 ? random.direction() : DVec3(random.below(3) - 1, random.below(3) - 1, 1.0);
            ASSERT_EQ(highest(alone, d), first_of_highest(points, none, d)) << count << " target " << target;
            ASSERT_EQ(highest(with_offsets, d), first_of_highest(points, none, d)) << count << " target " << target;
            ASSERT_EQ(highest_over(with_offsets, d), first_of_highest(points, offsets, d))
                << count << " target " << target;
        }
    }
}

TEST(Highest, IsTheFirstOfTheFarthest) {
    int tried = 0;
    for (const std::int64_t target :
         {std::int64_t{HWY_AVX3}, std::int64_t{HWY_AVX2}, std::int64_t{HWY_SSE4}, std::int64_t{HWY_SCALAR}}) {
        if (target == HWY_SCALAR || (hwy::SupportedTargets() & target) != 0) {
            hwy::GetChosenTarget().Update(target);
            compare_with_loop(target);
            ++tried;
        }
    }
    hwy::GetChosenTarget().DeInit();
    EXPECT_GE(tried, 1);
}

TEST(Highest, OfNoDirectionIsSomePoint) {
    Lanes lanes;
    lanes.assign({Vec3(1.0f), Vec3(2.0f), Vec3(3.0f)});
    EXPECT_LT(highest(lanes, DVec3(std::numeric_limits<double>::quiet_NaN())), 3u);
}

} // namespace
} // namespace cairn::physics::detail
