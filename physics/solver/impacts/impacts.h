// Impacts within a substep, answered before the soft pass.
#pragma once

#include "physics/base/executor.h"
#include "physics/solver/joints/joint_solver.h"
#include "physics/solver/rows/row_blocks.h"

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace cairn::physics {

// One contact among the blocks.
struct RowPlace {
    RowKind kind = RowKind::one;
    std::uint8_t lane = 0;
    std::uint8_t part = 0; // whose blocks
    std::uint32_t block = 0;
    std::uint32_t motion_a = 0, motion_b = 0;
};

// The impact of one contact within a substep, by Newton's law of restitution. It is answered before the soft pass, as
// if it took no time: impulses change the velocities, and the poses are set back so that the straight path with the new
// velocities passes where the body is after the impact at its own time. With the free acceleration a along the normal,
// a point in flight moves exactly on the parabola that has the speed v - a h at the start of the substep, v being the
// speed after it; over the separation s the square of that speed changes by -2 a s. So a bounce is exact in height and
// in time. What hangs on joints moves by symplectic Euler, on the parabola of v - a h / 2.
struct Impact {
    using Values = std::array<float, 4>;
    using Flags = std::array<bool, 4>;

    Flags hit{};        // points that reach the surface within the substep, faster than the threshold
    Flags carried{};    // points that bore a load before: they may not close, and do not bounce
    Values time{};      // s, from the start of the substep to the impact
    float first = 0.0f; // s, the least of these
    Values wanted{};    // m/s, speeds along the normal at the end of the substep
    float acceleration = 0.0f, lead = 0.0f; // m/s^2 along the normal; s, from the speed of the parabola to v
    Values normal_impulse{}, tangent_impulse_1{}, tangent_impulse_2{}; // of the substep before, put aside
    std::array<Vec3, 4> before{};       // m/s, of the points against each other before the impact
    bool jointed = false;               // one of the bodies hangs on joints that are solved exactly
    std::array<float, 10> compliance{}; // 1/kg, with these joints: the lower triangle, row by row
};

// The joints among the bodies that impacts may hit.
struct ImpactJoints {
    JointSolver& solver;
    const JointSolverSettings& settings;
};

struct ImpactWork; // impacts.cpp

// Rounds of impacts: the contacts that are hit first are answered together, each by Newton's law, then those that
// follow or that the new velocities close, and so on until none closes faster than the threshold. Together, so that a
// box that lands flat on two tiles does not turn; in rounds, so that a blow runs through a row of balls from pair to
// pair and leaves it at the other end (B. Smith et al., "Reflections on simultaneous impact", 2012). In no round energy
// is gained, since with impulses P >= 0 where the speed u turns into e u, the work is -P u (1 - e) / 2.
//
// A blow to a body on joints is one to all that hangs together with it: after each contact its joints are solved
// exactly, and contacts know how much their bodies give way with them. Joints do no work, so that the same balance
// holds.
class ImpactPass {
  public:
    // Answers until nothing is left or `most_rounds` have passed; what is left then is stopped by the soft pass. Looks
    // at the contacts of `places`. True if there was any impact, and poses have changed.
    // `traits`: by motion; `joints`: none if there are none.
    bool run(Executor& executor, std::span<const RowPlace> places, std::span<RowBlocks> blocks,
             std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics, std::span<BodyInertia> inertias,
             const ContactSolverSettings& settings, std::span<const BodyTraits> traits, const ImpactJoints* joints);

    static constexpr int most_rounds = 64;

  private:
    static constexpr float look_again = 3e38f; // m/s, the error of a contact that has still to be answered
    struct Active {
        std::uint32_t place;
        Impact impact;
        float error = look_again;             // m/s, before its last answer
        std::uint32_t seen_a = 0, seen_b = 0; // stamps of its bodies after that
    };
    struct Velocities {
        Vec3 linear, angular;
    };
    struct Mechanism {                          // a component of joints that may be hit
        std::uint32_t component = 0, first = 0; // of JointSolver; of its bodies in `free_` and `before_`
        float time = 0.0f;                      // s, of the impact in this round
        std::uint32_t contacts = 0;             // hit in this round
        bool hit = false, hit_now = false;      // in any round, in this one
        double energy = 0.0;                    // J, before the round, in its frame
    };

    // False if its answers grow without end or gain energy; then none has been given.
    bool answer_round(std::span<const RowPlace> places, std::span<RowBlocks> blocks, const ImpactWork& work,
                      bool between_joints);
    bool solve_round(std::span<const RowPlace> places, std::span<RowBlocks> blocks, const ImpactWork& work,
                     bool between_joints);
    bool settle(std::span<const RowPlace> places, std::span<RowBlocks> blocks, const ImpactWork& work,
                bool between_joints, bool& friction);
    void take_back(std::span<const RowPlace> places, std::span<RowBlocks> blocks, const ImpactWork& work);

    // impact_mechanisms.cpp
    Mechanism* mechanism_of(std::uint32_t motion, const ImpactJoints* joints);
    void hold_joints(std::span<BodyMotion> motions, const ImpactJoints& joints);
    void note_hits(std::span<const RowPlace> places, std::span<const BodyMotion> motions, const ImpactJoints& joints);
    void set_back(std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics,
                  std::span<BodyInertia> inertias, const ImpactJoints& joints);
    void release_joints(std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics,
                        const ImpactJoints& joints);
    bool gains_energy(std::span<const RowPlace> places, const ImpactWork& work);

    std::vector<std::uint8_t> hit_;     // by place
    std::vector<std::uint8_t> changed_; // by motion
    std::vector<float> first_, last_;   // s, by motion: the first blow to it in a round; its last one so far
    std::vector<Active> active_;
    std::vector<Mechanism> mechanisms_;     // ascending by component
    std::vector<Velocities> free_, before_; // of their bodies: without the joints, and before the round
    std::vector<std::pair<std::uint32_t, Velocities>> starts_; // of other bodies that are hit: before the round
    std::vector<std::uint8_t> noted_;                          // by motion: whether it is among them
    std::vector<BodyMotion> reactions_; // by motion, velocities: what joints do to what gravity has done
    std::vector<std::uint8_t> at_once_; // by component, as in ImpactWork
    std::vector<std::uint32_t> stamps_, component_stamps_; // of what moves together: single bodies, components
    std::size_t held_ = 0;                                 // bodies of mechanisms, in this substep
};

} // namespace cairn::physics
