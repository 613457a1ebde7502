#include "app/ui/camera/view_fit.h"

#include "app/ui/camera/frame_queries.h"
#include "app/ui/camera/picking.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

namespace {

// In directions that do not change when the camera moves without turning: x to the right and y up, each as a share of
// depth.
struct Cone {
    float left, right, bottom, top;
};

Cone cone_of(const render::Camera& camera, const glm::vec2& window, const Rectangle& free) {
    const float unit = 2.0f * std::tan(0.5f * camera.vertical_fov) / window.y;
    return {(free.x - 0.5f * window.x) * unit, (free.x + free.width - 0.5f * window.x) * unit,
            (0.5f * window.y - free.y - free.height) * unit, (0.5f * window.y - free.y) * unit};
}

render::Camera shifted(const render::Camera& camera, const glm::vec2& window, const Rectangle& free, float sign) {
    if (free.width <= 0.0f || free.height <= 0.0f) { // no panel has been drawn yet
        return camera;
    }
    const CameraAxes axes = axes_of(camera);
    const float unit = metres_per_unit(camera, glm::length(camera.target - camera.eye), window.y);
    const float right = free.x + 0.5f * free.width - 0.5f * window.x,
                up = 0.5f * window.y - free.y - 0.5f * free.height;
    const glm::vec3 shift = sign * unit * (right * axes.right + up * axes.up);
    render::Camera moved = camera;
    moved.eye += shift;
    moved.target += shift;
    return moved;
}

} // namespace

render::Camera beside_panels(const render::Camera& camera, const glm::vec2& window, const Rectangle& free) {
    return shifted(camera, window, free, -1.0f);
}

render::Camera without_panels(const render::Camera& camera, const glm::vec2& window, const Rectangle& free) {
    return shifted(camera, window, free, 1.0f);
}

render::Camera fitted(const render::Camera& camera, std::span<const glm::vec3> points, const glm::vec2& window,
                      const Rectangle& free) {
    constexpr float least = 40.0f; // window units
    if (points.empty() || free.width < least || free.height < least) {
        return camera;
    }
    const float margin = 0.04f * std::min(free.width, free.height);
    const Cone cone = cone_of(
        camera, window, {free.x + margin, free.y + margin, free.width - 2.0f * margin, free.height - 2.0f * margin});
    const CameraAxes axes = axes_of(camera);
    // Each side of the cone may have every point on its inner side: a x - slope * depth is least or greatest there.
    // Where the eye stands so that the tightest of two opposite sides are met follows for each direction alone.
    float left = -1e30f, right = -1e30f, bottom = -1e30f, top = -1e30f;
    bool seen = true;
    for (const glm::vec3& point : points) {
        const glm::vec3 d = point - camera.eye;
        const float x = glm::dot(d, axes.right), y = glm::dot(d, axes.up);
        const float z = camera.orthographic ? glm::length(camera.target - camera.eye) : glm::dot(d, axes.forward);
        left = std::max(left, cone.left * z - x);
        right = std::max(right, x - cone.right * z);
        bottom = std::max(bottom, cone.bottom * z - y);
        top = std::max(top, y - cone.top * z);
        seen = seen && z > camera.near_distance;
    }
    if (seen && left <= 0.0f && right <= 0.0f && bottom <= 0.0f && top <= 0.0f) {
        return camera;
    }
    // Going back by `back` widens the cone at every point by back * slope: enough for both pairs of sides.
    const float back =
        std::max({0.0f, (left + right) / (cone.right - cone.left), (bottom + top) / (cone.top - cone.bottom)});
    // No farther to the side than it must.
    const auto aside = [](float low, float high) {
        return low > high ? 0.5f * (low + high) : std::clamp(0.0f, low, high);
    };
    const float along_x = aside(right - cone.right * back, -left - cone.left * back);
    const float along_y = aside(top - cone.top * back, -bottom - cone.bottom * back);
    render::Camera moved = camera;
    const glm::vec3 shift = along_x * axes.right + along_y * axes.up - back * axes.forward;
    moved.eye += shift;
    moved.target += along_x * axes.right + along_y * axes.up;
    return moved;
}

render::Camera framed(const render::Camera& camera, const physics::Aabb& bounds, const glm::vec2& window,
                      const Rectangle& free) {
    const CameraAxes axes = axes_of(camera);
    const glm::vec3 centre = 0.5f * (bounds.lower + bounds.upper);
    const float radius = std::max(0.5f * glm::length(bounds.upper - bounds.lower), 0.1f);
    const float unit = 2.0f * std::tan(0.5f * camera.vertical_fov) / window.y; // as a share of depth
    const float half_angle = std::atan(0.5f * unit * std::min(free.width, free.height));
    const float distance = std::clamp(1.15f * radius / std::sin(half_angle), 1.0f, 1500.0f);
    const float right = (free.x + 0.5f * free.width - 0.5f * window.x) * unit * distance;
    const float up = (0.5f * window.y - free.y - 0.5f * free.height) * unit * distance;
    render::Camera moved = camera;
    moved.target = centre - right * axes.right - up * axes.up;
    moved.eye = moved.target - distance * axes.forward;
    return moved;
}

std::vector<glm::vec3> what_matters(const physics::FrameState& frame) {
    std::vector<physics::Aabb> boxes;
    for (const bool all : {false, true}) {
        for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
            if (all || frame.bodies[i].type != physics::BodyType::fixed) {
                boxes.push_back(body_bounds(*frame.models[i], frame.bodies[i].pose));
            }
        }
        if (!boxes.empty()) {
            break;
        }
    }
    // One that has fallen off, or waits far away, is not to make all others small.
    std::vector<float> along[3];
    for (const physics::Aabb& box : boxes) {
        for (int axis = 0; axis < 3; ++axis) {
            along[axis].push_back(0.5f * (box.lower[axis] + box.upper[axis]));
        }
    }
    glm::vec3 low(0.0f), high(0.0f);
    for (int axis = 0; axis < 3 && !boxes.empty(); ++axis) {
        std::vector<float>& a = along[axis];
        std::ranges::sort(a);
        const float lower = a[a.size() / 10], upper = a[a.size() - 1 - a.size() / 10];
        const float room = 2.0f * (upper - lower) + 10.0f;
        low[axis] = lower - room;
        high[axis] = upper + room;
    }
    std::vector<glm::vec3> corners;
    for (const physics::Aabb& box : boxes) {
        const glm::vec3 centre = 0.5f * (box.lower + box.upper);
        if (glm::any(glm::lessThan(centre, low)) || glm::any(glm::greaterThan(centre, high))) {
            continue;
        }
        for (int corner = 0; corner < 8; ++corner) {
            corners.emplace_back((corner & 1) != 0 ? box.upper.x : box.lower.x,
                                 (corner & 2) != 0 ? box.upper.y : box.lower.y,
                                 (corner & 4) != 0 ? box.upper.z : box.lower.z);
        }
    }
    return corners;
}

} // namespace cairn::ui
