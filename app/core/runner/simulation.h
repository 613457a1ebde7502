// A runner on a thread of its own: whoever shows the world never waits for a step. Here is what that reader sees; all
// of it is called from the reader's one thread.
//
// Frames go over by reference: the runner publishes each step into a frame that nobody reads, and the reader takes the
// newest pair by update(). Nothing is copied, and what the reader holds stays as it is until the next update(), also
// where a call that waits has given it something newer.
#pragma once

#include "app/core/expect/live_expectations.h"
#include "app/core/marks/marks.h"
#include "app/core/metrics/step_metrics.h"
#include "app/core/runner/runner.h"
#include "app/core/touches/touches.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace cairn::core {

class Simulation {
  public:
    enum class Place {
        own_thread,
        caller, // nothing happens but in update() and step_now(): for runs that must be the same every time
    };

    // As the runner's; throws InputError when the world rejects the scene. `executor` belongs to the simulation from
    // here on: nobody else may use it. Time begins with the first call of anything else.
    Simulation(const Scene& scene, physics::Executor* executor, Place place);
    ~Simulation(); // breaks the step in progress off; recording is closed
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    // What the reader asks for; update() hands it over.
    bool paused = false;
    double time_scale = 1.0;       // 0.01..10
    bool hurried = false;          // while a what-if is on: its steps as fast as they are computed, paused or not
    physics::FrameDetails watched; // what frames are to hold beyond the usual

    // Takes the newest state that is published; never waits for a step. In the caller's place, first takes the steps
    // that are due after `seconds` of real time, which a thread of its own measures itself.
    void update(double seconds);
    // In the caller's place: exactly one step, and an update().
    void step_now();

    // Applied before the next step, or, while paused and when the next step is far, at once: a step that takes long is
    // broken off for it and taken again afterwards, but not for the moves of a grab. Rejected ones are
    // reported by take_events().
    // `mark`: see Runner::submit.
    void submit(physics::Command command, EditMark mark = {});
    // The same for bodies and the joints between them; Events::created says what became of them.
    void submit(CreateBodies many, EditMark mark = {});
    void submit(std::vector<ReplaceShape> changes, EditMark mark = {}); // shown together
    void submit(const BrushHeights& brush, EditMark mark = {});
    // As the runner's; like commands they take effect before the next step, or soon.
    void undo();
    void redo();
    void give_up(std::uint64_t gesture); // see Runner
    // Pauses, and takes one more step.
    void request_step();

    // What the runner does or knows between two steps: waits for the step in progress, or breaks it off if it takes
    // long. Returns what `work` returns, throws what it throws. When a what-if comes to its end, the world pauses.
    template <class Work>
    auto with_runner(const Work& work) {
        if constexpr (std::is_void_v<std::invoke_result_t<const Work&, Runner&>>) {
            call(work);
        } else {
            std::optional<std::invoke_result_t<const Work&, Runner&>> result;
            call([&](Runner& runner) { result.emplace(work(runner)); });
            return std::move(*result);
        }
    }
    // The same for what begins another world, or changes the branches, of which this has to know.
    void load(const Scene& scene);
    void restart();
    void start_replay(const std::filesystem::path& path, std::uint64_t at = 0);
    void take_branch(std::size_t branch);
    void name_branch(std::size_t branch, std::string name);

    // The way to a step of the past may be long: this waits for nothing. What is shown follows, and a newer request
    // takes the place of one that is still on its way. seeking() tells whether one is. A running world takes the step
    // first for which commands wait; a paused one drops what was changed since its last step, see Runner::go_to.
    void go_to(std::uint64_t step);
    bool seeking() const;
    // Where it stands once all of that is done, and the single steps that wait: what is shown may lag behind.
    std::uint64_t step_to_come() const;

    std::uint64_t published_step() const; // of the state that the next update() would show

    // As of the last update(), or of the last call that waits. References to it hold until the next update(): a panel
    // that has such a call made by a click may go on with what it draws.
    const physics::FrameState& previous() const { return *shown_.previous; }
    const physics::FrameState& current() const { return *shown_.current; }
    std::shared_ptr<const physics::FrameState> share_current() const { return shown_.current; } // for other threads
    // Share of the way from previous() to current() that is to be shown now, 0..1. A step takes its time, and what it
    // gives is shown that much later, evenly: else bodies would stop at the end of every step until the next is known.
    double interpolation() const;
    const Scene& scene() const { return *shown_.scene; }
    double dropped_seconds() const { return shown_.dropped; }         // of real time, since the scene was loaded
    double publish_seconds() const { return shown_.publish_seconds; } // that writing current() took its thread
    // What undo() and redo() would do, for people; empty: nothing.
    const EditNames& edit_names() const { return *shown_.edits; } // a hundred of each at most
    const std::string& undo_what() const { return first_of(edit_names().undo); }
    const std::string& redo_what() const { return first_of(edit_names().redo); }
    std::uint64_t edit_version() const { return shown_.edit_version; } // of current(); see EditHistory::version
    bool stands_still() const; // paused, and the step that was in progress then is shown
    std::uint64_t known_steps() const { return shown_.known_steps; } // see Runner; current() may be one of the past
    // Branches of the history, and the one in force.
    const std::vector<History::Branch>& branches() const { return *shown_.branches; }
    std::size_t current_branch() const { return shown_.current_branch; }
    const std::optional<Runner::WhatIfState>& what_if() const { return shown_.what_if; }
    bool recording() const { return shown_.recording; }
    std::uint64_t recording_from() const { return shown_.recording_from; }
    std::uint64_t recorded_steps() const { return shown_.recorded_steps; }
    std::filesystem::path recording_path() const { return shown_.recording_path; }
    const std::optional<Runner::ReplayState>& replay() const { return shown_.replay; }
    bool replaying() const { return shown_.replay.has_value(); }

    struct Message {
        std::string text;
        bool error = false; // something broke off; else a word of the engine
    };
    struct Created { // by submit(CreateBodies)
        std::uint64_t gesture = 0;
        std::vector<physics::BodyId> bodies; // in order; none for one that the world rejected
    };
    // What has come to pass, oldest first. Of what nobody takes, the newest: a thousand touches, a hundred thousand
    // marks and metrics. Metrics and marks are of the world that is there now.
    struct Events {
        std::vector<Message> messages;
        std::vector<double> step_seconds; // spent in each step
        std::vector<Touch> touches;       // see listen()
        std::vector<Mark> marks;          // what is worth finding again, see MarkFinder
        std::vector<StepMetrics> metrics; // of every state that the world has come to, steps and ends of seeks
        std::vector<Created> created;     // not before current() holds them
        std::vector<RemadeBody> remade;   // by undo and redo
        void clear();
    };
    void take_events(Events& events); // since the last call, instead of what it holds
    Events take_events();
    // Whether the bodies that strike each other are noted, step by step; off until it is asked for, since it reads all
    // contacts.
    void listen(bool to_touches);
    // What the scene expects, and what has come of it.
    const ExpectationsShown& expected() const { return *shown_.expected; }
    // One more, of steps after the present one, with the zones that it needs; kept when the scene restarts. Throws
    // InputError where the world did not begin as its scene.
    void expect(const Expectation& expectation, const std::vector<Zone>& zones = {});
    void drop_expectation(std::size_t which);
    void zero_drift(); // from the present state on, see DriftAndMomentum
    // Grows with every load, restart and the like: what was known of branches and steps is of another world then.
    std::uint64_t world_number() const { return shown_.world_number; }
    // For tests: runs before every step on the simulation's thread. Set it before anything else is called.
    void delay_steps(std::function<void()> delay);

  private:
    void call(const std::function<void(Runner&)>& work);

    struct Requests {
        bool paused = false;
        double time_scale = 1.0;
        bool hurried = false;
        physics::FrameDetails watched;
        bool operator==(const Requests&) const = default;
    };
    Requests requests() const { return {paused, time_scale, hurried, watched}; }
    static const std::string& first_of(const std::vector<std::string>& names) {
        static const std::string nothing;
        return names.empty() ? nothing : names.front();
    }
    struct Shown {
        std::shared_ptr<const physics::FrameState> previous, current;
        std::shared_ptr<const Scene> scene;
        std::shared_ptr<const EditNames> edits;
        std::shared_ptr<const ExpectationsShown> expected;
        std::uint64_t edit_version = 0;
        double published_at = 0.0; // s, steady clock
        double ahead = 0.0;        // s of simulated time that the clock was ahead of `current` then
        double lag = 0.0;          // what `ahead` usually is when a step is published
        double interval = 0.0;     // s of simulated clock usually from one publication to the next
        double time_scale = 1.0;
        bool paused = false;
        double dropped = 0.0, publish_seconds = 0.0;
        std::uint64_t known_steps = 0;
        std::shared_ptr<const std::vector<History::Branch>> branches;
        std::size_t current_branch = 0;
        std::uint64_t world_number = 0;
        std::optional<Runner::WhatIfState> what_if;
        bool recording = false;
        std::uint64_t recording_from = 0, recorded_steps = 0;
        std::filesystem::path recording_path;
        std::optional<Runner::ReplayState> replay;
    };
    struct Impl;
    std::unique_ptr<Impl> impl_;
    Shown shown_;
};

} // namespace cairn::core
