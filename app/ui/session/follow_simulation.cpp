#include "app/ui/session/follow_simulation.h"

#include "app/ui/context/selection.h"
#include "app/ui/document/captures.h"
#include "app/ui/screen/frame_metrics.h"
#include "app/ui/tools/build/copies.h"
#include "app/ui/tools/spawn/bodies.h"

#include <algorithm>

namespace cairn::ui {

namespace {

void follow_pace(Context& ctx) {
    FrameMetrics& f = ctx.get<FrameMetrics>();
    const double now = ctx.log.time(), time = ctx.frame().time;
    const double real = now - f.pace_from, simulated = time - f.pace_from_time;
    if (ctx.simulation.paused || simulated < 0.0) {
        f.pace = 1.0;
    } else if (real < 1.0) {
        return;
    } else if (simulated == 0.0) { // a step that takes longer than a second: by now it is at most so fast
        const double step = 1.0 / static_cast<double>(ctx.frame().settings.hz);
        f.pace = std::min(f.pace, step / (real * std::clamp(ctx.simulation.time_scale, 0.01, 10.0)));
        f.dropped_at = now;
        return;
    } else {
        f.pace = simulated / (real * std::clamp(ctx.simulation.time_scale, 0.01, 10.0));
    }
    f.pace_from = now;
    f.pace_from_time = time;
}

} // namespace

void follow_simulation(Context& ctx) {
    ctx.simulation.take_events(ctx.events);
    for (const core::Simulation::Message& message : ctx.events.messages) {
        if (message.error) {
            ctx.log.error(message.text);
        } else {
            ctx.log.warning(message.text);
        }
    }
    FrameMetrics& metrics = ctx.get<FrameMetrics>();
    for (const double seconds : ctx.events.step_seconds) {
        metrics.step_ms.add(static_cast<float>(seconds * 1e3));
    }
    if (const auto replay = ctx.simulation.replay(); replay && replay->finished) {
        ctx.simulation.paused = true; // first: the end of the recording stays in view, and going on is a choice
        stop_replay(ctx);
        if (replay->divergence) {
            ctx.log.error("Replay finished: it differs from step " + std::to_string(replay->divergence->step) + " on");
        } else {
            ctx.log.info(replay->compared == replay->steps
                             ? "Replay finished: all " + std::to_string(replay->steps) + " steps match"
                             : "Replay finished: the " + std::to_string(replay->compared) + " of " +
                                   std::to_string(replay->steps) + " steps that were played match");
        }
    }
    ctx.get<BroughtBack>().select(ctx);
    auto here = ctx.frame().bodies.begin(); // both lists ascend
    std::erase_if(ctx.selection, [&](physics::BodyId body) {
        while (here != ctx.frame().bodies.end() && here->id.index < body.index) {
            ++here;
        }
        return here == ctx.frame().bodies.end() || here->id != body;
    });
    if (ctx.selected && !is_selected(ctx, ctx.selected)) {
        ctx.selected = ctx.selection.empty() ? physics::BodyId{} : ctx.selection.back();
    }
    follow_copies(ctx);
    follow_pace(ctx);
    const double dropped = ctx.simulation.dropped_seconds();
    if (dropped > metrics.dropped_seen) {
        metrics.dropped_at = ctx.log.time();
    }
    metrics.dropped_seen = dropped;
}

} // namespace cairn::ui
