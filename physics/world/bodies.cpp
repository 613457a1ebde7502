// Making, placing and removing bodies.
#include "physics/base/executor_loop.h"
#include "physics/base/hash.h"
#include "physics/world/validation.h"
#include "physics/world/world_state.h"

#include <algorithm>
#include <atomic>

namespace cairn::physics {

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

CommandResult World::Impl::create(const BodyDef& def) {
    if (std::string problem = problem_with(def); !problem.empty()) {
        return refused(std::move(problem));
    }
    auto found = kinds.get(def);
    if (std::string* problem = std::get_if<std::string>(&found)) {
        return refused(std::move(*problem));
    }
    const auto& kind = std::get<std::shared_ptr<const BodyKind>>(found);

    std::uint32_t slot = 0;
    if (data.free_bodies.empty()) {
        slot = static_cast<std::uint32_t>(data.bodies.size());
        data.bodies.emplace_back();
        data.cold.emplace_back();
        data.traces.emplace_back();
    } else {
        slot = data.free_bodies.back();
        data.free_bodies.pop_back();
    }
    const auto count = static_cast<std::uint32_t>(kind->parts.size());
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
    body.pose = {def.pose.position, unit(def.pose.orientation)};
    if (def.type != BodyType::fixed) {
        body.linear_velocity = def.linear_velocity;
        body.angular_velocity = def.angular_velocity;
    }
    data.cold[slot] = {kind, first, count};
    data.any_meshes = data.any_meshes || kind->has_mesh;
    for (std::uint32_t i = 0; i < count; ++i) {
        const BodyModel::Part& part = kind->parts[i];
        ShapeRecord& shape = data.shapes[first + i];
        shape = {part.shape.get(), part.pose, slot, 0.0f, {}, part.pose == Transform{}};
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

void World::Impl::destroy(std::uint32_t slot) {
    BodyRecord& body = data.bodies[slot];
    ColdBody& cold = data.cold[slot];
    wake_neighbours(slot);
    while (!data.joints_of(slot).empty()) {
        const std::uint32_t joint = data.joints_of(slot).back();
        if (data.joints[joint].def->ignore_within > 1) { // others may be free to collide again
            part(joint);
        } else {
            destroy_joint(joint);
        }
    }
    const std::span<const std::uint32_t> listed = data.contacts.of_body(slot);
    const std::vector<std::uint32_t> contacts(listed.begin(), listed.end());
    for (const std::uint32_t contact : contacts) {
        data.contacts.destroy(contact);
    }
    for (std::uint32_t i = 0; i < cold.shape_count; ++i) {
        data.broadphase.remove(cold.first_shape + i);
        data.shapes[cold.first_shape + i] = ShapeRecord{};
    }
    data.free_shape_runs[cold.shape_count].push_back(cold.first_shape);
    if (data.grab.active && data.grab.grab.body.index == slot) {
        data.grab = GrabRecord{};
    }
    set_awake(slot, false);
    data.entangled -= body.entangled ? 1 : 0;
    data.body_hash_sum -= cold.hash;
    cold = ColdBody{};
    const std::uint32_t generation = body.generation + 1;
    body = BodyRecord{};
    body.generation = generation;
    data.free_bodies.push_back(slot);
    ++data.revision;
}

void World::Impl::refit(std::uint32_t slot) {
    const ColdBody& cold = data.cold[slot];
    refresh_reach(slot);
    for (std::uint32_t i = cold.first_shape; i < cold.first_shape + cold.shape_count; ++i) {
        data.broadphase.move(i, data.shapes[i].reach);
    }
}

void World::Impl::place(std::uint32_t slot) {
    refit(slot);
    lose_track(slot);
    const ColdBody& cold = data.cold[slot];
    for (std::uint32_t i = cold.first_shape; i < cold.first_shape + cold.shape_count; ++i) {
        data.broadphase.touch(i);
    }
}

void World::Impl::refresh_shapes_type(std::uint32_t slot) {
    const ColdBody& cold = data.cold[slot];
    const std::span<const std::uint32_t> listed = data.contacts.of_body(slot);
    const std::vector<std::uint32_t> contacts(listed.begin(), listed.end());
    for (const std::uint32_t contact : contacts) {
        data.contacts.destroy(contact);
    }
    for (std::uint32_t i = cold.first_shape; i < cold.first_shape + cold.shape_count; ++i) {
        data.broadphase.remove(i);
        data.broadphase.add(i, data.shapes[i].reach, data.bodies[slot].type != BodyType::fixed);
    }
}

std::uint64_t World::Impl::hash_of_body(std::uint32_t slot) const {
    const BodyRecord& body = data.bodies[slot];
    return Hasher(slot)
        .add(body.generation, static_cast<std::uint32_t>(body.type) | (body.sleeping ? 16u : 0u) |
                                  (body.placed ? 32u : 0u) | (body.entangled ? 64u : 0u))
        .add(body.pose.position, body.linear_velocity)
        .add(body.pose.orientation)
        .add(body.angular_velocity)
        .add(body.quiet_time, data.kind(slot).inverse_mass)
        .add(data.traces[slot].rest.bits())
        .value();
}

// The sum of the hashes of those at rest stays right if every change goes through here.
void World::Impl::rehash(std::uint32_t slot) {
    ColdBody& cold = data.cold[slot];
    data.body_hash_sum -= cold.hash;
    cold.hash = data.bodies[slot].awake ? 0 : hash_of_body(slot);
    data.body_hash_sum += cold.hash;
}

std::uint64_t World::Impl::hash_of_bodies() const {
    constexpr std::size_t block = 512;
    std::atomic<std::uint64_t> sum = data.body_hash_sum; // the order of a sum that wraps round does not matter
    const auto add_up = [&](std::size_t count, auto&& hash_at) {
        parallel_for(run_on(), count, block, [&](std::size_t begin, std::size_t end) {
            std::uint64_t part = 0;
            for (std::size_t i = begin; i < end; ++i) {
                part += hash_at(i);
            }
            sum.fetch_add(part, std::memory_order_relaxed);
        });
    };
    if (data.newly_awake.empty() && !data.slept) {
        add_up(data.awake.size(), [&](std::size_t i) { return hash_of_body(data.awake[i]); });
    } else { // commands leave the list to the next step
        add_up(data.bodies.size(),
               [&](std::size_t i) { return data.bodies[i].awake ? hash_of_body(static_cast<std::uint32_t>(i)) : 0; });
    }
    return sum;
}

} // namespace cairn::physics
