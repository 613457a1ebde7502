#include "app/ui/timeline/ghosts.h"

#include "app/ui/context/context.h"

#include <algorithm>
#include <chrono>

namespace cairn::ui {

namespace {

constexpr double work_seconds = 0.008; // in a frame: the window stays in motion

} // namespace

void Ghosts::forget() {
    retrace_.reset();
    bodies_.clear();
}

void Ghosts::follow(Context& ctx) {
    const std::vector<core::History::Branch>& branches = ctx.simulation.branches();
    const std::size_t current = ctx.simulation.current_branch();
    if (!branch) {
        return;
    }
    if (*branch >= branches.size()) {
        branch.reset();
    }
    const std::uint64_t here = ctx.frame().step;
    if (!branch || *branch == current || here <= core::History::shared_steps(branches, *branch, current)) {
        forget();
        return;
    }
    const std::uint64_t wanted = std::min(here, branches[*branch].end);
    try {
        if (!retrace_ || of_branch_ != *branch || retrace_->step() > wanted) {
            retrace_ = std::make_unique<core::Retrace>(ctx.simulation.with_runner(
                [&](core::Runner& runner) { return runner.history().segment_of_branch(*branch, wanted); }));
            of_branch_ = *branch;
            compared_with_ = ~std::uint64_t{0};
        }
    } catch (const std::exception& error) {
        ctx.log.error(error.what());
        branch.reset();
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
    if (branch) {
        bodies_.add_to(list, ctx.camera.camera(), meshes, ctx.view_options);
    }
}

} // namespace cairn::ui
