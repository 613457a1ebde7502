// What puts bodies to sleep, and what wakes them.
#include "tests/physics/world/world_builder.h"

#include <algorithm>
#include <vector>

namespace cairn::physics::testing {
namespace {

// A world of its own for every command: a table of two boxes on a floor, asleep.
struct Sleepers {
    World world;
    BodyId floor, lower, upper;

    Sleepers() {
        floor = add(world, make_floor());
        lower = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f)));
        upper = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 1.5f)));
        run(world, 120);
        EXPECT_TRUE(asleep(lower) && asleep(upper));
    }
    bool asleep(BodyId id) const { return state_of(world, id).sleeping; }
};

TEST(Sleep, EveryChangeOfABodyWakesItsIsland) {
    const std::vector<void (*)(SetBody&)> changes{[](SetBody& s) { s.type = BodyType::kinematic; },
                                                  [](SetBody& s) { s.position = Vec3(0, 0, 0.51f); },
                                                  [](SetBody& s) { s.orientation = Quat(0, 0, 0, 1); },
                                                  [](SetBody& s) { s.linear_velocity = Vec3(0.01f, 0, 0); },
                                                  [](SetBody& s) { s.angular_velocity = Vec3(0.01f); },
                                                  [](SetBody& s) { s.mass = 3.0f; },
                                                  [](SetBody& s) { s.friction = 0.2f; },
                                                  [](SetBody& s) { s.restitution = 0.2f; },
                                                  [](SetBody& s) { s.rolling_resistance = 0.2f; },
                                                  [](SetBody& s) { s.linear_damping = 0.2f; },
                                                  [](SetBody& s) { s.angular_damping = 0.2f; },
                                                  [](SetBody& s) { s.gravity_scale = 0.2f; },
                                                  [](SetBody& s) { s.can_sleep = false; }};
    for (std::size_t i = 0; i < changes.size(); ++i) {
        for (const bool change_upper : {false, true}) {
            Sleepers sleepers;
            SetBody change;
            change.body = change_upper ? sleepers.upper : sleepers.lower;
            changes[i](change);
            ASSERT_TRUE(sleepers.world.apply(change).ok());
            EXPECT_FALSE(sleepers.asleep(sleepers.lower)) << "change " << i;
            EXPECT_FALSE(sleepers.asleep(sleepers.upper)) << "change " << i;
        }
    }
}

TEST(Sleep, ARefusedCommandWakesNobody) {
    Sleepers sleepers;
    const std::uint64_t hash = sleepers.world.hash();
    SetBody change;
    change.body = sleepers.lower;
    change.friction = -1.0f;
    EXPECT_FALSE(sleepers.world.apply(change).ok());
    EXPECT_FALSE(sleepers.world.apply(ApplyImpulse{sleepers.lower, Vec3(1e30f, 0, 0), {}}).ok());
    Settings settings = sleepers.world.settings();
    settings.hz = 0.0f;
    EXPECT_FALSE(sleepers.world.apply(SetSettings{settings}).ok());
    EXPECT_EQ(sleepers.world.hash(), hash);
    EXPECT_TRUE(sleepers.asleep(sleepers.lower));
}

TEST(Sleep, ABodyMadeWithinASleeperWakesItWhateverItsType) {
    for (const BodyType type : {BodyType::fixed, BodyType::kinematic, BodyType::dynamic}) {
        Sleepers sleepers;
        BodyDef def = make_body(Box{Vec3(0.2f)}, Vec3(0.6f, 0, 0.5f)); // 0.1 m deep in the lower box
        def.type = type;
        add(sleepers.world, def);
        sleepers.world.step();
        EXPECT_FALSE(sleepers.asleep(sleepers.lower));
        EXPECT_FALSE(sleepers.asleep(sleepers.upper));
        run(sleepers.world, 30);
        EXPECT_LT(state_of(sleepers.world, sleepers.lower).pose.position.x, -0.002f);
    }
}

TEST(Sleep, ABodyMadeOrPutBesideASleeperLetsItSleep) {
    Sleepers sleepers;
    BodyDef def = make_body(Sphere{0.2f}, Vec3(0.75f, 0, 0.5f)); // 5 cm off the lower box
    def.gravity_scale = 0.0f;
    const BodyId near = add(sleepers.world, def);
    sleepers.world.step();
    EXPECT_TRUE(sleepers.asleep(sleepers.lower));
    EXPECT_TRUE(sleepers.asleep(sleepers.upper));
    SetBody move;
    move.body = near;
    move.position = Vec3(-0.75f, 0, 1.5f);
    ASSERT_TRUE(sleepers.world.apply(move).ok());
    sleepers.world.step();
    EXPECT_TRUE(sleepers.asleep(sleepers.upper));
    move.position = Vec3(-0.65f, 0, 1.5f);
    ASSERT_TRUE(sleepers.world.apply(move).ok());
    sleepers.world.step();
    EXPECT_FALSE(sleepers.asleep(sleepers.upper)) << "now it is 5 cm deep";
    EXPECT_FALSE(sleepers.asleep(sleepers.lower));
}

// Those that touch or are joined are one; what is fixed, and what drives others, belongs to none and parts them.
TEST(Sleep, IslandsAreCounted) {
    World world;
    add(world, make_static(Box{Vec3(20, 20, 0.5f)}, Vec3(0, 0, -0.5f)));
    BodyDef lift = make_body(Box{Vec3(2, 1, 0.1f)}, Vec3(0, 8, 0.9f));
    lift.type = BodyType::kinematic;
    lift.linear_velocity = Vec3(0, 0, 0.1f);
    add(world, lift);
    add(world, make_body(Box{Vec3(0.5f)}, Vec3(-1, 8, 1.5f)));
    add(world, make_body(Box{Vec3(0.5f)}, Vec3(1, 8, 1.5f)));
    add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f)));
    add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 1.5f)));
    add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 2.5f)));
    JointDef rope;
    rope.kind = JointKind::distance;
    rope.length = 4.0f; // m, as far as they are apart
    rope.body_a = add(world, make_body(Box{Vec3(0.5f)}, Vec3(8, 0, 0.5f)));
    rope.body_b = add(world, make_body(Box{Vec3(0.5f)}, Vec3(12, 0, 0.5f)));
    run(world, 5);
    FrameState frame;
    world.publish(frame);
    EXPECT_EQ(frame.stats.islands, 5u) << "two on the lift, a column, and two that are not joined yet";
    ASSERT_TRUE(world.apply(CreateJoint{rope}).ok());
    run(world, 1);
    world.publish(frame);
    EXPECT_EQ(frame.stats.islands, 4u);
}

TEST(Sleep, TakingOutTheMiddleLetsTheTopFall) {
    World world;
    add(world, make_floor());
    std::vector<BodyId> tower;
    for (int i = 0; i < 5; ++i) {
        tower.push_back(add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f + static_cast<float>(i)))));
    }
    run(world, 150);
    for (const BodyId id : tower) {
        ASSERT_TRUE(state_of(world, id).sleeping);
    }
    ASSERT_TRUE(world.apply(DestroyBody{tower[2]}).ok());
    run(world, 180);
    EXPECT_NEAR(state_of(world, tower[3]).pose.position.z, 2.5f, 0.01f);
    EXPECT_NEAR(state_of(world, tower[4]).pose.position.z, 3.5f, 0.01f);
    EXPECT_TRUE(state_of(world, tower[4]).sleeping);
}

TEST(Sleep, ALiftThatSetsOutWakesItsLoadAndNoOther) {
    World world;
    BodyDef lift = make_body(Box{Vec3(1, 1, 0.1f)}, Vec3(0, 0, 0.9f));
    lift.type = BodyType::kinematic;
    const BodyId first = add(world, lift);
    lift.pose.position.x = 5.0f;
    const BodyId second = add(world, lift);
    const BodyId load = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 1.5f)));
    const BodyId top = add(world, make_body(Sphere{0.3f}, Vec3(0, 0, 2.3f)));
    const BodyId other = add(world, make_body(Box{Vec3(0.5f)}, Vec3(5, 0, 1.5f)));
    run(world, 120);
    for (const BodyId id : {load, top, other}) {
        ASSERT_TRUE(state_of(world, id).sleeping) << "a lift that stands still keeps nobody awake";
    }
    SetBody up;
    up.body = first;
    up.linear_velocity = Vec3(0, 0, 0.5f);
    ASSERT_TRUE(world.apply(up).ok());
    for (int step = 0; step < 120; ++step) {
        world.step();
        ASSERT_FALSE(state_of(world, load).sleeping) << "step " << step;
        ASSERT_FALSE(state_of(world, top).sleeping) << "step " << step;
        ASSERT_TRUE(state_of(world, other).sleeping) << "step " << step;
    }
    EXPECT_NEAR(state_of(world, load).pose.position.z, 2.5f, 0.02f);
    EXPECT_NEAR(state_of(world, top).pose.position.z, 3.3f, 0.02f);
    EXPECT_EQ(state_of(world, second).pose.position.z, 0.9f);
    up.linear_velocity = Vec3(0);
    ASSERT_TRUE(world.apply(up).ok());
    run(world, 120);
    EXPECT_TRUE(state_of(world, load).sleeping);
    EXPECT_TRUE(state_of(world, top).sleeping);
}

TEST(Sleep, AThrownBodyWakesWhatItTouchesInTheStepInWhichItDoes) {
    World world;
    add(world, make_floor());
    std::vector<BodyId> stacks;
    for (int i = 0; i < 6; ++i) {
        stacks.push_back(add(world, make_body(Box{Vec3(0.5f)}, Vec3(3.0f * static_cast<float>(i / 2), 0,
                                                                    0.5f + static_cast<float>(i % 2)))));
    }
    run(world, 120);
    BodyDef ball = make_body(Sphere{0.2f}, Vec3(3, -6, 1.5f)); // at the upper box of the middle stack
    ball.linear_velocity = Vec3(0, 8, 2.5f);
    const BodyId thrown = add(world, ball);
    bool touched = false, awake = false; // before this step
    for (int step = 0; step < 60; ++step) {
        world.step();
        const FrameState frame = published(world);
        for (const ContactState& contact : frame.contacts) {
            const bool with_ball = contact.body_a == thrown || contact.body_b == thrown;
            touched = touched || (with_ball && (contact.body_a == stacks[3] || contact.body_b == stacks[3]));
        }
        for (const ImpactState& impact : frame.impacts) {
            const bool with_ball = impact.body_a == thrown || impact.body_b == thrown;
            touched = touched || (with_ball && (impact.body_a == stacks[3] || impact.body_b == stacks[3]));
        }
        // An impact at the very end of a step is foreseen in it and answered in the next.
        for (int i = 0; i < 6; ++i) {
            const bool sleeps = state_of(world, stacks[static_cast<std::size_t>(i)]).sleeping;
            ASSERT_TRUE(sleeps || i / 2 == 1) << "step " << step << ", box " << i;
            ASSERT_FALSE(sleeps && i / 2 == 1 && (touched || awake)) << "step " << step << ", box " << i;
        }
        ASSERT_TRUE(touched || !awake) << "woken a step too early, " << step;
        if (touched) {
            break;
        }
        awake = !state_of(world, stacks[2]).sleeping;
    }
    EXPECT_TRUE(touched);
}

TEST(Sleep, SettingsWakeExceptThoseOfSleepItself) {
    const std::vector<void (*)(Settings&)> waking{
        [](Settings& s) { s.gravity.x = 0.1f; },      [](Settings& s) { s.hz = 120.0f; },
        [](Settings& s) { s.substeps = 8; },          [](Settings& s) { s.sleeping = false; },
        [](Settings& s) { s.contact_hertz = 20.0f; }, [](Settings& s) { s.contact_damping_ratio = 2.0f; },
        [](Settings& s) { s.linear_slop = 0.01f; },   [](Settings& s) { s.speculative_distance = 0.05f; },
        [](Settings& s) { s.warm_starting = false; }};
    const std::vector<void (*)(Settings&)> quiet{[](Settings&) {}, [](Settings& s) { s.sleep_speed = 0.1f; },
                                                 [](Settings& s) { s.sleep_time = 1.0f; }};
    Sleepers sleepers;
    const auto start = sleepers.world.snapshot();
    const auto asleep_after = [&](void (*change)(Settings&)) {
        sleepers.world.restore(*start);
        Settings settings = sleepers.world.settings();
        change(settings);
        EXPECT_TRUE(sleepers.world.apply(SetSettings{settings}).ok());
        EXPECT_EQ(sleepers.asleep(sleepers.lower), sleepers.asleep(sleepers.upper));
        return sleepers.asleep(sleepers.lower);
    };
    for (std::size_t i = 0; i < waking.size(); ++i) {
        EXPECT_FALSE(asleep_after(waking[i])) << "change " << i;
    }
    for (std::size_t i = 0; i < quiet.size(); ++i) {
        EXPECT_TRUE(asleep_after(quiet[i])) << "change " << i;
    }
}

// Bounds and margins follow the settings, of what stands and sleeps too.
TEST(Sleep, SettingsHoldForBodiesThatWereThereBefore) {
    Settings wide;
    wide.speculative_distance = 0.3f;
    World changed;
    World made(wide);
    for (World* world : {&changed, &made}) {
        add(*world, make_floor());
    }
    ASSERT_TRUE(changed.apply(SetSettings{wide}).ok());
    for (World* world : {&changed, &made}) {
        add(*world, make_body(Diamond{0.5f}, Vec3(0, 0, 1.5f)));
    }
    for (int step = 0; step < 120; ++step) {
        changed.step();
        made.step();
        ASSERT_EQ(changed.hash(), made.hash()) << "step " << step;
    }
}

// The age of a contact is a number of steps: in that in which it is woken, and in those before and after.
TEST(Sleep, WakingUpdatesEveryContactOfTheIslandOnce) {
    Sleepers sleepers;
    const BodyId dropped = add(sleepers.world, make_body(Sphere{0.3f}, Vec3(0, 0, 2.6f)));
    const auto oldest = [](const FrameState& frame, BodyId a, BodyId b) {
        int age = -1;
        for (const ContactState& contact : frame.contacts) {
            if (contact.body_a == a && contact.body_b == b) {
                age = std::max(age, static_cast<int>(contact.age));
            }
        }
        return age;
    };
    FrameState before = published(sleepers.world);
    int woken_at = -1;
    for (int step = 0; step < 60; ++step) {
        const bool was_awake = !sleepers.asleep(sleepers.lower);
        sleepers.world.step();
        const FrameState now = published(sleepers.world);
        const bool awake = was_awake || !sleepers.asleep(sleepers.lower); // for some of the step
        woken_at = awake && woken_at < 0 ? step : woken_at;
        const int below = oldest(before, sleepers.lower, sleepers.upper);
        ASSERT_GE(below, 0);
        ASSERT_EQ(oldest(now, sleepers.lower, sleepers.upper), below + (awake ? 1 : 0)) << "step " << step;
        const int above = oldest(before, sleepers.upper, dropped);
        ASSERT_LE(oldest(now, sleepers.upper, dropped), above + 1) << "step " << step;
        before = now;
    }
    EXPECT_GT(woken_at, 3);
    EXPECT_GT(oldest(before, sleepers.upper, dropped), 20);
}

} // namespace
} // namespace cairn::physics::testing
