#include "app/ui/actions.h"

#include "app/ui/actions/attempt.h"

namespace cairn::ui {

void go_to_step(App& app, std::uint64_t step) {
    app.timeline.playing = 0;
    app.simulation.paused = true;
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

} // namespace cairn::ui
