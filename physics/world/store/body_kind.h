// What bodies made alike have in common: the definition, and all that follows from it.
#pragma once

#include "physics/solver/motion/motion.h"
#include "physics/world/frame_state.h"
#include "physics/world/store/shape_library.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace cairn::physics {

// One for all bodies whose definitions differ in place, velocity, name and colour alone: a heap of ten thousand boxes
// of six sizes reads its masses from six cache lines that stay near. Without a name and a colour.
struct BodyKind : BodyModel {
    float inverse_mass = 0.0f;                          // 1/kg, 0 unless dynamic
    SymmetricMat3 inertia_local, inverse_inertia_local; // body axes; zero unless dynamic
    PrincipalInertia principal;                         // of a gyroscopic body
    bool gyroscopic = false;                            // the tensor is not a multiple of the identity
    bool has_mesh = false;                              // one of its shapes is a mesh
    bool spin_limited = false;                          // not a ball: its rotation must be resolved
    std::vector<Material> materials;                    // by place in `parts`; none where all are the body's
    std::vector<MeshMaterials> mesh_materials; // by place in `parts`, empty but of meshes of several materials; or none
    // Of what collides, or of the sensors where nothing does.
    float bounding_radius = 0.0f; // of all shapes about the centre of mass, m
    float inner_radius = 0.0f;    // smallest of the shapes, m
    // Turning moves the surface outwards by at most `lever` m per radian and by `most_lift` m in all.
    float lever = 0.0f, most_lift = 0.0f;
    Vec3 round_axis{0.0f};   // unit, body axes: a twist about it moves no surface; zero if there is none
    float rim_radius = 0.0f; // m, greatest of the rims of cylinders and cones
    // What only commands and impacts read.
    Vec3 centre{0.0f}; // of mass, m, in the frame of def.shapes
    // Places in `parts`, ascending: of the sensors, and, where there are any, of the other shapes.
    std::vector<std::uint32_t> sensors, colliders;

    // Shapes that collide, and the place in `parts` of each.
    std::uint32_t collider_count() const {
        return static_cast<std::uint32_t>(sensors.empty() ? parts.size() : colliders.size());
    }
    std::uint32_t place_of(std::uint32_t collider) const { return sensors.empty() ? collider : colliders[collider]; }

    // The furthest that the surface of a body with this orientation can have advanced in any direction by this way, m,
    // and this turn, rad, world.
    float surface_travel(const Quat& orientation, const Vec3& way, const Vec3& turn) const {
        return glm::length(way) + surface_lift(orientation, turn);
    }
    // The same of the turn alone.
    float surface_lift(const Quat& orientation, const Vec3& turn) const {
        float turn2 = glm::dot(turn, turn);
        if (round_axis != Vec3(0.0f)) {
            const float twist = glm::dot(turn, rotate(orientation, round_axis));
            turn2 = std::max(turn2 - twist * twist, 0.0f);
        }
        return std::min(lever * std::sqrt(turn2), most_lift);
    }
    // A contact made ahead keeps a point of the surface. Of a rim that turns under it, other points come lower: by so
    // much at most within this turn, rad, world; m.
    float rim_drop(const Quat& orientation, const Vec3& turn) const {
        if (rim_radius == 0.0f) {
            return 0.0f;
        }
        const bool single = round_axis != Vec3(0.0f);
        const float twist = single ? glm::dot(turn, rotate(orientation, round_axis)) : 0.0f;
        const float angle2 = single ? twist * twist : glm::dot(turn, turn);
        return std::min(0.5f * angle2, 2.0f) * rim_radius; // 1 - cos
    }
};

// A unit quaternion to the last bits; one that is unit already keeps its bits, so that a written scene reads back the
// same.
Quat unit(const Quat& q);

// What readers see of bodies that have a name or a colour as well as a kind.
struct NamedModel : BodyModel {
    std::shared_ptr<const BodyKind> kind;
};

// Builds every distinct kind, and every model, once and shares it.
class BodyKindLibrary {
  public:
    // As of ShapeLibrary.
    void build_on(Executor* executor, MeshOrders* orders = nullptr) { shapes_.build_on(executor, orders); }
    // Whatever name and colour. The text says what is wrong with the shapes or with the mass. Numbers must have been
    // checked by problem_with.
    std::variant<std::shared_ptr<const BodyKind>, std::string> get(const BodyDef& def);
    // The kind with other heights within `changed` of its height field at `place` in BodyDef::shapes, in time with
    // these. Nobody else finds it.
    static std::shared_ptr<const BodyKind> with_heights(const BodyKind& kind, std::uint32_t place,
                                                        std::shared_ptr<const HeightData> data,
                                                        const HeightRegion& changed);
    // The kind with other materials of its mesh at `place`, and `data` of the same triangles: nothing is hashed or
    // built anew. Nobody else finds it.
    static std::shared_ptr<const BodyKind> with_materials(const BodyKind& kind, std::uint32_t place,
                                                          std::shared_ptr<const MeshData> data,
                                                          const ShapeMaterial& of_shape,
                                                          const std::vector<ShapeMaterial>& of_triangles);
    // The kind itself if there is neither.
    std::shared_ptr<const BodyModel> named(const std::shared_ptr<const BodyKind>& kind, const std::string& name,
                                           std::optional<Colour> colour = {});

    std::size_t memory_bytes() const; // of heap, with the kinds that are alive

  private:
    ShapeLibrary shapes_;
    std::unordered_multimap<std::uint64_t, std::weak_ptr<const BodyKind>> kinds_; // by content hash
    std::weak_ptr<const BodyKind> last_; // bodies made alike are mostly made one after the other
    std::unordered_multimap<std::uint64_t, std::weak_ptr<const NamedModel>> models_; // by kind, name and colour
    std::size_t sweep_at_ = 64, sweep_models_at_ = 64; // entries: time to drop those that nobody uses
};

} // namespace cairn::physics
