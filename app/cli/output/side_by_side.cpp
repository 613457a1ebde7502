#include "app/cli/output/side_by_side.h"

#include "app/cli/output/progress.h"
#include "app/core/base/error.h"
#include "app/core/base/interruption.h"
#include "app/core/workers/worker_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

namespace cairn::cli {

namespace {

WorkFailure failure_of(const std::string& name, const std::function<void()>& work) {
    try {
        work();
        return {};
    } catch (const core::Interrupted&) {
        return {"interrupted", exit_check_failed, true};
    } catch (const core::OutputError& error) {
        return {error.what(), exit_machine};
    } catch (const core::InputError& error) {
        return {error.what(), exit_bad_input};
    } catch (const std::filesystem::filesystem_error& error) {
        return {error.what(), exit_bad_input};
    } catch (const std::bad_alloc&) {
        return {name + ": there is not enough memory for this", exit_machine};
    }
}

} // namespace

void SideBySide::run(std::span<const std::string> names, const Work& work, const Report& report) const {
    const auto cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const int wanted = jobs > 0 ? jobs : threads > 0 ? 1 : cores;
    const std::size_t at_once = std::min(static_cast<std::size_t>(wanted), names.size());
    const int threads_each = threads > 0 ? threads : at_once > 1 ? 1 : 0;
    std::vector<std::atomic<double>> shares(names.size()); // done, 0..1
    std::vector<WorkFailure> failures(names.size());
    std::vector<bool> finished(names.size(), false);
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::condition_variable done;
    const auto take_work = [&] {
        const auto pool = core::make_worker_pool(threads_each);
        for (std::size_t i = next++; i < names.size(); i = next++) {
            WorkFailure failure = failure_of(names[i], [&] {
                core::interruption_point();
                work(i, pool.get(), [&](double share) {
                    core::interruption_point();
                    shares[i].store(share, std::memory_order_relaxed);
                });
            });
            shares[i].store(1.0, std::memory_order_relaxed);
            const std::lock_guard lock(mutex);
            failures[i] = std::move(failure);
            finished[i] = true;
            done.notify_one();
        }
    };
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < at_once; ++i) {
        workers.emplace_back(take_work);
    }
    Progress progress(label, quiet);
    std::unique_lock lock(mutex);
    for (std::size_t reported = 0; reported < names.size();) {
        constexpr std::chrono::milliseconds interval{100};
        done.wait_for(lock, interval, [&] { return finished[reported]; });
        for (; reported < names.size() && finished[reported]; ++reported) {
            progress.wipe();
            report(reported, failures[reported]);
        }
        double sum = 0.0;
        for (const std::atomic<double>& share : shares) {
            sum += share.load(std::memory_order_relaxed);
        }
        progress.show(sum / static_cast<double>(names.size()));
    }
    lock.unlock();
    workers.clear();
}

} // namespace cairn::cli
