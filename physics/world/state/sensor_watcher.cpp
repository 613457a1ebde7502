#include "physics/world/state/sensor_watcher.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"
#include "physics/query/mesh/mesh_pair.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace cairn::physics {

namespace {

constexpr std::size_t body_block = 4; // bodies with sensors

bool before(const SensorOverlap& a, const SensorOverlap& b) {
    const auto order = [](const SensorOverlap& one) { // slots are taken again by other bodies
        return std::tuple(one.sensor.index, one.sensor.generation, one.sensor_shape, one.body.index,
                          one.body.generation, one.shape);
    };
    return order(a) < order(b);
}

void list_inside(const WorldData& data, std::uint32_t slot, std::vector<SensorOverlap>& out) {
    const BodyStore& bodies = data.bodies;
    const BodyKind& kind = bodies.kind(slot);
    out.clear();
    for (const std::uint32_t place : kind.sensors) {
        const Shape& sensor = *kind.parts[place].shape;
        const Transform pose = compose(bodies[slot].pose, kind.parts[place].pose);
        data.broadphase.query(bounds(sensor, pose), [&](std::uint32_t index) {
            const ShapeRecord& other = bodies.shapes[index];
            const bool may_meet =
                other.body != slot &&
                (bodies[slot].type != BodyType::fixed || bodies[other.body].type != BodyType::fixed) &&
                !held_apart(bodies, data.joints, slot, other.body);
            if (may_meet && overlap_any(sensor, pose, *other.shape, bodies.shape_pose(other))) {
                out.push_back({bodies.id(slot), bodies.id(other.body), place, bodies.place_of(index)});
            }
        });
    }
    std::sort(out.begin(), out.end(), before);
}

} // namespace

void SensorWatcher::list(Executor& executor, const WorldData& data) {
    const std::vector<std::uint32_t>& slots = data.bodies.with_sensors;
    if (found_.size() < slots.size()) {
        found_.resize(slots.size());
    }
    parallel_for(executor, slots.size(), body_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            list_inside(data, slots[i], found_[i]);
        }
    });
    events_.inside.clear();
    for (std::size_t i = 0; i < slots.size(); ++i) {
        events_.inside.insert(events_.inside.end(), found_[i].begin(), found_[i].end());
    }
}

void SensorWatcher::find(Executor& executor, const WorldData& data) {
    if (data.bodies.with_sensors.empty() && events_.inside.empty() && events_.ended.empty() && gone_.empty()) {
        return;
    }
    before_.swap(events_.inside);
    list(executor, data);
    const auto difference = [](const std::vector<SensorOverlap>& from, const std::vector<SensorOverlap>& without,
                               std::vector<SensorOverlap>& out) {
        out.clear();
        std::set_difference(from.begin(), from.end(), without.begin(), without.end(), std::back_inserter(out), before);
    };
    difference(events_.inside, before_, events_.begun);
    difference(before_, events_.inside, events_.ended);
    if (!gone_.empty()) {
        events_.ended.insert(events_.ended.end(), gone_.begin(), gone_.end());
        std::sort(events_.ended.begin(), events_.ended.end(), before);
        gone_.clear();
    }
}

void SensorWatcher::forget(Executor& executor, const WorldData& data) {
    events_.begun.clear();
    events_.ended.clear();
    gone_.clear();
    list(executor, data);
}

void SensorWatcher::renumber(BodyId body, std::span<const std::uint32_t> places) {
    std::erase_if(events_.inside, [&](SensorOverlap& one) {
        std::uint32_t* const shape = one.sensor == body ? &one.sensor_shape : one.body == body ? &one.shape : nullptr;
        if (shape != nullptr && places[*shape] == no_index) {
            gone_.push_back(one);
            return true;
        }
        if (shape != nullptr) {
            *shape = places[*shape];
        }
        return false;
    });
    std::sort(events_.inside.begin(), events_.inside.end(), before);
}

std::size_t SensorWatcher::memory_bytes() const {
    std::size_t bytes = bytes_of(events_.begun) + bytes_of(events_.ended) + bytes_of(events_.inside) +
                        bytes_of(before_) + bytes_of(found_) + bytes_of(gone_);
    for (const std::vector<SensorOverlap>& found : found_) {
        bytes += bytes_of(found);
    }
    return bytes;
}

} // namespace cairn::physics
