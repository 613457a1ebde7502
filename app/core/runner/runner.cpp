#include "app/core/runner/runner.h"

#include "app/core/report/stopped_body.h"
#include "app/core/runner/runner_impl.h"
#include "app/core/scene/worlds/frame_bodies.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace cairn::core {

using namespace cairn::physics;

namespace {

// Real time is measured in doubles, and 1/60 s is no binary fraction: a step that is due but for rounding is due.
constexpr double due_share = 1.0 - 1e-6;

// s; a step that is likely to take longer can be broken off. What was asked for meanwhile waits for a shorter one.
constexpr double long_step = 0.04;

// s for each body: until a world's first step is known, what it may take.
constexpr double first_step_of_body = 0.5e-3;

constexpr std::size_t max_messages = 200; // kept until somebody takes them

double scale_in_range(double time_scale) {
    return std::clamp(time_scale, 0.01, 10.0);
}

// The body that a command puts elsewhere. Another shape moves the centre of mass, which a pose is of.
std::optional<BodyId> body_moved_at_once(const Command& command) {
    if (const auto* set = std::get_if<SetBody>(&command)) {
        return set->position || set->orientation ? std::optional(set->body) : std::nullopt;
    }
    if (const auto* shape = std::get_if<AddShape>(&command)) {
        return shape->body;
    }
    if (const auto* shape = std::get_if<RemoveShape>(&command)) {
        return shape->body;
    }
    return std::nullopt;
}

} // namespace

Runner::Impl::Impl(const Scene& from, Executor* with, std::size_t history_budget)
    : executor(with),
      scene(from),
      world(make_world(from, &executor)),
      keeps_past(history_budget > 0),
      history(history_budget) {
    publish_start(from);
}

double Runner::Impl::steps_due() const {
    return std::floor(ahead / step_seconds() + (1.0 - due_share));
}

void Runner::Impl::drop_all_but(int most_due, double scale) {
    const double more = steps_due() - static_cast<double>(most_due);
    if (more >= 1.0) {
        ahead -= more * step_seconds();
        dropped += more * step_seconds() / scale;
    }
}

void Runner::Impl::say(std::string message) {
    if (!messages.empty() && messages.back() == message) {
        return;
    }
    if (messages.size() >= max_messages) {
        ++lost_messages;
        return;
    }
    messages.push_back(std::move(message));
}

void Runner::Impl::begin_frame() {
    if (current_shared || previous == current) {
        current.reset(); // first, so that its memory is used again if nobody has it
        current = frames.take();
        current_shared = false;
    }
}

void Runner::Impl::advance_frames() {
    previous.reset();
    previous = std::move(current);
    previous_shared = std::exchange(current_shared, false);
    current = frames.take();
}

void Runner::Impl::publish_still() {
    previous.reset();
    current.reset();
    current = frames.take();
    current_shared = false;
    world.publish(*current);
    previous = current;
    previous_shared = false;
    ahead = 0.0;
}

void Runner::Impl::publish_start(const Scene& from) {
    publish_still();
    step_took = first_step_of_body * static_cast<double>(world.body_count());
    history.begin(std::make_shared<const Scene>(from), current->hash);
}

void Runner::Impl::replace_world(World fresh, const Scene& from) {
    world = std::move(fresh);
    world.watch(watched);
    edits.begin();
    what_if.reset();
    record.commands.clear();
    begun = false;
    frames = FramePool(); // those of the old world go when the last reader lets go of them
    publish_start(from);
}

void Runner::Impl::carry_to_previous(const Command& command) {
    const std::optional<BodyId> body = body_moved_at_once(command);
    if (!body) {
        return;
    }
    const std::optional<BodyState> now = world.state(*body);
    const auto place = find_body(*previous, *body);
    if (!now || !place) {
        return;
    }
    if (previous_shared || previous == current) {
        std::shared_ptr<FrameState> copy = frames.take();
        *copy = *previous;
        previous = std::move(copy);
        previous_shared = false;
    }
    previous->bodies[*place].pose = now->pose;
}

void Runner::Impl::publish_step() {
    const auto start = std::chrono::steady_clock::now();
    world.publish(*current);
    publish_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (const BodyId body : current->stopped) { // once for each series of steps
        if (std::ranges::find(previous->stopped, body) == previous->stopped.end()) {
            say(stopped_body(*current, body).what);
        }
    }
}

bool Runner::Impl::step_world(const std::atomic<bool>* break_off) {
    const auto start = std::chrono::steady_clock::now();
    if (break_off == nullptr || step_took < long_step) {
        world.step();
    } else {
        const std::shared_ptr<const Snapshot> before = world.snapshot();
        try {
            const BreakableExecutor::BreakOff watching(executor, *break_off);
            world.step();
        } catch (const BreakableExecutor::BrokenOff&) {
            World fresh({}, &executor);
            fresh.restore(*before);
            fresh.watch(watched);
            world = std::move(fresh);
            begun = replay || what_if;
            return false;
        }
    }
    step_took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    begun = false;
    return true;
}

bool Runner::Impl::step(const std::atomic<bool>* break_off) {
    if (replay) {
        return replay_step(break_off);
    }
    advance_frames();
    apply_queue();
    if (!begun) {
        repeat_commands();
    }
    if (!step_world(break_off)) {
        world.publish(*current);
        answer();
        return false;
    }
    publish_step();
    edits.note_breaks(current->breaks);
    record.hash = current->hash;
    record_step();
    note_step();
    answer();
    return true;
}

Runner::Runner(const Scene& scene, Executor* executor, std::size_t history_budget)
    : impl_(std::make_unique<Impl>(scene, executor, history_budget)) {
}

Runner::~Runner() {
    try {
        impl_->stop_recording();
    } catch (const std::exception&) {
        // Whoever needs to know stops the recording.
    }
}

void Runner::load(const Scene& scene) {
    World fresh = make_world(scene, &impl_->executor);
    Scene copy = scene; // `scene` may be our own
    impl_->leave();
    impl_->scene = std::move(copy);
    impl_->dropped = 0.0;
    impl_->replace_world(std::move(fresh), impl_->scene);
}

void Runner::restart() {
    load(impl_->scene);
}

const Scene& Runner::scene() const {
    return impl_->scene;
}

bool Runner::began_as_scene() const {
    const Scene &start = impl_->history.scene(), &scene = impl_->scene;
    return start.bodies == scene.bodies && start.joints == scene.joints && start.settings == scene.settings;
}

void Runner::set_expected(std::vector<Zone> zones, std::vector<Expectation> expectations) {
    impl_->scene.zones = std::move(zones);
    impl_->scene.expectations = std::move(expectations);
}

const EditHistory& Runner::edits() const {
    return impl_->edits;
}

bool Runner::step(const std::atomic<bool>* break_off) {
    return impl_->step(break_off);
}

void Runner::watch(const FrameDetails& details) {
    if (details == impl_->watched) {
        return;
    }
    impl_->watched = details;
    impl_->world.watch(details);
    impl_->begin_frame();
    impl_->world.publish(*impl_->current);
}

void Runner::let_pass(double seconds, int most_due) {
    Impl& run = *impl_;
    if (paused) {
        run.ahead = run.step_seconds(); // goes on from what is shown now, see interpolation()
    } else if (seconds > 0.0) {
        run.ahead += seconds * scale_in_range(time_scale);
        run.drop_all_but(most_due, scale_in_range(time_scale));
    }
}

bool Runner::step_if_due(const std::atomic<bool>* break_off) {
    Impl& run = *impl_;
    if (paused || run.steps_due() < 1.0) {
        return false;
    }
    if (run.replay && run.replay->state.finished) {
        run.ahead = 0.0;
        return false;
    }
    if (!run.step(break_off)) {
        return false;
    }
    run.ahead -= run.step_seconds();
    return true;
}

bool Runner::steps_are_long() const {
    return impl_->step_took >= long_step;
}

double Runner::seconds_until_due() const {
    if (paused || (impl_->replay && impl_->replay->state.finished)) {
        return std::numeric_limits<double>::infinity();
    }
    return std::max(impl_->step_seconds() - impl_->ahead, 0.0) / scale_in_range(time_scale);
}

double Runner::seconds_ahead() const {
    return impl_->ahead;
}

int Runner::advance(double seconds, int max_steps, const std::function<void()>& stepped) {
    let_pass(seconds, std::numeric_limits<int>::max());
    if (paused || !(seconds > 0.0)) {
        return 0;
    }
    int steps = 0;
    while (steps < max_steps && step_if_due()) {
        ++steps;
        if (stepped) {
            stepped();
        }
    }
    impl_->drop_all_but(0, scale_in_range(time_scale));
    return steps;
}

double Runner::interpolation() const {
    if (paused || (impl_->replay && impl_->replay->state.finished)) {
        return 1.0;
    }
    return std::clamp(impl_->ahead / impl_->step_seconds(), 0.0, 1.0);
}

double Runner::dropped_seconds() const {
    return impl_->dropped;
}

double Runner::publish_seconds() const {
    return impl_->publish_seconds;
}

const FrameState& Runner::previous() const {
    return *impl_->previous;
}

const FrameState& Runner::current() const {
    return *impl_->current;
}

std::shared_ptr<const FrameState> Runner::share_previous() {
    impl_->previous_shared = true;
    impl_->current_shared = impl_->current_shared || impl_->previous == impl_->current;
    return impl_->previous;
}

std::shared_ptr<const FrameState> Runner::share_current() {
    impl_->current_shared = true;
    impl_->previous_shared = impl_->previous_shared || impl_->previous == impl_->current;
    return impl_->current;
}

std::optional<WorldRayHit> Runner::ray_cast(const Ray& ray) const {
    return impl_->world.ray_cast(ray);
}

std::vector<RemadeBody> Runner::take_remade() {
    return std::exchange(impl_->remade, {});
}

std::vector<std::string> Runner::take_messages() {
    std::vector<std::string> taken;
    taken.swap(impl_->messages);
    if (impl_->lost_messages > 0) {
        taken.push_back(std::to_string(impl_->lost_messages) + " more messages were not kept");
        impl_->lost_messages = 0;
    }
    return taken;
}

} // namespace cairn::core
