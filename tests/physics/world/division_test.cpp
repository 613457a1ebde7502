#include "physics/solver/motion/regions.h"
#include "physics/world/islands/division.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

using namespace cairn::physics;

namespace {

// A flat heap of `n` by `n` by 2 bodies a metre apart, each in touch with its neighbours, listed in the order of `key`.
template <typename Key>
Division heap(std::uint32_t n, const Key& key) {
    std::vector<std::array<std::uint32_t, 3>> cells;
    for (std::uint32_t z = 0; z < 2; ++z) {
        for (std::uint32_t y = 0; y < n; ++y) {
            for (std::uint32_t x = 0; x < n; ++x) {
                cells.push_back({x, y, z});
            }
        }
    }
    std::sort(cells.begin(), cells.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    Division division;
    for (const auto& [x, y, z] : cells) {
        division.bodies.push_back({Vec3(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)), 1, 0});
    }
    for (std::uint32_t i = 0; i < cells.size(); ++i) {
        for (std::uint32_t k = 0; k < i; ++k) {
            const Vec3 way = division.bodies[i].position - division.bodies[k].position;
            if (glm::dot(way, way) < 1.5f) {
                division.contacts.push_back({k, i});
            }
        }
    }
    return division;
}

std::size_t contacts_across(const Division& division) {
    return static_cast<std::size_t>(
        std::count_if(division.contacts.begin(), division.contacts.end(), [&](const Division::Contact& contact) {
            return division.bodies[contact.a].region != division.bodies[contact.b].region;
        }));
}

std::vector<std::size_t> sizes(const Division& division, std::size_t regions) {
    std::vector<std::size_t> counts(regions, 0);
    for (const Division::Body& body : division.bodies) {
        ++counts.at(body.region);
    }
    return counts;
}

// In the order of the list, and yet as if thrown about: 101 shares no factor with the 200 bodies.
std::uint32_t mixed(const std::array<std::uint32_t, 3>& cell) {
    return (cell[0] + 10 * cell[1] + 100 * cell[2]) * 101 % 200;
}

} // namespace

TEST(Division, CutsWhereFewestContactsReachAcross) {
    // Of ten by ten by two, a plane across cuts 20 contacts, the one between the layers 100.
    Division division = heap(10, mixed);
    division.divide(2);
    EXPECT_EQ(contacts_across(division), 20u);
    EXPECT_EQ(sizes(division, 2), (std::vector<std::size_t>{100, 100}));
}

TEST(Division, PrefersTheListWhereThatIsAsGood) {
    // Rows along x follow each other, so a plane across y separates neighbours of the list once in each layer, and one
    // across x in every row.
    Division division = heap(10, [](const auto& cell) { return cell[0] + 10 * cell[1] + 100 * cell[2]; });
    division.divide(2);
    EXPECT_EQ(contacts_across(division), 20u);
    for (const Division::Body& body : division.bodies) {
        EXPECT_EQ(body.region, body.position.y < 4.5f ? 0 : 1);
    }
}

TEST(Division, GivesAllRegionsAboutTheSameWork) {
    for (const std::size_t regions : {1u, 2u, 3u, 4u, 7u}) {
        Division division = heap(20, mixed);
        std::uint64_t whole = 0;
        for (Division::Body& body : division.bodies) {
            body.weight = body.position.x < 5.0f ? 9 : 1;
            whole += body.weight;
        }
        division.divide(regions);
        std::vector<std::uint64_t> weights(regions, 0);
        for (const Division::Body& body : division.bodies) {
            weights.at(body.region) += body.weight;
        }
        for (const std::uint64_t weight : weights) {
            EXPECT_NEAR(static_cast<double>(weight), static_cast<double>(whole) / static_cast<double>(regions), 36.0);
        }
    }
}

TEST(Division, CopesWithBodiesInOnePlaceAndFewerThanRegions) {
    Division division;
    division.divide(4); // none at all
    division.bodies.resize(3);
    division.contacts = {{0, 1}, {1, 2}};
    division.divide(8);
    for (const Division::Body& body : division.bodies) {
        EXPECT_LT(body.region, 8);
    }
}

// What a distance goes into is then more than a float holds.
TEST(Division, CopesWithDistancesThatAreHardlyNumbers) {
    Division division;
    division.bodies.resize(3, {Vec3(0.0f), 1, 0});
    division.bodies[1].position.x = 1e-38f;
    division.bodies[2].position.x = 2e-38f;
    division.contacts = {{0, 1}, {1, 2}};
    division.divide(2);
    const std::vector<std::size_t> counts = sizes(division, 2);
    EXPECT_GT(counts[0], 0u);
    EXPECT_GT(counts[1], 0u);
}

TEST(Regions, ListEveryBodyOnce) {
    Regions regions;
    EXPECT_EQ(regions.count(), 1u);
    EXPECT_EQ(regions.size(), 0u);
    const std::array<std::uint32_t, 3> sizes{2, 0, 3};
    regions.set(sizes);
    EXPECT_EQ(regions.count(), 3u);
    EXPECT_EQ(regions.size(), 5u);
    const std::array<std::size_t, 5> expected{0, 0, 2, 2, 2};
    for (std::uint32_t body = 1; body <= 5; ++body) {
        EXPECT_EQ(regions.of(body), expected[body - 1]);
        EXPECT_LE(regions.begin(regions.of(body)), body);
        EXPECT_GT(regions.end(regions.of(body)), body);
    }
}

TEST(Regions, CallForEachBodyOnce) {
    SerialExecutor executor;
    for (const std::size_t bodies : {1u, 63u, 1000u}) {
        Regions regions;
        regions.set_even(bodies, 3);
        std::vector<int> calls(bodies + 1, 0);
        for_bodies(executor, regions, [&](std::uint32_t body) { ++calls[body]; });
        EXPECT_EQ(std::count(calls.begin() + 1, calls.end(), 1), static_cast<std::ptrdiff_t>(bodies));
        EXPECT_EQ(calls[0], 0);
    }
}
