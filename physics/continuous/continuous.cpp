#include "physics/continuous/continuous.h"

#include "physics/base/bytes.h"

#include "physics/base/executor_loop.h"
#include "physics/narrowphase/seams.h"
#include "physics/query/manifold.h"
#include "physics/query/swept_axis.h"
#include "physics/solver/integrate.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace cairn::physics {

namespace {

constexpr std::size_t exam_block = 8;
constexpr float give_share = 0.05f; // of the radius of the smaller of the balls within both shapes

Sweep sweep_of(const SweptBody& body, const Transform& shape_pose) {
    Sweep sweep;
    sweep.start = body.pose;
    sweep.linear_velocity = body.linear;
    sweep.angular_velocity = body.angular;
    sweep.shape_pose = shape_pose;
    return sweep;
}

Transform pose_at(const SweptBody& body, float time) {
    return body_pose_at(sweep_of(body, {}), time - body.from);
}

// The rest of a body's path from `now` on.
Sweep sweep_from(const SweptBody& body, const Transform& shape_pose, float now) {
    Sweep sweep = sweep_of(body, shape_pose);
    if (now > body.from) {
        sweep.start = body_pose_at(sweep, now - body.from);
    }
    return sweep;
}

// Where its centre of mass is.
Vec3 centre_at(const SweptBody& body, float time) {
    return body.pose.position + (time - body.from) * body.linear;
}

// Thin shapes have less to give than the slop: half of the ball inside them, so that no pair ever sinks past the middle
// of one of them, where the way out would lead to the other side.
float pair_slop(const ContinuousWorld::ShapeRef& a, const ContinuousWorld::ShapeRef& b, float linear_slop) {
    return std::min(linear_slop, 0.5f * std::min(a.shape->inner_radius, b.shape->inner_radius));
}

// To where a pair in touch may sink, m, that was at `distance` when it was found to touch.
float touch_floor(float distance, float give) {
    return std::min(distance - 0.25f * give, -give);
}

// The same once it has been answered for at `distance`: met again at that depth it may sink a little further, so that
// time moves on even if bodies that press from behind leave it no way to part.
float answered_floor(float distance, float give) {
    return distance > 0.0f ? -give : distance - 0.05f * give;
}

} // namespace

// How deep a pair in touch may sink within the step before that is an impact. The solver holds what touches, and while
// a crowd is pressed together it gives way by more than a slop in places: to stop all of it there for the rest of the
// step costs a hundred times more than the next steps, in which the solver brings it up again.
float ContinuousCollision::pair_give(const ContinuousWorld::ShapeRef& a, const ContinuousWorld::ShapeRef& b,
                                     float slop) const {
    const bool crowd = bodies_[index_of_[a.body]].dynamic && bodies_[index_of_[b.body]].dynamic;
    return crowd ? std::max(slop, give_share * std::min(a.shape->inner_radius, b.shape->inner_radius)) : slop;
}

// When the pair meets next, from `now` on.
ContinuousCollision::Exam ContinuousCollision::examine(const Step& step, PairKey key, float now) const {
    const ContinuousWorld::ShapeRef a = step.world.shape(first_of(key));
    const ContinuousWorld::ShapeRef b = step.world.shape(second_of(key));
    const SweptBody& body_a = bodies_[index_of_[a.body]];
    const SweptBody& body_b = bodies_[index_of_[b.body]];
    const float slop = pair_slop(a, b, step.settings.linear_slop);
    const float give = pair_give(a, b, slop);
    Exam exam;
    exam.time = now;
    // Far apart: they meet half a slop before touching, within the reach of ordinary contacts. In touch: the solver
    // holds the contact, so only sinking a slop deeper than it was is an impact. A sliding or rolling body must not be
    // held back.
    ToiSettings settings;
    settings.target = 0.5f * slop;
    settings.tolerance = 0.1f * slop;
    const PairNote* note = notes_.find(key);
    if (note != nullptr) {
        exam.axis = note->axis;
        if (note->in_touch) {
            exam.in_touch = true;
            exam.floor = settings.target = note->floor;
        }
    } else {
        const ContinuousWorld::Known known = step.world.known(key);
        exam.axis = known.normal;
        if (known.contact && known.separation <= settings.target + settings.tolerance) {
            exam.in_touch = true;
            exam.floor = settings.target = touch_floor(known.separation, give);
        }
    }
    // Most pairs of a crowd do not meet, and stay apart along the direction that kept them apart before.
    const Vec3 axis = exam.axis == Vec3(0.0f) ? centre_at(body_b, now) - centre_at(body_a, now) : exam.axis;
    // Without a look at where both are now, if their paths have begun before.
    if ((body_a.from != now || body_b.from != now) &&
        lift_keeps_apart(*a.shape, sweep_of(body_a, a.pose), now - body_a.from, *b.shape, sweep_of(body_b, b.pose),
                         now - body_b.from, 1.0f - now, axis, settings.target)) {
        return exam;
    }
    Sweep sweep_a = sweep_from(body_a, a.pose, now);
    Sweep sweep_b = sweep_from(body_b, b.pose, now);
    if (axis_keeps_apart(*a.shape, sweep_a, *b.shape, sweep_b, 1.0f - now, axis, settings.target)) {
        return exam;
    }
    settings.known_axis = exam.axis; // the line of centres seldom is as good as the first closest points
    for (int attempt = 0; attempt < 4; ++attempt) {
        exam.impact = time_of_impact(*a.shape, sweep_a, *b.shape, sweep_b, 1.0f - exam.time, settings);
        const TimeOfImpact& impact = exam.impact;
        if (impact.iterations > 0) {
            exam.axis = impact.normal;
        }
        if (impact.status == ToiStatus::miss) {
            return exam;
        }
        const bool at_once = !(impact.time > 0.0f);
        if (impact.status == ToiStatus::initial || (impact.status == ToiStatus::hit && at_once && !exam.in_touch)) {
            exam.floor = touch_floor(impact.distance, give);
            exam.in_touch = true;
            settings.target = exam.floor;
            continue;
        }
        exam.time = std::min(exam.time + impact.time, 1.0f);
        sweep_a = sweep_from(body_a, a.pose, exam.time);
        sweep_b = sweep_from(body_b, b.pose, exam.time);
        if (impact.status == ToiStatus::hit) {
            exam.result = exam.time < 1.0f ? Exam::Result::impact : Exam::Result::miss;
            return exam;
        }
        if (at_once) { // out of iterations without moving on
            break;
        }
    }
    // The time reached is safe: standing still there never misses.
    exam.result = exam.time < 1.0f ? Exam::Result::lost : Exam::Result::miss;
    return exam;
}

// Ties are broken by key, so that the order never depends on the trees.
bool ContinuousCollision::later(const Event& x, const Event& y) {
    return x.time != y.time ? x.time > y.time : x.key > y.key;
}

void ContinuousCollision::enqueue(PairKey key, const Exam& exam) {
    if (exam.in_touch || exam.axis != Vec3(0.0f)) {
        PairNote& note = notes_.of(key);
        note.in_touch = exam.in_touch;
        note.floor = exam.floor;
        note.axis = exam.axis;
    }
    if (exam.result == Exam::Result::miss) {
        return;
    }
    Event event;
    event.time = exam.time;
    event.key = key;
    event.version_a = bodies_[holder_[first_of(key)]].version;
    event.version_b = bodies_[holder_[second_of(key)]].version;
    event.lost = exam.result == Exam::Result::lost;
    event.distance = exam.impact.distance;
    event.normal = exam.impact.normal;
    event.point = 0.5f * (exam.impact.point_a + exam.impact.point_b);
    events_.push_back(event);
    std::push_heap(events_.begin(), events_.end(), later);
}

// From here on the pair counts as in touch, and may sink to the distance `floor`, m.
void ContinuousCollision::put_in_touch(PairKey key, float floor) {
    PairNote& note = notes_.of(key);
    note.in_touch = true;
    note.floor = floor;
}

// Examines everything that the new paths of these bodies may meet; `standing`: they were stopped on their paths.
void ContinuousCollision::look_ahead(const Step& step, float now, std::span<const std::uint32_t> bodies,
                                     bool standing) {
    for (const std::uint32_t index : bodies) {
        SweptBody& body = bodies_[index];
        body.end = pose_at(body, 1.0f);
        sweep(step, body);
        for (std::uint32_t i = body.first_shape; i < body.first_shape + body.shape_count; ++i) {
            step.broadphase.cover(i, swept_[i]);
        }
    }
    keys_.clear();
    for (const std::uint32_t index : bodies) {
        if (standing && bodies_[index].fast) {
            collect_known(step, index);
        } else {
            collect(step, index);
        }
    }
    sort_keys();
    add_partners();
    for (const PairKey key : keys_) {
        enqueue(key, examine(step, key, now));
    }
}

// Nothing stops what pushes them, so they cannot wait for the solver.
bool ContinuousCollision::pushed(const SweptBody& a, const SweptBody& b) {
    return a.driven || b.driven || (!a.dynamic && a.moves()) || (!b.dynamic && b.moves());
}

// Asked for many times of a body in a crowd, and always the same.
const ContinuousWorld::Touch& ContinuousCollision::touch(const Step& step, const SweptBody& body) {
    KnownTouch& known = touches_[index_of_[body.slot]];
    if (!known.known) {
        known = {true, step.world.touch(body.slot)};
    }
    return known.touch;
}

// A body that leans on other dynamic bodies, fast or slow, is part of a system that only the solver can answer for: an
// impulse between two bodies of a crowd drives both into their neighbours, these into theirs, and so on a hundred times
// over. One that has been hit too often in one step may be part of such a system.
bool ContinuousCollision::must_wait(const Step& step, const SweptBody& body, const SweptBody& other) {
    if (!body.dynamic) {
        return false;
    }
    return body.impacts >= max_impacts || (!pushed(body, other) && touch(step, body).dynamic_but(other.slot));
}

// What slides or rolls over a floor laid in tiles comes to the side of the next tile before it comes to its top. If at
// that time it touches the face of a tile behind whose plane the whole of the next one lies (seams.h), they do not
// meet: from there on the pair counts as in touch. Returns whether it is so.
bool ContinuousCollision::crosses_seam(const Step& step, const Event& event) {
    if (const PairNote* note = notes_.find(event.key); event.lost || (note != nullptr && note->in_touch)) {
        return false;
    }
    const bool body_is_a = bodies_[holder_[first_of(event.key)]].dynamic;
    const std::uint32_t index = body_is_a ? first_of(event.key) : second_of(event.key);
    const std::uint32_t tile_index = body_is_a ? second_of(event.key) : first_of(event.key);
    const ContinuousWorld::ShapeRef shape = step.world.shape(index);
    const ContinuousWorld::ShapeRef tile = step.world.shape(tile_index);
    const SweptBody& body = bodies_[index_of_[shape.body]];
    const SweptBody& floor = bodies_[index_of_[tile.body]];
    if (floor.dynamic || floor.moves()) {
        return false;
    }
    const Transform pose = compose(pose_at(body, event.time), shape.pose);
    const float slop = step.settings.linear_slop;
    SeamSide contact;
    contact.other = tile.shape;
    contact.other_pose = compose(floor.pose, tile.pose);
    contact.normal = body_is_a ? -event.normal : event.normal;
    contact.separation = event.distance;
    const Vec3 surface = event.point - (0.5f * event.distance) * contact.normal;
    contact.points = std::span(&surface, 1);

    bool hidden = false;
    float deepest = 0.0f;
    step.broadphase.query(grown(bounds(*shape.shape, pose), slop), [&](std::uint32_t other_index) {
        const ContinuousWorld::ShapeRef other = step.world.shape(other_index);
        if (other_index == tile_index || other.body == shape.body) {
            return;
        }
        const SweptBody carrier = step.world.body(other.body);
        if (carrier.dynamic || carrier.moves()) {
            return;
        }
        const Transform other_pose = compose(carrier.pose, other.pose);
        const Manifold manifold = collide(*other.shape, other_pose, *shape.shape, pose, slop);
        if (manifold.count == 0) {
            return;
        }
        std::array<Vec3, 4> points;
        SeamSide rest;
        rest.other = other.shape;
        rest.other_pose = other_pose;
        rest.normal = manifold.normal;
        rest.separation = manifold.points[0].separation;
        for (int i = 0; i < manifold.count; ++i) {
            const auto k = static_cast<std::size_t>(i);
            points[k] = manifold.points[k].point_a;
            rest.separation = std::min(rest.separation, manifold.points[k].separation);
        }
        rest.points = std::span<const Vec3>(points).first(static_cast<std::size_t>(manifold.count));
        if (hidden_behind(contact, rest, slop) && !hidden_behind(rest, contact, slop)) {
            hidden = true;
            deepest = std::min(deepest, rest.separation);
        }
    });
    if (hidden) {
        const float deep = pair_slop(shape, tile, slop);
        put_in_touch(event.key, std::min(deepest - 0.25f * deep, -deep));
    }
    return hidden;
}

namespace {

// The spin, world, that a body has at the orientation `to` if it has `spin` at `from` and its angular momentum stays.
Vec3 carried_spin(const SweptBody& body, const Vec3& spin, const Quat& from, const Quat& to) {
    return body.gyroscopic ? rotated(body.inverse_inertia, to) * (rotated(body.inertia, from) * spin) : spin;
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

namespace {

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

ContinuousStats ContinuousCollision::run(Executor& executor, const ContinuousWorld& world,
                                         const ContinuousSettings& settings, std::span<const std::uint32_t> fast,
                                         std::span<const std::uint32_t> strayed, Broadphase& broadphase) {
    const Step step{world, settings, broadphase};
    give_back();
    stats_ = ContinuousStats{};
    changed_.clear();
    impacts_.clear();
    for (const SweptBody& body : bodies_) { // of the last run
        index_of_[body.slot] = not_met;
        for (std::uint32_t i = body.first_shape; i < body.first_shape + body.shape_count; ++i) {
            holder_[i] = not_met;
        }
    }
    index_of_.resize(std::max(index_of_.size(), world.body_end()), not_met);
    swept_.resize(std::max(swept_.size(), world.shape_end()));
    holder_.resize(swept_.size(), not_met);
    slots_.clear();
    bodies_.clear();
    notes_.clear();
    events_.clear();
    keys_.clear();

    for (const std::span<const std::uint32_t> list : {strayed, fast}) {
        for (const std::uint32_t slot : list) {
            meet(slot);
        }
    }
    gather(executor, step, 0);
    for (const std::uint32_t slot : fast) {
        bodies_[index_of_[slot]].fast = true;
    }
    cover_paths(step, strayed);
    collect_all(executor, step, fast);
    exams_.resize(keys_.size());
    parallel_for(executor, keys_.size(), exam_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            exams_[i] = examine(step, keys_[i], 0.0f);
        }
    });
    for (std::size_t i = 0; i < keys_.size(); ++i) {
        enqueue(keys_[i], exams_[i]);
    }
    list_partners();

    while (!events_.empty()) {
        std::pop_heap(events_.begin(), events_.end(), later);
        const Event event = events_.back();
        events_.pop_back();
        const std::array<std::uint32_t, 2> pair{index_of_[world.shape(first_of(event.key)).body],
                                                index_of_[world.shape(second_of(event.key)).body]};
        SweptBody& a = bodies_[pair[0]];
        SweptBody& b = bodies_[pair[1]];
        if (event.version_a != a.version || event.version_b != b.version) {
            continue; // a path has changed since, and the pair was examined again then
        }
        if (crosses_seam(step, event)) {
            enqueue(event.key, examine(step, event.key, event.time));
            continue;
        }
        affected_.clear();
        const bool held = a.stopped || b.stopped;
        const bool stops = event.lost || must_wait(step, a, b) || must_wait(step, b, a) || (held && !pushed(a, b));
        if (stops) {
            // What comes to a body that has been stopped would move on into it.
            for (const std::uint32_t index : pair) {
                SweptBody& body = bodies_[index];
                if (body.dynamic && (body.fast || held) && body.moves()) {
                    stop(body, event.time);
                    affected_.push_back(index);
                }
            }
        } else {
            for (const std::uint32_t index : pair) {
                std::vector<PairKey>& met = met_[index];
                if (std::find(met.begin(), met.end(), event.key) == met.end()) {
                    met.push_back(event.key);
                }
            }
            if (std::max(a.impacts, b.impacts) >= most_bounces || a.stopped || b.stopped ||
                event.distance < -1.01f * step.settings.linear_slop) {
                answer_together(step, event, pair);
            } else {
                answer(step, event, a, b);
            }
        }
        look_ahead(step, event.time, affected_, stops);
    }

    for (const SweptBody& body : bodies_) {
        if (body.changed) {
            changed_.push_back(body);
            SweptBody& last = changed_.back();
            last.pose = pose_at(last, 1.0f);
            last.from = 1.0f;
        }
    }
    std::sort(changed_.begin(), changed_.end(), [](const SweptBody& x, const SweptBody& y) { return x.slot < y.slot; });
    most_bodies_ = std::max(most_bodies_, bodies_.size());
    return stats_;
}

void ContinuousCollision::rest() {
    if (bodies_.capacity() != 0) {
        changed_.clear();
        impacts_.clear();
        give_back();
    }
}

// All lists go with the number of bodies. Those of a crowd that has landed are of no use to the few that follow.
void ContinuousCollision::give_back() {
    constexpr int steps_between_looks = 64;
    constexpr std::size_t few = 64;
    if (++steps_ < steps_between_looks) {
        return;
    }
    if (bodies_.capacity() > 4 * std::max(most_bodies_, few)) {
        *this = ContinuousCollision();
    }
    most_bodies_ = 0;
    steps_ = 0;
}

std::size_t ContinuousCollision::memory_bytes() const {
    const auto bytes = [](const auto&... lists) { return (bytes_of(lists) + ...); };
    std::size_t sum =
        bytes(bodies_, slots_, index_of_, holder_, swept_, shapes_, keys_, exams_, events_, partner_ends_, partners_,
              more_partners_, touches_, met_, affected_, changed_, impacts_) +
        bytes(joint_, joint_poses_, joint_states_, joint_paths_, joint_keys_, joint_contacts_, joint_partings_) +
        notes_.memory_bytes() + joint_impact_.memory_bytes();
    for (const auto* lists : {&more_partners_, &met_}) {
        for (const std::vector<PairKey>& list : *lists) {
            sum += bytes_of(list);
        }
    }
    return sum;
}

} // namespace cairn::physics
