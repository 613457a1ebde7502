// Counting the memory that containers hold.
#pragma once

#include <cstddef>
#include <vector>

namespace cairn::physics {

// Of heap, spare room included; what the elements hold elsewhere is not in it.
template <typename List>
std::size_t bytes_of(const List& list) {
    return list.capacity() * sizeof(list[0]);
}

} // namespace cairn::physics
