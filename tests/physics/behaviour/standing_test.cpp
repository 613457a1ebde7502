// What a builder expects to stand does, with sleeping off.
#include "tests/long_run.h"
#include "tests/physics/behaviour/structures.h"
#include "tests/physics/world/world_builder.h"
#include "tests/sanitized.h"

#include <cmath>
#include <string>

namespace cairn::physics::testing {
namespace {

struct Watched {
    float drift = 0.0f;       // m, at any time
    float late_growth = 0.0f; // m, drift in the last half more than in the first
    Stand end;
};

// Of everything for a minute takes minutes; CAIRN_LONG=1 asks for that.
int minute_or(int steps) {
    return long_run() ? 3600 : steps;
}

Watched watch(const std::vector<BodyDef>& bodies, int steps, int max_substeps = Settings{}.max_substeps) {
    Settings settings;
    settings.sleeping = false;
    settings.max_substeps = max_substeps;
    World world(settings);
    BodyDef floor = make_floor();
    floor.material.friction = 0.6f;
    add(world, floor);
    std::vector<BodyId> ids;
    for (const BodyDef& def : bodies) {
        ids.push_back(add(world, def));
    }
    Watched result;
    float first_half = 0.0f;
    for (int step = 1; step <= steps; ++step) {
        world.step();
        if (step % 10 == 0) {
            result.end = stand_of(world, ids, bodies);
            result.drift = std::max(result.drift, result.end.drift);
            if (step <= steps / 2) {
                first_half = std::max(first_half, result.end.drift);
            }
        }
    }
    result.late_growth = result.drift - first_half;
    return result;
}

void expect_standing(const char* what, const std::vector<BodyDef>& bodies, int steps) {
    const Watched w = watch(bodies, minutes_or_seconds(steps));
    EXPECT_LT(w.drift, 0.01f) << what;
    if (!sanitized) { // it takes longer than that to tell
        EXPECT_LT(w.late_growth, 5e-4f) << what << " creeps";
        EXPECT_LT(w.end.speed, 0.02f) << what;
    }
}

TEST(Standing, TowersForAMinute) {
    expect_standing("ten boxes", tower(10), 3600);
    expect_standing("twenty boxes", tower(20), 3600);
}

// Bodies under a heavy one have the inertia that it asks for, so that as weights of themselves nothing much rests on
// them; but they are as slender as ever.
TEST(Standing, TowersUnderAHeavyTopForAMinute) {
    expect_standing("twenty boxes under a hundred", loaded_tower(20, 100.0f), 3600);
    std::vector<BodyDef> heavy_middle = tower(20);
    heavy_middle[12].mass = 1e5f;
    expect_standing("twenty boxes, one of them heavy", heavy_middle, 3600);
}

TEST(Standing, TowerOfFortyForAMinute) {
    expect_standing("forty boxes", tower(40), minute_or(900));
}

// As many substeps for everybody, however much rests on it, and springs to match: it buckles.
TEST(Standing, TowerOfFortyNeedsItsSubsteps) {
    const Watched w = watch(tower(40), 1500, 4);
    EXPECT_GT(w.drift, 0.03f);
}

// What stands still has the inertia of what it carries, and needs no finer substeps; what is disturbed takes them, not
// low stacks nor what lies beside a tall one.
TEST(Standing, OnlyDisturbedColumnsTakeFinerSubsteps) {
    using Substeps = std::pair<std::uint32_t, std::uint32_t>; // at rest, disturbed
    const auto finest = [](const std::vector<BodyDef>& bodies) {
        Settings settings;
        settings.sleeping = false;
        World world(settings);
        add(world, make_floor());
        BodyId top;
        for (const BodyDef& def : bodies) {
            top = add(world, def);
        }
        run(world, 300); // until it has settled
        const std::uint32_t at_rest = published(world).stats.finest_substeps;
        SetBody turned;
        turned.body = top;
        turned.angular_velocity = Vec3(0, 0, 0.5f);
        EXPECT_TRUE(world.apply(turned).ok());
        world.step();
        return Substeps(at_rest, published(world).stats.finest_substeps);
    };
    EXPECT_EQ(finest(tower(10)), (Substeps{4, 4}));
    EXPECT_EQ(finest(plain_wall(10, 6)), (Substeps{4, 4}));
    EXPECT_EQ(finest(tower(20)), (Substeps{4, 5}));
    if (!sanitized) {
        EXPECT_EQ(finest(flat_pyramid(40)), (Substeps{4, 6}));
        EXPECT_EQ(finest(tower(40)), (Substeps{4, 16}));
    }
}

// At rates at which springs could be stiffer than they are, columns were taken to be as stiff as that.
TEST(Standing, TowersAtHighRates) {
    const auto expect_calm = [](float hz, int substeps, int boxes, float width) {
        Settings settings = without_sleep();
        settings.hz = hz;
        settings.substeps = substeps;
        World world(settings);
        add(world, make_floor());
        const std::vector<BodyDef> placed = tower(boxes, width);
        std::vector<BodyId> ids;
        for (const BodyDef& box : placed) {
            ids.push_back(add(world, box));
        }
        run(world, static_cast<int>((sanitized ? 1.0f : 8.0f) * hz));
        const Stand stand = stand_of(world, ids, placed);
        EXPECT_LT(stand.drift, 1e-4f) << hz << " Hz, " << substeps << " substeps, boxes of " << width << " m";
        EXPECT_LT(stand.speed, sanitized ? 0.1f : 1e-3f) << hz << " Hz, " << substeps << " substeps";
    };
    expect_calm(480.0f, 4, 40, 0.5f);
    expect_calm(1000.0f, 4, 30, 1.0f);
    expect_calm(60.0f, 32, 30, 1.0f);
    expect_calm(60.0f, 16, 30, 0.02f);
}

// Under gravity a tower of small boxes is as slender as a taller one of large ones, and springs are as soft for both.
TEST(Standing, TowersOfSmallBoxes) {
    const auto expect_calm = [](int boxes, float width) {
        World world(without_sleep());
        add(world, make_floor());
        const std::vector<BodyDef> placed = tower(boxes, width);
        std::vector<BodyId> ids;
        for (const BodyDef& box : placed) {
            ids.push_back(add(world, box));
        }
        float fastest = 0.0f;
        for (int step = 0; step < (sanitized ? 60 : 1800); ++step) {
            world.step();
            fastest = std::max(fastest, step < 5 ? 0.0f : stand_of(world, ids, placed).speed);
        }
        // No change of substeps moves what rests: five boxes of 2 cm were thrown up by a millimetre, at 4 cm/s.
        EXPECT_LT(fastest, 3e-3f) << boxes << " of " << width << " m";
        const Stand stand = stand_of(world, ids, placed);
        EXPECT_LT(stand.drift, 1e-4f) << boxes << " of " << width << " m";
        EXPECT_LT(stand.sag, 2e-4f) << boxes << " of " << width << " m";
    };
    expect_calm(5, 0.02f);
    expect_calm(12, 0.02f); // with the inertia of their loads eleven would stand on four substeps
    expect_calm(20, 0.02f);
    expect_calm(20, 0.05f);
    expect_calm(40, 0.1f);
    expect_calm(40, 0.2f);
}

TEST(Standing, BricksHangOverAtALowRateAndWhereTheyAreSmall) {
    const auto expect_hanging = [](float hz, float scale) {
        Settings settings = without_sleep();
        settings.hz = hz;
        World world(settings);
        std::vector<BodyDef> bricks = overhang(10, 0.95f);
        std::vector<BodyId> ids;
        for (BodyDef& brick : bricks) {
            std::get<Box>(brick.shapes[0].geometry).half_extents *= scale;
            brick.pose.position *= scale;
            ids.push_back(add(world, brick));
        }
        run(world, static_cast<int>((sanitized ? 1.0f : 10.0f) * hz));
        EXPECT_LT(stand_of(world, ids, bricks).sag, 0.001f) << hz << " Hz, " << scale;
    };
    expect_hanging(30.0f, 1.0f);
    expect_hanging(60.0f, 0.1f);
    expect_hanging(60.0f, 0.02f);
}

TEST(Standing, PyramidOfFortyForAMinute) {
    expect_standing("a pyramid of base 40", flat_pyramid(40), minute_or(150));
}

// The relaxing pass aims beyond rest: without that, this one still moves at 2 mm/s.
TEST(Standing, ANudgedTowerOfPlanksIsCalmAgain) {
    std::vector<BodyDef> planks;
    for (int storey = 0; storey < 20; ++storey) { // of three side by side, every other one crosswise
        for (int i = -1; i <= 1; ++i) {
            const bool along_x = storey % 2 == 1;
            const Vec3 half = along_x ? Vec3(1.5f, 0.4f, 0.2f) : Vec3(0.4f, 1.5f, 0.2f);
            const float beside = static_cast<float>(i), height = 0.2f + 0.4f * static_cast<float>(storey);
            planks.push_back(make_body(Box{half}, along_x ? Vec3(0, beside, height) : Vec3(beside, 0, height)));
            planks.back().material.friction = 0.6f;
            planks.back().linear_velocity = Vec3(0, 0.003f * height / 8.0f, 0);
        }
    }
    EXPECT_LT(watch(planks, sanitized ? 30 : 600).end.speed, sanitized ? 0.1f : 1e-3f);
}

TEST(Standing, WallOfThirtyByTwentyForAMinute) {
    expect_standing("a wall of 30 x 20", plain_wall(30, 20), minute_or(600));
}

TEST(Standing, ArchForAMinute) {
    expect_standing("arch", arch(15), 3600);
}

TEST(Standing, CrossedBeamsForAMinute) {
    expect_standing("beams", crossed_beams(12), 3600);
}

TEST(Standing, HouseOfCards) {
    expect_standing("two storeys for a minute", house_of_cards(2), 3600);
    expect_standing("five storeys", house_of_cards(5), minute_or(1200));
}

// What the eye expects of cards is due to friction: without enough of it they slip flat.
TEST(Standing, HouseOfCardsNeedsItsFriction) {
    std::vector<BodyDef> cards = house_of_cards(2);
    for (BodyDef& card : cards) {
        card.material.friction = 0.02f;
    }
    EXPECT_GT(watch(cards, 300).end.drift, 0.3f);
}

// An arch that is too thin folds up, and one without a keystone falls.
TEST(Standing, ArchNeedsItsKeystone) {
    std::vector<BodyDef> broken = arch(15);
    broken.erase(broken.begin() + 7);
    EXPECT_GT(watch(broken, 240).end.sag, 0.4f);
}

TEST(Standing, HundredTonnesOnTenBoxesOfOne) {
    std::vector<BodyDef> bodies = tower(11);
    bodies.back().mass = 1e5f;
    expect_standing("heavy on light", bodies, 1800);
}

TEST(Standing, TenBoxesOnOneOfAHundredTonnes) {
    std::vector<BodyDef> bodies = tower(11);
    bodies.front().mass = 1e5f;
    expect_standing("light on heavy", bodies, 3600);
}

// A force of a hundred times their weight on each of four balls. Their springs sag by P / (m omega^2), more than a
// centimetre, and then take the load up; freed, they let go of what they have taken up without a jump.
TEST(Standing, WhatIsPressedDeepComesUpAgain) {
    Settings settings;
    settings.sleeping = false;
    settings.max_substeps = settings.substeps; // with more, hardly anything is pressed deep
    World world(settings);
    add(world, make_floor());
    std::vector<BodyId> balls;
    for (const Vec3& at : {Vec3(-1, -1, 0.1f), Vec3(1, -1, 0.1f), Vec3(-1, 1, 0.1f), Vec3(1, 1, 0.1f)}) {
        BodyDef ball = make_body(Sphere{0.1f}, at);
        ball.mass = 4.0f;
        ball.material.restitution = 0.0f;
        balls.push_back(add(world, ball));
    }
    float deepest = 0.0f;
    for (int step = 0; step < 360; ++step) {
        for (const BodyId ball : balls) {
            ASSERT_TRUE(world.apply(ApplyForce{ball, Vec3(0, 0, -400.0f * 9.81f), {}, {}}).ok());
        }
        world.step();
        deepest = std::max(deepest, published(world).stats.max_penetration);
    }
    EXPECT_GT(deepest, 0.008f);
    EXPECT_LT(published(world).stats.max_penetration, 0.005f);
    EXPECT_LT(glm::length(state_of(world, balls[0]).linear_velocity), 1e-3f);
    for (int step = 0; step < 60; ++step) {
        world.step();
        for (const BodyId ball : balls) {
            ASSERT_LT(state_of(world, ball).pose.position.z, 0.102f);
            ASSERT_LT(glm::length(state_of(world, ball).linear_velocity), 0.2f) << "step " << step;
        }
    }
}

// A load of which the spring alone, held to the speed at which overlaps are pushed apart, could carry no more than two
// thirds: a heap that jams loads single corners as much.
TEST(Standing, NoLoadThatStaysIsTooGreat) {
    Settings settings;
    settings.sleeping = false;
    settings.max_push_speed = 1.0f;
    World world(settings);
    add(world, make_floor());
    for (const Vec3& at : {Vec3(-1, -1, 0.1f), Vec3(1, -1, 0.1f), Vec3(-1, 1, 0.1f), Vec3(1, 1, 0.1f)}) {
        BodyDef ball = make_body(Sphere{0.1f}, at);
        ball.mass = 4.0f;
        add(world, ball);
    }
    BodyDef plate = make_body(Box{Vec3(1.5f, 1.5f, 0.1f)}, Vec3(0, 0, 0.3f));
    plate.mass = 2400.0f;
    const BodyId press = add(world, plate);
    run(world, 1200);
    EXPECT_LT(published(world).stats.max_penetration, 0.005f);
    EXPECT_LT(std::abs(state_of(world, press).linear_velocity.z), 1e-4f); // on balls, it may roll away
}

// A hundred metres from the origin a float's step is eight micrometres; if positions lost what is less, towers would be
// shaken at 0.3 mm/s for ever.
TEST(Standing, RestFarFromTheOriginIsRest) {
    for (const float high : {0.0f, 100.0f}) {
        Settings settings;
        settings.sleeping = false;
        World world(settings);
        BodyDef floor = make_floor();
        floor.pose.position.z += high;
        add(world, floor);
        std::vector<BodyId> ids;
        for (BodyDef body : tower(10)) {
            body.pose.position.z += high;
            ids.push_back(add(world, body));
        }
        run(world, 600);
        float fastest = 0.0f;
        for (int step = 0; step < 60; ++step) {
            world.step();
            for (const BodyId id : ids) {
                fastest = std::max(fastest, glm::length(state_of(world, id).linear_velocity));
            }
        }
        EXPECT_LT(fastest, 2e-5f) << "at " << high << " m";
    }
}

// Rows of boxes that touch side by side are pushed by nothing sideways.
TEST(Standing, FlushBoxesStayWhereTheyArePut) {
    expect_standing("a wall of flush boxes", plain_wall(10, 6), 600);
    expect_standing("a pyramid of flush boxes", flat_pyramid(8), 600);
}

// A gem on its rim, wedged between others, may wobble for minutes: of eighty such heaps two to four have one.
TEST(Standing, DiamondsComeToRestAndStay) {
    int restless = 0;
    for (int heap = 0; heap < (sanitized ? 1 : 5); ++heap) { // each falls otherwise
        Settings settings;
        settings.sleeping = false;
        World world(settings);
        BodyDef floor = make_floor();
        floor.material.friction = 0.6f;
        add(world, floor);
        for (const BodyDef& wall : pen()) {
            add(world, wall);
        }
        std::vector<BodyId> ids;
        std::vector<BodyDef> gems = loose_diamonds(100);
        for (BodyDef& gem : gems) {
            gem.pose.position.x += 1e-4f * static_cast<float>(heap);
            ids.push_back(add(world, gem));
        }
        run(world, 900);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            gems[i].pose = state_of(world, ids[i]).pose;
        }
        run(world, 240);
        EXPECT_LT(stand_of(world, ids, gems).penetration, 0.005f);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const Stand stand = stand_of(world, {ids[i]}, {gems[i]});
            restless += stand.drift > 0.001f || stand.sag > 0.001f || stand.speed > 0.01f ? 1 : 0;
            const Vec3 p = state_of(world, ids[i]).pose.position;
            EXPECT_LT(std::max(std::abs(p.x), std::abs(p.y)), 5.0f);
            EXPECT_GT(p.z, 0.2f);
        }
    }
    EXPECT_LE(restless, 1); // of 500
}

// Sharp hulls, resting on a point and an edge's worth of facets, lie still.
TEST(Standing, SharpHullsDoNotJitter) {
    const auto hull = [](std::vector<Vec3> points) {
        return PointSet{std::make_shared<const std::vector<Vec3>>(std::move(points))};
    };
    const std::vector<Geometry> sharp{
        hull({{0, 0, 1.5f}, {1, 0, 0}, {-0.5f, 0.866f, 0}, {-0.5f, -0.866f, 0}}),            // a spike
        hull({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {-1, 0, 0.2f}, {1, 0, 0.2f}}), // a blade
        hull({{0, 0, 0.05f}, {0, 0, -0.05f}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}}), // a flat star
        Diamond{0.5f},
        Cone{0.2f, 1.5f},
    };
    Settings settings;
    settings.sleeping = false;
    World world(settings);
    add(world, make_floor());
    std::vector<BodyId> ids;
    for (std::size_t i = 0; i < sharp.size(); ++i) {
        for (int j = 0; j < 4; ++j) {
            BodyDef def = make_body(sharp[i], Vec3(5.0f * static_cast<float>(i), 5.0f * static_cast<float>(j), 2.0f));
            const auto f = static_cast<float>(4 * static_cast<int>(i) + j);
            def.pose.orientation =
                normalized(Quat(std::sin(f + 0.5f), std::sin(2.3f * f), std::sin(3.7f * f), std::sin(5.1f * f)));
            def.material.rolling_resistance = 0.01f; // what is round may otherwise roll for ever
            ids.push_back(add(world, def));
        }
    }
    run(world, 900);
    for (int step = 0; step < 120; ++step) {
        world.step();
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const BodyState state = state_of(world, ids[i]);
            ASSERT_LT(glm::length(state.linear_velocity), 0.01f) << "body " << i << " in step " << step;
            ASSERT_LT(glm::length(state.angular_velocity), 0.02f) << "body " << i << " in step " << step;
        }
    }
}

} // namespace
} // namespace cairn::physics::testing
