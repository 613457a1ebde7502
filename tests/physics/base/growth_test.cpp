#include "physics/base/growth.h"

#include <gtest/gtest.h>

namespace cairn::physics {
namespace {

void fill(RefilledList<int>& list, int count) {
    list.refill();
    for (int i = 0; i < count; ++i) {
        ASSERT_EQ(list.add(), static_cast<std::uint32_t>(i));
    }
}

TEST(RefilledList, KeepsTheMemoryThatSomeStepsNeed) {
    RefilledList<int> list;
    fill(list, 1000);
    const std::size_t held = list.capacity();
    for (int step = 0; step < 1000; ++step) { // a burst now and then, whatever the step in which memory is looked at
        fill(list, step % 37 == 0 ? 1000 : 3);
        ASSERT_EQ(list.capacity(), held) << step;
    }
}

TEST(RefilledList, GivesBackWhatNoStepNeedsAnyMore) {
    RefilledList<int> list;
    fill(list, 1000);
    for (int step = 0; step < 130; ++step) {
        fill(list, 3);
    }
    EXPECT_LT(list.capacity(), 100u);
    EXPECT_EQ(list.size(), 3u);
}

} // namespace
} // namespace cairn::physics
