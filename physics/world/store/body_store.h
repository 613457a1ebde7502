// The bodies of a world and their shapes, by slot.
#pragma once

#include "physics/narrowphase/carry/body_trace.h"
#include "physics/narrowphase/contact.h"
#include "physics/world/store/body_kind.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace cairn::physics {

// What the stages of a step read and write of a body, one cache line; what rarely changes is in ColdBody.
struct alignas(64) BodyRecord {
    Transform pose; // of the centre of mass
    Vec3 linear_velocity{0.0f}, angular_velocity{0.0f};
    float sleep_timer = 0.0f; // s of rest since the body last moved faster than the sleep speed
    std::uint32_t generation = 0;
    BodyType type = BodyType::dynamic;
    bool alive : 1 = false;
    bool sleeping : 1 = false;
    bool awake : 1 = false;     // listed in AwakeBodies: dynamic and not sleeping, or kinematic and moving
    bool touching : 1 = false;  // as published
    bool placed : 1 = false;    // what it rests on has yet to bear it, since the last step
    bool entangled : 1 = false; // was spawned inside another dynamic body, and has not left all of them since

    // Whether the step must move it. A kinematic body that stands still must not keep what rests on it awake.
    bool moves() const;
};
static_assert(sizeof(BodyRecord) == 64);

struct ColdBody {
    std::shared_ptr<const BodyKind> kind;           // none: the slot is free
    std::shared_ptr<const BodyModel> model;         // the kind, or the same with a name or a colour
    std::uint32_t first_shape = 0, shape_count = 0; // of what collides
    float margin = 0.0f;                            // m, least of the shapes' margins
    float fitted = 0.0f; // m, travel per step for which the reach was last fitted; -1: the body is fast
    float drift = 0.0f;  // m, at most so far has any point of the surface moved since
    std::uint64_t user_data = 0;
    std::uint64_t hash = 0; // of a body that is not awake; the others are hashed when somebody asks
};

struct ShapeRecord {
    const Shape* shape = nullptr; // kept alive by the body's prototype
    Transform pose;               // in the body's frame
    std::uint32_t body = no_index;
    float margin = 0.0f; // m, gap within which this shape makes contacts ahead of touching
    // World bounds grown by the margin and some slack; fitted anew only when the body has moved by the slack, since
    // most awake bodies lie in heaps and hardly move.
    Aabb reach;
    bool centred = false; // its pose is the identity, as for most bodies of one shape
};

// Columns by slot, and what must stay consistent with them: free slots, counts and the sum of hashes. A snapshot holds
// a copy.
struct BodyStore {
    std::vector<BodyRecord> records;
    std::vector<ColdBody> cold;
    std::vector<BodyTrace> traces;
    std::vector<ShapeRecord> shapes;         // of what collides, by shape index; those of a body follow each other
    std::vector<std::uint32_t> with_sensors; // slots of bodies that have any, ascending
    std::vector<std::uint32_t> free;         // slots, last in, first out
    std::map<std::uint32_t, std::vector<std::uint32_t>> free_shape_runs; // by length: first indices
    // Slots of bodies that were spawned without spin, or made dynamic, or freed of a joint since the last step: those
    // are marked in their records. And of those that bear other loads.
    std::vector<std::uint32_t> placed;
    std::uint32_t entangled = 0;                        // bodies that are
    std::uint32_t trace_epoch = 1;                      // grows when the pairs have been looked at
    std::function<bool(BodyId, BodyId)> contact_filter; // World::set_contact_filter
    bool any_meshes = false;                            // there is a body with a mesh, or has been
    bool any_locks = false;                             // the same of a body with a locked axis
    std::uint64_t resting_hash = 0;                     // wrapping sum of ColdBody::hash
    // Grows when a body wakes, falls asleep or changes while it rests: a frame that was published at this revision
    // needs only what is awake.
    std::uint64_t resting_revision = 0;

    BodyRecord& operator[](std::uint32_t slot) { return records[slot]; }
    const BodyRecord& operator[](std::uint32_t slot) const { return records[slot]; }
    std::size_t size() const { return records.size(); } // slots, with the free ones
    std::size_t count() const { return records.size() - free.size(); }
    const BodyKind& kind(std::uint32_t slot) const { return *cold[slot].kind; } // of a live body
    BodyId id(std::uint32_t slot) const { return {slot, records[slot].generation}; }
    float surface_speed(std::uint32_t slot) const {
        return surface_speed(slot, records[slot].linear_velocity, records[slot].angular_velocity);
    }
    // m/s: no point of the body is faster if its centre has that velocity (m/s) and that is its spin (rad/s).
    float surface_speed(std::uint32_t slot, const Vec3& velocity, const Vec3& spin) const;
    bool is_dynamic(std::uint32_t slot) const { return records[slot].type == BodyType::dynamic; }
    bool both_entangled(std::uint32_t a, std::uint32_t b) const { return records[a].entangled && records[b].entangled; }
    BodyRecord* find(BodyId id); // nullptr for a dead handle
    const BodyRecord* find(BodyId id) const { return const_cast<BodyStore*>(this)->find(id); }

    std::span<ShapeRecord> shapes_of(std::uint32_t slot) {
        return std::span(shapes).subspan(cold[slot].first_shape, cold[slot].shape_count);
    }
    Transform shape_pose(const ShapeRecord& shape) const { // world
        const Transform& body = records[shape.body].pose;
        return shape.centred ? body : compose(body, shape.pose);
    }
    std::uint32_t place_of(std::uint32_t shape) const { // in BodyModel::parts
        const ColdBody& body = cold[shapes[shape].body];
        return body.kind->place_of(shape - body.first_shape);
    }
    const Material& material_of(std::uint32_t shape) const {
        const BodyKind& of = kind(shapes[shape].body);
        return of.materials.empty() ? of.def.material : of.materials[place_of(shape)];
    }
    // nullptr: the triangles are all of material_of(shape), or it is no mesh.
    const MeshMaterials* mesh_materials_of(std::uint32_t shape) const {
        const BodyKind& of = kind(shapes[shape].body);
        if (of.mesh_materials.empty()) {
            return nullptr;
        }
        const MeshMaterials& materials = of.mesh_materials[place_of(shape)];
        return materials.all.empty() ? nullptr : &materials;
    }
    const Material& material_of(std::uint32_t shape, std::uint32_t triangle) const {
        const MeshMaterials* materials = mesh_materials_of(shape);
        return materials == nullptr ? material_of(shape)
                                    : materials->all[shapes[shape].shape->mesh->materials[triangle]];
    }
    Transform pose_of(BodyId id) const { return id ? records[id.index].pose : Transform{}; } // none: the world's frame

    // A new body, with shapes whose bounds are not known yet and without a hash. Returns its slot.
    // `model`: none if the body has neither name nor colour.
    std::uint32_t add(const BodyDef& def, std::shared_ptr<const BodyKind> kind,
                      std::shared_ptr<const BodyModel> model = {});
    void remove(std::uint32_t slot);
    // Of the same shapes. Gives the body its type.
    void set_prototype(std::uint32_t slot, std::shared_ptr<const BodyKind> kind,
                       std::shared_ptr<const BodyModel> model);

    // Of other shapes: gives the body a new run of them, without bounds, and returns the run that it had.
    std::pair<std::uint32_t, std::uint32_t> set_shapes(std::uint32_t slot, std::shared_ptr<const BodyKind> kind,
                                                       std::shared_ptr<const BodyModel> model);
    void free_shapes(std::uint32_t first, std::uint32_t count);

    // The sum of the hashes of resting bodies stays right if every change but by the stages of a step ends with this.
    void rehash(std::uint32_t slot);
    std::uint64_t hash_of(std::uint32_t slot) const;

    void set_entangled(std::uint32_t slot, bool entangled);
    void place(std::uint32_t slot);
    void forget_placed();
    // Notes how the body has moved since `start`, for the pairs that have proved a gap.
    void trace_motion(std::uint32_t slot, const Transform& start);
    // Nothing that pairs have proved holds any more: the body was repositioned.
    void lose_track(std::uint32_t slot);

    std::size_t memory_bytes() const; // of heap, without the prototypes and traces

  private:
    void take_shapes(std::uint32_t slot, const BodyKind& kind);
};

} // namespace cairn::physics
