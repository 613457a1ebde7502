// A run of which nothing is to be kept takes no more memory the longer it is.
#include "app/core/runner/runner.h"
#include "tests/core/runner/ball.h"

#include <gtest/gtest.h>
#include <malloc.h>

namespace cairn::core {
namespace {

std::size_t growth(std::size_t history_budget) {
    Scene scene;
    scene.bodies = {ball({0, 0, 2})};
    Runner runner(scene, nullptr, history_budget);
    const auto run = [&](int steps) {
        for (int i = 0; i < steps; ++i) {
            runner.step();
        }
    };
    run(1000); // what grows at first, has
    const std::size_t before = ::mallinfo2().uordblks;
    run(20'000);
    const std::size_t after = ::mallinfo2().uordblks;
    return after > before ? after - before : 0;
}

TEST(RunnerMemory, StaysTheSameWhereThePastIsNotKept) {
    // The control: a past that is kept takes some 50 bytes a step.
    const std::size_t kept = growth(History::usual_budget);
    if (kept == 0) {
        GTEST_SKIP() << "memory is counted by nobody in this build";
    }
    EXPECT_GT(kept, 20'000u * 10);
    EXPECT_LT(growth(0), 20'000u);
}

} // namespace
} // namespace cairn::core
