// The panels of the two columns, from the top down. A panel that keeps something is an object with operator().
#pragma once

#include "app/ui/context/parts.h"

#include <functional>
#include <string_view>
#include <vector>

namespace cairn::ui {

struct Panel {
    std::function<void(Context&)> draw;
    // Of a section, which has a title and can be folded.
    std::string_view id = {};
    const char* title = "";
    bool (*open)(const Context&) = nullptr;  // at first
    std::string_view words = {};             // by which the palette finds it, besides its title
    bool (*shown)(const Context&) = nullptr; // none: always

    bool is_section() const { return !id.empty(); }
};

struct PanelList : Part {
    std::vector<Panel> left, right;
};

} // namespace cairn::ui
