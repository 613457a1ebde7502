#include "physics/world/world.h"

#include "physics/base/hash.h"
#include "physics/world/validation.h"
#include "physics/world/world_state.h"

#include <algorithm>
#include <atomic>

namespace cairn::physics {

std::uint64_t World::Impl::next_source() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

World::World(const Settings& settings, Executor* executor) : impl_(std::make_unique<Impl>()) {
    impl_->executor = executor;
    if (problem_with(settings).empty()) {
        impl_->data.settings = settings;
    }
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
    if (data.joints.count() > 0) {
        hasher.add(data.joints.hash_sum()).add(s.joint_hertz, s.joint_damping_ratio);
    }
    if (data.grab.active) {
        const Grab& grab = data.grab.grab;
        hasher.add(grab.body.index, grab.body.generation).add(grab.local_point, grab.target).add(data.grab.impulse);
        hasher.add(grab.hertz, grab.damping_ratio).add(grab.max_acceleration, 0.0f);
    }
    return hasher.value();
}

const std::vector<BodyId>& World::stopped() const {
    return impl_->data.stopped;
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
    return record != nullptr ? impl_->data.bodies.cold[body.index].kind : nullptr;
}

namespace {

BodyState state_of(std::uint32_t slot, const BodyRecord& body) {
    return {{slot, body.generation}, body.pose,    body.linear_velocity, body.angular_velocity, body.type,
            body.sleeping,           body.touching};
}

void publish_contact(const Contact& contact, const WorldData& data, std::vector<ContactState>& out, float& deepest) {
    if (contact.meets_at > 0.0f) { // an impact, and told as one
        return;
    }
    const BodyRecord& a = data.bodies[contact.body_a];
    const BodyRecord& b = data.bodies[contact.body_b];
    const std::span<const ContactPoint> points = data.contacts.points(contact);
    const std::span<const StepImpulse> impulses = data.contacts.step_impulses(contact);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const ContactPoint& point = points[i];
        ContactState state;
        state.body_a = {contact.body_a, a.generation};
        state.body_b = {contact.body_b, b.generation};
        state.point = contact.world(point);
        state.normal = contact.normal;
        state.separation = point.separation;
        state.normal_impulse = impulses[i].normal;
        state.friction_impulse = impulses[i].friction;
        state.feature = point.feature;
        state.age = contact.ages[i];
        state.opens = i == 0;
        out.push_back(state);
        deepest = std::max(deepest, -point.separation);
    }
}

double kinetic_energy(const BodyRecord& body, const BodyKind& kind) {
    const Vec3 local = inverse_rotate(body.pose.orientation, body.angular_velocity);
    const double linear = glm::dot(glm::dvec3(body.linear_velocity), glm::dvec3(body.linear_velocity));
    const double angular = glm::dot(glm::dvec3(local), glm::dvec3(kind.inertia_local * local));
    return 0.5 * (linear / static_cast<double>(kind.inverse_mass) + angular);
}

void add_energy(const BodyRecord& body, const BodyKind& kind, const Vec3& gravity, double& kinetic, double& potential) {
    if (body.type == BodyType::dynamic) {
        kinetic += kinetic_energy(body, kind);
        potential -= static_cast<double>(kind.mass) * static_cast<double>(kind.def.gravity_scale) *
                     glm::dot(glm::dvec3(gravity), glm::dvec3(body.pose.position));
    }
}

void publish_all_bodies(const WorldData& data, FrameState& frame) {
    frame.bodies.clear();
    frame.models.clear();
    frame.revision = data.revision;
    for (std::uint32_t slot = 0; slot < data.bodies.size(); ++slot) {
        const BodyRecord& body = data.bodies[slot];
        if (!body.alive) {
            continue;
        }
        frame.bodies.push_back(state_of(slot, body));
        frame.models.push_back(data.bodies.cold[slot].kind);
        add_energy(body, data.bodies.kind(slot), data.settings.gravity, frame.stats.kinetic_energy,
                   body.awake ? frame.stats.potential_energy : frame.resting.potential_energy);
    }
}

void publish_awake_bodies(const WorldData& data, FrameState& frame) {
    auto at = frame.bodies.begin();
    for (const std::uint32_t slot : data.awake) {
        const BodyRecord& body = data.bodies[slot];
        if (at->id.index != slot) { // mostly it is the next one
            at = std::lower_bound(at, frame.bodies.end(), slot,
                                  [](const BodyState& state, std::uint32_t wanted) { return state.id.index < wanted; });
        }
        *at++ = state_of(slot, body);
        add_energy(body, data.bodies.kind(slot), data.settings.gravity, frame.stats.kinetic_energy,
                   frame.stats.potential_energy);
    }
}

void publish_tree(const Broadphase& broadphase, std::vector<TreeBoxState>& out) {
    broadphase.for_each_box([&](const Aabb& box, std::uint16_t depth, bool leaf, bool moving) {
        out.push_back({box, depth, leaf, moving});
    });
}

} // namespace

std::optional<BodyState> World::state(BodyId id) const {
    const BodyRecord* body = impl_->data.bodies.find(id);
    if (body == nullptr) {
        return std::nullopt;
    }
    BodyState state = state_of(id.index, *body);
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
    impl_->watched = details;
    if (!details.sweeps) {
        impl_->sweeps.clear();
    }
    if (!details.colours) {
        impl_->colour_of_contact.clear();
    }
}

void World::publish(FrameState& frame) const {
    const WorldData& data = impl_->data;
    frame.step = data.step;
    frame.time = data.time;
    frame.hash = hash();
    frame.settings = data.settings;
    frame.stats = data.stats;
    frame.stopped = data.stopped;
    frame.impacts = data.impacts;
    frame.breaks = data.breaks;

    // Those at rest are written once, and again only when one of them has changed. A world of 100,000 sleeping bodies
    // would else copy some 50 MB a frame. Commands leave the lists of the awake to the next step; until then
    // everything is written.
    FrameState::Resting& resting = frame.resting;
    const bool listed = data.awake.listed();
    const bool known = listed && resting.source == impl_->source && resting.revision == data.bodies.resting_revision &&
                       frame.revision == data.revision && frame.bodies.size() == body_count();
    if (known) {
        publish_awake_bodies(data, frame);
        frame.contacts.resize(resting.contacts);
    } else {
        resting = {};
        publish_all_bodies(data, frame);
        frame.contacts.clear();
        data.contacts.for_each([&](const Contact& contact) {
            if (!(listed && data.contacts.active(contact))) {
                ++resting.touching;
                publish_contact(contact, data, frame.contacts, resting.max_penetration);
            }
        });
        if (listed) {
            resting.source = impl_->source;
            resting.revision = data.bodies.resting_revision;
            resting.contacts = frame.contacts.size();
        }
    }
    frame.stats.potential_energy += resting.potential_energy;
    frame.stats.max_penetration = resting.max_penetration;
    frame.stats.contacts = resting.touching;
    frame.contact_colours.clear();
    const bool coloured = impl_->watched.colours;
    if (listed) {
        const std::vector<std::uint8_t>& colours = impl_->colour_of_contact;
        for (const std::uint32_t index : data.contacts.touching()) {
            const Contact& contact = data.contacts[index];
            if (data.contacts.active(contact)) {
                if (coloured) { // up to here, and what rests, has none
                    frame.contact_colours.resize(frame.contacts.size(), FrameState::no_colour);
                    frame.contact_colours.resize(frame.contacts.size() + contact.count,
                                                 index < colours.size() ? colours[index] : FrameState::no_colour);
                }
                ++frame.stats.contacts;
                publish_contact(contact, data, frame.contacts, frame.stats.max_penetration);
            }
        }
    }
    if (coloured) {
        frame.contact_colours.resize(frame.contacts.size(), FrameState::no_colour);
    }
    frame.tree.clear();
    if (impl_->watched.tree) {
        publish_tree(data.broadphase, frame.tree);
    }
    frame.sweeps.clear();
    if (impl_->watched.sweeps) {
        frame.sweeps = impl_->sweeps;
    }
    frame.stats.bodies = static_cast<std::uint32_t>(frame.bodies.size());
    frame.stats.contact_points = static_cast<std::uint32_t>(frame.contacts.size());
    impl_->publish_joints(frame);
    frame.grab = {};
    if (data.grab.active) {
        const BodyRecord& body = data.bodies[data.grab.grab.body.index];
        frame.grab = {true, data.grab.grab.body, to_world(body.pose, data.grab.grab.local_point),
                      data.grab.grab.target};
    }
}

std::optional<WorldRayHit> World::ray_cast(const Ray& ray) const {
    const WorldData& data = impl_->data;
    std::optional<WorldRayHit> best;
    float limit = ray.max_distance;
    data.broadphase.ray_query(ray, [&](std::uint32_t index) {
        const ShapeRecord& shape = data.bodies.shapes[index];
        const RayCast hit = cairn::physics::ray_cast(*shape.shape, impl_->data.bodies.shape_pose(shape), ray);
        const bool nearer = hit && (!best || hit->distance < best->hit.distance ||
                                    (hit->distance == best->hit.distance && shape.body < best->body.index));
        if (nearer) {
            best = WorldRayHit{{shape.body, data.bodies[shape.body].generation}, *hit};
            limit = hit->distance;
        }
        return limit;
    });
    return best;
}

void World::Impl::settle_in() {
    source = next_source();
    sweeps.clear();
    colour_of_contact.clear();
    partition.forget();
}

std::shared_ptr<const Snapshot> World::snapshot() const {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->data = impl_->data;
    return snapshot;
}

void World::restore(const Snapshot& snapshot) {
    const std::uint64_t revision = impl_->data.revision;
    impl_->data = snapshot.data;
    impl_->settle_in();
    impl_->data.revision = std::max(revision, snapshot.data.revision) + 1; // readers must fetch the models anew
}

} // namespace cairn::physics
