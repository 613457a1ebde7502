// How long it takes to go to a step of a capture.
#include "app/cli/output/progress.h"
#include "app/core/base/error.h"
#include "app/core/capture/capture.h"
#include "app/core/workers/worker_pool.h"
#include "bench/program/verbs.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace cairn::bench {
namespace {

using namespace cli;
constexpr std::uint64_t most_seeks = 200;

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

int measure_seeks(const Arguments& arguments) {
    const auto workers = core::make_worker_pool(arguments.threads);
    int code = exit_success;
    for (const Path& path : arguments.scenes) {
        const auto start = std::chrono::steady_clock::now();
        const core::Capture capture = core::read_capture(path);
        const double opened = seconds_since(start);
        const std::uint64_t steps = capture.steps.size();
        std::vector<std::pair<double, std::uint64_t>> seeks; // s, step
        bool same = true;
        {
            Progress progress("going to and fro");
            const std::uint64_t count = std::min(most_seeks, steps);
            for (std::uint64_t i = 1; i <= count; ++i) {
                const std::uint64_t step = i * steps / count;
                const auto before = std::chrono::steady_clock::now();
                const physics::World world = core::world_at(capture, step, workers.get());
                seeks.emplace_back(seconds_since(before), step);
                same = same && world.hash() == capture.steps[step - 1].hash;
                progress.show(static_cast<double>(i) / static_cast<double>(count));
            }
        }
        std::sort(seeks.begin(), seeks.end());
        std::printf("%s: %llu steps, %zu keyframes, %.3g MB, opened in %.3g ms\n", path.c_str(),
                    static_cast<unsigned long long>(steps), capture.keyframes.size(),
                    1e-6 * static_cast<double>(std::filesystem::file_size(path)), 1e3 * opened);
        if (!seeks.empty()) {
            std::printf("  %zu seeks: median %.3g ms, slowest %.3g ms (to step %llu)%s\n", seeks.size(),
                        1e3 * seeks[seeks.size() / 2].first, 1e3 * seeks.back().first,
                        static_cast<unsigned long long>(seeks.back().second),
                        same ? "" : "; the states are NOT those that were recorded");
        }
        code = same ? code : exit_check_failed;
    }
    return code;
}

} // namespace cairn::bench
