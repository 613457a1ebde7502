// Whether these tests run under AddressSanitizer or ThreadSanitizer, some ten times as slow: what is repeated for its
// numbers alone, which are the same in every build, is then repeated less.
#pragma once

namespace cairn {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

// So many steps, or a fifteenth of them: what stands for a minute stands for four seconds, in the same code.
constexpr int minutes_or_seconds(int steps) {
    return sanitized ? steps / 15 : steps;
}

} // namespace cairn
