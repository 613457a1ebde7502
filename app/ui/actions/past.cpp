#include "app/ui/actions.h"

#include "app/ui/actions/attempt.h"

#include <utility>

namespace cairn::ui {

void go_to_step(App& app, std::uint64_t step) {
    app.timeline.playing = 0;
    app.simulation.paused = true;
    app.simulation.hurried = false;
    app.simulation.go_to(step);
}

void step_back(App& app) {
    if (app.frame().step > 0) {
        go_to_step(app, app.frame().step - 1);
    }
}

void take_line(App& app, std::size_t line) {
    app.timeline.playing = 0;
    app.simulation.paused = true;
    const std::size_t before = app.simulation.current_line();
    if (attempt(app, [&] { app.simulation.take_line(line); }) && app.ghosts.line == line) {
        app.ghosts.line = before; // they change places
    }
}

void what_if(App& app) {
    core::Simulation& simulation = app.simulation;
    app.timeline.playing = 0;
    if (simulation.what_if()) {
        app.timeline.what_if = false; // it has not come to its end
        simulation.hurried = false;
        attempt(app, [&] { simulation.end_what_if(); });
        app.log.info("What-if cancelled; the world continues normally");
        return;
    }
    const bool paused = std::exchange(simulation.paused, true);
    attempt(app, [&] {
        if (!simulation.begin_what_if()) {
            simulation.paused = paused;
            app.log.info("There is nothing to replay from here: go back to an earlier step first");
            return;
        }
        app.ghosts.line = simulation.what_if()->line;
        app.ghosts.forget();
    });
}

void hurry(App& app) {
    if (app.simulation.what_if()) {
        app.simulation.hurried = !app.simulation.hurried;
    } else {
        app.log.info("Only for a what-if: runs it to its end at full speed");
    }
}

} // namespace cairn::ui
