// A disk that is full while a world is recorded: it is told, and nothing that is in memory is lost.
#include "app/core/base/error.h"
#include "app/core/runner/runner.h"
#include "tests/core/temporary_folder.h"
#include "tests/sanitized.h"

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cairn::core {
namespace {

using core::testing::TemporaryFolder;

constexpr std::uint64_t steps = sanitized ? 150 : 200; // enough for a state that is larger than the disk

// What the child finds, as its exit code: 0 is well.
int record_on_a_full_disk(const std::filesystem::path& folder) {
    ::signal(SIGXFSZ, SIG_IGN); // then writing fails as on a full disk
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    const rlim_t most = limit.rlim_max;
    limit.rlim_cur = 20000;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    Runner runner(read_scene(data_folder() / "scenes" / "sandbox.json"));
    runner.start_recording(folder / "small.cairn");
    for (std::uint64_t i = 0; i < steps; ++i) {
        runner.step();
    }
    if (runner.recording()) {
        return 1;
    }
    bool told = false;
    for (const std::string& message : runner.take_messages()) {
        told = told || (message.find("recording stopped: ") != message.npos &&
                        message.find("small.cairn: cannot be written") != message.npos);
    }
    if (!told) {
        return 2;
    }
    try {
        std::rethrow_exception(runner.recording_failure());
    } catch (const OutputError&) { // which callers tell from bad input
    } catch (...) {
        return 6;
    }
    if (runner.current().step != steps || runner.history().steps() != steps) {
        return 3; // the world has to go on
    }
    try {
        runner.save_history(folder / "all.cairn");
        return 4;
    } catch (const InputError& error) {
        if (std::string(error.what()).find("all.cairn: cannot be written") == std::string::npos ||
            std::filesystem::exists(folder / "all.cairn")) {
            return 5;
        }
    }
    limit.rlim_cur = most; // there is room again
    ::setrlimit(RLIMIT_FSIZE, &limit);
    runner.save_history(folder / "all.cairn");
    return 0;
}

TEST(FullDisk, StopsTheRecordingAndLosesNothingElse) {
    const TemporaryFolder folder;
    const pid_t child = ::fork();
    if (child == 0) {
        int code = 99;
        try {
            code = record_on_a_full_disk(folder.path());
        } catch (...) {
        }
        ::_exit(code);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    ASSERT_EQ(WEXITSTATUS(status), 0);
    const Capture part = read_capture(folder.path() / "small.cairn.partial");
    EXPECT_TRUE(part.truncated);
    EXPECT_FALSE(verify_capture(part));
    const Capture all = read_capture(folder.path() / "all.cairn");
    EXPECT_EQ(all.steps.size(), steps);
    EXPECT_FALSE(all.truncated);
    EXPECT_FALSE(verify_capture(all));
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        ++files;
    }
    EXPECT_EQ(files, 2u) << "an unfinished file was left behind";
}

} // namespace
} // namespace cairn::core
