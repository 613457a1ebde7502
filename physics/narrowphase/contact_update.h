// Narrowphase: from the poses of a pair to its contact.
#pragma once

#include "physics/narrowphase/contact.h"
#include "physics/narrowphase/material.h"

#include <span>

namespace cairn::physics {

// What the narrowphase needs to know of one shape of a pair.
struct ContactSide {
    const Shape* shape = nullptr;
    Transform shape_pose;            // world
    const Transform* body = nullptr; // pose of the centre of mass, world
    float body_radius = 0.0f;        // m, of all shapes of the body about its centre of mass
    const Material* material = nullptr;
};

// A contact as it is found, with points that have no place in the pool yet.
struct FoundContact {
    Contact contact;
    std::array<ContactPoint, 4> points;
    float apart = 0.0f; // m: if there is no contact, the shapes are certainly this far apart
};

// The contact of the pair at these poses; false if the shapes are further apart than the speculative distance, m.
// `before` and its points are those of the last time, if there was a contact: the impulses of points whose feature was
// there go to the new ones. `dt`: seconds since then.
bool find_contact(const ContactSide& a, const ContactSide& b, float speculative_distance, float dt,
                  const Contact* before, std::span<const ContactPoint> points_before, CollideCache& cache,
                  FoundContact& out);

// The direction, world, from A to B, that the cache of a pair apart has kept; zero: none. And keeps one.
Vec3 parting_axis(const CollideCache& cache, const ContactSide& a, const ContactSide& b);
void keep_parting_axis(CollideCache& cache, const ContactSide& a, const ContactSide& b, const Vec3& axis);

} // namespace cairn::physics
