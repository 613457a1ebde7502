// The solid box of even density that is as hard to push and to turn as a body.
#pragma once

#include "physics/base/math.h"

namespace cairn::ui {

struct InertiaBox {
    physics::Vec3 half_extents{0.0f};                   // m, along the principal axes
    physics::Quat axes = physics::identity_orientation; // principal axes, in the body's frame
};

// `inertia`: symmetric, about the centre of mass, kg m^2; `mass`: kg, positive. An axis about which the others could
// not bear that little inertia (measured tensors are off by rounding) gets no length.
InertiaBox inertia_box(const physics::Mat3& inertia, float mass);

} // namespace cairn::ui
