// What an expectation finds in a frame.
#include "app/core/expect/expectation_run.h"

#include "app/core/report/formats/number_text.h"
#include "app/core/scene/parser/scene_expectations.h"
#include "app/core/scene/worlds/frame_bodies.h"

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
constexpr double rest_time = 0.5; // s

const BodyState* body_at(const FrameState& frame, std::uint32_t slot) {
    // Another generation is another body, in the place of one that was removed.
    const auto at = find_body(frame, {slot, 0});
    return at ? &frame.bodies[*at] : nullptr;
}

const JointState* joint_at(const FrameState& frame, std::uint32_t slot) {
    const auto at =
        std::ranges::lower_bound(frame.joints, slot, {}, [](const JointState& joint) { return joint.id.index; });
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
                const std::string what = "the " + core::name_of(e.measure);
                const bool of_world = !is_of_body(e.measure) && !is_of_joint(e.measure);
                return what + (of_world ? "" : " of " + who()) + " is " + short_number(value, 6) +
                       measure_units[static_cast<std::size_t>(e.measure)];
            })};
}

bool ExpectationRun::touching(std::uint32_t body, const std::vector<std::uint32_t>& others) const {
    auto at = std::ranges::lower_bound(touching_, std::pair(body, std::uint32_t{0}));
    for (; at != touching_.end() && at->first == body; ++at) {
        if (std::ranges::binary_search(others, at->second)) {
            return true;
        }
    }
    return false;
}

} // namespace cairn::core
