// One step of the world, stage by stage: see docs/how/step.md.
#include "physics/base/default_floats.h"
#include "physics/world/contacts/reach.h"
#include "physics/world/engine/world_impl.h"
#include "physics/world/state/load_changes.h"

#include <algorithm>
#include <chrono>
#include <vector>

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

// Of a body whose motion was not finite: what made it so would start the next solve, and no step would be finite again.
void forget_impulses(WorldData& data, std::uint32_t slot) {
    for (const std::uint32_t index : data.contacts.of_body(slot)) {
        if (!data.contacts.pair(index).touching()) {
            continue;
        }
        Contact& contact = data.contacts[data.contacts.pair(index).contact];
        contact.rolling_impulse = Vec3(0.0f);
        contact.tolerance = 0.0f; // examined anew
        for (ContactPoint& point : data.contacts.points(contact)) {
            point.normal_impulse = point.preload = 0.0f;
            point.friction_impulse = Vec3(0.0f);
        }
        for (StepImpulse& impulse : data.contacts.step_impulses(contact)) {
            impulse = StepImpulse{};
        }
    }
    for (const std::uint32_t index : data.joints.of(slot)) {
        JointRecord& joint = data.joints[index];
        joint.impulses = JointImpulses{};
        joint.force = joint.torque = Vec3(0.0f);
        joint.position = is_finite(joint.position) ? joint.position : 0.0f;
        data.joints.rehash(index);
    }
    if (data.grab.active && data.grab.grab.body.index == slot) {
        data.grab.impulse = Vec3(0.0f);
    }
}

} // namespace

void World::step() {
    const DefaultFloats floats;
    Impl& w = *impl_;
    WorldData& data = w.data;
    constexpr std::size_t worth_waking = 256; // bodies
    if (data.awake.size() >= worth_waking) {
        w.run_on().rouse();
    }
    LoadChanges(data).take_effect();
    data.report.clear();
    w.contact_watcher.begin_step();
    w.publisher.begin_step();
    const Settings whole = data.settings;
    data.settings = data.short_steps.settings(whole);
    for (int i = 0; i < data.short_steps.count; ++i) {
        data.report.begun = static_cast<float>(i) * data.settings.dt();
        w.take_short_step(data.short_steps.at(i, whole));
    }
    data.settings = whole;
    ++data.step;
    data.time += 1.0 / static_cast<double>(whole.hz);
    w.adapt_short_steps();
}

void World::Impl::take_short_step(const ShortStep& short_step) {
    Impl& w = *this;
    Executor& executor = run_on();
    auto& [settings, step, time, revision, bodies, awake, broadphase, contacts, joints, grab, forces, pending_loads,
           substeps, short_steps, report] = data;
    StageTimes& times = report.stats.times;
    StageClock clock;

    w.data.waking().commit();
    w.partition.update(executor, bodies, awake, w.narrowphase.sides());
    w.new_pairs.find(executor, awake, joints, bodies, broadphase, contacts);
    clock.charge(times.broadphase);
    w.find_contacts();
    w.internal_edges.drop(executor, settings, bodies, w.narrowphase.at_fixed(), contacts, w.narrowphase.sides());
    w.new_pairs.disentangle(awake, w.partition, w.narrowphase.sides(), bodies, broadphase);
    clock.charge(times.narrowphase);
    w.partition.update_if_woken(executor, bodies, awake, w.narrowphase.sides());
    w.acting.list(bodies, awake, joints, revision);
    w.islands.build(executor, bodies, w.partition, contacts.touching(), w.narrowphase.sides(), joints,
                    w.acting.slots());
    clock.charge(times.islands);
    w.motions.gather(executor, bodies, w.partition);
    w.mass_scaling.begin({settings, bodies, w.partition, w.islands, contacts, joints, w.acting.slots().slots, grab},
                         w.motions.motions(), w.motions.dynamics());
    w.motions.add_forces(forces, w.partition);
    if (short_step.last()) {
        forces.clear();
    }
    w.substeps.choose({executor, settings, step, short_step, bodies, awake, w.partition, w.islands, contacts, joints,
                       grab, w.motions.motions(), w.motions.dynamics(), w.acting.slots(), pending_loads.grounds},
                      substeps);
    w.parallel_contacts.find(bodies, w.narrowphase.sides(), contacts);
    w.substeps.add_inertia({settings.dt(), bodies, w.partition, w.islands}, substeps.loaded, w.motions.motions(),
                           w.motions.dynamics());
    pending_loads.grounds.clear();
    w.contact_watcher.note_approaches(w.data);
    bodies.forget_placed();
    w.solve(short_step);
    w.mass_scaling.end(settings, w.motions.motions(), w.motions.dynamics());
    w.motions.move(executor, settings, broadphase, w.partition, awake, grab, bodies);
    for (const std::uint32_t slot : w.motions.rejected()) {
        forget_impulses(w.data, slot);
        if (std::ranges::find(report.stopped, bodies.id(slot)) == report.stopped.end()) {
            report.stopped.push_back(bodies.id(slot));
        }
    }
    clock.charge(times.solver);
    w.follow_fast_bodies();
    clock.charge(times.continuous);
    refit_leaves(bodies, broadphase, w.motions.escaped());
    clock.charge(times.broadphase);
    w.contact_watcher.find(w.data);
    if (short_step.last()) {
        w.sensor_watcher.find(executor, w.data);
        w.touch_marks.mark(executor, w.partition, w.narrowphase.sides(), bodies);
    }
    w.fall_asleep();
    w.break_joints();
    w.report_counts();
    clock.charge(times.finish);
}

// Contacts of all active pairs. A moving body that touches a sleeping one wakes it, which makes more pairs active:
// these are brought up to date in further rounds.
void World::Impl::find_contacts() {
    const Narrowphase::World world{run_on(), data.settings, data.bodies, partition, data.broadphase, data.contacts};
    narrowphase.begin_step(world);
    if (narrowphase.find_mesh_faces(world, data.contacts.active())) {
        data.contacts.commit();
    }
    const auto update = [&](std::span<ActivePair> pairs) {
        for (const std::uint32_t body : narrowphase.update(world, pairs)) {
            data.waking().wake(body);
        }
    };
    update(data.contacts.active());
    ++data.bodies.trace_epoch;
    data.waking().commit();
    bool several = false;
    std::vector<ActivePair> woken; // seldom any
    while (!data.contacts.activated().empty()) {
        woken.assign(data.contacts.activated().begin(), data.contacts.activated().end());
        if (narrowphase.find_mesh_faces(world, woken)) { // further faces, whose pairs come last by their keys
            data.contacts.commit();
            woken.insert(woken.end(), data.contacts.activated().begin(), data.contacts.activated().end());
            std::sort(woken.begin(), woken.end(), [this](const ActivePair& x, const ActivePair& y) {
                return data.contacts.pair(x.slot).key < data.contacts.pair(y.slot).key;
            });
        }
        update(woken);
        data.waking().commit();
        data.contacts.list_touching();
        several = true;
    }
    if (several) {
        narrowphase.read_sides(world);
    }
}

void World::Impl::solve(const ShortStep& short_step) {
    const Settings& settings = data.settings;
    SolverInput input;
    input.gravity = settings.gravity;
    input.step = settings.dt();
    input.substeps = settings.substeps;
    input.contact_hertz = settings.contact_hertz;
    input.contact_damping_ratio = settings.contact_damping_ratio;
    input.max_push_speed = settings.max_push_speed;
    input.restitution_threshold = settings.restitution_threshold;
    input.warm_starting = settings.warm_starting;
    input.joint_hertz = settings.joint_hertz;
    input.joint_damping_ratio = settings.joint_damping_ratio;
    input.class_of_motion = substeps.class_of_motion();
    input.classes = substeps.classes();
    input.plain_substeps = short_step.plain_substeps;
    input.backward = (data.step + static_cast<std::uint64_t>(short_step.place)) % 2 == 1;
    input.regions = &partition.regions();
    input.colour_of_contact = publisher.colours(data.contacts.contact_slots());
    data.joints.leave_unhashed(acting.slots().slots);
    const ActingJoints::Input joined{settings, short_step,        data.bodies,       partition,
                                     substeps, motions.motions(), motions.dynamics()};
    const std::span<JointInput> rows = acting.gather(run_on(), joined, data.joints, data.grab);
    solver.run(run_on(), input, motions.motions(), motions.dynamics(), islands.touching(), data.contacts, rows,
               islands.roots());
    acting.store(run_on(), joined, data.joints, data.grab);
    data.report.stats.spin_limited += solver.spin_limited();
}

// Bodies that were hit while they slept join the awake ones when the step is over.
void World::Impl::follow_fast_bodies() {
    fast_bodies.follow({run_on(), data.settings, data.awake, data.contacts, data.joints, data.grab, partition, islands,
                        substeps, data.bodies, data.broadphase, motions},
                       narrowphase.foreseen(), internal_edges.at_slopes(), data.report);
    publisher.note_sweeps(data.bodies, fast_bodies, motions);
    for (const std::uint32_t slot : fast_bodies.hit_sleepers()) {
        data.waking().wake(slot);
        reposition(data.settings, data.bodies, data.broadphase, slot);
        data.bodies.rehash(slot);
    }
}

// An island sleeps when all of it has rested for long enough.
void World::Impl::fall_asleep() {
    if (!data.settings.sleeping) {
        return;
    }
    if (motions.any_sleep_candidate()) { // seldom
        for (const std::uint32_t slot :
             islands.to_sleep(data.bodies, data.awake, partition, data.joints, acting.slots(), data.settings)) {
            data.waking().fall_asleep(slot);
        }
    }
    data.waking().commit();
}

void World::Impl::report_counts() {
    StepStats& stats = data.report.stats;
    stats.awake = static_cast<std::uint32_t>(data.awake.size());
    stats.pairs = static_cast<std::uint32_t>(data.contacts.size());
    stats.islands = islands.count();
    stats.colours = static_cast<std::uint32_t>(solver.used_colours());
    stats.batches = static_cast<std::uint32_t>(solver.batches());
    stats.joints_swept = static_cast<std::uint32_t>(solver.joints_swept());
    stats.short_steps = data.short_steps.count;
    stats.finest_substeps =
        std::max(stats.finest_substeps,
                 data.short_steps.count * static_cast<std::uint32_t>(substeps.finest(data.settings.substeps)));
}

void World::Impl::adapt_short_steps() {
    const auto count = static_cast<float>(data.short_steps.count);
    if (data.short_steps.count > 1) { // readers want what a step's forces come to
        for (const std::uint32_t index : data.contacts.touching()) {
            for (StepImpulse& impulse : data.contacts.step_impulses(data.contacts[index])) {
                impulse.normal *= count;
                impulse.friction *= count;
            }
        }
    }
    const StepStats& stats = data.report.stats;
    if (data.short_steps.adapt(stats.time_given_up, stats.continuous_hits - stats.held, data.awake.size(),
                               data.settings)) {
        const Settings next = data.short_steps.settings(data.settings);
        for (const std::uint32_t slot : data.awake) { // they will come further, or less far
            refit(next, data.bodies, data.broadphase, slot);
        }
    }
}

} // namespace cairn::physics
