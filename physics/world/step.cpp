// One step of the world, stage by stage.
#include "physics/base/executor_loop.h"
#include "physics/world/limits.h"
#include "physics/world/world_state.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace cairn::physics {

namespace {

constexpr std::size_t body_block = 128;

// Adds the time since the last call to a stage's account.
class StageClock {
  public:
    void charge(double& account) {
        const auto now = std::chrono::steady_clock::now();
        account += std::chrono::duration<double>(now - last_).count();
        last_ = now;
    }

  private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

bool sane(const BodyRecord& body) {
    const float far = 10.0f * limits::position;
    return is_finite(body.pose.orientation) && is_finite(body.linear_velocity) && is_finite(body.angular_velocity) &&
           std::abs(body.pose.position.x) <= far && std::abs(body.pose.position.y) <= far &&
           std::abs(body.pose.position.z) <= far;
}

} // namespace

void World::step() {
    Impl& world = *impl_;
    world.data.reports.clear();
    world.data.stats = StepStats{};
    StageTimes& times = world.data.stats.times;
    StageClock clock;

    world.commit_awake();
    world.find_pairs();
    clock.charge(times.broadphase);
    world.update_contacts();
    world.drop_seams();
    clock.charge(times.narrowphase);
    world.build_islands();
    clock.charge(times.islands);
    world.choose_paces();
    world.gather_motions();
    world.solve();
    world.move_bodies();
    clock.charge(times.solver);
    world.stop_fast_bodies();
    clock.charge(times.continuous);
    world.refit_bounds();
    clock.charge(times.broadphase);
    world.mark_touching();
    world.fall_asleep();
    world.data.stats.awake = static_cast<std::uint32_t>(world.data.awake.size());
    ++world.data.step;
    world.data.time += 1.0 / static_cast<double>(world.data.settings.hz);
    clock.charge(times.finish);
}

// Sets of dynamic bodies connected by touching contacts; they fall asleep together.
void World::Impl::build_islands() {
    motion_of_body.resize(data.bodies.size(), 0);
    for (std::size_t i = 0; i < data.awake.size(); ++i) {
        motion_of_body[data.awake[i]] = static_cast<std::uint32_t>(i + 1);
    }
    islands.reset(data.awake.size() + 1);
    touching.clear();
    for (const std::uint32_t index : data.contacts.touching()) {
        const Contact& contact = data.contacts[index];
        const BodyRecord& a = data.bodies[contact.body_a];
        const BodyRecord& b = data.bodies[contact.body_b];
        const RowBodies rows{a.awake ? motion_of_body[contact.body_a] : 0u,
                             b.awake ? motion_of_body[contact.body_b] : 0u};
        touching.push_back({index, rows});
        if (a.type == BodyType::dynamic && b.type == BodyType::dynamic) {
            islands.unite(rows.a, rows.b);
        }
    }
    join_islands();
}

void World::Impl::gather_motions() {
    motions.resize(data.awake.size() + 1);
    dynamics.resize(data.awake.size() + 1);
    motions[0] = BodyMotion{};
    dynamics[0] = BodyDynamics{};
    parallel_for(run_on(), data.awake.size(), body_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t slot = data.awake[i];
            const BodyRecord& body = data.bodies[slot];
            const BodyKind& kind = data.kind(slot);
            BodyMotion& motion = motions[i + 1];
            motion = BodyMotion{};
            motion.linear_velocity = body.linear_velocity;
            motion.angular_velocity = body.angular_velocity;
            motion.inverse_mass = kind.inverse_mass;
            BodyDynamics& cold = dynamics[i + 1];
            cold.start_orientation = body.pose.orientation;
            cold.inertia_local = kind.inertia_local;
            cold.inverse_inertia_local = kind.inverse_inertia_local;
            cold.inverse_inertia = rotated(kind.inverse_inertia_local, body.pose.orientation);
            cold.linear_damping = kind.def.linear_damping;
            cold.angular_damping = kind.def.angular_damping;
            cold.gravity_scale = kind.def.gravity_scale;
            cold.gyroscopic = kind.gyroscopic;
            cold.spin_limited = kind.spin_limited;
        }
    });
}

void World::Impl::solve() {
    SolverInput input;
    input.gravity = data.settings.gravity;
    input.step = data.settings.dt();
    input.substeps = data.settings.substeps;
    input.contact_hertz = data.settings.contact_hertz;
    input.contact_damping_ratio = data.settings.contact_damping_ratio;
    input.max_push_speed = data.settings.max_push_speed;
    input.restitution_threshold = data.settings.restitution_threshold;
    input.warm_starting = data.settings.warm_starting;
    input.joint_hertz = data.settings.joint_hertz;
    input.joint_damping_ratio = data.settings.joint_damping_ratio;
    input.pace_of_motion = pace_of_motion;
    input.paces = paces;
    input.backward = data.step % 2 == 1;
    gather_joints();
    solver.run(run_on(), input, motions, dynamics, touching, data.contacts, joint_rows);
    store_joints();
    data.stats.spin_limited = solver.spin_limited();
    data.stats.joints_alone = static_cast<std::uint32_t>(solver.joints_alone());
    data.stats.finest_substeps = static_cast<std::uint32_t>(data.settings.substeps);
    for (const Pace& pace : paces) {
        data.stats.finest_substeps = std::max(data.stats.finest_substeps, static_cast<std::uint32_t>(pace.substeps));
    }
}

// Writes the motions back, remembers where they began, and refuses numbers that are no numbers.
void World::Impl::move_bodies() {
    step_starts.resize(data.bodies.size());
    for (std::size_t i = 0; i < data.awake.size(); ++i) {
        const std::uint32_t slot = data.awake[i];
        BodyRecord& body = data.bodies[slot];
        const BodyMotion& motion = motions[i + 1];
        const Transform before = body.pose;
        body.linear_velocity = motion.linear_velocity;
        body.angular_velocity = motion.angular_velocity;
        body.pose.position += motion.delta_position;
        body.pose.orientation = normalized(motion.delta_rotation * body.pose.orientation);
        if (!sane(body)) {
            body.pose = before;
            body.linear_velocity = body.angular_velocity = Vec3(0.0f);
            data.reports.push_back("body " + std::to_string(slot) + " (" + data.kind(slot).def.name +
                                   ") left the range of sane numbers and was stopped");
        }
        step_starts[slot] = before;
    }
}

void World::Impl::refit_bounds() {
    parallel_for(run_on(), data.awake.size(), body_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            refresh_reach(data.awake[i]);
        }
    });
    for (const std::uint32_t slot : data.awake) {
        const ColdBody& cold = data.cold[slot];
        for (std::uint32_t s = cold.first_shape; s < cold.first_shape + cold.shape_count; ++s) {
            data.broadphase.move(s, data.shapes[s].reach);
        }
    }
}

// An island sleeps when all of it has been quiet for long enough.
void World::Impl::fall_asleep() {
    const float dt = data.settings.dt();
    island_quiet.assign(data.awake.size() + 1, std::numeric_limits<float>::max());
    std::uint32_t island_count = 0;
    for (std::size_t i = 0; i < data.awake.size(); ++i) {
        const std::uint32_t slot = data.awake[i];
        BodyRecord& body = data.bodies[slot];
        const BodyKind& kind = data.kind(slot);
        const auto motion = static_cast<std::uint32_t>(i + 1);
        if (body.type != BodyType::dynamic) {
            continue;
        }
        // What is pushed out of another body moves without having a speed.
        const float moved = glm::length(body.pose.position - step_starts[slot].position) / dt;
        const float speed = std::max(moved, glm::length(body.linear_velocity) +
                                                glm::length(body.angular_velocity) * kind.bounding_radius);
        const bool held = data.grab.active && data.grab.grab.body.index == slot;
        body.quiet_time = speed < data.settings.sleep_speed && !held ? body.quiet_time + dt : 0.0f;
        const std::uint32_t root = islands.root(motion);
        island_count += root == motion ? 1 : 0;
        const float quiet = kind.def.can_sleep && data.settings.sleeping ? body.quiet_time : 0.0f;
        island_quiet[root] = std::min(island_quiet[root], quiet);
    }
    data.stats.islands = island_count;
    if (!data.settings.sleeping) {
        return;
    }
    disturb_islands();
    // What touches a moving kinematic body stays awake.
    for (const Solver::TouchingContact& contact : touching) {
        const Contact& pair = data.contacts[contact.slot];
        const BodyRecord& a = data.bodies[pair.body_a];
        const BodyRecord& b = data.bodies[pair.body_b];
        if (a.type == BodyType::kinematic && a.awake) {
            island_quiet[islands.root(contact.bodies.b)] = 0.0f;
        }
        if (b.type == BodyType::kinematic && b.awake) {
            island_quiet[islands.root(contact.bodies.a)] = 0.0f;
        }
    }
    for (std::size_t i = 0; i < data.awake.size(); ++i) {
        const std::uint32_t slot = data.awake[i];
        BodyRecord& body = data.bodies[slot];
        if (body.type != BodyType::dynamic ||
            island_quiet[islands.root(static_cast<std::uint32_t>(i + 1))] < data.settings.sleep_time) {
            continue;
        }
        body.sleeping = true;
        body.linear_velocity = body.angular_velocity = Vec3(0.0f);
        set_awake(slot, false);
        rehash(slot);
    }
    commit_awake();
}

} // namespace cairn::physics
