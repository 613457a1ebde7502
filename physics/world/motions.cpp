// Bodies on their way into the solver, and out of it again.
#include "physics/base/executor_loop.h"
#include "physics/world/limits.h"
#include "physics/world/world_state.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace cairn::physics {

namespace {

bool sane(const BodyRecord& body) {
    const float far = 10.0f * limits::position;
    return is_finite(body.pose.orientation) && is_finite(body.linear_velocity) && is_finite(body.angular_velocity) &&
           std::abs(body.pose.position.x) <= far && std::abs(body.pose.position.y) <= far &&
           std::abs(body.pose.position.z) <= far;
}

// By so much the reach is laid further than it must be, m, so that a body that creeps keeps it for a while. It costs
// looks at pairs that are no contacts; a millimetre is a tenth of the gap within which contacts are made anyway.
float slack(const BodyKind& kind) {
    return std::min(0.001f, 0.1f * kind.inner_radius);
}

} // namespace

// A contact may be made ahead of touching by as much as the shape can move within a step, so that the solver stops it
// at the surface and not a part of its path inside. The share of the inner radius bounds the gap, because the normal of
// a distant contact is a guess about where the bodies will touch. What moves further is left to conservative
// advancement, which knows when it arrives: a contact made ahead would hold it at the surface for the rest of the step.
float World::Impl::margin_for(const BodyKind& kind, float inner_radius, float travel) const {
    const float most = fast_share * inner_radius;
    return travel > most && data.settings.continuous && kind.def.type == BodyType::dynamic
               ? 0.5f * data.settings.linear_slop
               : 0.5f * data.settings.speculative_distance + std::min(travel, most);
}

void World::Impl::refresh_reach(std::uint32_t slot) {
    const BodyRecord& body = data.bodies[slot];
    const float dt = data.settings.dt();
    lay_reach(slot, body.awake ? data.bodies.kind(slot).surface_travel(body.pose.orientation, dt * body.linear_velocity,
                                                                       dt * body.angular_velocity)
                               : 0.0f);
}

void World::Impl::lay_reach(std::uint32_t slot, float travel) {
    ColdBody& cold = data.bodies.cold[slot];
    const BodyKind& kind = *cold.kind;
    const float ahead = slack(kind);
    cold.margin = margin_for(kind, kind.inner_radius, travel);
    // The margin of a fast body is no guide to the one that it will have.
    cold.fitted = travel <= fast_share * kind.inner_radius ? travel : -1.0f;
    cold.drift = 0.0f;
    // What is fast may meet something all along its path.
    Sweep path;
    float lift = 0.0f;
    const bool fast = cold.fitted < 0.0f && data.settings.continuous;
    if (fast) {
        path = expected_path(slot);
        lift = std::min(kind.bounding_radius * glm::length(path.angular_velocity), 2.0f * kind.bounding_radius);
    }
    float greatest = 0.0f;
    for (std::uint32_t i = cold.first_shape; i < cold.first_shape + cold.shape_count; ++i) {
        ShapeRecord& shape = data.bodies.shapes[i];
        shape.margin = margin_for(kind, shape.shape->inner_radius, travel);
        shape.reach = grown(bounds(*shape.shape, data.bodies.shape_pose(shape)), shape.margin + ahead);
        if (fast) {
            const Aabb end{shape.reach.lower + path.linear_velocity, shape.reach.upper + path.linear_velocity};
            shape.reach = grown(united(shape.reach, end), lift);
        }
        greatest = std::max(greatest, shape.margin);
    }
    data.bodies.traces[slot].margin = fast ? greatest + glm::length(path.linear_velocity) + lift : greatest;
}

Sweep World::Impl::expected_path(std::uint32_t slot) const {
    const BodyRecord& body = data.bodies[slot];
    Sweep path;
    path.start = body.pose;
    if (!body.awake) {
        return path;
    }
    const float dt = data.settings.dt();
    path.linear_velocity = dt * body.linear_velocity;
    path.angular_velocity = dt * body.angular_velocity;
    if (body.type == BodyType::dynamic) {
        path.linear_velocity += (0.5f * dt * dt * data.bodies.kind(slot).def.gravity_scale) * data.settings.gravity;
    }
    return path;
}

void World::Impl::gather_motions() {
    motions.resize(data.awake.size() + 1);
    dynamics.resize(data.awake.size() + 1);
    motions[0] = BodyMotion{};
    dynamics[0] = BodyDynamics{};
    for_bodies(run_on(), partition.regions(), [&](std::uint32_t index) {
        const std::uint32_t slot = partition.slot_of(index);
        const BodyRecord& body = data.bodies[slot];
        const BodyKind& kind = data.bodies.kind(slot);
        BodyMotion& motion = motions[index];
        motion = BodyMotion{};
        motion.linear_velocity = body.linear_velocity;
        motion.angular_velocity = body.angular_velocity;
        motion.inverse_mass = kind.inverse_mass;
        BodyDynamics& cold = dynamics[index];
        cold.start_orientation = body.pose.orientation;
        cold.inertia_local = kind.inertia_local;
        cold.inverse_inertia_local = kind.inverse_inertia_local;
        // A multiple of the identity is the same in all axes.
        cold.inverse_inertia =
            kind.gyroscopic ? rotated(kind.inverse_inertia_local, body.pose.orientation) : kind.inverse_inertia_local;
        cold.linear_damping = kind.def.linear_damping;
        cold.angular_damping = kind.def.angular_damping;
        cold.gravity_scale = kind.def.gravity_scale;
        // Where no more than one turn is free, its axis stays, and so does the moment about it.
        const bool turns_freely = std::popcount(unsigned{kind.def.locks} >> 3u) < 2;
        cold.principal = kind.gyroscopic && turns_freely ? &kind.principal : nullptr;
        cold.spin_limited = kind.spin_limited;
        cold.parting = body.entangled;
        if (kind.def.locks == limits::axis_locks && motion.inverse_mass > 0.0f) { // nothing pushes it
            motion = BodyMotion{};
        }
        cold.locks = motion.inverse_mass > 0.0f ? kind.def.locks : std::uint8_t{0};
        if (cold.locks != 0) {
            cold.inverse_inertia = without_locked_turns(cold.inverse_inertia, cold.locks);
            hold_locks(motion, cold.locks);
        }
    });
}

// Writes the motions back, remembers where they began, refuses numbers that are no numbers, and finds what the stages
// that follow must look at: hardly any body of a heap.
void World::Impl::move_bodies() {
    step_starts.resize(data.bodies.size());
    move_marks.assign(data.awake.size() + 1, 0);
    for_bodies(run_on(), partition.regions(), [&](std::uint32_t motion) {
        const std::uint8_t marks = move_body(partition.slot_of(motion), motions[motion]);
        if (marks != 0) { // seldom, and the lines of this list are written by all threads
            move_marks[motion] = marks;
        }
    });
    fast_bodies.clear();
    strayed.clear();
    escaped.clear();
    any_tired = false;
    for (const std::uint32_t slot : data.awake) {
        const std::uint8_t marks = move_marks[partition.motion_of(slot)];
        if (marks == 0) {
            continue;
        }
        if ((marks & mark_insane) != 0) {
            data.stopped.push_back({slot, data.bodies[slot].generation});
        }
        if ((marks & mark_fast) != 0) {
            fast_bodies.push_back(slot);
        }
        if ((marks & mark_strayed) != 0) {
            strayed.push_back(slot);
        }
        if ((marks & mark_escaped) != 0) {
            escaped.push_back(slot);
        }
        any_tired = any_tired || (marks & mark_tired) != 0;
    }
}

std::uint8_t World::Impl::move_body(std::uint32_t slot, const BodyMotion& motion) {
    BodyRecord& body = data.bodies[slot];
    const ColdBody& cold = data.bodies.cold[slot];
    const BodyKind& kind = *cold.kind;
    std::uint8_t marks = 0;
    const Transform before = body.pose;
    const Sweep expected = cold.fitted < 0.0f && data.settings.continuous ? expected_path(slot) : Sweep{};
    step_starts[slot] = before;
    body.linear_velocity = motion.linear_velocity;
    body.angular_velocity = motion.angular_velocity;
    data.bodies.traces[slot].rest.move(body.pose.position, motion.delta_position);
    body.pose.orientation = normalized(motion.delta_rotation * body.pose.orientation);
    if (!sane(body)) {
        body.pose = before;
        body.linear_velocity = body.angular_velocity = Vec3(0.0f);
        data.bodies.traces[slot].rest = PositionRest();
        marks |= mark_insane;
    }

    const float dt = data.settings.dt();
    const Vec3 way = body.pose.position - before.position;
    const float way_length = glm::length(way);
    const Vec3 turn = dt * body.angular_velocity; // rad
    const float turn_length = glm::length(turn);
    const float lift = kind.surface_lift(body.pose.orientation, turn);
    // Contacts are made within the margins of both bodies, and the margin of whatever does not move fast is at least
    // half the speculative distance: what moved further may have met something that has no contact yet.
    const float near = cold.margin + 0.5f * data.settings.speculative_distance;
    if (way_length + lift > near || kind.rim_drop(body.pose.orientation, turn) > data.settings.linear_slop) {
        marks |= mark_fast;
    }
    // From the nearest point of the path that it was expected to take, which its reach holds.
    const Vec3& path = expected.linear_velocity;
    const float length2 = glm::dot(path, path);
    const float along = length2 > 0.0f ? std::clamp(glm::dot(way, path) / length2, 0.0f, 1.0f) : 0.0f;
    const float astray = along > 0.0f ? glm::length(way - along * path) : way_length;
    const float turned_more = std::max(turn_length - glm::length(expected.angular_velocity), 0.0f);
    if (astray + turned_more * kind.bounding_radius > cold.margin) {
        marks |= mark_strayed;
    }
    data.bodies.trace_motion(slot, step_starts[slot]);
    body.quiet_time = quiet(slot, way_length) ? body.quiet_time + dt : 0.0f;
    if (time_at_rest(data.bodies, slot) >= data.settings.sleep_time) {
        marks |= mark_tired;
    }

    // A point at the distance r from the axis moves along a chord of 2 r sin(angle / 2), and the vector part of the
    // rotation is as long as that sine.
    const Quat& q = motion.delta_rotation;
    const float chord = 2.0f * kind.bounding_radius * std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    const float drift = way_length + std::min(chord, 2.0f * kind.bounding_radius);
    if (!keep_reach(slot, drift, dt * glm::length(body.linear_velocity) + lift)) {
        marks |= mark_escaped;
    }
    return marks;
}

// What is pushed out of another body moves without having a speed.
bool World::Impl::quiet(std::uint32_t slot, float way) const {
    const BodyRecord& body = data.bodies[slot];
    const float speed = std::max(way / data.settings.dt(),
                                 glm::length(body.linear_velocity) +
                                     glm::length(body.angular_velocity) * data.bodies.kind(slot).bounding_radius);
    const bool held = data.grab.active && data.grab.grab.body.index == slot;
    return body.type == BodyType::dynamic && speed < data.settings.sleep_speed && !held;
}

// Sees to it that the reach holds the body where it is now, after no point of its surface has come further than
// `drift` m, and as far as it may come in the next step, `travel` m. False if the trees do not hold that reach.
bool World::Impl::keep_reach(std::uint32_t slot, float drift, float travel) {
    ColdBody& cold = data.bodies.cold[slot];
    const BodyKind& kind = *cold.kind;
    cold.drift += drift;
    if (cold.fitted >= 0.0f && cold.drift + std::abs(travel - cold.fitted) <= slack(kind)) {
        cold.margin = margin_for(kind, kind.inner_radius, travel);
        float greatest = 0.0f;
        for (std::uint32_t i = cold.first_shape; i < cold.first_shape + cold.shape_count; ++i) {
            data.bodies.shapes[i].margin = margin_for(kind, data.bodies.shapes[i].shape->inner_radius, travel);
            greatest = std::max(greatest, data.bodies.shapes[i].margin);
        }
        data.bodies.traces[slot].margin = greatest;
        return true;
    }
    lay_reach(slot, travel);
    bool held = true;
    for (std::uint32_t i = cold.first_shape; i < cold.first_shape + cold.shape_count; ++i) {
        held = held && data.broadphase.holds(i, data.bodies.shapes[i].reach);
    }
    return held;
}

void World::Impl::refit_bounds() {
    data.broadphase.move_many(escaped.size(), [this](const auto& move) {
        for (const std::uint32_t slot : escaped) {
            const ColdBody& cold = data.bodies.cold[slot];
            for (std::uint32_t i = cold.first_shape; i < cold.first_shape + cold.shape_count; ++i) {
                move(i, data.bodies.shapes[i].reach);
            }
        }
    });
}

} // namespace cairn::physics
