// Holds a scene that runs to what it expects, state by state. It reads what the world publishes and changes nothing.
#pragma once

#include "app/core/scene/scene.h"
#include "physics/world/frame_state.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::core {

struct ExpectationOutcome {
    enum class Status : std::uint8_t { open, met, failed };
    Status status = Status::open;
    bool missed = false;               // open for good: not all of its steps were seen
    std::uint64_t step = 0;            // at which that was decided
    std::optional<std::uint32_t> body; // of the scene, that it failed for
    std::optional<double> value;       // what was measured then
    std::string found;                 // the same in words: "brick[3]" is 0.2 rad from upright
    friend bool operator==(const ExpectationOutcome&, const ExpectationOutcome&) = default;
};

// The last step that an expectation of the scene speaks of.
std::uint64_t last_expected_step(const Scene& scene);

class ExpectationRun {
  public:
    // `start`: the scene's first state, step 0. The scene must outlive this object and those that are copied from it.
    ExpectationRun(const Scene& scene, const physics::FrameState& start);

    // The state after the next step; each step once, in order. Where some were left out, what was to be seen in them
    // stays open.
    void add(const physics::FrameState& frame);
    // All is again as it was after that step, one that was added.
    void rewind(std::uint64_t step);
    std::uint64_t seen() const { return seen_; } // the last step that was added
    // The scene has one more expectation, at the end, that looks at later steps only; or one less.
    void grow();
    void remove(std::size_t which);
    // Step times are measured by somebody else: what came of it, by the medians of those of the steps that are meant,
    // of this scene and of the other, s; or that nothing will.
    void settle(std::size_t which, std::vector<double> own, std::vector<double> other);
    void miss(std::size_t which);

    // In the order of the scene's expectations.
    const std::vector<ExpectationOutcome>& outcomes() const { return outcomes_; }
    bool all_met() const;
    bool decided() const;                             // nothing that comes can change an outcome, but for step times
    std::optional<std::size_t> first_failure() const; // the one that was decided first

  private:
    struct Watched {
        std::vector<std::uint32_t> subjects, others; // bodies or joints of the scene
        std::size_t zone = 0;                        // of the scene, for within
        std::vector<std::uint64_t> satisfied;        // since when, of each subject, for what must become true once
    };
    struct Found {
        bool holds = false;
        std::optional<double> value{};
        std::string words{};
    };
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    Watched watched_by(const Expectation& expectation) const;
    std::size_t zone_of(const Expectation& expectation) const;
    bool is_open_at(std::size_t which, std::uint64_t step) const;
    void find_touching(const physics::FrameState& frame);
    void look(const physics::FrameState& frame);
    void follow_rest(const physics::FrameState& frame);
    void judge(std::size_t which, const physics::FrameState& frame);
    // `in_words`: for people, which takes longer than finding out.
    Found find(std::size_t which, std::size_t subject, const physics::FrameState& frame, bool in_words) const;
    Found measure(const Expectation& expectation, const Watched& watched, std::size_t subject,
                  const physics::FrameState& frame, bool in_words) const;
    bool touching(std::uint32_t body, const std::vector<std::uint32_t>& others) const;
    std::string name_of(std::uint32_t body) const;
    std::string name_of_joint(std::uint32_t joint) const;
    void fail(std::size_t which, const physics::FrameState& frame, std::optional<std::uint32_t> body, Found found);

    const Scene& scene_;
    std::vector<Watched> watched_;
    std::vector<ExpectationOutcome> outcomes_;
    std::vector<physics::Vec3> starts_; // m, of bodies
    std::vector<physics::Vec3> up_;     // of bodies: what was up at the start, in their frames
    // The steps at which a body began to be slow, or stopped being so, in turn; of the bodies that must rest. Before
    // the first of them it is slow.
    std::vector<std::vector<std::uint64_t>> turns_;
    std::vector<bool> rests_;
    // Of the state that is looked at: who touches whom, of the bodies that somebody asks about; sorted, each once.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> touching_;
    std::vector<bool> asked_for_touch_; // scratch: by slot
    std::uint64_t seen_ = 0;
};

} // namespace cairn::core
