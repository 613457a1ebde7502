// The timed loop, the same for all.
#pragma once

#include "bench/queries/case.h"

#include <benchmark/benchmark.h>

namespace cairn::bench {

// One iteration asks about every pose once, so that each library sees the same mix however long it is measured.
template <class Ask>
std::function<void(benchmark::State&)> passes(std::size_t count, Ask ask) {
    return [count, ask](benchmark::State& state) mutable {
        for (auto _ : state) {
            for (std::size_t i = 0; i < count; ++i) {
                auto answer = ask(i);
                benchmark::DoNotOptimize(answer);
            }
        }
    };
}

} // namespace cairn::bench
