// Where to cut the awake bodies into regions, one for each thread.
#pragma once

#include "physics/base/bytes.h"
#include "physics/base/math.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// Cuts a list of bodies in two of about the same work, each part again, and so on: across x, y, z, or simply the list
// in two, whichever lets the fewest contacts reach across. A cut that separates neighbours in the list is paid for as
// well, because what follows each other there lies in neighbouring lines of memory.
class Division {
  public:
    struct Body {
        Vec3 position{0.0f}; // m
        std::uint32_t weight = 1;
        std::uint8_t region = 0; // the answer
    };
    struct Contact {
        std::uint32_t a = 0, b = 0; // places in the list of bodies
    };

    std::vector<Body> bodies;
    std::vector<Contact> contacts; // some of them are lost on the way

    // At most 250 regions.
    void divide(std::size_t regions);

    std::size_t memory_bytes() const {
        return bytes_of(bodies) + bytes_of(contacts) + bytes_of(listed_) + bytes_of(upper_) + bytes_of(best_);
    }

  private:
    static constexpr std::size_t cells = 1024;

    // Regions [first, first + count) take the place of the first.
    void divide(std::size_t first, std::size_t count);
    // Marks in upper_ those of listed_ beyond the share of the weight.
    void cut_list(double share);
    void cut_across(int axis, double share);
    std::size_t cost(std::size_t region) const; // of the cut in upper_

    std::vector<std::uint32_t> listed_;                 // bodies of the region that is being cut
    std::vector<std::uint8_t> upper_, best_;            // by body
    std::array<std::uint64_t, cells> weight_of_cell_{}; // along the axis
    std::uint64_t whole_ = 0;                           // weight of listed_
};

} // namespace cairn::physics
