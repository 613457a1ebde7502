// The past on the timeline: played forwards and backwards, and its marks, from one to the next.
#pragma once

#include "app/core/marks/marks.h"
#include "app/ui/context/parts.h"
#include "app/ui/text/frame_text.h"
#include "physics/world/settings.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn::ui {

struct Context;

class TimelineMarks {
  public:
    void add(const std::vector<core::Mark>& marks); // in the order in which they were found
    void clear() { of_branch_.clear(); }
    // Calls with each mark of a branch of the history and of those that it comes from, up to where it leaves them; in
    // no order of branches, within each by step.
    template <class Visit>
    void visit(const std::vector<core::History::Branch>& branches, std::size_t branch, Visit&& visit) const {
        core::History::visit_past(branches, branch, [&](std::size_t index, std::uint64_t end) {
            if (index < of_branch_.size()) {
                for (const core::Mark& mark : of_branch_[index]) {
                    if (mark.step <= end) {
                        visit(mark);
                    }
                }
            }
        });
    }

  private:
    std::vector<std::vector<core::Mark>> of_branch_;
};

struct TimelineState : Part {
    static constexpr float fastest = 4.0f;
    float rate = 1.0f;                         // of simulated to real time, 0 < rate <= fastest
    int playing = 0;                           // 1 forwards, -1 backwards, 0 not at all
    double at = 0.0;                           // step, while playing
    double shown_from = 0.0, shown_span = 0.0; // steps that the track shows; span 0: all
    TimelineMarks marks;
    bool what_if = false;                      // was on in the last frame
    std::optional<physics::Settings> compared; // to begin with, once the world is back at its start
    std::string branch_name;                   // of the current branch, while it is typed
    std::optional<std::size_t> named;
    std::optional<std::size_t> branch_in_view; // of the picture of branches: what it was last scrolled to
    std::array<bool, core::mark_kinds> shown = {true, true, true, true, true};

    void remember(Context& ctx, SettingsArchive& archive) override;
    void world_replaced(Context& ctx, WorldChange change) override;
};

const char* name_of(core::MarkKind kind); // for people, "strike"
// Of a branch of the history, for people: its own, or "Branch 2".
FrameText name_of_branch(const Context& ctx, std::size_t branch);

// Begins to play the past from where the world stands, or stops if it plays that way.
void play(Context& ctx, int direction);
// To the nearest shown mark, or the place where a replay differs, before or after the step that is seen.
void go_to_mark(Context& ctx, int direction);
std::optional<std::uint64_t> mark_beside(const Context& ctx, int direction);
// Once a frame: takes the newest marks, and plays on. `seconds` since the last frame.
void follow_timeline(Context& ctx, double seconds);

// The strip above `bottom` between x = left and right, window units: what is known of the past, to go to any step.
// Returns where it begins; without room there is none.
float timeline(Context& ctx, float left, float right, float bottom);
float timeline_height(const Context& ctx);
inline constexpr float least_timeline_width = 200.0f; // at scale 1

} // namespace cairn::ui
