// How far two pictures are apart.
#pragma once

#include "render/renderer.h"

namespace cairn::render::tests {

struct Difference {
    double rms = 0.0;   // of all colour values, 0 .. 255
    double block = 0.0; // greatest mean difference within a block of 8 x 8 pixels, 0 .. 255
    Image picture;      // absolute difference, eight times as strong
};

Difference difference(const Image& a, const Image& b);

// Drivers may differ in rounding and in the coverage of single edge pixels. A wrong shadow, colour or place moves whole
// blocks.
inline constexpr double largest_rms = 2.0;
inline constexpr double largest_block = 6.0;

} // namespace cairn::render::tests
