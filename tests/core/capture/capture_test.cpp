#include "app/core/capture/capture.h"
#include "tests/core/capture/capture_files.h"
#include "tests/core/capture/test_scenes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace cairn::core {
namespace {

using core::testing::TemporaryFolder;
using namespace testing;
using ::testing::HasSubstr;

std::vector<CaptureStep> made_up_steps(std::uint64_t count) {
    std::vector<CaptureStep> steps;
    for (std::uint64_t i = 1; i <= count; ++i) {
        CaptureStep step{i, {}, i * 0x9e3779b97f4a7c15u, nullptr};
        if (i % 50 == 3) {
            step.commands = full_commands();
        }
        steps.push_back(std::move(step));
    }
    return steps;
}

bool same(const Capture& a, const Capture& b) {
    return a.header.build == b.header.build && a.header.scene == b.header.scene && a.initial_hash == b.initial_hash &&
           a.truncated == b.truncated &&
           std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(),
                      [](const CaptureStep& x, const CaptureStep& y) {
                          return x.step == y.step && x.hash == y.hash && x.commands == y.commands;
                      });
}

// Between the places at which a file is cut or changed: prime, to fall on all parts of the structure.
constexpr std::size_t stride = 7;

// A capture file of made-up steps.
void write_capture(const std::filesystem::path& path, const Scene& scene, const std::vector<CaptureStep>& steps) {
    CaptureWriter writer(path, scene, 42);
    for (const CaptureStep& step : steps) {
        writer.add(step);
    }
    writer.finish();
}

TEST(Capture, ComesBackWhole) {
    const TemporaryFolder folder;
    const Scene scene = full_scene();
    const std::vector<CaptureStep> steps = made_up_steps(200);
    write_capture(folder / "a.cairn", scene, steps);
    const Capture capture = read_capture(folder / "a.cairn");
    EXPECT_TRUE(capture.header.scene == scene);
    EXPECT_EQ(capture.header.build, build_name());
    EXPECT_EQ(capture.initial_hash, 42u);
    EXPECT_FALSE(capture.truncated);
    ASSERT_EQ(capture.steps.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(capture.steps[i].step, steps[i].step);
        EXPECT_EQ(capture.steps[i].hash, steps[i].hash);
        EXPECT_TRUE(capture.steps[i].commands == steps[i].commands);
    }
}

TEST(Capture, IsRecognisedByItsBytesNotByItsName) {
    const TemporaryFolder folder;
    write_capture(folder / "a.json", full_scene(), {});
    EXPECT_TRUE(looks_like_capture(folder / "a.json"));
    std::ofstream(folder / "b.cairn") << "{\"cairn\": 1}";
    EXPECT_FALSE(looks_like_capture(folder / "b.cairn"));
    std::ofstream(folder / "empty.cairn");
    EXPECT_FALSE(looks_like_capture(folder / "empty.cairn"));
    EXPECT_FALSE(looks_like_capture(folder / "missing.cairn"));
    EXPECT_FALSE(looks_like_capture(folder / "."));
    // A damaged one is meant as one by its name.
    EXPECT_TRUE(is_meant_as_capture(folder / "a.json"));
    EXPECT_FALSE(is_meant_as_capture(folder / "b.cairn"));
    EXPECT_TRUE(is_meant_as_capture(folder / "empty.cairn"));
    EXPECT_FALSE(is_meant_as_capture(folder / "missing.cairn"));
    std::ofstream(folder / "zero.cairn") << '\0';
    EXPECT_TRUE(is_meant_as_capture(folder / "zero.cairn"));
}

TEST(Capture, WithoutAnEndHoldsWhatWasFlushed) {
    const TemporaryFolder folder;
    // As after a crash: the file as it is while the writer still runs.
    CaptureWriter writer(folder / "a.cairn", full_scene(), 42);
    const std::vector<CaptureStep> steps = made_up_steps(150);
    for (const CaptureStep& step : steps) {
        writer.add(step);
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "a.cairn")) << "before it is whole";
    const Capture capture = read_capture(folder / "a.cairn.partial");
    EXPECT_TRUE(capture.truncated);
    EXPECT_GE(capture.steps.size(), 120u) << "at most the last frame of 60 steps may be missing";
    EXPECT_LT(capture.steps.size(), 150u);
}

TEST(Capture, CutOffAnywhereLoadsWhatIsWholeOrIsRejected) {
    const TemporaryFolder folder;
    write_capture(folder / "a.cairn", falling_boxes(), made_up_steps(200));
    const std::vector<char> bytes = read_bytes(folder / "a.cairn");
    const std::filesystem::path cut = folder / "cut.cairn";
    std::size_t last = 0, loaded = 0, rejected = 0;
    for (std::size_t size = 0; size < bytes.size(); size += stride) {
        write_bytes(cut, {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)});
        try {
            const Capture capture = read_capture(cut);
            EXPECT_TRUE(capture.truncated) << "cut at " << size;
            EXPECT_GE(capture.steps.size(), last);
            last = capture.steps.size();
            ++loaded;
        } catch (const InputError& error) {
            EXPECT_EQ(loaded, 0u) << "cut at " << size << ": " << error.what();
            ++rejected;
        }
    }
    EXPECT_GT(loaded, 0u);
    EXPECT_GT(rejected, 0u) << "a cut header cannot be loaded";
    EXPECT_GE(last, 180u);
}

TEST(Capture, FlippedBytesAreFoundWhereverTheyAre) {
    const TemporaryFolder folder;
    write_capture(folder / "a.cairn", falling_boxes(), made_up_steps(200));
    const std::vector<char> bytes = read_bytes(folder / "a.cairn");
    const std::filesystem::path damaged = folder / "damaged.cairn";
    std::size_t rejected = 0, cut = 0;
    const Capture original = read_capture(folder / "a.cairn");
    for (std::size_t at = 0; at < bytes.size(); at += stride) {
        std::vector<char> changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ 0x10);
        write_bytes(damaged, changed);
        try {
            const Capture capture = read_capture(damaged);
            // A changed length may reach beyond the end of the file: that is not to be told from a cut. And zstd knows
            // bits that mean nothing; then the content must be what it was.
            EXPECT_TRUE(capture.truncated || same(capture, original)) << "byte " << at << " went unnoticed";
            ++cut;
        } catch (const InputError& error) {
            EXPECT_TRUE(std::string(error.what()).find("at byte ") != std::string::npos ||
                        std::string(error.what()).find("inside its header") != std::string::npos)
                << error.what();
            ++rejected;
        }
    }
    EXPECT_GT(rejected, 10 * cut) << "of " << bytes.size();
}

TEST(Capture, DamageIsReportedWithItsOffset) {
    const TemporaryFolder folder;
    write_capture(folder / "a.cairn", falling_boxes(), made_up_steps(200));
    std::vector<char> bytes = read_bytes(folder / "a.cairn");
    const std::size_t whole = bytes.size();
    bytes.insert(bytes.end(), {'j', 'u', 'n', 'k', '!', '!', '!', '!'});
    write_bytes(folder / "b.cairn", bytes);
    EXPECT_THAT(rejection(folder / "b.cairn"), HasSubstr("damaged at byte " + std::to_string(whole) + ":"));
}

TEST(Capture, PathsThatCannotBeUsedAreNamed) {
    const TemporaryFolder folder;
    EXPECT_THAT(rejection(folder / "missing.cairn"), HasSubstr("cannot be opened"));
    EXPECT_THAT(rejection(folder / "."), HasSubstr("folder"));
    std::ofstream(folder / "empty.cairn");
    EXPECT_THAT(rejection(folder / "empty.cairn"), HasSubstr("empty"));
    EXPECT_THROW(CaptureWriter(folder / "no/such/folder.cairn", falling_boxes(), 1), InputError);
}

TEST(Capture, FullDiskIsReported) {
    if (!std::filesystem::exists("/dev/full")) {
        GTEST_SKIP() << "no /dev/full here";
    }
    EXPECT_THROW(CaptureWriter("/dev/full", falling_boxes(), 1), InputError);
}

// Runs the world itself and records what it did.
Capture honest_capture(const std::filesystem::path& path, int steps) {
    const Scene scene = falling_boxes();
    physics::World world = make_world(scene);
    CaptureWriter writer(path, scene, world.hash());
    for (int i = 1; i <= steps; ++i) {
        CaptureStep step;
        step.step = static_cast<std::uint64_t>(i);
        if (i == 10) {
            step.commands.push_back(physics::ApplyImpulse{world.body_ids()[1], {500, 0, 0}, std::nullopt});
        }
        for (const physics::Command& command : step.commands) {
            EXPECT_TRUE(world.apply(command).ok());
        }
        world.step();
        step.hash = world.hash();
        writer.add(step);
    }
    writer.finish();
    return read_capture(path);
}

TEST(Verify, EqualToTheEnd) {
    const TemporaryFolder folder;
    const Capture capture = honest_capture(folder / "a.cairn", 100);
    double last = 0.0;
    const auto divergence = verify_capture(capture, nullptr, [&](double share) {
        EXPECT_GE(share, last);
        last = share;
    });
    EXPECT_FALSE(divergence) << divergence->what;
    EXPECT_DOUBLE_EQ(last, 1.0);
}

TEST(Verify, NamesTheFirstDivergingStep) {
    const TemporaryFolder folder;
    const Capture capture = honest_capture(folder / "a.cairn", 100);

    Capture tampered = capture;
    tampered.steps[36].hash ^= 1;
    auto divergence = verify_capture(tampered);
    ASSERT_TRUE(divergence);
    EXPECT_EQ(divergence->step, 37u);
    EXPECT_EQ(divergence->found, capture.steps[36].hash);
    EXPECT_EQ(divergence->what, "DIVERGED at step 37: expected " + hash_text(tampered.steps[36].hash) + ", found " +
                                    hash_text(capture.steps[36].hash));

    tampered = capture;
    tampered.steps[9].commands.clear(); // forgets the push
    divergence = verify_capture(tampered);
    ASSERT_TRUE(divergence);
    EXPECT_EQ(divergence->step, 10u);

    tampered = capture;
    tampered.header.scene.settings.gravity.z *= 1.0001f;
    divergence = verify_capture(tampered);
    ASSERT_TRUE(divergence);
    EXPECT_LE(divergence->step, 1u);

    tampered = capture;
    tampered.steps[9].commands = {physics::DestroyBody{{77, 0}}};
    divergence = verify_capture(tampered);
    ASSERT_TRUE(divergence);
    EXPECT_EQ(divergence->step, 10u);
    EXPECT_THAT(divergence->what, HasSubstr("rejected"));
}

TEST(Verify, HashesAreSixteenDigits) {
    EXPECT_EQ(hash_text(0), "0000000000000000");
    EXPECT_EQ(hash_text(0x0123456789abcdefu), "0123456789abcdef");
    EXPECT_EQ(hash_text(~std::uint64_t{0}), "ffffffffffffffff");
}

} // namespace
} // namespace cairn::core
