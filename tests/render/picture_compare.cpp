#include "tests/render/picture_compare.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace cairn::render::tests {

Difference difference(const Image& a, const Image& b) {
    Difference result;
    if (a.width != b.width || a.height != b.height) {
        result.rms = result.block = 255.0;
        return result;
    }
    constexpr int block_size = 8;
    result.picture = a;
    const int blocks_across = (a.width + block_size - 1) / block_size;
    const int blocks_down = (a.height + block_size - 1) / block_size;
    std::vector<double> sums(static_cast<std::size_t>(blocks_across * blocks_down));
    double squares = 0.0;
    for (int y = 0; y < a.height; ++y) {
        for (int x = 0; x < a.width; ++x) {
            const auto at = static_cast<std::size_t>((y * a.width + x) * 4);
            for (std::size_t channel = 0; channel < 3; ++channel) {
                const int apart = std::abs(a.pixels[at + channel] - b.pixels[at + channel]);
                squares += static_cast<double>(apart) * apart;
                sums[static_cast<std::size_t>(y / block_size * blocks_across + x / block_size)] += apart;
                result.picture.pixels[at + channel] = static_cast<std::uint8_t>(std::min(8 * apart, 255));
            }
        }
    }
    result.rms = std::sqrt(squares / (3.0 * a.width * a.height));
    result.block = *std::max_element(sums.begin(), sums.end()) / (3.0 * block_size * block_size);
    return result;
}

} // namespace cairn::render::tests
