#include "physics/solver/motion/colouring.h"

#include <algorithm>
#include <bit>

namespace cairn::physics {

void Colouring::assign(std::span<const RowBodies> rows, std::size_t body_count) {
    taken_.assign(body_count, 0u);
    colour_.resize(rows.size());
    counts_.fill(0);
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
        ++counts_[chosen];
    }
    used_ = static_cast<std::size_t>(
        std::count_if(counts_.begin(), counts_.end(), [](std::size_t count) { return count != 0; }));
}

} // namespace cairn::physics
