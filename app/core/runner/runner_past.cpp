// What has happened and what follows from it: recording, replay, history and what if.
#include "app/core/base/error.h"
#include "app/core/runner/runner_impl.h"

#include <algorithm>
#include <utility>

namespace cairn::core {

using namespace cairn::physics;

void Runner::Impl::leave() {
    replay.reset();
    what_if.reset();
    if (writer) {
        try {
            stop_recording();
        } catch (const InputError& error) {
            say(error.what());
        }
    }
    reject_queue(reload_rejection);
}

void Runner::Impl::stop_recording() {
    const std::unique_ptr<Recorder> ending = std::move(writer);
    if (ending) {
        const bool unchanged = record.commands.empty() && ending->steps() > 0; // since the last step
        ending->finish(unchanged ? &world : nullptr);
    }
}

void Runner::Impl::record_step() {
    if (!writer) {
        return;
    }
    try {
        writer->add(record, world, current->stats);
    } catch (const InputError& error) {
        recording_failure = std::current_exception();
        writer.reset();
        say(std::string("recording stopped: ") + error.what());
    }
}

void Runner::Impl::note_step() {
    if (!keeps_past) {
        record = {};
        return;
    }
    const std::size_t branches = history.branch_count();
    const bool does_nothing = record.commands.empty() && !replay;
    history.add(std::exchange(record, {}), world, current->stats.times.total());
    if (const std::size_t branch = history.current_branch(); history.branch_count() > branches) {
        const std::string settings =
            settings_changes(history.settings_after(history.branch(branch).parent, current->step), current->settings);
        if (does_nothing) {
            say("What you did at step " + std::to_string(current->step) +
                " is on the other branch; to repeat it as you go on, press J at an earlier step");
        }
        history.name_branch(branch, replay ? "As computed here" : settings.empty() ? edits.undo_what() : settings);
    }
    if (what_if && current->step >= what_if->end()) {
        what_if.reset();
        say("What-if finished at step " + std::to_string(current->step));
    }
}

void Runner::Impl::repeat_commands() {
    if (!what_if) {
        return;
    }
    for (const Command& command : history.step(what_if->branch(), world.step_count() + 1).commands) {
        Command carried = what_if->carried(command, world.settings());
        const CommandResult result = world.apply(carried);
        if (result.ok()) {
            applied(std::move(carried));
        } else {
            say("what-if: " + result.error);
        }
    }
}

std::optional<Divergence> Runner::Impl::go(std::uint64_t step, bool at_hand, const std::function<bool()>& give_up) {
    try {
        return history.seek(world, step, at_hand, give_up);
    } catch (const InputError& error) {
        say(error.what());
        history.forget_keyframes();
        return history.seek(world, step, at_hand, give_up);
    }
}

void Runner::Impl::note_divergence(std::optional<Divergence> divergence) {
    if (divergence && !replay->state.divergence) {
        replay->state.divergence = std::move(divergence);
        say("replay " + replay->state.divergence->what);
    }
}

bool Runner::Impl::replay_step(const std::atomic<bool>* break_off) {
    reject_queue(replay_rejection);
    ReplayState& state = replay->state;
    if (state.step >= state.steps) {
        state.finished = true;
        return true;
    }
    advance_frames();
    const CaptureStep& recorded = replay->capture->steps[state.step];
    if (!begun) {
        apply_commands(
            world, recorded.commands,
            [&](const Command& command) {
                carry_to_previous(command);
                record.commands.push_back(command);
            },
            [&](const std::string& error) { say("replay: " + error); });
    }
    if (!step_world(break_off)) {
        world.publish(*current);
        return false;
    }
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
    return true;
}

void Runner::start_recording(const std::filesystem::path& path) {
    Impl& run = *impl_;
    if (run.replay) {
        stop_replay();
    }
    if (run.writer) {
        stop_recording();
    }
    run.recording_failure = nullptr;
    apply_pending();
    const std::uint64_t here = run.world.step_count();
    if (here != 0 && !run.keeps_past) {
        throw InputError("a recording begins with the scene, and the steps since then were not kept");
    }
    auto writer = std::make_unique<Recorder>(path, run.history.scene(), run.history.initial_hash());
    run.history.write_until(
        here, [&](const CaptureStep& step) { writer->add_past(step); },
        [&](const StateImage& state) { return writer->add_past(state); });
    run.writer = std::move(writer);
    run.recording_from = here;
}

void Runner::stop_recording() {
    impl_->stop_recording();
}

std::exception_ptr Runner::recording_failure() const {
    return impl_->recording_failure;
}

bool Runner::recording() const {
    return impl_->writer != nullptr;
}

std::uint64_t Runner::recording_from() const {
    return impl_->writer ? impl_->recording_from : 0;
}

std::uint64_t Runner::recorded_steps() const {
    return impl_->writer ? impl_->writer->steps() - impl_->recording_from : 0;
}

std::filesystem::path Runner::recording_path() const {
    return impl_->writer ? impl_->writer->path() : std::filesystem::path{};
}

void Runner::save_history(const std::filesystem::path& path) const {
    impl_->history.save(path, &impl_->executor);
}

// What has been changed since the last step belongs to none yet.
void Runner::Impl::keep_changes() {
    if (keeps_past && !replay && !record.commands.empty()) {
        step(nullptr);
        say("Step " + std::to_string(world.step_count()) + " was taken, to keep what you changed before it");
    }
}

void Runner::go_to(std::uint64_t step, const std::function<bool()>& give_up) {
    Impl& run = *impl_;
    run.reject_queue(seek_rejection);
    run.keep_changes();
    if (run.writer) {
        run.say("Recording stopped: the world went to another step");
        stop_recording();
    }
    run.what_if.reset();
    const bool at_hand = run.record.commands.empty(); // else it stands between two steps
    run.record.commands.clear();
    run.begun = false;
    run.edits.clear();
    const std::optional<Divergence> divergence = run.go(std::min(step, run.history.steps()), at_hand, give_up);
    run.publish_still();
    if (run.replay) {
        run.note_divergence(divergence);
        run.replay->state.step = run.world.step_count();
        run.replay->state.finished = run.replay->state.step >= run.replay->state.steps;
    }
}

const History& Runner::history() const {
    return impl_->history;
}

void Runner::take_branch(std::size_t branch) {
    impl_->reject_queue(seek_rejection);
    impl_->keep_changes();
    const std::uint64_t shared = impl_->history.take_branch(branch);
    if (impl_->world.step_count() > shared) {
        impl_->record.commands.clear();
        // Where the world stands is no step of this branch: it must not go on from there.
        impl_->go(shared, false, {});
    }
    go_to(std::min(impl_->world.step_count(), shared));
}

void Runner::name_branch(std::size_t branch, std::string name) {
    if (branch < impl_->history.branch_count()) {
        impl_->history.name_branch(branch, std::move(name));
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
    return WhatIfState{impl_->what_if->branch(), impl_->what_if->from(), impl_->what_if->end()};
}

void Runner::start_replay(const std::filesystem::path& path, std::uint64_t at) {
    Impl& run = *impl_;
    if (run.writer) {
        stop_recording(); // first: it may be this very file
    }
    const auto capture = std::make_shared<const Capture>(read_capture(path));
    if (at > capture->steps.size()) {
        throw InputError(Location{path.string(), 0, 0},
                         "the capture ends at step " + std::to_string(capture->steps.size()) + ", before that one");
    }
    World fresh = make_world(capture->header.scene, &run.executor);
    const std::uint64_t start_hash = fresh.hash();
    std::optional<Divergence> on_the_way;
    if (at > 0) {
        fresh = world_at(*capture, at, &run.executor, &on_the_way);
    }
    run.leave();
    run.scene = capture->header.scene;
    run.dropped = 0.0;
    run.replace_world(std::move(fresh), run.scene);
    run.history.begin(std::make_shared<const Scene>(run.scene), start_hash);
    run.history.adopt(capture);
    Impl::Replay replay{capture, {}, {}};
    replay.state.path = path;
    replay.state.step = at;
    replay.state.steps = capture->steps.size();
    replay.state.finished = at == replay.state.steps;
    if (start_hash != capture->initial_hash) {
        on_the_way =
            divergence_at(0, capture->initial_hash, start_hash, "the scene itself has a different initial state");
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
