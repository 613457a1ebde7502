// Commands that push bodies.
#include "physics/query/distance.h"
#include "physics/query/time_of_impact.h"
#include "physics/world/engine/world_impl.h"
#include "physics/world/parameters/validation.h"
#include "physics/world/state/load_changes.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace cairn::physics {

// Why a command that pushes a body is refused; empty if it is not.
std::string World::Impl::reason_not_to_push(BodyId id, std::string problem, const char* action) const {
    const BodyRecord* body = data.bodies.find(id);
    if (body == nullptr) {
        return no_such_body(id).error;
    }
    if (problem.empty() && body->type != BodyType::dynamic) {
        return std::string("only a dynamic body can be ") + action;
    }
    return problem;
}

// The velocities that follow, in what ways the body's locks leave; they must be as sane as if they had been set.
// `moment`: about the centre of mass, N m s.
SetBody World::Impl::after_impulse(std::uint32_t slot, const Vec3& impulse, const Vec3& moment) const {
    const BodyRecord& body = data.bodies[slot];
    const BodyKind& kind = data.bodies.kind(slot);
    const SymmetricMat3 inverse_inertia = rotated(kind.inverse_inertia_local, body.pose.orientation);
    BodyMotion motion;
    motion.linear_velocity = body.linear_velocity + kind.inverse_mass * impulse;
    motion.angular_velocity = body.angular_velocity + without_locked_turns(inverse_inertia, kind.def.locks) * moment;
    hold_locks(motion, kind.def.locks);
    SetBody after;
    after.body = data.bodies.id(slot);
    after.linear_velocity = motion.linear_velocity;
    after.angular_velocity = motion.angular_velocity;
    return after;
}

void World::Impl::set_velocities(const SetBody& after) {
    BodyRecord& body = data.bodies[after.body.index];
    body.linear_velocity = *after.linear_velocity;
    body.angular_velocity = *after.angular_velocity;
    data.waking().wake(after.body.index);
    data.bodies.rehash(after.body.index);
}

CommandResult World::Impl::apply(const ApplyImpulse& command) {
    if (std::string why = reason_not_to_push(command.body, problem_with(command), "pushed"); !why.empty()) {
        return refused(std::move(why));
    }
    const std::uint32_t slot = command.body.index;
    const Vec3 arm = command.point ? *command.point - data.bodies[slot].pose.position : Vec3(0.0f);
    const SetBody after = after_impulse(slot, command.impulse, glm::cross(arm, command.impulse));
    if (std::string problem = problem_with(after); !problem.empty()) {
        return refused("after the impulse the " + problem);
    }
    set_velocities(after);
    return {};
}

CommandResult World::Impl::apply(const ApplyForce& command) {
    if (std::string why = reason_not_to_push(command.body, problem_with(command), "pushed"); !why.empty()) {
        return refused(std::move(why));
    }
    const std::uint32_t slot = command.body.index;
    const Vec3 arm = command.point ? *command.point - data.bodies[slot].pose.position : Vec3(0.0f);
    const float dt = data.settings.dt();
    // Like an impulse that takes the whole step.
    const Vec3 torque = command.torque + glm::cross(arm, command.force);
    const SetBody after = after_impulse(slot, dt * command.force, dt * torque);
    if (std::string problem = problem_with(after); !problem.empty()) {
        return refused("under the force the " + problem);
    }
    data.forces.push_back({slot, command.force, torque});
    data.waking().wake(slot);
    data.bodies.rehash(slot);
    return {};
}

CommandResult World::Impl::apply(const MoveKinematic& command) {
    const BodyRecord* found = data.bodies.find(command.body);
    if (found == nullptr) {
        return no_such_body(command.body);
    }
    if (std::string problem = problem_with(command); !problem.empty()) {
        return refused(std::move(problem));
    }
    if (found->type != BodyType::kinematic) {
        return refused("only a kinematic body can be moved to a target");
    }
    const std::uint32_t slot = command.body.index;
    BodyRecord& body = data.bodies[slot];
    SetBody motion;
    // From the pose that readers see, so that a target at the present pose moves nothing.
    motion.linear_velocity = (command.target.position - body.pose.position) * data.settings.hz;
    const Quat target = unit(command.target.orientation);
    motion.angular_velocity = target == body.pose.orientation
                                  ? Vec3(0.0f)
                                  : angular_velocity_between(body.pose.orientation, target, data.settings.dt());
    if (std::string problem = problem_with(motion); !problem.empty()) {
        return refused("to be there after one step the " + problem);
    }
    LoadChanges(data).change_motion(slot);
    body.linear_velocity = *motion.linear_velocity;
    body.angular_velocity = *motion.angular_velocity;
    data.waking().refresh(slot);
    data.bodies.rehash(slot);
    data.bodies.resting_revision += body.awake ? 0 : 1;
    return {};
}

CommandResult World::Impl::apply(const Explode& command) {
    if (std::string problem = problem_with(command); !problem.empty()) {
        return refused(std::move(problem));
    }
    const Vec3 centre = command.centre;
    const BodyStore& bodies = data.bodies;
    std::vector<std::uint32_t> slots;
    data.broadphase.query({centre - Vec3(command.radius), centre + Vec3(command.radius)}, [&](std::uint32_t index) {
        const std::uint32_t slot = bodies.shapes[index].body;
        if (bodies.is_dynamic(slot) && (command.groups >> bodies.kind(slot).def.filter.group & 1u) != 0) {
            slots.push_back(slot);
        }
    });
    std::sort(slots.begin(), slots.end());
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    Shape point; // a ball without a radius
    point.local_bounds = {Vec3(0.0f), Vec3(0.0f)};
    std::vector<SetBody> pushed;
    for (const std::uint32_t slot : slots) {
        DistanceResult nearest;
        nearest.distance = command.radius;
        for (const ShapeRecord& shape : data.bodies.shapes_of(slot)) {
            const DistanceResult one =
                signed_distance(point, {centre, identity_orientation}, *shape.shape, bodies.shape_pose(shape));
            if (one.distance < nearest.distance) {
                nearest = one;
            }
        }
        if (nearest.distance >= command.radius) {
            continue;
        }
        // From within a body there is no nearest place to push at: it is pushed as a whole.
        const Vec3 middle = bodies[slot].pose.position;
        const bool inside = nearest.distance <= 0.0f;
        const Vec3 direction = inside ? normalized_or(middle - centre, Vec3(0, 0, 1)) : nearest.normal;
        const float share = 1.0f - std::max(nearest.distance, 0.0f) / command.radius;
        const Vec3 impulse = (share * command.impulse) * direction;
        pushed.push_back(
            after_impulse(slot, impulse, inside ? Vec3(0.0f) : glm::cross(nearest.point_b - middle, impulse)));
        if (std::string problem = problem_with(pushed.back()); !problem.empty()) {
            return refused("after the explosion the " + problem);
        }
    }
    for (const SetBody& after : pushed) {
        set_velocities(after);
    }
    return {};
}

} // namespace cairn::physics
