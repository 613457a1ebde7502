#include "physics/world/world.h"

#include "physics/base/hash.h"
#include "physics/world/contacts/reach.h"
#include "physics/world/engine/world_impl.h"
#include "physics/world/parameters/validation.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace cairn::physics {

World::World(const Settings& settings, Executor* executor, MeshOrders* orders) : impl_(std::make_unique<Impl>()) {
    impl_->executor = executor;
    impl_->kinds.build_on(executor, orders);
    if (const std::string problem = problem_with(settings); !problem.empty()) {
        throw std::invalid_argument("settings of a world: " + problem);
    }
    impl_->data.settings = settings;
}

World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

const Settings& World::settings() const {
    return impl_->data.settings;
}
std::uint64_t World::step_count() const {
    return impl_->data.step;
}

std::uint64_t World::hash() const {
    const WorldData& data = impl_->data;
    const Settings& s = data.settings;
    Hasher hasher(data.step);
    hasher.add(impl_->hash_of_bodies()).add(data.contacts.hash_sum()).add(data.substeps.hash());
    hasher.add(s.gravity).add(s.hz, s.contact_hertz);
    hasher.add(static_cast<std::uint32_t>(s.substeps),
               (s.sleeping ? 1u : 0u) | (s.continuous ? 2u : 0u) | (s.warm_starting ? 4u : 0u));
    hasher.add(s.contact_damping_ratio, s.max_push_speed).add(s.restitution_threshold, s.linear_slop);
    hasher.add(s.speculative_distance, s.sleep_speed).add(s.sleep_time, static_cast<float>(s.max_substeps));
    if (s.max_short_steps != Settings().max_short_steps) {
        hasher.add(static_cast<std::uint32_t>(s.max_short_steps), 0u);
    }
    if (data.short_steps != ShortSteps{}) {
        hasher.add(std::uint32_t{data.short_steps.count}, std::uint32_t{data.short_steps.calm_steps});
    }
    if (data.joints.count() > 0) {
        hasher.add(data.joints.hash_sum()).add(s.joint_hertz, s.joint_damping_ratio);
    }
    if (data.grab.active) {
        const Grab& grab = data.grab.grab;
        hasher.add(grab.body.index, grab.body.generation).add(grab.local_point, grab.target).add(data.grab.impulse);
        hasher.add(grab.hertz, grab.damping_ratio).add(grab.max_acceleration, 0.0f);
    }
    for (const PendingForce& push : data.forces) { // none between a step and the next command
        hasher.add(std::uint32_t{push.slot}, 0u).add(push.force, push.torque);
    }
    for (const PendingLoads::Change& change : data.pending_loads.changes) { // the same
        hasher.add(change.body.index, change.body.generation).add(change.upwards ? 1u : 0u, 0u);
        hasher.add(change.impulse).add(change.heavier, 0.0f);
    }
    if (const std::optional<Settings>& last = data.pending_loads.settings) {
        hasher.add(last->gravity)
            .add(last->hz, last->contact_hertz)
            .add(static_cast<std::uint32_t>(last->substeps), 0u);
    }
    for (const ChangedGround& ground : data.pending_loads.grounds) {
        hasher.add(ground.body.index, ground.body.generation).add(ground.velocity, ground.spin);
    }
    return hasher.value();
}

const std::vector<BodyId>& World::stopped() const {
    return impl_->data.report.stopped;
}

std::size_t World::body_count() const {
    return impl_->data.bodies.count();
}

std::vector<BodyId> World::body_ids() const {
    std::vector<BodyId> ids;
    ids.reserve(body_count());
    for (std::uint32_t slot = 0; slot < impl_->data.bodies.size(); ++slot) {
        if (impl_->data.bodies[slot].alive) {
            ids.push_back({slot, impl_->data.bodies[slot].generation});
        }
    }
    return ids;
}

std::shared_ptr<const BodyModel> World::model(BodyId body) const {
    const BodyRecord* record = impl_->data.bodies.find(body);
    return record != nullptr ? impl_->data.bodies.cold[body.index].model : nullptr;
}

std::optional<BodyState> World::state(BodyId id) const {
    const BodyRecord* body = impl_->data.bodies.find(id);
    if (body == nullptr) {
        return std::nullopt;
    }
    BodyState state = state_of(impl_->data.bodies, id.index);
    state.hash = impl_->data.bodies.hash_of(id.index);
    return state;
}

std::shared_ptr<const JointDef> World::joint(JointId id) const {
    const JointRecord* joint = impl_->data.joints.find(id);
    return joint != nullptr ? joint->def : nullptr;
}

std::vector<JointId> World::joints_of(BodyId body) const {
    std::vector<JointId> ids;
    if (impl_->data.bodies.find(body) != nullptr) {
        for (const std::uint32_t slot : impl_->data.joints.of(body.index)) {
            ids.push_back({slot, impl_->data.joints[slot].generation});
        }
        std::sort(ids.begin(), ids.end(), [](JointId a, JointId b) { return a.index < b.index; });
    }
    return ids;
}

void World::watch(const FrameDetails& details) {
    impl_->publisher.watch(details);
}

void World::watch_contacts(const ContactWatch& watch) {
    impl_->contact_watcher.watch(watch, impl_->data);
}

const ContactEvents& World::contact_events() const {
    return impl_->contact_watcher.events();
}

const SensorEvents& World::sensor_events() const {
    return impl_->sensor_watcher.events();
}

std::vector<WorldShape> World::inside_sensor(BodyId body, std::uint32_t shape) const {
    std::vector<WorldShape> found;
    for (const SensorOverlap& one : sensor_events().inside) {
        if (one.sensor == body && one.sensor_shape == shape) {
            found.push_back({one.body, one.shape});
        }
    }
    return found;
}

void World::set_contact_filter(ContactFilter filter) {
    WorldData& data = impl_->data;
    data.bodies.contact_filter = std::move(filter);
    for (std::uint32_t slot = 0; slot < data.bodies.size(); ++slot) {
        if (data.bodies[slot].alive) {
            data.waking().wake(slot);
            impl_->end_ignored_contacts(slot);
            reposition(data.settings, data.bodies, data.broadphase, slot);
            data.bodies.rehash(slot);
        }
    }
}

void World::set_user_data(BodyId body, std::uint64_t value) {
    if (impl_->data.bodies.find(body) != nullptr) {
        impl_->data.bodies.cold[body.index].user_data = value;
    }
}

std::uint64_t World::user_data(BodyId body) const {
    return impl_->data.bodies.find(body) != nullptr ? impl_->data.bodies.cold[body.index].user_data : 0;
}

void World::publish(FrameState& frame) const {
    impl_->publisher.publish(impl_->run_on(), impl_->data, impl_->publisher.watched().hash ? hash() : 0, frame);
    frame.inside = sensor_events().inside;
}

void World::Impl::forget_scratch() {
    partition.forget();
    publisher.forget();
    contact_watcher.forget(data);
    sensor_watcher.forget(run_on(), data);
}

std::shared_ptr<const Snapshot> World::snapshot() const {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->data = impl_->data;
    return snapshot;
}

void World::restore(const Snapshot& snapshot) {
    const std::uint64_t revision = impl_->data.revision;
    ContactFilter filter = std::move(impl_->data.bodies.contact_filter);
    impl_->data = snapshot.data;
    impl_->data.bodies.contact_filter = std::move(filter);
    impl_->forget_scratch();
    impl_->data.revision = std::max(revision, snapshot.data.revision) + 1; // readers must fetch the models anew
}

} // namespace cairn::physics
