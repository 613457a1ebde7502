// What moves slowly because it has just set out, or is about to turn back, does not fall asleep; what rests does.
#include "tests/physics/world/height_builder.h"
#include "tests/physics/world/world_builder.h"

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace cairn::physics::testing {
namespace {

const Quat axis_along_y(std::sqrt(0.5f), -std::sqrt(0.5f), 0, 0); // of a joint

struct SlowScene {
    std::string name;
    float seconds = 0.0f;
    float moves = 0.0f; // m or rad, at least so far within that time
    std::function<BodyId(World&)> build;
};

void change_gravity(World& world, const Vec3& gravity) {
    Settings settings = world.settings();
    settings.gravity = gravity;
    ASSERT_TRUE(world.apply(SetSettings{settings}).ok());
}

void attach(World& world, const JointDef& joint) {
    const CommandResult result = world.apply(CreateJoint{joint});
    EXPECT_TRUE(result.ok()) << result.error;
}

// Of a joint of a body to the world, where the body is.
JointDef held_at(JointKind kind, BodyId body, const Vec3& place) {
    JointDef joint;
    joint.kind = kind;
    joint.body_b = body;
    joint.frame_a.position = place;
    return joint;
}

BodyId slow_fall(World& world, float gravity, float upward = 0.0f) {
    change_gravity(world, Vec3(0, 0, -gravity));
    BodyDef box = make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 10));
    box.linear_velocity.z = upward;
    return add(world, box);
}

BodyId seesaw(World& world, float left, float right) {
    const BodyId plank = add(world, make_body(Box{Vec3(4, 0.7f, 0.1f)}, Vec3(0, 0, 3)));
    JointDef hinge = held_at(JointKind::hinge, plank, Vec3(0, 0, 3));
    hinge.frame_a.orientation = hinge.frame_b.orientation = axis_along_y;
    attach(world, hinge);
    BodyDef box = make_body(Box{Vec3(0.5f)}, Vec3(-3.4f, 0, 3.6f));
    box.mass = left;
    add(world, box);
    box.pose.position.x = 3.4f;
    box.mass = right;
    return add(world, box);
}

BodyId heavy_wheel(World& world, float torque) {
    BodyDef def = make_body(Cylinder{0.5f, 0.2f}, Vec3(0, 0, 3));
    def.mass = 1000.0f;
    const BodyId body = add(world, def);
    JointDef hinge = held_at(JointKind::hinge, body, Vec3(0, 0, 3));
    hinge.motor = JointMotor{2.0f, torque};
    attach(world, hinge);
    return body;
}

// At a metre from where the spring wants it.
BodyId on_slide(World& world, float hertz) {
    BodyDef box = make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 3));
    box.gravity_scale = 0.0f;
    const BodyId body = add(world, box);
    JointDef slider = held_at(JointKind::slider, body, Vec3(0, 0, 3));
    slider.spring = JointSpring{};
    slider.spring->hertz = hertz;
    slider.spring->target = 1.0f;
    attach(world, slider);
    return body;
}

BodyId pendulum(World& world) {
    change_gravity(world, Vec3(0, 0, -0.05f));
    const BodyId body = add(world, make_body(Sphere{0.3f}, Vec3(3, 0, 6)));
    JointDef ball = held_at(JointKind::ball, body, Vec3(0, 0, 10));
    ball.frame_b.position = Vec3(-3, 0, 4);
    attach(world, ball);
    return body;
}

BodyId ball_on_slope(World& world, float angle, float uphill) {
    BodyDef slope = make_static(Box{Vec3(60, 5, 1)}, Vec3(0));
    slope.pose.orientation = glm::angleAxis(angle, Vec3(0, 1, 0));
    add(world, slope);
    BodyDef ball = make_body(Sphere{0.5f}, slope.pose.orientation * Vec3(0, 0, 1.5f));
    ball.linear_velocity.x = -uphill;
    ball.angular_velocity.y = -uphill / 0.5f;
    return add(world, ball);
}

// Leans by `beyond` rad further than over its edge.
BodyId tipping_column(World& world, float beyond) {
    add(world, make_floor());
    const float diagonal = std::sqrt(25.25f);
    BodyDef column = make_body(Box{Vec3(0.5f, 0.5f, 5)}, diagonal * Vec3(std::sin(beyond), 0, std::cos(beyond)));
    column.pose.orientation = glm::angleAxis(std::atan2(0.5f, 5.0f) + beyond, Vec3(0, 1, 0));
    return add(world, column);
}

// The bricks at its ends hang half over.
BodyId wall_with_loose_ends(World& world) {
    add(world, make_floor());
    BodyId last;
    for (int row = 0; row < 10; ++row) {
        for (int i = 0; i < 10; ++i) {
            const float x = static_cast<float>(i) + (row % 2 == 0 ? 0.0f : 0.5f);
            last = add(world,
                       make_body(Box{Vec3(0.5f, 0.25f, 0.25f)}, Vec3(x, 0, 0.25f + 0.5f * static_cast<float>(row))));
        }
    }
    return last;
}

BodyId hung_on_pulley(World& world, float left, float right) {
    BodyDef box = make_body(Box{Vec3(0.5f)}, Vec3(-2, 0, 20));
    box.mass = left;
    JointDef rope;
    rope.kind = JointKind::pulley;
    rope.body_a = add(world, box);
    box.pose.position.x = 2.0f;
    box.mass = right;
    rope.body_b = add(world, box);
    rope.ground_a = Vec3(-2, 0, 40);
    rope.ground_b = Vec3(2, 0, 40);
    rope.length = 40.0f;
    attach(world, rope);
    return rope.body_b;
}

// Sinks at 2.5 cm/s.
BodyId feather(World& world) {
    change_gravity(world, Vec3(0, 0, -0.5f));
    BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 10));
    def.linear_damping = 20.0f;
    return add(world, def);
}

std::vector<SlowScene> slow_scenes() {
    return {{"a box in a gravity of 0.05", 6, 0.8f, [](World& w) { return slow_fall(w, 0.05f); }},
            {"a box in a gravity of 0.002", 6, 0.03f, [](World& w) { return slow_fall(w, 0.002f); }},
            {"a box at the top of a toss", 10, 0.4f, [](World& w) { return slow_fall(w, 0.05f, 0.2f); }},
            {"a box at the top of a slow toss", 24, 0.9f, [](World& w) { return slow_fall(w, 0.02f, 0.2f); }},
            {"a feather", 6, 0.12f, feather},
            {"a see-saw of 1000 and 1010 kg", 6, 0.5f, [](World& w) { return seesaw(w, 1000.0f, 1010.0f); }},
            {"a heavy wheel", 10, 1.5f, [](World& w) { return heavy_wheel(w, 12.0f); }},
            {"a soft spring", 10, 0.5f, [](World& w) { return on_slide(w, 0.03f); }},
            {"a long pendulum", 40, 0.3f, pendulum},
            {"a ball on a slope of 0.3 %", 6, 0.3f, [](World& w) { return ball_on_slope(w, 0.003f, 0.0f); }},
            {"a ball that rolls up", 20, 0.5f, [](World& w) { return ball_on_slope(w, 0.005f, 0.2f); }},
            {"a column beyond its edge", 6, 0.5f, [](World& w) { return tipping_column(w, 0.005f); }},
            {"a wall with loose ends", 6, 1.0f, wall_with_loose_ends},
            {"a pulley of 1000 and 1010 kg", 6, 0.7f, [](World& w) { return hung_on_pulley(w, 1000.0f, 1010.0f); }}};
}

// The greatest way from where it started, m or rad.
float greatest_displacement(World& world, BodyId body, int steps) {
    const Transform start = state_of(world, body).pose;
    float most = 0.0f;
    for (int i = 0; i < steps; ++i) {
        world.step();
        const Transform now = state_of(world, body).pose;
        const Quat turn = now.orientation * glm::conjugate(start.orientation);
        most = std::max({most, glm::length(now.position - start.position),
                         2.0f * std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z)});
    }
    return most;
}

TEST(Sleep, WhatSetsOutSlowlyGoesOn) {
    for (const SlowScene& scene : slow_scenes()) {
        for (const float hz : {30.0f, 60.0f, 240.0f}) {
            SCOPED_TRACE(scene.name + ", " + std::to_string(hz) + " Hz");
            Settings settings;
            settings.hz = hz;
            World sleeping(settings);
            settings.sleeping = false;
            World sleepless(settings);
            const int steps = static_cast<int>(scene.seconds * hz);
            const BodyId body = scene.build(sleeping);
            ASSERT_EQ(scene.build(sleepless), body);
            const float moved = greatest_displacement(sleeping, body, steps);
            EXPECT_GT(moved, scene.moves);
            EXPECT_NEAR(moved, greatest_displacement(sleepless, body, steps), 0.01f * moved);
        }
    }
}

// Half a second is 30 steps.
TEST(Sleep, WhatRestsSleepsAfterTheSleepTime) {
    const std::vector<std::pair<std::string, std::function<BodyId(World&)>>> scenes{
        {"a box on the floor",
         [](World& w) {
             add(w, make_floor());
             return add(w, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f)));
         }},
        {"a box without weight",
         [](World& w) {
             BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 5));
             def.gravity_scale = 0.0f;
             return add(w, def);
         }},
        {"a stack",
         [](World& w) {
             add(w, make_floor());
             BodyId top;
             for (int i = 0; i < 8; ++i) {
                 top = add(w, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f + static_cast<float>(i))));
             }
             return top;
         }},
        {"a box held by friction",
         [](World& w) {
             BodyDef slope = make_static(Box{Vec3(20, 5, 1)}, Vec3(0));
             slope.pose.orientation = glm::angleAxis(0.3f, Vec3(0, 1, 0));
             add(w, slope);
             BodyDef box = make_body(Box{Vec3(0.5f)}, slope.pose.orientation * Vec3(0, 0, 1.5f));
             box.pose.orientation = slope.pose.orientation;
             return add(w, box);
         }},
        {"a balanced see-saw", [](World& w) { return seesaw(w, 1000.0f, 1000.0f); }},
        {"a balanced pulley", [](World& w) { return hung_on_pulley(w, 1000.0f, 1000.0f); }},
        {"a chain",
         [](World& w) {
             JointDef ball = held_at(JointKind::ball, BodyId{}, Vec3(0, 0, 10));
             ball.frame_b.position = Vec3(0, 0, 0.4f);
             for (int i = 0; i < 10; ++i) {
                 ball.body_b = add(w, make_body(Capsule{0.1f, 0.3f}, Vec3(0, 0, 9.6f - 0.8f * static_cast<float>(i))));
                 attach(w, ball);
                 ball.body_a = ball.body_b;
                 ball.frame_a.position = Vec3(0, 0, -0.4f);
             }
             return ball.body_b;
         }},
        {"a motor against its limit",
         [](World& w) {
             const BodyId body = add(w, make_body(Cylinder{0.5f, 0.2f}, Vec3(0, 0, 3)));
             JointDef hinge = held_at(JointKind::hinge, body, Vec3(0, 0, 3));
             hinge.motor = JointMotor{2.0f, 500.0f};
             hinge.limits = JointLimits{-1.0f, 0.0f};
             attach(w, hinge);
             return body;
         }},
        // What moves on at one speed counts as resting.
        {"a box that drifts", [](World& w) { return slow_fall(w, 0.0f, 0.04f); }},
        {"a box that its damping stops", [](World& w) {
             BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 5));
             def.gravity_scale = 0.0f;
             def.linear_damping = 0.5f;
             def.linear_velocity.x = 0.049f;
             return add(w, def);
         }}};
    for (const auto& [name, build] : scenes) {
        World world;
        const BodyId body = build(world);
        run(world, 32);
        EXPECT_TRUE(state_of(world, body).sleeping) << name;
    }
}

// The bounds that docs/how/step.md states.
TEST(Sleep, WhatHardlyAcceleratesSleeps) {
    const std::vector<std::function<BodyId(World&)>> scenes{
        [](World& w) { return slow_fall(w, 0.0005f); },               // half a millimetre per second squared
        [](World& w) { return hung_on_pulley(w, 1000.0f, 1002.0f); }, // a thousandth of g
        [](World& w) { return heavy_wheel(w, 1.0f); }};
    for (const auto& build : scenes) {
        World world;
        const BodyId body = build(world);
        run(world, 32);
        EXPECT_TRUE(state_of(world, body).sleeping);
    }
}

// Their solver errors move them as slowly as what sets out, and would sway them by millimetres.
TEST(Sleep, TowersOnHeightFieldsSleepAsOnAFloor) {
    for (const bool field : {false, true}) {
        for (const float half : {0.1f, 0.4f, 0.5f}) {
            for (const int boxes : {2, 6, 10, 14}) {
                World world;
                if (field) {
                    add(world, make_static(HeightField{height_data(41, 41, 0.5f, [](float, float) { return 0.0f; })},
                                           Vec3(0.0f)));
                } else {
                    add(world, make_floor());
                }
                BodyId top;
                for (int i = 0; i < boxes; ++i) {
                    top = add(world, make_body(Box{Vec3(half)}, Vec3(0, 0, half * static_cast<float>(2 * i + 1))));
                }
                run(world, 36);
                EXPECT_TRUE(state_of(world, top).sleeping) << boxes << " of " << half << " m, field " << field;
            }
        }
    }
}

// With a fiftieth of critical damping it would swing within the sleep speed for ten seconds and more.
TEST(Sleep, WhatSwingsWithinTheSleepSpeedSleeps) {
    World world;
    BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 3));
    def.gravity_scale = 0.0f;
    def.linear_velocity.z = 0.04f;
    const BodyId body = add(world, def);
    JointDef slider = held_at(JointKind::slider, body, Vec3(0, 0, 3));
    slider.spring = JointSpring{};
    slider.spring->damping_ratio = 0.02f;
    attach(world, slider);
    run(world, 120);
    EXPECT_TRUE(state_of(world, body).sleeping);
}

} // namespace
} // namespace cairn::physics::testing
