// How large the marks of a pair are: lines too thin to see, or thicker than the shapes, would tell nothing.
#include "app/lab/tracers/difference.h"

#include <gtest/gtest.h>

namespace cairn::core::lab {
namespace {

LabPair balls(float radius_a, float radius_b) {
    LabPair pair;
    pair.a.bounding_radius = radius_a;
    pair.b.bounding_radius = radius_b;
    return pair;
}

TEST(LabSize, IsThatOfThePairButNotMuchMoreThanTheSmaller) {
    EXPECT_DOUBLE_EQ(size_of(balls(1.5f, 1.0f)), 2.5);
    EXPECT_DOUBLE_EQ(size_of(balls(1.0f, 1.5f)), 2.5);
    EXPECT_DOUBLE_EQ(size_of(balls(0.25f, 100.0f)), 1.0);
    EXPECT_DOUBLE_EQ(size_of(balls(100.0f, 0.25f)), 1.0);
    EXPECT_DOUBLE_EQ(size_of(balls(0.0f, 4.0f)), 4.0) << "one body alone";
    EXPECT_DOUBLE_EQ(size_of(balls(0.0f, 0.0f)), 1.0) << "none: a figure by itself";
}

} // namespace
} // namespace cairn::core::lab
