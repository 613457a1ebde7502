// Every parameter of the step, with unit, range and meaning. Scene files, the World panel and captures carry this
// struct.
#pragma once

#include "physics/base/math.h"

namespace cairn::physics {

struct Settings {
    Vec3 gravity{0.0f, 0.0f, -9.81f}; // m/s^2
    float hz = 60.0f;                 // steps per simulated second, 10..1000
    int substeps = 4;                 // solver substeps per step, 1..64

    int max_substeps = 64; // most substeps, for islands that need more to stand, 1..64

    bool sleeping = true;      // let quiet islands rest until something touches them
    bool continuous = true;    // conservative advancement of fast bodies (CCD)
    bool warm_starting = true; // start each solve from last step's impulses

    // Softness of contacts: how stiffly penetration is pushed out. Stiffer springs carry higher stacks; above a fifth
    // of the substep rate they would chatter, so the solver stops there (48 at 60 Hz with 4 substeps).
    float contact_hertz = 48.0f;        // 1/s, 1..240
    float contact_damping_ratio = 1.0f; // 1 = critical, 0.1..100
    float max_push_speed = 3.0f;        // m/s, fastest speed at which overlapping bodies are pushed apart, 0..100
    float restitution_threshold = 1.0f; // m/s, slower impacts do not bounce, 0..100
    // How fast joints take back errors of position: as a spring of this frequency would. They carry their load without
    // giving way whatever it is; limits give way like this spring.
    float joint_hertz = 60.0f;          // 1/s, 1..1000
    float joint_damping_ratio = 2.0f;   // 1 = critical, 0.1..100
    float linear_slop = 0.005f;         // m, depth that CCD and the touch marks leave alone, 0..0.1
    float speculative_distance = 0.02f; // m, contacts are made ahead of touching within this gap, 0..1

    float sleep_speed = 0.05f; // m/s, a body slower than this at every point is quiet, 0..10
    float sleep_time = 0.5f;   // s, an island sleeps when quiet for so long, 0..60

    int max_short_steps = 8; // most that a step is taken as where a crowd would hold itself up, 1..8

    float dt() const { return 1.0f / hz; } // s per step

    friend bool operator==(const Settings&, const Settings&) = default;
};

} // namespace cairn::physics
