#include "app/ui/text/number_format.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace cairn::ui {

FrameText plain_format(const char* format, double value) {
    const double size = std::abs(value);
    if (std::string_view(format).ends_with('g') && size >= 1.0 && size < 1e7) {
        char text[48];
        std::snprintf(text, sizeof text, format, value);
        if (std::strchr(text, 'e') != nullptr) {
            return FrameText("%.0f");
        }
    }
    return FrameText(format);
}

FrameText short_text(double value) {
    char text[48];
    std::snprintf(text, sizeof text, plain_format("%.3g", value).c_str(), value);
    return FrameText(text);
}

} // namespace cairn::ui
