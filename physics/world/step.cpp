// One step of the world, stage by stage; the stages over bodies but for their motion.
#include "physics/base/executor_loop.h"
#include "physics/world/world_state.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace cairn::physics {

namespace {

constexpr std::size_t touching_block = 2048;

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

} // namespace

void World::step() {
    Impl& world = *impl_;
    world.data.stopped.clear();
    world.data.breaks.clear();
    world.data.stats = StepStats{};
    StageTimes& times = world.data.stats.times;
    StageClock clock;
    constexpr std::size_t worth_waking = 256; // bodies
    if (world.data.awake.size() >= worth_waking) {
        world.run_on().rouse();
    }

    world.commit_awake();
    world.divide_bodies();
    world.find_pairs();
    clock.charge(times.broadphase);
    world.update_contacts();
    world.drop_seams();
    world.disentangle();
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
    world.break_joints();
    world.data.stats.awake = static_cast<std::uint32_t>(world.data.awake.size());
    ++world.data.step;
    world.data.time += 1.0 / static_cast<double>(world.data.settings.hz);
    clock.charge(times.finish);
}

// Sets of dynamic bodies connected by touching contacts; they fall asleep together.
void World::Impl::build_islands() {
    if (numbered_awake != awake_version) { // some have just been woken
        divide_bodies();
    }
    driven.resize(data.awake.size() + 1);
    driven[0] = 0;
    for_bodies(run_on(), regions, [&](std::uint32_t motion) {
        const std::uint8_t drives = data.bodies[slot_of_motion[motion]].type == BodyType::kinematic ? 1 : 0;
        if (driven[motion] != drives) {
            driven[motion] = drives;
        }
    });
    islands.reset(data.awake.size() + 1);
    const std::span<const std::uint32_t> contacts = data.contacts.touching();
    touching.resize(contacts.size());
    parallel_for(run_on(), contacts.size(), touching_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Sides& sides = touching_sides[i];
            touching[i] = {contacts[i], {motion_of_body[sides.body_a], motion_of_body[sides.body_b]}};
        }
    });
    for (const Solver::TouchingContact& contact : touching) {
        const auto [a, b] = contact.bodies;
        if (a != 0 && b != 0 && driven[a] == 0 && driven[b] == 0) {
            islands.unite(a, b);
        }
    }
    join_islands();
    // What is fixed, and what drives others, belong to none.
    const auto alone = 1 + std::count(driven.begin(), driven.end(), std::uint8_t{1});
    data.stats.islands = static_cast<std::uint32_t>(islands.sets() - static_cast<std::size_t>(alone));
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
    input.regions = &regions;
    colour_of_contact.clear();
    if (watched.colours) {
        colour_of_contact.resize(data.contacts.contact_slots(), FrameState::no_colour);
        input.colour_of_contact = colour_of_contact;
    }
    gather_joints();
    root_of_motion.resize(motions.size());
    for (std::uint32_t i = 0; i < motions.size(); ++i) {
        root_of_motion[i] = islands.root(i);
    }
    solver.run(run_on(), input, motions, dynamics, touching, data.contacts, joint_rows, root_of_motion);
    store_joints();
    data.stats.spin_limited = solver.spin_limited();
    data.stats.batches = static_cast<std::uint32_t>(solver.batches());
    data.stats.joints_swept = static_cast<std::uint32_t>(solver.joints_swept());
    data.stats.finest_substeps = static_cast<std::uint32_t>(data.settings.substeps);
    for (const Pace& pace : paces) {
        data.stats.finest_substeps = std::max(data.stats.finest_substeps, static_cast<std::uint32_t>(pace.substeps));
    }
}

// An island sleeps when all of it has been quiet for long enough.
void World::Impl::fall_asleep() {
    if (!data.settings.sleeping) {
        return;
    }
    if (!any_tired) { // most steps, and all islands have one who is not
        commit_awake();
        return;
    }
    island_quiet.assign(data.awake.size() + 1, std::numeric_limits<float>::max());
    for (std::uint32_t motion = 1; motion <= data.awake.size(); ++motion) {
        if (driven[motion] == 0) {
            float& quiet = island_quiet[islands.root(motion)];
            quiet = std::min(quiet, time_at_rest(slot_of_motion[motion]));
        }
    }
    disturb_islands();
    // What touches a moving kinematic body stays awake.
    for (const Solver::TouchingContact& contact : touching) {
        if (driven[contact.bodies.a] != 0) {
            island_quiet[islands.root(contact.bodies.b)] = 0.0f;
        }
        if (driven[contact.bodies.b] != 0) {
            island_quiet[islands.root(contact.bodies.a)] = 0.0f;
        }
    }
    for (const std::uint32_t slot : data.awake) {
        const std::uint32_t motion = motion_of_body[slot];
        if (driven[motion] != 0 || island_quiet[islands.root(motion)] < data.settings.sleep_time) {
            continue;
        }
        BodyRecord& body = data.bodies[slot];
        body.sleeping = true;
        body.linear_velocity = body.angular_velocity = Vec3(0.0f);
        set_awake(slot, false);
        rehash(slot);
    }
    commit_awake();
}

} // namespace cairn::physics
