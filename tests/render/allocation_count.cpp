// The replaced operators live in a file of their own: inlined next to their callers they look mismatched to the
// compiler.
#include "tests/render/allocation_count.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> allocations{0};
}

namespace cairn::render::tests {

long allocation_count() {
    return allocations;
}

} // namespace cairn::render::tests

void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) {
        return memory;
    }
    throw std::bad_alloc();
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
