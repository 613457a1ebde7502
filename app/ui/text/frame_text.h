// Text that lives for one frame. Panels put hundreds of short texts together for every picture; their memory comes from
// one arena that is emptied at the next frame, so that none of them costs an allocation.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::ui {

// The arena of the calling thread. What it gave out is lost with reset(), which only Widgets::begin_frame() calls.
namespace frame_memory {
void* take(std::size_t bytes, std::size_t alignment);
void reset();
std::size_t capacity(); // bytes that it holds on to
} // namespace frame_memory

template <class T>
struct FrameAllocator {
    using value_type = T;
    FrameAllocator() = default;
    template <class U>
    FrameAllocator(const FrameAllocator<U>&) {} // NOLINT: an allocator converts to its kin
    T* allocate(std::size_t count) { return static_cast<T*>(frame_memory::take(count * sizeof(T), alignof(T))); }
    void deallocate(T*, std::size_t) {} // all at once, by reset()
    bool operator==(const FrameAllocator&) const { return true; }
};

// A type of its own: what outlives the frame has to be copied, and the compiler says where.
using FrameText = std::basic_string<char, std::char_traits<char>, FrameAllocator<char>>;

template <class T>
using FrameList = std::vector<T, FrameAllocator<T>>;

// printf into a text.
FrameText formatted(const char* format, ...) __attribute__((format(printf, 1, 2)));

// One after the other.
template <class... Parts>
FrameText joined(const Parts&... parts) {
    FrameText text;
    text.reserve((std::string_view(parts).size() + ... + std::size_t{0}));
    (text.append(std::string_view(parts)), ...);
    return text;
}

} // namespace cairn::ui
