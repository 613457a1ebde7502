// A picture that the user interface shows.
#pragma once

#include "render/renderer.h"

namespace cairn::render {

class PictureTexture {
  public:
    PictureTexture() = default;
    explicit PictureTexture(const Image& image); // needs a current context, as does the destructor
    ~PictureTexture();
    PictureTexture(PictureTexture&& other) noexcept;
    PictureTexture& operator=(PictureTexture&& other) noexcept;
    PictureTexture(const PictureTexture&) = delete;
    PictureTexture& operator=(const PictureTexture&) = delete;

    unsigned name() const { return name_; } // GL's; 0 = no picture

  private:
    unsigned name_ = 0;
};

// Fills the framebuffer of the current context, which is as large.
void show_image(const Image& image);

} // namespace cairn::render
