// What is plotted of a run: a few metrics of every step of every branch of its history.
#pragma once

#include "app/core/history/history.h"
#include "physics/world/frame_state.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cairn::core {

enum class Metric : std::uint8_t {
    kinetic,     // J
    potential,   // J, from z = 0
    energy,      // J, the sum of both
    momentum,    // kg m/s, the length of the sum over all bodies
    penetration, // m, of the deepest contact point
    drift,       // m, see DriftAndMomentum
    contacts,    // pairs that touch or nearly touch
    points,      // of contact
    broadphase,  // s of the step, as the following
    narrowphase,
    islands,
    solver,
    continuous,
    finish,
    step // the sum of the stages
};
inline constexpr std::size_t metric_count = 15;

struct StepMetrics {
    std::uint64_t step = 0; // after which the state is
    std::size_t branch = 0; // of the history
    double time = 0.0;      // s of simulated time
    std::array<float, metric_count> values{};
    float of(Metric metric) const { return values[static_cast<std::size_t>(metric)]; }
};

// What follows from all bodies at once. Drift is the mean horizontal distance of the dynamic bodies from where each was
// when it was first seen or set to zero: what a stack that should stand has crept. Bodies that were moved on purpose
// count like others.
class DriftAndMomentum {
  public:
    void measure(const physics::FrameState& frame);
    void set_zero() { homes_.clear(); }
    float drift() const { return drift_; }       // m
    float momentum() const { return momentum_; } // kg m/s

  private:
    struct Home {
        physics::BodyId body;
        physics::Vec3 at{0.0f};
        float mass = 0.0f;
    };
    std::vector<Home> homes_; // by place in the frame
    std::uint64_t revision_ = 0;
    float drift_ = 0.0f, momentum_ = 0.0f;
};

// The metrics of a state of the current branch. `bodies` goes along with the run from state to state.
StepMetrics metrics_of(const physics::FrameState& state, const History& history, DriftAndMomentum& bodies);

} // namespace cairn::core
