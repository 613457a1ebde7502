#include "app/core/expect/live_expectations.h"

#include "app/core/base/error.h"
#include "app/core/scene/json/document.h"
#include "app/core/scene/json/text_edits.h"
#include "app/core/scene/parser/scene_expectations.h"
#include "app/core/scene/writer/expectation_writer.h"

#include <algorithm>
#include <chrono>

namespace cairn::core {

using namespace cairn::physics;
using Status = ExpectationOutcome::Status;

void LiveExpectations::begin(const Scene& scene, const FrameState& start, bool possible, Executor* executor) {
    runs_.clear();
    step_times_.clear();
    executor_ = executor;
    scene_ = possible ? std::make_unique<Scene>(scene) : nullptr;
    if (scene_) {
        runs_.push_back(std::make_unique<ExpectationRun>(*scene_, start));
        for (const Expectation& e : scene_->expectations) {
            step_times_.push_back(is_of_clock(e) ? std::optional(StepTimes()) : std::nullopt);
        }
    }
    changed_ = true;
}

ExpectationRun& LiveExpectations::run_of(std::size_t branch, const History& history) {
    if (branch >= runs_.size()) {
        runs_.resize(branch + 1);
    }
    if (!runs_[branch]) { // it parts from another
        const History::Branch parted = history.branch(branch);
        auto run = std::make_unique<ExpectationRun>(run_of(parted.parent, history));
        run->rewind(parted.fork);
        for (std::size_t i = 0; i < scene_->expectations.size(); ++i) {
            if (is_of_clock(scene_->expectations[i])) { // what somebody has changed is not the scene's
                run->miss(i);
            }
        }
        runs_[branch] = std::move(run);
        changed_ = true;
    }
    return *runs_[branch];
}

void LiveExpectations::follow(const FrameState& frame, const History& history) {
    if (!scene_) {
        return;
    }
    ExpectationRun& run = run_of(history.current_branch(), history);
    if (frame.step > run.seen()) {
        const bool is_next = frame.step == run.seen() + 1 && history.current_branch() == 0;
        run.add(frame);
        follow_step_times(run, frame, is_next);
        changed_ = changed_ || !scene_->expectations.empty();
    }
}

// The two take turns, so that whatever else the machine does slows both.
void LiveExpectations::follow_step_times(ExpectationRun& run, const FrameState& frame, bool is_next) {
    for (std::size_t i = 0; i < step_times_.size(); ++i) {
        if (!step_times_[i]) {
            continue;
        }
        const Expectation& e = scene_->expectations[i];
        StepTimes& times = *step_times_[i];
        if (!is_next) {
            run.miss(i);
            step_times_[i].reset();
            continue;
        }
        if (!times.world) {
            try {
                times.world = std::make_unique<World>(make_world(*e.reference.scene, executor_));
            } catch (const InputError&) { // `cairn test` says why
                run.miss(i);
                step_times_[i].reset();
                continue;
            }
        }
        const auto start = std::chrono::steady_clock::now();
        times.world->step();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        if (frame.step >= e.first) {
            times.own.push_back(frame.stats.times.total());
            times.other.push_back(took.count());
        }
        if (frame.step == e.last) {
            run.settle(i, std::move(times.own), std::move(times.other));
            step_times_[i].reset();
        }
    }
}

void LiveExpectations::expect(Expectation expectation, const std::vector<Zone>& zones, std::uint64_t now,
                              const History& history) {
    scene_->zones.insert(scene_->zones.end(), zones.begin(), zones.end());
    scene_->expectations.push_back(std::move(expectation));
    step_times_.emplace_back();
    run_of(history.current_branch(), history).rewind(now);
    for (const auto& run : runs_) {
        if (run) {
            run->grow();
        }
    }
    changed_ = true;
}

void LiveExpectations::drop(std::size_t which) {
    const std::string zone = scene_->expectations[which].zone;
    step_times_.erase(step_times_.begin() + static_cast<std::ptrdiff_t>(which));
    scene_->expectations.erase(scene_->expectations.begin() + static_cast<std::ptrdiff_t>(which));
    if (std::ranges::none_of(scene_->expectations, [&](const Expectation& e) { return e.zone == zone; })) {
        std::erase_if(scene_->zones, [&](const Zone& z) { return z.name == zone; });
    }
    for (const auto& run : runs_) {
        if (run) {
            run->remove(which);
        }
    }
    changed_ = true;
}

std::shared_ptr<const ExpectationsShown> LiveExpectations::shown(const History& history) {
    if (scene_ && !scene_->expectations.empty()) {
        const std::vector<ExpectationOutcome>& outcomes = run_of(history.current_branch(), history).outcomes();
        if (!shown_ ||
            (changed_ ? shown_->zones != scene_->zones || shown_->expectations != scene_->expectations : false) ||
            shown_->outcomes != outcomes) {
            shown_ = std::make_shared<const ExpectationsShown>(
                ExpectationsShown{true, scene_->zones, scene_->expectations, outcomes});
        }
    } else if (changed_) {
        shown_ = std::make_shared<const ExpectationsShown>(
            ExpectationsShown{possible(), scene_ ? scene_->zones : std::vector<Zone>{}, {}, {}});
    }
    changed_ = false;
    return shown_;
}

void carry_expectations(const ExpectationsShown& from, const FrameState& state, Scene& to) {
    to.zones = from.zones;
    // The place in the new scene of what has an index in the old one.
    const auto renumber = [](std::optional<Expectation::Subject>& subject, const auto& all, const auto& id_of) {
        if (subject && subject->index) {
            const auto at = std::ranges::find_if(
                all, [&](const auto& each) { return id_of(each) == std::pair(*subject->index, 0u); });
            if (at == all.end()) {
                return false;
            }
            subject->index = static_cast<std::uint32_t>(at - all.begin());
        }
        return true;
    };
    const auto id = [](const auto& each) { return std::pair(each.id.index, each.id.generation); };
    for (std::size_t i = 0; i < from.expectations.size(); ++i) {
        Expectation e = from.expectations[i];
        const bool there = renumber(e.body, state.bodies, id) && renumber(e.other, state.bodies, id) &&
                           renumber(e.joint, state.joints, id) && !(e.body && bodies_of(*e.body, to.bodies).empty()) &&
                           !(e.other && bodies_of(*e.other, to.bodies).empty()) &&
                           !(e.joint && joints_of(*e.joint, to.joints).empty());
        if (!there || from.outcomes[i].status != Status::open || e.last < state.step) {
            continue;
        }
        e.first = std::max(e.first, state.step) - state.step;
        e.last -= state.step;
        if (is_of_clock(e)) {
            e.reference.file = e.reference.path; // the new file may lie elsewhere
        }
        to.expectations.push_back(std::move(e));
    }
}

namespace {

// Puts `entries` behind what the list of that key holds, or makes the list.
std::string with_entries(const std::string& text, const std::string& key, const std::vector<std::string>& entries) {
    if (entries.empty()) {
        return text;
    }
    std::string added;
    for (const std::string& entry : entries) {
        added += (added.empty() ? "\n    " : ",\n    ") + entry;
    }
    const Document document(text, "");
    // Behind what the list or the object holds; `end` follows where that is nothing.
    const auto put_into = [&](const Node& parent, const std::string& words, const std::string& end) {
        const Node* last = document.last(parent);
        const std::size_t at = last != nullptr ? last->end : parent.begin + 1;
        return with_edits(text, {{at, at, last != nullptr ? "," + words : words + end}});
    };
    const Node& root = document.root();
    const Node* list = document.member(root, key);
    return list != nullptr && list->kind == NodeKind::array
               ? put_into(*list, added, "\n  ")
               : put_into(root, "\n  \"" + key + "\": [" + added + "\n  ]", "\n");
}

} // namespace

std::string with_expectations(const std::string& text, const std::filesystem::path& file,
                              const std::vector<Zone>& zones, const std::vector<Expectation>& expectations) {
    std::vector<std::string> places, entries;
    for (const Zone& zone : zones) {
        places.push_back(zone_text(zone));
    }
    for (const Expectation& e : expectations) {
        entries.push_back(expectation_text(e));
    }
    const std::string longer = with_entries(with_entries(text, "zones", places), "expect", entries);
    const Scene read = parse_scene(longer, file.string(), file.parent_path());
    const bool same = read.expectations.size() >= expectations.size() &&
                      std::equal(expectations.rbegin(), expectations.rend(), read.expectations.rbegin());
    if (!same) {
        throw InputError(Location{file.string(), 0, 0},
                         "its bodies are counted differently than those that something is expected of: give these "
                         "names, or save the scene as another file");
    }
    return longer;
}

} // namespace cairn::core
