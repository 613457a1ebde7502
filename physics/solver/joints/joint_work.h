// Joints turn velocities and do no work, but for motors, and springs as far as they have stored it. Thin links that
// come to lie in one line may have to flip about their own axes faster than any substep resolves, and a rope without
// slack that something heavy falls on cannot give way at all: what rows ask for then has no bound. So what the joints
// of a component have done to its bodies within a substep is watched, and what they have gained is taken back.
#pragma once

#include "physics/solver/joints/rows/joint_rows.h"
#include "physics/solver/joints/rows/joint_springs.h"
#include "physics/solver/joints/system/joint_graph.h"
#include "physics/solver/motion/integrate.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// Components are named by number. Of different ones all calls but begin() may run at the same time.
class JointWork {
  public:
    // Of how many components, and motions in all.
    void begin(std::size_t components, std::size_t motions);
    // Starts a component's step: `rows`, of all joints, as they have been stated.
    void state(std::size_t number, const JointGraph& graph, const JointGraph::Component& component,
               std::span<const JointRows> rows, std::span<const BodyMotion> motions);
    // The step's contacts of the component's bodies with `motion`, 0 for something that nothing pushes or a body of its
    // own, and when these were all. Work that is small beside the energy of what touches a component is no fault of
    // its joints.
    void note_touch(std::uint32_t number, std::uint32_t motion) { touches_.push_back({number, motion}); }
    void end_touches();
    bool is_touched(std::size_t number) const { return parts_[number].touches > 0; }

    // Contacts come after the joints in a substep, and leave velocities that these do not allow. Work is counted from
    // the last ones that they did: with a tension of 5 kN the difference would seem to be many times the energy.
    bool needs_start(std::size_t number) const {
        return parts_[number].watched() && is_touched(number) && !parts_[number].started;
    }
    void note_start(std::size_t number, std::span<const std::uint32_t> bodies, std::span<const BodyMotion> motions);
    void forget_start(std::size_t number) { parts_[number].started = false; } // something else has moved them
    // Velocities are now those that joints and contacts will change together until the end of the substep. `springs`:
    // what those of the component may do.
    void begin_passes(std::size_t number, std::span<const std::uint32_t> bodies, std::span<const BodyMotion> motions,
                      const JointSprings::Work& springs);
    bool is_watched(std::size_t number) const { return parts_[number].watched(); }

    // Calls the task, which changes velocities of the component's bodies by its joints alone.
    template <class Task>
    void watch(std::size_t number, std::span<const std::uint32_t> bodies, std::span<const BodyMotion> motions,
               std::span<const PreciseInertia> inertias, const Task& task) {
        note_before(number, bodies, motions);
        task();
        note_effects(number, bodies, motions, inertias);
    }

    // What must be left of the velocities of the component's bodies against `mean`, and of the impulses in its joints:
    // all if these have not done more than they may, or may do work. `inertias`: by motion.
    struct Left {
        float share = 1.0f;
        glm::dvec3 mean{0.0}; // m/s
    };
    Left left_of_work(std::size_t number, std::span<const std::uint32_t> joints, std::span<const std::uint32_t> bodies,
                      std::span<const JointRows> rows, std::span<const BodyMotion> motions,
                      std::span<const PreciseInertia> inertias, const JointSolverSettings& settings,
                      bool use_bias) const;

    // From where the joints of a component do no work when they answer a blow.
    enum class Frame : std::uint8_t {
        world,  // pivots stand still, or there are none
        pivot,  // one that moves: that pivot
        unknown // several that move differently
    };
    Frame frame_of(std::size_t number) const { return parts_[number].frame; }
    std::uint32_t pivot_of(std::size_t number) const { return parts_[number].pivot; } // motion; 0: none that moves
    // J, of the component's bodies in its frame.
    double kinetic_energy(std::size_t number, std::span<const std::uint32_t> bodies,
                          std::span<const BodyMotion> motions, std::span<const PreciseInertia> inertias) const;

    std::size_t memory_bytes() const;

  private:
    struct Touch {
        std::uint32_t number = 0, motion = 0;
        auto operator<=>(const Touch&) const = default;
    };
    struct Part {
        Frame frame = Frame::world;
        std::uint32_t pivot = 0;
        std::uint32_t first_touch = 0, touches = 0; // in touches_
        double load = 0.0;                          // J, of what touches it, at the start of the passes
        JointSprings::Work springs;
        bool hangs = false;   // on any pivot
        bool driven = false;  // motors or the mouse do work
        bool started = false; // its start is known
        bool watched() const { return frame == Frame::world && !driven; }
    };
    struct Start {
        Vec3 linear_velocity{0.0f}, angular_velocity{0.0f}; // m/s, rad/s
    };
    // What joints have done to a body since begin_passes.
    struct Effect {
        Start start;
        glm::dvec3 momentum{0.0}, angular_momentum{0.0}; // m/s, N m s
    };

    void note_before(std::size_t number, std::span<const std::uint32_t> bodies, std::span<const BodyMotion> motions);
    void note_effects(std::size_t number, std::span<const std::uint32_t> bodies, std::span<const BodyMotion> motions,
                      std::span<const PreciseInertia> inertias);
    void find_places(const JointGraph& graph, const JointGraph::Component& component, std::span<const JointRows> rows,
                     std::uint32_t pivot);

    std::vector<Part> parts_;
    std::vector<Touch> touches_;       // in order, each but once
    std::vector<Start> starts_;        // by motion
    std::vector<Effect> effects_;      // by motion
    std::vector<BodyMotion> befores_;  // by motion: before the joints last acted
    std::vector<Vec3> places_;         // by motion: m, from the centre of a pivot that moves, at the start of the step
    std::vector<std::uint8_t> found_;  // by motion: whether its place is known
    std::vector<std::uint32_t> queue_; // motions, beside the bodies of the components
};

} // namespace cairn::physics
