#include "app/core/expect/expectation_run.h"

#include "app/core/report/number_text.h"
#include "app/core/report/ranks.h"
#include "app/core/scene/scene_expectations.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace cairn::core {

using namespace cairn::physics;
using Status = ExpectationOutcome::Status;

namespace {

// What is made only if somebody is to read it.
template <typename Make>
std::string words_if(bool wanted, const Make& make) {
    return wanted ? make() : std::string();
}

// A body that turns round at the top of a throw is slow for a moment and does not rest.
constexpr float slow_speed = 0.05f; // m/s, and rad/s
constexpr double rest_time = 0.5;   // s

const BodyState* body_at(const FrameState& frame, std::uint32_t slot) {
    const auto at = std::lower_bound(frame.bodies.begin(), frame.bodies.end(), slot,
                                     [](const BodyState& body, std::uint32_t index) { return body.id.index < index; });
    // Another generation is another body, in the place of one that was removed.
    return at != frame.bodies.end() && at->id == BodyId{slot, 0} ? &*at : nullptr;
}

const JointState* joint_at(const FrameState& frame, std::uint32_t slot) {
    const auto at =
        std::lower_bound(frame.joints.begin(), frame.joints.end(), slot,
                         [](const JointState& joint, std::uint32_t index) { return joint.id.index < index; });
    return at != frame.joints.end() && at->id == JointId{slot, 0} ? &*at : nullptr;
}

std::string point_text(const Vec3& p) {
    const auto number = [](float value) { return short_number(static_cast<double>(value), 5); };
    return '(' + number(p.x) + ", " + number(p.y) + ", " + number(p.z) + ") m";
}

double length_of(const Vec3& v) {
    const glm::dvec3 wide(v);
    return std::sqrt(glm::dot(wide, wide));
}

double sideways(const Vec3& from, const Vec3& to) {
    return length_of({to.x - from.x, to.y - from.y, 0.0f});
}

glm::dvec3 momentum_of(const FrameState& frame) {
    glm::dvec3 sum(0.0);
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        sum += glm::dvec3(frame.bodies[i].linear_velocity) * static_cast<double>(frame.models[i]->mass);
    }
    return sum;
}

// About the common centre of mass, so that it does not depend on where the scene lies, and is kept in free fall.
glm::dvec3 angular_momentum_of(const FrameState& frame) {
    double mass = 0.0;
    glm::dvec3 centre(0.0);
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const double own = static_cast<double>(frame.models[i]->mass);
        mass += own;
        centre += own * glm::dvec3(frame.bodies[i].pose.position);
    }
    centre /= std::max(mass, std::numeric_limits<double>::min());
    glm::dvec3 sum(0.0);
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const BodyState& body = frame.bodies[i];
        const glm::dmat3 turn = glm::mat3_cast(glm::dquat(body.pose.orientation));
        const glm::dvec3 spin = glm::transpose(turn) * glm::dvec3(body.angular_velocity);
        const glm::dvec3 arm = glm::dvec3(body.pose.position) - centre;
        sum += turn * (glm::dmat3(frame.models[i]->inertia) * spin) +
               static_cast<double>(frame.models[i]->mass) * glm::cross(arm, glm::dvec3(body.linear_velocity));
    }
    return sum;
}

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
    const auto zone =
        std::find_if(scene_.zones.begin(), scene_.zones.end(), [&](const Zone& z) { return z.name == e.zone; });
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
        std::replace_if(
            watched_[i].satisfied.begin(), watched_[i].satisfied.end(),
            [step](std::uint64_t since) { return since > step; }, never);
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
    return std::all_of(outcomes_.begin(), outcomes_.end(),
                       [](const ExpectationOutcome& o) { return o.status == Status::met; });
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
    std::sort(touching_.begin(), touching_.end());
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

ExpectationRun::Found ExpectationRun::find(std::size_t which, std::size_t subject, const FrameState& frame,
                                           bool in_words) const {
    const Expectation& e = scene_.expectations[which];
    const Watched& watched = watched_[which];
    if (e.about == Expectation::About::measure) {
        return measure(e, watched, subject, frame, in_words);
    }
    const std::uint32_t slot = watched.subjects[subject];
    if (e.about == Expectation::About::breaks) {
        const bool broken = joint_at(frame, slot) == nullptr;
        return {broken, std::nullopt,
                words_if(in_words, [&] { return name_of_joint(slot) + (broken ? " is broken" : " is whole"); })};
    }
    const BodyState* body = body_at(frame, slot);
    if (body == nullptr) {
        return {false, std::nullopt, words_if(in_words, [&] { return name_of(slot) + " is not there"; })};
    }
    switch (e.about) {
    case Expectation::About::within: {
        const bool there = watched.zone < scene_.zones.size();
        return {there && scene_.zones[watched.zone].holds(body->pose.position), std::nullopt,
                words_if(in_words, [&] { return name_of(slot) + " is at " + point_text(body->pose.position); })};
    }
    case Expectation::About::rests: {
        const std::vector<std::uint64_t>& turns = turns_[slot];
        const std::uint64_t steps = turns.empty()           ? frame.step + 1
                                    : turns.size() % 2 == 0 ? frame.step + 1 - turns.back()
                                                            : 0;
        const double slow = static_cast<double>(steps) / static_cast<double>(frame.settings.hz);
        const double speed = length_of(body->linear_velocity);
        const bool holds = body->type == BodyType::fixed || body->sleeping || slow >= rest_time;
        return {holds, speed, words_if(in_words, [&] {
                    return name_of(slot) + " moves at " + short_number(speed) + " m/s and spins at " +
                           short_number(length_of(body->angular_velocity)) + " rad/s" +
                           (slow > 0.0 ? ", slow for " + short_number(slow) + " s" : std::string());
                })};
    }
    case Expectation::About::upright: {
        const Vec3 up = body->pose.orientation * up_[slot];
        // By the chord: the arc cosine knows nothing of small angles in floats.
        const double tilt = 2.0 * std::asin(std::min(0.5 * length_of(up - Vec3(0.0f, 0.0f, 1.0f)), 1.0));
        return {tilt <= *e.most, tilt,
                words_if(in_words, [&] { return name_of(slot) + " is tilted by " + short_number(tilt) + " rad"; })};
    }
    case Expectation::About::touches: {
        const bool holds = touching(slot, watched.others);
        return {holds, std::nullopt, words_if(in_words, [&] {
                    return name_of(slot) + (holds ? " touches " : " does not touch ") +
                           (watched.others.size() == 1 ? name_of(watched.others.front()) : std::string("any of them"));
                })};
    }
    case Expectation::About::breaks:
    case Expectation::About::step_time:
    case Expectation::About::measure:
        break;
    }
    return {};
}

ExpectationRun::Found ExpectationRun::measure(const Expectation& e, const Watched& watched, std::size_t subject,
                                              const FrameState& frame, bool in_words) const {
    double value = std::numeric_limits<double>::quiet_NaN();
    const std::uint32_t slot = watched.subjects[subject];
    const auto who = [&] { return is_of_body(e.measure) ? name_of(slot) : name_of_joint(slot); };
    const auto gone = [&] {
        return Found{false, std::nullopt, words_if(in_words, [&] { return who() + " is not there"; })};
    };
    if (is_of_body(e.measure)) {
        const BodyState* body = body_at(frame, slot);
        if (body == nullptr) {
            return gone();
        }
        switch (e.measure) {
        case Measure::speed:
            value = length_of(body->linear_velocity);
            break;
        case Measure::spin:
            value = length_of(body->angular_velocity);
            break;
        case Measure::height:
            value = static_cast<double>(body->pose.position.z);
            break;
        case Measure::drift:
            value = sideways(starts_[slot], body->pose.position);
            break;
        default: { // the nearest of those that are named
            value = std::numeric_limits<double>::infinity();
            for (const std::uint32_t other : watched.others) {
                const BodyState* there = body_at(frame, other);
                if (there != nullptr && (other != slot || e.point || e.other_point)) {
                    const Vec3 from = to_world(body->pose, e.point.value_or(Vec3(0.0f)));
                    const Vec3 to = to_world(there->pose, e.other_point.value_or(Vec3(0.0f)));
                    value = std::min(value, length_of(to - from));
                }
            }
        }
        }
    } else if (is_of_joint(e.measure)) {
        const JointState* joint = joint_at(frame, slot);
        if (joint == nullptr) {
            return gone();
        }
        value = e.measure == Measure::position ? static_cast<double>(joint->position)
                : e.measure == Measure::force  ? length_of(joint->force)
                                               : length_of(joint->torque);
    } else {
        const StepStats& stats = frame.stats;
        double sum = 0.0;
        std::size_t moving = 0;
        switch (e.measure) {
        case Measure::penetration:
            value = static_cast<double>(stats.max_penetration);
            break;
        case Measure::kinetic_energy:
            value = stats.kinetic_energy;
            break;
        case Measure::energy:
            value = stats.kinetic_energy + stats.potential_energy;
            break;
        case Measure::momentum:
            value = glm::length(momentum_of(frame));
            break;
        case Measure::angular_momentum:
            value = glm::length(angular_momentum_of(frame));
            break;
        case Measure::mean_drift:
        case Measure::greatest_speed:
            value = 0.0;
            for (const BodyState& body : frame.bodies) {
                if (body.type == BodyType::dynamic && body.id.index < starts_.size()) {
                    value = std::max(value, length_of(body.linear_velocity));
                    sum += sideways(starts_[body.id.index], body.pose.position);
                    ++moving;
                }
            }
            if (e.measure == Measure::mean_drift) {
                value = moving == 0 ? 0.0 : sum / static_cast<double>(moving);
            }
            break;
        case Measure::contacts:
            value = stats.contacts;
            break;
        case Measure::contact_points:
            value = stats.contact_points;
            break;
        default:
            value = stats.awake;
        }
    }
    const bool holds = (!e.least || value >= *e.least) && (!e.most || value <= *e.most); // NaN never does
    return {holds, value, words_if(in_words, [&] {
                std::string what = "the " + std::string(measure_keys[static_cast<std::size_t>(e.measure)]);
                std::replace(what.begin(), what.end(), '_', ' ');
                const bool of_world = !is_of_body(e.measure) && !is_of_joint(e.measure);
                return what + (of_world ? "" : " of " + who()) + " is " + short_number(value, 6) + unit_of(e.measure);
            })};
}

bool ExpectationRun::touching(std::uint32_t body, const std::vector<std::uint32_t>& others) const {
    auto at = std::lower_bound(touching_.begin(), touching_.end(), std::pair(body, std::uint32_t{0}));
    for (; at != touching_.end() && at->first == body; ++at) {
        if (std::binary_search(others.begin(), others.end(), at->second)) {
            return true;
        }
    }
    return false;
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
