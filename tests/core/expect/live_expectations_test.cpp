// Expectations of a world that somebody watches, edits and takes back; and what is saved of them.
#include "app/core/expect/live_expectations.h"

#include "app/core/base/error.h"
#include "app/core/runner/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::core {
namespace {

using ::testing::HasSubstr;
using Status = ExpectationOutcome::Status;

// The ball falls from 5 m, is 1 m above the floor's top; it touches at step 54 or 55.
constexpr const char* falling = R"({"cairn": 1, "bodies": [
  {"name": "ball", "shape": {"sphere": {"radius": 1}}, "position": [0, 0, 5]},
  {"name": "floor", "type": "static", "shape": {"box": {"half_extents": [20, 20, 1]}}, "position": [0, 0, -1]}], // end
  "expect": [{"body": "ball", "touches": "floor", "by": 80}, {"body": "ball", "height": {"least": 3}, "always": 100},
             {"body": "ball", "rests": true, "by": 300}]})";

class Live : public ::testing::Test {
  protected:
    Simulation simulation{parse_scene(falling, "s.json", "."), nullptr, Simulation::Place::caller};
    void run_to(std::uint64_t step) {
        while (simulation.current().step < step) {
            simulation.step_now();
        }
    }
    Status status(std::size_t which) const { return simulation.expected().outcomes.at(which).status; }
    std::uint64_t step(std::size_t which) const { return simulation.expected().outcomes.at(which).step; }
    Expectation low() const { // never true of the ball before it has fallen
        Expectation e;
        e.body = Expectation::Subject{"ball", {}};
        e.measure = Measure::height;
        e.most = 2.0;
        e.when = Expectation::When::always;
        return e;
    }
};

TEST_F(Live, AreDecidedWhileTheWorldRuns) {
    EXPECT_TRUE(simulation.expected().possible);
    ASSERT_EQ(simulation.expected().outcomes.size(), 3u);
    run_to(30);
    EXPECT_EQ(status(0), Status::open);
    EXPECT_EQ(status(1), Status::open);
    run_to(60);
    EXPECT_EQ(status(0), Status::met);
    EXPECT_NEAR(static_cast<double>(step(0)), 54.5, 1.0);
    EXPECT_EQ(status(1), Status::failed);
    EXPECT_NEAR(static_cast<double>(step(1)), 38.5, 1.0); // 2 m take 0.64 s
    EXPECT_THAT(simulation.expected().outcomes[1].found, HasSubstr("height of \"ball\""));
    simulation.restart();
    EXPECT_EQ(status(0), Status::open);
}

TEST_F(Live, BranchesHaveOutcomesOfTheirOwn) {
    run_to(60);
    // In the past, everything that was found stays known, and to go on as before changes nothing.
    simulation.go_to(20);
    EXPECT_EQ(status(1), Status::failed);
    run_to(40);
    EXPECT_EQ(status(0), Status::met);
    // A branch in which the ball is held up: it neither touches nor comes below 3 m.
    simulation.go_to(20);
    physics::SetBody still;
    still.body = {0, 0};
    still.type = physics::BodyType::kinematic;
    still.linear_velocity = physics::Vec3(0.0f);
    simulation.submit(still);
    run_to(21);
    ASSERT_EQ(simulation.current_branch(), 1u);
    EXPECT_EQ(status(0), Status::open) << "as far as this branch has come";
    EXPECT_EQ(status(1), Status::open);
    run_to(101);
    EXPECT_EQ(status(0), Status::failed);
    EXPECT_EQ(step(0), 80u);
    EXPECT_EQ(status(1), Status::met);
    EXPECT_EQ(status(2), Status::met) << "what is kinematic and still rests, half a second after step 20";
    EXPECT_NEAR(static_cast<double>(step(2)), 50.0, 2.0);
    simulation.take_branch(0);
    EXPECT_EQ(status(0), Status::met);
    EXPECT_EQ(status(1), Status::failed);
    EXPECT_EQ(status(2), Status::open);
}

TEST_F(Live, MoreIsExpectedFromHereOn) {
    run_to(70);
    Expectation e = low();
    e.first = 71;
    e.last = 90;
    simulation.expect(e);
    ASSERT_EQ(simulation.expected().expectations.size(), 4u);
    EXPECT_EQ(simulation.scene().expectations.size(), 4u) << "the scene has it, and so does a restart";
    EXPECT_EQ(status(3), Status::open);
    run_to(90);
    EXPECT_EQ(status(3), Status::met);
    EXPECT_EQ(step(3), 90u);
    simulation.restart();
    ASSERT_EQ(simulation.expected().expectations.size(), 4u);
    run_to(95);
    EXPECT_EQ(status(3), Status::met);
    // From a step of the past on: what follows is looked at again, when it is gone through again.
    simulation.go_to(30);
    e.first = 31;
    e.last = 95;
    simulation.expect(e);
    run_to(31);
    EXPECT_EQ(status(4), Status::failed);
    EXPECT_EQ(step(4), 31u);
    // What a jump has skipped is not judged as if it had been seen.
    simulation.go_to(31);
    e.most = 100.0;
    simulation.expect(e);
    simulation.go_to(95);
    run_to(97);
    EXPECT_EQ(status(5), Status::open);
    EXPECT_TRUE(simulation.expected().outcomes[5].missed);
    simulation.drop_expectation(5);
    simulation.drop_expectation(0);
    EXPECT_EQ(simulation.expected().expectations.size(), 4u);
    EXPECT_EQ(simulation.expected().expectations[0].measure, Measure::height);
    EXPECT_EQ(simulation.expected().outcomes.size(), 4u);
}

TEST_F(Live, StepTimesAreMeasuredBesideTheOtherScene) {
    // Times are whatever they are: the bounds are such that any machine is within them, or outside.
    simulation.load(parse_scene(R"({"cairn": 1, "bodies": [{"shape": {"sphere": {"radius": 1}}}], "expect": [
        {"step_time": {"of": "builtin:tower", "most": 1e6}, "always": [2, 9]},
        {"step_time": {"of": "builtin:tower", "least": 1e6}, "always": [2, 12]},
        {"step_time": {"of": "builtin:tower", "most": 1e6}, "always": 40}]})",
                                "s.json", "."));
    run_to(8);
    EXPECT_EQ(status(0), Status::open);
    run_to(20);
    EXPECT_EQ(status(0), Status::met);
    EXPECT_EQ(step(0), 9u);
    EXPECT_GT(simulation.expected().outcomes[0].value.value_or(0.0), 0.0);
    EXPECT_EQ(status(1), Status::failed);
    EXPECT_THAT(simulation.expected().outcomes[1].found, HasSubstr(" ms of builtin:tower"));
    // Of a branch nothing is measured, nor of what comes after it.
    simulation.go_to(10);
    physics::SetBody push;
    push.body = {0, 0};
    push.linear_velocity = physics::Vec3(1.0f);
    simulation.submit(push);
    run_to(11);
    ASSERT_EQ(simulation.current_branch(), 1u);
    EXPECT_EQ(status(0), Status::met);
    EXPECT_EQ(status(1), Status::open);
    EXPECT_TRUE(simulation.expected().outcomes[1].missed);
    EXPECT_TRUE(simulation.expected().outcomes[2].missed);
    run_to(45);
    EXPECT_EQ(status(2), Status::open);
    // A restart measures again, and what was dropped is not missed.
    simulation.restart();
    simulation.drop_expectation(0);
    run_to(45);
    EXPECT_EQ(status(0), Status::failed);
    EXPECT_EQ(status(1), Status::met);
}

// A panel goes on with what it draws after a click that has dropped an expectation, added one or loaded a scene.
TEST_F(Live, WhatIsShownHoldsUntilTheNextUpdate) {
    run_to(30);
    const ExpectationsShown& all = simulation.expected();
    const std::vector<Expectation> before = all.expectations;
    const std::weak_ptr<const physics::FrameState> frame = simulation.share_current();
    const physics::FrameState& seen = simulation.current();
    const Scene& scene = simulation.scene();
    const std::vector<History::Branch>& lines = simulation.branches();
    simulation.drop_expectation(0);
    simulation.expect(low());
    simulation.load(parse_scene(R"({"cairn": 1})", "other.json", "."));
    EXPECT_TRUE(simulation.expected().expectations.empty());
    EXPECT_EQ(simulation.scene().bodies.size(), 0u);
    EXPECT_EQ(simulation.current().step, 0u);
    ASSERT_FALSE(frame.expired());
    EXPECT_TRUE(all.expectations == before);
    EXPECT_EQ(all.outcomes.size(), before.size());
    EXPECT_EQ(seen.step, 30u);
    EXPECT_EQ(scene.expectations.size(), before.size());
    EXPECT_EQ(lines.size(), 1u);
    simulation.update(0.0);
    EXPECT_TRUE(frame.expired());
}

TEST_F(Live, RecordingKeepsWhatIsExpected) {
    run_to(10);
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "cairn-live-expectations.cairn";
    simulation.with_runner(
        [&](Runner& runner) { runner.start_recording(path); }); // a mark on the history that is there
    EXPECT_TRUE(simulation.expected().possible);
    EXPECT_EQ(simulation.expected().expectations.size(), 3u);
    simulation.expect(low());
    EXPECT_EQ(simulation.expected().expectations.size(), 4u);
    simulation.with_runner(std::mem_fn(&Runner::stop_recording));
    simulation.restart();
    EXPECT_EQ(simulation.expected().expectations.size(), 4u);
    std::filesystem::remove(path);
}

TEST_F(Live, WhatIsOpenGoesIntoTheSavedScene) {
    run_to(60);
    Scene saved = scene_from(simulation.current(), "saved", {});
    carry_expectations(simulation.expected(), simulation.current(), saved);
    ASSERT_EQ(saved.expectations.size(), 1u) << "the others are decided";
    EXPECT_EQ(saved.expectations[0].about, Expectation::About::rests);
    EXPECT_EQ(saved.expectations[0].last, 240u);
    EXPECT_TRUE(parse_scene(write_scene(saved), "again", ".") == saved);
}

TEST_F(Live, TheFileGetsThemWithoutAnotherChange) {
    Expectation e = low();
    e.first = 31;
    e.last = 60;
    Zone zone;
    zone.name = "place 1";
    zone.half_extents = physics::Vec3(1.0f, 2.0f, 3.0f);
    Expectation within;
    within.body = e.body;
    within.about = Expectation::About::within;
    within.zone = "place 1";
    within.first = 31;
    within.last = 60;
    const std::string longer = with_expectations(falling, "s.json", {zone}, {e, within});
    const Scene before = parse_scene(falling, "s.json", "."), after = parse_scene(longer, "s.json", ".");
    EXPECT_THAT(longer, HasSubstr("\"position\": [0, 0, -1]}], // end\n")) << "comments stay";
    ASSERT_EQ(after.expectations.size(), 5u);
    EXPECT_EQ(after.expectations[3], e);
    EXPECT_EQ(after.expectations[4], within);
    EXPECT_EQ(after.zones, std::vector<Zone>{zone});
    EXPECT_EQ(after.bodies, before.bodies);
    // Into a file that holds none; into one with an empty list; not where it would mean another body.
    const std::string bare = R"({"cairn": 1, "bodies": [{"name": "ball", "shape": {"sphere": {"radius": 1}}}]})";
    EXPECT_EQ(parse_scene(with_expectations(bare, "s.json", {}, {e}), "s", ".").expectations.size(), 1u);
    const std::string empty =
        R"({"cairn": 1, "expect": [ ], "bodies": [{"name": "ball", "shape": {"sphere": {"radius": 1}}}]})";
    EXPECT_EQ(parse_scene(with_expectations(empty, "s.json", {}, {e}), "s", ".").expectations.size(), 1u);
    EXPECT_THROW(with_expectations(R"({"cairn": 1})", "s.json", {}, {e}), InputError);
}

} // namespace
} // namespace cairn::core
