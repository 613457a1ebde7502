#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/verbs.h"
#include "app/core/base/error.h"
#include "app/core/base/text_file.h"
#include "app/core/capture/rebless.h"
#include "app/core/workers/worker_pool.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

namespace cairn::cli {
namespace {

// One capture and what came of it.
struct Checked {
    int code = exit_success;
    std::string verdict;              // one line, without the file's name
    std::vector<std::string> details; // lines under it
    std::string error;                // bad input, with its place
    core::PageSection section;
    double seconds = 0.0;
};

std::string short_number(double value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 3).ptr;
    return {text, end};
}

std::string count(std::uint64_t number, const char* what) {
    return std::to_string(number) + ' ' + what + (number == 1 ? "" : "s");
}

// The greatest that were met, for people.
std::string furthest(const std::vector<core::Deviation>& deviations) {
    double position = 0.0, rotation = 0.0, energy = 0.0, penetration = 0.0;
    for (const core::Deviation& d : deviations) {
        position = std::max(position, d.position);
        rotation = std::max(rotation, d.rotation);
        energy = std::max(energy, d.energy());
        penetration = std::max(penetration, d.penetration());
    }
    return "position " + short_number(position) + " m, rotation " + short_number(rotation) + " rad, energy " +
           short_number(energy) + ", penetration " + short_number(penetration) + " m";
}

// Before the step, after it, and where recorded and computed states can be seen beside each other.
void draw(const core::Capture& capture, const core::Verification& result, core::PageSection& section) {
    const std::uint64_t step = result.divergence->step;
    if (step == 0) {
        section.picture_note = "There are no pictures: the scene itself gives another state.";
        return;
    }
    Pictures pictures(section, capture.header.scene.camera, result.cause->body_slots);
    pictures.add(core::world_at(capture, step - 1),
                 "Before: step " + std::to_string(step - 1) + ", as recorded and as found");
    pictures.add(core::world_at(capture, step), "After: step " + std::to_string(step) + ", as found");
    if (!result.cause->compared_at) {
        return;
    }
    const std::uint64_t seen = *result.cause->compared_at;
    core::RecordedStates states(capture);
    if (const physics::World* recorded = states.at(seen)) {
        pictures.add(*recorded, "Step " + std::to_string(seen) + ", as recorded");
    }
    // From before the difference on, as the program goes by itself.
    physics::World found = core::world_at(capture, step - 1);
    while (found.step_count() < seen) {
        core::replay_step(found, capture.steps[found.step_count()]);
    }
    pictures.add(found, "Step " + std::to_string(seen) + ", as found");
}

void describe(const Path& path, const core::Capture& capture, const core::Verification& result, Checked& out) {
    core::PageSection& section = out.section;
    section.title = path.string();
    section.same = out.code == exit_success;
    section.verdict = {out.verdict};
    section.verdict.insert(section.verdict.end(), out.details.begin(), out.details.end());
    section.environment = {
        {"program", capture.header.build, core::build_name()},
        {"format", "version " + std::to_string(capture.version), "version " + std::to_string(core::capture_version)}};
    section.deviations = result.deviations;
    if (result.divergence) {
        section.first_difference = result.divergence->step;
        section.differences = result.cause->differences;
        section.compared_at = result.cause->compared_at.value_or(0);
        draw(capture, result, section);
        const std::uint64_t before = result.divergence->step > 0 ? result.divergence->step - 1 : 0;
        section.how_to_open = {"cairn " + quoted(path) + " --at " + std::to_string(before)};
    }
}

void verify_one(const Path& path, const VerifyArguments& arguments, physics::Executor* executor,
                const std::function<void(double)>& progress, Checked& out) {
    const core::Capture capture = core::read_capture(path);
    core::VerifyOptions options;
    options.executor = executor;
    options.progress = progress;
    const bool tolerant = !arguments.tolerance.empty();
    if (tolerant) {
        options.envelope = core::parse_envelope(arguments.tolerance);
    } else if (!arguments.report.empty() && !capture.keyframes.empty()) {
        options.envelope.emplace(); // holds to nothing, but measures
    }
    const core::Verification result = core::verify(capture, options);
    if (tolerant ? !result.exceeded.empty() : result.divergence.has_value()) {
        out.code = exit_check_failed;
        out.verdict = tolerant ? "OUT OF TOLERANCE: " + result.exceeded : result.divergence->what;
    } else if (result.truncated) {
        // Fine to watch, but no guard: what was lost may be what diverges.
        out.code = exit_check_failed;
        out.verdict = "INCOMPLETE: the file is cut off after step " + std::to_string(result.steps) + ", equal so far";
    } else if (tolerant && result.divergence) {
        out.verdict = "within tolerance, " + count(result.steps, "step") + ", first other hash at step " +
                      std::to_string(result.divergence->step) + "; furthest off: " + furthest(result.deviations);
    } else {
        out.verdict = "ok, " + count(result.steps, "step");
    }
    if (result.cause && out.code != exit_success) {
        out.details = cause_lines(*result.cause);
        if (capture.header.build != core::build_name()) {
            out.details.push_back("recorded by " + capture.header.build + "; this is " + core::build_name());
        }
    }
    if (!arguments.report.empty()) {
        describe(path, capture, result, out);
    }
}

void rebless_one(const Path& path, physics::Executor* executor, const std::function<void(double)>& progress,
                 Checked& out) {
    const core::Reblessing result = core::rebless(core::read_capture(path), executor, progress);
    if (!result.rewritten) {
        out.verdict = "unchanged";
        return;
    }
    if (result.first_moved) {
        out.verdict = "rewritten: other from step " + std::to_string(*result.first_moved) + " on";
        if (result.furthest.step > 0) {
            out.verdict += "; furthest off: " + result.furthest_body + " by " + short_number(result.furthest.position) +
                           " m at step " + std::to_string(result.furthest.step);
        }
    } else {
        out.verdict = "rewritten: the same motion, in version " + std::to_string(core::capture_version);
    }
    if (result.refused > 0) {
        out.details.push_back("left out " + count(result.refused, "command") + " that the world refuses now; " +
                              result.first_refusal);
    }
}

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\n':
            out += "&#10;";
            break;
        default: // XML 1.0 has no other control characters, not even escaped
            out += static_cast<unsigned char>(c) < 0x20 && c != '\t' ? '?' : c;
        }
    }
    return out;
}

std::string junit(const std::vector<Path>& captures, const std::vector<Checked>& all) {
    std::size_t failures = 0, errors = 0;
    double seconds = 0.0;
    std::string cases;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Checked& one = all[i];
        seconds += one.seconds;
        cases += "    <testcase classname=\"cairn.verify\" name=\"" + escaped(captures[i].string()) + "\" time=\"" +
                 short_number(one.seconds) + '"';
        if (!one.error.empty()) {
            ++errors;
            cases += ">\n      <error message=\"" + escaped(one.error) + "\"/>\n    </testcase>\n";
        } else if (one.code != exit_success) {
            ++failures;
            cases += ">\n      <failure message=\"" + escaped(one.verdict) + "\">";
            for (const std::string& line : one.details) {
                cases += escaped(line) + '\n';
            }
            cases += "</failure>\n    </testcase>\n";
        } else {
            cases += "/>\n";
        }
    }
    const std::string counts = "tests=\"" + std::to_string(all.size()) + "\" failures=\"" + std::to_string(failures) +
                               "\" errors=\"" + std::to_string(errors) + "\" time=\"" + short_number(seconds) + '"';
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites " + counts +
           ">\n  <testsuite name=\"cairn verify\" " + counts + ">\n" + cases + "  </testsuite>\n</testsuites>\n";
}

void print(const Path& path, const Checked& one) {
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

    std::vector<Checked> run() {
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
            Checked one;
            const auto start = std::chrono::steady_clock::now();
            const auto progress = [&](double share) { shares_[i].store(share, std::memory_order_relaxed); };
            try {
                if (arguments_.rebless) {
                    rebless_one(arguments_.captures[i], pool.get(), progress, one);
                } else {
                    verify_one(arguments_.captures[i], arguments_, pool.get(), progress, one);
                }
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
    std::vector<Checked> all_;
    std::vector<std::atomic<double>> shares_; // done, 0..1
    std::vector<bool> finished_ = std::vector<bool>(all_.size(), false);
    std::atomic<std::size_t> next_{0};
    std::mutex mutex_;
    std::condition_variable done_;
};

} // namespace

int run_verify(const VerifyArguments& arguments) {
    if (!arguments.tolerance.empty()) {
        core::parse_envelope(arguments.tolerance); // a mistake in it is told once, and first
    }
    const std::vector<Checked> all = Runs(arguments).run();
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
        core::replace_file(arguments.junit, junit(arguments.captures, all));
    }
    const bool any = std::any_of(all.begin(), all.end(), [](const Checked& one) { return one.error.empty(); });
    if (!arguments.report.empty() && any) {
        core::replace_file(arguments.report, core::comparison_page("Replays of captures", rows, sections));
    }
    return code;
}

} // namespace cairn::cli
