// Sorts a draw list's instances into runs that one instanced draw each can draw, and culls those that are out of sight.
// Plain computation, no GL. Nothing is allocated once the vectors have grown to the size of the list.
#pragma once

#include "render/mesh_shapes.h"
#include "render/view.h"

#include <array>
#include <span>
#include <vector>

namespace cairn::render {

// What the vertex shaders read per instance.
struct InstanceRecord {
    glm::vec4 position_extrude; // m
    glm::vec4 orientation;      // quaternion x, y, z, w
    glm::vec4 scale_texture;    // factor; layer of the body texture array
    glm::vec4 colour;           // linear
};
static_assert(sizeof(InstanceRecord) == 64);

struct InstanceRun {
    MeshId mesh = 0;
    std::uint32_t level = 0; // of detail
    std::uint32_t first = 0; // record
    std::uint32_t count = 0;
};

// What culling needs per mesh slot.
struct BatchMesh {
    MeshBounds bounds;
    std::uint32_t levels = 0; // 0 = the slot is free
};

class InstanceBatch {
  public:
    // `shadows` may be null: nothing casts. `pixels_per_radian`: in the middle of the picture, or per metre of an
    // orthographic one, for the levels of detail. Throws RenderError if an instance names a mesh that does not exist.
    void build(const DrawList& list, std::span<const BatchMesh> meshes, const View& view, const ShadowCascades* shadows,
               float pixels_per_radian);

    // Number of records, and the filling of a buffer of that size.
    std::size_t size() const { return size_; }
    void write(const DrawList& list, InstanceRecord* records) const;

    std::span<const InstanceRun> shadow_casters(int cascade) const {
        return shadow_[static_cast<std::size_t>(cascade)];
    }
    std::span<const InstanceRun> opaque() const { return opaque_; }
    std::span<const InstanceRun> ground() const { return ground_; }
    std::span<const InstanceRun> blended() const { return blended_; } // farthest first
    std::span<const InstanceRun> marked() const { return marked_; }   // selected and hovered, for the outline

    int drawn() const { return drawn_; }   // instances inside the view
    int culled() const { return culled_; } // instances outside the view
    int casters() const { return casters_; }

    std::size_t memory() const; // bytes held; grows with the largest list seen

  private:
    struct Blended {
        float distance; // m, along the view
        std::uint32_t level;
        std::uint32_t instance;
    };

    struct Marked {
        std::uint32_t level;
        std::uint32_t instance;
    };

    std::vector<std::uint32_t> bucket_; // per instance
    std::vector<std::uint32_t> count_;  // per bucket, then the next free record
    std::vector<std::uint32_t> slot_;   // per instance, where its record goes
    std::vector<Blended> blended_order_;
    std::vector<Marked> marked_order_;
    std::array<std::vector<InstanceRun>, max_cascades> shadow_;
    std::vector<InstanceRun> opaque_, ground_, blended_, marked_;
    std::size_t size_ = 0;
    int drawn_ = 0, culled_ = 0, casters_ = 0;
};

} // namespace cairn::render
