// Impacts within a substep, answered before the soft pass.
#pragma once

#include "physics/base/executor.h"
#include "physics/solver/row_blocks.h"

#include <array>
#include <cstdint>
#include <span>
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
// symplectic Euler moves exactly on the parabola of a point that has the speed v - a h / 2 at the start of the substep,
// v being the speed after it; over the separation s the square of that speed changes by -2 a s. So a bounce is exact in
// height and in time.
struct Impact {
    using Values = std::array<float, 4>;
    using Flags = std::array<bool, 4>;

    Flags hit{};        // points that reach the surface within the substep, faster than the threshold
    Flags carried{};    // points that bore a load before: they may not close, and do not bounce
    Values time{};      // s, from the start of the substep to the impact
    float first = 0.0f; // s, the least of these
    Values wanted{};    // m/s, speeds along the normal after it
    Values normal_impulse{}, tangent_impulse_1{}, tangent_impulse_2{}; // of the substep before, put aside
};

// Rounds of impacts: the contacts that are hit first are answered together, each by Newton's law, then those that
// follow or that the new velocities close, and so on until none closes faster than the threshold. Together, so that a
// box that lands flat on two tiles does not turn; in rounds, so that a blow runs through a row of balls from pair to
// pair and leaves it at the other end (B. Smith et al., "Reflections on simultaneous impact", 2012). In no round energy
// is gained, since with impulses P >= 0 where the speed u turns into e u, the work is -P u (1 - e) / 2.
class ImpactPass {
  public:
    // Answers until nothing is left or `most_rounds` have passed; what is left then is stopped by the soft pass. Looks
    // at the contacts of `places`, which give back speed. True if there was any impact, and poses have changed.
    bool run(Executor& executor, std::span<const RowPlace> places, std::span<RowBlocks> blocks,
             std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics, std::span<BodyInertia> inertias,
             const ContactSolverSettings& settings);

    static constexpr int most_rounds = 64;

  private:
    struct Active {
        std::uint32_t place;
        Impact impact;
    };
    std::vector<std::uint8_t> hit_;     // by place
    std::vector<std::uint8_t> changed_; // by motion
    std::vector<float> first_;          // s, by motion: the first blow to it
    std::vector<Active> active_;
};

} // namespace cairn::physics
