#include "app/ui/camera/camera_control.h"

#include "app/ui/camera/picking.h"
#include "physics/base/math.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

namespace {

constexpr float pi = 3.14159265359f;
constexpr float steepest = 88.0f * pi / 180.0f; // beyond it "up" on the screen would be undefined
constexpr float nearest = 0.2f, farthest = 1500.0f;
constexpr float glide_seconds = 0.25f;

glm::vec3 turned(const glm::vec3& v, const glm::vec3& axis, float angle) {
    return physics::rotate(glm::angleAxis(angle, axis), v);
}

} // namespace

void CameraControl::set(const render::Camera& camera) {
    camera_ = camera;
    glide_left_ = 0.0f;
    on_path = false;
}

void CameraControl::go_to(const glm::vec3& eye, const glm::vec3& target) {
    camera_.eye = eye;
    camera_.target = target;
    glide_left_ = 0.0f;
}

void CameraControl::orbit(const glm::vec3& pivot, const glm::vec2& drag, float window_height) {
    glide_left_ = 0.0f;
    on_path = false;
    const float per_unit = pi / window_height;
    const CameraAxes axes = axes_of(camera_);
    const float elevation = std::asin(std::clamp(axes.forward.z, -1.0f, 1.0f)); // of the line of sight
    const float pitch = std::clamp(elevation - drag.y * per_unit, -steepest, steepest) - elevation;
    const float yaw = -drag.x * per_unit;

    const auto carry = [&](const glm::vec3& point) {
        const glm::vec3 lifted = turned(point - pivot, axes.right, pitch);
        return pivot + turned(lifted, glm::vec3(0.0f, 0.0f, 1.0f), yaw);
    };
    const glm::vec3 eye = carry(camera_.eye);
    camera_.target = carry(camera_.target);
    camera_.eye = eye;
}

void CameraControl::pan(const glm::vec3& pivot, const glm::vec2& drag, float window_height) {
    glide_left_ = 0.0f;
    on_path = false;
    const CameraAxes axes = axes_of(camera_);
    const float depth = std::max(glm::dot(pivot - camera_.eye, axes.forward), nearest);
    const float scale = metres_per_unit(camera_, depth, window_height);
    const glm::vec3 shift = -scale * drag.x * axes.right + scale * drag.y * axes.up;
    camera_.eye += shift;
    camera_.target += shift;
}

void CameraControl::zoom(const glm::vec3& focus, float steps) {
    glide_left_ = 0.0f;
    on_path = false;
    const float distance = glm::length((camera_.orthographic ? camera_.target : focus) - camera_.eye);
    if (!(distance > 0.0f)) {
        return;
    }
    const float wanted = std::clamp(distance * std::pow(0.9f, steps), nearest, farthest);
    // Shrinking the picture of the world about the focus keeps the direction of view.
    const float share = wanted / distance;
    camera_.eye = focus + share * (camera_.eye - focus);
    camera_.target = focus + share * (camera_.target - focus);
}

void CameraControl::fly(const FlyInput& input, float seconds) {
    glm::vec3 direction(input.right, input.forward, input.up);
    const float size = glm::length(direction);
    if (!(size > 0.0f)) {
        return;
    }
    glide_left_ = 0.0f;
    on_path = false;
    direction /= std::max(size, 1.0f);
    const CameraAxes axes = axes_of(camera_);
    const float distance = glm::length(camera_.target - camera_.eye);
    const float speed = input.speed * std::clamp(distance, 3.0f, 40.0f) * (input.fast ? 3.0f : 1.0f);
    const float ahead = camera_.orthographic ? 0.0f : direction.y;
    const glm::vec3 shift =
        speed * seconds * (direction.x * axes.right + ahead * axes.forward + direction.z * glm::vec3(0.0f, 0.0f, 1.0f));
    if (camera_.orthographic) {
        const float left = std::clamp(distance - speed * seconds * direction.y, std::min(distance, 1.0f), farthest);
        camera_.eye = camera_.target - left * axes.forward;
    }
    camera_.eye += shift;
    camera_.target += shift;
}

void CameraControl::frame(const physics::Aabb& bounds, float aspect, bool at_once) {
    const CameraAxes axes = axes_of(camera_);
    const glm::vec3 centre = 0.5f * (bounds.lower + bounds.upper);
    const float radius = std::max(0.5f * glm::length(bounds.upper - bounds.lower), 0.1f);
    const float half_height = 0.5f * camera_.vertical_fov;
    const float half_width = std::atan(std::tan(half_height) * aspect);
    const float distance = std::clamp(1.15f * radius / std::sin(std::min(half_height, half_width)), 1.0f, farthest);
    render::Camera goal = camera_;
    goal.target = centre;
    goal.eye = centre - distance * axes.forward;
    if (at_once) {
        set(goal);
    } else {
        glide_to(goal);
    }
}

void CameraControl::glide_to(const render::Camera& goal) {
    glide_goal_ = goal;
    glide_left_ = glide_seconds;
    on_path = false;
}

void CameraControl::go_along(const std::optional<glm::vec3>& point) {
    if (point && along_) {
        const glm::vec3 by = *point - *along_;
        for (glm::vec3* each : {&camera_.eye, &camera_.target, &glide_goal_.eye, &glide_goal_.target}) {
            *each += by;
        }
    }
    along_ = point;
}

void CameraControl::advance(float seconds) {
    if (!(glide_left_ > 0.0f)) {
        return;
    }
    const float share = std::min(seconds / glide_left_, 1.0f);
    // Fast first, gentle at the end: each moment covers its share of what is left, squared off.
    const float eased = 1.0f - (1.0f - share) * (1.0f - share);
    camera_.eye += eased * (glide_goal_.eye - camera_.eye);
    camera_.target += eased * (glide_goal_.target - camera_.target);
    glide_left_ -= seconds;
    if (!(glide_left_ > 0.0f)) {
        camera_.eye = glide_goal_.eye;
        camera_.target = glide_goal_.target;
    }
}

} // namespace cairn::ui
