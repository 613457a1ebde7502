// Sleeping and snapshots: what must not change the motion, and what must end the rest.
#include "tests/physics/world/world_builder.h"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace cairn::physics::testing {
namespace {

struct Stacks {
    World world;
    BodyId floor, lower, upper, apart;

    Stacks() {
        floor = add(world, make_static(Box{Vec3(2, 2, 0.5f)}, Vec3(0, 0, -0.5f)));
        lower = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f)));
        upper = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 1.5f)));
        add(world, make_static(Box{Vec3(2, 2, 0.5f)}, Vec3(9, 0, -0.5f)));
        apart = add(world, make_body(Box{Vec3(0.5f)}, Vec3(9, 0, 0.5f)));
    }
    bool asleep(BodyId id) const { return state_of(world, id).sleeping; }
};

TEST(Rest, AnIslandSleepsOnlyWhenAllOfItIsQuiet) {
    Stacks stacks;
    BodyDef top = make_body(Cylinder{0.2f, 0.1f}, Vec3(0, 0, 2.1f)); // a top that spins on the upper box
    top.angular_velocity = Vec3(0, 0, 30);
    top.material.friction = 0.01f;
    const BodyId spinner = add(stacks.world, top);
    run(stacks.world, 180);
    ASSERT_GT(std::abs(state_of(stacks.world, spinner).angular_velocity.z), 5.0f);
    EXPECT_TRUE(stacks.asleep(stacks.apart));
    EXPECT_FALSE(stacks.asleep(stacks.lower)) << "quiet itself, but its island is not";
    EXPECT_FALSE(stacks.asleep(stacks.upper));
    SetBody halt;
    halt.body = spinner;
    halt.angular_velocity = Vec3(0);
    ASSERT_TRUE(stacks.world.apply(halt).ok());
    run(stacks.world, 90);
    for (const BodyId id : {spinner, stacks.lower, stacks.upper}) {
        EXPECT_TRUE(stacks.asleep(id));
    }
}

struct Waking {
    const char* name;
    std::function<void(Stacks&)> edit;
};

void PrintTo(const Waking& waking, std::ostream* out) {
    *out << waking.name;
}

class RestEnds : public ::testing::TestWithParam<Waking> {};

// The edit is made to the lower box or below it: the whole stack wakes within a second, the other does not.
TEST_P(RestEnds, ForTheWholeIslandAndForNoOther) {
    Stacks stacks;
    run(stacks.world, 120);
    ASSERT_TRUE(stacks.asleep(stacks.lower) && stacks.asleep(stacks.upper) && stacks.asleep(stacks.apart));
    GetParam().edit(stacks);
    bool lower_woke = false, upper_woke = false;
    for (int step = 0; step < 60; ++step) {
        stacks.world.step();
        lower_woke = lower_woke || !stacks.asleep(stacks.lower);
        upper_woke = upper_woke || !stacks.asleep(stacks.upper);
        EXPECT_TRUE(stacks.asleep(stacks.apart)) << "step " << step;
    }
    EXPECT_TRUE(lower_woke);
    EXPECT_TRUE(upper_woke);
}

SetBody change(BodyId body) {
    SetBody set;
    set.body = body;
    return set;
}

INSTANTIATE_TEST_SUITE_P(Edits, RestEnds,
                         ::testing::Values(Waking{"Impulse",
                                                  [](Stacks& s) {
                                                      s.world.apply(ApplyImpulse{s.lower, Vec3(0, 0, 1), {}});
                                                  }},
                                           Waking{"Friction",
                                                  [](Stacks& s) {
                                                      SetBody set = change(s.lower);
                                                      set.friction = 0.1f;
                                                      s.world.apply(set);
                                                  }},
                                           Waking{"Mass",
                                                  [](Stacks& s) {
                                                      SetBody set = change(s.lower);
                                                      set.mass = 5.0f;
                                                      s.world.apply(set);
                                                  }},
                                           Waking{"Grab",
                                                  [](Stacks& s) {
                                                      s.world.apply(Grab{s.lower, Vec3(0), Vec3(0, 0, 0.6f)});
                                                  }},
                                           Waking{"FloorRemoved",
                                                  [](Stacks& s) { s.world.apply(DestroyBody{s.floor}); }},
                                           Waking{"FloorMoved",
                                                  [](Stacks& s) {
                                                      SetBody set = change(s.floor);
                                                      set.position = Vec3(0, 0, -1.5f);
                                                      s.world.apply(set);
                                                  }},
                                           Waking{"FloorMadeToMove",
                                                  [](Stacks& s) {
                                                      SetBody set = change(s.floor);
                                                      set.type = BodyType::kinematic;
                                                      set.linear_velocity = Vec3(0.5f, 0, 0);
                                                      s.world.apply(set);
                                                  }},
                                           Waking{"Touched",
                                                  [](Stacks& s) {
                                                      BodyDef ball = make_body(Sphere{0.1f}, Vec3(-1.5f, 0, 0.5f));
                                                      ball.linear_velocity = Vec3(4, 0, 0);
                                                      add(s.world, ball);
                                                  }},
                                           Waking{"PushedByAKinematicBody",
                                                  [](Stacks& s) {
                                                      BodyDef pusher = make_body(Box{Vec3(0.2f)}, Vec3(-1.0f, 0, 0.5f));
                                                      pusher.type = BodyType::kinematic;
                                                      pusher.linear_velocity = Vec3(1, 0, 0);
                                                      add(s.world, pusher);
                                                  }}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Rest, GravityThatTurnsWakesEverything) {
    Stacks stacks;
    run(stacks.world, 120);
    ASSERT_TRUE(stacks.asleep(stacks.apart));
    Settings settings = stacks.world.settings();
    settings.gravity = Vec3(6, 0, -9.81f);
    ASSERT_TRUE(stacks.world.apply(SetSettings{settings}).ok());
    run(stacks.world, 60);
    EXPECT_GT(state_of(stacks.world, stacks.apart).pose.position.x, 9.1f);
    EXPECT_GT(state_of(stacks.world, stacks.lower).pose.position.x, 0.1f);
}

void fill(World& world) {
    add(world, make_floor());
    BodyDef paddle = make_body(Box{Vec3(2, 0.2f, 0.2f)}, Vec3(0, 0, 0.5f));
    paddle.type = BodyType::kinematic;
    paddle.angular_velocity = Vec3(0, 0, 1.5f);
    add(world, paddle);
    for (int i = 0; i < 24; ++i) {
        const auto f = static_cast<float>(i);
        const Vec3 at(1.1f * static_cast<float>(i % 4) - 1.6f, 1.1f * static_cast<float>(i / 4 % 3) - 1.1f,
                      1.5f + 1.2f * static_cast<float>(i / 12));
        const std::vector<Geometry> kinds{Box{Vec3(0.4f)}, Sphere{0.45f}, Capsule{0.25f, 0.3f}, Diamond{0.5f}};
        BodyDef def = make_body(kinds[static_cast<std::size_t>(i) % kinds.size()], at);
        def.pose.orientation = normalized(Quat(std::sin(f + 1.0f), std::sin(2.3f * f), std::sin(3.7f * f), 0.3f));
        def.material.restitution = i % 5 == 0 ? 0.6f : 0.0f;
        def.material.rolling_resistance = 0.02f;
        add(world, def);
    }
    BodyDef shot = make_body(Sphere{0.2f}, Vec3(-30, 0, 0.8f));
    shot.linear_velocity = Vec3(60, 0, 1);
    add(world, shot);
}

// Whatever the moment: in flight, in the middle of an impact, with bodies asleep, with one held by the mouse.
TEST(Rest, SnapshotOfAnyStepContinuesWithTheSameBits) {
    World world;
    fill(world);
    World other; // lives on, so that stale data would show
    const BodyId held = world.body_ids()[5];
    for (int step = 0; step < 240; ++step) {
        if (step == 60) {
            ASSERT_TRUE(world.apply(Grab{held, Vec3(0.2f, 0, 0), Vec3(0, 0, 3)}).ok());
        } else if (step == 120) {
            ASSERT_TRUE(world.apply(ReleaseGrab{}).ok());
        }
        const auto snapshot = world.snapshot();
        world.step();
        other.restore(*snapshot);
        other.step();
        ASSERT_EQ(other.hash(), world.hash()) << "step " << step;
        if (step % 40 == 0) { // and further than one step
            const auto here = world.snapshot();
            run(world, 20);
            run(other, 20);
            ASSERT_EQ(other.hash(), world.hash()) << "twenty steps after step " << step;
            world.restore(*here);
        }
    }
}

TEST(Rest, SleepingChangesNoBitBeforeTheFirstSleep) {
    World with, without;
    fill(with);
    fill(without);
    Settings settings;
    settings.sleeping = false;
    ASSERT_TRUE(without.apply(SetSettings{settings}).ok());
    int compared = 0;
    const std::uint32_t awake = 26; // all that move
    for (int step = 0; step < 900; ++step) {
        with.step();
        without.step();
        if (published(with).stats.awake < awake) {
            break;
        }
        ++compared;
        for (const BodyId id : with.body_ids()) {
            const BodyState a = state_of(with, id), b = state_of(without, id);
            ASSERT_EQ(a.pose, b.pose) << "step " << step;
            ASSERT_EQ(a.linear_velocity, b.linear_velocity);
            ASSERT_EQ(a.angular_velocity, b.angular_velocity);
        }
    }
    EXPECT_GT(compared, 60);
}

// What is edged loses a little where it rolls on a corner or an edge; what is round must not, however slowly it rolls.
TEST(Rest, BallRollsOnAtAMillimetreASecond) {
    World world(without_sleep());
    add(world, make_floor());
    BodyDef ball = make_body(Sphere{0.5f}, Vec3(0, 0, 0.5f));
    ball.material.rolling_resistance = 0.0f;
    ball.linear_velocity = Vec3(1e-3f, 0, 0);
    ball.angular_velocity = Vec3(0, 2e-3f, 0);
    const BodyId id = add(world, ball);
    run(world, 600);
    EXPECT_NEAR(state_of(world, id).linear_velocity.x, 1e-3f, 2e-5f);
}

} // namespace
} // namespace cairn::physics::testing
