// What the files of Simulation share, and nobody else includes: simulation.cpp holds what the reader calls,
// simulation_thread.cpp the thread and the tasks that the reader gives it, simulation_publish.cpp what it notes of each
// step and shows.
#pragma once

#include "app/core/runner/simulation.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <variant>
#include <vector>

namespace cairn::core {

struct Simulation::Impl {
    // What the reader asks for: edits of the queue, one step, a step to go to, or work that the reader waits for.
    struct Call {
        std::function<void()> work;
        bool done = false;
        std::exception_ptr error;
    };
    struct Step {};
    using Edit = std::function<void(Runner&)>;
    using Task = std::variant<Edit, Step, std::uint64_t, Call*>;

    // How many steps may wait to be taken. Enough to make up for a hitch of an eighth of a second; a world that is
    // slower than that for longer runs in slow motion.
    static constexpr int most_due = 8;

    const Place place;
    physics::Executor* const executor;

    // Of the simulation's thread alone, once that runs.
    Runner runner;
    std::shared_ptr<const Scene> scene;
    std::shared_ptr<const EditNames> edits;
    std::uint64_t edits_revision = 0;
    std::shared_ptr<const std::vector<History::Branch>> branches;
    std::size_t published_branch = 0; // the one in force in `branches`
    double clock = 0.0;               // s, up to which the runner's time has passed
    double lag = 0.0, interval = 0.0, last_published = 0.0;
    Requests followed; // by the runner
    std::function<void()> delay;
    std::vector<Touch> heard;
    MarkFinder finder;
    std::vector<Mark> found; // in the last step
    DriftAndMomentum bodies;
    LiveExpectations expectations;
    std::uint64_t world_number = 0;
    bool branches_renamed = false;
    bool repeating = false;            // a what-if was on at the last publication
    std::vector<Created> just_created; // since the last publication

    std::mutex mutex;
    std::condition_variable wake, answered;
    // Under the mutex: what is asked...
    bool quit = false;
    Requests requested;
    std::deque<Task> tasks;              // what is to be done, in order
    bool seeking = false;                // on the way to a step
    std::uint64_t seeking_to = 0;        // which one, while seeking
    std::atomic<bool> break_off = false; // something waits that a long step is broken off for
    // ...and what is to be seen.
    Shown latest;
    bool fresh = false;
    Events events;
    bool listening = false;

    // Of the reader: in the frame that it shows.
    std::vector<Created> shown_created;
    std::vector<Shown> outdated; // since the reader's last update(): it may hold references to them

    std::thread thread; // last: it uses all of the above

    Impl(const Scene& from, physics::Executor* executor, Place where);
    ~Impl();

    static double now(); // s, steady clock

    // On the simulation's thread alone.
    void run();
    // Does the edits that come first among what the reader asks for, and the one task behind them. Called with the
    // lock, returns with it.
    void answer(std::unique_lock<std::mutex>& lock);
    bool step_if_due();
    bool step_now(); // whether the step was taken to its end
    void let_time_pass();
    bool asked() const;                               // under the mutex
    bool waits_for(bool (*which)(const Task&)) const; // under the mutex
    static bool is_seek(const Task& task) { return std::holds_alternative<std::uint64_t>(task); }
    static bool is_call(const Task& task) { return std::holds_alternative<Call*>(task); }

    // Where the runner is.
    void follow(const Requests& requests);
    void publish();
    void note_step();
    void note_state();    // of the world as it is now
    void begin_world();   // after the runner has begun another one
    void note_timing();   // what the reader interpolates by
    void note_branches(); // of the history

    // Whatever goes wrong in here is reported, and the program goes on: a disk may be full, memory may be short.
    template <typename Work>
    void guarded(Work&& work) {
        const auto report = [this](const std::exception& error) {
            const std::lock_guard lock(mutex);
            events.messages.push_back({error.what(), true});
        };
        try {
            work();
        } catch (const std::exception& error) {
            report(error);
            try {
                runner.stop_recording();
            } catch (const std::exception& closing) {
                report(closing);
            }
        }
    }

    // On the reader's thread.
    void start();
    void request(const Requests& requests); // under the mutex
    // Of the runner, before its next step; `at_once`: a long step that is in progress is broken off for it.
    void ask(const Requests& requests, Edit what, bool at_once = true);
    void take(Shown& shown);
    void step(Shown& shown, const Requests& requests);
    void call(Shown& shown, const Requests& requests, std::function<void()> work);

    void keep_expected() {
        runner.set_expected(expectations.scene().zones, expectations.scene().expectations);
        keep_scene();
    }
    void keep_scene() { scene = std::make_shared<const Scene>(runner.scene()); }
};

} // namespace cairn::core
