// What every program reads of camera, light and picture: the uniform block Frame.
#pragma once

#include "render/gl.h"
#include "render/renderer.h"
#include "render/view.h"

namespace cairn::render {

class FrameUniforms {
  public:
    FrameUniforms();

    // Fills the block and binds it. `shadow_map_size` in texels; `resolution`: the picture's pixels per pixel of what
    // it is shown in, along each side.
    void set(const DrawList& list, const Viewport& picture, const View& view, const ShadowCascades& shadows,
             int shadow_map_size, float resolution) const;
    void bind() const; // to where the programs look for it

  private:
    GlBuffer buffer_;
};

} // namespace cairn::render
