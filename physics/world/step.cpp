// One step of the world, stage by stage.
#include "physics/base/executor_loop.h"
#include "physics/base/hash.h"
#include "physics/narrowphase/contact_update.h"
#include "physics/world/limits.h"
#include "physics/world/world_state.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace cairn::physics {

namespace {

constexpr std::size_t contact_block = 32;
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
    world.hash_contacts();
    world.fall_asleep();
    world.hash_bodies();
    ++world.data.step;
    world.data.time += 1.0 / static_cast<double>(world.data.settings.hz);
    clock.charge(times.finish);
}

// Pairs of shapes whose bounds came to overlap become contacts.
void World::Impl::find_pairs() {
    data.broadphase.find_new_pairs(run_on(), new_pairs);
    for (const PairKey key : new_pairs) {
        const std::uint32_t body_a = data.shapes[first_of(key)].body;
        const std::uint32_t body_b = data.shapes[second_of(key)].body;
        const bool dynamic =
            data.bodies[body_a].type == BodyType::dynamic || data.bodies[body_b].type == BodyType::dynamic;
        if (body_a == body_b || !dynamic || data.contacts.exists(key) || data.held_apart(body_a, body_b)) {
            continue;
        }
        const std::uint32_t slot = data.contacts.create(key, body_a, body_b);
        data.contacts.set_active(slot, data.bodies[body_a].awake || data.bodies[body_b].awake);
    }
    data.contacts.commit();
}

// Manifolds of all active contacts. A moving body that touches a sleeping one wakes it, which makes more contacts
// active: these are brought up to date in further rounds.
void World::Impl::update_contacts() {
    const float dt = data.settings.dt();
    const std::span<const std::uint32_t> active = data.contacts.active();
    pending_contacts.assign(active.begin(), active.end());
    while (!pending_contacts.empty()) {
        apart.assign(pending_contacts.size(), 0);
        parallel_for(run_on(), pending_contacts.size(), contact_block, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                Contact& contact = data.contacts[pending_contacts[i]];
                const ShapeRecord& a = data.shapes[contact.shape_a];
                const ShapeRecord& b = data.shapes[contact.shape_b];
                if (!overlaps(a.reach, b.reach)) {
                    clear_manifold(contact);
                    apart[i] = data.broadphase.fat_overlap(contact.shape_a, contact.shape_b) ? 0 : 1;
                    continue;
                }
                const BodyRecord& body_a = data.bodies[a.body];
                const BodyRecord& body_b = data.bodies[b.body];
                update_contact(contact, {a.shape, shape_pose(a), body_a.pose.position, &body_a.material},
                               {b.shape, shape_pose(b), body_b.pose.position, &body_b.material}, a.margin + b.margin,
                               dt);
            }
        });
        for (std::size_t i = 0; i < pending_contacts.size(); ++i) {
            const std::uint32_t slot = pending_contacts[i];
            const Contact& contact = data.contacts[slot];
            if (apart[i] != 0) {
                data.contact_hash_sum -= contact.hash;
                data.contacts.destroy(slot);
            } else if (contact.touching()) {
                for (const std::uint32_t body : {contact.body_a, contact.body_b}) {
                    if (data.bodies[body].sleeping) {
                        wake(body);
                    }
                }
            }
        }
        commit_awake();
        pending_contacts.assign(data.contacts.activated().begin(), data.contacts.activated().end());
    }
}

// Sets of dynamic bodies connected by touching contacts; they fall asleep together.
void World::Impl::build_islands() {
    motion_of_body.resize(data.bodies.size(), 0);
    for (std::size_t i = 0; i < data.awake.size(); ++i) {
        motion_of_body[data.awake[i]] = static_cast<std::uint32_t>(i + 1);
    }
    islands.reset(data.awake.size() + 1);
    touching.clear();
    for (const std::uint32_t slot : data.contacts.active()) {
        const Contact& contact = data.contacts[slot];
        if (!contact.touching()) {
            continue;
        }
        const BodyRecord& a = data.bodies[contact.body_a];
        const BodyRecord& b = data.bodies[contact.body_b];
        const RowBodies rows{a.awake ? motion_of_body[contact.body_a] : 0u,
                             b.awake ? motion_of_body[contact.body_b] : 0u};
        touching.push_back({slot, rows});
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
            const BodyRecord& body = data.bodies[data.awake[i]];
            BodyMotion& motion = motions[i + 1];
            motion = BodyMotion{};
            motion.linear_velocity = body.linear_velocity;
            motion.angular_velocity = body.angular_velocity;
            motion.inverse_mass = body.inverse_mass;
            BodyDynamics& cold = dynamics[i + 1];
            cold.start_orientation = body.pose.orientation;
            cold.inertia_local = body.inertia_local;
            cold.inverse_inertia_local = body.inverse_inertia_local;
            cold.inverse_inertia = rotated(body.inverse_inertia_local, body.pose.orientation);
            cold.linear_damping = body.linear_damping;
            cold.angular_damping = body.angular_damping;
            cold.gravity_scale = body.gravity_scale;
            cold.gyroscopic = body.gyroscopic;
            cold.spin_limited = body.bounding_radius > 1.001f * body.inner_radius;
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
            data.reports.push_back("body " + std::to_string(slot) + " (" + body.model->def.name +
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
        const BodyRecord& body = data.bodies[slot];
        for (std::uint32_t s = body.first_shape; s < body.first_shape + body.shape_count; ++s) {
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
        const auto motion = static_cast<std::uint32_t>(i + 1);
        if (body.type != BodyType::dynamic) {
            continue;
        }
        // What is pushed out of another body moves without having a speed.
        const float moved = glm::length(body.pose.position - step_starts[slot].position) / dt;
        const float speed = std::max(moved, glm::length(body.linear_velocity) +
                                                glm::length(body.angular_velocity) * body.bounding_radius);
        const bool held = data.grab.active && data.grab.grab.body.index == slot;
        body.quiet_time = speed < data.settings.sleep_speed && !held ? body.quiet_time + dt : 0.0f;
        const std::uint32_t root = islands.root(motion);
        island_count += root == motion ? 1 : 0;
        const float quiet = body.can_sleep && data.settings.sleeping ? body.quiet_time : 0.0f;
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

void World::Impl::rehash_contact(std::uint32_t slot) {
    Contact& contact = data.contacts[slot];
    data.contact_hash_sum -= contact.hash;
    contact.hash = 0;
    if (contact.touching()) {
        Hasher hasher(contact.key);
        for (int i = 0; i < contact.count; ++i) {
            const ContactPoint& point = contact.points[static_cast<std::size_t>(i)];
            hasher.add(point.feature, static_cast<std::uint32_t>(i)).add(point.separation, point.normal_impulse);
            hasher.add(point.friction_impulse).add(point.take_up, 0.0f);
        }
        hasher.add(contact.rolling_impulse).add(contact.column, 0.0f);
        hasher.add(std::uint32_t(contact.fineness), std::uint32_t(contact.settling));
        contact.hash = hasher.value();
    }
    data.contact_hash_sum += contact.hash;
}

void World::Impl::hash_contacts() {
    for (const std::uint32_t slot : data.awake) {
        data.bodies[slot].touching = false;
    }
    for (const std::uint32_t slot : data.contacts.active()) {
        rehash_contact(slot);
        const Contact& contact = data.contacts[slot];
        for (int i = 0; i < contact.count; ++i) {
            if (contact.points[static_cast<std::size_t>(i)].separation <= data.settings.linear_slop) {
                for (BodyRecord* body : {&data.bodies[contact.body_a], &data.bodies[contact.body_b]}) {
                    rest_revision += !body->awake && !body->touching ? 1 : 0;
                    body->touching = true;
                }
            }
        }
    }
    data.stats.pairs = static_cast<std::uint32_t>(data.contacts.size());
    data.stats.colours = static_cast<std::uint32_t>(solver.used_colours());
}

void World::Impl::hash_bodies() {
    for (const std::uint32_t slot : data.awake) {
        rehash(slot);
    }
    data.stats.awake = static_cast<std::uint32_t>(data.awake.size());
}

} // namespace cairn::physics
