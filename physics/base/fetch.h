// Asking for memory before it is read.
#pragma once

#include <cstddef>

namespace cairn::physics {

inline constexpr std::size_t cache_line = 64; // bytes

// What does nothing but fetch must be inlined: compilers take a call for one that does nothing at all, and drop it.
#define CAIRN_FETCH [[gnu::always_inline]] inline

// All lines that an object of `bytes` touches. It is no access: any address may be given, and nothing depends on it but
// time.
CAIRN_FETCH void fetch_lines(const void* object, std::size_t bytes) {
    const char* at = static_cast<const char*>(object);
    for (std::size_t i = 0; i < bytes; i += cache_line) {
        __builtin_prefetch(at + i);
    }
    __builtin_prefetch(at + bytes - 1);
}

} // namespace cairn::physics
