#include "app/core/scene/show/camera_path.h"

#include <algorithm>
#include <cstddef>

namespace cairn::core {

namespace {

using physics::Vec3;

// m/s, of one of the points at key i.
Vec3 key_velocity(std::span<const CameraKey> path, std::size_t i, Vec3 CameraKey::*point) {
    if (i == 0 || i + 1 == path.size()) {
        return Vec3(0.0f);
    }
    const Vec3 before = path[i].*point - path[i - 1].*point, after = path[i + 1].*point - path[i].*point;
    if (before == Vec3(0.0f) || after == Vec3(0.0f)) {
        return Vec3(0.0f); // it holds here: nothing swings over
    }
    const float t0 = path[i].time - path[i - 1].time, t1 = path[i + 1].time - path[i].time;
    return (t1 / t0 * before + t0 / t1 * after) / (t0 + t1);
}

} // namespace

CameraKey camera_at(std::span<const CameraKey> path, double time) {
    const auto next = std::ranges::upper_bound(path, time, {}, &CameraKey::time);
    if (next == path.begin() || next == path.end()) {
        CameraKey still = next == path.begin() ? path.front() : path.back();
        still.time = static_cast<float>(time);
        return still;
    }
    const auto i = static_cast<std::size_t>(next - path.begin()) - 1;
    const CameraKey& from = path[i];
    const float seconds = next->time - from.time;
    const auto s = static_cast<float>((time - static_cast<double>(from.time)) / static_cast<double>(seconds));
    const auto between = [&](Vec3 CameraKey::*point) { // Hermite's cubic
        const float r = 1.0f - s;
        const Vec3 span = (*next).*point - from.*point;
        return from.*point + s * s * (3.0f - 2.0f * s) * span +
               seconds * s * r * (r * key_velocity(path, i, point) - s * key_velocity(path, i + 1, point));
    };
    return {static_cast<float>(time), between(&CameraKey::eye), between(&CameraKey::target)};
}

} // namespace cairn::core
