// The set of pairs against the library's.
#include "physics/narrowphase/pool/pair_set.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>

namespace cairn::physics {
namespace {

TEST(PairSet, HoldsWhatWasPutInAndNotTakenOut) {
    std::mt19937 generator(3);
    // Few shapes give dense clusters of entries that removal must close, many give growth.
    for (const std::uint32_t shapes : {8u, 40u, 3000u}) {
        PairSet set;
        std::set<PairKey> expected;
        int found = 0, missed = 0;
        for (int i = 0; i < 20000; ++i) {
            const std::uint32_t a = static_cast<std::uint32_t>(generator()) % shapes;
            const std::uint32_t b = static_cast<std::uint32_t>(generator()) % shapes;
            if (a == b) {
                continue;
            }
            const PairKey key = make_pair_key(a, b);
            const bool there = expected.count(key) != 0;
            ASSERT_EQ(set.contains(key), there) << "operation " << i;
            (there ? found : missed) += 1;
            if (there) {
                set.erase(key);
                expected.erase(key);
            } else {
                set.insert(key);
                expected.insert(key);
            }
            ASSERT_EQ(set.size(), expected.size());
        }
        for (const PairKey key : expected) {
            ASSERT_TRUE(set.contains(key));
        }
        EXPECT_GT(missed, 1000);
        EXPECT_GT(found, shapes == 3000u ? 10 : 1000);
    }
}

} // namespace
} // namespace cairn::physics
