#include "physics/narrowphase/update/ball_contact.h"

#include <cmath>

namespace cairn::physics {

namespace {

constexpr float float_rounding = 1e-6f; // of the lengths that a separation is made of

BallContact balls(const Vec3& between, float radius_a, float radius_b, float speculative_distance) {
    BallContact out;
    const float distance = std::sqrt(glm::dot(between, between));
    out.separation = distance - (radius_a + radius_b);
    out.rounding = float_rounding * (distance + radius_a + radius_b);
    out.settled = distance > 0.1f * (radius_a + radius_b);
    if (out.settled && out.separation <= speculative_distance) {
        out.normal = (1.0f / distance) * between;
        out.halfway = (radius_a + 0.5f * out.separation) * out.normal;
    }
    return out;
}

// From the box to the ball, whose centre lies at `centre` from that of the box, box axes. The nearest point of the box
// is the ball's centre, clamped; where that lies so near that the direction to it is lost in rounding, or inside, this
// does not answer.
BallContact box_and_ball(const Vec3& half_extents, const Vec3& centre, float radius, float speculative_distance) {
    BallContact out;
    const Vec3 nearest = glm::clamp(centre, -half_extents, half_extents);
    const Vec3 away = centre - nearest;
    const float distance = std::sqrt(glm::dot(away, away));
    const Vec3 size = glm::abs(centre);
    out.separation = distance - radius;
    out.rounding = float_rounding * (size.x + size.y + size.z + radius);
    out.settled = distance > 0.1f * radius;
    if (out.settled && out.separation <= speculative_distance) {
        out.normal = (1.0f / distance) * away;
        out.halfway = centre - (radius + 0.5f * out.separation) * out.normal;
    }
    return out;
}

} // namespace

bool is_ball_pair(const Shape& a, const Shape& b) {
    return (a.kind == ShapeKind::sphere && (b.kind == ShapeKind::sphere || b.kind == ShapeKind::box)) ||
           (a.kind == ShapeKind::box && b.kind == ShapeKind::sphere);
}

BallContact ball_contact(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b,
                         float speculative_distance) {
    const Vec3 between = pose_b.position - pose_a.position;
    if (a.kind == b.kind) {
        return balls(between, a.radius, b.radius, speculative_distance);
    }
    const bool box_is_a = a.kind == ShapeKind::box;
    const Quat& turn = (box_is_a ? pose_a : pose_b).orientation;
    const Shape& box = box_is_a ? a : b;
    const float radius = (box_is_a ? b : a).radius;
    BallContact out = box_and_ball(box.half_extents, inverse_rotate(turn, box_is_a ? between : -between), radius,
                                   speculative_distance);
    if (out.settled && out.separation <= speculative_distance) {
        out.normal = rotate(turn, out.normal);
        // The ball may be A: then the point is told from its centre.
        out.halfway = box_is_a ? between - (radius + 0.5f * out.separation) * out.normal
                               : -(radius + 0.5f * out.separation) * out.normal;
        out.normal = box_is_a ? out.normal : -out.normal;
    }
    return out;
}

} // namespace cairn::physics
