// A path that the camera follows by itself: key poses over the world's time, and the smooth motion through them.
#pragma once

#include "physics/base/math.h"

#include <span>

namespace cairn::core {

struct CameraKey {
    float time = 0.0f; // s, of the world
    physics::Vec3 eye{0.0f}, target{0.0f};
    friend bool operator==(const CameraKey&, const CameraKey&) = default;
};

// Where the camera is at that time; `path` has a key, and its times increase. Eye and target each go along cubics that
// meet the keys with one velocity, that of the parabola through a key and its neighbours. They start and end at rest,
// and stand still between two keys that are alike; before the first key and after the last one as well.
CameraKey camera_at(std::span<const CameraKey> path, double time);

} // namespace cairn::core
