#include "app/ui/camera/camera_control.h"
#include "app/ui/camera/picking.h"

#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace cairn::ui {
namespace {

constexpr float height = 720.0f;
const glm::vec2 window_size(1280.0f, height);

CameraControl looking_north() {
    render::Camera camera;
    camera.eye = {0.0f, -10.0f, 2.0f};
    camera.target = {0.0f, 0.0f, 2.0f};
    return CameraControl(camera);
}

glm::vec2 seen_at(const CameraControl& control, const glm::vec3& point) {
    const auto at = window_position(control.camera(), point, window_size);
    return at.value_or(glm::vec2(-1e6f));
}

TEST(CameraControl, OrbitKeepsTheDistanceAndThePivotsPlaceInTheWindow) {
    CameraControl control = looking_north();
    const glm::vec3 pivot(1.5f, 1.0f, 0.5f);
    const glm::vec2 before = seen_at(control, pivot);
    control.orbit(pivot, {120.0f, 45.0f}, height);
    EXPECT_NEAR(glm::length(control.camera().eye - pivot), glm::length(glm::vec3(0, -10, 2) - pivot), 1e-4f);
    EXPECT_NEAR(glm::length(control.camera().target - control.camera().eye), 10.0f, 1e-4f);
    EXPECT_LT(glm::length(seen_at(control, pivot) - before), 0.5f);
}

TEST(CameraControl, WithoutPerspectiveTheWheelScalesAboutTheCursorAndDragsMoveAllAlike) {
    CameraControl control = looking_north();
    const glm::vec3 target = control.camera().target, focus(2.0f, 7.0f, 1.0f);
    const glm::vec2 middle = seen_at(control, target);
    control.set_orthographic(true);
    EXPECT_LT(glm::length(seen_at(control, target) - middle), 1e-3f) << "what is at the target stays";
    const glm::vec2 before = seen_at(control, focus);
    const float scale = metres_per_unit(control.camera(), 1.0f, height);
    control.zoom(focus, 3.0f);
    EXPECT_LT(glm::length(seen_at(control, focus) - before), 0.1f);
    EXPECT_NEAR(metres_per_unit(control.camera(), 1.0f, height), 0.729f * scale, 1e-5f);
    const glm::vec3 near(1.0f, -25.0f, 3.0f), far(-2.0f, 60.0f, 0.0f); // the near one is behind the eye
    const glm::vec2 near_before = seen_at(control, near), far_before = seen_at(control, far);
    control.pan(focus, {30.0f, -12.0f}, height);
    EXPECT_LT(glm::length(seen_at(control, near) - near_before - glm::vec2(30.0f, -12.0f)), 0.1f);
    EXPECT_LT(glm::length(seen_at(control, far) - far_before - glm::vec2(30.0f, -12.0f)), 0.1f);
    // Flying forward enlarges: nothing else would be seen of it.
    const float wide = metres_per_unit(control.camera(), 1.0f, height);
    const glm::vec3 looked_at = control.camera().target;
    control.fly({1.0f, 0.0f, 0.0f, false}, 0.1f);
    EXPECT_LT(metres_per_unit(control.camera(), 1.0f, height), 0.99f * wide);
    EXPECT_EQ(control.camera().target, looked_at);
    for (int i = 0; i < 200; ++i) {
        control.fly({1.0f, 0.0f, 0.0f, true}, 0.1f);
    }
    EXPECT_GE(glm::length(control.camera().target - control.camera().eye), 0.99f);
}

TEST(CameraControl, DraggingRightMovesTheNearSideRight) {
    CameraControl control = looking_north();
    control.orbit({0.0f, 0.0f, 2.0f}, {90.0f, 0.0f}, height); // an eighth of a turn
    EXPECT_NEAR(control.camera().eye.x, -10.0f * std::sin(0.3926991f), 1e-4f);
    EXPECT_NEAR(control.camera().eye.y, -10.0f * std::cos(0.3926991f), 1e-4f);
    EXPECT_GT(seen_at(control, {0.0f, -1.0f, 2.0f}).x, 640.0f);
}

TEST(CameraControl, DraggingDownLiftsTheEyeButNeverOverThePole) {
    CameraControl control = looking_north();
    control.orbit(control.camera().target, {0.0f, 100.0f}, height);
    EXPECT_GT(control.camera().eye.z, 3.0f);
    for (int i = 0; i < 50; ++i) {
        control.orbit(control.camera().target, {0.0f, 300.0f}, height);
    }
    const CameraAxes axes = axes_of(control.camera());
    EXPECT_GT(axes.forward.z, -1.0f);
    EXPECT_LT(axes.forward.z, -0.99f);
    EXPECT_GT(axes.forward.y, 0.0f) << "the view went over the pole";
    for (int i = 0; i < 50; ++i) {
        control.orbit(control.camera().target, {0.0f, -300.0f}, height);
    }
    EXPECT_GT(axes_of(control.camera()).forward.z, 0.99f);
    EXPECT_GT(axes_of(control.camera()).up.z, 0.0f);
}

TEST(CameraControl, PanCarriesThePivotWithTheCursor) {
    CameraControl control = looking_north();
    const glm::vec3 pivot(2.0f, 3.0f, 1.0f);
    const glm::vec2 before = seen_at(control, pivot);
    control.pan(pivot, {57.0f, -31.0f}, height);
    const glm::vec2 moved = seen_at(control, pivot) - before;
    EXPECT_NEAR(moved.x, 57.0f, 0.05f);
    EXPECT_NEAR(moved.y, -31.0f, 0.05f);
    EXPECT_NEAR(glm::length(control.camera().target - control.camera().eye), 10.0f, 1e-4f);
}

TEST(CameraControl, ZoomKeepsWhatIsUnderTheCursorThere) {
    CameraControl control = looking_north();
    const glm::vec3 focus(2.0f, 1.0f, 3.0f);
    const glm::vec2 before = seen_at(control, focus);
    const float distance = glm::length(focus - control.camera().eye);
    control.zoom(focus, 3.0f);
    EXPECT_LT(glm::length(seen_at(control, focus) - before), 0.05f);
    EXPECT_NEAR(glm::length(focus - control.camera().eye), distance * 0.729f, 1e-3f);
    control.zoom(focus, -3.0f);
    EXPECT_NEAR(glm::length(control.camera().eye - glm::vec3(0, -10, 2)), 0.0f, 1e-3f);
}

TEST(CameraControl, ZoomNeverPassesThroughNorRunsAway) {
    CameraControl control = looking_north();
    const glm::vec3 focus(0.0f, 0.0f, 2.0f);
    for (int i = 0; i < 500; ++i) {
        control.zoom(focus, 5.0f);
    }
    EXPECT_NEAR(glm::length(focus - control.camera().eye), 0.2f, 1e-3f);
    EXPECT_GT(axes_of(control.camera()).forward.y, 0.999f);
    for (int i = 0; i < 500; ++i) {
        control.zoom(focus, -5.0f);
    }
    EXPECT_NEAR(glm::length(focus - control.camera().eye), 1500.0f, 1.0f);
}

TEST(CameraControl, FlightFollowsTheViewAndIsFasterWithShift) {
    CameraControl control = looking_north();
    control.fly({1.0f, 0.0f, 0.0f, false}, 0.1f);
    EXPECT_NEAR(control.camera().eye.y, -9.0f, 1e-4f); // 10 m/s at 10 m from the target
    EXPECT_NEAR(control.camera().target.y, 1.0f, 1e-4f);
    control.fly({0.0f, 1.0f, 0.0f, true}, 0.1f);
    EXPECT_NEAR(control.camera().eye.x, 3.0f, 1e-4f);
    control.fly({0.0f, 0.0f, -1.0f, false}, 0.1f);
    EXPECT_NEAR(control.camera().eye.z, 1.0f, 1e-4f);
    const glm::vec3 before = control.camera().eye;
    control.fly({1.0f, 1.0f, 0.0f, false}, 0.1f); // two keys are no faster than one
    EXPECT_NEAR(glm::length(control.camera().eye - before), 1.0f, 1e-4f);
}

TEST(CameraControl, FramingBringsAllCornersIntoView) {
    const physics::Aabb box{{3.0f, 4.0f, 0.0f}, {9.0f, 5.0f, 2.0f}};
    for (const float aspect : {16.0f / 9.0f, 0.5f}) {
        CameraControl control = looking_north();
        control.frame(box, aspect, true);
        const glm::vec2 size(height * aspect, height);
        for (int i = 0; i < 8; ++i) {
            const glm::vec3 corner((i & 1) != 0 ? box.upper.x : box.lower.x, (i & 2) != 0 ? box.upper.y : box.lower.y,
                                   (i & 4) != 0 ? box.upper.z : box.lower.z);
            const auto at = window_position(control.camera(), corner, size);
            ASSERT_TRUE(at);
            EXPECT_GE(at->x, 0.0f);
            EXPECT_LE(at->x, size.x);
            EXPECT_GE(at->y, 0.0f);
            EXPECT_LE(at->y, size.y);
        }
    }
}

TEST(CameraControl, GlidingEndsExactlyAtTheGoalAndYieldsToThePerson) {
    CameraControl control = looking_north();
    const physics::Aabb box{{5.0f, 5.0f, 0.0f}, {6.0f, 6.0f, 1.0f}};
    control.frame(box, 1.5f);
    EXPECT_TRUE(control.gliding());
    for (int i = 0; i < 60; ++i) {
        control.advance(1.0f / 60.0f);
    }
    EXPECT_FALSE(control.gliding());
    EXPECT_EQ(control.camera().target, glm::vec3(5.5f, 5.5f, 0.5f));
    control.frame({{0, 0, 0}, {1, 1, 1}}, 1.5f);
    control.orbit({0, 0, 0}, {5.0f, 0.0f}, height);
    EXPECT_FALSE(control.gliding());
}

TEST(CameraControl, APersonsMoveEndsAPath) {
    const std::vector<std::pair<const char*, std::function<void(CameraControl&)>>> moves{
        {"orbit",
         [](CameraControl& c) {
             c.orbit(glm::vec3(0.0f), {3.0f, 0.0f}, 700.0f);
         }},
        {"pan",
         [](CameraControl& c) {
             c.pan(glm::vec3(0.0f), {3.0f, 0.0f}, 700.0f);
         }},
        {"zoom", [](CameraControl& c) { c.zoom(glm::vec3(0.0f), 1.0f); }},
        {"fly",
         [](CameraControl& c) {
             c.fly({1.0f, 0.0f, 0.0f, false}, 0.1f);
         }},
        {"glide", [](CameraControl& c) { c.glide_to(c.camera()); }}};
    for (const auto& [what, move] : moves) {
        CameraControl control;
        control.on_path = true;
        control.go_to({0.0f, -9.0f, 4.0f}, glm::vec3(0.0f));
        control.fly({}, 0.1f); // no key is down
        control.advance(0.1f);
        EXPECT_TRUE(control.on_path) << what;
        move(control);
        EXPECT_FALSE(control.on_path) << what;
    }
}

} // namespace
} // namespace cairn::ui
