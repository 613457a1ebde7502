#include "app/core/runner/simulation.h"

#include "app/core/base/error.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <exception>
#include <iterator>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <variant>

namespace cairn::core {

using namespace cairn::physics;

namespace {

// How many steps may wait to be taken. Enough to make up for a hitch of an eighth of a second; a world that is slower
// than that for longer runs in slow motion.
constexpr int most_due = 8;

// An edit is shown at once if the next step is farther off, in real seconds.
constexpr double soon = 1.0 / 30.0;

// Nobody hears more strikes at once, and a reader that sleeps must not fill the memory.
constexpr std::ptrdiff_t most_touches = 1000;
constexpr std::ptrdiff_t most_marks = 100000;
constexpr std::ptrdiff_t most_figures = 100000;
// In the caller's place, in one update.
constexpr int most_hurried = 8;

template <class T>
void append_newest(std::vector<T>& to, std::span<const T> more, std::ptrdiff_t most) {
    to.insert(to.end(), more.begin(), more.end());
    if (std::ssize(to) > most) {
        to.erase(to.begin(), to.end() - most);
    }
}

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

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

    const Place place;
    Executor* const executor;

    // Of the simulation's thread alone, once that runs.
    Runner runner;
    std::shared_ptr<const Scene> scene;
    std::shared_ptr<const EditNames> edits;
    std::uint64_t edits_revision = 0;
    std::shared_ptr<const std::vector<History::Line>> lines;
    double clock = 0.0; // s, up to which the runner's time has passed
    double lag = 0.0, interval = 0.0, last_published = 0.0;
    Requests followed; // by the runner
    std::function<void()> delay;
    std::vector<Touch> heard;
    MarkFinder finder;
    std::vector<Mark> found; // in the last step
    DriftAndMomentum bodies;
    LiveExpectations expectations;
    std::uint64_t world_number = 0;
    bool lines_renamed = false;
    bool repeating = false;            // a what-if was on at the last publication
    std::vector<Created> just_created; // since the last publication

    std::mutex mutex;
    std::condition_variable wake, answered;
    // Under the mutex: what is asked...
    bool quit = false;
    Requests requested;
    std::deque<Task> tasks;              // what is to be done, in order
    bool seeking = false;                // on the way to a step
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

    Impl(const Scene& from, Executor* executor, Place where)
        : place(where),
          executor(executor),
          runner(from, executor),
          scene(std::make_shared<const Scene>(runner.scene())) {
        clock = now();
        expectations.begin(runner.scene(), runner.current(), true, executor);
        note_state();
        publish();
    }

    ~Impl() {
        if (thread.joinable()) {
            {
                const std::lock_guard lock(mutex);
                quit = break_off = true;
            }
            wake.notify_one();
            thread.join();
        }
    }

    void publish() {
        Shown next;
        next.previous = runner.share_previous();
        next.current = runner.share_current();
        next.scene = scene;
        if (!edits || edits_revision != runner.edits().revision()) {
            edits = std::make_shared<const EditNames>(runner.edits().names(100));
            edits_revision = runner.edits().revision();
        }
        next.edits = edits;
        next.expected = expectations.shown(runner.history());
        next.edit_version = runner.edit_version();
        next.published_at = clock;
        next.ahead = runner.seconds_ahead();
        next.lag = lag;
        next.interval = interval;
        next.time_scale = runner.time_scale;
        next.paused = runner.paused;
        next.dropped = runner.dropped_seconds();
        next.publish_seconds = runner.publish_seconds();
        note_lines();
        next.lines = lines;
        next.current_line = runner.history().current_line();
        next.known_steps = runner.known_steps();
        next.world_number = world_number;
        next.what_if = runner.what_if();
        repeating = next.what_if.has_value();
        next.recording = runner.recording();
        next.recording_from = runner.recording_from();
        next.recorded_steps = runner.recorded_steps();
        next.recording_path = runner.recording_path();
        next.replay = runner.replay();
        std::vector<std::string> words = runner.take_messages();
        const std::lock_guard lock(mutex);
        std::swap(latest, next); // what nobody has looked at is let go of when the lock is open again
        fresh = true;
        for (std::string& text : words) {
            events.messages.push_back({std::move(text), false});
        }
        std::move(just_created.begin(), just_created.end(), std::back_inserter(events.created));
        just_created.clear();
    }

    // Published anew only when one has begun: the ends of the others stay.
    void note_lines() {
        const History& history = runner.history();
        if (lines && lines->size() == history.line_count() && lines_of_ == history.current_line() && !lines_renamed) {
            return;
        }
        lines_renamed = false;
        auto told = std::make_shared<std::vector<History::Line>>();
        for (std::size_t i = 0; i < history.line_count(); ++i) {
            told->push_back(history.line(i));
        }
        lines = std::move(told);
        lines_of_ = history.current_line();
    }
    std::size_t lines_of_ = 0;

    void let_time_pass() {
        const double time = now();
        runner.let_pass(time - clock, most_due);
        clock = time;
    }

    // Whatever goes wrong in here is told, and the program goes on: a disk may be full, memory may be short.
    template <typename Work>
    void guarded(Work&& work) {
        const auto tell = [this](const std::exception& error) {
            const std::lock_guard lock(mutex);
            events.messages.push_back({error.what(), true});
        };
        try {
            work();
        } catch (const std::exception& error) {
            tell(error);
            try {
                runner.stop_recording();
            } catch (const std::exception& closing) {
                tell(closing);
            }
        }
    }

    void note_step() {
        if (repeating && !runner.what_if()) {
            runner.paused = true; // at its end, so that it can be compared; the reader hears of it
            repeating = false;
        }
        const double seconds = runner.current().stats.times.total();
        heard.clear();
        find_touches(runner.previous(), runner.current(), heard);
        found.clear();
        finder.find(runner.previous(), runner.current(), heard, runner.history(), found);
        expectations.follow(runner.current(), runner.history());
        {
            const std::lock_guard lock(mutex);
            events.step_seconds.push_back(seconds);
            append_newest<Mark>(events.marks, found, most_marks);
            if (listening) {
                append_newest<Touch>(events.touches, heard, most_touches);
            }
        }
        note_state();
    }

    // Of the world as it is now.
    void note_state() {
        const StepFigures state = figures_of(runner.current(), runner.history(), bodies);
        const std::lock_guard lock(mutex);
        append_newest<StepFigures>(events.figures, {&state, 1}, most_figures);
    }

    // After the runner has begun another one.
    void begin_world() {
        {
            const std::lock_guard lock(mutex);
            events.figures.clear();
            events.marks.clear();
        }
        finder.forget();
        bodies.set_zero();
        const bool at_start = runner.current().step == 0 && runner.began_as_scene();
        expectations.begin(runner.scene(), runner.current(), at_start, executor);
        ++world_number;
        note_state();
    }

    // What the reader interpolates by.
    void note_pace() {
        const double time = now(), ahead = runner.seconds_ahead();
        const double since = (time - last_published) * runner.time_scale;
        last_published = time;
        const double step = 1.0 / static_cast<double>(runner.current().settings.hz);
        lag += (ahead > lag ? 0.5 : 0.2) * (ahead - lag); // late steps show, early ones can wait
        interval = std::max(step, interval + 0.2 * (std::min(since, 10.0 * step * most_due) - interval));
    }

    bool step_if_due() {
        bool stepped = false;
        guarded([&] {
            if (delay && runner.seconds_until_due() <= 0.0) {
                delay();
            }
            stepped = runner.step_if_due(&break_off);
        });
        if (stepped) {
            note_step();
            let_time_pass();
            note_pace();
        }
        return stepped;
    }

    // Returns whether the step was taken to its end.
    bool step_now() {
        bool stepped = true; // also where it went wrong: it is not tried again
        guarded([&] {
            if (delay) {
                delay();
            }
            stepped = runner.step(&break_off);
            if (stepped) {
                note_step();
            }
            clock = now();
        });
        return stepped;
    }

    bool asked() const { // under the mutex
        return !tasks.empty() || requested != followed;
    }

    void run() {
        clock = last_published = now();
        std::unique_lock lock(mutex);
        while (!quit) {
            if (asked()) {
                answer(lock);
                continue;
            }
            lock.unlock();
            if (followed.hurried && runner.what_if()) {
                step_now();
                publish();
                lock.lock();
                continue;
            }
            let_time_pass();
            const bool stepped = step_if_due();
            if (stepped) {
                publish();
            }
            const double wait = runner.seconds_until_due();
            lock.lock();
            const auto woken = [this] { return quit || asked(); };
            if (std::isinf(wait)) {
                wake.wait(lock, woken);
            } else if (wait > 0.0) {
                wake.wait_for(lock, std::chrono::duration<double>(wait), woken);
            }
        }
    }

    bool waits_for(bool (*which)(const Task&)) const { // under the mutex
        return std::any_of(tasks.begin(), tasks.end(), which);
    }
    static bool is_seek(const Task& task) { return std::holds_alternative<std::uint64_t>(task); }
    static bool is_call(const Task& task) { return std::holds_alternative<Call*>(task); }

    // Does the edits that come first among what the reader asks for, and the one task behind them. Called with the
    // lock, returns with it.
    void answer(std::unique_lock<std::mutex>& lock) {
        std::vector<Edit> edits_taken;
        std::optional<Task> task;
        while (!tasks.empty() && !task) {
            if (auto* edit = std::get_if<Edit>(&tasks.front())) {
                edits_taken.push_back(std::move(*edit));
            } else {
                task = std::move(tasks.front());
            }
            tasks.pop_front();
        }
        const std::uint64_t* sought = task ? std::get_if<std::uint64_t>(&*task) : nullptr;
        seeking = sought != nullptr;
        const Requests requests = requested;
        break_off = quit;
        lock.unlock();

        follow(requests);
        for (const Edit& edit : edits_taken) {
            edit(runner);
        }
        if (task && is_call(*task)) {
            Call& call = *std::get<Call*>(*task);
            try {
                call.work();
            } catch (...) {
                call.error = std::current_exception();
            }
            clock = last_published = now(); // loading is not time that the world has missed
            publish();
            lock.lock();
            call.done = true;
            answered.notify_one();
            return;
        }
        guarded([&] {
            if (sought != nullptr) {
                runner.go_to(*sought, [this] {
                    const std::lock_guard guard(mutex);
                    return quit || waits_for(is_seek) || waits_for(is_call);
                });
                note_state();
                clock = last_published = now();
            } else if (task) {
                if (!step_now()) {
                    const std::lock_guard guard(mutex);
                    tasks.emplace_front(Step{}); // behind the edits that it was broken off for
                    std::stable_partition(tasks.begin(), tasks.end(),
                                          [](const Task& t) { return std::holds_alternative<Edit>(t); });
                }
            } else if (!edits_taken.empty() &&
                       (runner.paused || runner.steps_are_long() || runner.seconds_until_due() > soon)) {
                runner.apply_pending();
            }
        });
        publish();
        lock.lock();
        seeking = false;
    }

    void start() {
        if (place == Place::own_thread && !thread.joinable()) {
            thread = std::thread([this] { run(); });
        }
    }

    void request(const Requests& requests) { // under the mutex
        if (requested != requests) {
            break_off = break_off || (requests.paused && !requested.paused);
            requested = requests;
            wake.notify_one();
        }
    }

    // Where the runner is.
    void follow(const Requests& requests) {
        runner.paused = requests.paused;
        runner.time_scale = requests.time_scale;
        runner.watch(requests.watched);
        followed = requests;
    }

    // Of the runner, before its next step; `at_once`: a long step that is in progress is broken off for it.
    void ask(const Requests& requests, std::function<void(Runner&)> what, bool at_once = true) {
        if (place == Place::caller) {
            what(runner);
            return;
        }
        start();
        {
            const std::lock_guard lock(mutex);
            request(requests);
            tasks.emplace_back(std::move(what));
            break_off = break_off || at_once;
        }
        wake.notify_one();
    }

    void take(Shown& shown) {
        const std::lock_guard lock(mutex);
        if (fresh) {
            outdated.push_back(std::exchange(shown, std::exchange(latest, {})));
            fresh = false;
            std::move(events.created.begin(), events.created.end(), std::back_inserter(shown_created));
            events.created.clear();
        }
    }

    void step(Shown& shown, const Requests& requests) {
        follow(requests);
        guarded([&] {
            runner.step();
            note_step();
        });
        publish();
        take(shown);
    }

    void call(Shown& shown, const Requests& requests, std::function<void()> work) {
        start();
        if (place == Place::caller) {
            follow(requests);
            std::exception_ptr error;
            try {
                work();
            } catch (...) {
                error = std::current_exception();
            }
            publish();
            take(shown);
            if (error) {
                std::rethrow_exception(error);
            }
            return;
        }
        Call call{std::move(work), false, {}};
        {
            std::unique_lock lock(mutex);
            request(requests);
            tasks.emplace_back(&call);
            break_off = true;
            wake.notify_one();
            answered.wait(lock, [&] { return call.done; });
        }
        take(shown);
        if (call.error) {
            std::rethrow_exception(call.error);
        }
    }

    void keep_expected() {
        runner.set_expected(expectations.scene().zones, expectations.scene().expectations);
        keep_scene();
    }
    void keep_scene() { scene = std::make_shared<const Scene>(runner.scene()); }
};

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
            sim.runner.advance(std::min(seconds, 0.25), most_due, [&] { sim.note_step(); });
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

void Simulation::start_recording(const std::filesystem::path& path) {
    impl_->call(shown_, requests(), [&] { impl_->runner.start_recording(path); });
}

void Simulation::stop_recording() {
    impl_->call(shown_, requests(), [&] { impl_->runner.stop_recording(); });
}

void Simulation::start_replay(const std::filesystem::path& path, std::uint64_t at) {
    impl_->call(shown_, requests(), [&] {
        impl_->runner.start_replay(path, at);
        impl_->begin_world();
        impl_->keep_scene();
    });
}

void Simulation::stop_replay() {
    impl_->call(shown_, requests(), [&] { impl_->runner.stop_replay(); });
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

void Simulation::take_line(std::size_t line) {
    impl_->call(shown_, requests(), [&] {
        impl_->runner.take_line(line);
        impl_->note_state();
    });
}

void Simulation::name_line(std::size_t line, std::string name) {
    impl_->call(shown_, requests(), [&] {
        impl_->runner.name_line(line, std::move(name));
        impl_->lines_renamed = true;
    });
}

bool Simulation::begin_what_if() {
    bool begun = false;
    impl_->call(shown_, requests(), [&] { begun = impl_->runner.begin_what_if(); });
    return begun;
}

void Simulation::end_what_if() {
    impl_->call(shown_, requests(), [&] { impl_->runner.end_what_if(); });
}

void Simulation::save_history(const std::filesystem::path& path) {
    impl_->call(shown_, requests(), [&] { impl_->runner.save_history(path); });
}

Stretch Simulation::stretch(std::uint64_t from, std::uint64_t to) {
    Stretch stretch;
    impl_->call(shown_, requests(), [&] { stretch = impl_->runner.stretch(from, to); });
    return stretch;
}

Stretch Simulation::stretch_of_line(std::size_t line, std::uint64_t from) {
    Stretch stretch;
    impl_->call(shown_, requests(), [&] { stretch = impl_->runner.history().stretch_of_line(line, from); });
    return stretch;
}

double Simulation::interpolation() const {
    if (paused || shown_.paused || (shown_.replay && shown_.replay->finished)) {
        return 1.0;
    }
    if (impl_->place == Place::caller) {
        return std::clamp(shown_.ahead * static_cast<double>(shown_.current->settings.hz), 0.0, 1.0);
    }
    const double since = (now() - shown_.published_at) * shown_.time_scale;
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
    figures.clear();
    created.clear();
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
