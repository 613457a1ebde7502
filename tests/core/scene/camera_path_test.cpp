#include "app/core/scene/show/camera_path.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace cairn::core {
namespace {

using physics::Vec3;

double apart(const Vec3& a, const Vec3& b) {
    return static_cast<double>(glm::length(a - b));
}

// A parabola's velocity at a key is what the parabola through three keys says, and a cubic with the right velocities at
// its ends is the parabola: between inner keys there is nothing to approximate.
TEST(CameraPath, FollowsAParabolaBetweenInnerKeys) {
    const auto eye = [](float t) { return Vec3(2.0f - t, 3.0f * t, 5.0f - 0.5f * t * t); };
    const auto target = [](float t) { return Vec3(t, 0.25f * t * t, 1.0f); };
    std::vector<CameraKey> path;
    for (const float t : {0.0f, 0.7f, 1.0f, 2.5f, 3.0f, 6.0f}) {
        path.push_back({t, eye(t), target(t)});
    }
    for (float t = 0.7f; t <= 3.0f; t += 0.01f) {
        const CameraKey pose = camera_at(path, static_cast<double>(t));
        ASSERT_LT(apart(pose.eye, eye(t)), 1e-5) << t;
        ASSERT_LT(apart(pose.target, target(t)), 1e-5) << t;
    }
    EXPECT_GT(apart(camera_at(path, 0.35).eye, eye(0.35f)), 0.01) << "it starts from rest, the parabola does not";
}

TEST(CameraPath, OfTwoKeysStartsAndEndsAtRest) {
    const std::vector<CameraKey> path{{1.0f, {0, -8, 2}, {0, 0, 0}}, {3.0f, {4, -8, 2}, {0, 2, 0}}};
    for (float s = 0.0f; s <= 1.0f; s += 0.125f) {
        const float share = s * s * (3.0f - 2.0f * s);
        const CameraKey pose = camera_at(path, 1.0 + 2.0 * static_cast<double>(s));
        EXPECT_LT(apart(pose.eye, {4.0f * share, -8.0f, 2.0f}), 1e-5) << s;
        EXPECT_LT(apart(pose.target, {0.0f, 2.0f * share, 0.0f}), 1e-5) << s;
    }
    EXPECT_EQ(camera_at(path, 0.0).eye, path.front().eye);
    EXPECT_EQ(camera_at(path, 99.0).eye, path.back().eye);
    EXPECT_EQ(camera_at({path.data(), 1}, 2.0).target, path.front().target);
}

TEST(CameraPath, StandsStillBetweenKeysThatAreAlike) {
    const std::vector<CameraKey> path{{0.0f, {0, -9, 1}, {0, 0, 0}},
                                      {1.0f, {5, -9, 1}, {0, 0, 0}},
                                      {4.0f, {5, -9, 1}, {0, 0, 0}},
                                      {5.0f, {9, 0, 1}, {0, 0, 0}}};
    for (double t = 1.0; t <= 4.0; t += 0.1) {
        ASSERT_EQ(camera_at(path, t).eye, path[1].eye) << t;
    }
}

TEST(CameraPath, MeetsEveryKeyWithoutAJump) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> unit(0.0f, 1.0f);
    std::vector<CameraKey> path;
    float time = 0.0f;
    for (int i = 0; i < 20; ++i) {
        path.push_back({time, {unit(random), unit(random), unit(random)}, {unit(random), unit(random), 5.0f}});
        time += 0.2f + unit(random);
    }
    const auto velocity = [&](double from, double to) {
        return (camera_at(path, to).eye - camera_at(path, from).eye) / static_cast<float>(to - from);
    };
    constexpr double near = 1e-3;
    for (std::size_t i = 1; i + 1 < path.size(); ++i) {
        const auto t = static_cast<double>(path[i].time);
        ASSERT_LT(apart(camera_at(path, t).eye, path[i].eye), 1e-6);
        ASSERT_LT(apart(velocity(t - near, t), velocity(t, t + near)), 0.1) << "key " << i;
    }
}

} // namespace
} // namespace cairn::core
