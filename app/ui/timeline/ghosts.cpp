#include "app/ui/timeline/ghosts.h"

#include "app/ui/context/context.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace cairn::ui {

namespace {

constexpr double work_seconds = 0.008; // in a frame: the window stays in motion

} // namespace

void Ghosts::forget() {
    retrace_.reset();
    bodies_.clear();
}

void Ghosts::follow(Context& ctx) {
    const std::vector<core::History::Line>& lines = ctx.simulation.lines();
    const std::size_t current = ctx.simulation.current_line();
    if (!line) {
        return;
    }
    if (*line >= lines.size()) {
        line.reset();
    }
    const std::uint64_t here = ctx.frame().step;
    if (!line || *line == current || here <= core::History::shared_steps(lines, *line, current)) {
        forget();
        return;
    }
    const std::uint64_t wanted = std::min(here, lines[*line].end);
    try {
        if (!retrace_ || of_line_ != *line || retrace_->step() > wanted) {
            retrace_ = std::make_unique<core::Retrace>(ctx.simulation.stretch_of_line(*line, wanted));
            of_line_ = *line;
            compared_with_ = ~std::uint64_t{0};
        }
    } catch (const std::exception& error) {
        ctx.log.error(error.what());
        line.reset();
        forget();
        return;
    }
    const auto start = std::chrono::steady_clock::now();
    while (retrace_->step() < wanted && !retrace_->done() &&
           std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < work_seconds) {
        retrace_->advance();
        compared_with_ = ~std::uint64_t{0};
    }
    if (compared_with_ != here && retrace_->step() == wanted) {
        bodies_.compare(retrace_->world(), ctx.frame());
        compared_with_ = here;
    }
}

void Ghosts::draw(const Context& ctx, render::DrawList& list, MeshSource& meshes) {
    if (line) {
        bodies_.add_to(list, ctx.camera.camera(), meshes, ctx.view_options);
    }
}

} // namespace cairn::ui
