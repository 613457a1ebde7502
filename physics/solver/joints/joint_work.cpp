#include "physics/solver/joints/joint_work.h"

#include "physics/base/bytes.h"
#include "physics/base/large_pages.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

using glm::dvec3;

bool stands_still(const BodyMotion& pivot) {
    return pivot.linear_velocity == Vec3(0.0f) && pivot.angular_velocity == Vec3(0.0f);
}

double mass_of(float inverse) {
    return inverse > 0.0f ? 1.0 / static_cast<double>(inverse) : 0.0;
}

} // namespace

void JointWork::begin(std::size_t components, std::size_t motions) {
    parts_.assign(components, {});
    touches_.clear();
    resize_large(effects_, motions);
    resize_large(starts_, motions);
    resize_large(befores_, motions);
    resize_large(places_, motions);
    found_.resize(motions);
    queue_.resize(motions);
}

void JointWork::state(std::size_t number, const JointGraph& graph, const JointGraph::Component& component,
                      std::span<const JointRows> rows, std::span<const BodyMotion> motions) {
    Part& part = parts_[number];
    part = {};
    for (const std::uint32_t i : graph.joints_of(component)) {
        const JointRows& joint = rows[i];
        const bool motor = joint.has_motor && joint.motor_speed != 0.0f; // others are brakes
        part.driven =
            part.driven || motor || is_drag(joint) || (joint.kind == JointKind::six_dof && has_free_rows(joint));
        for (const std::uint32_t motion : {joint.motion_a, joint.motion_b}) {
            if (motions[motion].inverse_mass > 0.0f) {
                continue;
            }
            const std::uint32_t pivot = stands_still(motions[motion]) ? 0 : motion;
            if (part.hangs && part.pivot != pivot) {
                part.frame = Frame::unknown;
                return;
            }
            part.hangs = true;
            part.pivot = pivot;
        }
    }
    if (part.pivot != 0) {
        part.frame = Frame::pivot;
        find_places(graph, component, rows, part.pivot);
    }
}

// From joint to joint, outwards from the pivot.
void JointWork::find_places(const JointGraph& graph, const JointGraph::Component& component,
                            std::span<const JointRows> rows, std::uint32_t pivot) {
    for (const std::uint32_t motion : graph.bodies_of(component)) {
        found_[motion] = 0;
    }
    const std::span<std::uint32_t> queue = std::span(queue_).subspan(component.first_body, component.bodies);
    std::size_t end = 0;
    const auto place = [&](std::uint32_t motion, const Vec3& at) {
        if (found_[motion] == 0) {
            found_[motion] = 1;
            places_[motion] = at;
            queue[end++] = motion;
        }
    };
    // Places the joint's other body, if it can be pushed.
    const auto go_on = [&](const JointRows& joint, std::uint32_t from, const Vec3& at) {
        const Vec3 from_a_to_b = joint.start_arm_a + joint.start_offset - joint.start_arm_b;
        const auto [a, b] = ends_of(joint);
        if (joint.motion_a == from && b != 0) {
            place(b, at + from_a_to_b);
        } else if (joint.motion_b == from && a != 0) {
            place(a, at - from_a_to_b);
        }
    };
    for (const std::uint32_t i : graph.joints_of(component)) {
        go_on(rows[i], pivot, Vec3(0.0f));
    }
    for (std::size_t next = 0; next < end; ++next) {
        for (const std::uint32_t i : graph.joints_at(queue[next])) {
            go_on(rows[i], queue[next], places_[queue[next]]);
        }
    }
}

void JointWork::end_touches() {
    std::sort(touches_.begin(), touches_.end());
    touches_.erase(std::unique(touches_.begin(), touches_.end()), touches_.end());
    for (std::uint32_t i = 0; i < touches_.size(); ++i) {
        Part& part = parts_[touches_[i].number];
        part.first_touch = part.touches++ == 0 ? i : part.first_touch;
    }
}

void JointWork::note_start(std::size_t number, std::span<const std::uint32_t> bodies,
                           std::span<const BodyMotion> motions) {
    Part& part = parts_[number];
    if (!part.watched() || part.touches == 0) {
        return;
    }
    part.started = true;
    for (const std::uint32_t motion : bodies) {
        starts_[motion] = {motions[motion].linear_velocity, motions[motion].angular_velocity};
    }
}

void JointWork::begin_passes(std::size_t number, std::span<const std::uint32_t> bodies,
                             std::span<const BodyMotion> motions, const JointSprings::Work& springs) {
    Part& part = parts_[number];
    if (!part.watched()) {
        return;
    }
    part.springs = springs;
    part.load = 0.0;
    for (const Touch& touch : std::span(touches_).subspan(part.first_touch, part.touches)) {
        const dvec3 v(motions[touch.motion].linear_velocity);
        part.load += 0.5 * mass_of(motions[touch.motion].inverse_mass) * glm::dot(v, v);
    }
    for (const std::uint32_t motion : bodies) {
        const BodyMotion& body = motions[motion];
        effects_[motion] = {part.started ? starts_[motion] : Start{body.linear_velocity, body.angular_velocity},
                            dvec3(0.0), dvec3(0.0)};
    }
}

void JointWork::note_before(std::size_t number, std::span<const std::uint32_t> bodies,
                            std::span<const BodyMotion> motions) {
    if (!parts_[number].watched()) {
        return;
    }
    for (const std::uint32_t motion : bodies) {
        befores_[motion] = motions[motion];
    }
}

void JointWork::note_effects(std::size_t number, std::span<const std::uint32_t> bodies,
                             std::span<const BodyMotion> motions, std::span<const PreciseInertia> inertias) {
    if (!parts_[number].watched()) {
        return;
    }
    for (const std::uint32_t motion : bodies) {
        const BodyMotion &before = befores_[motion], &after = motions[motion];
        effects_[motion].momentum += dvec3(after.linear_velocity) - dvec3(before.linear_velocity);
        effects_[motion].angular_momentum +=
            inertias[motion].inertia * (dvec3(after.angular_velocity) - dvec3(before.angular_velocity));
    }
}

// The work of impulses that act within a substep is that of each at the mean of the velocities before and after. What
// it comes to beyond a small share of the energy, and with bias beyond what errors of position need to be taken back,
// is taken from the velocities of all bodies alike: seen from the mean velocity that keeps their momentum.
JointWork::Left JointWork::left_of_work(std::size_t number, std::span<const std::uint32_t> joints,
                                        std::span<const std::uint32_t> bodies, std::span<const JointRows> rows,
                                        std::span<const BodyMotion> motions, std::span<const PreciseInertia> inertias,
                                        const JointSolverSettings& settings, bool use_bias) const {
    const Part& part = parts_[number];
    if (!part.watched()) {
        return {};
    }
    // Of the energy, within a substep. With bias velocities lead along the chords of arcs, which are shorter.
    const double let_pass = (use_bias ? 0.1 : 1e-3) + part.springs.swing;
    double work = 0.0, before = part.load, mass = 0.0;
    dvec3 momentum(0.0);
    for (const std::uint32_t motion : bodies) {
        const BodyMotion& body = motions[motion];
        const Effect& effect = effects_[motion];
        const double body_mass = mass_of(body.inverse_mass);
        const dvec3 v(effect.start.linear_velocity), w(effect.start.angular_velocity);
        work += 0.5 * (body_mass * glm::dot(effect.momentum, v + dvec3(body.linear_velocity)) +
                       glm::dot(effect.angular_momentum, w + dvec3(body.angular_velocity)));
        before += physics::kinetic_energy(body.inverse_mass, inertias[motion], v, w);
        mass += body_mass;
        momentum += body_mass * dvec3(body.linear_velocity);
    }
    double gain = work - let_pass * before - part.springs.stored;
    if (gain > 0.0 && use_bias) {
        // Of each joint for its own two bodies: for the whole mechanism it would be enough to throw off what lies on
        // it.
        for (const std::uint32_t i : joints) {
            const JointRows& joint = rows[i];
            const auto back = static_cast<double>(speed_back(joint, settings)); // m/s
            gain -= 0.5 * (mass_of(joint.inverse_mass_a) + mass_of(joint.inverse_mass_b)) * back * back;
        }
    }
    if (gain <= 0.0) {
        return {};
    }
    const dvec3 mean = part.hangs ? dvec3(0.0) : momentum / mass;
    double now = 0.0;
    for (const std::uint32_t motion : bodies) {
        const BodyMotion& body = motions[motion];
        now += physics::kinetic_energy(body.inverse_mass, inertias[motion], dvec3(body.linear_velocity) - mean,
                                       dvec3(body.angular_velocity));
    }
    return {static_cast<float>(now > gain ? std::sqrt(1.0 - gain / now) : 0.0), mean};
}

double JointWork::kinetic_energy(std::size_t number, std::span<const std::uint32_t> bodies,
                                 std::span<const BodyMotion> motions, std::span<const PreciseInertia> inertias) const {
    const Part& part = parts_[number];
    const BodyMotion& pivot = motions[part.pivot];
    const dvec3 spin(pivot.angular_velocity);
    double sum = 0.0;
    for (const std::uint32_t motion : bodies) {
        const BodyMotion& body = motions[motion];
        dvec3 v(body.linear_velocity), w(body.angular_velocity);
        if (part.frame == Frame::pivot) {
            const dvec3 place(places_[motion] + (body.delta_position - pivot.delta_position));
            v -= dvec3(pivot.linear_velocity) + glm::cross(spin, place);
            w -= spin;
        }
        sum += physics::kinetic_energy(body.inverse_mass, inertias[motion], v, w);
    }
    return sum;
}

std::size_t JointWork::memory_bytes() const {
    return bytes_of(parts_) + bytes_of(touches_) + bytes_of(starts_) + bytes_of(effects_) + bytes_of(befores_) +
           bytes_of(places_) + bytes_of(found_) + bytes_of(queue_);
}

} // namespace cairn::physics
