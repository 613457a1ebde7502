#include "physics/narrowphase/contact_update.h"

#include "physics/narrowphase/carry.h"
#include "physics/narrowphase/take_up.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

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

bool find_contact(const ContactSide& a, const ContactSide& b, float speculative_distance, float dt,
                  const Contact* before, std::span<const ContactPoint> points_before, CollideCache& cache,
                  FoundContact& out) {
    const Manifold manifold = collide(*a.shape, a.shape_pose, *b.shape, b.shape_pose, speculative_distance, &cache);
    out.apart = manifold.apart;
    if (manifold.count == 0) {
        return false;
    }
    Contact& contact = out.contact;
    contact = before != nullptr ? *before : Contact{};
    contact.friction = mixed_friction(*a.material, *b.material);
    contact.restitution = mixed_restitution(*a.material, *b.material);
    contact.rolling_arm = rolling_arm(a, b);
    contact.normal = manifold.normal;
    contact.centre_a = a.body->position;
    contact.centre_b = b.body->position;
    contact.round_a = round_part(a, manifold.normal);
    contact.round_b = round_part(b, manifold.normal);
    contact.count = static_cast<std::uint8_t>(manifold.count);
    contact.ages.fill(0);
    float most_taken_up = 0.0f; // where a jammed body rolls on to its next corner, the load stays
    for (const ContactPoint& point : points_before) {
        most_taken_up = std::max(most_taken_up, point.take_up);
    }
    for (std::size_t i = 0; i < contact.count; ++i) {
        const ManifoldPoint& from = manifold.points[i];
        ContactPoint& point = out.points[i];
        point = ContactPoint{};
        // Both impulses act at one point, halfway, so that the pair's angular momentum is conserved.
        point.anchor_a = 0.5f * (from.point_a + from.point_b) - contact.centre_a;
        point.local_a = to_local(*a.body, from.point_a);
        point.local_b = to_local(*b.body, from.point_b);
        point.separation = from.separation;
        point.feature = from.feature;
        float before_up = most_taken_up;
        for (std::size_t j = 0; j < points_before.size(); ++j) {
            const ContactPoint& old = points_before[j];
            if (old.feature == from.feature) {
                point.normal_impulse = old.normal_impulse;
                point.friction_impulse = old.friction_impulse;
                contact.ages[i] = static_cast<std::uint16_t>(std::min(before->ages[j] + 1, 0xffff));
                before_up = old.take_up;
                break;
            }
        }
        point.take_up = taken_up(before_up, from.separation, dt);
    }
    remember(contact, {*a.body, a.shape_pose, a.shape, a.body_radius}, {*b.body, b.shape_pose, b.shape, b.body_radius},
             speculative_distance);
    return true;
}

} // namespace cairn::physics
