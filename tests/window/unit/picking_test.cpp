#include "app/ui/camera/picking.h"

#include <gtest/gtest.h>
#include <random>

namespace cairn::ui {
namespace {

render::Camera picking_camera() {
    render::Camera c;
    c.eye = {4.0f, -12.0f, 6.0f};
    c.target = {-1.0f, 2.0f, 0.5f};
    return c;
}

TEST(Picking, TheMiddleOfTheWindowLooksAtTheTarget) {
    const physics::Ray ray = cursor_ray(picking_camera(), {640.0f, 360.0f}, {1280.0f, 720.0f});
    const glm::vec3 to_target = glm::normalize(picking_camera().target - picking_camera().eye);
    EXPECT_NEAR(glm::length(ray.direction - to_target), 0.0f, 1e-6f);
}

TEST(Picking, TheTopEdgeIsHalfTheFieldOfViewUp) {
    const physics::Ray ray = cursor_ray(picking_camera(), {640.0f, 0.0f}, {1280.0f, 720.0f});
    const CameraAxes axes = axes_of(picking_camera());
    EXPECT_NEAR(std::acos(glm::dot(ray.direction, axes.forward)), 0.5f * picking_camera().vertical_fov, 1e-5f);
    EXPECT_GT(glm::dot(ray.direction, axes.up), 0.0f);
}

TEST(Picking, OrthographicRaysAreParallelFromFarBehindTheEye) {
    render::Camera camera = picking_camera();
    camera.orthographic = true;
    const CameraAxes axes = axes_of(camera);
    const glm::vec2 window(1280.0f, 720.0f);
    // The picture is as high as it is at the target in perspective.
    const float high = 2.0f * glm::length(camera.target - camera.eye) * std::tan(0.5f * camera.vertical_fov);
    for (const float distance : {1.0f, 50.0f}) {
        EXPECT_FLOAT_EQ(metres_per_unit(camera, distance, window.y), high / window.y);
    }
    const physics::Ray ray = cursor_ray(camera, {640.0f + 180.0f, 0.0f}, window);
    EXPECT_EQ(ray.direction, axes.forward);
    const glm::vec3 expected = camera.eye + 0.25f * high * axes.right + 0.5f * high * axes.up;
    EXPECT_LT(glm::length(ray.origin + render::orthographic_behind * ray.direction - expected), 1e-3f);
    const physics::Ray level = from_eye(ray, camera);
    EXPECT_LT(glm::length(level.origin - expected), 1e-3f);
    EXPECT_NEAR(level.max_distance, camera.far_distance, 1e-2f);
    // What is behind the eye is seen and met; a point and what is in front of it are at one place.
    const glm::vec3 behind = expected - 30.0f * axes.forward;
    for (const glm::vec3& point : {behind, expected + 70.0f * axes.forward}) {
        const auto at = window_position(camera, point, window);
        ASSERT_TRUE(at);
        EXPECT_LT(glm::length(*at - glm::vec2(820.0f, 0.0f)), 0.02f);
    }
    const auto met = meet_plane(ray, behind, axes.forward);
    ASSERT_TRUE(met);
    EXPECT_LT(glm::length(*met - behind), 1e-2f);
    EXPECT_LT(glm::length(towards_eye(camera, behind) + axes.forward), 1e-6f);
    // In perspective the ray starts at the eye already.
    const physics::Ray usual = cursor_ray(picking_camera(), {100.0f, 200.0f}, window);
    EXPECT_EQ(from_eye(usual, picking_camera()).origin, usual.origin);
}

TEST(Picking, RaysGoThroughThePointsThatAreSeenThere) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> place(-8.0f, 8.0f);
    int tried = 0;
    for (int i = 0; i < 500; ++i) {
        const glm::vec3 point(place(random), place(random), place(random));
        render::Camera camera = picking_camera();
        camera.orthographic = i % 2 == 1;
        const auto at = window_position(camera, point, {1000.0f, 500.0f});
        if (!at) {
            continue;
        }
        ++tried;
        const physics::Ray ray = cursor_ray(camera, *at, {1000.0f, 500.0f});
        const glm::vec3 d = point - ray.origin;
        EXPECT_NEAR(glm::length(d - glm::dot(d, ray.direction) * ray.direction), 0.0f, 1e-3f);
    }
    EXPECT_GT(tried, 400);
}

TEST(Picking, WhatIsBehindTheEyeIsNowhere) {
    const CameraAxes axes = axes_of(picking_camera());
    EXPECT_FALSE(window_position(picking_camera(), picking_camera().eye - axes.forward, {1280.0f, 720.0f}));
}

TEST(Picking, PlanesAreMetInFrontOnly) {
    const physics::Ray down{{1.0f, 2.0f, 5.0f}, {0.0f, 0.0f, -1.0f}, 1e6f};
    const auto hit = meet_plane(down, glm::vec3(0.0f), {0.0f, 0.0f, 1.0f});
    ASSERT_TRUE(hit);
    EXPECT_NEAR(glm::length(*hit - glm::vec3(1.0f, 2.0f, 0.0f)), 0.0f, 1e-6f);
    EXPECT_FALSE(meet_plane(down, {0.0f, 0.0f, 9.0f}, {0.0f, 0.0f, 1.0f}));
    EXPECT_FALSE(meet_plane(down, glm::vec3(0.0f), {1.0f, 0.0f, 0.0f}));
}

} // namespace
} // namespace cairn::ui
