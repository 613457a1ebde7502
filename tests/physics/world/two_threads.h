// An executor on two threads without a pool, for tests of what must not depend on them.
#pragma once

#include "physics/base/executor.h"

#include <algorithm>
#include <thread>

namespace cairn::physics::testing {

// Every other block on another thread.
class TwoThreads final : public Executor {
  public:
    void parallel_for(std::size_t count, std::size_t grain, const Block& block) override {
        const auto half = [&](std::size_t first) {
            for (std::size_t begin = first * grain; begin < count; begin += 2 * grain) {
                block(begin, std::min(begin + grain, count));
            }
        };
        std::thread other([&] { half(1); });
        half(0);
        other.join();
    }
    int thread_count() const override { return 2; }
};

} // namespace cairn::physics::testing
