// The joints of a world, by slot, and which bodies they tie.
#pragma once

#include "physics/solver/joints/rows/joint_rows.h"
#include "physics/world/command.h"
#include "physics/world/joint_def.h"
#include "physics/world/store/body_store.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cairn::physics {

struct JointRecord {
    std::uint32_t generation = 0;
    bool alive = false;
    std::shared_ptr<const JointDef> def;
    JointImpulses impulses;         // per plain substep, where the next solve starts
    float position = 0.0f;          // rad or m; the angle of a hinge keeps its turns
    Vec3 force{0.0f}, torque{0.0f}; // N, N m on B, as published
    bool unhashed = false;          // acted in the last step
    std::uint64_t def_hash = 0, hash = 0;
};

// Joints that act in a step: those of which a body is awake and dynamic.
struct ActingSlots {
    std::span<const std::uint32_t> slots; // ascending
    std::uint64_t version = 0;            // grows when they, their bodies or what these are may have changed

    auto begin() const { return slots.begin(); }
    auto end() const { return slots.end(); }
    bool empty() const { return slots.empty(); }
};

// What a joint ties, for those who ask nothing else: next to the others', not behind a pointer.
struct JointEnds {
    std::uint32_t body_a = no_index, body_b = no_index; // slots; none: the world
    JointKind kind = JointKind::ball;
};

// The mouse drag: a soft joint to the world.
struct GrabRecord {
    bool active = false;
    Grab grab;
    Vec3 impulse{0.0f}; // N s per substep, where the next solve starts
};

// Slots are reused, last in, first out. The wrapping sum of hashes is kept for joints that did not act in the last
// step; the others are hashed when somebody asks. A snapshot holds a copy.
class JointStore {
  public:
    JointRecord& operator[](std::uint32_t slot) { return records_[slot]; }
    const JointRecord& operator[](std::uint32_t slot) const { return records_[slot]; }
    std::size_t size() const { return records_.size(); } // slots, with the free ones
    std::size_t count() const { return records_.size() - free_.size(); }
    const JointEnds& ends(std::uint32_t slot) const { return ends_[slot]; }
    bool ever_any() const { return !of_body_.empty(); }
    std::uint64_t version() const { return version_; } // grows when a joint is added, changed or removed
    JointRecord* find(JointId id);                     // nullptr for a dead handle
    const JointRecord* find(JointId id) const { return const_cast<JointStore*>(this)->find(id); }

    std::span<const std::uint32_t> of(std::uint32_t body) const { // slots
        return body < of_body_.size() ? std::span<const std::uint32_t>(of_body_[body])
                                      : std::span<const std::uint32_t>();
    }

    std::uint32_t add(const JointDef& def);
    void change(std::uint32_t slot, const JointDef& def); // of the same kind and bodies
    void remove(std::uint32_t slot);
    // As it was: all slots, the free ones in their order, and the joints of each body in theirs. Hashes are made anew.
    void restore(std::vector<JointRecord> records, std::vector<std::uint32_t> free,
                 std::vector<std::vector<std::uint32_t>> of_body);

    // Bodies that do not collide for the sake of joints: see JointDef::collide and ignore_within.
    bool ignore_each_other(std::uint32_t body_a, std::uint32_t body_b) const;
    std::vector<std::uint32_t> ignored_by(std::uint32_t body) const; // slots of bodies
    // The bodies whose contacts a joint decides, with its own: those that it may lie on the path between.
    std::vector<std::uint32_t> decided_by(const JointDef& def) const;

    // The sum stays right if every change but by the solver ends with this.
    void rehash(std::uint32_t slot);
    // Those that act in this step are hashed when somebody asks; the hashes of those that acted in the last one and do
    // so no more are kept from now on.
    void leave_unhashed(std::span<const std::uint32_t> acting);
    std::uint64_t hash_sum() const;

    const std::vector<std::uint32_t>& free_slots() const { return free_; }
    std::size_t memory_bytes() const;

  private:
    std::uint64_t hash_of(std::uint32_t slot) const;

    void state_ends(std::uint32_t slot);

    std::vector<JointRecord> records_;
    std::vector<JointEnds> ends_; // by slot
    std::vector<std::uint32_t> free_;
    std::vector<std::uint32_t> unhashed_;             // slots; some of them may have gone since
    std::vector<std::vector<std::uint32_t>> of_body_; // by body slot, no longer than the last that has any
    std::uint64_t hash_sum_ = 0;
    std::uint64_t version_ = 1, unhashed_version_ = 0; // at the last leave_unhashed
};

// Whether bodies never collide: their filters, their joints or the program say so.
bool held_apart(const BodyStore& bodies, const JointStore& joints, std::uint32_t body_a, std::uint32_t body_b);

} // namespace cairn::physics
