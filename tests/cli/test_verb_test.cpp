// cairn test and cairn bisect, as a script runs them.
#include "app/core/capture/capture.h"
#include "tests/cli/program.h"
#include "tests/sanitized.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::cli {
namespace {

using namespace testing;
using ::testing::HasSubstr;

// A ball falls 4 m and lies: it is there after 0.9 s.
std::string falling(const std::string& expect) {
    return R"({"cairn": 1, "bodies": [
  {"name": "ball", "shape": {"sphere": {"radius": 1}}, "position": [0, 0, 5]},
  {"name": "floor", "type": "static", "shape": {"box": {"half_extents": [20, 20, 1]}}, "position": [0, 0, -1]}],
 "expect": [
  )" + expect +
           "]}\n";
}
constexpr const char* good = R"({"body": "ball", "touches": "floor", "by": 60})";
constexpr const char* bad = R"({"body": "ball", "height": {"least": 3}, "always": 100, "why": "it should float"})";

TEST(Test, PassesAndFails) {
    const Folder folder;
    write_text(folder / "good.json", falling(good));
    write_text(folder / "bad.json", falling(std::string(good) + ",\n  " + bad));
    Outcome outcome = folder.run({"test", "good.json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "good.json: ok, 1 expectation, 55 steps\n");
    outcome =
        folder.run({"test", "good.json", "bad.json", "--junit", "j.xml", "--report", "r.html", "--json", "t.json"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("bad.json: 1 of 2 expectations met"));
    EXPECT_THAT(outcome.out, HasSubstr("bad.json:6:3: FAILED at step 39: the height of \"ball\" is at least 3 m"));
    EXPECT_THAT(outcome.out, HasSubstr("but the height of \"ball\" is 2.9"));
    EXPECT_THAT(outcome.out, HasSubstr("it should float"));
    EXPECT_THAT(outcome.out, HasSubstr("bad.failed.cairn' --at 38"));
    const core::Capture capture = core::read_capture(folder / "bad.failed.cairn");
    EXPECT_EQ(capture.steps.size(), 39u);
    EXPECT_EQ(folder.run({"verify", "bad.failed.cairn"}).code, 0);
    const std::string junit = read_text(folder / "j.xml");
    EXPECT_THAT(junit, HasSubstr("tests=\"3\" failures=\"1\" errors=\"0\""));
    EXPECT_THAT(read_text(folder / "r.html"), HasSubstr("FAILED at step 39"));
    EXPECT_THAT(read_text(folder / "t.json"), HasSubstr("\"line\": 6"));
    // A change that makes it right.
    EXPECT_EQ(folder.run({"test", "bad.json", "--set", "gravity.2=-0.0001", "--set", "bodies.floor.position.2=3"}).code,
              0);
}

// Nothing holds the comet: at 10 km a step it leaves the range of positions, 10,000 km, in step 906, and is stopped.
// That the box lies still is true all the same, and is no pass.
constexpr const char* leaving = R"({"cairn": 1, "gravity": [0, 0, 0], "step": {"hz": 10}, "bodies": [
  {"name": "box", "shape": {"box": {"half_extents": [1, 1, 1]}}},
  {"name": "comet", "shape": {"sphere": {"radius": 1}}, "position": [950000, 0, 0], "linear_velocity": [100000, 0, 0]}],
 "expect": [{"body": "box", "drift": {"most": 0.1}, "always": LAST}]})";

std::string leaving_until(const std::string& last) {
    std::string text = leaving;
    return text.replace(text.find("LAST"), 4, last);
}

TEST(Test, ABodyThatWasStoppedIsAFailure) {
    const Folder folder;
    write_text(folder / "leaving.json", leaving_until("920"));
    write_text(folder / "before.json", leaving_until("905"));
    EXPECT_EQ(folder.run({"test", "before.json"}).code, 0);
    const Outcome outcome = folder.run({"test", "leaving.json", "--junit", "j.xml", "--json", "t.json"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("leaving.json: 1 of 1 expectation met, 920 steps, and a body was stopped\n"));
    EXPECT_THAT(outcome.out, HasSubstr("leaving.json: FAILED at step 906: body 1 \"comet\" was stopped"));
    EXPECT_THAT(outcome.out, HasSubstr("leaving.failed.cairn' --at 905"));
    EXPECT_EQ(core::read_capture(folder / "leaving.failed.cairn").steps.size(), 906u);
    EXPECT_THAT(read_text(folder / "j.xml"), HasSubstr("tests=\"2\" failures=\"1\""));
    EXPECT_THAT(read_text(folder / "t.json"), HasSubstr("\"ok\": false"));
    EXPECT_THAT(read_text(folder / "t.json"), HasSubstr("body 1 \\\"comet\\\" was stopped"));
    // The other commands go on, and say so.
    const Outcome run =
        folder.run({"simulate", "leaving.json", "--steps", "920", "--stats", "s.json", "--capture", "c.cairn"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.err, HasSubstr("step 906: body 1 \"comet\" was stopped"));
    EXPECT_THAT(run.err, HasSubstr("warning: bodies were stopped 1 time, "));
    EXPECT_THAT(read_text(folder / "s.json"), HasSubstr("\"stopped\": 1"));
    EXPECT_THAT(read_text(folder / "s.json"), HasSubstr("\"step\": 906"));
    const Outcome verified = folder.run({"verify", "c.cairn"});
    EXPECT_EQ(verified.code, 0) << "it is the same motion";
    EXPECT_THAT(verified.out, HasSubstr("c.cairn: ok, 920 steps\n  warning: at step 906 body 1 \"comet\" was stopped"));
    // And it is found between two values.
    const Outcome found =
        folder.run({"bisect", "leaving.json", "bodies.comet.linear_velocity.0", "--good", "0", "--bad", "100000"});
    EXPECT_EQ(found.code, 0) << found.err;
    EXPECT_THAT(found.out, HasSubstr("was stopped"));
}

TEST(Test, OrderIsThatOfTheArgumentsOnAnyNumberOfJobs) {
    const Folder folder;
    std::filesystem::create_directory(folder / "scenes");
    for (const char* name : {"a", "b", "c", "d", "e"}) {
        write_text(folder / "scenes" / (std::string(name) + ".json"),
                   falling(*name == 'b' ? std::string(bad) : R"({"body": "ball", "rests": true, "by": 200})"));
    }
    const Outcome one = folder.run({"test", "scenes", "--jobs", "1"}),
                  four = folder.run({"test", "scenes", "--jobs", "4"});
    EXPECT_EQ(one.code, 1);
    EXPECT_EQ(one.out, four.out);
    EXPECT_EQ(folder.run({"test", "scenes/a.json", "--threads", "3"}).out,
              "scenes/a.json: " + one.out.substr(one.out.find(": ") + 2, one.out.find('\n') - one.out.find(": ") - 1));
}

TEST(Test, MistakesAreBadInput) {
    const Folder folder;
    write_text(folder / "none.json", R"({"cairn": 1})");
    write_text(folder / "bad.json", falling(R"({"body": "bal", "rests": true, "by": 9})"));
    write_text(folder / "good.json", falling(good));
    std::filesystem::create_directory(folder / "empty");
    EXPECT_EQ(folder.run({"test", "none.json"}).code, 2) << "a check of nothing is no check";
    EXPECT_EQ(folder.run({"test", "empty"}).code, 2);
    EXPECT_EQ(folder.run({"test", "gone.json"}).code, 2);
    const Outcome outcome = folder.run({"test", "bad.json", "good.json", "none.json"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("bad.json:5:12: there is no body named \"bal\""));
    EXPECT_THAT(outcome.out, HasSubstr("good.json: ok"));
    EXPECT_THAT(outcome.out, HasSubstr("none.json: nothing is expected of it"));
    EXPECT_EQ(folder.run({"test", "good.json", "--junit", "good.json"}).code, 2);
    EXPECT_THAT(folder.run({"test", "builtin:nope"}).err,
                ::testing::StartsWith("error: builtin:nope: there is no such"));
    EXPECT_EQ(read_text(folder / "good.json"), falling(good));
}

TEST(Test, NamesAreNoCommandsToATerminal) {
    const Folder folder;
    write_text(folder / "s.json",
               R"({"cairn": 1, "bodies": [{"name": "a\u001b[2J\nb", "shape": {"sphere": {"radius": 1}}}],
 "expect": [{"body": 0, "height": {"least": -0.01}, "always": 9}]})");
    const Outcome outcome = folder.run({"test", "s.json"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("but the height of \"a [2J b\" is -0.0"));
    EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos);
    EXPECT_EQ(lines_of(outcome.out).size(), 3u);
}

TEST(Test, AFailureIsToldAlsoWhereNothingCanBeLeftOfIt) {
    const Folder folder;
    write_text(folder / "bad.json", falling(bad));
    std::filesystem::create_directory(folder / "bad.failed.cairn"); // where the capture would be
    const Outcome outcome = folder.run({"test", "bad.json", "--junit", "j.xml"});
    EXPECT_EQ(outcome.code, 1) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("bad.json:5:3: FAILED at step 39"));
    EXPECT_THAT(outcome.out, HasSubstr("bad.failed.cairn: is a folder"));
    EXPECT_THAT(read_text(folder / "j.xml"), HasSubstr("failures=\"1\" errors=\"0\""));
}

TEST(Test, SweepsOfAFolderArePassedOver) {
    const Folder folder;
    std::filesystem::create_directory(folder / "d");
    write_text(folder / "d" / "good.json", falling(good));
    write_text(folder / "d" / "sweep.json",
               R"({"cairn_sweep": 1, "scene": "good.json", "steps": 9, "parameters": {}})");
    EXPECT_EQ(folder.run({"test", "d"}).code, 0);
    write_text(folder / "d" / "other.json", R"({"carn": 1})");
    EXPECT_EQ(folder.run({"test", "d"}).code, 2) << "everything else is a scene, or a mistake";
}

TEST(Test, StepTimesAreComparedWithAnotherScenes) {
    const Folder folder;
    write_text(folder / "other.json", falling(good));
    write_text(folder / "s.json", falling(R"({"step_time": {"of": "other.json", "most": 1e6}, "always": 20})"));
    EXPECT_EQ(folder.run({"test", "s.json"}).code, 0);
    write_text(folder / "t.json", falling(R"({"step_time": {"of": "other.json", "most": 1e-6}, "always": 20})"));
    const Outcome outcome = folder.run({"test", "t.json"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("the step time is at most 1e-06 times that of other.json"));
    // The other scene is an input like any other.
    EXPECT_EQ(folder.run({"test", "s.json", "--junit", "other.json"}).code, 2);
    std::filesystem::create_directory(folder / "in");
    write_text(folder / "in" / "u.json", falling(R"({"step_time": {"of": "../other.json", "most": 9}, "always": 2})"));
    EXPECT_EQ(folder.run({"check", "in/u.json"}).code, 0);
    EXPECT_EQ(folder.run({"check", "--confined", "in/u.json"}).code, 2);
    // Two scenes may name each other.
    write_text(folder / "a.json", falling(R"({"step_time": {"of": "b.json", "most": 1e6}, "always": 2})"));
    write_text(folder / "b.json", falling(R"({"step_time": {"of": "a.json", "most": 1e6}, "always": 2})"));
    EXPECT_EQ(folder.run({"test", "a.json", "b.json"}).code, 0);
}

TEST(Test, EveryShippedSceneDoesWhatItExpects) {
    const Folder folder;
    // Under sanitizers their captures take them through the same steps.
    const std::filesystem::path tower = shipped_scene("tower");
    const Outcome outcome = folder.run({"test", (sanitized ? tower : tower.parent_path()).string(), "--quiet"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    for (const auto& scene : shipped_scenes()) {
        EXPECT_THAT(read_text(scene), HasSubstr("\"expect\":")) << scene;
    }
    // The control: a moon where nothing falls as it should.
    EXPECT_EQ(folder.run({"test", "builtin:bounces", "builtin:seesaw", "--set", "gravity.2=-1.6"}).code, 1);
    EXPECT_TRUE(std::filesystem::exists(folder / "bounces.failed.cairn"));
}

TEST(Bisect, FindsWhereAnExpectationBreaks) {
    const Folder folder;
    // It falls 4 m in 1 s if g is 8 m/s^2: at 60 Hz it touches by step 60 down to about that.
    write_text(folder / "s.json", falling(good));
    const Outcome outcome =
        folder.run({"bisect", "s.json", "gravity.2", "--good", "-9.81", "--bad", "-1", "--json", "b.json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::vector<std::string> lines = lines_of(outcome.out);
    ASSERT_GT(lines.size(), 5u);
    const std::string last = lines.back();
    ASSERT_THAT(last, ::testing::StartsWith("breaks between -"));
    const double broken = std::stod(last.substr(last.find("and ") + 4));
    EXPECT_NEAR(broken, -8.0, 0.3);
    EXPECT_THAT(read_text(folder / "b.json"), HasSubstr("\"trials\""));
    EXPECT_EQ(folder.run({"bisect", "s.json", "gravity.2", "--good", "-1", "--bad", "-9"}).code, 2)
        << "the wrong way round";
    EXPECT_EQ(folder.run({"bisect", "s.json", "gravity.2", "--good", "-9", "--bad", "-9.5"}).code, 2);
    EXPECT_EQ(folder.run({"bisect", "s.json", "no.such", "--good", "1", "--bad", "2"}).code, 2);
    for (const char* precision : {"0", "-1", "nan", "inf", "x"}) {
        const Outcome rejected =
            folder.run({"bisect", "s.json", "gravity.2", "--good", "-9.81", "--bad", "-1", "--precision", precision});
        EXPECT_EQ(rejected.code, 2);
        EXPECT_THAT(rejected.err, HasSubstr("is not a number > 0")) << precision;
    }
    // Whole numbers stay whole.
    const Outcome substeps =
        folder.run({"bisect", "builtin:columns", "step.max_substeps", "--good", "32", "--bad", "4"});
    EXPECT_EQ(substeps.code, 0) << substeps.err;
    EXPECT_THAT(lines_of(substeps.out).back(), ::testing::StartsWith("breaks between 5, where it is met, and 4: "));
}

} // namespace
} // namespace cairn::cli
