// Who is awake: waking, and the lists that follow from it.
#include "physics/world/world_state.h"

#include <algorithm>
#include <iterator>

namespace cairn::physics {

bool World::Impl::moves(std::uint32_t slot) const {
    const BodyRecord& body = data.bodies[slot];
    switch (body.type) {
    case BodyType::fixed:
        return false;
    case BodyType::kinematic: // one that stands still must not keep what rests on it awake
        return body.linear_velocity != Vec3(0.0f) || body.angular_velocity != Vec3(0.0f);
    case BodyType::dynamic:
        return !body.sleeping;
    }
    return false;
}

void World::Impl::refresh_contact_activity(std::uint32_t slot) {
    for (const std::uint32_t index : data.contacts.of_body(slot)) {
        const ShapePair& contact = data.contacts.pair(index);
        data.contacts.set_active(index, data.bodies[contact.body_a].awake || data.bodies[contact.body_b].awake);
    }
}

void World::Impl::set_awake(std::uint32_t slot, bool awake) {
    BodyRecord& body = data.bodies[slot];
    if (body.awake == awake) {
        return;
    }
    body.awake = awake;
    ++rest_revision;
    if (awake) {
        data.newly_awake.push_back(slot);
    } else {
        data.slept = true;
        if (slot < motion_of_body.size()) {
            motion_of_body[slot] = 0;
            region_of_body[slot] = no_region;
        }
    }
    refresh_contact_activity(slot);
}

void World::Impl::commit_awake() {
    if (data.slept || !data.newly_awake.empty()) {
        ++awake_version;
    }
    if (data.slept) {
        std::erase_if(data.awake, [this](std::uint32_t slot) { return !data.bodies[slot].awake; });
        data.slept = false;
    }
    if (!data.newly_awake.empty()) {
        std::vector<std::uint32_t>& fresh = data.newly_awake;
        std::erase_if(fresh, [this](std::uint32_t slot) { return !data.bodies[slot].awake; });
        std::sort(fresh.begin(), fresh.end());
        // One that slept and woke again since the last time stands twice.
        fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
        merged_awake.clear();
        std::set_union(data.awake.begin(), data.awake.end(), fresh.begin(), fresh.end(),
                       std::back_inserter(merged_awake));
        data.awake.swap(merged_awake);
        fresh.clear();
    }
    data.contacts.commit();
}

void World::Impl::wake(std::uint32_t slot) {
    wake_stack.push_back(slot);
    while (!wake_stack.empty()) {
        const std::uint32_t next = wake_stack.back();
        wake_stack.pop_back();
        BodyRecord& body = data.bodies[next];
        if (body.type != BodyType::dynamic) {
            continue;
        }
        const bool was_quiet = body.quiet_time != 0.0f;
        body.quiet_time = 0.0f;
        if (!body.sleeping) {
            if (was_quiet) {
                rehash(next);
            }
            continue;
        }
        body.sleeping = false;
        set_awake(next, true);
        rehash(next);
        for (const std::uint32_t index : data.contacts.of_body(next)) {
            const ShapePair& contact = data.contacts.pair(index);
            const std::uint32_t other = contact.body_a == next ? contact.body_b : contact.body_a;
            if (contact.touching() && data.bodies[other].sleeping) {
                wake_stack.push_back(other);
            }
        }
        for (const std::uint32_t joint : data.joints_of(next)) {
            for (const BodyId id : {data.joints[joint].def->body_a, data.joints[joint].def->body_b}) {
                if (id && data.bodies[id.index].sleeping) {
                    wake_stack.push_back(id.index);
                }
            }
        }
    }
}

void World::Impl::wake_neighbours(std::uint32_t slot) {
    for (const std::uint32_t index : data.contacts.of_body(slot)) {
        const ShapePair& contact = data.contacts.pair(index);
        if (contact.touching()) {
            wake(contact.body_a == slot ? contact.body_b : contact.body_a);
        }
    }
    wake_joined(slot);
}

void World::Impl::wake_around(std::uint32_t slot) {
    const ColdBody& cold = data.cold[slot];
    for (std::uint32_t i = cold.first_shape; i < cold.first_shape + cold.shape_count; ++i) {
        data.broadphase.query(data.shapes[i].reach, [&](std::uint32_t other) { wake(data.shapes[other].body); });
    }
}

} // namespace cairn::physics
