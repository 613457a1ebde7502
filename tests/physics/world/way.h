// How much of the way that its velocities say a body covers, from positions and velocities alone.
#pragma once

#include "physics/world/world.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace cairn::physics::testing {

// The least length of (1 - t) a + t b for t from 0 to 1: what moves with a up to some moment and then with b, as in an
// impact, comes no less far.
inline float least_between(const Vec3& a, const Vec3& b) {
    const Vec3 change = b - a;
    const float square = glm::dot(change, change);
    const float t = square > 0.0f ? std::clamp(-glm::dot(a, change) / square, 0.0f, 1.0f) : 0.0f;
    return glm::length(a + t * change);
}

// The least share of any body over any second of the next `seconds`. Where a velocity changes within a step, the least
// on the way from one to the other counts; bodies that hardly move do not, nor what others hold in a grip or push out
// of themselves.
inline double least_share_of_way(World& world, int seconds) {
    const int hz = static_cast<int>(world.settings().hz);
    double least = 1.0;
    FrameState before, after;
    for (int second = 0; second < seconds; ++second) {
        world.publish(before);
        std::vector<double> covered(before.bodies.size(), 0.0), said(before.bodies.size(), 0.0);
        for (int step = 0; step < hz; ++step) {
            world.step();
            world.publish(after);
            for (std::size_t i = 0; i < after.bodies.size(); ++i) {
                const BodyState &from = before.bodies[i], &to = after.bodies[i];
                const float speed = least_between(from.linear_velocity, to.linear_velocity);
                covered[i] += static_cast<double>(glm::length(to.pose.position - from.pose.position));
                said[i] += static_cast<double>(speed) / hz;
            }
            std::swap(before, after);
        }
        for (std::size_t i = 0; i < said.size(); ++i) {
            if (said[i] > 0.1) { // m
                least = std::min(least, covered[i] / said[i]);
            }
        }
    }
    return least;
}

} // namespace cairn::physics::testing
