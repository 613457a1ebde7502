// What threads bring: a scene on one, on several, and several copies of it beside each other.
#include "app/cli/output/bench_output.h"
#include "app/cli/output/progress.h"
#include "app/cli/output/table.h"
#include "app/core/bench_scenes/bench_scenes.h"
#include "app/core/capture/capture.h"
#include "app/core/report/formats/json.h"
#include "app/core/report/statistics/statistics.h"
#include "app/core/scene/scene.h"
#include "app/core/workers/worker_pool.h"
#include "bench/program/verbs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <future>
#include <memory>
#include <numeric>
#include <vector>

namespace cairn::bench {
namespace {

using namespace cli;
using core::Json;
using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration time) {
    return std::chrono::duration<double, std::milli>(time).count();
}

struct SpeedupResult {
    std::vector<double> alone, together; // ms per step, published state not included
    // How many times the work of one thread as many threads do that have nothing to do with each other, and the part of
    // it that the threads reach together; by turns.
    std::vector<double> copies, share;
    std::uint64_t hash_alone = 0, hash_together = 0;
    std::uint64_t differs_by = 0; // step by which a hash differed from that of one thread, 0 = none
};

// The worlds take turns every few steps, so that a slow moment of the machine meets all of them, and none more often:
// each turn begins with the caches of another and with threads asleep.
class Speedup {
  public:
    Speedup(const core::Scene& scene, physics::Executor& one, physics::Executor& all)
        : alone_(core::make_world(scene, &one)), together_(core::make_world(scene, &all)) {
        for (int i = 0; i < all.thread_count(); ++i) {
            executors_.push_back(core::make_worker_pool(1));
            copies_.push_back(core::make_world(scene, executors_.back().get()));
        }
    }

    SpeedupResult measure(std::uint64_t steps, const std::function<void(double)>& progress) {
        constexpr std::uint64_t turn = 20;
        for (std::uint64_t step = 0; step < steps; step += turn) {
            const std::uint64_t count = std::min(turn, steps - step);
            const double alone = take(alone_, count, result_.alone);
            const double together = take(together_, count, result_.together);
            const double copies = take_copies(count) / static_cast<double>(copies_.size());
            result_.copies.push_back(alone / copies);
            result_.share.push_back(copies / together);
            compare(step + count);
            progress(static_cast<double>(step + count) / static_cast<double>(steps));
        }
        result_.hash_alone = alone_.hash();
        result_.hash_together = together_.hash();
        return std::move(result_);
    }

  private:
    // ms of all the steps
    static double take(physics::World& world, std::uint64_t steps, std::vector<double>& times) {
        double sum = 0.0;
        for (std::uint64_t k = 0; k < steps; ++k) {
            const Clock::time_point start = Clock::now();
            world.step();
            times.push_back(milliseconds(Clock::now() - start));
            sum += times.back();
        }
        return sum;
    }

    // Side by side, ms from the first one's begin to the last one's end. They start when all threads are there: to
    // start one takes longer than many a step.
    double take_copies(std::uint64_t steps) {
        struct Span {
            Clock::time_point begin, end;
        };
        std::atomic<std::size_t> missing = copies_.size();
        std::vector<std::future<Span>> done;
        for (physics::World& world : copies_) {
            done.push_back(std::async(std::launch::async, [&missing, &world, steps] {
                --missing;
                while (missing.load() != 0) {
                }
                Span span;
                span.begin = Clock::now();
                for (std::uint64_t k = 0; k < steps; ++k) {
                    world.step();
                }
                span.end = Clock::now();
                return span;
            }));
        }
        Span whole{Clock::time_point::max(), Clock::time_point::min()};
        for (std::future<Span>& copy : done) {
            const Span span = copy.get();
            whole = {std::min(whole.begin, span.begin), std::max(whole.end, span.end)};
        }
        return milliseconds(whole.end - whole.begin);
    }

    // Not after every step: a hash reads the whole world, and takes lines from the cores that are to step it.
    void compare(std::uint64_t step) {
        const std::uint64_t hash = alone_.hash();
        const bool same =
            together_.hash() == hash &&
            std::all_of(copies_.begin(), copies_.end(), [&](const auto& copy) { return copy.hash() == hash; });
        if (!same && result_.differs_by == 0) {
            result_.differs_by = step;
        }
    }

    std::vector<std::unique_ptr<physics::Executor>> executors_;
    physics::World alone_, together_;
    std::vector<physics::World> copies_;
    SpeedupResult result_;
};

} // namespace

int measure_speedup(const Arguments& arguments) {
    const std::vector<core::SceneToMeasure> scenes =
        read_scenes(arguments.scenes.empty() ? shipped_scenes() : arguments.scenes);
    const auto one = core::make_worker_pool(1), all = core::make_worker_pool(arguments.threads);
    const int threads = all->thread_count();
    const std::string several = std::to_string(threads) + (threads == 1 ? " thread" : " threads");
    std::vector<TableRow> table{{"ms per step", "1 thread, median", several + ", median", "speed-up",
                                 "copies side by side", "share of that", "1 thread, mean", several + ", mean", "hash"}};
    Json results = Json::array();
    bool same = true;
    {
        Progress progress("measuring");
        for (std::size_t i = 0; i < scenes.size(); ++i) {
            const SpeedupResult result =
                Speedup(scenes[i].scene, *one, *all).measure(arguments.steps, [&](double share) {
                    progress.show((static_cast<double>(i) + share) / static_cast<double>(scenes.size()));
                });
            const auto mean = [](const std::vector<double>& values) {
                return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
            };
            const double before = core::median(result.alone), after = core::median(result.together);
            const double copies = core::median(result.copies), share = core::median(result.share);
            table.push_back({scenes[i].name, time_text(before), time_text(after), number_text("%.2f", before / after),
                             number_text("%.2f", copies), number_text("%.2f", share), time_text(mean(result.alone)),
                             time_text(mean(result.together)),
                             result.differs_by == 0 ? core::hash_text(result.hash_alone)
                                                    : "differs by step " + std::to_string(result.differs_by)});
            same = same && result.differs_by == 0;
            results.push_back(Json{{"name", scenes[i].name},
                                   {"median_ms", {{"one", before}, {"all", after}}},
                                   {"mean_ms", {{"one", mean(result.alone)}, {"all", mean(result.together)}}},
                                   {"speedup", before / after},
                                   {"copies_side_by_side", copies},
                                   {"share_of_copies", share},
                                   {"hash", core::hash_text(result.hash_alone)},
                                   {"hash_all", core::hash_text(result.hash_together)},
                                   {"differs_by_step", result.differs_by == 0 ? Json() : Json(result.differs_by)}});
        }
    }
    deliver(arguments.json, Json{{"threads", threads}, {"steps", arguments.steps}, {"scenes", results}},
            "One thread, " + several + " and as many copies side by side in turns, " + std::to_string(arguments.steps) +
                " steps.\n\n" + markdown_table(table));
    if (!same) {
        std::fputs("the hashes depend on the number of threads\n", stderr);
    }
    return same ? exit_success : exit_check_failed;
}

} // namespace cairn::bench
