// The lists of a pool against those that follow from what was asked of it.
#include "physics/narrowphase/pool/contact_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace cairn::physics {
namespace {

struct Expected {
    std::uint32_t slot = 0;
    bool active = false;
    int points = 0; // 0: apart
};

class PoolTest : public ::testing::Test {
  protected:
    void expect_lists() {
        std::vector<std::uint32_t> active, touching;
        std::size_t contacts = 0;
        for (const auto& [key, pair] : expected) {
            contacts += pair.points > 0 ? 1 : 0;
            if (pair.active) {
                active.push_back(pair.slot);
            }
        }
        std::vector<std::uint32_t> listed;
        for (const ActivePair& entry : pool.active()) {
            listed.push_back(entry.slot);
        }
        ASSERT_EQ(listed, active);
        ASSERT_EQ(pool.size(), expected.size());
        std::size_t visited = 0;
        pool.for_each([&](const Contact& contact) {
            ++visited;
            const ShapePair& pair = pool.pair(contact.pair);
            ASSERT_EQ(&pool[pair.contact], &contact);
            const Expected& wanted = expected.at(pair.key);
            ASSERT_EQ(contact.count, wanted.points);
            for (const ContactPoint& point : pool.points(contact)) {
                ASSERT_EQ(point.preload, static_cast<float>(pair.key));
            }
        });
        ASSERT_EQ(visited, contacts);
        pool.list_touching();
        std::vector<PairKey> keys;
        for (const std::uint32_t index : pool.touching()) {
            keys.push_back(pool.pair(pool[index].pair).key);
        }
        ASSERT_TRUE(std::is_sorted(keys.begin(), keys.end()));
        std::uint64_t resting = 0;
        for (const auto& [key, pair] : expected) {
            resting += pair.active ? 0 : pair.points > 0 ? 1 : 0;
        }
        ASSERT_EQ(keys.size() + resting, contacts);
    }

    ContactPool pool;
    std::map<PairKey, Expected> expected;
};

TEST_F(PoolTest, KeepsItsLists) {
    std::mt19937 generator(17);
    const auto below = [&generator](std::uint32_t n) { return static_cast<std::uint32_t>(generator()) % n; };
    for (int round = 0; round < 400; ++round) {
        // Few changes and many, by turns: the list is mended in two ways.
        const std::uint32_t changes = round % 4 == 0 ? 200 : 1 + below(4);
        for (std::uint32_t i = 0; i < changes; ++i) {
            const std::uint32_t a = below(40), b = 40 + below(40);
            const PairKey key = make_pair_key(a, b);
            const auto at = expected.find(key);
            if (at == expected.end()) {
                expected[key] = {pool.create(key, a, b), false, 0};
                continue;
            }
            Expected& pair = at->second;
            switch (below(4)) {
            case 0:
                pool.destroy(pair.slot);
                expected.erase(at);
                break;
            case 1: {
                const int count = 1 + static_cast<int>(below(4));
                std::array<ContactPoint, 4> points;
                for (ContactPoint& point : points) {
                    point.preload = static_cast<float>(key);
                }
                if (pair.active) {
                    pool.touch(pair.slot, Contact{}, std::span(points).first(static_cast<std::size_t>(count)));
                    pair.points = count;
                }
                break;
            }
            case 2:
                pool.part(pair.slot);
                pair.points = 0;
                break;
            default: // off, on, or off and on again before the lists are brought up to date
                pair.active = !pair.active;
                pool.set_active(pair.slot, pair.active);
            }
        }
        pool.commit();
        expect_lists();
        if (HasFatalFailure()) {
            FAIL() << "round " << round;
        }
    }
    EXPECT_GT(expected.size(), 300u);
}

// The sum over all, whatever of them rests.
TEST_F(PoolTest, HashesTheSameAwakeAndAsleep) {
    std::array<ContactPoint, 2> points;
    points[0].separation = 0.25f;
    points[1].normal_impulse = 3.0f;
    std::vector<std::uint32_t> slots;
    for (std::uint32_t i = 0; i < 10; ++i) {
        slots.push_back(pool.create(make_pair_key(i, 20 + i), i, 20 + i));
        pool.set_active(slots.back(), true);
        pool.touch(slots.back(), Contact{}, points);
    }
    pool.commit();
    pool.list_touching();
    const std::uint64_t awake = pool.hash_sum();
    for (std::size_t i = 0; i < 10; i += 3) {
        pool.set_active(slots[i], false);
        EXPECT_EQ(pool.hash_sum(), awake);
    }
    pool.commit();
    EXPECT_EQ(pool.hash_sum(), awake);
    pool.set_active(slots[3], true); // not listed yet
    EXPECT_EQ(pool.hash_sum(), awake);
    pool.commit();
    EXPECT_EQ(pool.hash_sum(), awake);
    pool.part(slots[0]); // one that rests
    const std::uint64_t without = pool.hash_sum();
    EXPECT_NE(without, awake);
    pool.set_active(slots[0], true);
    pool.commit();
    pool.touch(slots[0], Contact{}, points);
    pool.list_touching();
    EXPECT_EQ(pool.hash_sum(), awake);
}

} // namespace
} // namespace cairn::physics
