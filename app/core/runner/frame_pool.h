// Published frames that are read on another thread than the one that writes them. A frame comes back, with its memory,
// when its last reader lets go of it; so writing the next one costs what has moved and no allocation of its content.
#pragma once

#include "physics/world/frame_state.h"

#include <memory>

namespace cairn::core {

class FramePool {
  public:
    FramePool();

    // A frame that nobody else holds; its content is that of an earlier use. May be called, and frames let go of, on
    // any thread and even after the pool is gone.
    std::shared_ptr<physics::FrameState> take();

  private:
    struct Shelf;
    std::shared_ptr<Shelf> shelf_;
};

} // namespace cairn::core
