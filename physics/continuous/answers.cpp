// How bodies go on after they have met: stopped, pushed apart, or answered for together with all that squeezes them.
#include "physics/continuous/swept_path.h"
#include "physics/narrowphase/seams.h"
#include "physics/query/manifold.h"
#include "physics/solver/integrate.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace cairn::physics {

namespace {

// To where a pair may sink, m, once it has been answered for at `distance`: met again at that depth it may sink a
// little further, so that time moves on even if bodies that press from behind leave it no way to part.
float answered_floor(float distance, float give) {
    return distance > 0.0f ? -give : distance - 0.05f * give;
}

// The spin, world, that a body has at the orientation `to` if it has `spin` at `from` and its angular momentum stays.
Vec3 carried_spin(const SweptBody& body, const Vec3& spin, const Quat& from, const Quat& to) {
    return body.gyroscopic ? rotated(body.inverse_inertia, to) * (rotated(body.inertia, from) * spin) : spin;
}

// Where the body is at `now` and how it moves there. The solver tells the velocities at the end of the step: what free
// fall adds until then is taken off again, and the spin is the one that belongs to the same angular momentum.
ImpactBody state_at(const SweptBody& body, const Transform& pose, float now) {
    ImpactBody state;
    state.centre = pose.position;
    if (!body.dynamic) { // constant velocities; those of the path, which is what may be met
        state.velocity = body.velocity;
        state.spin = body.spin;
        return state;
    }
    state.velocity = body.velocity - (1.0f - now - body.velocity_lag) * body.gravity;
    state.spin = carried_spin(body, body.spin, pose_at(body, 1.0f).orientation, pose.orientation);
    state.inverse_mass = body.inverse_mass;
    state.inverse_inertia = rotated(body.inverse_inertia, pose.orientation);
    return state;
}

} // namespace

void ContinuousCollision::stop(SweptBody& body, float now) {
    const Quat end = pose_at(body, 1.0f).orientation;
    body.pose = pose_at(body, now);
    body.spin = carried_spin(body, body.spin, end, body.pose.orientation);
    body.from = now;
    body.linear = body.angular = Vec3(0.0f);
    body.stopped = body.changed = true;
    ++body.version;
    ++stats_.stopped;
}

// The path from `now` to the end of the step with new velocities. Returns true if the spin had to be held back.
bool ContinuousCollision::go_on(const Step& step, SweptBody& body, float now, const ImpactBody& state) {
    const float rest = 1.0f - now;
    BodyMotion motion;
    motion.angular_velocity = state.spin;
    motion.inverse_mass = body.inverse_mass;
    BodyDynamics dynamics;
    dynamics.start_orientation = body.pose.orientation;
    dynamics.inertia_local = body.inertia;
    dynamics.inverse_inertia_local = body.inverse_inertia;
    dynamics.gyroscopic = body.gyroscopic;
    dynamics.spin_limited = body.spin_limited;
    const bool limited = limit_spin(motion, dynamics, body.max_turn, step.settings.step);
    integrate_position(motion, dynamics, rest * step.settings.step);

    body.from = now;
    body.linear = step.settings.step * (state.velocity + (0.5f * rest) * body.gravity);
    body.angular = angular_velocity_between(identity_orientation, motion.delta_rotation, rest);
    body.velocity = state.velocity + (rest - body.velocity_lag) * body.gravity;
    body.spin = motion.angular_velocity;
    body.fast = body.changed = true;
    ++body.version;
    return limited;
}

// Impulses between the two bodies, and their paths from there on.
void ContinuousCollision::answer(const Step& step, const Event& event, SweptBody& a, SweptBody& b) {
    const ContinuousWorld::ShapeRef shape_a = step.world.shape(first_of(event.key));
    const ContinuousWorld::ShapeRef shape_b = step.world.shape(second_of(event.key));
    const float slop = pair_slop(shape_a, shape_b, step.settings.linear_slop);
    for (SweptBody* body : {&a, &b}) {
        if (body->dynamic && body->impacts == 0 && touch(step, *body).anything) {
            body->gravity = Vec3(0.0f);
        }
    }
    const Transform pose_a = pose_at(a, event.time);
    const Transform pose_b = pose_at(b, event.time);
    ImpactBody state_a = state_at(a, pose_a, event.time);
    ImpactBody state_b = state_at(b, pose_b, event.time);

    // A face that lands flat is met by all of its corners, not by the one that happens to be first.
    ImpactContact contact;
    contact.friction = mixed_friction(*a.material, *b.material);
    contact.restitution = mixed_restitution(*a.material, *b.material);
    contact.restitution_threshold = step.settings.restitution_threshold;
    contact.normal = event.normal;
    const float reach = event.distance + slop;
    const Manifold manifold = collide(*shape_a.shape, compose(pose_a, shape_a.pose), *shape_b.shape,
                                      compose(pose_b, shape_b.pose), std::max(reach, 0.0f));
    for (int i = 0; i < manifold.count; ++i) {
        const ManifoldPoint& point = manifold.points[static_cast<std::size_t>(i)];
        if (point.separation <= reach) {
            contact.normal = manifold.normal;
            contact.points[static_cast<std::size_t>(contact.count++)] = 0.5f * (point.point_a + point.point_b);
        }
    }
    if (contact.count == 0) {
        contact.points[0] = event.point;
        contact.count = 1;
    }
    const Vec3 before = b.dynamic ? state_b.velocity : state_a.velocity;
    if (solve_impact(contact, state_a, state_b)) {
        record(contact, a, b,
               b.dynamic ? (state_b.velocity - before) / b.inverse_mass : (before - state_a.velocity) / a.inverse_mass,
               event.time);
    }
    ++stats_.impacts;
    put_in_touch(event.key, answered_floor(event.distance, pair_give(shape_a, shape_b, slop)));

    const bool driven = a.driven || b.driven || (!a.dynamic && a.moves()) || (!b.dynamic && b.moves());
    affected_.clear();
    for (const auto& [body, pose, state] : {std::tuple{&a, &pose_a, &state_a}, std::tuple{&b, &pose_b, &state_b}}) {
        if (body->dynamic) {
            body->pose = *pose;
            stats_.spin_limited += go_on(step, *body, event.time, *state) ? 1 : 0;
            body->driven = driven;
            ++body->impacts;
            affected_.push_back(index_of_[body->slot]);
        }
    }
}

void ContinuousCollision::record(const ImpactContact& contact, const SweptBody& a, const SweptBody& b,
                                 const Vec3& impulse, float time) {
    SweptImpact impact;
    impact.body_a = a.slot;
    impact.body_b = b.slot;
    for (int i = 0; i < contact.count; ++i) {
        impact.point += contact.points[static_cast<std::size_t>(i)] / static_cast<float>(contact.count);
    }
    impact.normal = contact.normal;
    impact.impulse = impulse;
    impact.time = time;
    impact.centre_a = pose_at(a, time).position;
    impact.centre_b = pose_at(b, time).position;
    impacts_.push_back(impact);
}

// The bodies and contacts that an impact squeezes: all that is connected by pairs that have met in this step and are
// still near each other.
void ContinuousCollision::gather_joint(const Step& step, const Event& event, const std::array<std::uint32_t, 2>& pair) {
    joint_.assign(pair.begin(), pair.end());
    joint_poses_.clear();
    joint_keys_.clear();
    joint_contacts_.clear();
    joint_partings_.clear();
    const auto place_of = [&](std::uint32_t index) {
        const auto place = static_cast<std::size_t>(std::find(joint_.begin(), joint_.end(), index) - joint_.begin());
        if (place == joint_.size()) {
            joint_.push_back(index);
        }
        return place;
    };
    const auto pose_of = [&](std::uint32_t index) { return pose_at(bodies_[index], event.time); };
    for (std::size_t i = 0; i < joint_.size(); ++i) {
        const std::uint32_t index = joint_[i];
        if (!bodies_[index].dynamic) {
            continue;
        }
        for (const PairKey key : met_[index]) {
            if (std::find(joint_keys_.begin(), joint_keys_.end(), key) != joint_keys_.end()) {
                continue;
            }
            joint_keys_.push_back(key);
            const ContinuousWorld::ShapeRef shape_a = step.world.shape(first_of(key));
            const ContinuousWorld::ShapeRef shape_b = step.world.shape(second_of(key));
            const std::uint32_t index_a = index_of_[shape_a.body];
            const std::uint32_t index_b = index_of_[shape_b.body];
            const float slop = pair_slop(shape_a, shape_b, step.settings.linear_slop);
            const Manifold manifold = collide(*shape_a.shape, compose(pose_of(index_a), shape_a.pose), *shape_b.shape,
                                              compose(pose_of(index_b), shape_b.pose), 0.75f * slop);
            if (manifold.count == 0 && key != event.key) {
                continue;
            }
            JointContact joint;
            joint.a = static_cast<std::uint32_t>(place_of(index_a));
            joint.b = static_cast<std::uint32_t>(place_of(index_b));
            joint.contact.normal = manifold.normal;
            joint.contact.friction = mixed_friction(*bodies_[index_a].material, *bodies_[index_b].material);
            float depth = 0.0f;
            for (int k = 0; k < manifold.count; ++k) {
                const ManifoldPoint& point = manifold.points[static_cast<std::size_t>(k)];
                joint.contact.points[static_cast<std::size_t>(k)] = 0.5f * (point.point_a + point.point_b);
                depth = std::max(depth, -point.separation);
            }
            joint.contact.count = manifold.count;
            if (manifold.count == 0) {
                joint.contact.normal = event.normal;
                joint.contact.points[0] = event.point;
                joint.contact.count = 1;
            }
            joint_contacts_.push_back(joint);
            joint_partings_.push_back(std::max(depth - slop, 0.0f) / step.settings.step);
        }
    }
    for (const std::uint32_t index : joint_) {
        joint_poses_.push_back(pose_of(index));
    }
}

// As `answer`, for a pair that is squeezed between others: all of them come to rest against each other at once.
void ContinuousCollision::answer_together(const Step& step, const Event& event,
                                          const std::array<std::uint32_t, 2>& pair) {
    gather_joint(step, event, pair);
    bool driven = false;
    joint_states_.clear();
    for (std::size_t i = 0; i < joint_.size(); ++i) {
        SweptBody& body = bodies_[joint_[i]];
        if (body.dynamic && body.impacts == 0 && touch(step, body).anything) {
            body.gravity = Vec3(0.0f);
        }
        driven = driven || body.driven || (!body.dynamic && body.moves());
        joint_states_.push_back(state_at(body, joint_poses_[i], event.time));
    }
    joint_impact_.solve(joint_contacts_, {}, true, joint_states_);
    for (std::size_t k = 0; k < joint_contacts_.size(); ++k) {
        const JointContact& joint = joint_contacts_[k];
        if (joint_impact_.impulses()[k] != Vec3(0.0f)) {
            record(joint.contact, bodies_[joint_[joint.a]], bodies_[joint_[joint.b]], joint_impact_.impulses()[k],
                   event.time);
        }
    }
    // The paths follow from the velocities, but for bodies that stand still or do not turn any more, and for pairs that
    // are too deep and part by that much.
    joint_paths_ = joint_states_;
    bool apart = std::any_of(joint_partings_.begin(), joint_partings_.end(), [](float speed) { return speed > 0.0f; });
    for (std::size_t i = 0; i < joint_.size(); ++i) {
        const SweptBody& body = bodies_[joint_[i]];
        bool deep = false;
        for (std::size_t k = 0; k < joint_contacts_.size(); ++k) {
            deep = deep || (joint_partings_[k] > 0.0f && (joint_contacts_[k].a == i || joint_contacts_[k].b == i));
        }
        if (body.dynamic && (body.stopped || deep || body.impacts >= most_turns)) {
            apart = true;
            joint_paths_[i].spin = Vec3(0.0f);
            joint_paths_[i].inverse_inertia = SymmetricMat3{};
            if (body.stopped) {
                joint_paths_[i].velocity = Vec3(0.0f);
            }
        }
    }
    if (apart) {
        joint_impact_.solve(joint_contacts_, joint_partings_, false, joint_paths_);
    }
    ++stats_.impacts;
    const ContinuousWorld::ShapeRef shape_a = step.world.shape(first_of(event.key));
    const ContinuousWorld::ShapeRef shape_b = step.world.shape(second_of(event.key));
    const float slop = pair_slop(shape_a, shape_b, step.settings.linear_slop);
    put_in_touch(event.key, answered_floor(event.distance, pair_give(shape_a, shape_b, slop)));

    affected_.clear();
    for (std::size_t i = 0; i < joint_.size(); ++i) {
        SweptBody& body = bodies_[joint_[i]];
        if (!body.dynamic) {
            continue;
        }
        body.pose = joint_poses_[i];
        stats_.spin_limited += go_on(step, body, event.time, joint_states_[i]) ? 1 : 0;
        if (apart) {
            const Vec3 velocity = body.velocity;
            const Vec3 spin = carried_spin(body, body.spin, pose_at(body, 1.0f).orientation, body.pose.orientation);
            go_on(step, body, event.time, joint_paths_[i]);
            body.velocity = velocity;
            body.spin = carried_spin(body, spin, body.pose.orientation, pose_at(body, 1.0f).orientation);
            if (body.stopped) {
                body.linear -= (0.5f * (1.0f - event.time) * step.settings.step) * body.gravity;
            }
        }
        body.driven = body.driven || driven;
        body.impacts += joint_[i] == pair[0] || joint_[i] == pair[1] ? 1 : 0;
        affected_.push_back(joint_[i]);
    }
}

} // namespace cairn::physics
