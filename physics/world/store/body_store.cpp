#include "physics/world/store/body_store.h"

#include "physics/base/bytes.h"
#include "physics/base/hash.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace cairn::physics {

bool BodyRecord::moves() const {
    switch (type) {
    case BodyType::fixed:
        return false;
    case BodyType::kinematic:
        return linear_velocity != Vec3(0.0f) || angular_velocity != Vec3(0.0f);
    case BodyType::dynamic:
        return !sleeping;
    }
    return false;
}

BodyRecord* BodyStore::find(BodyId id) {
    if (id.index >= records.size()) {
        return nullptr;
    }
    BodyRecord& body = records[id.index];
    return body.alive && body.generation == id.generation ? &body : nullptr;
}

std::uint32_t BodyStore::add(const BodyDef& def, std::shared_ptr<const BodyKind> kind,
                             std::shared_ptr<const BodyModel> model) {
    std::uint32_t slot = 0;
    if (free.empty()) {
        slot = static_cast<std::uint32_t>(records.size());
        records.emplace_back();
        cold.emplace_back();
        traces.emplace_back();
    } else {
        slot = free.back();
        free.pop_back();
    }
    BodyRecord& body = records[slot];
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
    any_locks = any_locks || def.locks != 0;
    take_shapes(slot, *kind);
    cold[slot].kind = kind;
    cold[slot].model = model ? std::move(model) : std::move(kind);
    if (def.type == BodyType::dynamic) {
        place(slot);
    }
    return slot;
}

void BodyStore::place(std::uint32_t slot) {
    records[slot].placed = true;
    placed.push_back(slot);
}

void BodyStore::take_shapes(std::uint32_t slot, const BodyKind& kind) {
    const std::uint32_t count = kind.collider_count();
    std::uint32_t first = 0;
    if (count > 0) {
        std::vector<std::uint32_t>& runs = free_shape_runs[count];
        if (runs.empty()) {
            first = static_cast<std::uint32_t>(shapes.size());
            shapes.resize(shapes.size() + count);
        } else {
            first = runs.back();
            runs.pop_back();
        }
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        const BodyModel::Part& part = kind.parts[kind.place_of(i)];
        shapes[first + i] = {part.shape.get(), part.pose, slot, 0.0f, {}, part.pose == Transform{}};
    }
    cold[slot].first_shape = first;
    cold[slot].shape_count = count;
    any_meshes = any_meshes || kind.has_mesh;
    const auto listed = std::lower_bound(with_sensors.begin(), with_sensors.end(), slot);
    const bool is_listed = listed != with_sensors.end() && *listed == slot;
    if (is_listed && kind.sensors.empty()) {
        with_sensors.erase(listed);
    } else if (!is_listed && !kind.sensors.empty()) {
        with_sensors.insert(listed, slot);
    }
}

void BodyStore::free_shapes(std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = first; i < first + count; ++i) {
        shapes[i] = ShapeRecord{};
    }
    if (count > 0) {
        free_shape_runs[count].push_back(first);
    }
}

std::pair<std::uint32_t, std::uint32_t> BodyStore::set_shapes(std::uint32_t slot, std::shared_ptr<const BodyKind> kind,
                                                              std::shared_ptr<const BodyModel> model) {
    const std::pair before(cold[slot].first_shape, cold[slot].shape_count);
    take_shapes(slot, *kind);
    cold[slot].kind = std::move(kind);
    cold[slot].model = std::move(model);
    return before;
}

void BodyStore::remove(std::uint32_t slot) {
    assert(slot < records.size() && records[slot].alive && !records[slot].awake);
    BodyRecord& body = records[slot];
    free_shapes(cold[slot].first_shape, cold[slot].shape_count);
    if (!cold[slot].kind->sensors.empty()) {
        with_sensors.erase(std::lower_bound(with_sensors.begin(), with_sensors.end(), slot));
    }
    entangled -= body.entangled ? 1 : 0;
    resting_hash -= cold[slot].hash;
    cold[slot] = ColdBody{};
    const std::uint32_t generation = body.generation + 1;
    body = BodyRecord{};
    body.generation = generation;
    free.push_back(slot);
}

void BodyStore::set_prototype(std::uint32_t slot, std::shared_ptr<const BodyKind> kind,
                              std::shared_ptr<const BodyModel> model) {
    const std::span<ShapeRecord> mine = shapes_of(slot);
    assert(kind->collider_count() == mine.size());
    for (std::uint32_t i = 0; i < mine.size(); ++i) { // the same, but owned by the new prototype
        mine[i].shape = kind->parts[kind->place_of(i)].shape.get();
    }
    records[slot].type = kind->def.type;
    any_locks = any_locks || kind->def.locks != 0;
    cold[slot].kind = std::move(kind);
    cold[slot].model = std::move(model);
}

std::uint64_t BodyStore::hash_of(std::uint32_t slot) const {
    const BodyRecord& body = records[slot];
    assert(body.alive);
    return Hasher(slot)
        .add(body.generation, static_cast<std::uint32_t>(body.type) | (body.sleeping ? 16u : 0u) |
                                  (body.placed ? 32u : 0u) | (body.entangled ? 64u : 0u))
        .add(body.pose.position, body.linear_velocity)
        .add(body.pose.orientation)
        .add(body.angular_velocity)
        .add(body.sleep_timer, kind(slot).inverse_mass)
        .add(traces[slot].rest.bits())
        .value();
}

float BodyStore::surface_speed(std::uint32_t slot, const Vec3& velocity, const Vec3& spin) const {
    return glm::length(velocity) + glm::length(spin) * kind(slot).bounding_radius;
}

void BodyStore::rehash(std::uint32_t slot) {
    resting_hash -= cold[slot].hash;
    cold[slot].hash = records[slot].awake ? 0 : hash_of(slot);
    resting_hash += cold[slot].hash;
}

void BodyStore::set_entangled(std::uint32_t slot, bool entangled_now) {
    BodyRecord& body = records[slot];
    if (body.entangled != entangled_now) {
        body.entangled = entangled_now;
        entangled += entangled_now ? 1u : 0xffffffffu;
        if (!body.awake) {
            rehash(slot);
        }
    }
}

void BodyStore::forget_placed() {
    for (const std::uint32_t slot : placed) {
        records[slot].placed = false;
    }
    placed.clear();
}

void BodyStore::trace_motion(std::uint32_t slot, const Transform& start) {
    const Transform& pose = records[slot].pose;
    BodyTrace& trace = traces[slot];
    trace.epoch = trace_epoch;
    trace.way = pose.position - start.position;
    trace.lift = 0.0f;
    if (pose.orientation != start.orientation) {
        const BodyKind& shared = kind(slot);
        trace.lift =
            shared.surface_travel(start.orientation, Vec3(0.0f), turn_bound(start.orientation, pose.orientation)) +
            turn_rounding * shared.bounding_radius;
    }
}

void BodyStore::lose_track(std::uint32_t slot) {
    traces[slot].epoch = trace_epoch;
    traces[slot].lift = any_lift;
    traces[slot].rest = PositionRest();
    rehash(slot); // of the rest
}

std::size_t BodyStore::memory_bytes() const {
    std::size_t bytes = bytes_of(records) + bytes_of(cold) + bytes_of(shapes) + bytes_of(free) + bytes_of(placed) +
                        bytes_of(with_sensors);
    for (const auto& [length, runs] : free_shape_runs) {
        bytes += bytes_of(runs);
    }
    return bytes;
}

} // namespace cairn::physics
