// Which shapes have entered and left sensors in a step.
#pragma once

#include "physics/world/body_def.h"

#include <vector>

namespace cairn::physics {

// A sensor and a shape that overlaps it, by their places in BodyModel::parts.
struct SensorOverlap {
    BodyId sensor, body; // of what has left, either may be gone
    std::uint32_t sensor_shape = 0, shape = 0;

    friend bool operator==(const SensorOverlap&, const SensorOverlap&) = default;
};

// Where shapes are at the end of a step decides: what passes through a sensor within one step is not reported. A sensor
// sees shapes, of meshes the surface, of bodies with which its own may collide by groups, masks, joints and the contact
// filter, whether they sleep or not; it does not see other sensors, and one of a static body no static bodies.
struct SensorEvents {
    std::vector<SensorOverlap> begun, ended; // in the last step
    std::vector<SensorOverlap> inside;       // all that there are since then
    // Each in the order of the sensors' bodies by slot, their shapes, the other bodies and theirs, whatever the number
    // of threads.
};

} // namespace cairn::physics
