// The motion of the selected bodies as a table: every step of the current branch, from its start to the present,
// recomputed a little in every frame.
#pragma once

#include "app/core/history/history.h"
#include "app/core/report/report.h"
#include "app/ui/context/context.h"
#include "app/ui/context/parts.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace cairn::ui {

class MotionTable : public Part {
  public:
    // Of what is selected; gives up the one that is being made.
    void toggle(Context& ctx);
    void follow(Context& ctx); // once a frame

    bool running() const { return work_.has_value(); }
    float progress() const; // 0..1

  private:
    struct Work {
        Work(core::Segment segment, std::filesystem::path to, std::vector<physics::BodyId> of);

        core::Retrace retrace;
        std::filesystem::path path;
        core::TraceWriter writer;
        std::vector<physics::BodyId> bodies;
        std::uint64_t last;
        physics::FrameState frame, chosen; // of all, and of these alone

        void add();
    };
    std::optional<Work> work_;
};

} // namespace cairn::ui
