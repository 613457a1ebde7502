// Graph colouring: contacts of one colour share no body that can be pushed, so they may be solved at the same time.
#pragma once

#include "physics/base/bytes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// Two motion indices per row; 0 marks a side that nothing pushes and that any number of rows may share.
struct RowBodies {
    std::uint32_t a = 0, b = 0;
};

// Colours are given greedily in row order, so they depend on that order alone. The last colour collects rows that find
// no free one (a body with very many contacts) and must be solved one after the other.
class Colouring {
  public:
    static constexpr std::size_t colour_count = 32;
    static constexpr std::size_t overflow = colour_count - 1;

    // `body_count` is the size of the motion array.
    void assign(std::span<const RowBodies> rows, std::size_t body_count);

    std::uint8_t colour_of(std::size_t row) const { return colour_[row]; }
    std::size_t rows_of(std::size_t colour) const { return counts_[colour]; }
    std::size_t used_colours() const { return used_; }
    std::size_t memory_bytes() const { return bytes_of(taken_) + bytes_of(colour_); } // of heap

  private:
    std::vector<std::uint32_t> taken_; // by body: bit set of colours in use
    std::vector<std::uint8_t> colour_; // by row
    std::array<std::size_t, colour_count> counts_{};
    std::size_t used_ = 0;
};

} // namespace cairn::physics
