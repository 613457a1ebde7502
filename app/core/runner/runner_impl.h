// What the files of Runner share, and nobody else includes: runner.cpp holds the clock and the frames,
// runner_queue.cpp the commands, runner_past.cpp what has happened: recording, replay, history and what if.
#pragma once

#include "app/core/capture/recorder.h"
#include "app/core/history/what_if.h"
#include "app/core/runner/frame_pool.h"
#include "app/core/runner/runner.h"
#include "app/core/workers/breakable_executor.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::core {

struct Runner::Impl {
    enum class Unwind { undo, redo, give_up };
    struct Pending {
        std::variant<physics::Command, CreateBodies, ReplaceShape, BrushHeights, Unwind> asked;
        EditMark mark{}; // to be given up: the edit of its gesture
        std::function<void(const physics::CommandResult&)> on_result{};
        physics::CommandResult result{};
        std::function<void(const std::vector<physics::BodyId>&)> on_created{};
        std::vector<physics::BodyId> created{};
    };
    struct Replay {
        std::shared_ptr<const Capture> capture;
        ReplayState state;
        std::vector<bool> compared{}; // by step
    };

    BreakableExecutor executor;
    Scene scene;
    physics::World world;
    FramePool frames;
    // The same frame before the first step. What was given out is not written to any more.
    std::shared_ptr<physics::FrameState> previous, current;
    bool previous_shared = false, current_shared = false;

    std::vector<Pending> queue, taken; // `taken` is what apply_queue works through; both keep their memory
    std::vector<std::string> messages;
    std::vector<RemadeBody> remade;
    std::uint64_t lost_messages = 0;

    double ahead = 0.0; // s of simulated time that the clock is ahead of current()
    double dropped = 0.0;
    double publish_seconds = 0.0;
    double step_took = 0.0; // s, the last one of this world
    bool begun = false; // what is replayed or repeated in the next step has been applied, by a try that was broken off

    std::unique_ptr<Recorder> writer;
    std::exception_ptr recording_failure;
    std::uint64_t recording_from = 0; // step
    CaptureStep record;               // commands since the last step, then that step
    EditHistory edits;
    bool keeps_past;
    History history;

    std::optional<Replay> replay;
    std::optional<WhatIf> what_if;
    physics::FrameDetails watched;

    Impl(const Scene& from, physics::Executor* with, std::size_t history_budget);

    // The clock.
    double step_seconds() const { return 1.0 / static_cast<double>(current->settings.hz); }
    double steps_due() const;
    // Forgets whole steps, so that what is shown does not jump.
    void drop_all_but(int most_due, double scale);

    void say(std::string message);

    // The published frames.

    // A frame to write what follows current() into, which stays as it is for those who read it.
    void begin_frame();
    void advance_frames();
    // The world as it stands, which came from nowhere.
    void publish_still();
    // `from`: what made the world.
    void publish_start(const Scene& from);
    void publish_step();
    // A body put elsewhere must not be drawn on its way there.
    void carry_to_previous(const physics::Command& command);

    void replace_world(physics::World fresh, const Scene& from);

    // The queue.
    void reject_queue(const char* reason);
    // What nobody waits for; in a replay, nothing.
    template <class Asked>
    void ask(Asked asked, EditMark mark = {}) {
        if (!replay) {
            queue.push_back({std::move(asked), std::move(mark)});
        }
    }
    // Applies what is queued; answer() afterwards replies to those who asked, when the new state is published.
    void apply_queue();
    void applied(physics::Command command);
    // Whether the world took it.
    bool apply(physics::Command command, const EditMark& mark, physics::CommandResult& result);
    void create(CreateBodies& many, const EditMark& mark, std::vector<physics::BodyId>& created);
    // Of an edit that is several commands, or others than those that were asked for.
    template <class Change>
    void apply_edit(const Change& change, const EditMark& mark);
    void unwind(Unwind how, std::uint64_t gesture);
    void answer();

    bool step(const std::atomic<bool>* break_off);
    void keep_changes();
    // The step of the world itself. Returns false where it was broken off: the world is then as it was before.
    bool step_world(const std::atomic<bool>* break_off);

    // In runner_past.cpp.

    // Recording and replay belong to the world that is about to go.
    void leave();
    void stop_recording();
    // Into the recording, if there is one: `record`, whose step has just been taken.
    void record_step();
    // Into the history: `record` is what was applied before the step, and its hash. A branch that begins so is called
    // after what was changed.
    void note_step();
    // The commands that the next step had on the branch that is done again.
    void repeat_commands();
    // See History::seek. Where a capture's file is no longer what it was, the way is longer, and that is reported.
    std::optional<Divergence> go(std::uint64_t step, bool at_hand, const std::function<bool()>& give_up);
    // Of the replay: the first one counts.
    void note_divergence(std::optional<Divergence> divergence);
    bool replay_step(const std::atomic<bool>* break_off);
};

// Why a command was not applied.
inline constexpr const char* replay_rejection = "a capture is being replayed: stop the replay to change the world";
inline constexpr const char* seek_rejection = "the world went to another step before the command could be applied";
inline constexpr const char* reload_rejection = "another scene was started before the command could be applied";

} // namespace cairn::core
