#include "app/core/report/statistics/statistics.h"

#include <gtest/gtest.h>

#include <numeric>

namespace cairn::core {
namespace {

TEST(Ranks, PercentilesAreValuesOfTheList) {
    std::vector<double> hundred(100);
    std::iota(hundred.begin(), hundred.end(), 1.0);
    EXPECT_EQ(percentile(hundred, 0.99), 99.0);
    EXPECT_EQ(percentile(hundred, 0.5), 50.0);
    EXPECT_EQ(percentile(hundred, 0.0), 1.0);
    EXPECT_EQ(percentile(hundred, 1.0), 100.0);
    EXPECT_EQ(percentile({3.0, 5.0, 9.0}, 0.5), 5.0);
    EXPECT_EQ(percentile({3.0, 5.0, 9.0}, 0.99), 9.0);
    EXPECT_EQ(percentile({7.0}, 0.5), 7.0);
    EXPECT_EQ(percentile({}, 0.5), 0.0);
}

TEST(Ranks, MedianIsTheMiddleOrBetweenTheTwo) {
    EXPECT_EQ(median({9.0, 1.0, 5.0}), 5.0);
    EXPECT_EQ(median({9.0, 1.0, 5.0, 6.0}), 5.5);
    EXPECT_EQ(median({}), 0.0);
}

} // namespace
} // namespace cairn::core
