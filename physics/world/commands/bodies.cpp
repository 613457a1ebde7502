// Creating and removing bodies.
#include "physics/base/executor_loop.h"
#include "physics/world/contacts/reach.h"
#include "physics/world/engine/world_impl.h"
#include "physics/world/parameters/validation.h"
#include "physics/world/state/load_changes.h"

#include <algorithm>
#include <atomic>

namespace cairn::physics {

CommandResult World::Impl::create(const BodyDef& def) {
    if (std::string problem = problem_with(def); !problem.empty()) {
        return refused(std::move(problem));
    }
    auto found = kinds.get(def);
    if (std::string* problem = std::get_if<std::string>(&found)) {
        return refused(std::move(*problem));
    }
    const auto& kind = std::get<std::shared_ptr<const BodyKind>>(found);
    const std::uint32_t slot = data.bodies.add(def, kind, kinds.named(kind, def.name, def.colour));
    fit_reach(data.settings, data.bodies, slot);
    const std::uint32_t first = data.bodies.cold[slot].first_shape, count = data.bodies.cold[slot].shape_count;
    for (std::uint32_t i = first; i < first + count; ++i) {
        data.broadphase.add(i, data.bodies.shapes[i].reach, def.type != BodyType::fixed);
    }
    data.waking().refresh(slot);
    if (!data.bodies[slot].awake) {
        data.waking().wake_around(slot, data.broadphase);
    }
    data.bodies.rehash(slot);
    ++data.revision;
    return {std::string(), data.bodies.id(slot)};
}

void World::Impl::destroy(std::uint32_t slot) {
    data.waking().wake_neighbours(slot);
    LoadChanges(data).release(slot);
    while (!data.joints.of(slot).empty()) {
        const std::uint32_t joint = data.joints.of(slot).back();
        if (data.joints[joint].def->ignore_within > 1) { // others may be free to collide again
            part(joint);
        } else {
            data.joints.remove(joint);
        }
    }
    const std::span<const std::uint32_t> listed = data.contacts.of_body(slot);
    const std::vector<std::uint32_t> contacts(listed.begin(), listed.end());
    for (const std::uint32_t pair : contacts) {
        data.contacts.destroy(pair);
    }
    const ColdBody& cold = data.bodies.cold[slot];
    for (std::uint32_t i = 0; i < cold.shape_count; ++i) {
        data.broadphase.remove(cold.first_shape + i);
    }
    if (data.grab.active && data.grab.grab.body.index == slot) {
        data.grab = GrabRecord{};
    }
    std::erase_if(data.forces, [slot](const PendingForce& force) { return force.slot == slot; });
    data.waking().set_awake(slot, false);
    data.bodies.remove(slot);
    ++data.revision;
}

std::uint64_t World::Impl::hash_of_bodies() const {
    constexpr std::size_t block = 512;
    std::atomic<std::uint64_t> sum = data.bodies.resting_hash; // the order of a sum that wraps round does not matter
    const auto add_up = [&](std::size_t count, auto&& hash_at) {
        parallel_for(run_on(), count, block, [&](std::size_t begin, std::size_t end) {
            std::uint64_t part = 0;
            for (std::size_t i = begin; i < end; ++i) {
                part += hash_at(i);
            }
            sum.fetch_add(part, std::memory_order_relaxed);
        });
    };
    if (data.awake.listed()) {
        add_up(data.awake.size(), [&](std::size_t i) { return data.bodies.hash_of(data.awake[i]); });
    } else { // commands leave the list to the next step
        add_up(data.bodies.size(), [&](std::size_t i) {
            const auto slot = static_cast<std::uint32_t>(i);
            return data.bodies[slot].awake ? data.bodies.hash_of(slot) : 0;
        });
    }
    return sum;
}

} // namespace cairn::physics
