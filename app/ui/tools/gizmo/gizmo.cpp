#include "app/ui/tools/gizmo/gizmo.h"

#include "app/ui/camera/picking.h"
#include "physics/base/math.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::ui::gizmo {

namespace {

constexpr float two_pi = 6.28318531f;

glm::vec3 unit_axis(int axis) {
    glm::vec3 out(0.0f);
    out[axis] = 1.0f;
    return out;
}

// Of a point from a segment, both on the screen.
float distance_to_segment(const glm::vec2& point, const glm::vec2& a, const glm::vec2& b) {
    const glm::vec2 along = b - a;
    const float length2 = glm::dot(along, along);
    const float share = length2 > 0.0f ? std::clamp(glm::dot(point - a, along) / length2, 0.0f, 1.0f) : 0.0f;
    return glm::length(point - a - share * along);
}

} // namespace

int axis_of(Handle handle) {
    switch (handle) {
    case Handle::none:
        return -1;
    case Handle::x:
    case Handle::plane_x:
        return 0;
    case Handle::y:
    case Handle::plane_y:
        return 1;
    case Handle::z:
    case Handle::plane_z:
        return 2;
    }
    return -1;
}

bool is_plane(Handle handle) {
    return handle == Handle::plane_x || handle == Handle::plane_y || handle == Handle::plane_z;
}

glm::vec3 axis_vector(Handle handle) {
    const int axis = axis_of(handle);
    return axis < 0 ? glm::vec3(0.0f) : unit_axis(axis);
}

const char* name_of(Handle handle) {
    static const std::array<const char*, 7> names = {"", "X", "Y", "Z", "YZ", "XZ", "XY"};
    return names[static_cast<std::size_t>(handle)];
}

Handle move_handle_at(const Frame& frame, const render::Camera& camera, const glm::vec2& cursor,
                      const glm::vec2& window, float scale) {
    const glm::vec3 to_eye = towards_eye(camera, frame.centre);
    Handle arrow = Handle::none;
    float nearest = touch * scale;
    const auto middle = window_position(camera, frame.centre, window);
    for (int axis = 0; axis < 3 && middle; ++axis) {
        const auto tip = window_position(camera, frame.centre + frame.reach * unit_axis(axis), window);
        if (!tip || std::abs(to_eye[axis]) > 0.99f) {
            continue; // points at the eye: it cannot be dragged
        }
        const float distance = distance_to_segment(cursor, *middle, *tip);
        if (distance < nearest) {
            nearest = distance;
            arrow = static_cast<Handle>(static_cast<int>(Handle::x) + axis);
        }
    }
    if (nearest < 0.5f * touch * scale) {
        return arrow; // on the line itself, though a square may lie behind it
    }
    const physics::Ray ray = cursor_ray(camera, cursor, window);
    for (int axis = 0; axis < 3; ++axis) {
        if (std::abs(to_eye[axis]) < 0.15f) {
            continue; // seen from the edge
        }
        const auto hit = meet_plane(ray, frame.centre, unit_axis(axis));
        if (!hit) {
            continue;
        }
        const glm::vec3 local = (*hit - frame.centre) / frame.reach;
        const float u = local[(axis + 1) % 3], v = local[(axis + 2) % 3];
        if (std::min(u, v) >= square_from && std::max(u, v) <= square_to) {
            return static_cast<Handle>(static_cast<int>(Handle::plane_x) + axis);
        }
    }
    return arrow;
}

Handle turn_handle_at(const Frame& frame, const render::Camera& camera, const glm::vec2& cursor,
                      const glm::vec2& window, float scale) {
    constexpr int segments = 48;
    const glm::vec3 to_eye = towards_eye(camera, frame.centre);
    Handle best = Handle::none;
    float nearest = touch * scale;
    for (int axis = 0; axis < 3; ++axis) {
        const glm::vec3 u = frame.reach * unit_axis((axis + 1) % 3), v = frame.reach * unit_axis((axis + 2) % 3);
        std::optional<glm::vec2> last;
        for (int i = 0; i <= segments; ++i) {
            const float angle = two_pi * static_cast<float>(i) / segments;
            const glm::vec3 offset = std::cos(angle) * u + std::sin(angle) * v;
            const auto at = window_position(camera, frame.centre + offset, window);
            // The far half is behind the body: it must not be in the way of what is in front.
            const float behind = glm::dot(offset, to_eye) < -0.1f * frame.reach ? 3.0f * scale : 0.0f;
            if (at && last) {
                const float distance = distance_to_segment(cursor, *last, *at) + behind;
                if (distance < nearest) {
                    nearest = distance;
                    best = static_cast<Handle>(static_cast<int>(Handle::x) + axis);
                }
            }
            last = at;
        }
    }
    return best;
}

std::optional<float> along_axis(const physics::Ray& ray, const glm::vec3& origin, const glm::vec3& axis) {
    const glm::vec3 between = origin - ray.origin;
    const float slope = glm::dot(axis, ray.direction), across = 1.0f - slope * slope;
    if (across < 1e-4f) {
        return std::nullopt;
    }
    return (slope * glm::dot(between, ray.direction) - glm::dot(between, axis)) / across;
}

std::optional<float> angle_about(const physics::Ray& ray, const glm::vec3& centre, const glm::vec3& axis) {
    if (std::abs(glm::dot(ray.direction, axis)) < 0.03f) {
        return std::nullopt;
    }
    const auto hit = meet_plane(ray, centre, axis);
    if (!hit) {
        return std::nullopt;
    }
    const glm::vec3 u = physics::any_perpendicular(axis), v = glm::cross(axis, u), offset = *hit - centre;
    return std::atan2(glm::dot(offset, v), glm::dot(offset, u));
}

float unwound(float angle, float previous) {
    return angle - two_pi * std::round((angle - previous) / two_pi);
}

float snapped(float value, float step) {
    return step > 0.0f ? step * std::round(value / step) : value;
}

} // namespace cairn::ui::gizmo
