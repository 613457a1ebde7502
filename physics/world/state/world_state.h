// All that the future of a world depends on, and what its last step has reported: what a snapshot copies.
#pragma once

#include "physics/broadphase/broadphase.h"
#include "physics/narrowphase/pool/contact_pool.h"
#include "physics/world/motion/body_motions.h"
#include "physics/world/motion/step_report.h"
#include "physics/world/store/awake_bodies.h"
#include "physics/world/store/body_store.h"
#include "physics/world/store/joint_store.h"
#include "physics/world/store/waking.h"
#include "physics/world/substeps/island_substeps.h"
#include "physics/world/substeps/short_steps.h"
#include "physics/world/world.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace cairn::physics {

// What commands have changed about what presses on what, until the next step (load_changes.h).
struct PendingLoads {
    struct Change {
        BodyId body;
        bool upwards = false; // it goes on to what lies above, not below
        Vec3 impulse{0.0f};   // N s per plain substep, world: what presses on the body more than in the last step
        float heavier = 1.0f; // > 0: how many times the weight that it had
    };
    std::vector<Change> changes;        // in the order of their commands
    std::optional<Settings> settings;   // of the last step, if they have been changed
    std::vector<ChangedGround> grounds; // in the order of their commands
};

struct WorldData {
    Settings settings;
    std::uint64_t step = 0;
    double time = 0.0;          // s, sum of the steps taken
    std::uint64_t revision = 0; // grows when a body is created, destroyed or its prototype replaced

    BodyStore bodies;
    AwakeBodies awake;
    Broadphase broadphase;
    ContactPool contacts;
    JointStore joints;
    GrabRecord grab;
    std::vector<PendingForce> forces; // in the order of their commands
    PendingLoads pending_loads;
    SubstepState substeps;
    ShortSteps short_steps;
    StepReport report;

    Waking waking() { return {bodies, awake, contacts, joints}; }
};

struct Snapshot {
    WorldData data;
};

} // namespace cairn::physics
