// Arrays on the stack that are written before they are read. Internal to queries.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

namespace cairn::physics {

// Room for N values of a plain type. GLM is told to clear its vectors, and a query that clears the kilobytes which it
// may need in the worst case takes longer for that than for its work.
template <typename T, std::size_t N>
class Room {
    static_assert(std::is_trivially_destructible_v<T>);

  public:
    Room() {} // of its own, so that no {} clears it
    T& operator[](std::size_t i) { return data()[i]; }
    const T& operator[](std::size_t i) const { return data()[i]; }
    void put(std::size_t i, const T& value) { new (data() + i) T(value); }
    T* data() { return std::launder(reinterpret_cast<T*>(bytes_)); }
    const T* data() const { return std::launder(reinterpret_cast<const T*>(bytes_)); }

  private:
    alignas(T) std::byte bytes_[N * sizeof(T)];
};

} // namespace cairn::physics
