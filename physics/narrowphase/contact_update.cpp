#include "physics/narrowphase/contact_update.h"

#include <algorithm>

namespace cairn::physics {

namespace {

float rolling_arm(const ContactSide& a, const ContactSide& b) {
    return std::max(a.material->rolling_resistance * a.shape->inner_radius,
                    b.material->rolling_resistance * b.shape->inner_radius);
}

} // namespace

void clear_manifold(Contact& contact) {
    contact.count = 0;
    contact.rolling_impulse = Vec3(0.0f);
}

void update_contact(Contact& contact, const ContactSide& a, const ContactSide& b, float speculative_distance) {
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
    contact.normal = manifold.normal;
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
        for (int j = 0; j < old_count; ++j) {
            const ContactPoint& before = old[static_cast<std::size_t>(j)];
            if (before.feature == from.feature) {
                point.normal_impulse = before.normal_impulse;
                point.friction_impulse = before.friction_impulse;
                point.age = before.age + 1;
                break;
            }
        }
    }
}

} // namespace cairn::physics
