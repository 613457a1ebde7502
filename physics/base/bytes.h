// Counting the memory that containers hold.
#pragma once

#include <cstddef>
#include <vector>

namespace cairn::physics {

// Of heap, spare room included; what the elements hold elsewhere is not in it.
template <typename T>
std::size_t bytes_of(const std::vector<T>& list) {
    return list.capacity() * sizeof(T);
}

} // namespace cairn::physics
