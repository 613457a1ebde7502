// A sweep: one scene, run once for every combination of the values of some of its parameters. File format:
// docs/guide/sweeps.md.
#pragma once

#include "app/core/scene/scene.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn::core {

inline constexpr int sweep_version = 1;
inline constexpr std::size_t max_sweep_values = 100'000;  // of one parameter
inline constexpr std::size_t max_sweep_runs = 10'000'000; // of all combinations
inline constexpr std::size_t max_sweep_parameters = 16;

struct SweepParameter {
    std::string path;                // as in set_value
    std::vector<std::string> values; // as JSON, one or more
};

struct Sweep {
    std::string name;
    std::filesystem::path scene_file; // as it was found
    Scene scene;
    std::uint64_t steps = 0;
    std::vector<SweepParameter> parameters;
    bool expect = false; // reports for each run what became of what the scene expects
    // Tells sweeps apart: the same for the same scene, steps and parameters, wherever the files lie.
    std::uint64_t digest = 0;

    // Runs are counted from 0; the last parameter changes fastest.
    std::size_t run_count() const;
    // Of each parameter the value that the run takes, as JSON.
    std::vector<std::string> values_of(std::size_t run) const;
    // Throws InputError naming the value that the scene rejects in this company.
    Scene scene_of(std::size_t run) const;
};

// Each value is tried alone on the scene. Throws InputError with file, line and column.
Sweep read_sweep(const std::filesystem::path& path);

// What one run comes to; at the end of the run unless something else is said.
struct SweepMetrics {
    std::uint64_t hash = 0;
    std::uint32_t bodies = 0, asleep = 0, contacts = 0, contact_points = 0;
    std::uint64_t impacts = 0;                              // bodies stopped by continuous collision, of all steps
    float end_penetration = 0.0f, worst_penetration = 0.0f; // m; the worst of any step
    double kinetic_energy = 0.0, potential_energy = 0.0;    // J
    double energy_start = 0.0, energy_max = 0.0;            // J, kinetic and potential; the most after any step
    float max_speed = 0.0f, worst_speed = 0.0f;             // m/s, of centres of mass; the worst of any step
    float drift_mean = 0.0f, drift_max = 0.0f;              // m, of dynamic bodies' centres from where they started
    double settled_at = -1.0;                               // s, since when no centre moved faster; < 0: some still do
    float worst_joint_gap = 0.0f;                           // m, between the anchors of joints that hold a point
    std::uint64_t stopped = 0;                              // bodies whose motion was not finite, of all steps
    std::vector<std::string> expectations;                  // "met", "failed at 38"; empty: open at the end
    double ms_mean = 0.0, ms_median = 0.0, ms_p99 = 0.0;    // of a step on one thread; not the same twice
};
inline constexpr float settled_speed = 0.05f; // m/s

// Runs the world of the sweep's run on the calling thread. Throws InputError when the world rejects the scene.
SweepMetrics measure_run(const Sweep& sweep, std::size_t run);

} // namespace cairn::core
