// Traces and statistics in the formats of the command line's contract.
#pragma once

#include "app/core/report/stopped_body.h"
#include "physics/world/frame_state.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::core {

// CSV: header `step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz`, one row per body and step, step 0 = the initial
// state. Numbers are the shortest decimals that read back to the same float; times are rounded to nanoseconds. `body`
// is the body's slot, which is its place in the scene. With `names` a last column, `name`, has what the scene calls it.
// The path `-` is the standard output.
class TraceWriter {
  public:
    enum class Names { no, yes };
    explicit TraceWriter(const std::filesystem::path& path, Names names = Names::no); // throws InputError
    ~TraceWriter(); // the file goes if finish() was not called
    TraceWriter(const TraceWriter&) = delete;
    TraceWriter& operator=(const TraceWriter&) = delete;

    void add(const physics::FrameState& frame); // throws InputError
    void finish();                              // throws InputError if anything could not be written

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Collects times of steps and writes the `--stats` JSON.
class StatsCollector {
  public:
    // `times_of_steps`: each is kept, eight bytes, which to_json() needs; what is said of all of them together is known
    // without.
    explicit StatsCollector(bool times_of_steps = true) : keeps_times_(times_of_steps) {}
    // Once after each step; also once for step 0, whose time is not counted.
    void add(const physics::FrameState& frame);
    // What to_json() is to state if the last frame had none: hashing every frame takes a fifth of a run.
    void set_hash(std::uint64_t hash) { last_hash_ = hash; }
    std::uint64_t steps() const { return steps_; }
    double mean_ms() const;
    double worst_penetration() const { return worst_penetration_; } // m, over all frames added
    const physics::StepStats& last() const { return last_; }
    // How often a body was stopped because its motion was none, and where that began.
    std::uint64_t stopped() const { return stopped_; }
    const std::optional<StoppedBody>& first_stopped() const { return first_stopped_; }

    // One JSON object. `threads` as used, `name` of the scene; the rest comes from what was added.
    std::string to_json(int threads, std::string_view name = {}) const;

  private:
    bool keeps_times_;
    std::uint64_t steps_ = 0;
    double sum_ms_ = 0.0;
    std::vector<double> step_ms_;
    physics::StageTimes sum_;      // s
    physics::StageTimes worst_;    // s, of the step that took longest
    std::uint64_t worst_step_ = 0; // which that is, from 1 on
    // Of the last frame added.
    physics::StepStats last_;
    std::uint64_t last_step_ = 0, last_hash_ = 0;
    double last_time_ = 0.0; // s
    std::uint32_t sleeping_ = 0;
    double max_speed_ = 0.0;                  // m/s, of centres of mass
    physics::Vec3 lower_{0.0f}, upper_{0.0f}; // m, bounds of the centres of dynamic bodies
    double worst_penetration_ = 0;
    std::uint64_t held_ = 0;
    double time_given_up_ = 0.0; // s
    std::uint64_t short_steps_ = 0;
    std::uint64_t stopped_ = 0;
    std::optional<StoppedBody> first_stopped_;
};

// The file is whole or as it was. The path `-` is the standard output. Throws InputError naming the path.
void write_text_file(const std::filesystem::path& path, const std::string& text);

} // namespace cairn::core
