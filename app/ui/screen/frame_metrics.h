// How the last frames went.
#pragma once

#include "app/ui/context/parts.h"

#include <array>
#include <chrono>
#include <cstdint>

namespace cairn::ui {

// The last few seconds of a metric, for plots.
class History {
  public:
    void add(float value);
    float mean() const;
    float median() const;
    float largest() const;
    int count() const { return count_; }
    float value(int index) const {
        return values_[static_cast<std::size_t>(oldest() + index) % values_.size()];
    } // oldest first

  private:
    int oldest() const { return count_ == static_cast<int>(values_.size()) ? next_ : 0; }
    std::array<float, 240> values_{};
    int next_ = 0, count_ = 0;
};

// Times one thing after the other.
class Lap {
  public:
    void end(History& of) {
        const Clock::time_point now = Clock::now();
        of.add(std::chrono::duration<float, std::milli>(now - start_).count());
        start_ = now;
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

struct FrameMetrics : Part {
    std::uint64_t frames = 0;
    std::uint64_t shown = 0;    // of those: had something new to show
    std::uint64_t pictures = 0; // of those: the world had
    double frame_seconds = 0.0;
    History frame_ms, step_ms;
    // What the main thread does for a picture, without what the driver and the screen make it wait: taking the newest
    // state of the world, what follows from the mouse, panels, the draw list, culling, filling the instance buffer.
    History update_ms, input_ms, panels_ms, draw_list_ms, cull_ms, fill_ms;
    // How fast simulated time has run of late, as a share of how fast it should; 1 = it keeps up.
    double pace = 1.0;
    double pace_from = 0.0;      // log time at which measuring it began
    double pace_from_time = 0.0; // s of simulated time then
    double dropped_seen = 0.0;
    double dropped_at = -100.0; // log time at which simulated time was last dropped
};

} // namespace cairn::ui
