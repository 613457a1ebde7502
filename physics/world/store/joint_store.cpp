#include "physics/world/store/joint_store.h"

#include "physics/base/bytes.h"
#include "physics/base/hash.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace cairn::physics {

namespace {

std::uint64_t hash_of_def(const JointDef& def) {
    Hasher hasher(static_cast<std::uint64_t>(def.kind));
    hasher.add(def.body_a.index, def.body_a.generation).add(def.body_b.index, def.body_b.generation);
    for (const Transform* frame : {&def.frame_a, &def.frame_b}) {
        hasher.add(frame->position).add(frame->orientation);
    }
    const JointLimits limits = def.limits.value_or(JointLimits{});
    const JointMotor motor = def.motor.value_or(JointMotor{});
    const JointSpring spring = def.spring.value_or(JointSpring{});
    hasher.add((def.collide ? 1u : 0u) | (def.limits ? 2u : 0u) | (def.motor ? 4u : 0u) | (def.spring ? 8u : 0u) |
                   (def.cone ? 16u : 0u) | (spring.max_force ? 32u : 0u),
               0u);
    hasher.add(def.length, def.cone.value_or(0.0f)).add(limits.lower, limits.upper).add(motor.speed, motor.max_force);
    hasher.add(spring.hertz, spring.damping_ratio).add(spring.target, spring.max_force.value_or(0.0f));
    if (def.ratio != 1.0f || def.kind == JointKind::pulley) {
        hasher.add(def.ground_a).add(def.ground_b).add(def.ratio, 0.0f);
    }
    for (const JointAxis& axis : def.axes) {
        const JointSpring& s = axis.spring;
        hasher.add(static_cast<std::uint32_t>(axis.mode), s.max_force ? 1u : 0u)
            .add(axis.limits.lower, axis.limits.upper);
        hasher.add(axis.motor.speed, axis.motor.max_force).add(s.hertz, s.damping_ratio);
        hasher.add(s.target, s.max_force.value_or(0.0f));
    }
    if (def.break_force || def.break_torque || def.ignore_within != 1) {
        hasher.add(def.break_force.value_or(-1.0f), def.break_torque.value_or(-1.0f));
        hasher.add(static_cast<std::uint32_t>(def.ignore_within), 0u);
    }
    return hasher.value();
}

} // namespace

JointRecord* JointStore::find(JointId id) {
    if (id.index >= records_.size()) {
        return nullptr;
    }
    JointRecord& joint = records_[id.index];
    return joint.alive && joint.generation == id.generation ? &joint : nullptr;
}

std::uint32_t JointStore::add(const JointDef& def) {
    std::uint32_t slot = 0;
    if (free_.empty()) {
        slot = static_cast<std::uint32_t>(records_.size());
        records_.emplace_back();
    } else {
        slot = free_.back();
        free_.pop_back();
    }
    JointRecord& joint = records_[slot];
    const std::uint32_t generation = joint.generation;
    joint = JointRecord{};
    joint.generation = generation;
    joint.alive = true;
    for (const BodyId id : {def.body_a, def.body_b}) {
        if (id) {
            if (of_body_.size() <= id.index) {
                of_body_.resize(id.index + 1u);
            }
            of_body_[id.index].push_back(slot);
        }
    }
    change(slot, def);
    return slot;
}

void JointStore::change(std::uint32_t slot, const JointDef& def) {
    assert(slot < records_.size() && records_[slot].alive);
    ++version_;
    records_[slot].def = std::make_shared<const JointDef>(def);
    records_[slot].def_hash = hash_of_def(def);
    state_ends(slot);
    rehash(slot);
}

void JointStore::state_ends(std::uint32_t slot) {
    const JointDef& def = *records_[slot].def;
    ends_.resize(records_.size());
    ends_[slot] = {def.body_a ? def.body_a.index : no_index, def.body_b.index, def.kind};
}

void JointStore::remove(std::uint32_t slot) {
    assert(slot < records_.size() && records_[slot].alive);
    JointRecord& joint = records_[slot];
    for (const BodyId id : {joint.def->body_a, joint.def->body_b}) {
        if (id) {
            std::erase(of_body_[id.index], slot);
        }
    }
    hash_sum_ -= joint.hash;
    const std::uint32_t generation = joint.generation + 1;
    joint = JointRecord{};
    joint.generation = generation;
    free_.push_back(slot);
    ++version_;
}

void JointStore::restore(std::vector<JointRecord> records, std::vector<std::uint32_t> free,
                         std::vector<std::vector<std::uint32_t>> of_body) {
    *this = JointStore();
    records_ = std::move(records);
    free_ = std::move(free);
    of_body_ = std::move(of_body);
    for (std::uint32_t slot = 0; slot < records_.size(); ++slot) {
        if (records_[slot].alive) {
            records_[slot].def_hash = hash_of_def(*records_[slot].def);
            state_ends(slot);
            rehash(slot);
        }
    }
}

bool JointStore::ignore_each_other(std::uint32_t body_a, std::uint32_t body_b) const {
    bool farther = false;
    for (const std::uint32_t slot : of(body_a)) {
        const JointDef& def = *records_[slot].def;
        if (!def.collide && (def.body_a.index == body_b || def.body_b.index == body_b)) {
            return true;
        }
        farther = farther || (!def.collide && def.ignore_within > 1);
    }
    if (!farther || of(body_b).empty()) {
        return false;
    }
    const std::vector<std::uint32_t> ignored = ignored_by(body_a);
    return std::find(ignored.begin(), ignored.end(), body_b) != ignored.end();
}

bool held_apart(const BodyStore& bodies, const JointStore& joints, std::uint32_t body_a, std::uint32_t body_b) {
    return !bodies.kind(body_a).def.filter.lets_meet(bodies.kind(body_b).def.filter) ||
           joints.ignore_each_other(body_a, body_b) ||
           (bodies.contact_filter && !bodies.contact_filter(bodies.id(body_a), bodies.id(body_b)));
}

// Goes out from the body joint by joint. A body is visited again where joints that reach farther lead to it.
std::vector<std::uint32_t> JointStore::ignored_by(std::uint32_t body) const {
    struct Place {
        std::uint32_t body = 0;
        int passed = 0, reach = 0; // joints; of those passed, the least reach
    };
    std::vector<Place> places{{body, 0, std::numeric_limits<int>::max()}};
    std::vector<std::uint32_t> result;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Place from = places[i];
        for (const std::uint32_t slot : of(from.body)) {
            const JointDef& def = *records_[slot].def;
            if (def.collide || !def.body_a) {
                continue;
            }
            const Place to{def.body_a.index == from.body ? def.body_b.index : def.body_a.index, from.passed + 1,
                           std::min(from.reach, def.ignore_within)};
            const bool known = std::any_of(places.begin(), places.end(), [&](const Place& place) {
                return place.body == to.body && place.reach >= to.reach;
            });
            if (to.passed > to.reach || known) {
                continue;
            }
            places.push_back(to);
            if (std::find(result.begin(), result.end(), to.body) == result.end()) {
                result.push_back(to.body);
            }
        }
    }
    return result;
}

std::vector<std::uint32_t> JointStore::decided_by(const JointDef& def) const {
    std::vector<std::uint32_t> result;
    for (const BodyId id : {def.body_a, def.body_b}) {
        if (!id) {
            continue;
        }
        result.push_back(id.index);
        if (def.ignore_within > 1) {
            const std::vector<std::uint32_t> near = ignored_by(id.index);
            result.insert(result.end(), near.begin(), near.end());
        }
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

void JointStore::rehash(std::uint32_t slot) {
    JointRecord& joint = records_[slot];
    hash_sum_ -= joint.hash;
    joint.hash = joint.unhashed ? 0 : hash_of(slot);
    hash_sum_ += joint.hash;
}

void JointStore::leave_unhashed(std::span<const std::uint32_t> acting) {
    if (std::exchange(unhashed_version_, version_) == version_ && std::ranges::equal(unhashed_, acting)) {
        return;
    }
    for (const std::uint32_t slot : unhashed_) {
        records_[slot].unhashed = false;
    }
    for (const std::uint32_t slot : acting) {
        records_[slot].unhashed = true;
        rehash(slot);
    }
    for (const std::uint32_t slot : unhashed_) {
        if (records_[slot].alive && !records_[slot].unhashed) {
            rehash(slot);
        }
    }
    unhashed_.assign(acting.begin(), acting.end());
}

std::uint64_t JointStore::hash_sum() const {
    std::uint64_t sum = hash_sum_;
    for (const std::uint32_t slot : unhashed_) {
        sum += records_[slot].alive && records_[slot].unhashed ? hash_of(slot) : 0;
    }
    return sum;
}

std::uint64_t JointStore::hash_of(std::uint32_t slot) const {
    const JointRecord& joint = records_[slot];
    const JointImpulses& impulses = joint.impulses;
    Hasher hasher(joint.def_hash);
    hasher.add(slot, joint.generation).add(joint.position, impulses.motor);
    for (std::size_t i = 0; i < impulses.rigid.size(); i += 2) {
        hasher.add(impulses.rigid[i], impulses.rigid[i + 1]);
    }
    hasher.add(impulses.lower, impulses.upper).add(impulses.spring, impulses.cone);
    hasher.add(impulses.soft_block, impulses.brake);
    return hasher.value();
}

std::size_t JointStore::memory_bytes() const {
    std::size_t bytes =
        bytes_of(records_) + bytes_of(ends_) + bytes_of(free_) + bytes_of(unhashed_) + bytes_of(of_body_);
    for (const std::vector<std::uint32_t>& list : of_body_) {
        bytes += bytes_of(list);
    }
    return bytes;
}

} // namespace cairn::physics
