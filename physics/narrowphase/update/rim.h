// Contacts on the rim of a cylinder or a cone, whose point is the lowest of a circle wherever the body turns.
#pragma once

#include "physics/narrowphase/contact.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

// m, world, from the centre of a circle with this axis (unit) to where it reaches farthest in the direction `outwards`
// (unit). A circle that is as good as level has no such place, and is given one.
inline Vec3 lowest_on_circle(const Vec3& axis, float radius, const Vec3& outwards) {
    const float along = glm::dot(outwards, axis);
    return (radius / std::sqrt(std::max(1.0f - along * along, 1e-4f))) * (outwards - along * axis);
}

// m, world: once the body whose rim touches has turned from one orientation to another, from the point of it that was
// lowest to the one that is, or as far that way as the other body's face reaches. Zero for a contact without a rim.
// Contact::rim_axis is as it was before the turn.
inline Vec3 rim_roll(const Contact& contact, const Quat& before, const Quat& after) {
    if (contact.rim_radius == 0.0f) {
        return Vec3(0.0f);
    }
    const float radius = std::abs(contact.rim_radius);
    const Vec3 outwards = contact.rim_radius > 0.0f ? contact.normal : -contact.normal;
    const auto turned = [&](const Vec3& v) { return rotate(after, inverse_rotate(before, v)); };
    const Vec3 rolled = lowest_on_circle(turned(contact.rim_axis), radius, outwards) -
                        turned(lowest_on_circle(contact.rim_axis, radius, outwards));
    const float way = glm::length(rolled);
    return way > contact.rim_reach ? (contact.rim_reach / way) * rolled : rolled;
}

} // namespace cairn::physics
