#include "app/cli/options/number_pair.h"
#include "app/cli/options/verbs.h"
#include "app/cli/output/command_files.h"
#include "app/cli/output/progress.h"
#include "app/core/base/error.h"
#include "app/core/base/interruption.h"
#include "app/core/report/report.h"
#include "app/core/sweep/sweep_table.h"
#include "app/core/workers/worker_pool.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <optional>
#include <sys/file.h>
#include <unistd.h>

namespace cairn::cli {
namespace {

// "3/16"
core::Shard parse_shard(const std::string& text) {
    if (text.empty()) {
        return {};
    }
    const auto shard = number_pair<std::size_t>(text, '/');
    if (shard && shard->first >= 1 && shard->first <= shard->second) {
        return {shard->first, shard->second};
    }
    throw core::InputError("--shard: \"" + text + "\" is not I/N with I from 1 to N, as in 3/16");
}

// The table is this call's alone for as long as this lives. What is not there yet cannot be held.
class Hold {
  public:
    explicit Hold(const Path& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
        if (file_ >= 0 && ::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            ::close(file_);
            throw core::InputError(core::Location{path.string(), 0, 0},
                                   "is being written by another run: let that end first, or choose another folder");
        }
    }
    ~Hold() {
        if (file_ >= 0) {
            ::close(file_);
        }
    }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

  private:
    int file_;
};

// Appends line by line, each whole before the next one begins: whoever is killed loses the line in the making.
class LineFile {
  public:
    LineFile(Path path, const std::string& start) : path_(std::move(path)) {
        core::write_text_file(path_, start); // what was there, without a line that was cut off
        hold_.emplace(path_);
        file_.reset(std::fopen(path_.c_str(), "ab"));
        if (!file_) {
            fail();
        }
    }
    void add(const std::string& line) {
        if (std::fputs((line + '\n').c_str(), file_.get()) == EOF || std::fflush(file_.get()) != 0) {
            fail();
        }
    }

  private:
    [[noreturn]] void fail() const {
        throw core::InputError(core::Location{path_.string(), 0, 0},
                               std::string("cannot be written: ") + std::strerror(errno));
    }
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    Path path_;
    std::optional<Hold> hold_;
    std::unique_ptr<std::FILE, Close> file_;
};

// Makes the runs on all threads, each world on one; lines are written in the order of the runs.
void make_runs(const core::Sweep& sweep, const std::vector<std::size_t>& runs, core::SweepTable& table, LineFile& file,
               physics::Executor& workers, bool quiet) {
    Progress progress("sweeping", quiet);
    std::mutex mutex;
    std::atomic<bool> failed = false;
    std::size_t written = 0, done = 0;
    workers.parallel_for(runs.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end && !failed && core::interruption() == 0; ++i) {
            try {
                const core::SweepMetrics metrics = core::measure_run(sweep, runs[i]);
                const std::lock_guard lock(mutex);
                table.add(runs[i], metrics);
                for (; written < runs.size() && table.has(runs[written]); ++written) {
                    file.add(table.rows().at(runs[written]));
                }
                progress.show(static_cast<double>(++done) / static_cast<double>(runs.size()));
            } catch (...) {
                failed = true;
                throw;
            }
        }
    });
}

std::string list_of(const std::vector<std::size_t>& runs) {
    constexpr std::size_t named = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(runs.size(), named); ++i) {
        text += (i == 0 ? "" : ", ") + std::to_string(runs[i] + 1);
    }
    return text + (runs.size() > named ? " and " + std::to_string(runs.size() - named) + " more" : "");
}

void write_whole(const core::Sweep& sweep, const core::SweepTable& table, const Path& stem) {
    const Path csv = Path(stem) += ".csv", page = Path(stem) += ".html";
    core::write_text_file(csv, table.text());
    core::write_text_file(page, core::sweep_page(sweep, table));
    std::printf("%s\n%s\n", csv.c_str(), page.c_str());
}

} // namespace

int run_sweep(const SweepArguments& arguments) {
    const core::Shard shard = parse_shard(arguments.shard);
    if (!arguments.merge.empty() && !arguments.shard.empty()) {
        throw core::InputError("--shard makes runs and --merge puts files together: choose one");
    }
    CommandFiles files;
    const core::Sweep sweep = core::read_sweep(files.input(arguments.file));
    files.input(sweep.scene_file);
    for (const Path& path : arguments.merge) {
        files.input(path);
    }
    core::SweepTable table(sweep, arguments.times);
    const Path stem = arguments.out / (arguments.file == "-" ? Path("sweep") : arguments.file.stem());
    if (!arguments.merge.empty()) {
        for (const Path& path : arguments.merge) {
            table.read(path);
        }
        if (const auto missing = table.missing(); !missing.empty()) {
            print_error(arguments.file.string() + ": " + std::to_string(missing.size()) + " of " +
                        std::to_string(sweep.run_count()) + " runs are in none of the files: " + list_of(missing));
            return exit_check_failed;
        }
        files.output("the table", Path(stem) += ".csv");
        files.output("the page", Path(stem) += ".html");
        write_whole(sweep, table, stem);
        return exit_success;
    }

    const bool whole = shard.count == 1;
    const Path csv = Path(stem) +=
        (whole ? std::string(".csv")
               : "." + std::to_string(shard.index) + "-of-" + std::to_string(shard.count) + ".csv");
    files.output("the table", csv);
    const core::InterruptionGuard guard;
    const Hold before(csv); // that of a run before, until this one's takes its place
    if (!arguments.again && std::filesystem::exists(csv)) {
        table.read(csv); // goes on where it was stopped
    }
    const std::vector<std::size_t> runs = table.missing(shard);
    const std::size_t known = table.rows().size();
    LineFile file(csv, table.text());
    {
        const auto workers = core::make_worker_pool(arguments.threads);
        make_runs(sweep, runs, table, file, *workers, arguments.quiet);
    }
    core::interruption_point(); // the runs that were made are in the table, from where the next call goes on
    if (!arguments.quiet) {
        std::fprintf(stderr, "%zu runs of %llu steps", runs.size(), static_cast<unsigned long long>(sweep.steps));
        std::fprintf(stderr, known > 0 ? ", %zu were there before\n" : "\n", known);
    }
    if (whole) {
        write_whole(sweep, table, stem);
    } else {
        std::printf("%s\n", csv.c_str());
    }
    return exit_success;
}

} // namespace cairn::cli
