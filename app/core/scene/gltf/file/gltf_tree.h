// The nodes of a glTF file's scene: where each stands, and the triangles that hang on it. Turned so that Z points up.
#pragma once

#include "app/core/scene/gltf/file/gltf_file.h"
#include "physics/geometry/geometry.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace cairn::core {

// Maps p to position + orientation * (stretch * p). Nodes are scaled along their own axes, which makes a shear of what
// is turned below them: so the stretch is a matrix. In double precision, so that frames which are multiplied out keep
// their floats; `orientation` is as it stands in the file, which may be off a unit quaternion by a float's rounding.
struct GltfPlace {
    glm::dvec3 position{0.0};
    glm::dquat orientation{1.0, 0.0, 0.0, 0.0};
    glm::dmat3 stretch{1.0};

    glm::dvec3 point(const glm::dvec3& local) const;
    GltfPlace child(const GltfPlace& local) const;
    bool stretches() const { return stretch != glm::dmat3(1.0); }
    physics::Transform pose() const; // without the stretch
};

struct GltfNode {
    const Node* json = nullptr;
    std::optional<std::size_t> parent;
    std::vector<std::size_t> children; // in the file's order
    GltfPlace local;
    GltfPlace world; // of nodes in the scene
    bool in_scene = false;
};

class GltfTree {
  public:
    explicit GltfTree(const GltfFile& file);

    const GltfFile& file() const { return file_; }
    const std::vector<GltfNode>& nodes() const { return nodes_; }
    // Those in the scene, parents before their children, children in the file's order.
    const std::vector<std::size_t>& order() const { return order_; }
    const Node* scene() const { return scene_; }
    std::size_t node_index(const Node& node, std::string_view what) const {
        return file_.index(node, what, nodes_.size());
    }

    // The triangles of a mesh, of a node with all below it in that node's frame, of the whole scene. Those of the first
    // two are of materials by number until name_triangles().
    void add_mesh(std::size_t mesh, const GltfPlace& place, physics::MeshData& to) const;
    void add_below(std::size_t node, const GltfPlace& place, physics::MeshData& to) const;
    physics::MeshData everything() const;
    void name_triangles(physics::MeshData& mesh) const;

  private:
    void read_nodes();
    GltfPlace local_place(const Node& node) const;
    void find_scene();
    void visit(std::size_t root);
    void add_primitive(const Node& primitive, const GltfPlace& place, physics::MeshData& to) const;

    const GltfFile& file_;
    std::vector<GltfNode> nodes_;
    std::vector<std::size_t> order_;
    const Node* scene_ = nullptr;
};

} // namespace cairn::core
