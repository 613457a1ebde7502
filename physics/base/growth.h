// Growing lists by less than their own length.
#pragma once

#include "physics/base/large_pages.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace cairn::physics {

// Room for `more` items. Lists that hold most of a world's memory grow by an eighth at a time: doubled, they would hold
// twice of what the worst step needed, for ever.
template <typename T>
void make_room(std::vector<T>& list, std::size_t more = 1) {
    constexpr std::size_t least = 16;
    const std::size_t wanted = list.size() + more;
    if (wanted > list.capacity()) {
        reserve_large(list, std::max(wanted, list.size() + list.size() / 8 + least));
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

// The most that any of the last steps has needed of something.
class RecentPeak {
  public:
    void note(std::size_t needed) { peak_ = std::max(peak_, needed); }
    std::size_t peak() const { return peak_; } // since the last look that told it
    // Every 64th time the most that was noted since the last one, to be compared with what is held.
    std::optional<std::size_t> look() {
        constexpr int calls_between = 64;
        if (++calls_ < calls_between) {
            return std::nullopt;
        }
        calls_ = 0;
        return std::exchange(peak_, std::size_t{0});
    }

  private:
    std::size_t peak_ = 0;
    int calls_ = 0;
};

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
    // Empties it, for the next step.
    void refill() {
        constexpr std::size_t few = 16;
        peak_.note(items_.size());
        const auto peak = peak_.look();
        if (peak && items_.capacity() > 4 * std::max(*peak, few)) {
            std::vector<T>().swap(items_);
        }
        items_.clear();
    }

  private:
    std::vector<T> items_;
    RecentPeak peak_; // items
};

} // namespace cairn::physics
