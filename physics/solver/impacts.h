// Impacts within a substep, answered before the soft pass.
#pragma once

#include "physics/base/executor.h"
#include "physics/solver/contact_rows.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// Rounds of impacts: the contacts that are hit first are answered together, each by Newton's law, then those that
// follow or that the new velocities close, and so on until none closes faster than the threshold. Together, so that a
// box that lands flat on two tiles does not turn; in rounds, so that a blow runs through a row of balls from pair to
// pair and leaves it at the other end (B. Smith et al., "Reflections on simultaneous impact", 2012). In no round energy
// is gained, since with impulses P >= 0 where the speed u turns into e u, the work is -P u (1 - e) / 2.
class ImpactPass {
  public:
    // Answers until nothing is left or `most_rounds` have passed; what is left then is stopped by the soft pass.
    // True if there was any, and poses have changed.
    bool run(Executor& executor, std::span<ContactRows> rows, std::span<BodyMotion> motions,
             std::span<const BodyDynamics> dynamics, const ContactSolverSettings& settings);

    static constexpr int most_rounds = 64;

  private:
    struct Active {
        std::uint32_t row;
        Impact impact;
    };
    std::vector<std::uint8_t> hit_;     // by row
    std::vector<std::uint8_t> changed_; // by motion
    std::vector<float> first_;          // s, by motion: the first blow to it
    std::vector<Active> active_;
};

} // namespace cairn::physics
