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

TEST(Picking, RaysGoThroughThePointsThatAreSeenThere) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> place(-8.0f, 8.0f);
    int tried = 0;
    for (int i = 0; i < 500; ++i) {
        const glm::vec3 point(place(random), place(random), place(random));
        const auto at = window_position(picking_camera(), point, {1000.0f, 500.0f});
        if (!at) {
            continue;
        }
        ++tried;
        const physics::Ray ray = cursor_ray(picking_camera(), *at, {1000.0f, 500.0f});
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
