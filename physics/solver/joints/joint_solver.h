// Joints as the solver sees them: which hang together, and how each component is solved.
#pragma once

#include "physics/base/executor_loop.h"
#include "physics/solver/joints/joint_net.h"
#include "physics/solver/joints/joint_work.h"
#include "physics/solver/joints/rows/joint_rows.h"
#include "physics/solver/joints/rows/joint_springs.h"
#include "physics/solver/joints/system/joint_graph.h"
#include "physics/solver/joints/system/joint_system.h"
#include "physics/solver/motion/integrate.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn::physics {

// Components whose matrix factors cheaply are solved exactly, the others are swept over (docs/how/joints.md). Which is
// which follows from what ties what alone. Components do not know of each other and are worked on side by side.
class JointSolver {
  public:
    // Starts a step. `inputs`: in an order that does not change what is solved as long as their components are the
    // same.
    void begin(Executor& executor, std::span<const JointInput> inputs, std::span<const BodyMotion> motions,
               std::span<const BodyDynamics> dynamics, std::span<const BodyInertia> inertias, float h);
    // The step's contacts: each by its motions, and when that was all.
    void note_contact(std::uint32_t motion_a, std::uint32_t motion_b);
    void end_contacts() { work_.end_touches(); }
    // After the last substep: tells impulses, positions and what the joints have carried.
    void end(Executor& executor, std::span<JointInput> inputs);

    // Brings the rows up to date: before the first substep and when positions have changed.
    void refresh(Executor& executor, std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics,
                 std::span<const BodyInertia> inertias, float h);
    // The same for nets alone: impacts refresh what is solved exactly, and move nets like single bodies.
    void refresh_nets(Executor& executor, std::span<BodyMotion> motions, std::span<const BodyInertia> inertias);

    // Starts a substep, when velocities have been integrated: takes the spin off bodies that pulls hold.
    void begin_substep(std::span<BodyMotion> motions) const;
    // Velocities are now those that joints and contacts will change together until the pass without bias.
    void begin_passes(Executor& executor, std::span<BodyMotion> motions, const JointSolverSettings& settings);
    void warm_start(Executor& executor, std::span<BodyMotion> motions);

    // One pass: motors, springs and limits one after the other, and all rigid rows together before and after them. With
    // `use_bias` errors of position are taken back and springs act.
    void solve(Executor& executor, std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics,
               const JointSolverSettings& settings, bool use_bias);
    // Holds what contacts have pushed since: rigid rows of components that are solved exactly and touch something, as
    // in the pass with bias.
    void hold(Executor& executor, std::span<BodyMotion> motions, const JointSolverSettings& settings);
    void accumulate(Executor& executor); // the substep's impulses to the step's

    // Whether the body's joints are all solved exactly, with its arcs: they can follow any spin.
    bool exact(std::uint32_t motion) const { return motion < exact_.size() && exact_[motion] != 0; }
    // Impacts pass through components that are solved exactly (impacts.h). They are named by number; `none` of bodies
    // that are in no such component.
    static constexpr std::uint32_t none = 0xffffffffu;
    std::uint32_t component_of(std::uint32_t motion) const { return component_of_[motion]; }
    std::span<const std::uint32_t> bodies_of(std::uint32_t component) const;
    // Velocities as rigid rows, ropes and stops allow them. Between the first two calls and the last, the impulses of
    // the joints are those of impacts; these go to the step's sums, and those of the substep before come back. `hit`:
    // whether there were any, and the bodies have been moved.
    void begin_impacts(std::uint32_t component, std::span<const BodyMotion> motions);
    void move_impacts(std::uint32_t component, std::span<const BodyMotion> motions,
                      std::span<const BodyDynamics> dynamics); // when poses have changed
    void hold_velocities(std::uint32_t component, std::span<BodyMotion> motions, const JointSolverSettings& settings);
    double kinetic_energy(std::uint32_t component, std::span<const BodyMotion> motions) const; // J, in its frame
    const JointWork& work() const { return work_; }                                            // with the frames
    void end_impacts(std::uint32_t component, std::span<const BodyMotion> motions,
                     std::span<const BodyDynamics> dynamics, bool hit, float h);
    // A trial: velocities that are taken back. Rigid rows answer in it what has been changed since its begin.
    void begin_trial(std::uint32_t component, std::span<const BodyMotion> motions);
    void try_velocities(std::uint32_t component, std::span<BodyMotion> motions, const JointSolverSettings& settings);
    void end_trial(std::uint32_t component, std::span<BodyMotion> motions) const;

    std::size_t swept() const { return net_.size(); } // joints of components that are not solved exactly
    std::size_t memory_bytes() const;

  private:
    template <class Task>
    void for_direct(Executor& executor, const Task& task);
    template <class Task>
    void for_net_bodies(Executor& executor, const Task& task);
    template <class Joint> // input or rows
    void stiffen(std::uint32_t motion, std::span<const Joint> joints, const BodyMotion& body,
                 const BodyDynamics& dynamics, float h);
    void take_inertia(std::uint32_t motion); // that of bodies_ where its lanes and rows are made of
    // `h`: s, of the substep whose impulses say which free rows are held; none: none are.
    void refresh_component(std::size_t number, std::span<const BodyMotion> motions, std::optional<float> h);
    bool hold_rows(std::size_t number, std::optional<float> h); // true if any are held
    void act_springs(std::size_t number);                       // that have been held to relax
    // The same after the bodies' inertias, with what pulls on them.
    void refresh_bodies(std::size_t number, std::span<const BodyMotion> motions, std::span<const BodyDynamics> dynamics,
                        float h);
    void factorise(std::size_t number);
    // Solves the rigid rows and what is held with them, until the right rows are.
    void solve_together(std::size_t number, std::span<BodyMotion> motions, const JointSolverSettings& settings,
                        bool use_bias);
    bool any_stiff(std::uint32_t component) const;
    bool any_held(std::uint32_t component) const;
    // Of bodies_, by all rows.
    void take_inertias(std::uint32_t component, std::span<const BodyMotion> motions, std::optional<float> h);
    // Velocities and impulses of the component before a round of solve_component().
    void note_round(std::size_t number, std::span<const BodyMotion> motions);
    void take_back_round(std::size_t number, std::span<BodyMotion> motions);
    void solve_component(std::size_t number, std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics,
                         const JointSolverSettings& settings, bool use_bias);

    void hold_work(std::size_t number, std::span<BodyMotion> motions, const JointSolverSettings& settings,
                   bool use_bias);

    // A component that is solved exactly, as limits see it in impacts.
    class Solved final : public Mechanism {
      public:
        Solved(JointSolver& solver, std::size_t number, std::span<BodyMotion> motions,
               const JointSolverSettings& settings)
            : solver_(solver), number_(number), motions_(motions), settings_(settings) {}
        float load_on(const JointRows& joint, const JointRow& row, float own_mass) override;
        void answer() override;

      private:
        JointSolver& solver_;
        std::size_t number_;
        std::span<BodyMotion> motions_;
        const JointSolverSettings& settings_;
    };

    JointGraph graph_;
    JointSystem system_;
    JointNet net_;
    JointSprings springs_;
    float h_ = 0.0f;                           // s, of the step's substeps
    std::vector<std::uint32_t> direct_, nets_; // components
    std::vector<JointRows> rows_;              // by joint; of those that go in lanes nothing is here
    std::size_t rows_needed_ = 0;              // up to the last that does not
    std::size_t grain_ = 1;                    // components solved exactly that are worth a thread's while
    // By motion: what the bodies have against the joints, and what pulls leave of their angular velocities.
    std::vector<BodyInertia> inertias_;
    std::vector<JointBody> bodies_;
    std::vector<PreciseInertia> free_;            // what they have without the pulls
    std::vector<BodyMotion> ends_;                // where the velocities take them within the substep
    std::vector<BodyMotion> kept_;                // what end_trial() and take_back_round() restore
    std::vector<JointImpulses> kept_impulses_;    // by joint: the same
    std::vector<JointImpulses> started_impulses_; // by joint: at the start of the substep
    std::vector<Mat3> keep_;
    std::vector<std::uint8_t> stiff_, exact_;
    JointWork work_;                          // of components that are solved exactly
    std::vector<std::uint32_t> component_of_; // by motion
    std::vector<glm::dmat3> stiff_inertias_;  // by motion: inverse, with the pulls, put aside during impacts
    std::vector<JointImpulses> aside_;        // by joint: those of the substep before, during impacts
};

template <class Task>
void JointSolver::for_direct(Executor& executor, const Task& task) {
    parallel_for(executor, direct_.size(), grain_, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            task(i, graph_.components()[direct_[i]]);
        }
    });
}

template <class Task>
void JointSolver::for_net_bodies(Executor& executor, const Task& task) {
    for (const std::uint32_t number : nets_) {
        const std::span<const std::uint32_t> bodies = graph_.bodies_of(graph_.components()[number]);
        parallel_for(executor, bodies.size(), 512, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                task(bodies[i]);
            }
        });
    }
}

} // namespace cairn::physics
