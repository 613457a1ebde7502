// Narrowphase: from the poses of a pair to the manifold of its contact.
#pragma once

#include "physics/narrowphase/contact.h"
#include "physics/narrowphase/material.h"

namespace cairn::physics {

// What the narrowphase needs to know of one shape of a pair.
struct ContactSide {
    const Shape* shape = nullptr;
    Transform shape_pose; // world
    Vec3 centre{0.0f};    // centre of mass of the body, world
    const Material* material = nullptr;
};

// Recomputes the manifold, and hands the impulses of points whose feature was there before on to them. `dt`: seconds
// since the last time.
void update_contact(Contact& contact, const ContactSide& a, const ContactSide& b, float speculative_distance, float dt);

// Forgets the manifold: the shapes are apart.
void clear_manifold(Contact& contact);

} // namespace cairn::physics
