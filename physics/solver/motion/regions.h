// The division of bodies among threads.
#pragma once

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// A line of memory that another core has written takes a fifth of a microsecond to come over, as long as a contact
// takes to be solved. So all stages of a step divide their work alike: each thread has the bodies of its region, and
// the contacts of those. Nothing of this can be seen in a result.
//
// Bodies are named by motion index, from 1 on, and those of a region follow each other: processors fetch the lines that
// come next as well, and would take them from the thread that works there.
class Regions {
  public:
    static constexpr std::size_t most = 250;

    // Regions of so many bodies each; between 1 and `most` of them.
    void set(std::span<const std::uint32_t> sizes);
    void set_even(std::size_t bodies, std::size_t regions);

    std::size_t count() const { return starts_.empty() ? 1 : starts_.size() - 1; } // of regions
    std::size_t size() const { return starts_.empty() ? 0 : starts_.back() - std::size_t{1}; }
    std::size_t of(std::uint32_t body) const { return regions_[body]; }
    std::uint32_t begin(std::size_t region) const { return starts_[region]; }
    std::uint32_t end(std::size_t region) const { return starts_[region + 1]; }
    std::size_t memory_bytes() const { return bytes_of(regions_) + bytes_of(starts_); }

  private:
    void begin_at_one(std::size_t regions);
    void name_bodies(); // when the starts are known

    std::vector<std::uint8_t> regions_; // by body
    std::vector<std::uint32_t> starts_; // by region, and where the last ends; empty: one region without bodies
};

// Calls visit(body) for all bodies, those of a region on one thread as long as it comes in time.
template <typename Visit>
void for_bodies(Executor& executor, const Regions& regions, const Visit& visit) {
    constexpr std::size_t pieces = 4;       // of a region, for whoever is done early
    constexpr std::size_t worth_while = 64; // bodies
    if (regions.size() <= worth_while) {
        for (std::uint32_t body = 1; body <= regions.size(); ++body) {
            visit(body);
        }
        return;
    }
    const std::size_t tasks = regions.count() * pieces;
    for_tasks(executor, tasks, regions.size() / tasks + 1, [&](std::size_t task) {
        const std::size_t region = task / pieces, piece = task % pieces;
        const std::uint32_t begin = regions.begin(region);
        const std::size_t bodies = regions.end(region) - begin;
        const auto at = [&](std::size_t i) { return begin + static_cast<std::uint32_t>(bodies * i / pieces); };
        for (std::uint32_t body = at(piece); body < at(piece + 1); ++body) {
            visit(body);
        }
    });
}

} // namespace cairn::physics
