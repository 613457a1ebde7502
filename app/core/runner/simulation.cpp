#include "app/core/runner/simulation.h"

#include "app/core/base/error.h"
#include "app/core/runner/simulation_impl.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace cairn::core {

using namespace cairn::physics;

namespace {

// Steps in one update() in the caller's place while a what-if is hurried.
constexpr int most_hurried = 8;

} // namespace

Simulation::Simulation(const Scene& scene, Executor* executor, Place place)
    : impl_(std::make_unique<Impl>(scene, executor, place)) {
    impl_->take(shown_);
}

Simulation::~Simulation() = default;

void Simulation::update(double seconds) {
    Impl& sim = *impl_;
    if (sim.place == Place::own_thread) {
        sim.start();
        const std::lock_guard lock(sim.mutex);
        sim.request(requests());
    } else {
        sim.follow(requests());
        sim.guarded([&] {
            sim.runner.apply_pending();
            if (hurried && sim.runner.what_if()) {
                for (int i = 0; i < most_hurried && sim.runner.what_if(); ++i) {
                    sim.runner.step();
                    sim.note_step();
                }
                return;
            }
            sim.runner.advance(std::min(seconds, 0.25), Impl::most_due, [&] { sim.note_step(); });
        });
        sim.publish();
    }
    sim.take(shown_);
    sim.outdated.clear();
}

void Simulation::step_now() {
    impl_->step(shown_, requests());
    impl_->outdated.clear();
}

void Simulation::submit(Command command, EditMark mark) {
    // A grab is moved all the time: a step that was broken off for it would never end.
    const bool at_once = !std::holds_alternative<MoveGrab>(command);
    auto task = [command = std::move(command), mark = std::move(mark)](Runner& runner) mutable {
        runner.submit(std::move(command), {}, std::move(mark));
    };
    impl_->ask(requests(), std::move(task), at_once);
}

void Simulation::submit(CreateBodies many, EditMark mark) {
    Impl* sim = impl_.get();
    sim->ask(requests(), [sim, many = std::move(many), mark = std::move(mark)](Runner& runner) mutable {
        auto created = [sim, gesture = mark.gesture](const std::vector<BodyId>& bodies) {
            sim->just_created.push_back({gesture, bodies});
        };
        runner.submit(std::move(many), std::move(created), std::move(mark));
    });
}

void Simulation::submit(std::vector<ReplaceShape> changes, EditMark mark) {
    impl_->ask(requests(), [changes = std::move(changes), mark = std::move(mark)](Runner& runner) mutable {
        for (ReplaceShape& change : changes) {
            runner.submit(std::move(change), mark);
        }
    });
}

void Simulation::submit(const BrushHeights& brush, EditMark mark) {
    impl_->ask(requests(),
               [brush, mark = std::move(mark)](Runner& runner) mutable { runner.submit(brush, std::move(mark)); });
}

void Simulation::undo() {
    impl_->ask(requests(), [](Runner& runner) { runner.undo(); });
}

void Simulation::give_up(std::uint64_t gesture) {
    impl_->ask(requests(), [gesture](Runner& runner) { runner.give_up(gesture); });
}

void Simulation::redo() {
    impl_->ask(requests(), [](Runner& runner) { runner.redo(); });
}

void Simulation::request_step() {
    paused = true;
    Impl& sim = *impl_;
    if (sim.place == Place::caller) {
        sim.step(shown_, requests());
        return;
    }
    sim.start();
    {
        const std::lock_guard lock(sim.mutex);
        sim.request(requests());
        sim.tasks.emplace_back(Impl::Step{});
    }
    sim.wake.notify_one();
}

void Simulation::call(const std::function<void(Runner&)>& work) {
    impl_->call(shown_, requests(), [&] { work(impl_->runner); });
}

void Simulation::load(const Scene& scene) {
    impl_->call(shown_, requests(), [&] {
        impl_->runner.load(scene);
        impl_->begin_world();
        impl_->keep_scene();
    });
}

void Simulation::restart() {
    impl_->call(shown_, requests(), [&] {
        impl_->runner.restart();
        impl_->begin_world();
    });
}

void Simulation::start_replay(const std::filesystem::path& path, std::uint64_t at) {
    impl_->call(shown_, requests(), [&] {
        impl_->runner.start_replay(path, at);
        impl_->begin_world();
        impl_->keep_scene();
    });
}

void Simulation::go_to(std::uint64_t step) {
    Impl& sim = *impl_;
    if (sim.place == Place::caller) {
        sim.guarded([&] {
            sim.runner.go_to(step);
            sim.note_state();
        });
        sim.publish();
        sim.take(shown_);
        return;
    }
    sim.start();
    {
        const std::lock_guard lock(sim.mutex);
        sim.request(requests());
        std::erase_if(sim.tasks, Impl::is_seek); // a newer one takes its place
        sim.tasks.emplace_back(step);
        sim.break_off = true;
    }
    sim.wake.notify_one();
}

bool Simulation::seeking() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->seeking || impl_->waits_for(Impl::is_seek);
}

std::uint64_t Simulation::step_to_come() const {
    const std::lock_guard lock(impl_->mutex);
    std::uint64_t step = impl_->seeking ? impl_->seeking_to
                         : impl_->fresh ? impl_->latest.current->step
                                        : shown_.current->step;
    for (const Impl::Task& task : impl_->tasks) {
        if (const auto* sought = std::get_if<std::uint64_t>(&task)) {
            step = *sought;
        } else if (std::holds_alternative<Impl::Step>(task)) {
            ++step;
        }
    }
    return step;
}

void Simulation::take_branch(std::size_t branch) {
    impl_->call(shown_, requests(), [&] {
        impl_->runner.take_branch(branch);
        impl_->note_state();
    });
}

void Simulation::name_branch(std::size_t branch, std::string name) {
    impl_->call(shown_, requests(), [&] {
        impl_->runner.name_branch(branch, std::move(name));
        impl_->branches_renamed = true;
    });
}

double Simulation::interpolation() const {
    if (paused || shown_.paused || (shown_.replay && shown_.replay->finished)) {
        return 1.0;
    }
    if (impl_->place == Place::caller) {
        return std::clamp(shown_.ahead * static_cast<double>(shown_.current->settings.hz), 0.0, 1.0);
    }
    const double since = (Impl::now() - shown_.published_at) * shown_.time_scale;
    const double step = 1.0 / static_cast<double>(shown_.current->settings.hz);
    return std::clamp((shown_.ahead + since - shown_.lag) / std::max(shown_.interval, step), 0.0, 1.0);
}

std::uint64_t Simulation::published_step() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->fresh ? impl_->latest.current->step : shown_.current->step;
}

bool Simulation::stands_still() const {
    return paused && shown_.paused;
}

void Simulation::Events::clear() {
    messages.clear();
    step_seconds.clear();
    touches.clear();
    marks.clear();
    metrics.clear();
    created.clear();
    remade.clear();
}

void Simulation::take_events(Events& events) {
    events.clear();
    const std::lock_guard lock(impl_->mutex);
    std::swap(events.created, impl_->events.created); // what is not shown yet stays
    std::swap(events, impl_->events);
    std::swap(events.created, impl_->shown_created);
}

Simulation::Events Simulation::take_events() {
    Events events;
    take_events(events);
    return events;
}

void Simulation::listen(bool to_touches) {
    const std::lock_guard lock(impl_->mutex);
    impl_->listening = to_touches;
}

void Simulation::expect(const Expectation& expectation, const std::vector<Zone>& zones) {
    impl_->call(shown_, requests(), [&] {
        if (!impl_->expectations.possible()) {
            throw InputError(
                "Nothing can be expected of a world that did not begin as its scene: restart the scene, or "
                "save the world as another one");
        }
        impl_->expectations.expect(expectation, zones, impl_->runner.current().step, impl_->runner.history());
        impl_->keep_expected();
    });
}

void Simulation::drop_expectation(std::size_t which) {
    impl_->call(shown_, requests(), [&] {
        if (impl_->expectations.possible() && which < impl_->expectations.scene().expectations.size()) {
            impl_->expectations.drop(which);
            impl_->keep_expected();
        }
    });
}

void Simulation::zero_drift() {
    Impl* sim = impl_.get();
    sim->ask(requests(), [sim](Runner&) { sim->bodies.set_zero(); });
}

void Simulation::delay_steps(std::function<void()> delay) {
    impl_->delay = std::move(delay);
}

} // namespace cairn::core
