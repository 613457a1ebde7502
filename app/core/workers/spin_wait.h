// Waiting for another thread without going to sleep.
#pragma once

#include <chrono>
#include <thread>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace cairn::core {

// A step runs some dozens of loops, most of them a few microseconds apart. A thread that sleeps takes some 50 us to
// come back, so idle ones spin for the next loop for about as long before they go to sleep.
inline constexpr auto spin_time = std::chrono::microseconds(60);

// Where one step follows the other, what is done between them takes less than this. To wake a thread costs its caller
// some 20 us, and each step would begin with that.
inline constexpr auto between_steps = std::chrono::microseconds(600);

inline void pause_spinning() {
#if defined(__x86_64__) || defined(__i386__)
    _mm_pause();
#else
    std::this_thread::yield();
#endif
}

// Until `there` holds, or for about `time`; true if it holds.
template <typename Condition>
bool spin_until(Condition&& there, std::chrono::nanoseconds time = spin_time) {
    using Clock = std::chrono::steady_clock;
    constexpr int looks = 32; // between two looks at the clock
    for (int i = 0; i < looks; ++i) {
        if (there()) {
            return true;
        }
        pause_spinning();
    }
    const Clock::time_point end = Clock::now() + time;
    do {
        for (int i = 0; i < looks; ++i) {
            if (there()) {
                return true;
            }
            pause_spinning();
        }
    } while (Clock::now() < end);
    return there();
}

} // namespace cairn::core
