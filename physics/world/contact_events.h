// Which shapes have begun and ceased to touch in a step, and which have hit each other.
#pragma once

#include "physics/world/body_def.h"

#include <vector>

namespace cairn::physics {

// Two shapes by their places in BodyModel::parts. Which is A stays as long as neither body is given other shapes.
struct ContactEvent {
    BodyId body_a, body_b; // of events that end, bodies may be gone
    std::uint32_t shape_a = 0, shape_b = 0;

    friend bool operator==(const ContactEvent&, const ContactEvent&) = default;
};

struct HitEvent {
    ContactEvent of;
    Vec3 point{0.0f};            // m, world: where they approached each other fastest
    Vec3 normal{0.0f};           // unit, from A to B
    float approach_speed = 0.0f; // m/s along the normal, before they hit
};

// Of the last step. Shapes count as touching if they were within a slop of each other as it began: begun and ended are
// one step late, and what hits and bounces within a step may never touch. Where a step is taken as several short ones,
// a pair may be in both lists: it has begun, and then ended. What ends and begins again goes on, and is in neither.
struct ContactEvents {
    std::vector<ContactEvent> begun, ended; // in the order of shapes, whatever the number of threads
    std::vector<HitEvent> hits;
};

struct ContactWatch {
    bool events = false;    // whether ContactEvents are found at all; it takes time with the number of contacts
    float hit_speed = 1.0f; // m/s: slower ones are no hits
};

} // namespace cairn::physics
