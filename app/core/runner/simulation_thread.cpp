#include "app/core/runner/simulation_impl.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <utility>

namespace cairn::core {

namespace {

// An edit is shown at once if the next step is farther off, in real seconds.
constexpr double soon = 1.0 / 30.0;

} // namespace

Simulation::Impl::Impl(const Scene& from, physics::Executor* executor, Place where)
    : place(where), executor(executor), runner(from, executor), scene(std::make_shared<const Scene>(runner.scene())) {
    clock = now();
    expectations.begin(runner.scene(), runner.current(), true, executor);
    note_state();
    publish();
}

Simulation::Impl::~Impl() {
    if (thread.joinable()) {
        {
            const std::lock_guard lock(mutex);
            quit = break_off = true;
        }
        wake.notify_one();
        thread.join();
    }
}

double Simulation::Impl::now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void Simulation::Impl::start() {
    if (place == Place::own_thread && !thread.joinable()) {
        thread = std::thread([this] { run(); });
    }
}

void Simulation::Impl::run() {
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

bool Simulation::Impl::asked() const {
    return !tasks.empty() || requested != followed;
}

bool Simulation::Impl::waits_for(bool (*which)(const Task&)) const {
    return std::ranges::any_of(tasks, which);
}

void Simulation::Impl::answer(std::unique_lock<std::mutex>& lock) {
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
    seeking_to = seeking ? *sought : 0;
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
            if (!runner.paused && runner.has_pending()) { // what was done to a running world is part of its past
                runner.step();
                note_step();
            }
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

bool Simulation::Impl::step_if_due() {
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
        note_timing();
    }
    return stepped;
}

bool Simulation::Impl::step_now() {
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

void Simulation::Impl::let_time_pass() {
    const double time = now();
    runner.let_pass(time - clock, most_due);
    clock = time;
}

void Simulation::Impl::request(const Requests& requests) {
    if (requested != requests) {
        break_off = break_off || (requests.paused && !requested.paused);
        requested = requests;
        wake.notify_one();
    }
}

void Simulation::Impl::follow(const Requests& requests) {
    runner.paused = requests.paused;
    runner.time_scale = requests.time_scale;
    runner.watch(requests.watched);
    followed = requests;
}

void Simulation::Impl::ask(const Requests& requests, Edit what, bool at_once) {
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

void Simulation::Impl::take(Shown& shown) {
    const std::lock_guard lock(mutex);
    if (fresh) {
        outdated.push_back(std::exchange(shown, std::exchange(latest, {})));
        fresh = false;
        std::move(events.created.begin(), events.created.end(), std::back_inserter(shown_created));
        events.created.clear();
    }
}

void Simulation::Impl::step(Shown& shown, const Requests& requests) {
    follow(requests);
    guarded([&] {
        runner.step();
        note_step();
    });
    publish();
    take(shown);
}

void Simulation::Impl::call(Shown& shown, const Requests& requests, std::function<void()> work) {
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

} // namespace cairn::core
