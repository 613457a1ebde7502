// What a glTF file says of bodies beside their looks: shapes, masses, materials and joints, by the extensions
// KHR_implicit_shapes and KHR_physics_rigid_bodies (drafts of 2025), and in "extras" what these have no words for.
// app/core/scene/gltf reads all of it.
#pragma once

#include "app/core/export/gltf_buffer.h"
#include "app/core/report/formats/json.h"
#include "app/core/scene/scene.h"
#include "physics/world/frame_state.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>

namespace cairn::core {

class GltfPhysics {
  public:
    // `start`, which outlives this: the world as the file shows it. Without bodies it says nothing.
    explicit GltfPhysics(const physics::FrameState& start);

    const physics::BodyState* find(physics::BodyId body) const; // nullptr: not there at the start
    bool any() const { return !start_.bodies.empty(); }

    // Of a body's node.
    Json motion(const physics::BodyModel& model, const physics::BodyState& body) const; // null of a static one
    Json own_words(const physics::BodyModel& model) const;                              // for its extras

    // Of one shape: how its node is turned (null: not at all), where it is shifted to along the shape's Z axis, m, and
    // what stands on it. `mesh_node`: a node with the shape's mesh, asked for only where it is needed.
    struct Collider {
        Json rotation;
        float shift = 0.0f;
        Json extension; // a collider or a trigger
        Json own_words; // null: none
    };
    Collider collider(const physics::BodyModel& model, std::size_t part, GltfBuffer& buffer,
                      const std::function<std::size_t()>& mesh_node);
    static bool needs_turn(const physics::Shape& shape); // glTF has axes of revolution along Y

    // Of a joint: what stands on the node in A's frame, which leads to the one in B's.
    Json joint(const physics::JointDef& def, std::size_t connected_node);

    void add_to(Json& document, const std::string& name, const SceneCamera& camera) const;

  private:
    std::size_t entry(Json& list, Json value); // adds what is not there yet
    std::size_t shape(const physics::Shape& shape);
    Json own_shape(const physics::ShapeDef& def, const physics::Shape& shape, GltfBuffer& buffer);
    Json own_mesh(const physics::ShapeDef& def, const physics::TriangleMesh& mesh, GltfBuffer& buffer);
    std::size_t filter(const physics::CollisionFilter& filter);

    const physics::FrameState& start_;
    bool filters_ = false; // some body has one that is not the usual
    Json shapes_ = Json::array(), materials_ = Json::array(), filter_list_ = Json::array(), joints_ = Json::array();
    std::map<std::pair<const Json*, std::string>, std::size_t> known_;
    std::map<const physics::HeightData*, Json> fields_;
    std::map<const physics::TriangleMesh*, std::size_t> triangle_materials_; // accessors
};

} // namespace cairn::core
