// The framebuffers that the renderer draws into before the picture goes to its target.
#pragma once

#include "render/gl.h"

namespace cairn::render {

// Colour (sRGB-encoded storage, linear blending) and depth, multisampled or not, and the resolved colour. The outline
// mask exists only once it has been asked for.
class Targets {
  public:
    // Recreates what does not fit any more. Throws RenderError when the driver refuses the size.
    void fit(int width, int height, int samples);

    GLuint scene() const { return scene_.name(); }
    GLuint resolved() const { return samples_ > 1 ? resolved_.name() : scene_.name(); }
    // Copies the scene into resolved(); nothing to do without multisampling.
    void resolve() const;

    // Framebuffer for the outline mask, made on first use; then its resolved texture.
    GLuint mask();
    void resolve_mask() const;
    GLuint mask_texture() const { return mask_texture_.name(); }

  private:
    int width_ = 0, height_ = 0, samples_ = 0;
    GlFramebuffer scene_, resolved_, mask_, mask_resolved_;
    GlRenderbuffer colour_, depth_, resolved_colour_, mask_colour_;
    GlTexture mask_texture_;
};

class ShadowMap {
  public:
    void fit(int size); // texels; 0 frees it
    int size() const { return size_; }
    GLuint framebuffer() const { return framebuffer_.name(); }
    GLuint texture() const { return texture_.name(); }

  private:
    int size_ = 0;
    GlFramebuffer framebuffer_;
    GlTexture texture_;
};

} // namespace cairn::render
