// What each verb of `cairn-bench` takes and does. They throw as those of `cairn` do.
#pragma once

#include "app/cli/options/verbs.h"

namespace cairn::bench {

struct Arguments {
    std::vector<cli::Path> scenes; // files, or bench/NAME of a scene or series made in memory; of seek: captures
    std::uint64_t steps = 300;
    int threads = 0; // 0 = as many as there are cores
    cli::Path json;  // empty = not wanted
    bool quick = false;
};
int measure_speedup(const Arguments& arguments);
int measure_frame(const Arguments& arguments);
int measure_seeks(const Arguments& arguments);
int measure_past(const Arguments& arguments);
int measure_mesh_pairs(const Arguments& arguments);

} // namespace cairn::bench
