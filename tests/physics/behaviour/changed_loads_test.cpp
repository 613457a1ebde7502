// What rests goes on resting when a command changes what presses on it.
#include "tests/physics/behaviour/structures.h"
#include "tests/physics/joints/joint_builder.h"
#include "tests/physics/world/world_builder.h"
#include "tests/sanitized.h"

#include <functional>
#include <string>
#include <utility>

namespace cairn::physics::testing {
namespace {

using Bodies = std::vector<BodyDef>;
using Ids = std::vector<BodyId>;

std::vector<std::pair<std::string, Bodies>> structures() {
    std::vector<std::pair<std::string, Bodies>> all = {{"tower", tower(20)}, {"arch", arch(15)}};
    if (!sanitized) { // it takes long enough
        all.insert(all.end(),
                   {{"pyramid", flat_pyramid(10)}, {"cards", house_of_cards(5)}, {"planks", plank_tower(3, 0.6f)}});
    }
    return all;
}

struct SettledPile {
    World world;
    Ids ids;
};

SettledPile settled(const Bodies& bodies, const Settings& settings = without_sleep()) {
    SettledPile pile{World(settings), {}};
    BodyDef floor = make_floor();
    floor.material.friction = 0.6f;
    add(pile.world, floor);
    for (const BodyDef& def : bodies) {
        pile.ids.push_back(add(pile.world, def));
    }
    run(pile.world, 200);
    return pile;
}

struct RestMotion {
    float speed = 0.0f; // m/s, the fastest at any time
    float way = 0.0f;   // m, the furthest at the end
};

// Of all bodies but the last few, in a second and a half.
RestMotion motion_after(SettledPile& pile, std::size_t but = 0) {
    const std::size_t count = pile.ids.size() - but;
    std::vector<Vec3> start;
    for (std::size_t i = 0; i < count; ++i) {
        start.push_back(state_of(pile.world, pile.ids[i]).pose.position);
    }
    RestMotion motion;
    for (int step = 0; step < (sanitized ? 30 : 90); ++step) {
        pile.world.step();
        motion.way = 0.0f;
        for (std::size_t i = 0; i < count; ++i) {
            const BodyState state = state_of(pile.world, pile.ids[i]);
            motion.speed = std::max(motion.speed, glm::length(state.linear_velocity));
            motion.way = std::max(motion.way, glm::length(state.pose.position - start[i]));
        }
    }
    return motion;
}

void expect_rest(const RestMotion& motion, const std::string& what) {
    EXPECT_LT(motion.speed, 2e-3f) << what;
    EXPECT_LT(motion.way, 1.5e-3f) << what;
}

void set_gravity(World& world, const Vec3& gravity) {
    Settings settings = world.settings();
    settings.gravity = gravity;
    ASSERT_TRUE(world.apply(SetSettings{settings}).ok());
}

void scale_mass(World& world, BodyId body, float factor) {
    SetBody set;
    set.body = body;
    set.mass = world.model(body)->mass * factor;
    ASSERT_TRUE(world.apply(set).ok());
}

// Sags of springs, impulses of the last step and the inertia of loads were those of the old gravity: towers hopped, or
// sank by centimetres.
TEST(ChangedLoads, GravityMayChangeUnderWhatStands) {
    for (const auto& [name, bodies] : structures()) {
        for (const float gravity : {0.0f, 1.6f, 20.0f, 30.0f}) {
            SettledPile pile = settled(bodies);
            set_gravity(pile.world, Vec3(0, 0, -gravity));
            expect_rest(motion_after(pile), name + " under " + std::to_string(gravity));
        }
    }
}

TEST(ChangedLoads, GravityMayComeOnlyNow) {
    for (const auto& [name, bodies] : structures()) {
        Settings settings = weightless();
        SettledPile pile = settled(bodies, settings);
        set_gravity(pile.world, Vec3(0, 0, -9.81f));
        const RestMotion motion = motion_after(pile);
        EXPECT_LT(motion.way, 1.5e-3f) << name;
        EXPECT_LT(motion.speed, 0.03f) << name; // springs find their loads
    }
}

// A little in each of sixty steps, as by a hand on a slider.
TEST(ChangedLoads, GravityMayBeDragged) {
    SettledPile pile = settled(tower(10));
    for (int step = 0; step < 60; ++step) {
        set_gravity(pile.world, Vec3(0, 0, -9.81f - 0.1f * static_cast<float>(step)));
        pile.world.step();
    }
    expect_rest(motion_after(pile), "after the last");
    const Stand stand = stand_of(pile.world, pile.ids, tower(10));
    EXPECT_LT(stand.sag, 1e-3f);
}

TEST(ChangedLoads, BetweenTwoStepsOnlyTheLastGravityCounts) {
    SettledPile pile = settled(arch(15)), same = settled(arch(15));
    for (const Vec3& gravity : {Vec3(0.0f), Vec3(0, 0, 9.81f), Vec3(0, 0, -200.0f), Vec3(0, 0, -5.0f)}) {
        set_gravity(pile.world, gravity);
    }
    set_gravity(same.world, Vec3(0, 0, -5.0f));
    run(pile.world, 5);
    run(same.world, 5);
    EXPECT_EQ(pile.world.hash(), same.world.hash());
}

// The light boxes below were thrown up at 1.6 to 2.4 m/s.
TEST(ChangedLoads, HeavyThingsMayBeTakenAway) {
    using Take = std::function<void(World&, BodyId)>;
    SetBody far, light, fixed, weightless, both;
    far.position = both.position = Vec3(40, 0, 1);
    both.mass = 10.0f;
    light.mass = 100.0f;
    fixed.type = BodyType::fixed;
    weightless.gravity_scale = 0.0f;
    const auto with = [](SetBody set) {
        return [set](World& world, BodyId body) mutable {
            set.body = body;
            EXPECT_TRUE(world.apply(set).ok());
        };
    };
    const std::vector<std::pair<std::string, Take>> ways = {
        {"destroyed", [](World& world, BodyId body) { EXPECT_TRUE(world.apply(DestroyBody{body}).ok()); }},
        {"put elsewhere", with(far)},
        {"put elsewhere and made light", with(both)},
        {"made light", with(light)},
        {"made static", with(fixed)},
        {"weightless", with(weightless)}};
    for (const int boxes : {3, 20}) {
        for (const auto& [name, take] : ways) {
            SettledPile pile = settled(loaded_tower(boxes, 100.0f));
            take(pile.world, pile.ids.back());
            expect_rest(motion_after(pile, 1), std::to_string(boxes) + " boxes, " + name);
        }
    }
}

TEST(ChangedLoads, ThatAreTakenFromASleepingPileLeaveItAtRest) {
    SettledPile pile = settled(loaded_tower(3, 100.0f), Settings{});
    ASSERT_TRUE(state_of(pile.world, pile.ids[0]).sleeping);
    ASSERT_TRUE(pile.world.apply(DestroyBody{pile.ids.back()}).ok());
    EXPECT_FALSE(state_of(pile.world, pile.ids[0]).sleeping);
    expect_rest(motion_after(pile, 1), "woken");
}

TEST(ChangedLoads, HeavyThingsMayBecomeHeavierStill) {
    SettledPile pile = settled(loaded_tower(20, 1.0f));
    scale_mass(pile.world, pile.ids.back(), 1000.0f);
    expect_rest(motion_after(pile), "a thousand times");
}

// An arch carries by what presses sideways, a heap of cards by what leans: passing weights down says nothing of them.
TEST(ChangedLoads, AllMassesMayChange) {
    for (const auto& [name, bodies] : structures()) {
        for (const float factor : {0.01f, 0.5f, 100.0f}) {
            SettledPile pile = settled(bodies);
            for (const BodyId body : pile.ids) {
                scale_mass(pile.world, body, factor);
            }
            expect_rest(motion_after(pile), name + " times " + std::to_string(factor));
        }
    }
}

// Impulses are those of a substep, and springs are as stiff as rates allow.
TEST(ChangedLoads, RatesAndSpringsMayChange) {
    const auto changed = [](auto value, auto Settings::*member) {
        return [=](Settings& settings) { settings.*member = value; };
    };
    const std::vector<std::pair<std::string, std::function<void(Settings&)>>> ways = {
        {"30 Hz", changed(30.0f, &Settings::hz)},
        {"240 Hz", changed(240.0f, &Settings::hz)},
        {"one substep", changed(1, &Settings::substeps)},
        {"16 substeps", changed(16, &Settings::substeps)},
        {"soft springs", changed(5.0f, &Settings::contact_hertz)},
        {"springs as stiff as can be", changed(240.0f, &Settings::contact_hertz)}};
    for (const auto& [name, bodies] : structures()) {
        for (const auto& [way, change] : ways) {
            SettledPile pile = settled(bodies);
            Settings settings = pile.world.settings();
            change(settings);
            ASSERT_TRUE(pile.world.apply(SetSettings{settings}).ok());
            expect_rest(motion_after(pile), name + ", " + way);
        }
    }
}

// Nothing rests on anything while all is static, or welded together.
TEST(ChangedLoads, WhatWasHeldMayBeLetGo) {
    for (const auto& [name, bodies] : structures()) {
        SettledPile pile = settled(bodies);
        for (const BodyType type : {BodyType::fixed, BodyType::dynamic}) {
            for (const BodyId body : pile.ids) {
                SetBody set;
                set.body = body;
                set.type = type;
                ASSERT_TRUE(pile.world.apply(set).ok());
            }
            run(pile.world, 10);
        }
        expect_rest(motion_after(pile), name + " that was static");
    }
    SettledPile pile = settled(tower(20));
    std::vector<JointId> welds;
    for (std::size_t i = 0; i + 1 < pile.ids.size(); ++i) {
        welds.push_back(join(pile.world, joint_at(pile.world, JointKind::weld, pile.ids[i], pile.ids[i + 1],
                                                  Vec3(0, 0, static_cast<float>(i) + 1.0f))));
    }
    run(pile.world, 60);
    for (const JointId weld : welds) {
        ASSERT_TRUE(pile.world.apply(DestroyJoint{weld}).ok());
    }
    expect_rest(motion_after(pile), "welds");
}

// What commands leave to the next step belongs to the state.
TEST(ChangedLoads, AreInSnapshotsAndHashes) {
    SettledPile pile = settled(loaded_tower(3, 100.0f));
    const std::uint64_t before = pile.world.hash();
    const auto untouched = pile.world.snapshot();
    SetBody heavier;
    heavier.body = pile.ids.back();
    heavier.gravity_scale = 2.0f;
    ASSERT_TRUE(pile.world.apply(heavier).ok());
    EXPECT_NE(pile.world.hash(), before);
    const auto changed = pile.world.snapshot();
    run(pile.world, 5);
    const std::uint64_t after = pile.world.hash();
    pile.world.restore(*changed);
    run(pile.world, 5);
    EXPECT_EQ(pile.world.hash(), after);
    pile.world.restore(*untouched);
    EXPECT_EQ(pile.world.hash(), before);
}

// Without contacts there is nothing to change.
TEST(ChangedLoads, LeaveWhatFliesAlone) {
    World world(without_sleep());
    const BodyId ball = add(world, make_body(Sphere{0.5f}, Vec3(0, 0, 5)));
    const BodyId other = add(world, make_body(Sphere{0.5f}, Vec3(9, 0, 5)));
    run(world, 10);
    scale_mass(world, ball, 10.0f);
    ASSERT_TRUE(world.apply(DestroyBody{other}).ok());
    run(world, 10);
    World plain(without_sleep());
    const BodyId same = add(plain, make_body(Sphere{0.5f}, Vec3(0, 0, 5)));
    run(plain, 20);
    EXPECT_EQ(state_of(world, ball).pose.position, state_of(plain, same).pose.position);
}

} // namespace
} // namespace cairn::physics::testing
