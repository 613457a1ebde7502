#include "physics/world/contacts/new_pairs.h"

#include "physics/base/bytes.h"
#include "physics/base/growth.h"
#include "physics/world/contacts/reach.h"

#include <algorithm>

namespace cairn::physics {

namespace {

constexpr std::size_t few_pairs = 4096; // room for so many is kept from step to step

// Whether one was spawned inside the other: the inner balls of two dynamic shapes overlap by a tenth before they are a
// pair.
bool is_buried(const BodyStore& bodies, const ShapeRecord& a, const ShapeRecord& b) {
    if (bodies[a.body].type != BodyType::dynamic || bodies[b.body].type != BodyType::dynamic) {
        return false;
    }
    const Vec3 between = bodies.shape_pose(b).position - bodies.shape_pose(a).position;
    const float radii = a.shape->inner_radius + b.shape->inner_radius;
    return glm::dot(between, between) < 0.81f * radii * radii;
}

} // namespace

// Whether an entangled body has as many pairs with others that are entangled as help to separate them.
bool NewPairs::has_enough(const BodyStore& bodies, const ContactPool& contacts, std::uint32_t slot) {
    constexpr std::uint32_t for_shape = 16, uncounted = no_index;
    counts_.resize(bodies.size(), uncounted);
    std::uint32_t& count = counts_[slot];
    if (count == uncounted) {
        counted_.push_back(slot);
        count = 0;
        for (const std::uint32_t index : contacts.of_body(slot)) {
            const ShapePair& pair = contacts.pair(index);
            count += bodies[pair.body_a].entangled && bodies[pair.body_b].entangled ? 1 : 0;
        }
    }
    return count >= for_shape * bodies.cold[slot].shape_count;
}

void NewPairs::forget_counts() {
    for (const std::uint32_t body : counted_) {
        counts_[body] = no_index;
    }
    counted_.clear();
}

// The pairs that entangled bodies did without, and have room for now.
void NewPairs::ask_for_pairs(const AwakeBodies& awake, const BodyStore& bodies, const ContactPool& contacts,
                             Broadphase& broadphase) {
    knows_all_.resize(bodies.size());
    for (std::size_t i = 0; bodies.entangled > 0 && i < awake.size(); ++i) {
        const std::uint32_t slot = awake[i];
        if (bodies[slot].entangled) {
            if (!has_enough(bodies, contacts, slot)) {
                look_for_pairs(bodies, broadphase, slot);
            }
            knows_all_[slot] = broadphase.queued(bodies.cold[slot].first_shape) ? 1 : 0;
        }
    }
    forget_counts();
}

void NewPairs::find(Executor& executor, const AwakeBodies& awake, const JointStore& joints, BodyStore& bodies,
                    Broadphase& broadphase, ContactPool& contacts) {
    ask_for_pairs(awake, bodies, contacts, broadphase);
    // Most overlaps of what has moved are known: these are taken out on all threads.
    const auto is_known = [&](PairKey key) { return contacts.exists(key); };
    broadphase.find_new_pairs(executor, found_, [&](std::vector<PairKey>& some) { std::erase_if(some, is_known); });
    std::erase_if(found_, [&](PairKey key) {
        const std::uint32_t a = bodies.shapes[first_of(key)].body, b = bodies.shapes[second_of(key)].body;
        const bool dynamic = bodies[a].type == BodyType::dynamic || bodies[b].type == BodyType::dynamic;
        return a == b || !dynamic || held_apart(bodies, joints, a, b);
    });
    for (const PairKey key : found_) {
        const ShapeRecord &a = bodies.shapes[first_of(key)], &b = bodies.shapes[second_of(key)];
        if (!is_buried(bodies, a, b)) {
            continue;
        }
        for (const std::uint32_t slot : {a.body, b.body}) {
            if (!bodies[slot].entangled) {
                bodies.set_entangled(slot, true);
                knows_all_[slot] = 1;
            }
        }
    }
    const auto entangled = [&](PairKey key) {
        return bodies[bodies.shapes[first_of(key)].body].entangled &&
               bodies[bodies.shapes[second_of(key)].body].entangled;
    };
    // Of those that are entangled, few may be needed.
    contacts.expect_pairs(found_.size() -
                          static_cast<std::size_t>(std::count_if(found_.begin(), found_.end(), entangled)));
    for (const PairKey key : found_) {
        const std::uint32_t body_a = bodies.shapes[first_of(key)].body;
        const std::uint32_t body_b = bodies.shapes[second_of(key)].body;
        if (entangled(key)) {
            const bool enough = has_enough(bodies, contacts, body_a);
            if (has_enough(bodies, contacts, body_b) && enough) {
                if (is_buried(bodies, bodies.shapes[first_of(key)], bodies.shapes[second_of(key)])) {
                    knows_all_[body_a] = knows_all_[body_b] = 0;
                }
                continue;
            }
            ++counts_[body_a];
            ++counts_[body_b];
        }
        const std::uint32_t slot = contacts.create(key, body_a, body_b);
        contacts.set_active(slot, bodies[body_a].awake || bodies[body_b].awake);
    }
    forget_counts();
    clear_burst(found_, few_pairs); // a world that has just been loaded finds all of its pairs at once
    contacts.commit();
}

void NewPairs::disentangle(const AwakeBodies& awake, const Partition& partition, std::span<const TouchingSides> sides,
                           BodyStore& bodies, Broadphase& broadphase) {
    if (bodies.entangled == 0) {
        return;
    }
    lies_deep_.assign(awake.size() + 1, 0);
    for (const TouchingSides& one : sides) {
        if (one.deep != 0) {
            lies_deep_[partition.motion_of(one.body_a)] = lies_deep_[partition.motion_of(one.body_b)] = 1;
        }
    }
    for (const std::uint32_t slot : awake) {
        if (bodies[slot].entangled && lies_deep_[partition.motion_of(slot)] == 0) {
            look_for_pairs(bodies, broadphase, slot); // it may have done without some pairs
            bodies.set_entangled(slot, knows_all_[slot] == 0);
        }
    }
}

std::size_t NewPairs::memory_bytes() const {
    return bytes_of(found_) + bytes_of(counts_) + bytes_of(counted_) + bytes_of(knows_all_) + bytes_of(lies_deep_);
}

} // namespace cairn::physics
