// What a state from anywhere must satisfy before it is used.
#pragma once

#include "physics/world/state_image.h"

#include <span>
#include <string>
#include <vector>

namespace cairn::physics {

// What is wrong, in words for people; thrown where a state is loaded, and nowhere else.
struct Problem {
    std::string what;
};

inline void require(bool condition, const char* what) {
    if (!condition) {
        throw Problem{what};
    }
}

// All numbers are finite, and the columns of one table equally long.
void check_columns(const StateImage& image);

// The list holds every free slot once.
template <typename IsFree>
void check_free(std::span<const std::uint32_t> list, std::size_t slots, const IsFree& is_free, const char* what) {
    std::vector<bool> listed(slots, false);
    for (const std::uint32_t slot : list) {
        require(slot < slots && is_free(slot) && !listed[slot], what);
        listed[slot] = true;
    }
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
        require(listed[slot] == is_free(slot), what);
    }
}

// Lists of numbers by body, filled in any order; complete when every place is taken.
class Lists {
  public:
    explicit Lists(std::size_t bodies) : lists_(bodies) {}

    void count(std::uint32_t body) { lists_[body].push_back(StateImage::none); }
    void put(std::uint32_t body, std::uint32_t place, std::uint32_t what, const char* problem) {
        require(place < lists_[body].size() && lists_[body][place] == StateImage::none, problem);
        lists_[body][place] = what;
    }
    const std::vector<std::uint32_t>& of(std::uint32_t body) const { return lists_[body]; }

  private:
    std::vector<std::vector<std::uint32_t>> lists_;
};

} // namespace cairn::physics
