// What becomes of a scene's expectations while somebody watches it run and goes to and fro in its history.
#pragma once

#include "app/core/expect/expectation_run.h"
#include "app/core/history/history.h"
#include "physics/base/executor.h"
#include "physics/world/world.h"

#include <memory>
#include <optional>
#include <vector>

namespace cairn::core {

// To be seen by others.
struct ExpectationsShown {
    bool possible = false; // the world began as the scene, so that something can be expected of it
    std::vector<Zone> zones;
    std::vector<Expectation> expectations;
    std::vector<ExpectationOutcome> outcomes; // of the history's current branch, as far as it was seen
};

class LiveExpectations {
  public:
    // Another world begins, in this state. `possible`: it is the scene at its start. `executor`: that its steps are
    // taken on.
    void begin(const Scene& scene, const physics::FrameState& start, bool possible, physics::Executor* executor);
    bool possible() const { return scene_ != nullptr; }
    const Scene& scene() const { return *scene_; } // if possible

    // After a step on the current branch. Steps of a branch count once, however often they are gone through.
    void follow(const physics::FrameState& frame, const History& history);

    // One more, of steps after the one that the world stands at; steps that were seen already are looked at again when
    // they are taken again. Zones are those that it needs and that are not there.
    void expect(Expectation expectation, const std::vector<Zone>& zones, std::uint64_t now, const History& history);
    void drop(std::size_t which); // and the zone that nothing else needs

    std::shared_ptr<const ExpectationsShown> shown(const History& history);

  private:
    ExpectationRun& run_of(std::size_t branch, const History& history);
    void follow_step_times(ExpectationRun& run, const physics::FrameState& frame, bool is_next);

    std::unique_ptr<Scene> scene_;                      // that all runs look at
    std::vector<std::unique_ptr<ExpectationRun>> runs_; // by branch; none yet: nothing was seen of it
    // Of each expectation of step times that can still be measured: the scene that they are compared with, which takes
    // each step after this one has, and the times of both, s. Only the scene's first run from its start is measured.
    struct StepTimes {
        std::unique_ptr<physics::World> world;
        std::vector<double> own, other;
    };
    std::vector<std::optional<StepTimes>> step_times_;
    physics::Executor* executor_ = nullptr;
    std::shared_ptr<const ExpectationsShown> shown_;
    bool changed_ = true;
};

// What the scene `to`, which begins with this state, expects: that of which nothing is decided yet, its steps counted
// from here. What speaks of bodies or joints that are gone is left out.
void carry_expectations(const ExpectationsShown& from, const physics::FrameState& state, Scene& to);

// The text of a scene file with these added to what it holds, all else as it stands. Throws InputError where the text
// would not mean them, as where the file names no such body.
std::string with_expectations(const std::string& text, const std::filesystem::path& file,
                              const std::vector<Zone>& zones, const std::vector<Expectation>& expectations);

} // namespace cairn::core
