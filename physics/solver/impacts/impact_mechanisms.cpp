// Impacts of what hangs on joints: mechanisms take each blow as one.
#include "physics/solver/impacts/impact_rows-inl.h"
#include "physics/solver/impacts/impacts.h"

#include <algorithm>
#include <tuple>

namespace cairn::physics {

namespace {

// By which share a round may seem to gain energy: rounding.
constexpr double most_gain = 1e-3;
// For how many bodies of one mechanism, times its contacts, its joints answer each contact at once. Beyond that they
// answer all contacts of a pass together, which comes nearer in every pass as well, and more slowly.
constexpr std::size_t most_held_at_once = 1000;

} // namespace

ImpactPass::Mechanism* ImpactPass::mechanism_of(std::uint32_t motion, const ImpactJoints* joints) {
    const std::uint32_t component = joints->solver.component_of(motion);
    const auto found =
        std::lower_bound(mechanisms_.begin(), mechanisms_.end(), component,
                         [](const Mechanism& one, std::uint32_t wanted) { return one.component < wanted; });
    return found != mechanisms_.end() && found->component == component ? &*found : nullptr;
}

// Takes what gravity has done against the joints of bodies that may be hit: impacts are those of the velocities that
// the joints allow.
void ImpactPass::hold_joints(std::span<BodyMotion> motions, const ImpactJoints& joints) {
    std::sort(mechanisms_.begin(), mechanisms_.end(), [](const Mechanism& a, const Mechanism& b) {
        return std::tie(a.component, a.first) < std::tie(b.component, b.first);
    });
    const auto same = [](const Mechanism& a, const Mechanism& b) { return a.component == b.component; };
    mechanisms_.erase(std::unique(mechanisms_.begin(), mechanisms_.end(), same), mechanisms_.end());
    if (free_.empty()) {
        reactions_.assign(motions.size(), BodyMotion());
    }
    for (Mechanism& one : mechanisms_) {
        if (one.first != JointSolver::none) { // held already
            continue;
        }
        one.first = static_cast<std::uint32_t>(free_.size());
        const std::span<const std::uint32_t> bodies = joints.solver.bodies_of(one.component);
        for (const std::uint32_t motion : bodies) {
            free_.push_back({motions[motion].linear_velocity, motions[motion].angular_velocity});
        }
        joints.solver.begin_impacts(one.component, motions);
        joints.solver.hold_velocities(one.component, motions, joints.settings);
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const BodyMotion& motion = motions[bodies[i]];
            reactions_[bodies[i]].linear_velocity = motion.linear_velocity - free_[one.first + i].linear;
            reactions_[bodies[i]].angular_velocity = motion.angular_velocity - free_[one.first + i].angular;
        }
    }
    before_.resize(free_.size());
}

void ImpactPass::note_hits(std::span<const RowPlace> places, std::span<const BodyMotion> motions,
                           const ImpactJoints& joints) {
    for (Mechanism& one : mechanisms_) {
        one.hit_now = false;
        one.contacts = 0;
    }
    for (const Active& active : active_) {
        for (const std::uint32_t motion : {places[active.place].motion_a, places[active.place].motion_b}) {
            if (Mechanism* one = mechanism_of(motion, &joints)) {
                one->time = one->hit_now ? std::min(one->time, active.impact.first) : active.impact.first;
                one->hit = one->hit_now = true;
                ++one->contacts;
            }
        }
    }
    for (const Mechanism& one : mechanisms_) {
        if (at_once_.size() <= one.component) {
            at_once_.resize(one.component + std::size_t{1});
        }
        at_once_[one.component] =
            one.contacts * joints.solver.bodies_of(one.component).size() <= most_held_at_once ? 1 : 0;
    }
    for (Mechanism& one : mechanisms_) {
        const std::span<const std::uint32_t> bodies = joints.solver.bodies_of(one.component);
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            before_[one.first + i] = {motions[bodies[i]].linear_velocity, motions[bodies[i]].angular_velocity};
        }
        one.energy = one.hit_now ? joints.solver.kinetic_energy(one.component, motions) : 0.0;
    }
}

// As finish() does it for single bodies.
void ImpactPass::set_back(std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics,
                          std::span<BodyInertia> inertias, const ImpactJoints& joints) {
    for (const Mechanism& one : mechanisms_) {
        if (!one.hit_now) {
            continue;
        }
        const std::span<const std::uint32_t> bodies = joints.solver.bodies_of(one.component);
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            BodyMotion& motion = motions[bodies[i]];
            const Velocities& before = before_[one.first + i];
            motion.delta_position -= one.time * (motion.linear_velocity - before.linear);
            turn_by(motion, inertias[bodies[i]], dynamics[bodies[i]],
                    one.time * (before.angular - motion.angular_velocity));
            changed_[bodies[i]] = 1;
        }
        joints.solver.move_impacts(one.component, motions, dynamics);
        joints.solver.hold_velocities(one.component, motions, joints.settings);
    }
}

// What was not hit goes on as if nobody had looked.
void ImpactPass::release_joints(std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics,
                                const ImpactJoints& joints) {
    for (const Mechanism& one : mechanisms_) {
        joints.solver.end_impacts(one.component, motions, dynamics, one.hit, joints.settings.h);
        const std::span<const std::uint32_t> bodies = joints.solver.bodies_of(one.component);
        for (std::size_t i = 0; i < bodies.size() && !one.hit; ++i) {
            motions[bodies[i]].linear_velocity = free_[one.first + i].linear;
            motions[bodies[i]].angular_velocity = free_[one.first + i].angular;
        }
    }
}

// Passes that are given up half-way, and friction that answers to what joints hold in the end, can leave more than
// there was. Seen from where neither joints nor bodies that are moved by force do work; if there is no such place,
// nobody knows.
bool ImpactPass::gains_energy(std::span<const RowPlace> places, const ImpactWork& work) {
    const auto body_energy = [&](std::uint32_t motion, const Vec3& linear, const Vec3& angular) {
        const BodyMotion& body = work.motions[motion];
        return kinetic_energy(body.inverse_mass, precise_inertia(body, work.dynamics[motion]), glm::dvec3(linear),
                              glm::dvec3(angular));
    };
    constexpr std::uint32_t not_yet = 0xffffffffu;
    std::uint32_t pivot = not_yet;
    double before = 0.0, now = 0.0;
    for (const Mechanism& one : mechanisms_) {
        if (!one.hit_now) {
            continue;
        }
        const JointWork& joints = work.joints->solver.work();
        const std::uint32_t own = joints.pivot_of(one.component);
        if (joints.frame_of(one.component) == JointWork::Frame::unknown || (pivot != not_yet && pivot != own)) {
            return false;
        }
        pivot = own;
        before += one.energy;
        now += work.joints->solver.kinetic_energy(one.component, work.all());
    }
    if (pivot != 0 && !starts_.empty()) {
        return false;
    }
    for (const Active& one : active_) {
        for (const std::uint32_t motion : {places[one.place].motion_a, places[one.place].motion_b}) {
            const BodyMotion& body = work.motions[motion];
            const bool moved = body.linear_velocity != Vec3(0.0f) || body.angular_velocity != Vec3(0.0f);
            if (body.inverse_mass == 0.0f && (pivot == 0 ? moved : motion != pivot)) {
                return false;
            }
        }
    }
    for (const auto& [motion, velocities] : starts_) {
        const BodyMotion& body = work.motions[motion];
        before += body_energy(motion, velocities.linear, velocities.angular);
        now += body_energy(motion, body.linear_velocity, body.angular_velocity);
    }
    return !(now <= (1.0 + most_gain) * before);
}

} // namespace cairn::physics
