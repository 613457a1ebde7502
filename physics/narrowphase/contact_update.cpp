#include "physics/narrowphase/contact_update.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

// A spring sags under a load that stays, and in a heap that has jammed single points carry fifty times the weight of a
// body. What lies deeper than the sag that is left alone is taken up: an integral term, and so it must be slow. A load
// of M times the body's mass m swings on the spring with (omega^2 / M); with the damping 2 omega / M of a critical
// spring, the integral is stable below the rate 2 omega / M, 6/s for a hundredfold load and 0.6/s for a thousandfold
// one. (Tried: at 6/s a plate of a hundred times their weight on four balls began to swing by centimetres.) A point
// that comes up lets go three times as fast.
float taken_up(float before, float separation, float dt) {
    constexpr float sag = 0.004f;             // m
    constexpr float greatest = 0.2f;          // m
    constexpr float rise = 0.6f, fall = 1.8f; // 1/s, of the excess
    const float excess = -separation - sag;
    return std::clamp(before + dt * (excess > 0.0f ? rise : fall) * excess, 0.0f, greatest);
}

float rolling_arm(const ContactSide& a, const ContactSide& b) {
    return std::max(a.material->rolling_resistance * a.shape->inner_radius,
                    b.material->rolling_resistance * b.shape->inner_radius);
}

float round_part(const ContactSide& side, const Vec3& normal) {
    const Shape& shape = *side.shape;
    if (shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::capsule) {
        return shape.radius;
    }
    if (shape.kind == ShapeKind::cylinder) { // on its side; on a cap or a rim it is as edged as a box
        constexpr float across = 0.1f;
        const Vec3 axis = rotate(side.shape_pose.orientation, Vec3(0.0f, 0.0f, 1.0f));
        return std::abs(glm::dot(axis, normal)) < across ? shape.radius : 0.0f;
    }
    return 0.0f;
}

} // namespace

void clear_manifold(Contact& contact) {
    contact.count = 0;
    contact.column = 0.0f;
    contact.fineness = 0;
    contact.settling = 0;
    contact.rolling_impulse = Vec3(0.0f);
}

void update_contact(Contact& contact, const ContactSide& a, const ContactSide& b, float speculative_distance,
                    float dt) {
    contact.friction = mixed_friction(*a.material, *b.material);
    contact.restitution = mixed_restitution(*a.material, *b.material);
    contact.rolling_arm = rolling_arm(a, b);

    const Manifold manifold =
        collide(*a.shape, a.shape_pose, *b.shape, b.shape_pose, speculative_distance, &contact.cache);
    if (manifold.count == 0) {
        clear_manifold(contact);
        return;
    }
    const std::array<ContactPoint, 4> old = contact.points;
    const int old_count = contact.count;
    float most_taken_up = 0.0f; // where a jammed body rolls on to its next corner, the load stays
    for (int j = 0; j < old_count; ++j) {
        most_taken_up = std::max(most_taken_up, old[static_cast<std::size_t>(j)].take_up);
    }
    contact.normal = manifold.normal;
    contact.round_a = round_part(a, manifold.normal);
    contact.round_b = round_part(b, manifold.normal);
    contact.count = manifold.count;
    for (int i = 0; i < manifold.count; ++i) {
        const ManifoldPoint& from = manifold.points[static_cast<std::size_t>(i)];
        ContactPoint& point = contact.points[static_cast<std::size_t>(i)];
        point = ContactPoint{};
        // Both impulses act at one point, halfway, so that the pair's angular momentum is conserved.
        point.point = 0.5f * (from.point_a + from.point_b);
        point.anchor_a = point.point - a.centre;
        point.anchor_b = point.point - b.centre;
        point.separation = from.separation;
        point.feature = from.feature;
        float before_up = most_taken_up;
        for (int j = 0; j < old_count; ++j) {
            const ContactPoint& before = old[static_cast<std::size_t>(j)];
            if (before.feature == from.feature) {
                point.normal_impulse = before.normal_impulse;
                point.friction_impulse = before.friction_impulse;
                point.age = before.age + 1;
                before_up = before.take_up;
                break;
            }
        }
        point.take_up = taken_up(before_up, from.separation, dt);
    }
}

} // namespace cairn::physics
