#include "physics/geometry/aabb.h"

#include <gtest/gtest.h>

namespace cairn::physics {

namespace {

const Aabb unit{Vec3(0), Vec3(1)};

TEST(Aabb, TouchingBoxesOverlapOnEveryAxis) {
    for (int axis = 0; axis < 3; ++axis) {
        Vec3 shift(0.0f);
        shift[axis] = 1.0f;
        EXPECT_TRUE(overlaps(unit, {unit.lower + shift, unit.upper + shift}));
        EXPECT_TRUE(overlaps({unit.lower + shift, unit.upper + shift}, unit));
        shift[axis] = 1.001f;
        EXPECT_FALSE(overlaps(unit, {unit.lower + shift, unit.upper + shift}));
        EXPECT_FALSE(overlaps({unit.lower + shift, unit.upper + shift}, unit));
    }
}

TEST(Aabb, ContainsItselfAndWhatIsInside) {
    EXPECT_TRUE(contains(unit, unit));
    EXPECT_TRUE(contains(grown(unit, 0.1f), unit));
    EXPECT_FALSE(contains(unit, grown(unit, 0.1f)));
    EXPECT_FALSE(contains(unit, {Vec3(0.5f), Vec3(0.9f, 0.9f, 1.1f)}));
}

TEST(Aabb, UnionWithTheEmptyBoxIsTheOther) {
    EXPECT_EQ(united(Aabb{}, unit), unit);
    const Aabb both = united(unit, {Vec3(2, -1, 0), Vec3(3, 0, 0.5f)});
    EXPECT_EQ(both, (Aabb{Vec3(0, -1, 0), Vec3(3, 1, 1)}));
}

TEST(Aabb, HalfAreaIsTheSumOfThreeSides) {
    EXPECT_FLOAT_EQ(half_area({Vec3(0), Vec3(1, 2, 3)}), 2.0f + 6.0f + 3.0f);
}

} // namespace

} // namespace cairn::physics
