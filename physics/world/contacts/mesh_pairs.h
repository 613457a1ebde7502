// What pairs touch of meshes: several faces, each a pair of its own.
#pragma once

#include "physics/base/executor.h"
#include "physics/narrowphase/update/contact_update.h"
#include "physics/world/contacts/expected_motion.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// Of one pair of a shape with a mesh. The first of its faces stands for all.
struct MeshPair {
    std::array<std::uint32_t, MeshManifolds::most> slots{}; // of the faces' pairs; no_index: there is none yet
    bool recycled = false;                                  // the contacts that there are have been brought up to date
    float apart = 0.0f;                                     // m, as FoundContact::apart
    std::array<FoundContact, MeshManifolds::most> found;    // by face; of no points: it is not touched
};

// Examined before all other pairs, all faces with one look at the mesh, because further pairs may have to be made.
class MeshPairs {
  public:
    // Fills in what the pairs of the list touch of meshes. True if pairs of further faces were created; they are active
    // after the next commit of the contacts.
    bool find(Executor& executor, const Settings& settings, const BodyStore& bodies, const ExpectedMotion& expected,
              std::span<const ActivePair> pairs, ContactPool& contacts);

    // Whether the pair is one of those faces. A body with a mesh may have other shapes as well.
    bool has(const BodyStore& bodies, const ContactPool& contacts, const ActivePair& entry) const {
        return !index_.empty() && is_face(bodies, contacts, entry);
    }
    const MeshPair* of(std::uint32_t pair) const { // nullptr: a face that was not looked at
        return index_[pair] != no_index ? &pairs_[index_[pair]] : nullptr;
    }

    std::size_t memory_bytes() const;

  private:
    struct World; // what find() reads

    bool is_face(const BodyStore& bodies, const ContactPool& contacts, const ActivePair& entry) const;
    static void examine(const World& world, const ActivePair& entry, ContactPool& contacts, MeshPair& out);

    std::vector<MeshPair> pairs_;
    std::vector<std::uint32_t> places_; // in the list, of pairs_
    std::vector<std::uint32_t> index_;  // by slot of a face's pair, into pairs_; empty: there are no meshes
};

// How far apart two shapes certainly are whose reaches do not overlap, m.
float gap_by_reach(const ShapeRecord& a, const ShapeRecord& b, float margin);
// What the narrowphase reads of a shape, by its index.
inline ContactSide contact_side(const BodyStore& bodies, std::uint32_t index) {
    const ShapeRecord& shape = bodies.shapes[index];
    return {shape.shape,
            bodies.shape_pose(shape),
            &bodies[shape.body].pose,
            bodies.kind(shape.body).bounding_radius,
            &bodies.material_of(index),
            bodies.mesh_materials_of(index),
            bodies[shape.body].type != BodyType::fixed};
}

} // namespace cairn::physics
