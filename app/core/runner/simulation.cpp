#include "app/core/runner/simulation.h"

#include "app/core/base/error.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <utility>

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
    const Place place;
    Executor* const executor;

    // Of the simulation's thread alone, once that runs.
    Runner runner;
    std::shared_ptr<const Scene> scene;
    std::shared_ptr<const EditNames> edits;
    std::shared_ptr<const std::vector<History::Line>> lines;
    double clock = 0.0; // s, up to which the runner's time has passed
    double lag = 0.0, interval = 0.0, last_published = 0.0;
    Wishes followed; // by the runner
    std::function<void()> delay;
    std::vector<Touch> heard;
    MarkFinder finder;
    std::vector<Mark> found; // in the last step
    DriftAndMomentum bodies;
    LiveExpectations expectations;
    std::uint64_t world_number = 0;
    bool lines_renamed = false;
    bool repeating = false;      // a what-if was on at the last publication
    std::vector<Made> just_made; // since the last publication

    std::mutex mutex;
    std::condition_variable wake, answered;
    // Under the mutex: what is asked...
    bool quit = false;
    Wishes wished;
    int step_requests = 0;
    std::vector<std::function<void(Runner&)>> deeds; // commands and the like, in order
    std::optional<std::uint64_t> seek;               // the step that is wished for
    bool seeking = false;                            // on the way to one
    std::atomic<bool> break_off = false;             // something waits that a long step is broken off for
    std::function<void()> job;
    bool job_done = false;
    std::exception_ptr job_error;
    // ...and what is to be seen.
    Shown latest;
    bool fresh = false;
    std::vector<Message> messages;
    std::vector<double> step_seconds;
    bool listening = false;
    std::vector<Touch> touches;
    std::vector<Mark> marks;
    std::vector<StepFigures> figures;
    std::vector<Made> made;

    // Of the reader: in the frame that it shows.
    std::vector<Made> shown_made;
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
        if (!edits || edits->undo != runner.undo_what() || edits->redo != runner.redo_what()) {
            edits = std::make_shared<const EditNames>(EditNames{runner.undo_what(), runner.redo_what()});
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
            messages.push_back({std::move(text), false});
        }
        made.insert(made.end(), just_made.begin(), just_made.end());
        just_made.clear();
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
            messages.push_back({error.what(), true});
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
            step_seconds.push_back(seconds);
            append_newest<Mark>(marks, found, most_marks);
            if (listening) {
                append_newest<Touch>(touches, heard, most_touches);
            }
        }
        note_state();
    }

    // Of the world as it is now.
    void note_state() {
        const StepFigures state = figures_of(runner.current(), runner.history(), bodies);
        const std::lock_guard lock(mutex);
        append_newest<StepFigures>(figures, {&state, 1}, most_figures);
    }

    // After the runner has begun another one.
    void begin_world() {
        {
            const std::lock_guard lock(mutex);
            figures.clear();
            marks.clear();
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
        return job || seek || !deeds.empty() || step_requests > 0 || wished != followed;
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

    // Does what the reader asks. Called with the lock, returns with it.
    void answer(std::unique_lock<std::mutex>& lock) {
        std::vector<std::function<void(Runner&)>> taken;
        taken.swap(deeds);
        const bool steps_on = std::exchange(step_requests, std::max(step_requests - 1, 0)) > 0;
        std::function<void()> work;
        if (!steps_on) {
            work.swap(job); // asked for after the step
        }
        std::optional<std::uint64_t> sought;
        if (!steps_on && !work) {
            sought = std::exchange(seek, std::nullopt);
            seeking = sought.has_value();
        }
        const Wishes wishes = wished;
        break_off = quit;
        lock.unlock();

        follow(wishes);
        for (const std::function<void(Runner&)>& deed : taken) {
            deed(runner);
        }
        if (work) {
            std::exception_ptr error;
            try {
                work();
            } catch (...) {
                error = std::current_exception();
            }
            clock = last_published = now(); // loading is not time that the world has missed
            publish();
            lock.lock();
            job_error = error;
            job_done = true;
            answered.notify_one();
            return;
        }
        guarded([&] {
            if (steps_on) {
                if (!step_now()) {
                    const std::lock_guard guard(mutex);
                    ++step_requests;
                }
            } else if (sought) {
                runner.go_to(*sought, [this] {
                    const std::lock_guard guard(mutex);
                    return quit || seek || job;
                });
                note_state();
                clock = last_published = now();
            } else if (!taken.empty() &&
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

    void wish(const Wishes& wishes) { // under the mutex
        if (wished != wishes) {
            break_off = break_off || (wishes.paused && !wished.paused);
            wished = wishes;
            wake.notify_one();
        }
    }

    // Where the runner is.
    void follow(const Wishes& wishes) {
        runner.paused = wishes.paused;
        runner.time_scale = wishes.time_scale;
        runner.watch(wishes.watched);
        followed = wishes;
    }

    // Of the runner, before its next step; `at_once`: a long step that is in progress is broken off for it.
    void ask(const Wishes& wishes, std::function<void(Runner&)> what, bool at_once = true) {
        if (place == Place::caller) {
            what(runner);
            return;
        }
        start();
        {
            const std::lock_guard lock(mutex);
            wish(wishes);
            deeds.push_back(std::move(what));
            break_off = break_off || at_once;
        }
        wake.notify_one();
    }

    void take(Shown& shown) {
        const std::lock_guard lock(mutex);
        if (fresh) {
            outdated.push_back(std::exchange(shown, std::exchange(latest, {})));
            fresh = false;
            shown_made.insert(shown_made.end(), made.begin(), made.end());
            made.clear();
        }
    }

    void step(Shown& shown, const Wishes& wishes) {
        follow(wishes);
        guarded([&] {
            runner.step();
            note_step();
        });
        publish();
        take(shown);
    }

    void call(Shown& shown, const Wishes& wishes, std::function<void()> work) {
        start();
        if (place == Place::caller) {
            follow(wishes);
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
        std::exception_ptr error;
        {
            std::unique_lock lock(mutex);
            wish(wishes);
            job = std::move(work);
            job_done = false;
            break_off = true;
            wake.notify_one();
            answered.wait(lock, [this] { return job_done; });
            error = std::exchange(job_error, nullptr);
        }
        take(shown);
        if (error) {
            std::rethrow_exception(error);
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
        sim.wish(wishes());
    } else {
        sim.follow(wishes());
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
    impl_->step(shown_, wishes());
    impl_->outdated.clear();
}

void Simulation::submit(Command command, EditMark mark) {
    Impl* sim = impl_.get();
    // A grab is moved all the time: a step that was broken off for it would never end.
    const bool at_once = !std::holds_alternative<MoveGrab>(command);
    auto task = [sim, command = std::move(command), mark = std::move(mark)](Runner& runner) mutable {
        std::function<void(const CommandResult&)> on_result;
        if (mark.gesture != 0 && std::holds_alternative<CreateBody>(command)) {
            on_result = [sim, gesture = mark.gesture](const CommandResult& result) {
                sim->just_made.push_back({gesture, result.created});
            };
        }
        runner.submit(std::move(command), std::move(on_result), std::move(mark));
    };
    impl_->ask(wishes(), std::move(task), at_once);
}

std::vector<Simulation::Made> Simulation::take_made() {
    return std::exchange(impl_->shown_made, {});
}

void Simulation::undo() {
    impl_->ask(wishes(), [](Runner& runner) { runner.undo(); });
}

void Simulation::give_up(std::uint64_t gesture) {
    impl_->ask(wishes(), [gesture](Runner& runner) { runner.give_up(gesture); });
}

void Simulation::redo() {
    impl_->ask(wishes(), [](Runner& runner) { runner.redo(); });
}

void Simulation::request_step() {
    paused = true;
    Impl& sim = *impl_;
    if (sim.place == Place::caller) {
        sim.step(shown_, wishes());
        return;
    }
    sim.start();
    {
        const std::lock_guard lock(sim.mutex);
        sim.wish(wishes());
        ++sim.step_requests;
    }
    sim.wake.notify_one();
}

void Simulation::load(const Scene& scene) {
    impl_->call(shown_, wishes(), [&] {
        impl_->runner.load(scene);
        impl_->begin_world();
        impl_->keep_scene();
    });
}

void Simulation::restart() {
    impl_->call(shown_, wishes(), [&] {
        impl_->runner.restart();
        impl_->begin_world();
    });
}

void Simulation::start_recording(const std::filesystem::path& path) {
    impl_->call(shown_, wishes(), [&] { impl_->runner.start_recording(path); });
}

void Simulation::stop_recording() {
    impl_->call(shown_, wishes(), [&] { impl_->runner.stop_recording(); });
}

void Simulation::start_replay(const std::filesystem::path& path, std::uint64_t at) {
    impl_->call(shown_, wishes(), [&] {
        impl_->runner.start_replay(path, at);
        impl_->begin_world();
        impl_->keep_scene();
    });
}

void Simulation::stop_replay() {
    impl_->call(shown_, wishes(), [&] { impl_->runner.stop_replay(); });
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
        sim.wish(wishes());
        sim.seek = step;
        sim.break_off = true;
    }
    sim.wake.notify_one();
}

bool Simulation::seeking() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->seek || impl_->seeking;
}

void Simulation::take_line(std::size_t line) {
    impl_->call(shown_, wishes(), [&] {
        impl_->runner.take_line(line);
        impl_->note_state();
    });
}

void Simulation::name_line(std::size_t line, std::string name) {
    impl_->call(shown_, wishes(), [&] {
        impl_->runner.name_line(line, std::move(name));
        impl_->lines_renamed = true;
    });
}

bool Simulation::begin_what_if() {
    bool begun = false;
    impl_->call(shown_, wishes(), [&] { begun = impl_->runner.begin_what_if(); });
    return begun;
}

void Simulation::end_what_if() {
    impl_->call(shown_, wishes(), [&] { impl_->runner.end_what_if(); });
}

void Simulation::save_history(const std::filesystem::path& path) {
    impl_->call(shown_, wishes(), [&] { impl_->runner.save_history(path); });
}

Stretch Simulation::stretch(std::uint64_t from, std::uint64_t to) {
    Stretch stretch;
    impl_->call(shown_, wishes(), [&] { stretch = impl_->runner.stretch(from, to); });
    return stretch;
}

Stretch Simulation::stretch_of_line(std::size_t line, std::uint64_t from) {
    Stretch stretch;
    impl_->call(shown_, wishes(), [&] { stretch = impl_->runner.history().stretch_of_line(line, from); });
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

std::vector<Simulation::Message> Simulation::take_messages() {
    const std::lock_guard lock(impl_->mutex);
    return std::exchange(impl_->messages, {});
}

std::vector<double> Simulation::take_step_seconds() {
    const std::lock_guard lock(impl_->mutex);
    return std::exchange(impl_->step_seconds, {});
}

void Simulation::listen(bool to_touches) {
    const std::lock_guard lock(impl_->mutex);
    impl_->listening = to_touches;
}

void Simulation::take_touches(std::vector<Touch>& touches) {
    touches.clear();
    const std::lock_guard lock(impl_->mutex);
    std::swap(touches, impl_->touches);
}

void Simulation::take_marks(std::vector<Mark>& marks) {
    marks.clear();
    const std::lock_guard lock(impl_->mutex);
    std::swap(marks, impl_->marks);
}

void Simulation::take_figures(std::vector<StepFigures>& figures) {
    figures.clear();
    const std::lock_guard lock(impl_->mutex);
    std::swap(figures, impl_->figures);
}

void Simulation::expect(const Expectation& expectation, const std::vector<Zone>& zones) {
    impl_->call(shown_, wishes(), [&] {
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
    impl_->call(shown_, wishes(), [&] {
        if (impl_->expectations.possible() && which < impl_->expectations.scene().expectations.size()) {
            impl_->expectations.drop(which);
            impl_->keep_expected();
        }
    });
}

void Simulation::zero_drift() {
    Impl* sim = impl_.get();
    sim->ask(wishes(), [sim](Runner&) { sim->bodies.set_zero(); });
}

void Simulation::delay_steps(std::function<void()> delay) {
    impl_->delay = std::move(delay);
}

} // namespace cairn::core
