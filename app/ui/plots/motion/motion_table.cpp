#include "app/ui/plots/motion/motion_table.h"

#include "app/ui/context/attempt.h"
#include "app/ui/document/document.h"
#include "app/ui/text/paths.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace cairn::ui {

MotionTable::Work::Work(core::Segment segment, std::filesystem::path to, std::vector<physics::BodyId> of)
    : retrace(std::move(segment)),
      path(std::move(to)),
      writer(path, core::TraceWriter::Names::yes),
      bodies(std::move(of)),
      last(retrace.last_step()) {
}

void MotionTable::Work::add() {
    retrace.world().publish(frame);
    chosen.step = frame.step;
    chosen.time = frame.time;
    chosen.bodies.clear();
    chosen.models.clear();
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        if (std::ranges::find(bodies, frame.bodies[i].id) != bodies.end()) {
            chosen.bodies.push_back(frame.bodies[i]);
            chosen.models.push_back(frame.models[i]);
        }
    }
    writer.add(chosen);
}

float MotionTable::progress() const {
    const std::uint64_t all = work_ ? std::max<std::uint64_t>(work_->last, 1) : 1;
    return work_ ? static_cast<float>(work_->retrace.step()) / static_cast<float>(all) : 0.0f;
}

void MotionTable::toggle(Context& ctx) {
    if (work_) {
        work_.reset();
        ctx.log.info("No table of the motion: cancelled");
        return;
    }
    if (ctx.selection.empty()) {
        ctx.log.info("Select the bodies whose motion is to be saved");
        return;
    }
    const std::filesystem::path path =
        user_folder("plots") / (dated_name(ctx.get<Document>().title + " motion") + ".csv");
    if (!make_parent(ctx, path)) {
        return;
    }
    attempt(ctx, [&] {
        const std::uint64_t end = ctx.frame().step;
        core::Segment segment =
            ctx.simulation.with_runner([&](core::Runner& r) { return r.history().segment(0, end); });
        work_.emplace(std::move(segment), path, ctx.selection);
        work_->add();
    });
}

void MotionTable::follow(Context& ctx) {
    if (!work_) {
        return;
    }
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds share(8); // of a frame: the window stays in motion
    bool finished = false;
    const bool done = attempt(ctx, [&] {
        for (const auto start = Clock::now(); !work_->retrace.done() && Clock::now() - start < share;) {
            work_->retrace.advance();
            work_->add();
        }
        if (work_->retrace.done()) {
            work_->writer.finish();
            finished = true;
        }
    });
    if (finished) {
        ctx.log.info("Saved " + work_->path.string());
    }
    if (finished || !done) {
        work_.reset();
    }
}

} // namespace cairn::ui
