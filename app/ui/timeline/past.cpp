#include "app/ui/timeline/past.h"

#include "app/ui/context/attempt.h"
#include "app/ui/timeline/ghosts.h"
#include "app/ui/timeline/playback.h"

#include <utility>

namespace cairn::ui {

void go_to_step(Context& ctx, std::uint64_t step) {
    ctx.get<TimelineState>().playing = 0;
    ctx.simulation.paused = true;
    ctx.simulation.hurried = false;
    ctx.simulation.go_to(step);
}

void step_back(Context& ctx) {
    // From where the world is going, not from what is shown: keys may come faster than pictures.
    if (const std::uint64_t step = ctx.simulation.step_to_come(); step > 0) {
        go_to_step(ctx, step - 1);
    }
}

void take_branch(Context& ctx, std::size_t branch) {
    ctx.get<TimelineState>().playing = 0;
    ctx.simulation.paused = true;
    const std::size_t before = ctx.simulation.current_branch();
    if (attempt(ctx, [&] { ctx.simulation.take_branch(branch); }) && ctx.get<Ghosts>().branch == branch) {
        ctx.get<Ghosts>().branch = before; // they change places
    }
}

void what_if(Context& ctx) {
    core::Simulation& simulation = ctx.simulation;
    ctx.get<TimelineState>().playing = 0;
    if (simulation.what_if()) {
        ctx.get<TimelineState>().what_if = false; // it has not come to its end
        simulation.hurried = false;
        attempt(ctx, [&] { simulation.with_runner(std::mem_fn(&core::Runner::end_what_if)); });
        ctx.log.info("What-if cancelled; the world continues normally");
        return;
    }
    const bool paused = std::exchange(simulation.paused, true);
    attempt(ctx, [&] {
        if (!simulation.with_runner(std::mem_fn(&core::Runner::begin_what_if))) {
            simulation.paused = paused;
            ctx.log.info("There is nothing to replay from here: go back to an earlier step first");
            return;
        }
        ctx.get<Ghosts>().branch = simulation.what_if()->branch;
        ctx.get<Ghosts>().forget();
    });
}

void compare_from_start(Context& ctx, const physics::Settings& settings) {
    if (ctx.simulation.known_steps() == 0) {
        ctx.log.info("Let it run first: what it did is shown beside the other");
        return;
    }
    if (ctx.simulation.what_if()) {
        what_if(ctx); // another begins
    }
    go_to_step(ctx, 0);
    ctx.get<TimelineState>().compared = settings;
}

void follow_compared(Context& ctx) {
    TimelineState& t = ctx.get<TimelineState>();
    if (!t.compared || ctx.simulation.seeking() || ctx.frame().step != 0) {
        return;
    }
    const physics::Settings settings = *std::exchange(t.compared, std::nullopt);
    what_if(ctx);
    if (ctx.simulation.what_if()) {
        ctx.play(physics::SetSettings{settings}, "Compare");
        t.what_if = true;
        ctx.simulation.paused = false;
    }
}

void hurry(Context& ctx) {
    if (ctx.simulation.what_if()) {
        ctx.simulation.hurried = !ctx.simulation.hurried;
    } else {
        ctx.log.info("Only for a what-if: runs it to its end at full speed");
    }
}

} // namespace cairn::ui
