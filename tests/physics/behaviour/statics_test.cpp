// What stands and what falls, beside the theory of rigid blocks, with default settings and without sleep.
//
// Least thickness of a semicircular arch of many wedges: 0.1075 of its mean radius (M. Milankovitch, "Theorie der
// Druckkurven", 1907); of 15, 25 and 51: 0.106, 0.107 and 0.107. Least friction of an arch of thickness 0.2: 0.309.
// The greatest overhang of n equal bricks in a single stack is half a brick times 1 + 1/2 + ... + 1/n.
#include "tests/physics/behaviour/structures.h"
#include "tests/physics/world/world_builder.h"
#include "tests/sanitized.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn::physics::testing {
namespace {

// `tilt`: sine of the angle by which gravity leans towards x.
Stand after(const std::vector<BodyDef>& bodies, int steps, int max_substeps = Settings{}.max_substeps,
            float tilt = 0.0f) {
    Settings settings;
    settings.sleeping = false;
    settings.gravity = 9.81f * Vec3(tilt, 0.0f, -std::sqrt(1.0f - tilt * tilt));
    settings.max_substeps = max_substeps;
    World world(settings);
    BodyDef floor = make_floor();
    floor.material.friction = bodies.back().material.friction;
    add(world, floor);
    std::vector<BodyId> ids;
    for (const BodyDef& def : bodies) {
        ids.push_back(add(world, def));
    }
    run(world, steps);
    return stand_of(world, ids, bodies);
}

// Of all that stands: what falls needs its time, and is left to other builds where that is ten times as long.
constexpr int half_a_minute = minutes_or_seconds(1800);

// Nor has what stands come to rest by then.
constexpr float at_rest(float speed) {
    return sanitized ? 1.0f : speed;
}

TEST(Statics, TowerOfPlanksRests) {
    for (const float friction : {0.3f, 0.5f, 0.8f}) {
        const Stand stand = after(plank_tower(6, friction), minutes_or_seconds(3600));
        EXPECT_LT(stand.speed, at_rest(2e-5f)) << friction;
        EXPECT_LT(stand.drift, 2e-3f) << friction;
    }
}

TEST(Statics, ArchesAreAsThinAsTheoryAllows) {
    for (const int wedges : {15, 25, 51}) {
        EXPECT_LT(after(thin_arch(wedges, 0.117f, 2.0f), half_a_minute).drift, 0.05f) << wedges;
        if (!sanitized) {
            EXPECT_GT(after(thin_arch(wedges, 0.098f, 2.0f), 600).drift, 1.0f) << wedges;
        }
    }
}

TEST(Statics, ArchesHoldByAsMuchFrictionAsTheoryAsks) {
    for (const int wedges : {15, 25}) {
        EXPECT_LT(after(thin_arch(wedges, 0.2f, 0.324f), half_a_minute).drift, 0.05f) << wedges;
        if (!sanitized) {
            EXPECT_GT(after(thin_arch(wedges, 0.2f, 0.294f), half_a_minute).drift, 1.0f) << wedges;
        }
    }
}

TEST(Statics, BricksHangOverAsFarAsTheHarmonicSeries) {
    for (const int bricks : {3, 5, 10, 20}) {
        // Twenty swing by 11 mm for some seconds before they rest within 1 mm.
        EXPECT_LT(after(overhang(bricks, 0.95f), half_a_minute).sag, sanitized ? 0.02f : 0.01f) << bricks;
        if (!sanitized) {
            EXPECT_GT(after(overhang(bricks, 1.02f), half_a_minute).sag, 0.5f) << bricks;
        }
    }
}

TEST(Statics, LightBoxesCarryHeavyOnes) {
    for (const float ratio : {100.0f, 300.0f, 400.0f, 1000.0f}) {
        const Stand stand = after(loaded_tower(1, ratio), half_a_minute);
        EXPECT_LT(stand.penetration, 0.01f) << ratio;
        EXPECT_LT(stand.drift, 1e-3f) << ratio;
    }
    for (const float ratio : {200.0f, 1000.0f, 10000.0f}) {
        const Stand stand = after(loaded_tower(10, ratio), half_a_minute);
        EXPECT_LT(stand.penetration, 0.01f) << ratio;
        EXPECT_LT(stand.drift, 1e-3f) << ratio;
    }
}

TEST(Statics, HousesOfCardsStandTall) {
    for (const int storeys : {8, 10}) {
        const Stand stand = after(house_of_cards(storeys), half_a_minute);
        EXPECT_LT(stand.drift, 5e-3f) << storeys;
        EXPECT_LT(stand.speed, at_rest(1e-3f)) << storeys;
    }
}

// A tower of n cubes stands up to a slope of 1 in n.
TEST(Statics, TowersRestOnSlopes) {
    for (const auto& [boxes, tilt] :
         {std::pair(5, 0.05f), std::pair(10, 0.02f), std::pair(10, 0.05f), std::pair(20, 0.02f)}) {
        const Stand stand = after(tower(boxes), 600, Settings{}.max_substeps, tilt);
        EXPECT_LT(stand.drift, 5e-3f) << boxes << ", " << tilt;
        EXPECT_LT(stand.speed, at_rest(2e-2f)) << boxes << ", " << tilt;
    }
    EXPECT_GT(after(tower(10), 600, Settings{}.max_substeps, 0.11f).drift, 1.0f);
    // With the plain substeps for all it sways.
    EXPECT_GT(after(tower(10), 600, Settings{}.substeps, 0.05f).drift, 5e-3f);
}

// Most of what stands above does so by the substeps that settle it and those that its loads ask for.
TEST(Statics, ArchesOverhangsAndCardsDoNotStandOnPlainSubstepsAlone) {
    if (sanitized) {
        GTEST_SKIP() << "of the numbers alone";
    }
    const int plain = Settings{}.substeps;
    EXPECT_GT(after(thin_arch(25, 0.117f, 2.0f), 600, plain).drift, 1.0f);
    EXPECT_GT(after(overhang(10, 0.95f), 600, plain).sag, 0.5f);
    EXPECT_GT(after(house_of_cards(10), 600, plain).drift, 0.1f);
}

// What was put down without touching has no moment at which it could settle.
TEST(Statics, HeavyBoxesThatLandOnLightOnesAreCarried) {
    for (const float ratio : {100.0f, 400.0f}) {
        std::vector<BodyDef> bodies = loaded_tower(1, ratio);
        bodies.back().pose.position.z += 0.05f;
        const Stand stand = after(bodies, 1800); // with sanitizers too: they bounce for a second
        EXPECT_LT(stand.penetration, 0.02f) << ratio;
        EXPECT_LT(stand.speed, 0.01f) << ratio;
    }
}

// A load that is taken away leaves what carried it where it was: a preload lifts nothing.
TEST(Statics, PreloadsLiftNothingWhenTheyAreUnloaded) {
    Settings settings;
    settings.sleeping = false;
    World world(settings);
    add(world, make_floor());
    std::vector<BodyId> ids;
    for (const BodyDef& def : loaded_tower(1, 400.0f)) {
        ids.push_back(add(world, def));
    }
    run(world, 600);
    ASSERT_TRUE(world.apply(DestroyBody{ids[1]}).ok());
    float highest = 0.0f;
    for (int step = 0; step < 120; ++step) {
        world.step();
        highest = std::max(highest, state_of(world, ids[0]).pose.position.z);
    }
    EXPECT_LT(highest, 0.5025f);
    EXPECT_NEAR(state_of(world, ids[0]).pose.position.z, 0.5f, 1.5e-3f);
}

// Impulses that fade away between boxes standing side by side come to be too small to divide by.
TEST(Statics, PressuresThatFadeAwayStayNumbers) {
    Settings settings;
    settings.sleeping = false;
    settings.substeps = settings.max_substeps = 16;
    settings.gravity = Vec3(0, 0, -10);
    World world(settings);
    add(world, make_floor());
    std::vector<BodyId> ids;
    std::vector<BodyDef> bodies = flat_pyramid(49);
    for (BodyDef& def : bodies) {
        def.density = 100.0f;
        ids.push_back(add(world, def));
    }
    run(world, 30);
    EXPECT_TRUE(published(world).stopped.empty());
    EXPECT_LT(stand_of(world, ids, bodies).drift, 0.01f);
}

} // namespace
} // namespace cairn::physics::testing
