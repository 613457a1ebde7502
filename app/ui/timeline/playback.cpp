#include "app/ui/timeline/playback.h"

#include "app/ui/actions.h"
#include "app/ui/app.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

void TimelineMarks::add(const std::vector<core::Mark>& marks) {
    for (const core::Mark& mark : marks) {
        if (of_line_.size() <= mark.line) {
            of_line_.resize(mark.line + 1);
        }
        of_line_[mark.line].push_back(mark);
    }
}

const char* name_of(core::MarkKind kind) {
    switch (kind) {
    case core::MarkKind::strike:
        return "strike";
    case core::MarkKind::sleep:
        return "asleep";
    case core::MarkKind::wake:
        return "awake";
    case core::MarkKind::command:
        return "command";
    case core::MarkKind::joint_break:
        return "break";
    }
    return "";
}

FrameText name_of_line(const App& app, std::size_t line) {
    const auto& lines = app.simulation.lines();
    return line < lines.size() && !lines[line].name.empty() ? FrameText(lines[line].name)
                                                            : formatted("Branch %zu", line + 1);
}

void play(App& app, int way) {
    TimelineState& t = app.timeline;
    if (t.playing == way) {
        t.playing = 0;
        return;
    }
    const std::uint64_t step = app.frame().step;
    if (way < 0 ? step == 0 : step >= app.simulation.known_steps()) {
        app.log.info(way < 0 ? "Already at the first step" : "Already at the last step");
        return;
    }
    app.simulation.paused = true;
    t.playing = way;
    t.at = static_cast<double>(step);
}

std::optional<std::uint64_t> mark_beside(const App& app, int way) {
    const std::uint64_t here = app.frame().step, known = app.simulation.known_steps();
    std::optional<std::uint64_t> best;
    const auto offer = [&](std::uint64_t step) {
        const bool beside = way < 0 ? step < here : step > here && step <= known;
        if (beside && (!best || (way < 0 ? step > *best : step < *best))) {
            best = step;
        }
    };
    app.timeline.marks.visit(app.simulation.lines(), app.simulation.current_line(), [&](const core::Mark& mark) {
        if (app.timeline.shown[static_cast<std::size_t>(mark.kind)]) {
            offer(mark.step);
        }
    });
    if (const auto& replay = app.simulation.replay(); replay && replay->divergence) {
        offer(replay->divergence->step);
    }
    return best;
}

void go_to_mark(App& app, int way) {
    if (const auto step = mark_beside(app, way)) {
        go_to_step(app, *step);
    } else {
        app.log.info(way < 0 ? "No earlier marker" : "No later marker");
    }
}

void follow_timeline(App& app, double seconds) {
    TimelineState& t = app.timeline;
    app.simulation.take_marks(t.taken);
    t.marks.add(t.taken);
    if (t.what_if && !app.simulation.what_if()) {
        app.simulation.paused = true; // it has come to its end
        app.simulation.hurried = false;
    }
    t.what_if = app.simulation.what_if().has_value();
    if (t.playing == 0) {
        return;
    }
    if (!app.simulation.paused) {
        t.playing = 0; // time goes on instead
        return;
    }
    const auto end = static_cast<double>(app.simulation.known_steps());
    const double hz = static_cast<double>(app.frame().settings.hz);
    t.at = std::clamp(t.at + t.playing * static_cast<double>(t.rate) * hz * seconds, 0.0, end);
    const auto step = static_cast<std::uint64_t>(std::lround(t.at));
    if (app.simulation.seeking()) {
        return; // a machine that is too slow for this leaves steps out
    }
    if (step != app.frame().step) {
        app.simulation.go_to(step);
    } else if (t.playing < 0 ? t.at <= 0.0 : t.at >= end) {
        t.playing = 0;
    }
}

} // namespace cairn::ui
