#include "physics/narrowphase/carry/position_rest.h"

#include <gtest/gtest.h>

#include <random>

namespace cairn::physics {
namespace {

// A snail's pace, a hundredth of a float's step at a time: without the rest it would never leave.
TEST(PositionRest, WhatIsLessThanAFloatsStepAddsUp) {
    Vec3 position(10.0f, -300.0f, 0.0f);
    const Vec3 way(1e-8f, -1e-7f, 1e-8f);
    PositionRest rest;
    for (int i = 0; i < 100000; ++i) {
        rest.move(position, way);
    }
    // Each move rounds to 1.9 nm, by as much at most as half of that.
    const glm::dvec3 end = glm::dvec3(position) + glm::dvec3(rest.metres());
    EXPECT_NEAR(end.x, 10.0 + 1e-3, 1e-4);
    EXPECT_NEAR(end.y, -300.0 - 1e-2, 1e-4);
    EXPECT_NEAR(end.z, 1e-3, 1e-6);
    EXPECT_EQ(10.0f + way.x, 10.0f);
    EXPECT_EQ(-300.0f + way.y, -300.0f);
}

// Position and rest together are the true sum to a nanometre a move, and the position is its nearest float.
TEST(PositionRest, HoldsTheTrueSum) {
    std::mt19937 random(11);
    std::uniform_real_distribution<float> any(-1.0f, 1.0f);
    for (const float far : {0.1f, 1.0f, 30.0f, 500.0f}) {
        Vec3 position(far, -far, 0.7f * far);
        PositionRest rest;
        glm::dvec3 truth(position);
        for (int i = 1; i <= 1000; ++i) {
            Vec3 way;
            way.x = 1e-3f * any(random);
            way.y = 1e-5f * any(random);
            way.z = 1e-2f * any(random);
            rest.move(position, way);
            truth += glm::dvec3(way);
            const glm::dvec3 kept = glm::dvec3(position) + glm::dvec3(rest.metres());
            // Half a unit of the rest, and what adding the rest to the way rounds.
            ASSERT_LT(glm::length(kept - truth), i * 2.2e-9) << "at " << far << " m, move " << i;
        }
        EXPECT_LT(std::abs(double(position.x) - truth.x), 3e-6 + 6e-8 * double(far));
    }
}

TEST(PositionRest, BeyondWhatItHoldsItIsCutOff) {
    Vec3 position(1e6f, 0.0f, 0.0f);
    PositionRest rest;
    rest.move(position, Vec3(0.02f, 0.0f, 0.0f)); // of a step of 0.0625
    EXPECT_EQ(position.x, 1e6f);
    EXPECT_NEAR(double(rest.metres().x), 6.1e-5, 1e-6);
    EXPECT_NE(rest.bits(), PositionRest().bits());
}

} // namespace
} // namespace cairn::physics
