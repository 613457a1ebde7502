// One step of the world, stage by stage; the stages over bodies but for their motion.
#include "physics/base/executor_loop.h"
#include "physics/world/world_state.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace cairn::physics {

namespace {

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
    WorldData& data = world.data;
    data.stopped.clear();
    data.breaks.clear();
    data.stats = StepStats{};
    StageTimes& times = data.stats.times;
    StageClock clock;
    constexpr std::size_t worth_waking = 256; // bodies
    if (data.awake.size() >= worth_waking) {
        world.run_on().rouse();
    }

    data.waking().commit();
    world.partition.update(world.run_on(), data.bodies, data.awake, world.touching_sides);
    world.find_pairs();
    clock.charge(times.broadphase);
    world.update_contacts();
    world.drop_seams();
    world.disentangle();
    clock.charge(times.narrowphase);
    if (!world.partition.up_to_date(data.awake)) { // some have just been woken
        world.partition.update(world.run_on(), data.bodies, data.awake, world.touching_sides);
    }
    world.acting.list(data.bodies, data.awake, data.joints);
    world.islands.build(world.run_on(), data.bodies, world.partition, data.contacts.touching(), world.touching_sides,
                        data.joints, world.acting.slots());
    clock.charge(times.islands);
    world.substeps.choose({data.settings, data.step, data.bodies, data.awake, world.partition, world.islands,
                           data.contacts, data.joints, world.acting.slots()},
                          data.substeps);
    data.bodies.forget_placed();
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
    data.stats.awake = static_cast<std::uint32_t>(data.awake.size());
    ++data.step;
    data.time += 1.0 / static_cast<double>(data.settings.hz);
    clock.charge(times.finish);
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
    input.pace_of_motion = substeps.pace_of_motion();
    input.paces = substeps.paces();
    input.backward = data.step % 2 == 1;
    input.regions = &partition.regions();
    colour_of_contact.clear();
    if (watched.colours) {
        colour_of_contact.resize(data.contacts.contact_slots(), FrameState::no_colour);
        input.colour_of_contact = colour_of_contact;
    }
    data.joints.leave_unhashed(acting.slots());
    const std::span<JointRows> joint_rows =
        acting.gather(run_on(), {data.settings, data.bodies, partition, substeps, motions, dynamics, kinds.any_locks()},
                      data.joints, data.grab);
    solver.run(run_on(), input, motions, dynamics, islands.touching(), data.contacts, joint_rows, islands.roots());
    acting.store(run_on(), data.settings, substeps, data.joints, data.grab);
    data.stats.spin_limited = solver.spin_limited();
    data.stats.batches = static_cast<std::uint32_t>(solver.batches());
    data.stats.joints_swept = static_cast<std::uint32_t>(solver.joints_swept());
    data.stats.finest_substeps = static_cast<std::uint32_t>(substeps.finest(data.settings.substeps));
    data.stats.islands = islands.count();
}

// An island sleeps when all of it has rested for long enough.
void World::Impl::fall_asleep() {
    if (!data.settings.sleeping) {
        return;
    }
    if (any_tired) { // seldom; else all islands have a body that is not
        for (const std::uint32_t slot :
             islands.to_sleep(data.bodies, data.awake, partition, data.joints, acting.slots(), data.settings)) {
            data.waking().fall_asleep(slot);
        }
    }
    data.waking().commit();
}

} // namespace cairn::physics
