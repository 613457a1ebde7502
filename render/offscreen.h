// A GL context without a window, a display server or a device node, through EGL.
#pragma once

#include <memory>

namespace cairn::render {

class OffscreenContext {
  public:
    // Makes the context current on this thread and loads GL. Throws RenderError when the machine cannot.
    OffscreenContext();
    ~OffscreenContext();
    OffscreenContext(const OffscreenContext&) = delete;
    OffscreenContext& operator=(const OffscreenContext&) = delete;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace cairn::render
