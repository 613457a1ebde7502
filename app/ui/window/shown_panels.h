// What the panels looked like in the last frame that was shown, to know whether they look different now.
#pragma once

#include <cstddef>
#include <imgui.h>
#include <vector>

namespace cairn::ui {

class ShownPanels {
  public:
    // Notes what is to be drawn now and reports whether it differs from what was noted last. What a texture shows does
    // not count.
    bool change_to(const ImDrawData& panels);

  private:
    void add(const void* values, std::size_t size);
    template <typename T>
    void add(const T& value) {
        add(&value, sizeof value);
    }

    std::vector<std::byte> last_, now_;
};

} // namespace cairn::ui
