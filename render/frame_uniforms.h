// What every program reads of camera, light and picture: the uniform block Frame.
#pragma once

#include "render/gl.h"
#include "render/renderer.h"
#include "render/view.h"

namespace cairn::render {

class FrameUniforms {
  public:
    FrameUniforms();

    // Fills the block and binds it to where the programs look for it. `shadow_map_size` in texels.
    void set(const DrawList& list, const Viewport& viewport, const View& view, const ShadowCascades& shadows,
             int shadow_map_size) const;

  private:
    GlBuffer buffer_;
};

} // namespace cairn::render
