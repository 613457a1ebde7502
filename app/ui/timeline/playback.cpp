#include "app/ui/timeline/playback.h"

#include "app/ui/context/context.h"
#include "app/ui/settings/archive/settings_archive.h"
#include "app/ui/timeline/past.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

void TimelineMarks::add(const std::vector<core::Mark>& marks) {
    for (const core::Mark& mark : marks) {
        if (of_branch_.size() <= mark.branch) {
            of_branch_.resize(mark.branch + 1);
        }
        of_branch_[mark.branch].push_back(mark);
    }
}

const char* name_of(core::MarkKind kind) {
    static constexpr std::array<const char*, core::mark_kinds> names = {"strike", "asleep", "awake", "command",
                                                                        "break"};
    return names[static_cast<std::size_t>(kind)];
}

FrameText name_of_branch(const Context& ctx, std::size_t branch) {
    const auto& branches = ctx.simulation.branches();
    return branch < branches.size() && !branches[branch].name.empty() ? FrameText(branches[branch].name)
                                                                      : formatted("Branch %zu", branch + 1);
}

void play(Context& ctx, int direction) {
    TimelineState& t = ctx.get<TimelineState>();
    if (t.playing == direction) {
        t.playing = 0;
        return;
    }
    const std::uint64_t step = ctx.frame().step;
    if (direction < 0 ? step == 0 : step >= ctx.simulation.known_steps()) {
        ctx.log.info(direction < 0 ? "Already at the first step" : "Already at the last step");
        return;
    }
    ctx.simulation.paused = true;
    t.playing = direction;
    t.at = static_cast<double>(step);
}

std::optional<std::uint64_t> mark_beside(const Context& ctx, int direction) {
    const std::uint64_t here = ctx.frame().step, known = ctx.simulation.known_steps();
    std::optional<std::uint64_t> best;
    const auto offer = [&](std::uint64_t step) {
        const bool beside = direction < 0 ? step < here : step > here && step <= known;
        if (beside && (!best || (direction < 0 ? step > *best : step < *best))) {
            best = step;
        }
    };
    ctx.get<TimelineState>().marks.visit(ctx.simulation.branches(), ctx.simulation.current_branch(),
                                         [&](const core::Mark& mark) {
                                             if (ctx.get<TimelineState>().shown[static_cast<std::size_t>(mark.kind)]) {
                                                 offer(mark.step);
                                             }
                                         });
    if (const auto& replay = ctx.simulation.replay(); replay && replay->divergence) {
        offer(replay->divergence->step);
    }
    return best;
}

void go_to_mark(Context& ctx, int direction) {
    if (const auto step = mark_beside(ctx, direction)) {
        go_to_step(ctx, *step);
    } else {
        ctx.log.info(direction < 0 ? "No earlier marker" : "No later marker");
    }
}

void follow_timeline(Context& ctx, double seconds) {
    TimelineState& t = ctx.get<TimelineState>();
    t.marks.add(ctx.events.marks);
    if (t.what_if && !ctx.simulation.what_if()) {
        ctx.simulation.paused = true; // it has come to its end
        ctx.simulation.hurried = false;
    }
    t.what_if = ctx.simulation.what_if().has_value();
    follow_compared(ctx);
    if (t.playing == 0) {
        return;
    }
    if (!ctx.simulation.paused) {
        t.playing = 0; // time goes on instead
        return;
    }
    const auto end = static_cast<double>(ctx.simulation.known_steps());
    const double hz = static_cast<double>(ctx.frame().settings.hz);
    t.at = std::clamp(t.at + t.playing * static_cast<double>(t.rate) * hz * seconds, 0.0, end);
    const auto step = static_cast<std::uint64_t>(std::lround(t.at));
    if (ctx.simulation.seeking()) {
        return; // a machine that is too slow for this leaves steps out
    }
    if (step != ctx.frame().step) {
        ctx.simulation.go_to(step);
    } else if (t.playing < 0 ? t.at <= 0.0 : t.at >= end) {
        t.playing = 0;
    }
}

void TimelineState::remember(Context&, SettingsArchive& a) {
    a.enter("timeline");
    a.value("rate", rate, 0.1f, fastest);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        a.value(name_of(static_cast<core::MarkKind>(i)), shown[i]);
    }
    a.leave();
}

void TimelineState::world_replaced(Context&, WorldChange) {
    playing = 0;
    compared.reset();
    marks.clear();
}

} // namespace cairn::ui
