// How numbers are written for people: powers of ten only where plain digits would be more to read.
#pragma once

#include "app/ui/text/frame_text.h"

namespace cairn::ui {

inline constexpr float degrees_per_radian = 57.2957795f;

// `format`, or "%.0f" where `format` ends in 'g' and would write a number from 1 up to ten million with a power of ten.
FrameText plain_format(const char* format, double value);

// Three digits, but all of those before the point: 0.0123, 1330, 1.5e+09.
FrameText short_text(double value);

} // namespace cairn::ui
