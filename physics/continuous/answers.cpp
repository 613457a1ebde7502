// How bodies go on after they have met: stopped, moved along by what nothing stops, or pushed apart.
#include "physics/continuous/swept_path.h"
#include "physics/narrowphase/pool/seams.h"
#include "physics/query/manifold.h"
#include "physics/solver/motion/integrate.h"
#include "physics/solver/turns/turn_bodies.h"

#include <algorithm>
#include <array>

namespace cairn::physics {

namespace {

// To where a pair may sink, m, once it has been answered for at `distance`: met again at that depth it may sink a
// little further, so that time moves on even if bodies that press from behind leave it no way to part.
float answered_floor(float distance, float give) {
    return distance > 0.0f ? -give : distance - 0.05f * give;
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
    state.velocity = body.velocity - (1.0f - now) * body.gravity;
    state.spin = carried_spin(body, body.spin, pose_at(body, 1.0f).orientation, pose.orientation);
    state.inverse_mass = body.inverse_mass;
    state.inverse_inertia = rotated(body.inverse_inertia, pose.orientation);
    if (body.locks != 0) {
        state.free_axes = unlocked_linear(body, Vec3(1.0f));
        state.inverse_inertia = without_locked_turns(state.inverse_inertia, body.locks);
    }
    return state;
}

} // namespace

// Once for each body, whatever becomes of it afterwards.
void ContinuousCollision::count_held(const SweptBody& body, float now) {
    if (!body.stopped) {
        ++stats_.held;
        stats_.given_up += 1.0 - static_cast<double>(now);
    }
}

void ContinuousCollision::stop(SweptBody& body, float now) {
    const Quat end = pose_at(body, 1.0f).orientation;
    body.pose = pose_at(body, now);
    body.spin = carried_spin(body, body.spin, end, body.pose.orientation);
    body.from = now;
    body.linear = body.angular = Vec3(0.0f);
    count_held(body, now);
    body.stopped_at = std::min(body.stopped_at, now);
    body.stopped = body.changed = true;
    body.driver = ContinuousWorld::nobody;
    ++body.version;
}

// From `now` on the body moves as a part of `other`, to where that takes it by the end of the step, straight: on the
// way it is beside its arc by no more than the sagitta. Its own velocities stay for the solver.
void ContinuousCollision::move_along(SweptBody& body, const SweptBody& other, float now) {
    const Quat end = pose_at(body, 1.0f).orientation;
    body.pose = pose_at(body, now);
    body.from = now;
    const Transform pusher = pose_at(other, now), pusher_end = pose_at(other, 1.0f);
    const Vec3 arm = inverse_rotate(pusher.orientation, body.pose.position - pusher.position);
    const Vec3 target = pusher_end.position + rotate(pusher_end.orientation, arm);
    body.linear = unlocked_linear(body, (1.0f / (1.0f - now)) * (target - body.pose.position));
    body.angular = unlocked_angular(body, other.angular);
    body.spin = carried_spin(body, body.spin, end, pose_at(body, 1.0f).orientation);
    count_held(body, now);
    body.stopped = body.driven = body.fast = body.changed = true;
    body.driver = other.slot;
    body.driver_inverse_mass = other.driven ? other.driver_inverse_mass : other.inverse_mass;
    ++body.version;
}

// A crowd may move as a whole, in a drum or on a lorry. To stand still in it would be to be run over by those behind,
// so from `now` on a body that moves much as what it touches moves on with that.
void ContinuousCollision::wait(const Step& step, SweptBody& body, const SweptBody& other, float now) {
    constexpr float most_apart = 0.25f; // of its own motion
    const ContinuousWorld::Stream stream = step.world.stream(body.slot, other.slot);
    if (stream.wall != ContinuousWorld::nobody && index_of_[stream.wall] != not_met && !body.driven &&
        pushes(bodies_[index_of_[stream.wall]], body)) {
        move_along(body, bodies_[index_of_[stream.wall]], now);
        return;
    }
    const bool is_part = other.dynamic && other.moves() && !body.drifted &&
                         glm::length(body.linear - stream.linear) < most_apart * glm::length(body.linear);
    body.drifted = body.drifted || (other.dynamic && other.moves());
    stop(body, now);
    if (is_part) {
        const Quat stopped = body.pose.orientation;
        body.linear = unlocked_linear(body, stream.linear);
        body.angular = unlocked_angular(body, stream.angular);
        body.spin = carried_spin(body, body.spin, stopped, pose_at(body, 1.0f).orientation);
        body.fast = true;
    }
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
    dynamics.principal = body.principal;
    dynamics.spin_limited = body.spin_limited;
    const bool limited = limit_spin(motion, dynamics, body.max_turn, step.settings.step);
    integrate_position(motion, dynamics, rest * step.settings.step);

    body.from = now;
    body.linear = step.settings.step * (state.velocity + (0.5f * rest) * body.gravity);
    body.angular = angular_velocity_between(identity_orientation, motion.delta_rotation, rest);
    body.velocity = state.velocity + rest * body.gravity;
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
    // Of a mesh, that of the triangle which is met first, as the time and the normal are.
    const Material &material_a = step.world.material(first_of(event.key), event.triangle),
                   &material_b = step.world.material(second_of(event.key), event.triangle);
    contact.friction = mixed_friction(material_a, material_b);
    for (SweptBody* body : {&a, &b}) {
        body->rattles += body->dynamic && event.time - body->from < soon ? 1 : 0;
    }
    const bool bounces = std::max(a.rattles, b.rattles) < most_rattles;
    contact.restitution = bounces ? mixed_restitution(material_a, material_b) : 0.0f;
    contact.restitution_threshold = step.settings.restitution_threshold;
    contact.normal = event.normal;
    const float reach = event.distance + slop;
    const Transform place_a = compose(pose_a, shape_a.pose), place_b = compose(pose_b, shape_b.pose);
    const Manifold manifold =
        is_mesh(shape_a) || is_mesh(shape_b)
            ? mesh_contact(shape_a, place_a, shape_b, place_b, std::max(reach, 0.0f), event.normal)
            : collide(*shape_a.shape, place_a, *shape_b.shape, place_b, std::max(reach, 0.0f));
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
    const bool by_b = b.dynamic && ((b.locks & 7u) == 0 || !a.dynamic); // a lock takes impulses, too
    const Vec3 before = by_b ? state_b.velocity : state_a.velocity;
    if (solve_impact(contact, state_a, state_b)) {
        record(contact, a, b,
               by_b ? (state_b.velocity - before) / b.inverse_mass : (before - state_a.velocity) / a.inverse_mass,
               event.time);
    }
    ++stats_.impacts;
    put_in_touch(event.key, answered_floor(event.distance, pair_give(shape_a, shape_b, slop)));

    // Bodies that rattle do not turn on their paths any more, so that they have less to meet. Their paths, not
    // their velocities, answer to that.
    std::array<ImpactBody, 2> paths{state_a, state_b};
    const std::array<SweptBody*, 2> bodies{&a, &b};
    bool straight = false;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (!bodies[i]->dynamic) {
            continue;
        }
        ++bodies[i]->impacts;
        if (bodies[i]->rattles >= most_rattles) {
            straight = true;
            paths[i].spin = Vec3(0.0f);
            paths[i].inverse_inertia = SymmetricMat3{};
        }
    }
    if (straight) {
        contact.restitution = contact.friction = 0.0f;
        solve_impact(contact, paths[0], paths[1]);
    }
    const std::array<const ImpactBody*, 2> states{&state_a, &state_b};
    const std::array<const Transform*, 2> poses{&pose_a, &pose_b};
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        SweptBody& body = *bodies[i];
        if (!body.dynamic) {
            continue;
        }
        body.pose = *poses[i];
        stats_.spin_limited += go_on(step, body, event.time, *states[i]) ? 1 : 0;
        if (straight) {
            const Vec3 velocity = body.velocity;
            const Vec3 spin = carried_spin(body, body.spin, pose_at(body, 1.0f).orientation, body.pose.orientation);
            go_on(step, body, event.time, paths[i]);
            body.velocity = velocity;
            body.spin = carried_spin(body, spin, body.pose.orientation, pose_at(body, 1.0f).orientation);
        }
        affected_.push_back(index_of_[body.slot]);
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

} // namespace cairn::physics
