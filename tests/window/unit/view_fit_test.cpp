#include "app/ui/camera/picking.h"
#include "app/ui/camera/view_fit.h"

#include <gtest/gtest.h>
#include <random>

namespace cairn::ui {
namespace {

render::Camera looking(const glm::vec3& eye, const glm::vec3& target) {
    render::Camera camera;
    camera.eye = eye;
    camera.target = target;
    return camera;
}

bool inside(const render::Camera& camera, const glm::vec3& point, const glm::vec2& window, const Rectangle& free) {
    const auto at = window_position(camera, point, window);
    return at && at->x >= free.x && at->x <= free.x + free.width && at->y >= free.y && at->y <= free.y + free.height;
}

TEST(ViewFit, ATargetIsSeenInTheMiddleOfTheFreePart) {
    const glm::vec2 window(1280.0f, 720.0f);
    const Rectangle free{310.0f, 8.0f, 900.0f, 640.0f};
    for (const bool orthographic : {false, true}) {
        render::Camera camera = looking({3.0f, -9.0f, 4.0f}, {1.0f, 2.0f, 1.0f});
        camera.orthographic = orthographic;
        const render::Camera moved = beside_panels(camera, window, free);
        const auto at = window_position(moved, camera.target, window);
        ASSERT_TRUE(at);
        EXPECT_NEAR(at->x, 760.0f, 0.1f);
        EXPECT_NEAR(at->y, 328.0f, 0.1f);
        const render::Camera back = without_panels(moved, window, free);
        EXPECT_LT(glm::length(back.eye - camera.eye) + glm::length(back.target - camera.target), 1e-4f);
    }
}

TEST(ViewFit, AllPointsAreSeenInTheFreePart) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> unit(-1.0f, 1.0f);
    for (int round = 0; round < 500; ++round) {
        const glm::vec2 window(1280.0f + 400.0f * unit(random), 720.0f + 200.0f * unit(random));
        const Rectangle free{200.0f + 150.0f * unit(random), 60.0f + 50.0f * unit(random), 0.5f * window.x,
                             0.6f * window.y};
        render::Camera camera =
            looking({20.0f * unit(random), -15.0f + 10.0f * unit(random), 8.0f + 6.0f * unit(random)},
                    {3.0f * unit(random), 3.0f * unit(random), unit(random)});
        camera.orthographic = round % 2 == 1;
        std::vector<glm::vec3> points;
        for (int i = 0; i < 12; ++i) {
            points.emplace_back(8.0f * unit(random), 8.0f * unit(random), 4.0f * unit(random) + 4.0f);
        }
        const render::Camera moved = fitted(camera, points, window, free);
        for (const glm::vec3& point : points) {
            ASSERT_TRUE(inside(moved, point, window, free)) << "round " << round;
        }
        // The same direction, and no nearer.
        const glm::vec3 before = camera.target - camera.eye, after = moved.target - moved.eye;
        EXPECT_LT(glm::length(glm::normalize(before) - glm::normalize(after)), 1e-4f);
        EXPECT_GE(glm::length(after), glm::length(before) * 0.9999f);
        // What is fitted stays.
        const render::Camera again = fitted(moved, points, window, free);
        EXPECT_LT(glm::length(again.eye - moved.eye), 1e-2f);
    }
}

TEST(ViewFit, WhatIsSeenAlreadyStaysAsItIs) {
    const render::Camera camera = looking({0, -20, 5}, {0, 0, 1});
    const std::vector<glm::vec3> points{{-1, 0, 0}, {1, 0, 2}};
    const render::Camera same = fitted(camera, points, {1280, 720}, {320, 8, 900, 640});
    EXPECT_EQ(same.eye, camera.eye);
    EXPECT_EQ(same.target, camera.target);
    // Nor is there anything to be done without room, or without anything to see.
    EXPECT_EQ(fitted(camera, points, {1280, 720}, {320, 8, 10, 640}).eye, camera.eye);
    EXPECT_EQ(fitted(camera, {}, {1280, 720}, {320, 8, 900, 640}).eye, camera.eye);
}

TEST(ViewFit, BoundsFillTheMiddleOfTheFreePart) {
    const glm::vec2 window(1280, 720);
    const Rectangle free{340, 8, 600, 420};
    const render::Camera camera = looking({5, -20, 9}, {0, 0, 1});
    const physics::Aabb bounds{{-3, 1, 0}, {-1, 2, 4}};
    const render::Camera moved = framed(camera, bounds, window, free);
    const auto middle = window_position(moved, 0.5f * (bounds.lower + bounds.upper), window);
    ASSERT_TRUE(middle);
    EXPECT_NEAR(middle->x, free.x + 0.5f * free.width, 0.5f);
    EXPECT_NEAR(middle->y, free.y + 0.5f * free.height, 0.5f);
    float lowest = 1e9f, highest = -1e9f;
    for (int corner = 0; corner < 8; ++corner) {
        const glm::vec3 point((corner & 1) != 0 ? bounds.upper.x : bounds.lower.x,
                              (corner & 2) != 0 ? bounds.upper.y : bounds.lower.y,
                              (corner & 4) != 0 ? bounds.upper.z : bounds.lower.z);
        EXPECT_TRUE(inside(moved, point, window, free));
        const auto at = window_position(moved, point, window);
        lowest = std::min(lowest, at->y);
        highest = std::max(highest, at->y);
    }
    EXPECT_GT(highest - lowest, 0.5f * free.height);
    const glm::vec3 before = camera.target - camera.eye, after = moved.target - moved.eye;
    EXPECT_LT(glm::length(glm::normalize(before) - glm::normalize(after)), 1e-4f);
}

} // namespace
} // namespace cairn::ui
