#include "app/ui/text/frame_text.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <vector>

namespace cairn::ui {

namespace {

// What a frame does not find room for in the first block gets blocks of its own; the next frame has one for all.
struct Arena {
    struct Block {
        std::unique_ptr<std::byte[]> memory;
        std::size_t size = 0;
    };
    std::vector<Block> blocks;
    std::size_t used = 0; // of the last block

    std::size_t size() const {
        std::size_t sum = 0;
        for (const Block& block : blocks) {
            sum += block.size;
        }
        return sum;
    }
    void add(std::size_t size) {
        blocks.push_back({std::make_unique<std::byte[]>(size), size});
        used = 0;
    }
};

constexpr std::size_t first_block = std::size_t{64} << 10; // bytes

Arena& arena() {
    thread_local Arena of_thread;
    return of_thread;
}

} // namespace

void* frame_memory::take(std::size_t bytes, std::size_t alignment) {
    Arena& a = arena();
    const std::size_t start = (a.used + alignment - 1) / alignment * alignment;
    if (a.blocks.empty() || start + bytes > a.blocks.back().size) {
        a.add(std::max({bytes, first_block, a.size()}));
        a.used = bytes;
        return a.blocks.back().memory.get(); // aligned for everything
    }
    a.used = start + bytes;
    return a.blocks.back().memory.get() + start;
}

void frame_memory::reset() {
    Arena& a = arena();
    if (a.blocks.size() > 1) {
        const std::size_t size = a.size();
        a.blocks.clear();
        a.add(size);
    }
    a.used = 0;
}

std::size_t frame_memory::capacity() {
    return arena().size();
}

FrameText formatted(const char* format, ...) {
    char buffer[512];
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = std::vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    FrameText text;
    if (length < static_cast<int>(sizeof buffer)) {
        text.assign(buffer, static_cast<std::size_t>(std::max(length, 0)));
    } else { // longer than most: written once more, where there is room
        text.resize(static_cast<std::size_t>(length));
        std::vsnprintf(text.data(), text.size() + 1, format, again);
    }
    va_end(again);
    return text;
}

} // namespace cairn::ui
