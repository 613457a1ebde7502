// Runs a world: the command queue, the clock, recording and replay. The user interface, the command line and the tests
// all go through here, so that what a capture holds is all that happened.
#pragma once

#include "app/core/capture/capture.h"
#include "app/core/edits/edit_history.h"
#include "app/core/history/history.h"
#include "app/core/scene/scene.h"
#include "physics/world/world.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn::core {

using physics::CreateBodies; // made as one edit

class Runner {
  public:
    // `history_budget`: bytes for snapshots of the past, see History. 0: the past is not kept at all, so that a run
    // takes no more memory the longer it is; the history then knows the start alone, or a replay's
    // capture.
    explicit Runner(const Scene& scene, physics::Executor* executor = nullptr,
                    std::size_t history_budget = History::usual_budget);
    ~Runner();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    // Starts over from another scene, or from the present one (restart). Stops recording and replay; queued commands
    // are answered with an error, for they were meant for the old world. Throws InputError when the world rejects the
    // scene, and then goes on as before.
    void load(const Scene& scene);
    void restart();
    const Scene& scene() const;
    // The world began as scene(), whatever has been done to it since.
    bool began_as_scene() const;
    // Of the scene from here on, and of every restart; the motion is the same.
    void set_expected(std::vector<Zone> zones, std::vector<Expectation> expectations);

    // Queues a command for the next step. The result arrives after that step: on_result (may be empty) gets it. `mark`:
    // how the edit is called when it is undone, and what it is undone with.
    void submit(physics::Command command, std::function<void(const physics::CommandResult&)> on_result = {},
                EditMark mark = {});

    // The same for many bodies at once. on_result gets the body of each, none for one that was rejected; joints of
    // those are left out.
    void submit(CreateBodies many, std::function<void(const std::vector<physics::BodyId>&)> on_result = {},
                EditMark mark = {});

    // The same for a shape that takes the place of another, both or neither.
    void submit(ReplaceShape change, EditMark mark = {});
    void submit(const BrushHeights& brush, EditMark mark = {});

    // Queued like commands: take back the last edit of this world, or do it again. What that does is recorded as
    // commands.
    void undo();
    void redo();
    // Takes back the edit of this gesture for good, if it is the last one: for what is broken off half way.
    void give_up(std::uint64_t gesture);
    // What they would take back and do again, for people; empty if there is nothing. Loading, restarting and replaying
    // begin a world without edits.
    const EditHistory& edits() const;

    // Applies the queue and takes one step, recorded if recording. During replay the capture's commands are used and
    // the queue is rejected (on_result gets an error): replay is not interactive. Does nothing once a replay is
    // finished. When recording fails (a full disk), it stops with a message and the world goes on.
    //
    // `break_off`, if given: raised by any thread, it breaks a long step off, and false is returned. What was queued
    // has been applied then, and is shown; the next call takes the same step from its beginning.
    bool step(const std::atomic<bool>* break_off = nullptr);
    bool steps_are_long() const; // the last one was

    // Applies queued commands without stepping, so that edits show while paused. Recorded with the next step; of a
    // recording that stops before it, they are not part.
    void apply_pending();
    bool has_pending() const; // something is queued, or was applied since the last step

    // Advances the clock by `seconds` of real time: as many steps as are due at `time_scale`, at most `max_steps`; what
    // cannot be kept up with is dropped and counted. Returns the number of steps taken. Nothing happens while paused.
    // `stepped` (may be empty) is called after each.
    int advance(double seconds, int max_steps = 8, const std::function<void()>& stepped = {});

    // The same in pieces, for one who has other things to do between two steps. The clock runs on by `seconds`; of the
    // steps that are then due, `most_due` wait and the others are dropped and counted. While paused, nothing is due.
    void let_pass(double seconds, int most_due);
    bool step_if_due(const std::atomic<bool>* break_off = nullptr); // whether one was due, and was taken; see step()
    double seconds_until_due() const; // real time; infinite while paused and at the end of a replay
    double seconds_ahead() const;     // of simulated time, that the clock is ahead of current()

    // See World::watch; holds for every world that is loaded. What current() already knows, it reports at once.
    void watch(const physics::FrameDetails& details);

    bool paused = false;
    double time_scale = 1.0; // 0.01..10

    // Share of a step that real time is ahead of the published state, 0..1, for interpolation between previous() and
    // current(). 1 while paused: what is seen is what can be edited.
    double interpolation() const;
    double dropped_seconds() const; // of real time, since the scene was loaded
    double publish_seconds() const; // that writing current() after its step took

    // The state one step before current(). A body that a command has moved since then stands at its new place in both,
    // so that nothing slides through the scene.
    const physics::FrameState& previous() const;
    const physics::FrameState& current() const;
    // The same to keep, on any thread: what has been given out so does not change any more.
    std::shared_ptr<const physics::FrameState> share_previous();
    std::shared_ptr<const physics::FrameState> share_current();
    std::optional<physics::WorldRayHit> ray_cast(const physics::Ray& ray) const;
    std::vector<RemadeBody> take_remade();    // by undo and redo, oldest first
    std::vector<std::string> take_messages(); // rejected commands, reports of the engine; oldest first

    // Marks the present step and writes the current branch to the disk from here on, and what led here before that: the
    // capture begins with the scene and replays bit for bit. The world, its history and undo stay as they are. Throws
    // InputError where the past is not kept and the world is no longer as the scene makes it.
    void start_recording(const std::filesystem::path& path);
    void stop_recording(); // throws InputError when the end of the file cannot be written
    bool recording() const;
    std::exception_ptr recording_failure() const; // why the last recording stopped by itself; null: it did not
    std::uint64_t recording_from() const;         // the step that was marked
    std::uint64_t recorded_steps() const;         // since then
    std::filesystem::path recording_path() const;

    // What has happened since the world was made is kept whether it is recorded or not; see History. Loading,
    // restarting and the beginning of a replay begin a new one.
    // All of it as a capture, which replays from the world's start. Throws InputError naming the path.
    void save_history(const std::filesystem::path& path) const;
    // Brings the world back, or forward again, to the state after that step, at most the last that is known, or as far
    // as it has come when `give_up` says so between two steps. Commands that were applied since the last step are
    // dropped, undo begins anew, and a recording ends. When the world goes on from the past, another branch of its
    // history begins.
    void go_to(std::uint64_t step, const std::function<bool()>& give_up = {});
    // The branches of the history, see there. Taking another one brings the world to the last step that both have in
    // common, unless it stands before.
    const History& history() const;
    void take_branch(std::size_t branch);

    void name_branch(std::size_t branch, std::string name);

    // From here on the commands that followed on the current branch are done again at their steps, in a world that may
    // be changed: before the next step, or at any time. While a replay is on, what follows is the rest of its capture,
    // and the replay ends. It is over with the last of these commands' steps, or by end_what_if(), go_to() and whatever
    // begins another world. Returns false where nothing followed.
    bool begin_what_if();
    void end_what_if();
    struct WhatIfState {
        std::size_t branch = 0;          // whose commands are done again
        std::uint64_t from = 0, end = 0; // its steps
    };
    std::optional<WhatIfState> what_if() const;

    // Replays a capture, comparing hashes as it goes, from the state after the step `at`: from its start, or from what
    // the nearest keyframe leads to. All of its steps are known at once, and go_to() uses its keyframes. Stops
    // recording. Throws InputError, also where the capture ends before that step.
    void start_replay(const std::filesystem::path& path, std::uint64_t at = 0);
    void stop_replay(); // the world goes on from where it is, interactive again
    struct ReplayState {
        std::filesystem::path path;
        std::uint64_t step = 0, steps = 0;
        std::uint64_t compared = 0;           // steps that were gone through one by one
        std::optional<Divergence> divergence; // the first one that was met
        bool finished = false;
    };
    std::optional<ReplayState> replay() const;
    bool replaying() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace cairn::core
