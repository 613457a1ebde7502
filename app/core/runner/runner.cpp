#include "app/core/runner/runner.h"

#include "app/core/base/error.h"
#include "app/core/capture/recorder.h"
#include "app/core/history/what_if.h"
#include "app/core/runner/frame_pool.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace cairn::core {
namespace {

using namespace cairn::physics;

// Real time is measured in doubles, and 1/60 s is no binary fraction: a step that is due but for rounding is due.
constexpr double due_share = 1.0 - 1e-6;

constexpr std::size_t max_messages = 200; // kept until somebody takes them

constexpr const char* replay_refusal = "a capture is being replayed: stop the replay to change the world";
constexpr const char* wind_refusal = "the world went to another step before the command could be applied";
constexpr const char* reload_refusal = "another scene was started before the command could be applied";

enum class Wish { command, undo, redo, give_up };

struct Pending {
    Command command;
    std::function<void(const CommandResult&)> on_result;
    CommandResult result{};
    EditMark mark{};
    Wish wish = Wish::command;
};

double scale_in_range(double time_scale) {
    return std::clamp(time_scale, 0.01, 10.0);
}

BodyState* find(FrameState& frame, BodyId id) {
    const auto at = std::lower_bound(frame.bodies.begin(), frame.bodies.end(), id.index,
                                     [](const BodyState& body, std::uint32_t index) { return body.id.index < index; });
    return at != frame.bodies.end() && at->id == id ? &*at : nullptr;
}

struct Replay {
    std::shared_ptr<const Capture> capture;
    Runner::ReplayState state;
    std::vector<bool> compared{}; // by step
};

} // namespace

struct Runner::Impl {
    Executor* executor;
    Scene scene;
    World world;
    FramePool frames;
    // The same frame before the first step. What was given out is not written to any more.
    std::shared_ptr<FrameState> previous, current;
    bool previous_shared = false, current_shared = false;
    bool untouched = true; // the world is still exactly what `scene` makes

    std::vector<Pending> queue, taken; // `taken` is what apply_queue works through; both keep their memory
    std::vector<std::string> messages;
    std::uint64_t lost_messages = 0;

    double ahead = 0.0; // s of simulated time that the clock is ahead of current()
    double dropped = 0.0;
    double publish_seconds = 0.0;

    std::unique_ptr<Recorder> writer;
    CaptureStep record; // commands since the last step, then that step
    EditHistory edits;
    History history;

    std::optional<Replay> replay;
    std::optional<WhatIf> what_if;
    FrameDetails watched;

    Impl(const Scene& from, Executor* with, std::size_t history_budget)
        : executor(with), scene(from), world(make_world(from, with)), history(history_budget) {
        publish_start(from);
    }

    double step_seconds() const { return 1.0 / static_cast<double>(current->settings.hz); }
    double steps_due() const { return std::floor(ahead / step_seconds() + (1.0 - due_share)); }

    // Forgets whole steps, so that what is shown does not jump.
    void drop_all_but(int most_due, double scale) {
        const double more = steps_due() - static_cast<double>(most_due);
        if (more >= 1.0) {
            ahead -= more * step_seconds();
            dropped += more * step_seconds() / scale;
        }
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

    // A frame to write what follows current() into, which stays as it is for those who read it.
    void begin_frame() {
        if (current_shared || previous == current) {
            current.reset(); // first, so that its memory is used again if nobody has it
            current = frames.take();
            current_shared = false;
        }
    }

    void advance_frames() {
        previous.reset();
        previous = std::move(current);
        previous_shared = std::exchange(current_shared, false);
        current = frames.take();
    }

    // The world as it stands, which came from nowhere.
    void publish_still() {
        previous.reset();
        current.reset();
        current = frames.take();
        current_shared = false;
        world.publish(*current);
        previous = current;
        previous_shared = false;
        ahead = 0.0;
    }

    // `from`: what made the world.
    void publish_start(const Scene& from) {
        publish_still();
        untouched = true;
        history.begin(std::make_shared<const Scene>(from), current->hash);
    }

    void replace_world(World fresh, const Scene& from) {
        world = std::move(fresh);
        world.watch(watched);
        edits.clear();
        what_if.reset();
        record.commands.clear();
        frames = FramePool(); // those of the old world go when the last reader lets go of them
        publish_start(from);
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
        what_if.reset();
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
        const std::unique_ptr<Recorder> ending = std::move(writer);
        if (ending) {
            const bool unchanged = record.commands.empty() && ending->steps() > 0; // since the last step
            ending->finish(unchanged ? &world : nullptr);
        }
    }

    // Applies what is queued; answer() afterwards tells those who asked, when the new state is published.
    void apply_queue() {
        taken.clear();
        taken.swap(queue);
        for (Pending& pending : taken) {
            if (pending.wish != Wish::command) {
                wind(pending.wish, pending.mark.gesture);
                continue;
            }
            pending.result = edits.apply(world, pending.command, pending.mark);
            if (!pending.result.ok()) {
                say(pending.result.error);
                continue;
            }
            applied(std::move(pending.command));
        }
    }

    void applied(Command command) {
        untouched = false;
        carry_to_previous(command);
        record.commands.push_back(std::move(command));
    }

    void wind(Wish wish, std::uint64_t gesture) {
        EditHistory::Outcome outcome = wish == Wish::undo   ? edits.undo(world)
                                       : wish == Wish::redo ? edits.redo(world)
                                                            : edits.give_up(world, gesture);
        for (Command& command : outcome.applied) {
            applied(std::move(command));
        }
        if (!outcome.problem.empty()) {
            say((wish == Wish::redo ? "doing again \"" : "undoing \"") + outcome.what + "\": " + outcome.problem);
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
        const std::optional<BodyState> now = world.state(set->body);
        if (!now || find(*previous, set->body) == nullptr) {
            return;
        }
        if (previous_shared || previous == current) {
            std::shared_ptr<FrameState> copy = frames.take();
            *copy = *previous;
            previous = std::move(copy);
            previous_shared = false;
        }
        find(*previous, set->body)->pose = now->pose;
    }

    void publish_step() {
        const auto start = std::chrono::steady_clock::now();
        world.publish(*current);
        publish_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        untouched = false;
        for (const std::string& report : current->reports) {
            say(report);
        }
    }

    void step() {
        if (replay) {
            replay_step();
            return;
        }
        advance_frames();
        apply_queue();
        repeat_commands();
        world.step();
        publish_step();
        record.hash = current->hash;
        if (writer) {
            try {
                writer->add(record, world, current->stats);
            } catch (const InputError& error) {
                writer.reset();
                say(std::string("recording stopped: ") + error.what());
            }
        }
        note_step();
        answer();
    }

    // Into the history: `record` is what was applied before the step, and its hash. A line that begins so is called
    // after what was changed.
    void note_step() {
        const std::size_t lines = history.line_count();
        history.add(std::exchange(record, {}), world, current->stats.times.total());
        if (const std::size_t line = history.current_line(); history.line_count() > lines) {
            const std::string settings =
                settings_changes(history.settings_after(history.line(line).parent, current->step), current->settings);
            history.name_line(line, replay ? "As computed here" : settings.empty() ? edits.undo_what() : settings);
        }
        if (what_if && current->step >= what_if->end()) {
            what_if.reset();
            say("What followed has been done again, up to step " + std::to_string(current->step));
        }
    }

    // The commands that the next step had on the line that is done again.
    void repeat_commands() {
        if (!what_if) {
            return;
        }
        for (const Command& command : history.step(what_if->line(), world.step_count() + 1).commands) {
            Command carried = what_if->carried(command, world.settings());
            const CommandResult result = world.apply(carried);
            if (result.ok()) {
                applied(std::move(carried));
            } else {
                say("what if: " + result.error);
            }
        }
    }

    // See History::wind. Where a capture's file is no longer what it was, the way is longer, and that is told.
    std::optional<Divergence> go(std::uint64_t step, bool at_hand, const std::function<bool()>& give_up) {
        try {
            return history.wind(world, step, at_hand, give_up);
        } catch (const InputError& error) {
            say(error.what());
            history.forget_keyframes();
            return history.wind(world, step, at_hand, give_up);
        }
    }

    // Of the replay: the first one counts.
    void note_divergence(std::optional<Divergence> divergence) {
        if (divergence && !replay->state.divergence) {
            replay->state.divergence = std::move(divergence);
            say("replay " + replay->state.divergence->what);
        }
    }

    void replay_step() {
        refuse_queue(replay_refusal);
        ReplayState& state = replay->state;
        if (state.step >= state.steps) {
            state.finished = true;
            return;
        }
        advance_frames();
        const CaptureStep& recorded = replay->capture->steps[state.step];
        for (const Command& command : recorded.commands) {
            const CommandResult result = world.apply(command);
            if (result.ok()) {
                carry_to_previous(command);
                record.commands.push_back(command);
            } else {
                say("replay: " + result.error);
            }
        }
        world.step();
        publish_step();
        record.hash = current->hash;
        note_step();
        ++state.step;
        replay->compared.resize(state.steps + 1);
        if (!replay->compared[state.step]) {
            replay->compared[state.step] = true;
            ++state.compared;
        }
        if (current->hash != recorded.hash) {
            note_divergence(divergence_at(recorded.step, recorded.hash, current->hash, {}));
        }
        state.finished = state.step >= state.steps;
    }
};

Runner::Runner(const Scene& scene, Executor* executor, std::size_t history_budget)
    : impl_(std::make_unique<Impl>(scene, executor, history_budget)) {
}

Runner::~Runner() = default;

void Runner::load(const Scene& scene) {
    World fresh = make_world(scene, impl_->executor);
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

void Runner::submit(Command command, std::function<void(const CommandResult&)> on_result, EditMark mark) {
    if (impl_->replay) {
        if (on_result) {
            on_result(CommandResult{replay_refusal, {}});
        }
        return;
    }
    impl_->queue.push_back({std::move(command), std::move(on_result), {}, std::move(mark)});
}

void Runner::undo() {
    if (!impl_->replay) {
        impl_->queue.push_back({ReleaseGrab{}, {}, {}, {}, Wish::undo});
    }
}

void Runner::redo() {
    if (!impl_->replay) {
        impl_->queue.push_back({ReleaseGrab{}, {}, {}, {}, Wish::redo});
    }
}

void Runner::give_up(std::uint64_t gesture) {
    if (!impl_->replay) {
        impl_->queue.push_back({ReleaseGrab{}, {}, {}, {{}, gesture}, Wish::give_up});
    }
}

const std::string& Runner::undo_what() const {
    return impl_->edits.undo_what();
}

const std::string& Runner::redo_what() const {
    return impl_->edits.redo_what();
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
    impl_->begin_frame();
    impl_->world.publish(*impl_->current);
    impl_->answer();
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

bool Runner::step_if_due() {
    Impl& run = *impl_;
    if (paused || run.steps_due() < 1.0) {
        return false;
    }
    if (run.replay && run.replay->state.finished) {
        run.ahead = 0.0;
        return false;
    }
    run.step();
    run.ahead -= run.step_seconds();
    return true;
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
        run.writer = std::make_unique<Recorder>(path, run.scene, run.current->hash);
        return;
    }
    const Scene start = from_start ? run.scene : scene_from(*run.current, run.scene.name, run.scene.camera);
    World fresh = make_world(start, run.executor);
    auto writer = std::make_unique<Recorder>(path, start, fresh.hash());
    run.replace_world(std::move(fresh), start);
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

std::uint64_t Runner::known_steps() const {
    return impl_->history.steps();
}

Stretch Runner::stretch(std::uint64_t from, std::uint64_t to) const {
    Stretch stretch = impl_->history.stretch(from);
    while (!stretch.steps.empty() && stretch.steps.back().step > to) {
        stretch.steps.pop_back();
    }
    return stretch;
}

void Runner::save_history(const std::filesystem::path& path) const {
    impl_->history.save(path, impl_->executor);
}

void Runner::go_to(std::uint64_t step, const std::function<bool()>& give_up) {
    Impl& run = *impl_;
    if (run.writer) {
        run.say("The recording has ended: the world went to another step");
        stop_recording();
    }
    run.refuse_queue(wind_refusal);
    run.what_if.reset();
    const bool at_hand = run.record.commands.empty(); // else it stands between two steps
    run.record.commands.clear();
    run.edits.clear();
    const std::optional<Divergence> divergence = run.go(std::min(step, run.history.steps()), at_hand, give_up);
    run.publish_still();
    run.untouched = false;
    if (run.replay) {
        run.note_divergence(divergence);
        run.replay->state.step = run.world.step_count();
        run.replay->state.finished = run.replay->state.step >= run.replay->state.steps;
    }
}

const History& Runner::history() const {
    return impl_->history;
}

void Runner::take_line(std::size_t line) {
    const std::uint64_t shared = impl_->history.take_line(line);
    if (impl_->world.step_count() > shared) {
        impl_->record.commands.clear();
        // Where the world stands is no step of this line: it must not go on from there.
        impl_->go(shared, false, {});
    }
    go_to(std::min(impl_->world.step_count(), shared));
}

void Runner::name_line(std::size_t line, std::string name) {
    if (line < impl_->history.line_count()) {
        impl_->history.name_line(line, std::move(name));
    }
}

bool Runner::begin_what_if() {
    Impl& run = *impl_;
    const std::uint64_t step = run.world.step_count();
    if (step >= run.history.steps()) {
        return false;
    }
    run.replay.reset(); // what follows in its capture is known
    run.what_if.emplace(run.history, step);
    return true;
}

void Runner::end_what_if() {
    impl_->what_if.reset();
}

std::optional<Runner::WhatIfState> Runner::what_if() const {
    if (!impl_->what_if) {
        return std::nullopt;
    }
    return WhatIfState{impl_->what_if->line(), impl_->what_if->from(), impl_->what_if->end()};
}

void Runner::start_replay(const std::filesystem::path& path, std::uint64_t at) {
    Impl& run = *impl_;
    if (run.writer) {
        stop_recording(); // first: it may be this very file
    }
    const auto capture = std::make_shared<const Capture>(read_capture(path));
    if (at > capture->steps.size()) {
        throw InputError(Location{path.string(), 0, 0}, "the capture ends at step " +
                                                            std::to_string(capture->steps.size()) + ", before step " +
                                                            std::to_string(at));
    }
    World fresh = make_world(capture->header.scene, run.executor);
    const std::uint64_t start_hash = fresh.hash();
    std::optional<Divergence> on_the_way;
    if (at > 0) {
        fresh = world_at(*capture, at, run.executor, &on_the_way);
    }
    run.leave();
    run.scene = capture->header.scene;
    run.dropped = 0.0;
    run.replace_world(std::move(fresh), run.scene);
    run.untouched = false;
    run.history.begin(std::make_shared<const Scene>(run.scene), start_hash);
    run.history.adopt(capture);
    Replay replay{capture, {}, {}};
    replay.state.path = path;
    replay.state.step = at;
    replay.state.steps = capture->steps.size();
    replay.state.finished = at == replay.state.steps;
    if (start_hash != capture->initial_hash) {
        on_the_way = divergence_at(0, capture->initial_hash, start_hash, "the scene itself gives another state");
    }
    if (on_the_way) {
        replay.state.divergence = on_the_way;
        run.say("replay " + replay.state.divergence->what);
    }
    if (capture->truncated) {
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
