// What verifying tells of a capture that this program does not follow, and how captures survive a change.
#include "app/core/capture/verify/verification.h"

#include "app/core/base/error.h"
#include "app/core/capture/recorder.h"
#include "app/core/capture/verify/rebless.h"
#include "tests/core/temporary_folder.h"
#include "tests/sanitized.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace cairn::core {
namespace {

using namespace physics;
using core::testing::TemporaryFolder;
using ::testing::Contains;
using ::testing::HasSubstr;

// A run in which something happens at a step that the capture says nothing of, as if the engine had changed there.
Capture record_with(const std::filesystem::path& path, const std::string& scene_name, int steps, std::uint64_t step,
                    const std::function<void(World&)>& change) {
    const Scene scene = read_scene(data_folder() / "scenes" / scene_name);
    World world = make_world(scene);
    Recorder recorder(path, scene, world.hash());
    FrameState frame;
    for (int i = 1; i <= steps; ++i) {
        if (world.step_count() + 1 == step) {
            change(world);
        }
        world.step();
        world.publish(frame);
        CaptureStep taken;
        taken.hash = frame.hash;
        recorder.add(std::move(taken), world, frame.stats);
    }
    recorder.finish(&world);
    return read_capture(path);
}

std::string content(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void push(World& world, std::uint32_t slot, float speed) {
    const BodyId body = world.body_ids().at(slot);
    SetBody change;
    change.body = body;
    change.linear_velocity = world.state(body)->linear_velocity + Vec3(speed, 0.0f, 0.0f);
    ASSERT_TRUE(world.apply(change).ok());
}

TEST(Verification, SaysNothingOfWhatIsTheSame) {
    const TemporaryFolder folder;
    const Capture capture = record_with(folder.path() / "a.cairn", "sandbox.json", 100, 0, {});
    const Verification result = verify(capture, {});
    EXPECT_FALSE(result.divergence);
    EXPECT_FALSE(result.cause);
    EXPECT_EQ(result.steps, 100u);
}

TEST(Verification, NamesStepBodyFieldAndContact) {
    const TemporaryFolder folder;
    const std::vector<std::uint32_t> slots = sanitized ? std::vector{77u} : std::vector{20u, 77u, 120u};
    for (const std::uint32_t slot : slots) {
        const Capture capture = record_with(folder.path() / "a.cairn", "sandbox.json", 140, 9,
                                            [&](World& world) { push(world, slot, 0.01f); });
        const Verification result = verify(capture, {});
        ASSERT_TRUE(result.divergence);
        EXPECT_EQ(result.divergence->step, 9u);
        ASSERT_TRUE(result.cause);
        const Cause& cause = *result.cause;
        // Nothing has touched anything by then: two digests name the one body of 155.
        EXPECT_THAT(cause.body_slots, Contains(slot));
        EXPECT_LE(cause.body_slots.size(), 3u);
        EXPECT_THAT(cause.stage, HasSubstr("free motion"));
        EXPECT_GE(cause.compared_at, 9u);
        EXPECT_THAT(cause.differences, Contains(::testing::Truly([&](const StateDifference& d) {
                        return d.subject == StateDifference::Subject::body && d.a == slot &&
                               d.field == "position (m)" && d.size > 0.0;
                    })));
    }
    const Capture touching =
        record_with(folder.path() / "b.cairn", "pyramid.json", 140, 5, [&](World& world) { push(world, 30, 0.2f); });
    const Verification result = verify(touching, {});
    ASSERT_TRUE(result.divergence);
    EXPECT_EQ(result.divergence->step, 5u);
    EXPECT_THAT(result.cause->body_slots, Contains(30u));
    EXPECT_FALSE(result.cause->contacts.empty());
    EXPECT_THAT(result.cause->stage, HasSubstr("contacts"));
    // Where all sleep here and not there, the next whole state names the body.
    const Capture woken =
        record_with(folder.path() / "c.cairn", "pyramid.json", 400, 390, [&](World& world) { push(world, 30, 0.5f); });
    const Verification other = verify(woken, {});
    ASSERT_TRUE(other.divergence);
    EXPECT_EQ(other.divergence->step, 390u);
    EXPECT_THAT(other.cause->stage, HasSubstr("sleeps"));
    EXPECT_THAT(other.cause->differences, Contains(::testing::Truly([](const StateDifference& d) {
                    return d.subject == StateDifference::Subject::body && d.a == 30 && d.field == "position (m)";
                })));
}

TEST(Verification, ToleratesWhatKeepsToTheEnvelope) {
    const TemporaryFolder folder;
    const Capture capture =
        record_with(folder.path() / "a.cairn", "flight.json", 60, 9, [](World& world) { push(world, 2, 0.01f); });
    VerifyOptions options;
    options.envelope = parse_envelope("position=0.05,rotation=0.1");
    Verification result = verify(capture, options);
    EXPECT_TRUE(result.divergence);
    EXPECT_EQ(result.exceeded, "");
    ASSERT_FALSE(result.deviations.empty());
    EXPECT_NEAR(result.deviations.back().position, 0.01 * 52.0 / 60.0, 1e-3);
    EXPECT_EQ(result.deviations.back().position_body, 2u);
    options.envelope = parse_envelope("position=0.001");
    result = verify(capture, options);
    EXPECT_THAT(result.exceeded, HasSubstr("position of body 2 off by"));
    options.envelope = parse_envelope("energy=1e-9");
    EXPECT_THAT(verify(capture, options).exceeded, HasSubstr("energy off by"));
    options.envelope = parse_envelope("penetration=1");
    EXPECT_EQ(verify(capture, options).exceeded, "");
    for (const char* bad : {"", "x", "-1", "nan", "position", "position=", "position=1,", "speed=3", "1e99"}) {
        EXPECT_THROW(parse_envelope(bad), InputError) << bad;
    }
}

TEST(Rebless, RewritesAndSaysWhatHasMoved) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "a.cairn";
    const Capture capture = record_with(path, "flight.json", 60, 9, [](World& world) { push(world, 2, 0.01f); });
    const Reblessing result = rebless(capture);
    EXPECT_TRUE(result.rewritten);
    EXPECT_EQ(result.first_moved, 9u);
    EXPECT_NEAR(result.furthest.position, 0.01 * 52.0 / 60.0, 1e-3);
    EXPECT_THAT(result.furthest_body, HasSubstr("body 2"));
    const Capture again = read_capture(path);
    EXPECT_FALSE(verify(again, {}).divergence);
    EXPECT_EQ(again.steps.size(), 60u);
    const std::string before = content(path);
    EXPECT_FALSE(rebless(again).rewritten);
    EXPECT_EQ(content(path), before);
}

// Runs `part` in a process of its own; its exit code, or minus the signal that ended it.
int apart(const std::function<int()>& part) {
    const pid_t child = ::fork();
    if (child == 0) {
        int code = 99;
        try {
            code = part();
        } catch (...) {
        }
        ::_exit(code);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(Rebless, LosesNothingWhenTheDiskIsFull) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "a.cairn";
    const Capture capture = record_with(path, "sandbox.json", 130, 9, [](World& world) { push(world, 20, 0.01f); });
    const std::string before = content(path);
    ASSERT_GT(before.size(), 20000u);
    const int code = apart([&] {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{10000, 10000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        try {
            rebless(capture);
        } catch (const InputError& error) {
            return std::string(error.what()).find("cannot be written") != std::string::npos ? 7 : 8;
        }
        return 9;
    });
    EXPECT_EQ(code, 7);
    EXPECT_EQ(content(path), before);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "a file was left behind";
}

// Records the duel into the file, so many steps.
void record(const std::filesystem::path& path, std::uint64_t steps) {
    const Scene scene = read_scene(data_folder() / "scenes" / "duel.json");
    World world = make_world(scene);
    Recorder recorder(path, scene, world.hash());
    FrameState frame;
    for (std::uint64_t i = 0; i < steps; ++i) {
        world.step();
        world.publish(frame);
        CaptureStep taken;
        taken.hash = frame.hash;
        recorder.add(std::move(taken), world, frame.stats);
    }
    ::raise(SIGKILL); // before anything can be finished
}

TEST(Recording, ThatIsKilledLosesAtMostTheLastFrame) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "a.cairn";
    for (const std::uint64_t steps : {0, 1, 59, 60, 61, 119, 120, 200}) {
        SCOPED_TRACE(steps);
        ASSERT_EQ(apart([&] {
                      record(path, steps);
                      return 0;
                  }),
                  -SIGKILL);
        const Capture capture = read_capture(path.string() + ".partial");
        EXPECT_TRUE(capture.truncated);
        EXPECT_LE(capture.steps.size(), steps);
        EXPECT_GT(capture.steps.size() + 60, steps);
        EXPECT_EQ(capture.keyframes.empty(), capture.steps.size() < 60);
        EXPECT_FALSE(verify(capture, {}).divergence);
    }
}

// Waits until the file has been seen to grow `times` times, however long that takes the writer.
void wait_for_writes(const std::filesystem::path& path, int times) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    std::uintmax_t size = 0;
    while (times > 0) {
        std::error_code missing;
        const std::uintmax_t now = std::filesystem::file_size(path, missing);
        if (!missing && now > size) {
            size = now;
            --times;
        }
        ASSERT_LT(std::chrono::steady_clock::now(), end) << "nothing is written";
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
}

// At whatever moment, in the midst of writing, too: what is there is part of the same run. The first are killed while
// they begin, the others after more and more has been written.
TEST(Recording, ThatIsKilledAtAnyMomentReplaysAsFarAsItIsThere) {
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "a.cairn";
    const std::filesystem::path unfinished = path.string() + ".partial";
    constexpr int times = 40;
    std::size_t loaded = 0, most = 0;
    for (int i = 0; i < times; ++i) {
        std::filesystem::remove(unfinished);
        const pid_t child = ::fork();
        if (child == 0) {
            try {
                record(path, 1'000'000);
            } catch (...) {
            }
            ::_exit(0);
        }
        constexpr int early = 12;
        if (i >= early) {
            wait_for_writes(unfinished, 1 + (i - early) / 2);
        }
        std::this_thread::sleep_for(std::chrono::microseconds(i < early ? 1 + 137 * i : 137 * (i % 7)));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        if (!std::filesystem::exists(unfinished)) {
            continue; // so early
        }
        try {
            const Capture capture = read_capture(unfinished);
            EXPECT_TRUE(capture.truncated);
            EXPECT_FALSE(verify(capture, {}).divergence) << "killed after " << i;
            ++loaded;
            most = std::max(most, capture.steps.size());
        } catch (const InputError& error) { // not even the header is there
            EXPECT_THAT(error.what(), ::testing::AnyOf(::testing::HasSubstr("is empty"),
                                                       ::testing::HasSubstr("cut off inside its header")));
        }
    }
    EXPECT_GT(loaded, 20u);
    EXPECT_GT(most, 100u);
}

} // namespace
} // namespace cairn::core
