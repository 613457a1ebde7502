#include "app/core/runner/runner.h"

#include "app/core/base/error.h"

#include <algorithm>
#include <cmath>

namespace cairn::core {
namespace {

using namespace cairn::physics;

// Real time is measured in doubles, and 1/60 s is no binary fraction: a step that is due but for rounding is due.
constexpr double due_share = 1.0 - 1e-6;

constexpr std::size_t max_messages = 200; // kept until somebody takes them

constexpr const char* replay_refusal = "a capture is being replayed: stop the replay to change the world";
constexpr const char* reload_refusal = "another scene was started before the command could be applied";

struct Pending {
    Command command;
    std::function<void(const CommandResult&)> on_result;
    CommandResult result;
};

BodyState* find(FrameState& frame, BodyId id) {
    const auto at = std::lower_bound(frame.bodies.begin(), frame.bodies.end(), id.index,
                                     [](const BodyState& body, std::uint32_t index) { return body.id.index < index; });
    return at != frame.bodies.end() && at->id == id ? &*at : nullptr;
}

struct Replay {
    Capture capture;
    Runner::ReplayState state;
};

} // namespace

struct Runner::Impl {
    Executor* executor;
    Scene scene;
    World world;
    FrameState previous, current;
    bool untouched = true; // the world is still exactly what `scene` makes

    std::vector<Pending> queue, taken; // `taken` is what apply_queue works through; both keep their memory
    std::vector<std::string> messages;
    std::uint64_t lost_messages = 0;

    double ahead = 0.0; // s of simulated time that the clock is ahead of current()
    double dropped = 0.0;

    std::unique_ptr<CaptureWriter> writer;
    CaptureStep record; // commands since the last step, then that step

    std::optional<Replay> replay;

    Impl(const Scene& from, Executor* with) : executor(with), scene(from), world(make_world(from, with)) {
        publish_start();
    }

    void say(std::string message) {
        if (!messages.empty() && messages.back() == message) {
            return;
        }
        if (messages.size() >= max_messages) {
            ++lost_messages;
            return;
        }
        messages.push_back(std::move(message));
    }

    void publish_start() {
        world.publish(current);
        previous = current;
        untouched = true;
        ahead = 0.0;
    }

    void replace_world(World fresh) {
        world = std::move(fresh);
        record.commands.clear();
        publish_start();
    }

    void refuse_queue(const char* reason) {
        std::vector<Pending> refused;
        refused.swap(queue);
        for (Pending& pending : refused) {
            if (pending.on_result) {
                pending.on_result(CommandResult{reason, {}});
            }
        }
    }

    // Recording and replay belong to the world that is about to go.
    void leave() {
        replay.reset();
        if (writer) {
            try {
                stop_recording();
            } catch (const InputError& error) {
                say(error.what());
            }
        }
        refuse_queue(reload_refusal);
    }

    void stop_recording() {
        const std::unique_ptr<CaptureWriter> ending = std::move(writer);
        record.commands.clear();
        if (ending) {
            ending->finish();
        }
    }

    // Applies what is queued; answer() afterwards tells those who asked, when the new state is published.
    void apply_queue() {
        taken.clear();
        taken.swap(queue);
        for (Pending& pending : taken) {
            pending.result = world.apply(pending.command);
            if (!pending.result.ok()) {
                say(pending.result.error);
                continue;
            }
            untouched = false;
            carry_to_previous(pending.command);
            if (writer) {
                record.commands.push_back(std::move(pending.command));
            }
        }
    }

    void answer() {
        // A callback may submit commands (they are for the next step) or even load another scene.
        std::vector<Pending> answered;
        answered.swap(taken);
        for (Pending& pending : answered) {
            if (pending.on_result) {
                pending.on_result(pending.result);
            }
        }
        answered.clear();
        if (taken.empty()) {
            taken.swap(answered); // keeps the memory
        }
    }

    // A body put elsewhere must not be drawn on its way there.
    void carry_to_previous(const Command& command) {
        const auto* set = std::get_if<SetBody>(&command);
        if (set == nullptr || (!set->position && !set->orientation)) {
            return;
        }
        BodyState* shown = find(previous, set->body);
        const std::optional<BodyState> now = world.state(set->body);
        if (shown != nullptr && now) {
            shown->pose = now->pose;
        }
    }

    void publish_step() {
        world.publish(current);
        untouched = false;
        for (const std::string& report : current.reports) {
            say(report);
        }
    }

    void step() {
        if (replay) {
            replay_step();
            return;
        }
        std::swap(previous, current);
        apply_queue();
        world.step();
        publish_step();
        if (writer) {
            record.step = writer->steps() + 1;
            record.hash = current.hash;
            try {
                writer->add(record);
                record.commands.clear();
            } catch (const InputError& error) {
                writer.reset();
                record.commands.clear();
                say(std::string("recording stopped: ") + error.what());
            }
        }
        answer();
    }

    void replay_step() {
        refuse_queue(replay_refusal);
        ReplayState& state = replay->state;
        if (state.step >= state.steps) {
            state.finished = true;
            return;
        }
        std::swap(previous, current);
        const CaptureStep& recorded = replay->capture.steps[state.step];
        for (const Command& command : recorded.commands) {
            const CommandResult result = world.apply(command);
            if (result.ok()) {
                carry_to_previous(command);
            } else {
                say("replay: " + result.error);
            }
        }
        world.step();
        publish_step();
        ++state.step;
        if (current.hash != recorded.hash && !state.divergence) {
            state.divergence = divergence_at(recorded.step, recorded.hash, current.hash, {});
            say("replay " + state.divergence->what);
        }
        state.finished = state.step >= state.steps;
    }
};

Runner::Runner(const Scene& scene, Executor* executor) : impl_(std::make_unique<Impl>(scene, executor)) {
}

Runner::~Runner() = default;

void Runner::load(const Scene& scene) {
    World fresh = make_world(scene, impl_->executor);
    Scene copy = scene; // `scene` may be our own
    impl_->leave();
    impl_->scene = std::move(copy);
    impl_->dropped = 0.0;
    impl_->replace_world(std::move(fresh));
}

void Runner::restart() {
    load(impl_->scene);
}

const Scene& Runner::scene() const {
    return impl_->scene;
}

void Runner::submit(Command command, std::function<void(const CommandResult&)> on_result) {
    if (impl_->replay) {
        if (on_result) {
            on_result(CommandResult{replay_refusal, {}});
        }
        return;
    }
    impl_->queue.push_back({std::move(command), std::move(on_result), {}});
}

void Runner::step() {
    impl_->step();
}

void Runner::apply_pending() {
    if (impl_->replay) {
        impl_->refuse_queue(replay_refusal);
        return;
    }
    if (impl_->queue.empty()) {
        return;
    }
    impl_->apply_queue();
    impl_->world.publish(impl_->current);
    impl_->answer();
}

int Runner::advance(double seconds, int max_steps) {
    Impl& run = *impl_;
    const auto step_seconds = [&] { return 1.0 / static_cast<double>(run.current.settings.hz); };
    if (paused) {
        run.ahead = step_seconds(); // goes on from what is shown now, see interpolation()
        return 0;
    }
    if (!(seconds > 0.0)) {
        return 0;
    }
    const double scale = std::clamp(time_scale, 0.01, 10.0);
    run.ahead += seconds * scale;
    int steps = 0;
    while (steps < max_steps && run.ahead >= step_seconds() * due_share) {
        if (run.replay && run.replay->state.finished) {
            run.ahead = 0.0;
            break;
        }
        run.step();
        ++steps;
        run.ahead -= step_seconds();
    }
    if (run.ahead >= step_seconds() * due_share) {
        const double whole = std::floor(run.ahead / step_seconds() + (1.0 - due_share)) * step_seconds();
        run.ahead -= whole;
        run.dropped += whole / scale;
    }
    return steps;
}

double Runner::interpolation() const {
    if (paused || (impl_->replay && impl_->replay->state.finished)) {
        return 1.0;
    }
    return std::clamp(impl_->ahead * static_cast<double>(impl_->current.settings.hz), 0.0, 1.0);
}

double Runner::dropped_seconds() const {
    return impl_->dropped;
}

const FrameState& Runner::previous() const {
    return impl_->previous;
}

const FrameState& Runner::current() const {
    return impl_->current;
}

std::optional<WorldRayHit> Runner::ray_cast(const Ray& ray) const {
    return impl_->world.ray_cast(ray);
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

void Runner::start_recording(const std::filesystem::path& path, bool from_start) {
    Impl& run = *impl_;
    if (run.replay) {
        stop_replay();
    }
    if (run.writer) {
        stop_recording();
    }
    apply_pending();
    if (run.untouched) {
        run.writer = std::make_unique<CaptureWriter>(path, run.scene, run.current.hash);
        run.record.commands.clear();
        return;
    }
    const Scene start = from_start ? run.scene : scene_from(run.current, run.scene.name, run.scene.camera);
    World fresh = make_world(start, run.executor);
    auto writer = std::make_unique<CaptureWriter>(path, start, fresh.hash());
    run.replace_world(std::move(fresh));
    // With the present state as its start, the world is no longer what the loaded scene makes.
    run.untouched = from_start;
    run.writer = std::move(writer);
}

void Runner::stop_recording() {
    impl_->stop_recording();
}

bool Runner::recording() const {
    return impl_->writer != nullptr;
}

std::uint64_t Runner::recorded_steps() const {
    return impl_->writer ? impl_->writer->steps() : 0;
}

std::filesystem::path Runner::recording_path() const {
    return impl_->writer ? impl_->writer->path() : std::filesystem::path{};
}

void Runner::start_replay(const std::filesystem::path& path) {
    Impl& run = *impl_;
    if (run.writer) {
        stop_recording(); // first: it may be this very file
    }
    Capture capture = read_capture(path);
    World fresh = make_world(capture.header.scene, run.executor);
    run.leave();
    run.scene = capture.header.scene;
    run.dropped = 0.0;
    run.replace_world(std::move(fresh));
    run.untouched = false;
    Replay replay{std::move(capture), {}};
    replay.state.path = path;
    replay.state.steps = replay.capture.steps.size();
    replay.state.finished = replay.capture.steps.empty();
    if (run.current.hash != replay.capture.initial_hash) {
        replay.state.divergence =
            divergence_at(0, replay.capture.initial_hash, run.current.hash, "the scene itself gives another state");
        run.say("replay " + replay.state.divergence->what);
    }
    if (replay.capture.truncated) {
        run.say(path.string() + ": the capture is cut off after step " + std::to_string(replay.state.steps));
    }
    run.replay = std::move(replay);
}

void Runner::stop_replay() {
    impl_->replay.reset();
}

std::optional<Runner::ReplayState> Runner::replay() const {
    if (!impl_->replay) {
        return std::nullopt;
    }
    return impl_->replay->state;
}

bool Runner::replaying() const {
    return impl_->replay.has_value();
}

} // namespace cairn::core
