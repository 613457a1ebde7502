// Meshes in the memory of the graphics card, and instances of them drawn from it.
#pragma once

#include "render/gl.h"
#include "render/instance_batch.h"
#include "render/mesh_shapes.h"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace cairn::render {

class MeshStore {
  public:
    // Ids of removed meshes are used again. Throws RenderError for indices out of range and the like.
    MeshId add(const MeshShape& shape);
    // Throws RenderError for the unit shapes and for what is not there.
    void remove(MeshId mesh);

    // By id, what culling needs.
    std::span<const BatchMesh> bounds() const { return bounds_; }

    // Draws the runs, whose records are in the buffer `records`, with the program in use; `backs`: those of open
    // meshes, too. Back faces are culled before and after. Returns the number of draw calls.
    int draw(std::span<const InstanceRun> runs, GLuint records, bool backs) const;

  private:
    struct GpuMesh {
        struct Level {
            std::size_t first_index = 0;
            GLsizei index_count = 0;
        };
        GlVertexArray array;
        GlBuffer vertices;
        GlBuffer indices;
        std::array<Level, max_levels> levels;
        bool open = false;
    };

    std::vector<BatchMesh> bounds_;
    std::vector<GpuMesh> meshes_;
};

} // namespace cairn::render
