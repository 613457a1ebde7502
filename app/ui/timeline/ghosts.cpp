#include "app/ui/timeline/ghosts.h"

#include "app/ui/app.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace cairn::ui {

namespace {

constexpr double work_seconds = 0.008; // in a frame: the window stays in motion
constexpr float ghost_alpha = 0.38f;

// Leaves the bodies that can move and are not where they are in `other`.
void keep_those_elsewhere(physics::FrameState& frame, const physics::FrameState& other) {
    std::size_t kept = 0;
    auto same = other.bodies.begin(); // both lists ascend by slot
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const physics::BodyState& body = frame.bodies[i];
        while (same != other.bodies.end() && same->id.index < body.id.index) {
            ++same;
        }
        const bool there = same != other.bodies.end() && same->id == body.id &&
                           same->pose.position == body.pose.position && same->pose.orientation == body.pose.orientation;
        if (!there && body.type != physics::BodyType::fixed) {
            frame.bodies[kept] = frame.bodies[i];
            frame.models[kept] = frame.models[i];
            ++kept;
        }
    }
    frame.bodies.resize(kept);
    frame.models.resize(kept);
}

} // namespace

void Ghosts::forget() {
    retrace_.reset();
    frame_.bodies.clear();
    frame_.models.clear();
}

void Ghosts::follow(App& app) {
    const std::vector<core::History::Line>& lines = app.simulation.lines();
    const std::size_t current = app.simulation.current_line();
    if (!line) {
        return;
    }
    if (*line >= lines.size()) {
        line.reset();
    }
    const std::uint64_t here = app.frame().step;
    if (!line || *line == current || here <= core::History::shared_steps(lines, *line, current)) {
        forget();
        return;
    }
    const std::uint64_t wanted = std::min(here, lines[*line].end);
    try {
        if (!retrace_ || of_line_ != *line || retrace_->step() > wanted) {
            retrace_ = std::make_unique<core::Retrace>(app.simulation.stretch_of_line(*line, wanted));
            of_line_ = *line;
            compared_with_ = ~std::uint64_t{0};
        }
    } catch (const std::exception& error) {
        app.log.error(error.what());
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
        // Into a frame of its own: a world trusts what it wrote into one before, and bodies are taken out of this one.
        physics::FrameState whole;
        retrace_->world().publish(whole);
        frame_ = std::move(whole);
        keep_those_elsewhere(frame_, app.frame());
        compared_with_ = here;
    }
}

void Ghosts::draw(const App& app, render::DrawList& list, MeshSource& meshes) {
    if (!line || frame_.bodies.empty()) {
        return;
    }
    ViewOptions options = app.view_options;
    options.layers = {};
    options.selected = {};
    options.hovered = {};
    options.interpolation = 1.0f;
    options.seconds = -1.0f;
    options.colours = ColourMode::palette;
    frame_.grab = {};
    view_.build(list_, frame_, frame_, app.camera.camera(), meshes, options);
    for (render::Instance& instance : list_.instances) {
        instance.colour.a = ghost_alpha;
        instance.flags = render::instance_no_shadow;
        list.instances.push_back(instance);
    }
}

} // namespace cairn::ui
