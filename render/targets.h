// The framebuffers that the renderer draws into before the picture goes to its target.
#pragma once

#include "render/gl.h"

#include <array>
#include <cstddef>
#include <vector>

namespace cairn::render {

// Colour (sRGB-encoded storage, linear blending; alpha = the share of the ambient light in the colour) and depth, drawn
// multisampled or not, then resolved into textures. The outline mask and the occlusion exist only once they have been
// asked for.
class Targets {
  public:
    // Recreates what does not fit any more. Throws RenderError when the driver refuses the size.
    void fit(int width, int height, int samples);

    GLuint scene() const { return samples_ > 1 ? scene_.name() : resolved_.name(); }
    GLuint resolved() const { return resolved_.name(); }
    // Copies the scene into the textures; nothing to do without multisampling.
    void resolve(bool with_depth) const;
    GLuint colour_texture() const { return colour_texture_.name(); }
    GLuint depth_texture() const { return depth_texture_.name(); }

    // Framebuffer for the outline mask, made on first use; then its resolved texture.
    GLuint mask();
    void resolve_mask() const;
    GLuint mask_texture() const { return mask_texture_.name(); }

    // Two framebuffers of half the size for ambient occlusion (r: openness 0 .. 1, g: depth, m) and its blurring.
    GLuint occlusion(std::size_t which);
    GLuint occlusion_texture(std::size_t which) const { return occlusion_textures_[which].name(); }
    int half_width() const { return (width_ + 1) / 2; }
    int half_height() const { return (height_ + 1) / 2; }

  private:
    int width_ = 0, height_ = 0, samples_ = 0;
    GlFramebuffer scene_, resolved_, mask_, mask_resolved_;
    GlRenderbuffer colour_, depth_, mask_colour_;
    GlTexture colour_texture_, depth_texture_, mask_texture_;
    std::array<GlFramebuffer, 2> occlusion_;
    std::array<GlTexture, 2> occlusion_textures_;
};

// Depth maps of one size, the layers of one texture.
class ShadowMaps {
  public:
    void fit(int size, int count); // texels; 0 frees them
    int size() const { return size_; }
    int count() const { return static_cast<int>(framebuffers_.size()); }
    GLuint framebuffer(int which) const { return framebuffers_[static_cast<std::size_t>(which)].name(); }
    GLuint texture() const { return texture_.name(); }

  private:
    int size_ = 0;
    std::vector<GlFramebuffer> framebuffers_;
    GlTexture texture_;
};

} // namespace cairn::render
