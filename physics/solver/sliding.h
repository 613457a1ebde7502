// Where bodies come to that slide on what does not yield.
#pragma once

#include "physics/base/bytes.h"
#include "physics/narrowphase/pool/contact_pool.h"
#include "physics/solver/contact_blocks.h"
#include "physics/solver/joints/rows/joint_terms.h"
#include "physics/solver/motion/motion.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace cairn::physics {

// Under contacts a substep moves bodies by the velocity after it (symplectic Euler), which springs need. Sliding
// friction and gravity along a slope are no springs: there the path is that of the mean of the velocities before and
// after (trapezium rule), and a step leads ahead of it by h/2 times the change of velocity, h being the substep. Left
// as it is, a box stops v h/2 short of v^2 / (2 mu g).
class SlidingBodies {
  public:
    void begin(std::span<const BodyMotion> motions, std::span<const JointInput> joints); // before the first substep

    struct Input {
        std::span<const BodyDynamics> dynamics;    // by motion
        std::span<const TouchingContact> touching; // with the impulses of the step
        const ContactPool& contacts;
        Vec3 gravity;                                // m/s^2
        std::function<float(std::uint32_t)> substep; // s, of a motion
    };
    // Corrects the positions of bodies without joints that slide on: all contacts that press are with fixed or
    // kinematic bodies, in one plane and at the bound of friction. Only along that plane.
    void end(const Input& in, std::span<BodyMotion> motions);

    std::size_t memory_bytes() const { return bytes_of(bodies_); }

  private:
    struct Body {
        Vec3 start{0.0f};    // m/s, when the step began
        Vec3 normal{0.0f};   // unit, world, of its plane; zero: nothing presses yet
        bool slides = false; // as far as its contacts have been looked at
    };
    void look_at(const Input& in, const TouchingContact& touching, Body& body);

    std::vector<Body> bodies_; // by motion
};

} // namespace cairn::physics
