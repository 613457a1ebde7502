#include "physics/solver/colouring.h"

#include <algorithm>
#include <bit>

namespace cairn::physics {

void Colouring::assign(std::span<const RowBodies> rows, std::size_t body_count) {
    taken_.assign(body_count, 0u);
    colour_.resize(rows.size());
    order_.resize(rows.size());
    std::array<std::size_t, colour_count> counts{};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const RowBodies& row = rows[i];
        const std::uint32_t taken = (row.a != 0 ? taken_[row.a] : 0u) | (row.b != 0 ? taken_[row.b] : 0u);
        const std::size_t colour = static_cast<std::size_t>(std::countr_one(taken));
        const std::size_t chosen = std::min(colour, overflow);
        if (chosen != overflow) {
            const std::uint32_t bit = 1u << chosen;
            if (row.a != 0) {
                taken_[row.a] |= bit;
            }
            if (row.b != 0) {
                taken_[row.b] |= bit;
            }
        }
        colour_[i] = static_cast<std::uint8_t>(chosen);
        ++counts[chosen];
    }
    std::array<std::size_t, colour_count> next{};
    start_[0] = 0;
    used_ = 0;
    for (std::size_t c = 0; c < colour_count; ++c) {
        next[c] = start_[c];
        start_[c + 1] = start_[c] + counts[c];
        used_ += counts[c] != 0 ? 1 : 0;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        order_[next[colour_[i]]++] = static_cast<std::uint32_t>(i);
    }
}

} // namespace cairn::physics
