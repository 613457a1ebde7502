// What the plots show: a few figures of every state that was published, kept for the last two minutes or so. Pure.
#pragma once

#include "physics/world/frame_state.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace cairn::ui {

enum class Curve : std::uint8_t {
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
inline constexpr std::size_t curve_count = 15;

struct PlotSample {
    std::uint64_t step = 0;
    double time = 0.0; // s of simulated time
    std::array<float, curve_count> values{};
    float of(Curve curve) const { return values[static_cast<std::size_t>(curve)]; }
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

class PlotHistory {
  public:
    static constexpr std::size_t most = 7200; // two minutes at 60 Hz

    // Takes the state if it is a new one. A step before the last one begins the history anew, as does another world.
    void follow(const physics::FrameState& frame, std::uint64_t world_number);
    void set_zero() { bodies_.set_zero(); } // of drift, from the next state on
    void add(const PlotSample& sample);
    void clear();

    std::size_t size() const { return count_; }
    const PlotSample& operator[](std::size_t i) const {
        return samples_[(first_ + i) % samples_.size()];
    }                                     // oldest first
    std::size_t since(double time) const; // the first sample not before it

  private:
    std::vector<PlotSample> samples_;
    std::size_t first_ = 0, count_ = 0;
    std::uint64_t world_ = 0;
    DriftAndMomentum bodies_;
};

// Calls `at(time)` for each time that the curve rises from at most the threshold to above it, oldest first; returns how
// often that was.
std::size_t crossings(const PlotHistory& history, Curve curve, float threshold, const std::function<void(double)>& at);

// Comma-separated: step, time and the curves; one line for each sample. `names` are the heads of the columns, `scale`
// turns the curves' units into those of the names.
std::string csv_of(const PlotHistory& history, std::span<const Curve> curves, std::span<const char* const> names,
                   float scale);

} // namespace cairn::ui
