// The substep loop.
#pragma once

#include "physics/base/executor.h"
#include "physics/narrowphase/pool/contact_pool.h"
#include "physics/solver/contact_blocks.h"
#include "physics/solver/impacts/impacts.h"
#include "physics/solver/joints/joint_solver.h"
#include "physics/solver/motion/motion.h"
#include "physics/solver/motion/regions.h"
#include "physics/solver/motion/substep_levels.h"
#include "physics/solver/sliding.h"

#include <span>
#include <vector>

namespace cairn::physics {

struct SolverInput {
    Vec3 gravity{0.0f};          // m/s^2
    float step = 0.0f;           // s
    int substeps = 1;            // of islands that need no more
    float plain_substeps = 0.0f; // impulses are kept for one of so many in a step; 0: substeps
    float contact_hertz = 0.0f;
    float contact_damping_ratio = 0.0f;
    float joint_hertz = 0.0f;
    float joint_damping_ratio = 0.0f;
    float max_push_speed = 0.0f;
    float restitution_threshold = 0.0f;
    bool warm_starting = true;
    // Colours from last to first. To be turned round from step to step: a sweep that always runs one way sends every
    // shock to the same side.
    bool backward = false;
    // By motion: how finely its island is to be stepped, as an index into `classes`. Motions without an island (those
    // that nothing pushes) take part in all. Both empty: all take `substeps`.
    std::span<const std::uint8_t> class_of_motion;
    std::span<const TimeStepClass> classes;
    const Regions* regions = nullptr; // of all motions but 0; none: divided by index
    // By slot of the contact: gets the colour of those that touch. Empty: nobody asks.
    std::span<std::uint8_t> colour_of_contact;
};

// Advances motions by one step. Substepped sequential impulses with soft contacts, warm starting and a relaxing pass
// ("TGS soft": Macklin et al. 2019 for substeps, Catto's Solver2D 2024 for the soft step). Keeps its buffers from step
// to step.
class Solver {
  public:
    using TouchingContact = physics::TouchingContact;

    // `motions[0]` must be at rest with inverse mass 0. Contacts must come in a canonical order; their impulses are
    // updated. So are those of the joints, which come by ascending class and are solved in
    // their order, before the contacts of each pass.
    void run(Executor& executor, const SolverInput& input, std::span<BodyMotion> motions,
             std::span<const BodyDynamics> dynamics, std::span<const TouchingContact> touching, ContactPool& contacts,
             std::span<JointInput> joints);

    // Bodies whose spin was held to max_substep_turn in the last run.
    std::uint32_t spin_limited() const { return spin_limited_; }
    // Joints of nets, which the last run did not solve exactly (JointSolver).
    std::size_t joints_swept() const { return joints_swept_; }
    std::size_t used_colours() const { return used_colours_; }
    std::size_t memory_bytes() const; // of heap

  private:
    // One island, or several of one time step class.
    void run_class(Executor& executor, const SolverInput& input, const TimeStepClass& step_class,
                   std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics, const Regions& regions,
                   std::span<const TouchingContact> touching, ContactPool& contacts, std::span<JointInput> joints,
                   JointSolver& joint_solver);

    // What all threads do between two meetings.
    struct Stage {
        enum class Kind : std::uint8_t { velocities, positions, one_colour, all_colours };
        Kind kind = Kind::velocities;
        RowPass pass = RowPass::prepare;
        bool shared = false;      // what several parts touch
        std::uint32_t colour = 0; // a stage of the blocks
    };

    ImpactPass impacts_;
    ContactBlocks blocks_;
    bool backward_ = false;
    std::vector<JointSolver> joint_solvers_; // by time step class
    std::vector<BodyInertia> inertias_;      // by motion, as the bodies lie now
    std::vector<std::uint8_t> too_fast_;     // by motion
    std::vector<BodyTraits> traits_;         // by motion
    SlidingBodies sliding_;
    std::vector<Vec3> falling_;        // by motion, m/s: what they move with if nothing touches them
    std::vector<Vec3> turning_;        // rad/s, with that
    Regions even_;                     // used where the input names none
    std::vector<Stage> stages_;        // that wait to be run
    std::vector<std::uint32_t> needs_; // of them
    std::vector<TouchingContact> class_touching_;
    std::uint32_t spin_limited_ = 0;
    std::size_t used_colours_ = 0;
    std::size_t joints_swept_ = 0;
};

} // namespace cairn::physics
