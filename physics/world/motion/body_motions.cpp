#include "physics/world/motion/body_motions.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"
#include "physics/base/large_pages.h"
#include "physics/solver/motion/integrate.h"
#include "physics/world/contacts/reach.h"
#include "physics/world/islands/islands.h"
#include "physics/world/limits.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace cairn::physics {

namespace {

bool is_valid(const BodyRecord& body) {
    const float far = 10.0f * limits::position;
    return is_finite(body.pose.orientation) && is_finite(body.linear_velocity) && is_finite(body.angular_velocity) &&
           std::abs(body.pose.position.x) <= far && std::abs(body.pose.position.y) <= far &&
           std::abs(body.pose.position.z) <= far;
}

struct Velocities {
    Vec3 linear{0.0f}, angular{0.0f}; // m/s, rad/s
};

// Whether a slow body is on its way to another speed, so that it would not stay where it is put to sleep: forces change
// its velocity, but so little in each step that they have done so for a while, or will. Where a body jitters at rest, a
// step changes its velocity by as much as there is of it. Its own damping brings a body to rest, and does not count.
bool is_driven(const Settings& settings, const BodyStore& bodies, std::uint32_t slot, const Velocities& before) {
    // Of gravity: what lies still moves by the solver's errors, which grow with the weights. And of the acceleration
    // that reaches the sleep speed within the sleep time, since there need be no gravity.
    constexpr float least_of_gravity = 0.002f, least_of_any = 0.01f;
    // Of the sleep time: how long the acceleration of this step needs for the velocity that there is. What stops and
    // turns back counts as resting for so long before and after, which together must not let it sleep.
    constexpr float least_duration = 0.25f;
    const BodyRecord& body = bodies[slot];
    const BodyKind& kind = bodies.kind(slot);
    const float dt = settings.dt();
    const auto surface = [&](const Vec3& linear, const Vec3& angular) { // as surface_speed()
        return glm::length(linear) + kind.bounding_radius * glm::length(angular);
    };
    const Vec3 linear = body.linear_velocity - before.linear,
               angular = body.angular_velocity - before.angular; // change
    if (bodies.surface_speed(slot) * dt < least_duration * settings.sleep_time * surface(linear, angular)) {
        return false;
    }
    const float undamped = surface(linear + dt * kind.def.linear_damping * body.linear_velocity,
                                   angular + dt * kind.def.angular_damping * body.angular_velocity);
    const float least =
        least_of_gravity * glm::length(settings.gravity) + least_of_any * settings.sleep_speed / settings.sleep_time;
    return undamped >= least * dt;
}

} // namespace

void BodyMotions::gather(Executor& executor, const BodyStore& bodies, const Partition& partition) {
    resize_large(motions_, partition.regions().size() + 1);
    resize_large(dynamics_, motions_.size());
    motions_[0] = BodyMotion{};
    dynamics_[0] = BodyDynamics{};
    for_bodies(executor, partition.regions(), [&](std::uint32_t index) {
        const std::uint32_t slot = partition.slot_of(index);
        const BodyRecord& body = bodies[slot];
        const BodyKind& kind = bodies.kind(slot);
        BodyMotion& motion = motions_[index];
        motion = BodyMotion{};
        motion.linear_velocity = body.linear_velocity;
        motion.angular_velocity = body.angular_velocity;
        motion.inverse_mass = kind.inverse_mass;
        BodyDynamics& cold = dynamics_[index];
        cold.start_orientation = body.pose.orientation;
        cold.inertia_local = kind.inertia_local;
        cold.inverse_inertia_local = kind.inverse_inertia_local;
        // A multiple of the identity is the same in all axes.
        cold.inverse_inertia =
            kind.gyroscopic ? rotated(kind.inverse_inertia_local, body.pose.orientation) : kind.inverse_inertia_local;
        cold.linear_damping = kind.def.linear_damping;
        cold.angular_damping = kind.def.angular_damping;
        cold.gravity_scale = kind.def.gravity_scale;
        cold.load_scale = 1.0f;
        // Where no more than one turn is free, its axis stays, and so does the moment about it.
        const int locked_turns = std::popcount(unsigned{kind.def.locks} >> 3u);
        cold.principal = kind.gyroscopic && locked_turns == 0 ? &kind.principal : nullptr;
        cold.precesses = kind.gyroscopic && locked_turns == 1;
        cold.push = nullptr;
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

void BodyMotions::add_forces(std::span<const PendingForce> forces, const Partition& partition) {
    pushes_.assign(forces.size(), BodyPush{});
    for (std::size_t i = 0; i < forces.size(); ++i) {
        const std::uint32_t index = partition.motion_of(forces[i].slot);
        const float inverse_mass = motions_[index].inverse_mass;
        if (inverse_mass == 0.0f) { // it has become static since, or nothing pushes it
            continue;
        }
        BodyDynamics& body = dynamics_[index];
        if (body.push != nullptr) {
            pushes_[i] = *body.push;
        }
        pushes_[i].linear += inverse_mass * forces[i].force;
        pushes_[i].angular += body.inverse_inertia * forces[i].torque;
        body.push = &pushes_[i];
    }
}

struct BodyMotions::World {
    const Settings& settings;
    const Broadphase& broadphase;
    const GrabRecord& grab;
};

void BodyMotions::move(Executor& executor, const Settings& settings, const Broadphase& broadphase,
                       const Partition& partition, const AwakeBodies& awake, const GrabRecord& grab,
                       BodyStore& bodies) {
    const World world{settings, broadphase, grab};
    resize_large(starts_, bodies.size());
    marks_.assign(motions_.size(), 0);
    for_bodies(executor, partition.regions(), [&](std::uint32_t motion) {
        const std::uint8_t marks = move_body(world, partition.slot_of(motion), motions_[motion], bodies);
        if (marks != 0) { // seldom, and the lines of this list are written by all threads
            marks_[motion] = marks;
        }
    });
    list_marked(partition, awake);
}

void BodyMotions::list_marked(const Partition& partition, const AwakeBodies& awake) {
    rejected_.clear();
    fast_.clear();
    strayed_.clear();
    escaped_.clear();
    any_candidate_ = false;
    for (const std::uint32_t slot : awake) {
        const std::uint8_t marks = marks_[partition.motion_of(slot)];
        if (marks == 0) {
            continue;
        }
        if ((marks & mark_rejected) != 0) {
            rejected_.push_back(slot);
        }
        if ((marks & mark_fast) != 0) {
            fast_.push_back(slot);
        }
        if ((marks & mark_strayed) != 0) {
            strayed_.push_back(slot);
        }
        if ((marks & mark_escaped) != 0) {
            escaped_.push_back(slot);
        }
        any_candidate_ = any_candidate_ || (marks & mark_candidate) != 0;
    }
}

std::uint8_t BodyMotions::move_body(const World& world, std::uint32_t slot, const BodyMotion& motion,
                                    BodyStore& bodies) {
    const Settings& settings = world.settings;
    BodyRecord& body = bodies[slot];
    const ColdBody& cold = bodies.cold[slot];
    const BodyKind& kind = *cold.kind;
    std::uint8_t marks = 0;
    const Transform before = body.pose;
    const Velocities velocities_before{body.linear_velocity, body.angular_velocity};
    const Sweep expected = cold.fitted < 0.0f && settings.continuous ? expected_path(settings, bodies, slot) : Sweep{};
    starts_[slot] = before;
    body.linear_velocity = motion.linear_velocity;
    body.angular_velocity = motion.angular_velocity;
    bodies.traces[slot].rest.move(body.pose.position, motion.delta_position);
    body.pose.orientation = normalized(motion.delta_rotation * body.pose.orientation);
    if (!is_valid(body)) {
        body.pose = before;
        body.linear_velocity = body.angular_velocity = Vec3(0.0f);
        bodies.traces[slot].rest = PositionRest();
        marks |= mark_rejected;
    }

    const float dt = settings.dt();
    const Vec3 displacement = body.pose.position - before.position;
    const float moved = glm::length(displacement);
    const Vec3 turn = dt * body.angular_velocity; // rad
    const float turn_length = glm::length(turn);
    const float lift = kind.surface_lift(body.pose.orientation, turn);
    // Contacts are made within the margins of both bodies, and the margin of whatever does not move fast is at least
    // half the speculative distance: what moved further may have met something that has no contact yet.
    const float near = cold.margin + 0.5f * settings.speculative_distance;
    if (moved + lift > near || kind.rim_drop(body.pose.orientation, turn) > settings.linear_slop) {
        marks |= mark_fast;
    }
    // From the nearest point of the path that it was expected to take, which its reach holds.
    const Vec3& path = expected.linear_velocity;
    const float length2 = glm::dot(path, path);
    const float along = length2 > 0.0f ? std::clamp(glm::dot(displacement, path) / length2, 0.0f, 1.0f) : 0.0f;
    const float astray = along > 0.0f ? glm::length(displacement - along * path) : moved;
    const float turned_more = std::max(turn_length - glm::length(expected.angular_velocity), 0.0f);
    if (astray + turned_more * kind.bounding_radius > cold.margin) {
        marks |= mark_strayed;
    }
    bodies.trace_motion(slot, before);
    if (!below_sleep_threshold(settings, bodies, world.grab, slot, moved)) {
        body.sleep_timer = 0.0f;
    } else if (!is_driven(settings, bodies, slot, velocities_before)) {
        body.sleep_timer += dt;
    }
    if (time_at_rest(bodies, slot) >= settings.sleep_time) {
        marks |= mark_candidate;
    }

    // A point at the distance r from the axis moves along a chord of 2 r sin(angle / 2), and the vector part of the
    // rotation is as long as that sine.
    const Quat& q = motion.delta_rotation;
    const float chord = 2.0f * kind.bounding_radius * std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    const float drift = moved + std::min(chord, 2.0f * kind.bounding_radius);
    if (!keep_reach(settings, world.broadphase, bodies, slot, drift, dt * glm::length(body.linear_velocity) + lift)) {
        marks |= mark_escaped;
    }
    return marks;
}

bool below_sleep_threshold(const Settings& settings, const BodyStore& bodies, const GrabRecord& grab,
                           std::uint32_t slot, float displacement) {
    const BodyRecord& body = bodies[slot];
    const float speed = std::max(displacement / settings.dt(), bodies.surface_speed(slot));
    const bool held = grab.active && grab.grab.body.index == slot;
    return body.type == BodyType::dynamic && speed < settings.sleep_speed && !held;
}

void BodyMotions::add_fast(const Partition& partition, std::span<const std::vector<std::uint32_t>> motions) {
    const std::size_t before = fast_.size();
    for (const std::vector<std::uint32_t>& some : motions) {
        for (const std::uint32_t motion : some) {
            if (!is_fast(motion)) {
                marks_[motion] |= mark_fast;
                fast_.push_back(partition.slot_of(motion));
            }
        }
    }
    if (fast_.size() != before) {
        std::sort(fast_.begin(), fast_.end());
    }
}

std::size_t BodyMotions::memory_bytes() const {
    return bytes_of(motions_) + bytes_of(dynamics_) + bytes_of(pushes_) + bytes_of(starts_) + bytes_of(marks_) +
           bytes_of(rejected_) + bytes_of(fast_) + bytes_of(strayed_) + bytes_of(escaped_);
}

} // namespace cairn::physics
