// Expectations of scenes: read, written, and judged on runs of which the outcome is known from a sheet of paper.
#include "app/core/base/error.h"
#include "app/core/expect/scene_test.h"
#include "app/core/scene/scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::core {
namespace {

using ::testing::HasSubstr;
using Status = ExpectationOutcome::Status;

// A ball of 1 m falls from z = 5 onto a floor at 0, without a bounce: it touches after sqrt(2 * 4 / 9.81) = 0.903 s,
// step 54 or 55. A box stands beside it, and a door hangs at the world.
Scene scene_with(const std::string& expect) {
    return parse_scene(R"({"cairn": 1, "bodies": [
  {"name": "ball", "shape": {"sphere": {"radius": 1}}, "position": [0, 0, 5]},
  {"name": "floor", "type": "static", "shape": {"box": {"half_extents": [20, 20, 1]}}, "position": [0, 0, -1]},
  {"name": "box", "shape": {"box": {"half_extents": [1, 1, 1]}}, "position": [5, 0, 1], "repeat": {"count": [2, 1, 1], "spacing": [3, 0, 0]}},
  {"name": "bob", "shape": {"sphere": {"radius": 0.5}}, "position": [-5, 0, 5], "mass": 2}],
 "joints": [{"name": "pin", "type": "weld", "b": "bob", "anchor": [-5, 0, 5]}],
 "zones": [{"name": "low", "half_extents": [2, 2, 1.1], "position": [0, 0, 1]},
           {"name": "tilted", "half_extents": [1, 0.1, 0.1], "position": [1, 1, 5], "orientation": [0.9238795, 0, 0, 0.3826834]},
           {"name": "round", "radius": 2, "position": [0, 0, 5]}],
 "expect": [)" + expect + "]}",
                       "s.json", ".");
}

ExpectationOutcome outcome(const std::string& expect) {
    const Scene scene = scene_with(expect);
    const SceneTest test = run_scene_test(scene);
    EXPECT_EQ(test.outcomes.size(), 1u);
    EXPECT_NE(test.outcomes[0].status, Status::open) << expect;
    EXPECT_EQ(test.passed, test.outcomes[0].status == Status::met);
    return test.outcomes[0];
}

void expect_met(const std::string& expect) {
    const ExpectationOutcome found = outcome(expect);
    EXPECT_EQ(found.status, Status::met) << expect << "\n" << found.found;
}

// At a step from `first` to `last`.
ExpectationOutcome expect_failed(const std::string& expect, std::uint64_t first, std::uint64_t last) {
    const ExpectationOutcome found = outcome(expect);
    EXPECT_EQ(found.status, Status::failed) << expect;
    EXPECT_GE(found.step, first) << expect;
    EXPECT_LE(found.step, last) << expect;
    EXPECT_NE(found.found, "");
    return found;
}

TEST(Expectations, OfZones) {
    expect_met(R"({"body": "ball", "within": "low", "by": 80})");
    expect_met(R"({"body": "ball", "within": "low", "at": 80})");
    expect_met(R"({"body": "ball", "within": "low", "always": [80, 100]})");
    expect_met(R"({"body": "ball", "within": "low", "between": [30, 80]})");
    expect_met(R"({"body": "ball", "within": "low", "never": 30})");
    expect_met(R"({"body": "ball", "within": "round", "always": 30})");
    EXPECT_THAT(expect_failed(R"({"body": "ball", "within": "low", "by": 20})", 20, 20).found,
                HasSubstr("\"ball\" is at (0, 0, 4."));
    expect_failed(R"({"body": "ball", "within": "low", "between": [1, 20]})", 20, 20);
    expect_failed(R"({"body": "ball", "within": "low", "always": 80})", 0, 0);
    expect_failed(R"({"body": "ball", "within": "low", "never": 80})", 40, 56);
    expect_failed(R"({"body": "ball", "within": "round", "always": 80})", 30, 45); // 2 m take 0.64 s: step 38 or 39
}

TEST(Expectations, ZonesAreTurned) {
    const Scene scene = scene_with("");
    EXPECT_TRUE(scene.zones[1].holds({1.6f, 1.6f, 5.0f})) << "along the turned box";
    EXPECT_FALSE(scene.zones[1].holds({1.6f, 0.4f, 5.0f})) << "across it";
    EXPECT_FALSE(scene.zones[1].holds({1.8f, 1.8f, 5.0f})) << "beyond its end";
}

TEST(Expectations, OfRestAndTilt) {
    expect_met(R"({"body": "ball", "rests": true, "by": 140})");
    expect_met(R"({"body": "ball", "rests": true, "never": 54})");
    expect_failed(R"({"body": "ball", "rests": true, "by": 55})", 55, 55);
    expect_met(R"({"body": "box[*]", "upright": 0.01, "always": 120})");
    expect_met(R"({"body": "floor", "rests": true, "always": 5})");
}

TEST(Expectations, OfTouching) {
    expect_met(R"({"body": "ball", "touches": "floor", "never": 52})");
    expect_met(R"({"body": "ball", "touches": "floor", "between": [53, 57]})");
    expect_met(R"({"body": "ball", "touches": "box[*]", "never": 120})");
    expect_met(R"({"body": "box[*]", "touches": "floor", "always": [10, 60]})");
    const ExpectationOutcome failed = expect_failed(R"({"body": "ball", "touches": "floor", "never": 120})", 53, 57);
    ASSERT_TRUE(failed.body);
    EXPECT_EQ(*failed.body, 0u);
    EXPECT_EQ(failed.found, "\"ball\" touches \"floor\"");
}

// Who touches whom is found once for all: many ask at once, about some and about all, of pairs and of heaps.
TEST(Expectations, OfTouchingAreJudgedTogether) {
    const Scene scene = scene_with(R"(
      {"body": "*", "touches": "floor", "by": 60}, {"body": "box[*]", "touches": "box[*]", "never": 60},
      {"body": "floor", "touches": "ball", "between": [50, 60]}, {"body": "floor", "touches": "box[*]", "always": [1, 60]},
      {"body": "bob", "touches": "*", "never": 60}, {"body": "ball", "touches": "ball", "never": 60},
      {"body": "floor", "touches": "bob", "by": 60})");
    const SceneTest test = run_scene_test(scene);
    std::vector<bool> met;
    for (const ExpectationOutcome& outcome : test.outcomes) {
        met.push_back(outcome.status == Status::met);
    }
    EXPECT_EQ(met, (std::vector<bool>{false, true, true, true, true, true, false}));
    EXPECT_EQ(test.outcomes[0].found, "\"bob\" does not touch \"floor\"");
    EXPECT_EQ(test.outcomes[6].body, 1u);
}

TEST(Expectations, OfMeasures) {
    expect_met(R"({"body": "ball", "speed": {"most": 9}, "always": 100})"); // sqrt(2 * 9.81 * 4) = 8.86
    expect_met(R"({"body": "ball", "speed": {"least": 8.5}, "by": 56})");
    expect_failed(R"({"body": "ball", "speed": {"most": 5}, "always": 100})", 29, 32); // 5 / 9.81 s: step 31
    expect_met(R"({"body": "ball", "height": {"least": 0.95, "most": 5}, "always": 200})");
    expect_met(R"({"body": "ball", "drift": {"most": 0.001}, "always": 100})");
    expect_met(R"({"body": "ball", "spin": {"most": 0.001}, "always": 50})");
    expect_met(
        R"({"body": "ball", "distance": {"to": "box[*]", "least": 6.3, "most": 6.5}, "at": 0})"); // sqrt(25 + 16)
    expect_met(R"({"joint": "pin", "force": {"least": 19.5, "most": 19.7}, "at": 60})");          // 2 kg hang on it
    expect_failed(R"({"joint": "pin", "force": {"most": 10}, "always": 60})", 1, 10);
    expect_met(R"({"joint": 0, "torque": {"most": 0.01}, "always": 60})");
    expect_met(R"({"penetration": {"most": 0.05}, "always": 120})");
    expect_met(R"({"greatest_speed": {"most": 9}, "always": 100})");
    expect_met(R"({"mean_drift": {"most": 0.01}, "always": 100})");
    expect_met(R"({"kinetic_energy": {"most": 0.1}, "at": 0})");
    expect_met(R"({"awake": {"least": 3, "most": 4}, "at": 1})"); // ball, bob, and two boxes that may sleep
    expect_met(R"({"contacts": {"least": 3}, "by": 80})");
    expect_met(R"({"contact_points": {"least": 9}, "by": 80})");
    expect_met(R"({"momentum": {"least": 1000}, "by": 50})");
    expect_met(R"({"angular_momentum": {"most": 0.001}, "at": 0})");
    const ExpectationOutcome failed = expect_failed(R"({"energy": {"most": 1}, "at": 3})", 3, 3);
    ASSERT_TRUE(failed.value);
    EXPECT_GT(*failed.value, 1000.0);
}

TEST(Expectations, OfAngularMomentum) {
    // Two balls of 2 kg, 0.5 m in radius, circle their common centre, 3 m apart, at 4 m/s each, and one spins at 10
    // rad/s: 2 * 2 kg * 4 m/s * 1.5 m = 24 in z, and 2/5 * 2 kg * 0.25 m^2 * 10 rad/s = 2 in x; sqrt(24^2 + 2^2)
    // = 24.083. It depends neither on where they are nor on how both move, and falling keeps it.
    const auto test = [](const std::string& expect) {
        return run_scene_test(parse_scene(R"({"cairn": 1, "bodies": [
  {"shape": {"sphere": {"radius": 0.5}}, "mass": 2, "position": [101.5, 0, 500], "linear_velocity": [3, 4, 0], "angular_velocity": [10, 0, 0], "linear_damping": 0, "angular_damping": 0},
  {"shape": {"sphere": {"radius": 0.5}}, "mass": 2, "position": [98.5, 0, 500], "linear_velocity": [3, -4, 0], "linear_damping": 0, "angular_damping": 0},
  {"shape": {"box": {"half_extents": [1, 1, 1]}}, "type": "static"}], "expect": [)" +
                                              expect + "]}",
                                          "s.json", "."));
    };
    EXPECT_TRUE(test(R"({"angular_momentum": {"least": 24.08, "most": 24.09}, "always": 60})").passed);
    const SceneTest failed = test(R"({"angular_momentum": {"most": 24}, "always": 60})");
    ASSERT_EQ(failed.first_failure, 0u);
    EXPECT_EQ(failed.outcomes[0].step, 0u);
    EXPECT_EQ(failed.outcomes[0].found, "the angular momentum is 24.0832 kg m^2/s");
}

TEST(Expectations, OfPointsOfBodies) {
    // The ball's lowest point is 4 m above the floor's top; centres are 6 m apart.
    expect_met(
        R"({"body": "ball", "distance": {"to": "floor", "point": [0, 0, -1], "to_point": [0, 0, 1], "least": 3.999, "most": 4.001}, "at": 0})");
    expect_met(R"({"body": "ball", "distance": {"to": "floor", "least": 5.999, "most": 6.001}, "at": 0})");
    // Two points of one body stay as far apart as they are.
    expect_met(
        R"({"body": "ball", "distance": {"to": "ball", "point": [0, 0, -1], "to_point": [0, 0, 1], "least": 1.999, "most": 2.001}, "always": 120})");
    expect_failed(
        R"({"body": "ball", "distance": {"to": "floor", "point": [0, 0, -1], "to_point": [0, 0, 1], "least": 2}, "always": 100})",
        37, 40); // 2 m take 0.64 s
}

TEST(Expectations, OfBreaking) {
    const auto outcome_of = [](const std::string& force, const std::string& expect) {
        const Scene scene = parse_scene(
            R"({"cairn": 1, "bodies": [{"name": "bob", "shape": {"sphere": {"radius": 0.5}}, "mass": 2}],
                "joints": [{"name": "pin", "type": "weld", "b": "bob", "anchor": [0, 0, 0], "break_force": )" +
                force + R"(}], "expect": [)" + expect + "]}",
            "s.json", ".");
        return run_scene_test(scene).outcomes.front();
    };
    // 2 kg weigh 19.6 N.
    EXPECT_EQ(outcome_of("25", R"({"joint": "pin", "breaks": true, "never": 60})").status, Status::met);
    EXPECT_EQ(outcome_of("15", R"({"joint": "pin", "breaks": true, "by": 60})").status, Status::met);
    const ExpectationOutcome broken = outcome_of("15", R"({"joint": "*", "breaks": true, "never": 60})");
    EXPECT_EQ(broken.status, Status::failed);
    EXPECT_EQ(broken.found, "joint \"pin\" is broken");
    EXPECT_EQ(outcome_of("25", R"({"joint": "pin", "breaks": true, "at": 60})").found, "joint \"pin\" is whole");
    EXPECT_EQ(outcome_of("15", R"({"joint": "pin", "force": {"most": 100}, "always": 60})").found,
              "joint \"pin\" is not there");
}

TEST(Expectations, OfStepTimes) {
    // Times are whatever they are: the bounds are such that any machine is within them, or outside.
    const auto test = [](const std::string& range) {
        return run_scene_test(
            scene_with(R"({"step_time": {"of": "builtin:tower", )" + range + R"(}, "always": [2, 9]})"));
    };
    const SceneTest met = test(R"("most": 1e6)");
    EXPECT_TRUE(met.passed);
    EXPECT_EQ(met.outcomes[0].step, 9u);
    const SceneTest failed = test(R"("least": 1e6)");
    EXPECT_FALSE(failed.passed);
    EXPECT_EQ(failed.first_failure, 0u);
    EXPECT_THAT(failed.outcomes[0].found, HasSubstr(" ms of builtin:tower"));
    EXPECT_GT(*failed.outcomes[0].value, 0.0);
}

TEST(Expectations, OfNobodyFail) {
    // What a value that was set has left without a subject is not met by default.
    Scene scene = scene_with(R"({"body": "ball", "height": {"least": -100}, "always": 9})");
    set_value(scene, "bodies.ball.name=another");
    const SceneTest test = run_scene_test(scene);
    EXPECT_FALSE(test.passed);
    EXPECT_EQ(test.outcomes[0].found, "there is none");
}

TEST(Expectations, HoldEachOfSeveralBodies) {
    // One of three is never low.
    const ExpectationOutcome failed = expect_failed(R"({"body": "*", "height": {"most": 1.5}, "by": 100})", 100, 100);
    ASSERT_TRUE(failed.body);
    EXPECT_EQ(*failed.body, 4u) << "the bob";
    expect_met(R"({"body": "box[*]", "height": {"most": 1.5}, "by": 1})");
}

TEST(Expectations, ComeBackAsTheyWereWritten) {
    const Scene scene = scene_with(R"(
      {"body": "ball", "within": "low", "by": 80, "why": "it falls"}, {"body": 2, "upright": 0.25, "always": 10},
      {"body": "box[*]", "rests": true, "between": [3, 9]}, {"body": "*", "touches": "floor", "never": [5, 6]},
      {"body": "ball", "distance": {"to": 2, "least": 0.1}, "at": 0}, {"joint": "pin", "position": {"most": 1}, "always": [2, 3]},
      {"energy": {"least": -1e9, "most": 1e9}, "always": 4})");
    const Scene again = parse_scene(write_scene(scene), "again.json", ".");
    EXPECT_TRUE(again == scene) << write_scene(scene);
    ASSERT_EQ(again.expectations.size(), 7u);
    EXPECT_EQ(scene.expectations[0].place.at.line, 11u);
    EXPECT_EQ(description(scene.expectations[0]), "\"ball\" is within \"low\" by step 80");
    EXPECT_EQ(description(scene.expectations[3]), "every body is never in touch with \"floor\" from step 5 to 6");
    EXPECT_EQ(description(scene.expectations[6]), "the energy is from -1e+09 J to 1e+09 J always up to step 4");
    // Setting a value keeps them.
    Scene set = scene;
    set_value(set, "gravity.2=-1");
    EXPECT_EQ(set.expectations.size(), 7u);
    EXPECT_EQ(set.zones.size(), 3u);
    EXPECT_THROW(set_value(set, "expect.0.by=3"), InputError);
}

TEST(Expectations, AreDecidedAsEarlyAsTheyCanBe) {
    const Scene scene =
        scene_with(R"({"body": "ball", "within": "low", "by": 5000}, {"energy": {"most": 1}, "always": 9000})");
    const SceneTest test = run_scene_test(scene);
    EXPECT_LT(test.steps, 60u);
    EXPECT_FALSE(test.passed);
    EXPECT_EQ(test.first_failure, 1u);
}

} // namespace
} // namespace cairn::core
