// Traces and statistics in the formats of the command line's contract.
#pragma once

#include "physics/world/frame_state.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace cairn::core {

// CSV: header `step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz`, one row per body and step, step 0 = the initial
// state.
class TraceWriter {
  public:
    explicit TraceWriter(const std::filesystem::path& path); // throws InputError
    ~TraceWriter();
    void add(const physics::FrameState& frame);
    void finish(); // throws InputError if anything could not be written

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Collects times of steps and writes the `--stats` JSON.
class StatsCollector {
  public:
    void add(const physics::FrameState& frame);
    // `threads` as used; other members come from the last frame added.
    std::string to_json(int threads) const;

  private:
    std::vector<double> step_ms_;
    physics::StageTimes sum_;
    physics::FrameState last_;
    std::uint64_t steps_ = 0;
    double worst_penetration_ = 0;
};

void write_text_file(const std::filesystem::path& path,
                     const std::string& text); // temporary file, sync, rename; InputError

} // namespace cairn::core
