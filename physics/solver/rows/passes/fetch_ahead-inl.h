// Asking for what a pass over blocks will read, while it works on those before.
#if defined(CAIRN_SOLVER_FETCH_AHEAD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_SOLVER_FETCH_AHEAD_INL
#undef CAIRN_SOLVER_FETCH_AHEAD_INL
#else
#define CAIRN_SOLVER_FETCH_AHEAD_INL
#endif

#include "physics/base/fetch.h"
#include "physics/solver/rows/lanes-inl.h"
#include "physics/solver/rows/row_passes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

// Lines of a block, as a list.
struct BlockLines {
    std::array<std::uint8_t, 192> of{};
    std::size_t count = 0;

    // Those of [begin, end), bytes from the start of the block.
    constexpr void add(std::size_t begin, std::size_t end) {
        for (std::size_t line = begin / cache_line; line * cache_line < end; ++line) {
            of[count++] = static_cast<std::uint8_t>(line);
        }
        std::fill(of.begin() + count, of.end(), of[count - 1]); // so that any number may be taken at once
    }
};

// What the pass reads of a block, or writes.
template <RowPass Pass, int P>
constexpr BlockLines lines_of() {
    using Block = RowBlock<P>;
    BlockLines lines;
    if constexpr (Pass == RowPass::prepare) {
        lines.add(0, sizeof(Block));
    } else if constexpr (Pass == RowPass::warm_start) {
        lines.add(0, offsetof(Block, round_a));
        lines.add(offsetof(Block, points), offsetof(Block, sums));
    } else if constexpr (Pass == RowPass::store) {
        lines.add(offsetof(Block, used), offsetof(Block, inverse_mass_a));
        lines.add(offsetof(Block, normal), offsetof(Block, b_to_a));
        for (std::size_t i = 0; i < static_cast<std::size_t>(P); ++i) {
            const std::size_t point = offsetof(Block, points) + i * sizeof(RowPoint);
            lines.add(point + offsetof(RowPoint, normal_impulse), point + sizeof(RowPoint));
        }
        lines.add(offsetof(Block, sums), offsetof(Block, restitution));
        lines.add(offsetof(Block, contact), sizeof(Block));
    } else {
        lines.add(0, Pass == RowPass::relax ? offsetof(Block, restitution) : offsetof(Block, sums));
    }
    return lines;
}

// How often a pass calls for what is ahead while it works on some lanes, at least.
constexpr std::size_t calls_of(RowPass pass, std::size_t points) {
    switch (pass) {
    case RowPass::prepare:
        return 3 + 2 * points;
    case RowPass::turn:
        return 0;
    case RowPass::warm_start:
        return 2 + points;
    case RowPass::push:
    case RowPass::relax:
    case RowPass::settle:
        return points == 1 ? 7 : 6 + 4 * points;
    case RowPass::store:
        return 2 * points;
    }
    return 0;
}

// Asks for what the pass will read after the block that it is at, in as many bits as it calls: rows of a block further
// on, and what the next one names, which is known once its own rows are there: bodies, or what is in the pool. Nothing
// where the work does not want it: in the caches, asking costs time and gains none.
template <RowPass Pass, int P>
class FetchAhead {
  public:
    // At the first of `count` blocks.
    HWY_INLINE FetchAhead(const RowBlock<P>* blocks, std::size_t count, const RowWork& work)
        : rows_(reinterpret_cast<const char*>(&blocks[std::min(rows_ahead, count - 1)])),
          names_(blocks[std::min(names_ahead, count - 1)]),
          work_(work),
          turn_(work.fetch_ahead ? 0 : turns) {}

    HWY_INLINE void next() {
        if (turn_ < turns) {
            fetch_some();
        }
    }

    // All that has not been asked for yet.
    HWY_INLINE void rest() {
        while (turn_ < turns) {
            fetch_some();
        }
    }

  private:
    // Into the second cache, from where they come in time: the first one has too few requests under way at once for a
    // core that waits a hundred nanoseconds for each, and works on a block for three hundred.
    static constexpr int second_cache = 2;
    static constexpr std::size_t rows_ahead = 4, names_ahead = 1; // blocks
    static constexpr BlockLines lines = lines_of<Pass, P>();
    static constexpr std::size_t calls =
        std::max<std::size_t>(calls_of(Pass, P), 1) * (block_lanes / std::min(block_lanes, lanes_of<Wide>));
    static constexpr std::size_t lines_at_once = (lines.count + calls - 1) / calls;
    static constexpr std::size_t lanes_at_once = std::bit_ceil((block_lanes + calls - 1) / calls);
    static constexpr std::size_t line_turns = (lines.count + lines_at_once - 1) / lines_at_once;
    static constexpr std::size_t lane_turns = block_lanes / lanes_at_once;
    static constexpr std::size_t turns = std::max(line_turns, lane_turns);
    static_assert(line_turns * lines_at_once <= lines.of.size() && block_lanes % lanes_at_once == 0);

    HWY_INLINE void fetch_some() {
        if (turn_ < line_turns) {
            for (std::size_t k = 0; k < lines_at_once; ++k) {
                __builtin_prefetch(rows_ + lines.of[turn_ * lines_at_once + k] * cache_line, 0, second_cache);
            }
        }
        if (turn_ < lane_turns) {
            for (std::size_t k = 0; k < lanes_at_once; ++k) {
                fetch_named(turn_ * lanes_at_once + k);
            }
        }
        ++turn_;
    }

    HWY_INLINE void fetch_named(std::size_t lane) const {
        constexpr bool made = Pass == RowPass::prepare, kept = Pass == RowPass::store;
        if constexpr (made || kept) {
            fetch_lines(work_.points + names_.first_point[lane], P * sizeof(ContactPoint));
        }
        if constexpr (made) {
            fetch_lines(work_.contacts + names_.contact[lane], 2 * cache_line); // as far as it is read
        } else if constexpr (kept) {
            fetch_lines(work_.step_impulses + names_.first_point[lane], P * sizeof(StepImpulse));
        } else {
            __builtin_prefetch(work_.motions + names_.motion_a[lane]);
            __builtin_prefetch(work_.motions + names_.motion_b[lane]);
        }
    }

    const char* rows_;
    const RowBlock<P>& names_;
    const RowWork& work_;
    std::size_t turn_;
};
} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
