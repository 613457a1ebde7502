#include "app/core/expect/expectation_run.h"

#include "app/core/report/number_text.h"
#include "app/core/scene/scene_expectations.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn::core {

using namespace cairn::physics;
using Status = ExpectationOutcome::Status;

namespace {

// A body that turns round at the top of a throw is slow for a moment and does not rest.
constexpr float slow_speed = 0.05f; // m/s, and rad/s
constexpr double rest_time = 0.5;   // s

const BodyState* body_at(const FrameState& frame, std::uint32_t slot) {
    const auto at = std::lower_bound(frame.bodies.begin(), frame.bodies.end(), slot,
                                     [](const BodyState& body, std::uint32_t index) { return body.id.index < index; });
    return at != frame.bodies.end() && at->id.index == slot ? &*at : nullptr;
}

const JointState* joint_at(const FrameState& frame, std::uint32_t slot) {
    const auto at = std::find_if(frame.joints.begin(), frame.joints.end(),
                                 [&](const JointState& joint) { return joint.id.index == slot; });
    return at == frame.joints.end() ? nullptr : &*at;
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
      slow_since_(scene.bodies.size(), start.step) {
    for (std::size_t i = 0; i < watched_.size(); ++i) {
        const Expectation& e = scene.expectations[i];
        Watched& watched = watched_[i];
        watched.subjects = e.body    ? bodies_of(*e.body, scene.bodies)
                           : e.joint ? joints_of(*e.joint, scene.joints)
                                     : std::vector<std::uint32_t>{0}; // the world
        if (e.other) {
            watched.others = bodies_of(*e.other, scene.bodies);
        }
        watched.satisfied.assign(watched.subjects.size(), false);
    }
    for (const BodyState& body : start.bodies) {
        if (body.id.index < starts_.size()) {
            starts_[body.id.index] = body.pose.position;
            up_[body.id.index] = glm::conjugate(body.pose.orientation) * Vec3(0.0f, 0.0f, 1.0f);
        }
    }
    look(start);
}

void ExpectationRun::add(const FrameState& frame) {
    look(frame);
}

bool ExpectationRun::all_met() const {
    return std::all_of(outcomes_.begin(), outcomes_.end(),
                       [](const ExpectationOutcome& o) { return o.status == Status::met; });
}

bool ExpectationRun::decided() const {
    return std::none_of(outcomes_.begin(), outcomes_.end(),
                        [](const ExpectationOutcome& o) { return o.status == Status::open; });
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
    follow_rest(frame);
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
        const Expectation& e = scene_.expectations[i];
        if (outcomes_[i].status == Status::open && frame.step >= e.first && frame.step <= e.last) {
            judge(i, frame);
        }
    }
}

void ExpectationRun::follow_rest(const FrameState& frame) {
    for (const BodyState& body : frame.bodies) {
        const bool slow = body.sleeping || (glm::length(body.linear_velocity) <= slow_speed &&
                                            glm::length(body.angular_velocity) <= slow_speed);
        if (!slow && body.id.index < slow_since_.size()) {
            slow_since_[body.id.index] = frame.step + 1;
        }
    }
}

void ExpectationRun::judge(std::size_t which, const FrameState& frame) {
    const Expectation& e = scene_.expectations[which];
    Watched& watched = watched_[which];
    using When = Expectation::When;
    const bool never = e.when == When::never;
    const bool once = e.when == When::by || e.when == When::between;
    bool all = true;
    for (std::size_t s = 0; s < watched.subjects.size(); ++s) {
        if (once && watched.satisfied[s]) {
            continue;
        }
        Found found = find(which, s, frame);
        if (once) {
            watched.satisfied[s] = found.holds;
            all = all && found.holds;
        }
        if (once ? !found.holds && frame.step == e.last : found.holds == never) {
            fail(which, frame, e.body ? std::optional(watched.subjects[s]) : std::nullopt, std::move(found));
            return;
        }
    }
    if (once ? all : frame.step == e.last) {
        outcomes_[which].status = Status::met;
        outcomes_[which].step = frame.step;
    }
}

ExpectationRun::Found ExpectationRun::find(std::size_t which, std::size_t subject, const FrameState& frame) const {
    const Expectation& e = scene_.expectations[which];
    const Watched& watched = watched_[which];
    if (e.about == Expectation::About::measure) {
        return measure(e, watched, subject, frame);
    }
    const std::uint32_t slot = watched.subjects[subject];
    const BodyState* body = body_at(frame, slot);
    if (body == nullptr) {
        return {false, std::nullopt, name_of(slot) + " is not there"};
    }
    switch (e.about) {
    case Expectation::About::within: {
        const auto zone =
            std::find_if(scene_.zones.begin(), scene_.zones.end(), [&](const Zone& z) { return z.name == e.zone; });
        return {zone != scene_.zones.end() && zone->holds(body->pose.position), std::nullopt,
                name_of(slot) + " is at " + point_text(body->pose.position)};
    }
    case Expectation::About::rests: {
        const double slow = static_cast<double>(frame.step + 1 - std::min(frame.step + 1, slow_since_[slot])) /
                            static_cast<double>(frame.settings.hz);
        const double speed = length_of(body->linear_velocity);
        const bool holds = body->type == BodyType::fixed || body->sleeping || slow >= rest_time;
        return {holds, speed,
                name_of(slot) + " moves at " + short_number(speed) + " m/s and spins at " +
                    short_number(length_of(body->angular_velocity)) + " rad/s" +
                    (slow > 0.0 ? ", slow for " + short_number(slow) + " s" : std::string())};
    }
    case Expectation::About::upright: {
        const Vec3 up = body->pose.orientation * up_[slot];
        // By the chord: the arc cosine knows nothing of small angles in floats.
        const double tilt = 2.0 * std::asin(std::min(0.5 * length_of(up - Vec3(0.0f, 0.0f, 1.0f)), 1.0));
        return {tilt <= *e.most, tilt, name_of(slot) + " is tilted by " + short_number(tilt) + " rad"};
    }
    case Expectation::About::touches: {
        const bool holds = touching(frame, slot, watched.others);
        return {holds, std::nullopt,
                name_of(slot) + (holds ? " touches " : " does not touch ") +
                    (watched.others.size() == 1 ? name_of(watched.others.front()) : std::string("any of them"))};
    }
    case Expectation::About::measure:
        break;
    }
    return {};
}

ExpectationRun::Found ExpectationRun::measure(const Expectation& e, const Watched& watched, std::size_t subject,
                                              const FrameState& frame) const {
    double value = std::numeric_limits<double>::quiet_NaN();
    std::string who = "it";
    const std::uint32_t slot = watched.subjects[subject];
    if (is_of_body(e.measure)) {
        who = name_of(slot);
        const BodyState* body = body_at(frame, slot);
        if (body == nullptr) {
            return {false, std::nullopt, who + " is not there"};
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
                if (const BodyState* there = body_at(frame, other); there != nullptr && other != slot) {
                    value = std::min(value, length_of(there->pose.position - body->pose.position));
                }
            }
        }
        }
    } else if (is_of_joint(e.measure)) {
        who = "joint " + std::to_string(slot);
        const JointState* joint = joint_at(frame, slot);
        if (joint == nullptr) {
            return {false, std::nullopt, who + " is not there"};
        }
        value = e.measure == Measure::position ? static_cast<double>(joint->position)
                : e.measure == Measure::force  ? length_of(joint->force)
                                               : length_of(joint->torque);
    } else {
        const StepStats& stats = frame.stats;
        double sum = 0.0;
        std::size_t moving = 0;
        glm::dvec3 momentum(0.0);
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
            for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
                momentum += glm::dvec3(frame.bodies[i].linear_velocity) * static_cast<double>(frame.models[i]->mass);
            }
            value = std::sqrt(glm::dot(momentum, momentum));
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
    std::string what(measure_keys[static_cast<std::size_t>(e.measure)]);
    std::replace(what.begin(), what.end(), '_', ' ');
    return {holds, value,
            (who == "it" ? "the " + what : "the " + what + " of " + who) + " is " + short_number(value, 6) +
                unit_of(e.measure)};
}

bool ExpectationRun::touching(const FrameState& frame, std::uint32_t body,
                              const std::vector<std::uint32_t>& others) const {
    const auto meant = [&](BodyId a, BodyId b) {
        return (a.index == body && std::binary_search(others.begin(), others.end(), b.index)) ||
               (b.index == body && std::binary_search(others.begin(), others.end(), a.index));
    };
    return std::any_of(frame.contacts.begin(), frame.contacts.end(),
                       [&](const ContactState& c) {
                           return (c.separation <= frame.settings.linear_slop || c.normal_impulse > 0.0f) &&
                                  meant(c.body_a, c.body_b);
                       }) ||
           std::any_of(frame.impacts.begin(), frame.impacts.end(),
                       [&](const ImpactState& i) { return meant(i.body_a, i.body_b); });
}

std::string ExpectationRun::name_of(std::uint32_t body) const {
    const std::string& name = scene_.bodies[body].name;
    return name.empty() ? "body " + std::to_string(body) : '"' + name + '"';
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
