// The shapes that a glTF file gives its bodies (KHR_implicit_shapes, or meshes), with their materials and filters
// (KHR_physics_rigid_bodies, draft of 2025).
#pragma once

#include "app/core/scene/gltf/file/gltf_filters.h"
#include "app/core/scene/gltf/file/gltf_tree.h"
#include "app/core/scene/scene.h"
#include "physics/world/body_def.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace cairn::core {

inline constexpr std::string_view implicit_shapes = "KHR_implicit_shapes";

// What the file says and a scene cannot hold, for people; each once.
class GltfLosses {
  public:
    void add(const std::string& what) { all_.insert(what); }
    std::string text() const; // empty if there are none
  private:
    std::set<std::string> all_;
};

class GltfShapes {
  public:
    GltfShapes(const GltfTree& tree, const SceneReading& how, GltfLosses& losses);

    // Adds the shapes of a collider or a trigger that stands at `place` in the body's frame. Of a body that is not
    // static, meshes become hulls.
    void add(const Node& collider, const Node& node, const GltfPlace& place, bool sensor, physics::BodyDef& body);
    // The mesh of a node as a surface.
    physics::Mesh surface(std::size_t mesh, const GltfPlace& place);

    // Of what the collider says; the body's own where it says nothing.
    std::optional<physics::Material> material(const Node& collider) const;
    physics::CollisionFilter filter(const Node& collider) const { return collision_filters_.of(collider); }
    std::optional<physics::Colour> colour(std::size_t mesh) const; // of its first material

  private:
    using Key = std::tuple<bool, std::size_t, std::vector<double>>; // whether a node, which, how stretched

    void add_implicit(const Node& shape, const GltfPlace& place, physics::BodyDef& body);
    void add_mesh_shape(const Key& key, const Node& at, const GltfPlace& place, bool hull, const Node* own,
                        physics::BodyDef& body);
    void add_own(const Node& own, const GltfPlace& place, physics::BodyDef& body);
    // `own`: what Cairn has noted on the node; none: nothing.
    std::shared_ptr<const physics::MeshData> mesh_of(const Key& key, const GltfPlace& place, const Node* own);
    void name_triangles(physics::MeshData& mesh, const Node* own) const;
    std::vector<physics::ShapeMaterial> own_materials(const Node* own, const physics::MeshData& mesh) const;
    void add_decomposed(const Key& key, const physics::MeshData& mesh, const Node& at, const physics::Transform& pose,
                        physics::BodyDef& body);
    double sized(const Node& shape, std::string_view key, double otherwise) const;

    const GltfTree& tree_;
    const GltfFile& file_;
    const SceneReading& how_;
    GltfLosses& losses_;
    GltfFilters collision_filters_;
    std::vector<const Node*> shapes_, materials_;
    std::map<std::pair<Key, bool>, std::shared_ptr<const physics::MeshData>> meshes_;
    std::map<Key, physics::PointSet> hulls_;
    std::map<Key, std::vector<physics::PointSet>> decomposed_;
    std::map<std::string, physics::HeightField> fields_; // by what the file says of them
};

} // namespace cairn::core
