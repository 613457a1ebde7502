// Commands about joints.
#include "physics/world/contacts/reach.h"
#include "physics/world/engine/world_impl.h"
#include "physics/world/motion/breaking.h"
#include "physics/world/parameters/validation.h"

#include <algorithm>
#include <utility>

namespace cairn::physics {

namespace {

std::string no_such_joint(JointId id) {
    return "there is no joint " + std::to_string(id.index) + ":" + std::to_string(id.generation);
}

} // namespace

void World::Impl::end_contacts(const JointDef& def) {
    if (def.collide || !def.body_a) {
        return;
    }
    const std::vector<std::uint32_t> bodies =
        def.ignore_within > 1 ? data.joints.decided_by(def) : std::vector<std::uint32_t>{def.body_b.index};
    for (const std::uint32_t body : bodies) {
        end_ignored_contacts(body);
    }
}

void World::Impl::end_ignored_contacts(std::uint32_t body) {
    const std::span<const std::uint32_t> listed = data.contacts.of_body(body);
    const std::vector<std::uint32_t> contacts(listed.begin(), listed.end());
    for (const std::uint32_t slot : contacts) {
        const ShapePair& contact = data.contacts.pair(slot);
        if (held_apart(data.bodies, data.joints, contact.body_a, contact.body_b)) {
            data.contacts.destroy(slot);
        }
    }
}

void World::Impl::look_for_contacts(std::span<const std::uint32_t> bodies) {
    for (const std::uint32_t body : bodies) {
        if (data.bodies[body].alive) {
            reposition(data.settings, data.bodies, data.broadphase, body);
        }
    }
}

std::optional<BodyType> World::Impl::type_of(BodyId body) const {
    const BodyRecord* record = data.bodies.find(body);
    return record != nullptr ? std::optional(record->type) : std::nullopt;
}

std::string World::Impl::problem_joining(const JointDef& def, std::optional<BodyType> type_a,
                                         std::optional<BodyType> type_b) const {
    for (const auto& [id, type] : {std::pair(def.body_a, type_a), std::pair(def.body_b, type_b)}) {
        if (id && !type) {
            return no_such_body(id).error + " to be joined";
        }
    }
    if (!def.body_b) {
        return "a joint needs its second body; only the first may be the world";
    }
    if (type_a != BodyType::dynamic && type_b != BodyType::dynamic) {
        return "a joint needs at least one dynamic body";
    }
    return problem_with(def);
}

JointId World::Impl::join_bodies(const JointDef& def) {
    const std::uint32_t slot = data.joints.add(def);
    end_contacts(def);
    data.waking().wake_both(def);
    return {slot, data.joints[slot].generation};
}

CommandResult World::Impl::apply(const CreateJoint& command) {
    const JointDef& def = command.joint;
    if (def.body_b && def.body_a == def.body_b && data.bodies.find(def.body_b) != nullptr) {
        return refused("a joint needs two bodies, not the same one twice");
    }
    if (std::string problem = problem_joining(def, type_of(def.body_a), type_of(def.body_b)); !problem.empty()) {
        return refused(std::move(problem));
    }
    CommandResult result;
    result.joint = join_bodies(def);
    return result;
}

CommandResult World::Impl::apply(const DestroyJoint& command) {
    if (data.joints.find(command.joint) == nullptr) {
        return refused(no_such_joint(command.joint));
    }
    for (const BodyId id :
         {data.joints[command.joint.index].def->body_a, data.joints[command.joint.index].def->body_b}) {
        if (id && data.bodies.is_dynamic(id.index)) {
            data.bodies.place(id.index); // what the joint bore rests on others now
        }
    }
    part(command.joint.index);
    return {};
}

void World::Impl::part(std::uint32_t slot) {
    const std::shared_ptr<const JointDef> def = data.joints[slot].def;
    data.waking().wake_both(*def);
    const std::vector<std::uint32_t> bodies =
        def->collide ? std::vector<std::uint32_t>{} : data.joints.decided_by(*def);
    data.joints.remove(slot);
    look_for_contacts(bodies);
}

// Joints that carried more than they bear end with the step, of those in a line the weakest.
void World::Impl::break_joints() {
    const std::span<const std::uint32_t> overloaded = acting.take_broken();
    if (overloaded.empty()) {
        return;
    }
    for (const std::uint32_t slot : overloaded) { // those that are spared begin anew: their load is taken off
        data.joints[slot].impulses = JointImpulses{};
        data.joints.rehash(slot);
    }
    for (const std::uint32_t slot : weakest_in_line(overloaded, data.joints, data.bodies)) {
        const JointRecord& joint = data.joints[slot];
        BreakState& state = data.report.breaks.emplace_back();
        state.joint = {slot, joint.generation};
        state.def = joint.def;
        state.point = compose(data.bodies.pose_of(joint.def->body_b), joint.def->frame_b).position;
        state.force = glm::length(joint.force);
        state.torque = glm::length(joint.torque);
    }
    for (const BreakState& state : data.report.breaks) {
        part(state.joint.index);
    }
}

CommandResult World::Impl::apply(const SetJoint& command) {
    JointRecord* joint = data.joints.find(command.joint);
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
    data.joints.change(command.joint.index, def);
    data.waking().wake_both(def);
    if (def.collide != before->collide || def.ignore_within != before->ignore_within) {
        end_contacts(def);
        look_for_contacts(data.joints.decided_by(before->ignore_within > def.ignore_within ? *before : def));
    }
    return {};
}

} // namespace cairn::physics
