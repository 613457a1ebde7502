// Joints between bodies: commands, and what they mean to the stages of a step.
#include "physics/base/executor_loop.h"
#include "physics/base/hash.h"
#include "physics/world/limits.h"
#include "physics/world/validation.h"
#include "physics/world/world_state.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace cairn::physics {

namespace {

std::string no_such_joint(JointId id) {
    return "there is no joint " + std::to_string(id.index) + ":" + std::to_string(id.generation);
}

// A body's pose; the world's own frame for none.
Transform pose_of(const WorldData& data, BodyId id) {
    return id ? data.bodies[id.index].pose : Transform{};
}

std::uint64_t hash_of(const JointDef& def) {
    Hasher hasher(static_cast<std::uint64_t>(def.kind));
    hasher.add(def.body_a.index, def.body_a.generation).add(def.body_b.index, def.body_b.generation);
    for (const Transform* frame : {&def.frame_a, &def.frame_b}) {
        hasher.add(frame->position).add(frame->orientation);
    }
    const JointLimits limits = def.limits.value_or(JointLimits{});
    const JointMotor motor = def.motor.value_or(JointMotor{});
    const JointSpring spring = def.spring.value_or(JointSpring{});
    hasher.add((def.collide ? 1u : 0u) | (def.limits ? 2u : 0u) | (def.motor ? 4u : 0u) | (def.spring ? 8u : 0u) |
                   (def.cone ? 16u : 0u) | (spring.max_force ? 32u : 0u),
               0u);
    hasher.add(def.length, def.cone.value_or(0.0f)).add(limits.lower, limits.upper).add(motor.speed, motor.max_force);
    hasher.add(spring.hertz, spring.damping_ratio).add(spring.target, spring.max_force.value_or(0.0f));
    if (def.ratio != 1.0f || def.kind == JointKind::pulley) {
        hasher.add(def.ground_a).add(def.ground_b).add(def.ratio, 0.0f);
    }
    for (const JointAxis& axis : def.axes) {
        const JointSpring& s = axis.spring;
        hasher.add(static_cast<std::uint32_t>(axis.mode), s.max_force ? 1u : 0u)
            .add(axis.limits.lower, axis.limits.upper);
        hasher.add(axis.motor.speed, axis.motor.max_force).add(s.hertz, s.damping_ratio);
        hasher.add(s.target, s.max_force.value_or(0.0f));
    }
    if (def.break_force || def.break_torque || def.ignore_within != 1) {
        hasher.add(def.break_force.value_or(-1.0f), def.break_torque.value_or(-1.0f));
        hasher.add(static_cast<std::uint32_t>(def.ignore_within), 0u);
    }
    return hasher.value();
}

// For each set of locks the axes of a joint that holds it.
const JointAxis* locked_axes(std::uint8_t locks) {
    using Table = std::array<std::array<JointAxis, joint_axes>, limits::axis_locks + 1>;
    static const Table table = [] {
        Table t;
        for (unsigned set = 0; set < t.size(); ++set) {
            for (unsigned axis = 0; axis < joint_axes; ++axis) {
                t[set][axis].mode = (set >> axis & 1u) != 0 ? JointAxis::Mode::locked : JointAxis::Mode::free;
            }
        }
        return t;
    }();
    return table[locks].data();
}

constexpr std::size_t joint_block = 256; // worth a thread's while

JointImpulses scaled(const JointImpulses& impulses, float share) {
    if (share == 1.0f) {
        return impulses;
    }
    JointImpulses result = impulses;
    for (float& impulse : result.rigid) {
        impulse *= share;
    }
    for (float* impulse : {&result.motor, &result.spring, &result.lower, &result.upper, &result.cone}) {
        *impulse *= share;
    }
    result.soft_block *= share;
    result.brake *= share;
    return result;
}

} // namespace

JointRecord* World::Impl::find(JointId id) {
    if (id.index >= data.joints.size()) {
        return nullptr;
    }
    JointRecord& joint = data.joints[id.index];
    return joint.alive && joint.generation == id.generation ? &joint : nullptr;
}

std::span<const std::uint32_t> WorldData::joints_of(std::uint32_t body) const {
    return body < joints_of_body.size() ? std::span<const std::uint32_t>(joints_of_body[body])
                                        : std::span<const std::uint32_t>();
}

bool WorldData::held_apart(std::uint32_t body_a, std::uint32_t body_b) const {
    if (!kind(body_a).def.filter.lets_meet(kind(body_b).def.filter)) {
        return true;
    }
    bool farther = false;
    for (const std::uint32_t slot : joints_of(body_a)) {
        const JointDef& def = *joints[slot].def;
        if (!def.collide && (def.body_a.index == body_b || def.body_b.index == body_b)) {
            return true;
        }
        farther = farther || (!def.collide && def.ignore_within > 1);
    }
    if (!farther || joints_of(body_b).empty()) {
        return false;
    }
    const std::vector<std::uint32_t> ignored = ignored_by(body_a);
    return std::find(ignored.begin(), ignored.end(), body_b) != ignored.end();
}

// Goes out from the body joint by joint. A body is looked at again where it is come to by joints that reach farther.
std::vector<std::uint32_t> WorldData::ignored_by(std::uint32_t body) const {
    struct Place {
        std::uint32_t body = 0;
        int passed = 0, reach = 0; // joints; of those passed, the least reach
    };
    std::vector<Place> places{{body, 0, std::numeric_limits<int>::max()}};
    std::vector<std::uint32_t> result;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Place from = places[i];
        for (const std::uint32_t slot : joints_of(from.body)) {
            const JointDef& def = *joints[slot].def;
            if (def.collide || !def.body_a) {
                continue;
            }
            const Place to{def.body_a.index == from.body ? def.body_b.index : def.body_a.index, from.passed + 1,
                           std::min(from.reach, def.ignore_within)};
            const bool known = std::any_of(places.begin(), places.end(), [&](const Place& place) {
                return place.body == to.body && place.reach >= to.reach;
            });
            if (to.passed > to.reach || known) {
                continue;
            }
            places.push_back(to);
            if (std::find(result.begin(), result.end(), to.body) == result.end()) {
                result.push_back(to.body);
            }
        }
    }
    return result;
}

// The bodies whose contacts a joint decides, with its own: those that it may be on the way between.
std::vector<std::uint32_t> WorldData::decided_by(const JointDef& def) const {
    std::vector<std::uint32_t> result;
    for (const BodyId id : {def.body_a, def.body_b}) {
        if (!id) {
            continue;
        }
        result.push_back(id.index);
        if (def.ignore_within > 1) {
            const std::vector<std::uint32_t> near = ignored_by(id.index);
            result.insert(result.end(), near.begin(), near.end());
        }
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

bool World::Impl::pushed(BodyId body) const {
    return body && data.bodies[body.index].awake && data.bodies[body.index].type == BodyType::dynamic;
}

void World::Impl::wake_joined(std::uint32_t body) {
    for (const std::uint32_t slot : data.joints_of(body)) {
        wake_both(*data.joints[slot].def);
    }
}

void World::Impl::wake_both(const JointDef& def) {
    for (const BodyId id : {def.body_a, def.body_b}) {
        if (id) {
            wake(id.index);
        }
    }
}

void World::Impl::end_contacts(const JointDef& def) {
    if (def.collide || !def.body_a) {
        return;
    }
    const std::vector<std::uint32_t> bodies =
        def.ignore_within > 1 ? data.decided_by(def) : std::vector<std::uint32_t>{def.body_b.index};
    for (const std::uint32_t body : bodies) {
        end_ignored_contacts(body);
    }
}

void World::Impl::end_ignored_contacts(std::uint32_t body) {
    const std::span<const std::uint32_t> listed = data.contacts.of_body(body);
    const std::vector<std::uint32_t> contacts(listed.begin(), listed.end());
    for (const std::uint32_t slot : contacts) {
        const ShapePair& contact = data.contacts.pair(slot);
        if (data.held_apart(contact.body_a, contact.body_b)) {
            data.contacts.destroy(slot);
        }
    }
}

void World::Impl::look_for_contacts(std::span<const std::uint32_t> bodies) {
    for (const std::uint32_t body : bodies) {
        if (data.bodies[body].alive) {
            place(body);
        }
    }
}

CommandResult World::Impl::apply(const CreateJoint& command) {
    const JointDef& def = command.joint;
    for (const BodyId id : {def.body_a, def.body_b}) {
        if (id && find(id) == nullptr) {
            return refused("there is no body " + std::to_string(id.index) + ":" + std::to_string(id.generation) +
                           " to be joined");
        }
    }
    if (!def.body_b) {
        return refused("a joint needs its second body; only the first may be the world");
    }
    if (def.body_a == def.body_b) {
        return refused("a joint needs two bodies, not the same one twice");
    }
    const bool a_dynamic = def.body_a && data.bodies[def.body_a.index].type == BodyType::dynamic;
    if (!a_dynamic && data.bodies[def.body_b.index].type != BodyType::dynamic) {
        return refused("a joint needs at least one dynamic body");
    }
    if (std::string problem = problem_with(def); !problem.empty()) {
        return refused(std::move(problem));
    }
    std::uint32_t slot = 0;
    if (data.free_joints.empty()) {
        slot = static_cast<std::uint32_t>(data.joints.size());
        data.joints.emplace_back();
    } else {
        slot = data.free_joints.back();
        data.free_joints.pop_back();
    }
    JointRecord& joint = data.joints[slot];
    const std::uint32_t generation = joint.generation;
    joint = JointRecord{};
    joint.generation = generation;
    joint.alive = true;
    joint.def = std::make_shared<const JointDef>(def);
    joint.def_hash = hash_of(def);
    for (const BodyId id : {def.body_a, def.body_b}) {
        if (id) {
            if (data.joints_of_body.size() <= id.index) {
                data.joints_of_body.resize(id.index + 1u);
            }
            data.joints_of_body[id.index].push_back(slot);
        }
    }
    rehash_joint(slot);
    end_contacts(def);
    wake_both(def);
    CommandResult result;
    result.joint = {slot, generation};
    return result;
}

CommandResult World::Impl::apply(const DestroyJoint& command) {
    if (find(command.joint) == nullptr) {
        return refused(no_such_joint(command.joint));
    }
    part(command.joint.index);
    return {};
}

void World::Impl::part(std::uint32_t slot) {
    const std::shared_ptr<const JointDef> def = data.joints[slot].def;
    wake_both(*def);
    const std::vector<std::uint32_t> bodies = def->collide ? std::vector<std::uint32_t>{} : data.decided_by(*def);
    destroy_joint(slot);
    look_for_contacts(bodies);
}

// Joints that were pulled at harder than they bear end with the step.
void World::Impl::break_joints() {
    if (!any_broken.exchange(false)) {
        return;
    }
    for (const JointRows& rows : joint_rows) {
        if (!rows.broken) {
            continue;
        }
        const JointRecord& joint = data.joints[rows.joint];
        BreakState& state = data.breaks.emplace_back();
        state.joint = {rows.joint, joint.generation};
        state.def = joint.def;
        state.point = compose(pose_of(data, joint.def->body_b), joint.def->frame_b).position;
        state.force = glm::length(joint.force);
        state.torque = glm::length(joint.torque);
    }
    for (const BreakState& state : data.breaks) {
        part(state.joint.index);
    }
}

CommandResult World::Impl::apply(const SetJoint& command) {
    JointRecord* joint = find(command.joint);
    if (joint == nullptr) {
        return refused(no_such_joint(command.joint));
    }
    const JointDef& def = command.def;
    if (def.kind != joint->def->kind || def.body_a != joint->def->body_a || def.body_b != joint->def->body_b) {
        return refused("a joint keeps its kind and its bodies; destroy it and make another");
    }
    if (std::string problem = problem_with(def); !problem.empty()) {
        return refused(std::move(problem));
    }
    const std::shared_ptr<const JointDef> before = joint->def;
    joint->def = std::make_shared<const JointDef>(def);
    joint->def_hash = hash_of(def);
    // What does not act any more must not be remembered for when it acts again.
    JointImpulses& impulses = joint->impulses;
    if (!def.limits) {
        impulses.lower = impulses.upper = 0.0f;
    }
    if (!def.motor) {
        impulses.motor = 0.0f;
        impulses.brake = Vec3(0.0f);
    }
    if (def.spring.has_value() != before->spring.has_value() || def.limits.has_value() != before->limits.has_value() ||
        def.motor.has_value() != before->motor.has_value() || def.axes != before->axes) {
        impulses.spring = 0.0f; // other rows are rigid now
        impulses.soft_block = Vec3(0.0f);
        impulses.rigid = {};
    }
    if (!def.cone) {
        impulses.cone = 0.0f;
    }
    rehash_joint(command.joint.index);
    wake_both(def);
    if (def.collide != before->collide || def.ignore_within != before->ignore_within) {
        end_contacts(def);
        look_for_contacts(data.decided_by(before->ignore_within > def.ignore_within ? *before : def));
    }
    return {};
}

void World::Impl::destroy_joint(std::uint32_t slot) {
    JointRecord& joint = data.joints[slot];
    for (const BodyId id : {joint.def->body_a, joint.def->body_b}) {
        if (id) {
            std::erase(data.joints_of_body[id.index], slot);
        }
    }
    data.joint_hash_sum -= joint.hash;
    const std::uint32_t generation = joint.generation + 1;
    joint = JointRecord{};
    joint.generation = generation;
    data.free_joints.push_back(slot);
}

// Joints that act, by slot, found from the bodies that are awake: a world at rest may hold any number of them. Each is
// found at the first of its bodies that can be pushed.
void World::Impl::list_acting_joints() {
    acting_joints.clear();
    if (data.joints_of_body.empty()) {
        return;
    }
    for (const std::uint32_t body : data.awake) {
        if (data.bodies[body].type != BodyType::dynamic) {
            continue;
        }
        for (const std::uint32_t slot : data.joints_of(body)) {
            const JointDef& def = *data.joints[slot].def;
            if (def.body_a.index == body || !pushed(def.body_a)) {
                acting_joints.push_back(slot);
            }
        }
    }
    std::sort(acting_joints.begin(), acting_joints.end());
}

// Joined dynamic bodies sleep and wake together. Those that hang together by joints alone are mechanisms.
void World::Impl::join_islands() {
    list_acting_joints();
    mechanism_of_motion.clear();
    if (acting_joints.empty()) {
        return;
    }
    mechanisms.reset(data.awake.size() + 1);
    for (const std::uint32_t slot : acting_joints) {
        const JointRecord& joint = data.joints[slot];
        if (!joint.def->body_a) {
            continue;
        }
        const std::uint32_t a = joint.def->body_a.index;
        const std::uint32_t b = joint.def->body_b.index;
        if (data.bodies[a].type == BodyType::dynamic && data.bodies[b].type == BodyType::dynamic) {
            islands.unite(motion_of_body[a], motion_of_body[b]);
            mechanisms.unite(motion_of_body[a], motion_of_body[b]);
        }
    }
    mechanism_of_motion.resize(data.awake.size() + 1);
    for (std::uint32_t motion = 0; motion < mechanism_of_motion.size(); ++motion) {
        mechanism_of_motion[motion] = mechanisms.root(motion);
    }
}

bool World::Impl::in_one_mechanism(std::uint32_t body_a, std::uint32_t body_b) const {
    const std::uint32_t a = motion_of_body[body_a], b = motion_of_body[body_b];
    return !mechanism_of_motion.empty() && a != 0 && b != 0 && mechanism_of_motion[a] == mechanism_of_motion[b];
}

void World::Impl::disturb_islands() {
    for (const std::uint32_t slot : acting_joints) {
        const JointRecord& joint = data.joints[slot];
        if (!joint.def->body_a) {
            continue;
        }
        const std::uint32_t a = joint.def->body_a.index;
        const std::uint32_t b = joint.def->body_b.index;
        const auto drives = [this](std::uint32_t body) {
            return data.bodies[body].type == BodyType::kinematic && data.bodies[body].awake;
        };
        if (drives(a)) {
            island_quiet[islands.root(motion_of_body[b])] = 0.0f;
        }
        if (drives(b)) {
            island_quiet[islands.root(motion_of_body[a])] = 0.0f;
        }
    }
}

// Where the joint is, with its bodies where they are, and what it holds. Its motions and impulses are not known yet.
void World::Impl::place_joint(JointRows& rows, std::uint32_t slot) const {
    const JointRecord& joint = data.joints[slot];
    const JointDef& def = *joint.def;
    const Transform a = pose_of(data, def.body_a);
    const Transform b = pose_of(data, def.body_b);
    rows = JointRows{};
    rows.kind = def.kind;
    rows.joint = slot;
    rows.local_arm_a = def.frame_a.position;
    rows.local_arm_b = def.frame_b.position;
    rows.start_arm_a = rotate(a.orientation, def.frame_a.position);
    rows.start_arm_b = rotate(b.orientation, def.frame_b.position);
    rows.start_offset = (b.position - a.position) + (rows.start_arm_b - rows.start_arm_a);
    rows.start_frame_a = a.orientation * def.frame_a.orientation;
    rows.start_frame_b = b.orientation * def.frame_b.orientation;
    rows.length = def.length;
    rows.ratio = def.ratio;
    rows.axes = def.axes.empty() ? nullptr : def.axes.data();
    rows.ground_a = def.ground_a - a.position;
    rows.ground_b = def.ground_b - b.position;
    rows.position = rows.start_position = joint.position;
    rows.has_limits = def.limits || (def.kind == JointKind::pulley && !def.spring);
    rows.limits = def.limits.value_or(JointLimits{0.0f, def.length});
    rows.has_cone = def.cone.has_value();
    rows.cone = def.cone.value_or(0.0f);
    rows.has_motor = def.motor.has_value();
    rows.has_spring = def.spring.has_value();
}

void World::Impl::gather_joints() {
    leave_joints_unhashed();
    std::size_t count = 0;
    for (std::size_t pace = 0; pace < std::max<std::size_t>(paces.size(), 1); ++pace) {
        count = gather_joints(pace, count);
    }
    joint_rows.resize(count);
}

// Those whose islands keep this pace, behind the first `count` rows. Returns how many there are then.
std::size_t World::Impl::gather_joints(std::size_t pace, std::size_t count) {
    const auto substeps = static_cast<float>(data.settings.substeps);
    const float own_substeps = paces.empty() ? substeps : static_cast<float>(paces[pace].substeps);
    const float h = data.settings.dt() / own_substeps;
    const float share = substeps / own_substeps; // impulses are remembered for plain substeps
    const auto keeps = [&](std::uint32_t motion) { return paces.size() < 2 || pace_of_motion[motion] == pace; };
    const float unlimited = std::numeric_limits<float>::max();
    const auto motion = [this](BodyId id) { return id && data.bodies[id.index].awake ? motion_of_body[id.index] : 0u; };
    std::span<const std::uint32_t> mine = acting_joints;
    if (paces.size() > 1) {
        paced_joints.clear();
        for (const std::uint32_t slot : acting_joints) {
            const JointDef& def = *data.joints[slot].def;
            const std::uint32_t motion_a = motion(def.body_a);
            if (keeps(motions[motion_a].inverse_mass > 0.0f ? motion_a : motion(def.body_b))) {
                paced_joints.push_back(slot);
            }
        }
        mine = paced_joints;
    }
    joint_rows.resize(std::max(joint_rows.size(), count + mine.size()));
    const auto state = [&](JointRows& rows, std::uint32_t slot) {
        const JointRecord& joint = data.joints[slot];
        const JointDef& def = *joint.def;
        place_joint(rows, slot);
        rows.motion_a = motion(def.body_a);
        rows.motion_b = motion(def.body_b);
        rows.pace = static_cast<std::uint32_t>(pace);
        rows.inverse_mass_a = motions[rows.motion_a].inverse_mass;
        rows.inverse_mass_b = motions[rows.motion_b].inverse_mass;
        rows.breakable = def.break_force || def.break_torque;
        if (def.motor) {
            rows.motor_speed = def.motor->speed;
            rows.motor_impulse = def.motor->max_force * h;
        }
        if (def.spring) {
            rows.spring = make_spring(def.spring->hertz, def.spring->damping_ratio, h);
            const bool has_length = def.kind == JointKind::distance || def.kind == JointKind::pulley;
            rows.spring_target = has_length ? def.length : def.spring->target;
            rows.spring_impulse = def.spring->max_force ? *def.spring->max_force * h : unlimited;
        }
        if (data.settings.warm_starting) {
            rows.impulses = scaled(joint.impulses, share);
        }
    };
    parallel_for(run_on(), mine.size(), joint_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            state(joint_rows[count + i], mine[i]);
        }
    });
    count += mine.size();
    count = gather_locks(pace, count);
    if (data.grab.active && keeps(motion_of_body[data.grab.grab.body.index])) { // a soft ball joint between the world
                                                                                // at the target and the held point
        const Grab& grab = data.grab.grab;
        const BodyRecord& body = data.bodies[grab.body.index];
        joint_rows.resize(std::max(joint_rows.size(), count + 1));
        JointRows& rows = joint_rows[count++] = JointRows{};
        rows.motion_b = motion_of_body[grab.body.index];
        rows.pace = static_cast<std::uint32_t>(pace);
        rows.inverse_mass_b = data.kind(grab.body.index).inverse_mass;
        rows.local_arm_b = grab.local_point;
        rows.start_arm_b = rotate(body.pose.orientation, grab.local_point);
        rows.start_offset = body.pose.position + rows.start_arm_b - grab.target;
        rows.has_spring = true;
        rows.spring = make_spring(grab.hertz, grab.damping_ratio, h);
        rows.spring_impulse = grab.max_acceleration * h / rows.inverse_mass_b;
        rows.angular_drag = 2.0f; // 1/s: a held body stops swinging within a second or so
        if (data.settings.warm_starting) {
            rows.impulses.soft_block = share * data.grab.impulse;
        }
    }
    return count;
}

// A body that may not move in some ways is held to the world where it is, anew in each step: what drift that leaves is
// taken off when it moves.
std::size_t World::Impl::gather_locks(std::size_t pace, std::size_t count) {
    if (!kinds.any_locks()) {
        return count;
    }
    for (std::uint32_t motion = 1; motion < dynamics.size(); ++motion) {
        const std::uint8_t locks = dynamics[motion].locks;
        if (locks == 0 || (paces.size() > 1 && pace_of_motion[motion] != pace)) {
            continue;
        }
        joint_rows.resize(std::max(joint_rows.size(), count + 1));
        JointRows& rows = joint_rows[count++] = JointRows{};
        rows.kind = JointKind::six_dof;
        rows.axes = locked_axes(locks);
        rows.motion_b = motion;
        rows.pace = static_cast<std::uint32_t>(pace);
        rows.inverse_mass_b = motions[motion].inverse_mass;
    }
    return count;
}

void World::Impl::store_joints() {
    const float per_second = 1.0f / data.settings.dt();
    parallel_for(run_on(), joint_rows.size(), joint_block, [&](std::size_t begin, std::size_t end) {
        for (JointRows& rows : std::span(joint_rows).subspan(begin, end - begin)) {
            const float share = paces.empty() ? 1.0f
                                              : static_cast<float>(paces[rows.pace].substeps) /
                                                    static_cast<float>(data.settings.substeps);
            if (rows.joint == no_index && rows.axes != nullptr) {
                continue; // a lock remembers nothing
            }
            if (rows.joint == no_index) {
                data.grab.impulse = share * rows.impulses.soft_block;
                continue;
            }
            JointRecord& joint = data.joints[rows.joint];
            joint.impulses = scaled(rows.impulses, share);
            joint.position = rows.position;
            joint.force = per_second * rows.step_force;
            joint.torque = per_second * rows.step_torque;
            const JointDef& def = *joint.def;
            const auto beyond = [](const Vec3& load, const std::optional<float>& most) {
                return most && glm::dot(load, load) > *most * *most;
            };
            if (rows.breakable && (beyond(joint.force, def.break_force) || beyond(joint.torque, def.break_torque))) {
                rows.broken = true;
                any_broken.store(true, std::memory_order_relaxed);
            }
        }
    });
}

// Those that act in this step are hashed when somebody asks; the hashes of those that acted in the last one and do so
// no more are kept from now on.
void World::Impl::leave_joints_unhashed() {
    if (data.unhashed_joints.empty() && acting_joints.empty()) {
        return;
    }
    for (const std::uint32_t slot : data.unhashed_joints) {
        data.joints[slot].unhashed = false;
    }
    for (const std::uint32_t slot : acting_joints) {
        data.joints[slot].unhashed = true;
        rehash_joint(slot);
    }
    for (const std::uint32_t slot : data.unhashed_joints) {
        if (data.joints[slot].alive && !data.joints[slot].unhashed) {
            rehash_joint(slot);
        }
    }
    data.unhashed_joints.assign(acting_joints.begin(), acting_joints.end());
}

// The sum of the hashes that are kept stays right if every change but by the solver goes through here.
void World::Impl::rehash_joint(std::uint32_t slot) {
    JointRecord& joint = data.joints[slot];
    data.joint_hash_sum -= joint.hash;
    joint.hash = joint.unhashed ? 0 : hash_of_joint(slot);
    data.joint_hash_sum += joint.hash;
}

void World::Impl::rehash_whole_joint(std::uint32_t slot) {
    data.joints[slot].def_hash = hash_of(*data.joints[slot].def);
    rehash_joint(slot);
}

std::uint64_t World::Impl::hash_of_joints() const {
    std::uint64_t sum = data.joint_hash_sum;
    for (const std::uint32_t slot : data.unhashed_joints) {
        sum += data.joints[slot].alive && data.joints[slot].unhashed ? hash_of_joint(slot) : 0;
    }
    return sum;
}

std::uint64_t World::Impl::hash_of_joint(std::uint32_t slot) const {
    const JointRecord& joint = data.joints[slot];
    const JointImpulses& impulses = joint.impulses;
    Hasher hasher(joint.def_hash);
    hasher.add(slot, joint.generation).add(joint.position, impulses.motor);
    for (std::size_t i = 0; i < impulses.rigid.size(); i += 2) {
        hasher.add(impulses.rigid[i], impulses.rigid[i + 1]);
    }
    hasher.add(impulses.lower, impulses.upper).add(impulses.spring, impulses.cone);
    hasher.add(impulses.soft_block, impulses.brake);
    return hasher.value();
}

void World::Impl::publish_joints(FrameState& frame) const {
    frame.joints.clear();
    for (std::uint32_t slot = 0; slot < data.joints.size(); ++slot) {
        const JointRecord& joint = data.joints[slot];
        if (!joint.alive) {
            continue;
        }
        const JointDef& def = *joint.def;
        const Transform a = compose(pose_of(data, def.body_a), def.frame_a);
        const Transform b = compose(pose_of(data, def.body_b), def.frame_b);
        JointState& state = frame.joints.emplace_back();
        state.id = {slot, joint.generation};
        state.def = joint.def;
        state.anchor_a = a.position;
        state.anchor_b = b.position;
        state.axis = rotate(a.orientation, Vec3(0, 0, 1));
        state.position = joint_position(def.kind, a, b, joint.position);
        if (def.kind == JointKind::distance) {
            state.axis = normalized_or(b.position - a.position, state.axis);
        }
        state.force = joint.force;
        state.torque = joint.torque;
    }
}

} // namespace cairn::physics
