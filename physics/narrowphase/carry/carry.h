// Taking a contact along while its bodies hardly move against each other, without asking for it anew.
#pragma once

#include "physics/narrowphase/contact.h"

#include <span>

namespace cairn::physics {

// One body of a contact that may be taken along.
struct CarriedBody {
    Transform pose;       // of the centre of mass, world
    Transform shape_pose; // of the shape that touches, world
    const Shape* shape = nullptr;
    float radius = 0.0f; // m, of all its shapes about the centre of mass
};

// Notes the poses at which the contact was found. `margin`: the speculative distance that was asked for, m.
void remember(Contact& contact, const CarriedBody& a, const CarriedBody& b, float margin);

// True if contact and points have been brought to the poses `a` and `b` of the bodies: what they say of the depth
// differs from what a query there would say by no more than the tolerance, see carry.cpp. False, and nothing done, if
// the pair has moved too far or its margin has grown, so that it must be looked at anew. `dt`: seconds since the last
// time. `rests`: what B's position has beyond its floats, less what A's has, m.
bool carry(Contact& contact, std::span<ContactPoint> points, const Transform& a, const Transform& b, float margin,
           float dt, const Vec3& rests = Vec3(0.0f));

} // namespace cairn::physics
