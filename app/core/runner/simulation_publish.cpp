#include "app/core/runner/simulation_impl.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace cairn::core {

namespace {

// How many events wait for the reader, oldest dropped first: one that sleeps must not fill the memory.
constexpr std::ptrdiff_t most_touches = 1000;
constexpr std::ptrdiff_t most_marks = 100000;
constexpr std::ptrdiff_t most_metrics = 100000;

template <class T>
void append_newest(std::vector<T>& to, std::span<const T> more, std::ptrdiff_t most) {
    to.insert(to.end(), more.begin(), more.end());
    if (std::ssize(to) > most) {
        to.erase(to.begin(), to.end() - most);
    }
}

} // namespace

void Simulation::Impl::publish() {
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
    next.edit_version = runner.edits().version();
    next.published_at = clock;
    next.ahead = runner.seconds_ahead();
    next.lag = lag;
    next.interval = interval;
    next.time_scale = runner.time_scale;
    next.paused = runner.paused;
    next.dropped = runner.dropped_seconds();
    next.publish_seconds = runner.publish_seconds();
    note_branches();
    next.branches = branches;
    next.current_branch = runner.history().current_branch();
    next.known_steps = runner.history().steps();
    next.world_number = world_number;
    next.what_if = runner.what_if();
    repeating = next.what_if.has_value();
    next.recording = runner.recording();
    next.recording_from = runner.recording_from();
    next.recorded_steps = runner.recorded_steps();
    next.recording_path = runner.recording_path();
    next.replay = runner.replay();
    std::vector<std::string> messages = runner.take_messages();
    const std::vector<RemadeBody> remade = runner.take_remade();
    const std::lock_guard lock(mutex);
    std::swap(latest, next); // what nobody has looked at is let go of when the lock is open again
    fresh = true;
    for (std::string& text : messages) {
        events.messages.push_back({std::move(text), false});
    }
    events.remade.insert(events.remade.end(), remade.begin(), remade.end());
    std::move(just_created.begin(), just_created.end(), std::back_inserter(events.created));
    just_created.clear();
}

void Simulation::Impl::note_branches() {
    const History& history = runner.history();
    // Published anew only when one has begun: the ends of the others stay.
    if (branches && branches->size() == history.branch_count() && published_branch == history.current_branch() &&
        !branches_renamed) {
        return;
    }
    branches_renamed = false;
    auto now_known = std::make_shared<std::vector<History::Branch>>();
    for (std::size_t i = 0; i < history.branch_count(); ++i) {
        now_known->push_back(history.branch(i));
    }
    branches = std::move(now_known);
    published_branch = history.current_branch();
}

void Simulation::Impl::note_step() {
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

void Simulation::Impl::note_state() {
    const StepMetrics state = metrics_of(runner.current(), runner.history(), bodies);
    const std::lock_guard lock(mutex);
    append_newest<StepMetrics>(events.metrics, {&state, 1}, most_metrics);
}

void Simulation::Impl::begin_world() {
    {
        const std::lock_guard lock(mutex);
        events.metrics.clear();
        events.marks.clear();
    }
    finder.forget();
    bodies.set_zero();
    const bool at_start = runner.current().step == 0 && runner.began_as_scene();
    expectations.begin(runner.scene(), runner.current(), at_start, executor);
    ++world_number;
    note_state();
}

void Simulation::Impl::note_timing() {
    const double time = now(), ahead = runner.seconds_ahead();
    const double since = (time - last_published) * runner.time_scale;
    last_published = time;
    const double step = 1.0 / static_cast<double>(runner.current().settings.hz);
    lag += (ahead > lag ? 0.5 : 0.2) * (ahead - lag); // late steps show, early ones can wait
    interval = std::max(step, interval + 0.2 * (std::min(since, 10.0 * step * most_due) - interval));
}

} // namespace cairn::core
