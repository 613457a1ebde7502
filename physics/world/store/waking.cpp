#include "physics/world/store/waking.h"

namespace cairn::physics {

void Waking::set_awake(std::uint32_t slot, bool awake) {
    BodyRecord& body = bodies_[slot];
    if (body.awake == awake) {
        return;
    }
    body.awake = awake;
    ++bodies_.resting_revision;
    if (awake) {
        awake_.woke(slot);
    } else {
        awake_.slept();
    }
    for (const std::uint32_t index : contacts_.of_body(slot)) {
        const ShapePair& pair = contacts_.pair(index);
        contacts_.set_active(index, bodies_[pair.body_a].awake || bodies_[pair.body_b].awake);
    }
}

void Waking::commit() {
    awake_.commit(bodies_);
    contacts_.commit();
}

void Waking::wake(std::uint32_t slot) {
    std::vector<std::uint32_t>& stack = awake_.stack();
    stack.push_back(slot);
    while (!stack.empty()) {
        const std::uint32_t next = stack.back();
        stack.pop_back();
        BodyRecord& body = bodies_[next];
        if (body.type != BodyType::dynamic) {
            continue;
        }
        const bool had_rested = body.sleep_timer != 0.0f;
        body.sleep_timer = 0.0f;
        if (!body.sleeping) {
            if (had_rested) {
                bodies_.rehash(next);
            }
            continue;
        }
        body.sleeping = false;
        set_awake(next, true);
        bodies_.rehash(next);
        for (const std::uint32_t index : contacts_.of_body(next)) {
            const ShapePair& pair = contacts_.pair(index);
            const std::uint32_t other = pair.body_a == next ? pair.body_b : pair.body_a;
            if (pair.touching() && bodies_[other].sleeping) {
                stack.push_back(other);
            }
        }
        for (const std::uint32_t joint : joints_.of(next)) {
            for (const BodyId id : {joints_[joint].def->body_a, joints_[joint].def->body_b}) {
                if (id && bodies_[id.index].sleeping) {
                    stack.push_back(id.index);
                }
            }
        }
    }
}

void Waking::wake_neighbours(std::uint32_t slot) {
    for (const std::uint32_t index : contacts_.of_body(slot)) {
        const ShapePair& pair = contacts_.pair(index);
        if (pair.touching()) {
            wake(pair.body_a == slot ? pair.body_b : pair.body_a);
        }
    }
    for (const std::uint32_t joint : joints_.of(slot)) {
        wake_both(*joints_[joint].def);
    }
}

void Waking::wake_both(const JointDef& def) {
    for (const BodyId id : {def.body_a, def.body_b}) {
        if (id) {
            wake(id.index);
        }
    }
}

void Waking::wake_around(std::uint32_t slot, const Broadphase& broadphase) {
    for (const ShapeRecord& shape : bodies_.shapes_of(slot)) {
        broadphase.query(shape.reach, [this](std::uint32_t other) { wake(bodies_.shapes[other].body); });
    }
}

void Waking::fall_asleep(std::uint32_t slot) {
    BodyRecord& body = bodies_[slot];
    body.sleeping = true;
    body.linear_velocity = body.angular_velocity = Vec3(0.0f);
    set_awake(slot, false);
    bodies_.rehash(slot);
}

} // namespace cairn::physics
