// Captures that do not replay, and captures that differ.
#include "app/core/capture/capture.h"
#include "app/core/capture/recorder.h"
#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::cli {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using ::testing::StartsWith;

void write_capture(const std::filesystem::path& path, const core::Capture& capture) {
    core::CaptureWriter writer(path, capture.header.scene, capture.initial_hash);
    for (const core::CaptureStep& step : capture.steps) {
        writer.add(step);
    }
    writer.finish();
}

TEST(Verify, NamesTheFirstStepThatDiffers) {
    const Folder folder;
    ASSERT_EQ(folder.run({"simulate", shipped_scene("duel").string(), "--steps", "40", "--capture", "a.cairn"}).code,
              0);
    const core::Capture capture = core::read_capture(folder / "a.cairn");

    core::Capture tampered = capture;
    tampered.steps[29].hash ^= 0x100;
    write_capture(folder / "hash.cairn", tampered);
    Outcome outcome = folder.run({"verify", "hash.cairn"});
    EXPECT_EQ(outcome.code, 1);
    const std::vector<std::string> told = lines_of(outcome.out);
    ASSERT_GE(told.size(), 2u);
    EXPECT_EQ(told[0], "hash.cairn: DIVERGED at step 30: expected " + core::hash_text(tampered.steps[29].hash) +
                           ", found " + core::hash_text(capture.steps[29].hash));
    EXPECT_THAT(told[1], HasSubstr("stage: neither bodies, contacts nor joints"));
    EXPECT_EQ(outcome.err, "");

    tampered = capture;
    tampered.steps[10].commands.push_back(physics::ApplyImpulse{{5, 0}, {0, 0, 10}, std::nullopt});
    write_capture(folder / "command.cairn", tampered);
    outcome = folder.run({"verify", "a.cairn", "command.cairn", "hash.cairn"});
    EXPECT_EQ(outcome.code, 1);
    std::vector<std::string> lines = lines_of(outcome.out);
    std::erase_if(lines, [](const std::string& line) { return line.starts_with("  "); });
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0], "a.cairn: ok, 40 steps");
    EXPECT_THAT(lines[1], StartsWith("command.cairn: DIVERGED at step 11: expected "));
    EXPECT_THAT(lines[2], StartsWith("hash.cairn: DIVERGED at step 30: expected "));
}

// A capture in which a body was pushed, and the same without the push and without a word of it.
class Pushed : public ::testing::Test {
  protected:
    Pushed() {
        EXPECT_EQ(
            folder_.run({"simulate", shipped_scene("flight").string(), "--steps", "90", "--capture", "a.cairn"}).code,
            0);
        const core::Capture plain = core::read_capture(folder_ / "a.cairn");
        physics::World world = core::make_world(plain.header.scene);
        core::Recorder recorder(folder_ / "b.cairn", plain.header.scene, world.hash());
        physics::FrameState frame;
        for (int i = 1; i <= 90; ++i) {
            if (i == 40) {
                physics::SetBody change;
                change.body = world.body_ids().at(2);
                change.linear_velocity = world.state(change.body)->linear_velocity + physics::Vec3(0.05f, 0.0f, 0.0f);
                EXPECT_TRUE(world.apply(change).ok());
            }
            world.step();
            world.publish(frame);
            core::CaptureStep step;
            step.hash = frame.hash;
            recorder.add(std::move(step), world, frame.stats);
        }
        recorder.finish(&world);
    }
    Folder folder_;
};

TEST_F(Pushed, IsToldStepForStepAndAsJunitAndAsAPage) {
    const Outcome outcome = folder_.run(
        {"verify", "a.cairn", "b.cairn", "missing.cairn", "--junit", "r.xml", "--report", "r.html", "--jobs", "3"});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    const std::vector<std::string> lines = lines_of(outcome.out);
    ASSERT_GE(lines.size(), 4u);
    EXPECT_EQ(lines[0], "a.cairn: ok, 90 steps");
    EXPECT_THAT(lines[1], StartsWith("b.cairn: DIVERGED at step 40: expected "));
    EXPECT_THAT(outcome.out, HasSubstr("  stage: "));
    EXPECT_THAT(outcome.out, HasSubstr("body 2"));
    EXPECT_THAT(outcome.out, HasSubstr("position (m): recorded ("));
    EXPECT_THAT(outcome.err, HasSubstr("missing.cairn"));
    const std::string junit = read_text(folder_ / "r.xml");
    EXPECT_THAT(junit, HasSubstr("<testsuites tests=\"3\" failures=\"1\" errors=\"1\""));
    EXPECT_THAT(junit, HasSubstr("<failure message=\"DIVERGED at step 40"));
    const std::string page = read_text(folder_ / "r.html");
    EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
    EXPECT_THAT(page, HasSubstr("DIVERGED at step 40"));
    EXPECT_THAT(page, HasSubstr("\"curves\":[{\"name\":\"position, m\""));
    EXPECT_THAT(page, HasSubstr("--at 39"));
    EXPECT_TRUE(page.find("data:image/png;base64,") != page.npos || page.find("There are no pictures:") != page.npos);
    EXPECT_THAT(page, ::testing::Not(HasSubstr("http")));
}

TEST_F(Pushed, KeepsToAnEnvelopeOrNot) {
    EXPECT_EQ(folder_.run({"verify", "b.cairn", "--tolerance", "position=0.1"}).code, 0);
    const Outcome outcome = folder_.run({"verify", "b.cairn", "--tolerance", "position=0.001"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, StartsWith("b.cairn: OUT OF TOLERANCE: position of body 2 off by"));
    const Outcome bad = folder_.run({"verify", "b.cairn", "--tolerance", "speed=1"});
    EXPECT_EQ(bad.code, 2);
    EXPECT_TRUE(is_one_error_line(bad.err));
}

TEST_F(Pushed, IsRecordedAnewWithAWordOfWhatMoved) {
    Outcome outcome = folder_.run({"verify", "--rebless", "a.cairn", "b.cairn"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::vector<std::string> lines = lines_of(outcome.out);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0], "a.cairn: unchanged");
    EXPECT_THAT(lines[1], StartsWith("b.cairn: rewritten: differs from step 40 on; furthest off: body 2"));
    EXPECT_EQ(folder_.run({"verify", "b.cairn"}).code, 0);
}

TEST_F(Pushed, DiffersFromTheOther) {
    EXPECT_EQ(folder_.run({"diff", "a.cairn", "a.cairn"}).out, "same, 90 steps\n");
    const Outcome outcome = folder_.run({"diff", "a.cairn", "b.cairn", "--report", "d.html"});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.out, StartsWith("DIFFER at step 40: the hashes differ: A has "));
    EXPECT_THAT(outcome.out, HasSubstr("body 2"));
    EXPECT_THAT(read_text(folder_ / "d.html"), HasSubstr("\"curves\":[{"));
    EXPECT_EQ(folder_.run({"diff", "a.cairn", "missing.cairn"}).code, 2);
}

// As a program that was killed leaves a capture: without its end, and without steps that it had no time to write.
TEST_F(Pushed, IsNotTheSameAsWhatIsCutOff) {
    const auto cut = [&](const char* from, const char* to, std::size_t bytes) {
        const std::string whole = read_text(folder_ / from);
        write_text(folder_ / to, whole.substr(0, bytes == 0 ? whole.size() - 5 : bytes));
        const core::Capture capture = core::read_capture(folder_ / to);
        EXPECT_TRUE(capture.truncated);
        return capture.steps.size();
    };
    // Into the first keyframe, which follows the steps before it.
    const core::Capture whole = core::read_capture(folder_ / "b.cairn");
    ASSERT_FALSE(whole.keyframes.empty());
    const std::size_t at = whole.keyframes.front().offset + 5;
    const std::size_t steps = cut("b.cairn", "short.cairn", at);
    ASSERT_GE(steps, 40u);
    ASSERT_LT(steps, 90u);
    const std::string last = std::to_string(steps);

    const auto verdict = [&](const char* a, const char* b) {
        const Outcome outcome = folder_.run({"diff", a, b, "--report", "d.html"});
        EXPECT_EQ(outcome.code, 1) << outcome.err;
        const std::vector<std::string> lines = lines_of(outcome.out);
        EXPECT_FALSE(lines.empty());
        EXPECT_THAT(read_text(folder_ / "d.html"), HasSubstr(lines.at(0)));
        return lines.at(0);
    };
    EXPECT_EQ(verdict("short.cairn", "b.cairn"),
              "INCOMPLETE: A is cut off after step " + last + ", equal up to step " + last);
    EXPECT_EQ(verdict("b.cairn", "short.cairn"),
              "INCOMPLETE: B is cut off after step " + last + ", equal up to step " + last);
    // Only the record of the end is lost: there may have been more steps.
    EXPECT_EQ(cut("b.cairn", "endless.cairn", 0), 90u);
    EXPECT_EQ(verdict("b.cairn", "endless.cairn"), "INCOMPLETE: B is cut off after step 90, equal up to step 90");
    EXPECT_EQ(verdict("endless.cairn", "short.cairn"),
              "INCOMPLETE: A is cut off after step 90, B after step " + last + ", equal up to step " + last);
    // What differs, differs; and a capture that ends where another still goes on is another.
    const std::string differ = verdict("a.cairn", "short.cairn");
    EXPECT_THAT(differ, StartsWith("DIFFER at step 40: the hashes differ: A has "));
    EXPECT_THAT(differ, ::testing::EndsWith("; B is cut off after step " + last));
    core::Capture ended = whole;
    ended.steps.resize(50);
    write_capture(folder_ / "ended.cairn", ended);
    EXPECT_EQ(verdict("ended.cairn", "endless.cairn"),
              "DIFFER at step 51: equal up to step 50, where A ends; B is cut off after step 90");
}

} // namespace
} // namespace cairn::cli
