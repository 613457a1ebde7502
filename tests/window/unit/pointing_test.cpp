// Pointing without a mouse: what keys and a gamepad do to crosshair, camera and player.
#include "app/core/scene/scene.h"
#include "app/ui/camera/picking.h"
#include "app/ui/screen/layout.h"
#include "app/ui/screen/pointing/pointing.h"
#include "app/ui/session/registrations.h"
#include "app/ui/tools/player/player.h"
#include "app/ui/tools/tool_box.h"
#include "app/ui/window/pointing/gamepad.h"

#include <gtest/gtest.h>

namespace cairn::ui {
namespace {

constexpr float frame_time = 1.0f / 60.0f;

core::Scene ground_and_box() {
    core::Scene scene;
    physics::BodyDef ground;
    ground.type = physics::BodyType::fixed;
    ground.shapes = {{physics::Box{{20.0f, 20.0f, 0.5f}}, {}}};
    ground.pose.position.z = -0.5f;
    physics::BodyDef box;
    box.name = "box";
    box.shapes = {{physics::Box{{0.5f, 0.5f, 0.5f}}, {}}};
    box.pose.position.z = 0.5f;
    scene.bodies = {ground, box};
    return scene;
}

class Pointing : public ::testing::Test {
  protected:
    Pointing() {
        ctx_.window.width = 1000;
        ctx_.window.height = 600;
        ctx_.get<Layout>().free = {300.0f, 10.0f, 600.0f, 500.0f};
        render::Camera camera;
        camera.eye = {0.0f, -10.0f, 3.0f};
        camera.target = {0.0f, 0.0f, 3.0f};
        ctx_.camera.set(camera);
    }
    void pad(const PadState& state, float seconds = frame_time, bool reaches_world = true) {
        Player& player = ctx_.get<Player>();
        player.keys = glm::vec3(0.0f); // as the keys of that frame
        player.right = player.forward = 0.0f;
        gamepad_.follow(ctx_, mouse_, crosshair_, state, reaches_world, seconds);
        crosshair_.follow(ctx_, mouse_, gamepad_.held(), seconds);
    }
    static PadState idle() {
        PadState state;
        state.name = "test pad";
        state.left = {0.05f, -0.08f}; // no stick comes back to the middle
        return state;
    }
    static PadState with(PadButton button) {
        PadState state = idle();
        state.buttons[static_cast<std::size_t>(button)] = true;
        return state;
    }
    void step() {
        simulation_.step_now();
        ctx_.get<Player>().update(ctx_);
    }

    core::Simulation simulation_{ground_and_box(), nullptr, core::Simulation::Place::caller};
    WindowContext ctx_{WindowOptions{}, simulation_};
    MouseTool mouse_;
    CrosshairControl crosshair_;
    Gamepad gamepad_;
};

TEST_F(Pointing, DeadZoneEndsWithoutAJump) {
    EXPECT_EQ(beyond_dead_zone({0.1f, 0.1f}, 0.15f), glm::vec2(0.0f));
    EXPECT_NEAR(glm::length(beyond_dead_zone({0.16f, 0.0f}, 0.15f)), 0.0118f, 1e-3f);
    EXPECT_FLOAT_EQ(beyond_dead_zone({0.0f, -1.0f}, 0.15f).y, -1.0f);
    EXPECT_NEAR(glm::length(beyond_dead_zone({1.0f, 1.0f}, 0.15f)), 1.0f, 1e-6f) << "corners are no faster";
    EXPECT_EQ(beyond_dead_zone({0.0f, 0.0f}, 0.0f), glm::vec2(0.0f));
}

TEST_F(Pointing, SticksFlyAndLook) {
    const render::Camera start = ctx_.camera.camera();
    pad(idle());
    EXPECT_EQ(ctx_.camera.camera().eye, start.eye) << "within the dead zone";
    EXPECT_FALSE(ctx_.get<Crosshair>().shown);
    PadState state = idle();
    state.left = {0.0f, -1.0f};
    state.right_trigger = 1.0f;
    pad(state);
    EXPECT_GT(ctx_.camera.camera().eye.y, start.eye.y) << "forward";
    EXPECT_GT(ctx_.camera.camera().eye.z, start.eye.z) << "and up";
    EXPECT_TRUE(ctx_.get<Crosshair>().shown) << "what is thrown has an aim";
    EXPECT_EQ(ctx_.cursor, glm::vec2(600.0f, 260.0f)) << "in the middle of what the panels leave";
    const glm::vec3 eye = ctx_.camera.camera().eye;
    state = idle();
    state.right = {1.0f, 0.0f};
    pad(state);
    EXPECT_NEAR(glm::length(ctx_.camera.camera().eye - eye), 0.0f, 1e-4f) << "the head turns, and stays where it is";
    EXPECT_GT(axes_of(ctx_.camera.camera()).forward.x, 0.01f) << "to the right";
    state.right = {0.0f, 1.0f};
    pad(state);
    EXPECT_LT(axes_of(ctx_.camera.camera()).forward.z, -0.01f) << "down";
}

TEST_F(Pointing, SpeedIsASetting) {
    const auto flown = [&](float speed) {
        ctx_.get<GamepadSettings>().speed = speed;
        PadState state = idle();
        state.left = {1.0f, 0.0f};
        const glm::vec3 before = ctx_.camera.camera().eye;
        pad(state);
        return glm::length(ctx_.camera.camera().eye - before);
    };
    const float usual = flown(1.0f);
    EXPECT_GT(usual, 0.01f);
    EXPECT_NEAR(flown(2.0f), 2.0f * usual, 0.01f * usual);
    ctx_.get<GamepadSettings>().on = false;
    EXPECT_EQ(flown(1.0f), 0.0f);
}

TEST_F(Pointing, ButtonsActOncePerPress) {
    pad(idle());
    for (int i = 0; i < 3; ++i) {
        pad(with(PadButton::a));
    }
    step();
    EXPECT_EQ(ctx_.frame().bodies.size(), 3u) << "one ball";
    pad(idle());
    pad(with(PadButton::start));
    EXPECT_TRUE(simulation_.paused);
    pad(with(PadButton::start), frame_time, false);
    pad(idle());
    pad(with(PadButton::start), frame_time, false);
    EXPECT_TRUE(simulation_.paused) << "something else has the keyboard";
    pad(with(PadButton::start));
    EXPECT_TRUE(simulation_.paused) << "what was pressed there is not pressed here";
    pad(idle());
    pad(with(PadButton::start));
    EXPECT_FALSE(simulation_.paused);
}

TEST_F(Pointing, StickMovesThePlayerAndAJumpComesBack) {
    pad(idle());
    pad(with(PadButton::y));
    step();
    step();
    Player& player = ctx_.get<Player>();
    ASSERT_TRUE(player.active());
    auto place = player.find(ctx_.frame());
    ASSERT_TRUE(place);
    const glm::vec3 start = ctx_.frame().bodies[*place].pose.position;
    const render::Camera camera = ctx_.camera.camera();
    PadState half = idle();
    half.left = {0.575f, 0.0f}; // half of what lies beyond the dead zone
    for (int i = 0; i < 60; ++i) {
        pad(half);
        step();
    }
    place = player.find(ctx_.frame());
    EXPECT_NEAR(ctx_.frame().bodies[*place].linear_velocity.x, 0.5f * player.speed, 0.1f * player.speed);
    EXPECT_EQ(ctx_.camera.camera().eye, camera.eye) << "the camera stays behind";
    for (int i = 0; i < 30; ++i) {
        pad(idle());
        step();
    }
    const float before = ctx_.frame().bodies[*player.find(ctx_.frame())].pose.position.z;
    float highest = before;
    pad(with(PadButton::a));
    for (int i = 0; i < 60; ++i) {
        pad(idle());
        step();
        highest = std::max(highest, ctx_.frame().bodies[*player.find(ctx_.frame())].pose.position.z);
    }
    EXPECT_GT(highest, before + 0.6f);
    EXPECT_LT(highest, before + 1.1f);
    EXPECT_NEAR(ctx_.frame().bodies[*player.find(ctx_.frame())].pose.position.z, before, 0.15f);
    EXPECT_GT(start.z, 0.0f);
}

TEST_F(Pointing, CrosshairStepsGlidesAndStaysInTheWorld) {
    crosshair_.press(ctx_, mouse_, "aim_left", false);
    EXPECT_EQ(ctx_.cursor, glm::vec2(592.0f, 260.0f)) << "from the middle, a step";
    crosshair_.press(ctx_, mouse_, "aim_down", true);
    EXPECT_EQ(ctx_.cursor, glm::vec2(592.0f, 261.0f)) << "finely";
    CrosshairInput held;
    held.left = true;
    crosshair_.follow(ctx_, mouse_, held, 0.1f);
    EXPECT_EQ(ctx_.cursor.x, 592.0f) << "a press that lasts a moment is one step";
    for (int i = 0; i < 120; ++i) {
        crosshair_.follow(ctx_, mouse_, held, frame_time);
    }
    EXPECT_EQ(ctx_.cursor, glm::vec2(300.0f, 261.0f)) << "to the edge of the panels, and no farther";
    crosshair_.hide(ctx_, mouse_);
    EXPECT_FALSE(ctx_.get<Crosshair>().shown);
}

TEST_F(Pointing, OrbitAndPanMoveTheCameraAndNotTheCrosshair) {
    const render::Camera before = ctx_.camera.camera();
    crosshair_.press(ctx_, mouse_, "aim_orbit", false);
    crosshair_.press(ctx_, mouse_, "aim_right", false);
    EXPECT_EQ(ctx_.cursor, glm::vec2(600.0f, 260.0f));
    EXPECT_LT(ctx_.camera.camera().eye.x, before.eye.x - 0.01f);
    CrosshairInput held;
    held.orbit = true;
    crosshair_.follow(ctx_, mouse_, held, frame_time);
    const render::Camera orbited = ctx_.camera.camera();
    crosshair_.follow(ctx_, mouse_, {}, frame_time); // let go
    crosshair_.press(ctx_, mouse_, "aim_right", false);
    EXPECT_EQ(ctx_.camera.camera().eye, orbited.eye);
    EXPECT_EQ(ctx_.cursor.x, 608.0f);
    crosshair_.press(ctx_, mouse_, "aim_pan", false);
    crosshair_.press(ctx_, mouse_, "aim_up", false);
    EXPECT_NEAR(glm::length(ctx_.camera.camera().target - ctx_.camera.camera().eye),
                glm::length(orbited.target - orbited.eye), 1e-3f);
    EXPECT_NE(ctx_.camera.camera().eye, orbited.eye);
    const float distance = glm::length(ctx_.camera.camera().target - ctx_.camera.camera().eye);
    crosshair_.press(ctx_, mouse_, "aim_nearer", false);
    EXPECT_LT(glm::length(ctx_.camera.camera().target - ctx_.camera.camera().eye), distance);
}

} // namespace
} // namespace cairn::ui
