#include "app/core/expect/expectation_run.h"

#include "app/core/report/formats/number_text.h"
#include "app/core/report/statistics/statistics.h"
#include "app/core/scene/parser/scene_expectations.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::core {

using namespace cairn::physics;
using Status = ExpectationOutcome::Status;

namespace {

constexpr float slow_speed = 0.05f; // m/s, and rad/s

} // namespace

std::uint64_t last_expected_step(const Scene& scene) {
    std::uint64_t last = 0;
    for (const Expectation& e : scene.expectations) {
        last = std::max(last, e.last);
    }
    return last;
}

ExpectationRun::ExpectationRun(const Scene& scene, const FrameState& start)
    : scene_(scene),
      watched_(scene.expectations.size()),
      outcomes_(scene.expectations.size()),
      starts_(scene.bodies.size()),
      up_(scene.bodies.size()),
      turns_(scene.bodies.size()),
      rests_(scene.bodies.size()),
      seen_(start.step) {
    for (std::size_t i = 0; i < watched_.size(); ++i) {
        watched_[i] = watched_by(scene.expectations[i]);
        for (const std::uint32_t body : scene.expectations[i].about == Expectation::About::rests
                                            ? watched_[i].subjects
                                            : std::vector<std::uint32_t>{}) {
            rests_[body] = true;
        }
    }
    for (const BodyState& body : start.bodies) {
        if (body.id.index < starts_.size()) {
            starts_[body.id.index] = body.pose.position;
            up_[body.id.index] = glm::conjugate(body.pose.orientation) * Vec3(0.0f, 0.0f, 1.0f);
        }
    }
    look(start);
}

std::size_t ExpectationRun::zone_of(const Expectation& e) const {
    const auto zone = std::ranges::find(scene_.zones, e.zone, &Zone::name);
    return static_cast<std::size_t>(zone - scene_.zones.begin());
}

ExpectationRun::Watched ExpectationRun::watched_by(const Expectation& e) const {
    Watched watched;
    watched.subjects = e.body    ? bodies_of(*e.body, scene_.bodies)
                       : e.joint ? joints_of(*e.joint, scene_.joints)
                                 : std::vector<std::uint32_t>{0}; // the world
    if (e.other) {
        watched.others = bodies_of(*e.other, scene_.bodies);
    }
    watched.satisfied.assign(watched.subjects.size(), never);
    watched.zone = zone_of(e);
    return watched;
}

void ExpectationRun::add(const FrameState& frame) {
    if (frame.step > seen_ + 1) {
        for (std::size_t i = 0; i < outcomes_.size(); ++i) {
            const Expectation& e = scene_.expectations[i];
            outcomes_[i].missed |=
                outcomes_[i].status == Status::open && e.first < frame.step && e.last > seen_ && !is_of_clock(e);
        }
    }
    look(frame);
}

void ExpectationRun::rewind(std::uint64_t step) {
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
        if (outcomes_[i].status != Status::open && outcomes_[i].step > step) {
            outcomes_[i] = {};
        }
        std::ranges::replace_if(
            watched_[i].satisfied, [step](std::uint64_t since) { return since > step; }, never);
    }
    for (std::vector<std::uint64_t>& turns : turns_) {
        while (!turns.empty() && turns.back() > step) {
            turns.pop_back();
        }
    }
    seen_ = std::min(seen_, step);
}

void ExpectationRun::grow() {
    const Expectation& e = scene_.expectations.back();
    watched_.push_back(watched_by(e));
    outcomes_.emplace_back().missed = seen_ >= e.first && !is_of_clock(e);
    if (e.about == Expectation::About::rests) {
        for (const std::uint32_t body : watched_.back().subjects) {
            if (!rests_[body]) { // how long it has been slow was not followed
                rests_[body] = true;
                turns_[body] = {0, seen_ + 1};
            }
        }
    }
}

void ExpectationRun::remove(std::size_t which) {
    watched_.erase(watched_.begin() + static_cast<std::ptrdiff_t>(which));
    outcomes_.erase(outcomes_.begin() + static_cast<std::ptrdiff_t>(which));
    for (std::size_t i = 0; i < watched_.size(); ++i) { // a zone may have gone with it
        watched_[i].zone = zone_of(scene_.expectations[i]);
    }
}

void ExpectationRun::settle(std::size_t which, std::vector<double> own, std::vector<double> other) {
    const Expectation& e = scene_.expectations[which];
    const double mine = median(std::move(own)), others = median(std::move(other)),
                 ratio = mine / std::max(others, 1e-9);
    const bool met = (!e.least || ratio >= *e.least) && (!e.most || ratio <= *e.most);
    ExpectationOutcome& outcome = outcomes_[which];
    outcome.status = met ? Status::met : Status::failed;
    outcome.step = e.last;
    outcome.value = ratio;
    outcome.found = "a step takes " + short_number(mine * 1e3, 3) + " ms, " + short_number(ratio, 3) + " times the " +
                    short_number(others * 1e3, 3) + " ms of " + e.reference.file;
}

void ExpectationRun::miss(std::size_t which) {
    outcomes_[which].missed = outcomes_[which].status == Status::open;
}

bool ExpectationRun::all_met() const {
    return std::ranges::all_of(outcomes_, [](const ExpectationOutcome& o) { return o.status == Status::met; });
}

bool ExpectationRun::decided() const {
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
        if (outcomes_[i].status == Status::open && !outcomes_[i].missed && !is_of_clock(scene_.expectations[i])) {
            return false;
        }
    }
    return true;
}

std::optional<std::size_t> ExpectationRun::first_failure() const {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
        if (outcomes_[i].status == Status::failed && (!first || outcomes_[i].step < outcomes_[*first].step)) {
            first = i;
        }
    }
    return first;
}

void ExpectationRun::look(const FrameState& frame) {
    seen_ = frame.step;
    follow_rest(frame);
    find_touching(frame);
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
        if (is_open_at(i, frame.step)) {
            judge(i, frame);
        }
    }
}

bool ExpectationRun::is_open_at(std::size_t which, std::uint64_t step) const {
    const Expectation& e = scene_.expectations[which];
    return outcomes_[which].status == Status::open && !outcomes_[which].missed && !is_of_clock(e) && step >= e.first &&
           step <= e.last;
}

// The contacts are gone through once, for however many expectations.
void ExpectationRun::find_touching(const FrameState& frame) {
    touching_.clear();
    bool any = false;
    asked_for_touch_.assign(scene_.bodies.size(), false);
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
        if (scene_.expectations[i].about == Expectation::About::touches && is_open_at(i, frame.step)) {
            any = true;
            for (const std::uint32_t body : watched_[i].subjects) {
                asked_for_touch_[body] = true;
            }
        }
    }
    if (!any) {
        return;
    }
    const auto add = [&](BodyId body, BodyId other) {
        const std::pair pair(body.index, other.index);
        const bool of_scene = body.generation == 0 && other.generation == 0 && body.index < asked_for_touch_.size();
        if (of_scene && asked_for_touch_[body.index] && (touching_.empty() || touching_.back() != pair)) {
            touching_.push_back(pair);
        }
    };
    for (const ContactState& c : frame.contacts) {
        if (c.separation <= frame.settings.linear_slop || c.normal_impulse > 0.0f) {
            add(c.body_a, c.body_b);
            add(c.body_b, c.body_a);
        }
    }
    for (const ImpactState& impact : frame.impacts) {
        add(impact.body_a, impact.body_b);
        add(impact.body_b, impact.body_a);
    }
    std::ranges::sort(touching_);
}

void ExpectationRun::follow_rest(const FrameState& frame) {
    for (const BodyState& body : frame.bodies) {
        if (body.id.index >= rests_.size() || !rests_[body.id.index]) {
            continue;
        }
        const bool slow = body.sleeping || (glm::length(body.linear_velocity) <= slow_speed &&
                                            glm::length(body.angular_velocity) <= slow_speed);
        std::vector<std::uint64_t>& turns = turns_[body.id.index];
        if (slow != (turns.size() % 2 == 0)) {
            turns.push_back(frame.step);
        }
    }
}

void ExpectationRun::judge(std::size_t which, const FrameState& frame) {
    const Expectation& e = scene_.expectations[which];
    Watched& watched = watched_[which];
    using When = Expectation::When;
    const bool is_never = e.when == When::never;
    const bool once = e.when == When::by || e.when == When::between;
    bool all = true;
    if (watched.subjects.empty()) { // a value that was set has left none
        fail(which, frame, std::nullopt, {false, std::nullopt, "there is none"});
        return;
    }
    for (std::size_t s = 0; s < watched.subjects.size(); ++s) {
        if (once && watched.satisfied[s] != never) {
            continue;
        }
        const Found found = find(which, s, frame, false);
        if (once) {
            watched.satisfied[s] = found.holds ? frame.step : never;
            all = all && found.holds;
        }
        // What is no number is in no range, and never what was meant.
        const bool no_number = found.value && !std::isfinite(*found.value);
        if (once ? !found.holds && frame.step == e.last : found.holds == is_never || no_number) {
            fail(which, frame, e.body ? std::optional(watched.subjects[s]) : std::nullopt, find(which, s, frame, true));
            return;
        }
    }
    if (once ? all : frame.step == e.last) {
        outcomes_[which].status = Status::met;
        outcomes_[which].step = frame.step;
    }
}

std::string ExpectationRun::name_of(std::uint32_t body) const {
    const std::string& name = scene_.bodies[body].name;
    return name.empty() ? "body " + std::to_string(body) : '"' + name + '"';
}

std::string ExpectationRun::name_of_joint(std::uint32_t joint) const {
    const std::string& name = scene_.joints[joint].name;
    return "joint " + (name.empty() ? std::to_string(joint) : '"' + name + '"');
}

void ExpectationRun::fail(std::size_t which, const FrameState& frame, std::optional<std::uint32_t> body, Found found) {
    ExpectationOutcome& outcome = outcomes_[which];
    outcome.status = Status::failed;
    outcome.step = frame.step;
    outcome.body = body;
    outcome.value = found.value;
    outcome.found = std::move(found.words);
}

} // namespace cairn::core
