#include "app/ui/camera/picking.h"

#include "physics/base/math.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

CameraAxes axes_of(const render::Camera& camera) {
    CameraAxes axes;
    axes.forward = physics::normalized_or(camera.target - camera.eye, glm::vec3(0.0f, 1.0f, 0.0f));
    axes.right = physics::normalized_or(glm::cross(axes.forward, camera.up), physics::any_perpendicular(axes.forward));
    axes.up = glm::cross(axes.right, axes.forward);
    return axes;
}

glm::vec3 towards_eye(const render::Camera& camera, const glm::vec3& point) {
    const CameraAxes axes = axes_of(camera);
    return camera.orthographic ? -axes.forward : physics::normalized_or(camera.eye - point, -axes.forward);
}

float metres_per_unit(const render::Camera& camera, float distance, float window_height) {
    if (camera.orthographic) {
        distance = glm::length(camera.target - camera.eye);
    }
    return 2.0f * distance * std::tan(0.5f * camera.vertical_fov) / window_height;
}

physics::Ray cursor_ray(const render::Camera& camera, const glm::vec2& cursor, const glm::vec2& window) {
    const CameraAxes axes = axes_of(camera);
    const float scale = metres_per_unit(camera, 1.0f, window.y); // on the plane 1 m ahead, or any
    const glm::vec2 offset = cursor - 0.5f * window;
    physics::Ray ray;
    if (camera.orthographic) {
        ray.origin = camera.eye + scale * (offset.x * axes.right - offset.y * axes.up) -
                     render::orthographic_behind * axes.forward;
        ray.direction = axes.forward;
        ray.max_distance = render::orthographic_behind + camera.far_distance;
        return ray;
    }
    ray.origin = camera.eye;
    ray.direction = glm::normalize(axes.forward + scale * offset.x * axes.right - scale * offset.y * axes.up);
    ray.max_distance = camera.far_distance;
    return ray;
}

physics::Ray from_eye(physics::Ray ray, const render::Camera& camera) {
    const float back = glm::dot(camera.eye - ray.origin, ray.direction);
    ray.origin += back * ray.direction;
    ray.max_distance -= back;
    return ray;
}

std::optional<glm::vec2> window_position(const render::Camera& camera, const glm::vec3& point,
                                         const glm::vec2& window) {
    const CameraAxes axes = axes_of(camera);
    const glm::vec3 d = point - camera.eye;
    const float depth = glm::dot(d, axes.forward);
    if (depth <= (camera.orthographic ? -render::orthographic_behind : camera.near_distance)) {
        return std::nullopt;
    }
    const float scale = metres_per_unit(camera, depth, window.y);
    return 0.5f * window + glm::vec2(glm::dot(d, axes.right), -glm::dot(d, axes.up)) / scale;
}

std::optional<glm::vec3> meet_plane(const physics::Ray& ray, const glm::vec3& point, const glm::vec3& normal) {
    const float slope = glm::dot(ray.direction, normal);
    if (std::abs(slope) < 1e-5f) {
        return std::nullopt;
    }
    const float t = glm::dot(point - ray.origin, normal) / slope;
    return t > 0.0f ? std::optional<glm::vec3>(ray.origin + t * ray.direction) : std::nullopt;
}

float reach_on_screen(const render::Camera& camera, const glm::vec3& centre, const glm::vec2& window, float units) {
    const float depth = std::max(glm::dot(centre - camera.eye, axes_of(camera).forward), camera.near_distance);
    return units * metres_per_unit(camera, depth, window.y);
}

glm::vec3 along_world_axes(const render::Camera& camera, float right, float forward, float up) {
    const glm::vec3 view = axes_of(camera).right;
    // A quarter turn of the camera turns the keys by a quarter as well: right stays right on the screen.
    const bool x = std::abs(view.x) >= std::abs(view.y);
    const float sign = (x ? view.x : view.y) < 0.0f ? -1.0f : 1.0f;
    return x ? glm::vec3(sign * right, sign * forward, up) : glm::vec3(-sign * forward, sign * right, up);
}

} // namespace cairn::ui
