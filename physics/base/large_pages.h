// Lists of megabytes on large pages.
#pragma once

#include <cstddef>
#include <vector>

namespace cairn::physics {

// Asks the system to back this memory with large pages when it is first touched; a hint that nothing depends on. In
// pages of 4 kB the system gives memory out so slowly that a world of thousands of bodies spent half of its first step
// in it.
void prefer_large_pages(void* data, std::size_t bytes);

template <typename T>
void reserve_large(std::vector<T>& list, std::size_t capacity) {
    if (capacity > list.capacity()) {
        list.reserve(capacity);
        prefer_large_pages(list.data(), list.capacity() * sizeof(T));
    }
}

template <typename T>
void resize_large(std::vector<T>& list, std::size_t size) {
    reserve_large(list, size);
    list.resize(size);
}

} // namespace cairn::physics
