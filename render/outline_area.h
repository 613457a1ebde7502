// Where in the picture outlines can be.
#pragma once

#include "render/instance_batch.h"
#include "render/renderer.h"

#include <span>

namespace cairn::render {

struct PixelBox {
    glm::vec2 low{0.0f}, high{0.0f}; // whole pixels, from the lower left
    bool empty() const { return !(low.x < high.x && low.y < high.y); }
};

// The part of the picture round the selected and hovered instances that their outlines may reach.
PixelBox outline_area(const DrawList& list, std::span<const BatchMesh> meshes, const View& view,
                      const Viewport& viewport);

} // namespace cairn::render
