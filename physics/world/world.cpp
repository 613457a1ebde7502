#include "physics/world/world.h"

#include "physics/base/hash.h"
#include "physics/world/validation.h"
#include "physics/world/world_state.h"

#include <algorithm>

namespace cairn::physics {

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
    hasher.add(data.body_hash_sum).add(data.contact_hash_sum).add(s.gravity).add(s.hz, s.contact_hertz);
    hasher.add(static_cast<std::uint32_t>(s.substeps),
               (s.sleeping ? 1u : 0u) | (s.continuous ? 2u : 0u) | (s.warm_starting ? 4u : 0u));
    hasher.add(s.contact_damping_ratio, s.max_push_speed).add(s.restitution_threshold, s.linear_slop);
    hasher.add(s.speculative_distance, s.sleep_speed).add(s.sleep_time, 0.0f);
    if (data.grab.active) {
        const Grab& grab = data.grab.grab;
        hasher.add(grab.body.index, grab.body.generation).add(grab.local_point, grab.target).add(data.grab.impulse);
        hasher.add(grab.hertz, grab.damping_ratio).add(grab.max_acceleration, 0.0f);
    }
    return hasher.value();
}

std::size_t World::body_count() const {
    return impl_->data.bodies.size() - impl_->data.free_bodies.size();
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
    const BodyRecord* record = impl_->find(body);
    return record != nullptr ? record->model : nullptr;
}

namespace {

BodyState state_of(std::uint32_t slot, const BodyRecord& body) {
    return {{slot, body.generation}, body.pose, body.linear_velocity, body.angular_velocity, body.type, body.sleeping,
            body.touching,           body.hash};
}

void publish_contact(const Contact& contact, const WorldData& data, FrameState& frame) {
    const BodyRecord& a = data.bodies[contact.body_a];
    const BodyRecord& b = data.bodies[contact.body_b];
    for (int i = 0; i < contact.count; ++i) {
        const ContactPoint& point = contact.points[static_cast<std::size_t>(i)];
        ContactState state;
        state.body_a = {contact.body_a, a.generation};
        state.body_b = {contact.body_b, b.generation};
        state.point = point.point;
        state.normal = contact.normal;
        state.separation = point.separation;
        state.normal_impulse = point.step_normal_impulse;
        state.friction_impulse = point.step_friction_impulse;
        state.feature = point.feature;
        state.age = point.age;
        frame.contacts.push_back(state);
        frame.stats.max_penetration = std::max(frame.stats.max_penetration, -point.separation);
    }
}

double kinetic_energy(const BodyRecord& body) {
    const Vec3 local = inverse_rotate(body.pose.orientation, body.angular_velocity);
    const double linear = glm::dot(glm::dvec3(body.linear_velocity), glm::dvec3(body.linear_velocity));
    const double angular = glm::dot(glm::dvec3(local), glm::dvec3(body.inertia_local * local));
    return 0.5 * (linear / static_cast<double>(body.inverse_mass) + angular);
}

} // namespace

std::optional<BodyState> World::state(BodyId id) const {
    const BodyRecord* body = impl_->find(id);
    return body != nullptr ? std::optional(state_of(id.index, *body)) : std::nullopt;
}

void World::publish(FrameState& frame) const {
    const WorldData& data = impl_->data;
    frame.step = data.step;
    frame.time = data.time;
    frame.hash = hash();
    frame.settings = data.settings;
    frame.stats = data.stats;
    frame.reports = data.reports;
    frame.bodies.clear();
    const bool models_changed = frame.revision != data.revision || frame.models.size() != body_count();
    if (models_changed) {
        frame.models.clear();
        frame.revision = data.revision;
    }
    const glm::dvec3 gravity(data.settings.gravity);
    for (std::uint32_t slot = 0; slot < data.bodies.size(); ++slot) {
        const BodyRecord& body = data.bodies[slot];
        if (!body.alive) {
            continue;
        }
        frame.bodies.push_back(state_of(slot, body));
        if (models_changed) {
            frame.models.push_back(body.model);
        }
        if (body.type == BodyType::dynamic) {
            const double mass = static_cast<double>(body.model->mass);
            frame.stats.kinetic_energy += kinetic_energy(body);
            frame.stats.potential_energy -=
                mass * static_cast<double>(body.gravity_scale) * glm::dot(gravity, glm::dvec3(body.pose.position));
        }
    }
    frame.contacts.clear();
    std::uint32_t touching = 0;
    impl_->data.contacts.for_each([&](const Contact& contact) {
        touching += contact.touching() ? 1 : 0;
        publish_contact(contact, data, frame);
    });
    frame.stats.bodies = static_cast<std::uint32_t>(frame.bodies.size());
    frame.stats.contacts = touching;
    frame.stats.contact_points = static_cast<std::uint32_t>(frame.contacts.size());
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
        const ShapeRecord& shape = data.shapes[index];
        const RayCast hit = cairn::physics::ray_cast(*shape.shape, impl_->shape_pose(shape), ray);
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

std::shared_ptr<const Snapshot> World::snapshot() const {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->data = impl_->data;
    return snapshot;
}

void World::restore(const Snapshot& snapshot) {
    const std::uint64_t revision = impl_->data.revision;
    impl_->data = snapshot.data;
    impl_->data.revision = std::max(revision, snapshot.data.revision) + 1; // readers must fetch the models anew
}

} // namespace cairn::physics
