// Growing lists by less than their own length.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cairn::physics {

// Room for `more` items. Lists that hold most of a world's memory grow by an eighth at a time: doubled, they would hold
// twice of what the worst step needed, for ever.
template <typename T>
void make_room(std::vector<T>& list, std::size_t more = 1) {
    constexpr std::size_t least = 16;
    const std::size_t wanted = list.size() + more;
    if (wanted > list.capacity()) {
        list.reserve(std::max(wanted, list.size() + list.size() / 8 + least));
    }
}

// Empties a list, and gives its memory back if that is far more than what it held and than `kept` items.
template <typename T>
void clear_burst(std::vector<T>& list, std::size_t kept) {
    if (list.capacity() > kept && list.capacity() > 4 * list.size()) {
        std::vector<T>().swap(list);
    }
    list.clear();
}

// A list that is filled anew in every step. It keeps its memory, unless the last steps have needed far less.
template <typename T>
class RefilledList {
  public:
    T& operator[](std::size_t i) { return items_[i]; }
    const T& operator[](std::size_t i) const { return items_[i]; }
    std::size_t size() const { return items_.size(); }
    std::size_t capacity() const { return items_.capacity(); }

    // The index of a new item. References to the others end.
    std::uint32_t add() {
        make_room(items_);
        items_.emplace_back();
        return static_cast<std::uint32_t>(items_.size() - 1);
    }
    void refill() {
        constexpr int fills_between_looks = 64;
        peak_ = std::max(peak_, items_.size());
        if (++fills_ >= fills_between_looks) {
            clear_burst(items_, peak_);
            peak_ = 0;
            fills_ = 0;
        }
        items_.clear();
    }

  private:
    std::vector<T> items_;
    std::size_t peak_ = 0; // most items since memory was last looked at
    int fills_ = 0;        // since then
};

} // namespace cairn::physics
