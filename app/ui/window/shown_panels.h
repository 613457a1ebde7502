// What the panels looked like in the last frame that was shown, to know whether they look different now.
#pragma once

#include <cstdint>
#include <imgui.h>

namespace cairn::ui {

class ShownPanels {
  public:
    // Notes what is to be drawn now and reports whether it differs from what was noted last. What a texture shows does
    // not count.
    bool change_to(const ImDrawData& panels);

  private:
    std::uint64_t last_ = 0; // hash: keeping the vertices themselves would allocate whenever there are more of them
};

} // namespace cairn::ui
