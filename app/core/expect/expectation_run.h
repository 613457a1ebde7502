// Holds a scene that runs to what it expects, state by state. It reads what the world publishes and changes nothing.
#pragma once

#include "app/core/scene/scene.h"
#include "physics/world/frame_state.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn::core {

struct ExpectationOutcome {
    enum class Status : std::uint8_t { open, met, failed };
    Status status = Status::open;
    std::uint64_t step = 0;            // at which that was decided
    std::optional<std::uint32_t> body; // of the scene, that it failed for
    std::optional<double> value;       // what was measured then
    std::string found;                 // the same in words: "brick[3]" is 0.2 rad from upright
};

// The last step that an expectation of the scene speaks of.
std::uint64_t last_expected_step(const Scene& scene);

class ExpectationRun {
  public:
    // `start`: the scene's first state, step 0. The scene must outlive this object.
    ExpectationRun(const Scene& scene, const physics::FrameState& start);

    // The state after the next step; each step once, in order.
    void add(const physics::FrameState& frame);

    // In the order of the scene's expectations.
    const std::vector<ExpectationOutcome>& outcomes() const { return outcomes_; }
    bool all_met() const;
    bool decided() const;                             // nothing that comes can change an outcome
    std::optional<std::size_t> first_failure() const; // the one that was decided first

  private:
    struct Watched {
        std::vector<std::uint32_t> subjects, others; // bodies or joints of the scene
        std::vector<bool> satisfied;                 // of each subject, for what must become true once
    };
    struct Found {
        bool holds = false;
        std::optional<double> value{};
        std::string words{};
    };
    void look(const physics::FrameState& frame);
    void follow_rest(const physics::FrameState& frame);
    void judge(std::size_t which, const physics::FrameState& frame);
    Found find(std::size_t which, std::size_t subject, const physics::FrameState& frame) const;
    Found measure(const Expectation& expectation, const Watched& watched, std::size_t subject,
                  const physics::FrameState& frame) const;
    bool touching(const physics::FrameState& frame, std::uint32_t body, const std::vector<std::uint32_t>& others) const;
    std::string name_of(std::uint32_t body) const;
    void fail(std::size_t which, const physics::FrameState& frame, std::optional<std::uint32_t> body, Found found);

    const Scene& scene_;
    std::vector<Watched> watched_;
    std::vector<ExpectationOutcome> outcomes_;
    std::vector<physics::Vec3> starts_;     // m, of bodies
    std::vector<physics::Vec3> up_;         // of bodies: what was up at the start, in their frames
    std::vector<std::uint64_t> slow_since_; // step, of bodies
};

} // namespace cairn::core
