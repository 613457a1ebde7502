// A texture that the renderer draws into and the user interface shows: a second view beside the window's.
#pragma once

#include <memory>

namespace cairn::render {

class ViewTexture {
  public:
    ViewTexture(); // all of it needs a current context
    ~ViewTexture();
    ViewTexture(const ViewTexture&) = delete;
    ViewTexture& operator=(const ViewTexture&) = delete;

    // Makes it so large, in pixels, at least 1x1; its content is lost if that changes anything. Returns whether it did.
    bool fit(int width, int height);
    unsigned framebuffer() const; // for Renderer::draw
    unsigned texture() const;     // GL's name; rows from the bottom, as GL has them

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace cairn::render
