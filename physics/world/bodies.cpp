// Making, placing and removing bodies.
#include "physics/base/hash.h"
#include "physics/geometry/mass_properties.h"
#include "physics/world/validation.h"
#include "physics/world/world_state.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::physics {

namespace {

// How far the moments may differ, relatively, for the tensor still to count as a multiple of the identity.
constexpr float isotropy_tolerance = 1e-4f;

bool is_isotropic(const Mat3& inertia) {
    const float mean = (inertia[0][0] + inertia[1][1] + inertia[2][2]) / 3.0f;
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) {
            const float wanted = column == row ? mean : 0.0f;
            if (std::abs(inertia[column][row] - wanted) > isotropy_tolerance * mean) {
                return false;
            }
        }
    }
    return true;
}

// A unit quaternion to the last bits; one that is unit already keeps its bits, so that a written scene reads back the
// same.
Quat unit(const Quat& q) {
    const float length2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return std::abs(length2 - 1.0f) <= 4e-7f ? q : normalized(q);
}

CommandResult refused(std::string why) {
    return {std::move(why), BodyId{}};
}

} // namespace

BodyRecord* World::Impl::find(BodyId id) {
    if (id.index >= data.bodies.size()) {
        return nullptr;
    }
    BodyRecord& body = data.bodies[id.index];
    return body.alive && body.generation == id.generation ? &body : nullptr;
}

const BodyRecord* World::Impl::find(BodyId id) const {
    return const_cast<Impl*>(this)->find(id);
}

Transform World::Impl::shape_pose(const ShapeRecord& shape) const {
    return compose(data.bodies[shape.body].pose, shape.pose);
}

// A contact may be made ahead of touching by as much as the shape can move within a step, so that the solver stops it
// at the surface and not a part of its path inside. The share of the inner radius bounds the gap, because the normal of
// a distant contact is a guess about where the bodies will touch. What moves further is left to conservative
// advancement, which knows when it arrives: a contact made ahead would hold it at the surface for the rest of the step.
void World::Impl::refresh_reach(std::uint32_t slot) {
    BodyRecord& body = data.bodies[slot];
    const float dt = data.settings.dt();
    const float travel = body.awake ? body.surface_travel(dt * body.linear_velocity, dt * body.angular_velocity) : 0.0f;
    const bool swept = data.settings.continuous && body.type == BodyType::dynamic;
    const auto margin = [&](float inner_radius) {
        const float most = fast_share * inner_radius;
        return swept && travel > most ? 0.5f * data.settings.linear_slop
                                      : 0.5f * data.settings.speculative_distance + std::min(travel, most);
    };
    body.margin = margin(body.inner_radius);
    for (std::uint32_t i = body.first_shape; i < body.first_shape + body.shape_count; ++i) {
        ShapeRecord& shape = data.shapes[i];
        shape.margin = margin(shape.shape->inner_radius);
        shape.reach = grown(bounds(*shape.shape, shape_pose(shape)), shape.margin);
    }
}

CommandResult World::Impl::create(const BodyDef& def) {
    if (std::string problem = problem_with(def); !problem.empty()) {
        return refused(std::move(problem));
    }
    auto model = std::make_shared<BodyModel>();
    model->def = def;
    std::vector<PlacedShape> placed;
    for (std::size_t i = 0; i < def.shapes.size(); ++i) {
        auto shape = shapes.get(def.shapes[i].geometry);
        if (const ShapeError* error = std::get_if<ShapeError>(&shape)) {
            const std::string which = def.shapes.size() > 1 ? "shape " + std::to_string(i) + ": " : std::string();
            return refused(which + error->reason);
        }
        BodyModel::Part part;
        part.shape = std::get<std::shared_ptr<const Shape>>(shape);
        // Where the centroid of the shape lies in the author's frame: point sets need not be centred there.
        part.pose = {to_world(def.shapes[i].pose, part.shape->author_offset), unit(def.shapes[i].pose.orientation)};
        if (def.shapes.size() == 1) { // a single shape is shifted onto the body's origin
            part.pose.position = Vec3(0.0f);
        }
        placed.push_back({part.shape.get(), part.pose});
        model->parts.push_back(std::move(part));
    }
    if (def.shapes.size() > 1) {
        const Vec3 centre = mass_properties(placed, def.density).centre;
        for (BodyModel::Part& part : model->parts) {
            part.pose.position -= centre;
        }
    }
    if (!assign_mass(*model)) {
        return refused("mass or inertia is out of range; change the size, mass or density");
    }

    std::uint32_t slot = 0;
    if (data.free_bodies.empty()) {
        slot = static_cast<std::uint32_t>(data.bodies.size());
        data.bodies.emplace_back();
    } else {
        slot = data.free_bodies.back();
        data.free_bodies.pop_back();
    }
    const auto count = static_cast<std::uint32_t>(model->parts.size());
    std::uint32_t first = 0;
    std::vector<std::uint32_t>& runs = data.free_shape_runs[count];
    if (runs.empty()) {
        first = static_cast<std::uint32_t>(data.shapes.size());
        data.shapes.resize(data.shapes.size() + count);
    } else {
        first = runs.back();
        runs.pop_back();
    }

    BodyRecord& body = data.bodies[slot];
    const std::uint32_t generation = body.generation;
    body = BodyRecord{};
    body.generation = generation;
    body.alive = true;
    body.type = def.type;
    body.can_sleep = def.can_sleep;
    body.material = def.material;
    body.pose = {def.pose.position, unit(def.pose.orientation)};
    if (def.type != BodyType::fixed) {
        body.linear_velocity = def.linear_velocity;
        body.angular_velocity = def.angular_velocity;
    }
    body.linear_damping = def.linear_damping;
    body.angular_damping = def.angular_damping;
    body.gravity_scale = def.gravity_scale;
    body.model = std::move(model);
    body.first_shape = first;
    body.shape_count = count;
    refresh_mass(body);
    for (std::uint32_t i = 0; i < count; ++i) {
        const BodyModel::Part& part = body.model->parts[i];
        ShapeRecord& shape = data.shapes[first + i];
        shape = {part.shape.get(), part.pose, slot, 0.0f, {}};
    }
    refresh_reach(slot);
    for (std::uint32_t i = first; i < first + count; ++i) {
        data.broadphase.add(i, data.shapes[i].reach, def.type != BodyType::fixed);
    }
    if (def.type == BodyType::dynamic && body.linear_velocity == Vec3(0.0f) && body.angular_velocity == Vec3(0.0f)) {
        body.placed = true;
        data.placed.push_back(slot);
    }
    set_awake(slot, moves(slot));
    if (!body.awake) {
        wake_around(slot);
    }
    rehash(slot);
    ++data.revision;
    return {std::string(), BodyId{slot, generation}};
}

// Mass and inertia from the model's parts and definition; zero unless dynamic. False if they are out of range.
bool World::Impl::assign_mass(BodyModel& model) {
    model.mass = 0.0f;
    model.inertia = Mat3(0.0f);
    if (model.def.type != BodyType::dynamic) {
        return true;
    }
    std::vector<PlacedShape> placed;
    for (const BodyModel::Part& part : model.parts) {
        placed.push_back({part.shape.get(), part.pose});
    }
    const MassProperties properties = mass_properties(placed, model.def.density);
    const float scale = model.def.mass ? *model.def.mass / properties.mass : 1.0f;
    model.mass = properties.mass * scale;
    model.inertia = properties.inertia * scale;
    if (model.def.inertia) {
        for (int axis = 0; axis < 3; ++axis) {
            model.inertia[axis] = Vec3(0.0f);
            model.inertia[axis][axis] = (*model.def.inertia)[axis];
        }
    }
    return model.mass > 0.0f && is_finite(model.mass) && inverse_inertia(model.inertia) != Mat3(0.0f);
}

void World::Impl::refresh_mass(BodyRecord& body) {
    const BodyModel& model = *body.model;
    body.inverse_mass = 0.0f;
    body.inertia_local = body.inverse_inertia_local = SymmetricMat3{};
    body.gyroscopic = false;
    if (body.type == BodyType::dynamic) {
        body.inverse_mass = 1.0f / model.mass;
        body.inertia_local = symmetric(model.inertia);
        body.inverse_inertia_local = symmetric(inverse_inertia(model.inertia));
        body.gyroscopic = !is_isotropic(model.inertia);
    }
    body.bounding_radius = 0.0f;
    body.inner_radius = model.parts.front().shape->inner_radius;
    for (const BodyModel::Part& part : model.parts) {
        body.bounding_radius =
            std::max(body.bounding_radius, glm::length(part.pose.position) + part.shape->bounding_radius);
        body.inner_radius = std::min(body.inner_radius, part.shape->inner_radius);
    }
    // The extent of a single shape in any direction lies between the radii of the balls inside and around it, and where
    // it is h, its farthest point lies sqrt(R^2 - h^2) aside, by which a turn lifts it.
    body.lever = body.bounding_radius;
    body.most_lift = 2.0f * body.bounding_radius;
    body.round_axis = Vec3(0.0f);
    if (model.parts.size() == 1) {
        const float outer = body.bounding_radius;
        const float inner = body.inner_radius;
        const ShapeKind kind = model.parts.front().shape->kind;
        body.lever = std::sqrt(std::max(outer * outer - inner * inner, 0.0f));
        body.most_lift = outer - inner;
        if (kind == ShapeKind::capsule || kind == ShapeKind::cylinder || kind == ShapeKind::cone) {
            body.round_axis = rotate(model.parts.front().pose.orientation, Vec3(0, 0, 1));
        }
    }
}

float BodyRecord::surface_travel(const Vec3& way, const Vec3& turn) const {
    float turn2 = glm::dot(turn, turn);
    if (round_axis != Vec3(0.0f)) {
        const float twist = glm::dot(turn, rotate(pose.orientation, round_axis));
        turn2 = std::max(turn2 - twist * twist, 0.0f);
    }
    return glm::length(way) + std::min(lever * std::sqrt(turn2), most_lift);
}

void World::Impl::destroy(std::uint32_t slot) {
    BodyRecord& body = data.bodies[slot];
    wake_neighbours(slot);
    while (!data.joints_of(slot).empty()) {
        destroy_joint(data.joints_of(slot).back());
    }
    const std::span<const std::uint32_t> listed = data.contacts.of_body(slot);
    const std::vector<std::uint32_t> contacts(listed.begin(), listed.end());
    for (const std::uint32_t contact : contacts) {
        data.contact_hash_sum -= data.contacts[contact].hash;
        data.contacts.destroy(contact);
    }
    for (std::uint32_t i = 0; i < body.shape_count; ++i) {
        data.broadphase.remove(body.first_shape + i);
        data.shapes[body.first_shape + i] = ShapeRecord{};
    }
    data.free_shape_runs[body.shape_count].push_back(body.first_shape);
    if (data.grab.active && data.grab.grab.body.index == slot) {
        data.grab = GrabRecord{};
    }
    set_awake(slot, false);
    data.body_hash_sum -= body.hash;
    const std::uint32_t generation = body.generation + 1;
    body = BodyRecord{};
    body.generation = generation;
    data.free_bodies.push_back(slot);
    ++data.revision;
}

void World::Impl::refit(std::uint32_t slot) {
    const BodyRecord& body = data.bodies[slot];
    refresh_reach(slot);
    for (std::uint32_t i = body.first_shape; i < body.first_shape + body.shape_count; ++i) {
        data.broadphase.move(i, data.shapes[i].reach);
    }
}

void World::Impl::place(std::uint32_t slot) {
    refit(slot);
    const BodyRecord& body = data.bodies[slot];
    for (std::uint32_t i = body.first_shape; i < body.first_shape + body.shape_count; ++i) {
        data.broadphase.touch(i);
    }
}

void World::Impl::refresh_shapes_type(std::uint32_t slot) {
    const BodyRecord& body = data.bodies[slot];
    const std::span<const std::uint32_t> listed = data.contacts.of_body(slot);
    const std::vector<std::uint32_t> contacts(listed.begin(), listed.end());
    for (const std::uint32_t contact : contacts) {
        data.contact_hash_sum -= data.contacts[contact].hash;
        data.contacts.destroy(contact);
    }
    for (std::uint32_t i = body.first_shape; i < body.first_shape + body.shape_count; ++i) {
        data.broadphase.remove(i);
        data.broadphase.add(i, data.shapes[i].reach, body.type != BodyType::fixed);
    }
}

// The sum of the single hashes stays right if every change goes through here.
void World::Impl::rehash(std::uint32_t slot) {
    BodyRecord& body = data.bodies[slot];
    data.body_hash_sum -= body.hash;
    body.hash = Hasher(slot)
                    .add(body.generation,
                         static_cast<std::uint32_t>(body.type) | (body.sleeping ? 16u : 0u) | (body.placed ? 32u : 0u))
                    .add(body.pose.position, body.linear_velocity)
                    .add(body.pose.orientation)
                    .add(body.angular_velocity)
                    .add(body.quiet_time, body.inverse_mass)
                    .value();
    data.body_hash_sum += body.hash;
}

} // namespace cairn::physics
