// The floating-point environment that the determinism contract names.
#pragma once

#include <xmmintrin.h>

namespace cairn::physics {

// Rounds to nearest and keeps denormal numbers while it lives, whatever the host has set for this thread: audio and
// graphics libraries flush denormals to zero, and then the same scene would have other bits.
class DefaultFloats {
  public:
    DefaultFloats() : before_(_mm_getcsr()) {
        if ((before_ & changed) != 0) {
            _mm_setcsr(before_ & ~changed);
        }
    }
    ~DefaultFloats() {
        if ((before_ & changed) != 0) {
            _mm_setcsr(_mm_getcsr() | (before_ & changed));
        }
    }
    DefaultFloats(const DefaultFloats&) = delete;
    DefaultFloats& operator=(const DefaultFloats&) = delete;

  private:
    static constexpr unsigned changed = 0x8000u | 0x6000u | 0x0040u; // flush to zero, rounding mode, denormals are zero
    unsigned before_;
};

} // namespace cairn::physics
