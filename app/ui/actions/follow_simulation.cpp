#include "app/ui/actions.h"

#include <algorithm>

namespace cairn::ui {

namespace {

void follow_pace(App& app) {
    FrameFigures& f = app.figures;
    const double now = app.log.time(), time = app.frame().time;
    const double real = now - f.pace_from, simulated = time - f.pace_from_time;
    if (app.simulation.paused || simulated < 0.0) {
        f.pace = 1.0;
    } else if (real < 1.0) {
        return;
    } else if (simulated == 0.0) { // a step that takes longer than a second: by now it is at most so fast
        const double step = 1.0 / static_cast<double>(app.frame().settings.hz);
        f.pace = std::min(f.pace, step / (real * std::clamp(app.simulation.time_scale, 0.01, 10.0)));
        f.dropped_at = now;
        return;
    } else {
        f.pace = simulated / (real * std::clamp(app.simulation.time_scale, 0.01, 10.0));
    }
    f.pace_from = now;
    f.pace_from_time = time;
}

} // namespace

void follow_simulation(App& app) {
    for (const core::Simulation::Message& message : app.simulation.take_messages()) {
        if (message.error) {
            app.log.error(message.text);
        } else {
            app.log.warning(message.text);
        }
    }
    for (const double seconds : app.simulation.take_step_seconds()) {
        app.figures.step_ms.add(static_cast<float>(seconds * 1e3));
    }
    if (const auto replay = app.simulation.replay(); replay && replay->finished) {
        app.simulation.paused = true; // first: the end of the recording stays in view, and going on is a choice
        stop_replay(app);
        if (replay->divergence) {
            app.log.error("Replay differs at step " + std::to_string(replay->divergence->step) + ": " +
                          replay->divergence->what);
        } else {
            app.log.info(replay->compared == replay->steps
                             ? "Replay finished: all " + std::to_string(replay->steps) + " steps match"
                             : "Replay finished: the " + std::to_string(replay->compared) + " of " +
                                   std::to_string(replay->steps) + " steps that were played match");
        }
    }
    auto here = app.frame().bodies.begin(); // both lists ascend
    std::erase_if(app.selection, [&](physics::BodyId body) {
        while (here != app.frame().bodies.end() && here->id.index < body.index) {
            ++here;
        }
        return here == app.frame().bodies.end() || here->id != body;
    });
    if (app.selected && !is_selected(app, app.selected)) {
        app.selected = app.selection.empty() ? physics::BodyId{} : app.selection.back();
        app.body_panel.editing_degrees = false;
    }
    follow_copies(app);
    follow_pace(app);
    const double dropped = app.simulation.dropped_seconds();
    if (dropped > app.figures.dropped_seen) {
        app.figures.dropped_at = app.log.time();
    }
    app.figures.dropped_seen = dropped;
}

} // namespace cairn::ui
