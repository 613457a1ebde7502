// cairn verify: captures side by side, and what is told of them.
#include "app/cli/capture_check.h"
#include "app/cli/progress.h"
#include "app/core/base/error.h"
#include "app/core/base/text_file.h"
#include "app/core/capture/verification.h"
#include "app/core/report/junit.h"
#include "app/core/workers/worker_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

namespace cairn::cli {
namespace {

void print(const Path& path, const CaptureCheck& one) {
    if (!one.error.empty()) {
        std::fflush(stdout);
        print_error(one.error);
        return;
    }
    std::printf("%s: %s\n", path.c_str(), one.verdict.c_str());
    for (const std::string& line : one.details) {
        std::printf("  %s\n", line.c_str());
    }
    std::fflush(stdout);
}

// Several captures side by side, each by a thread of its own; they are told of in the order of the arguments.
class Runs {
  public:
    explicit Runs(const VerifyArguments& arguments)
        : arguments_(arguments), all_(arguments.captures.size()), shares_(arguments.captures.size()) {}

    std::vector<CaptureCheck> run() {
        const auto cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
        const int wanted = arguments_.jobs > 0 ? arguments_.jobs : arguments_.threads > 0 ? 1 : cores;
        const std::size_t jobs = std::min(static_cast<std::size_t>(wanted), all_.size());
        threads_ = arguments_.threads > 0 ? arguments_.threads : jobs > 1 ? 1 : 0;
        std::vector<std::jthread> workers;
        for (std::size_t i = 0; i < jobs; ++i) {
            workers.emplace_back([this] { work(); });
        }
        std::size_t told = 0;
        Progress progress(all_.size() == 1 ? "verifying " + arguments_.captures[0].filename().string()
                                           : "verifying " + count(all_.size(), "capture"));
        std::unique_lock lock(mutex_);
        while (told < all_.size()) {
            constexpr std::chrono::milliseconds interval{100};
            done_.wait_for(lock, interval, [&] { return finished_[told]; });
            while (told < all_.size() && finished_[told]) {
                progress.wipe();
                print(arguments_.captures[told], all_[told]);
                ++told;
            }
            double sum = 0.0;
            for (const std::atomic<double>& share : shares_) {
                sum += share.load(std::memory_order_relaxed);
            }
            progress.show(sum / static_cast<double>(all_.size()));
        }
        lock.unlock();
        workers.clear();
        return std::move(all_);
    }

  private:
    void work() {
        const auto pool = core::make_worker_pool(threads_);
        for (std::size_t i = next_++; i < all_.size(); i = next_++) {
            CaptureCheck one;
            const auto start = std::chrono::steady_clock::now();
            const auto progress = [&](double share) { shares_[i].store(share, std::memory_order_relaxed); };
            try {
                one = arguments_.rebless ? rebless_capture(arguments_.captures[i], pool.get(), progress)
                                         : check_capture(arguments_.captures[i], arguments_, pool.get(), progress);
            } catch (const core::InputError& error) {
                one.error = error.what();
                one.code = exit_bad_input;
            } catch (const std::filesystem::filesystem_error& error) {
                one.error = error.what();
                one.code = exit_bad_input;
            } catch (const std::bad_alloc&) {
                one.error = arguments_.captures[i].string() + ": there is not enough memory for this";
                one.code = exit_machine;
            }
            one.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            progress(1.0);
            const std::lock_guard lock(mutex_);
            all_[i] = std::move(one);
            finished_[i] = true;
            done_.notify_one();
        }
    }

    const VerifyArguments& arguments_;
    int threads_ = 0; // of each
    std::vector<CaptureCheck> all_;
    std::vector<std::atomic<double>> shares_; // done, 0..1
    std::vector<bool> finished_ = std::vector<bool>(all_.size(), false);
    std::atomic<std::size_t> next_{0};
    std::mutex mutex_;
    std::condition_variable done_;
};

std::string junit_of(const std::vector<Path>& captures, const std::vector<CaptureCheck>& all) {
    std::vector<core::JunitCase> cases;
    for (std::size_t i = 0; i < all.size(); ++i) {
        cases.push_back({captures[i].string(), all[i].seconds, all[i].error,
                         all[i].code == exit_success ? std::string() : all[i].verdict, all[i].details});
    }
    return core::junit_file("cairn verify", "cairn.verify", cases);
}

} // namespace

int run_verify(const VerifyArguments& arguments) {
    if (!arguments.tolerance.empty()) {
        core::parse_envelope(arguments.tolerance); // a mistake in it is told once, and first
    }
    const std::vector<CaptureCheck> all = Runs(arguments).run();
    int code = exit_success;
    std::vector<core::PageRow> rows;
    std::vector<core::PageSection> sections;
    for (std::size_t i = 0; i < all.size(); ++i) {
        code = std::max(code, all[i].code);
        rows.push_back({arguments.captures[i].string(), all[i].error.empty() ? all[i].verdict : all[i].error,
                        all[i].code == exit_success});
        if (all[i].error.empty() && all[i].code != exit_success) {
            sections.push_back(all[i].section);
        }
    }
    if (!arguments.junit.empty()) {
        core::replace_file(arguments.junit, junit_of(arguments.captures, all));
    }
    const bool any = std::any_of(all.begin(), all.end(), [](const CaptureCheck& one) { return one.error.empty(); });
    if (!arguments.report.empty() && any) {
        core::replace_file(arguments.report, core::comparison_page("Replays of captures", rows, sections));
    }
    return code;
}

} // namespace cairn::cli
