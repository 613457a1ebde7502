// Growing lists by less than their own length.
#pragma once

#include <algorithm>
#include <cstddef>
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

} // namespace cairn::physics
