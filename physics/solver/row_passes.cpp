#include "physics/solver/row_passes.h"

#include "physics/base/fetch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

// Highway compiles this file once for every vector width and picks one when the program runs. Widths that differ in
// instructions alone would gain nothing here.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "physics/solver/row_passes.cpp"
#include <hwy/foreach_target.h>
// After the line above.
#include "physics/solver/row_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

// Contacts and their points are read in words of four floats.
static_assert(offsetof(Contact, normal) == 16 && offsetof(Contact, friction) == 28);
static_assert(offsetof(Contact, centre_a) == 32 && offsetof(Contact, restitution) == 44);
static_assert(offsetof(Contact, centre_b) == 48 && offsetof(Contact, rolling_arm) == 60);
static_assert(offsetof(Contact, rolling_impulse) == 64 && offsetof(Contact, round_a) == 76);
static_assert(offsetof(Contact, round_b) == 80 && sizeof(Contact) >= 96);
static_assert(offsetof(ContactPoint, anchor_a) == 0 && offsetof(ContactPoint, separation) == 12);
static_assert(offsetof(ContactPoint, normal_impulse) == 28 && offsetof(ContactPoint, take_up) == 44);
static_assert(offsetof(ContactPoint, friction_impulse) == 48 && sizeof(ContactPoint) == 64);
static_assert(offsetof(StepImpulse, friction) == 0 && offsetof(StepImpulse, normal) == 12);

// The word of each lane's record in which `member` of the first record lies.
template <class F, class Record, class Member>
HWY_INLINE Four<F> word_of(const Record* records, const Member& member, const std::uint32_t* index) {
    return gather<F>(reinterpret_cast<const char*>(records) +
                         (reinterpret_cast<const char*>(&member) - reinterpret_cast<const char*>(records)),
                     sizeof(Record), index);
}

// Where in the pool the i-th points of the lanes are; those that are not there are named by the first.
template <class F, int P>
struct PointIndices {
    std::uint32_t at[lanes_of<F>];

    HWY_INLINE PointIndices(const Rows<F, P>& rows, int i) {
        for (std::size_t lane = 0; lane < lanes_of<F>; ++lane) {
            const std::size_t place = rows.lane + lane;
            const bool there = P != 4 || i < 3 || rows.block.count.x[place] > 3.5f;
            at[lane] = rows.block.first_point[place] + (there ? static_cast<std::uint32_t>(i) : 0u);
        }
    }
};

template <bool Balls, class F, int P, class Ahead>
HWY_INLINE void prepare(const Rows<F, P>& rows, const RowWork& work, Ahead&& ahead) {
    RowBlock<P>& block = rows.block;
    const ContactSolverSettings& settings = work.settings;
    const F none = zero<F>();
    const F mass_a = word_of<F>(work.motions, work.motions->linear_velocity, rows.motion_a()).d;
    const F mass_b = word_of<F>(work.motions, work.motions->linear_velocity, rows.motion_b()).d;
    rows.set(block.inverse_mass_a, mass_a);
    rows.set(block.inverse_mass_b, mass_b);
    F pull_a, pull_b;
    const S3<F> inertia_a = gather_inertia<F>(work.inertias, rows.motion_a(), pull_a);
    const S3<F> inertia_b = gather_inertia<F>(work.inertias, rows.motion_b(), pull_b);
    rows.set(block.inverse_inertia_a, inertia_a);
    rows.set(block.inverse_inertia_b, inertia_b);
    ahead.next();

    const std::uint32_t* index = block.contact.data() + rows.lane;
    const Contact* contacts = work.contacts;
    const Four<F> normal_word = word_of<F>(contacts, contacts->normal, index);
    const Four<F> centre_a_word = word_of<F>(contacts, contacts->centre_a, index);
    const Four<F> centre_b_word = word_of<F>(contacts, contacts->centre_b, index);
    const Four<F> rolling_word = word_of<F>(contacts, contacts->rolling_impulse, index);
    const F round_a = rolling_word.d, round_b = word_of<F>(contacts, contacts->round_b, index).a;
    const V3<F> n{normal_word.a, normal_word.b, normal_word.c};
    ahead.next();
    rows.set(block.normal, n);
    rows.set(block.friction, normal_word.d);
    rows.set(block.restitution, centre_a_word.d);
    rows.set(block.round_a, round_a);
    rows.set(block.round_b, round_b);
    const Vec3& g = settings.gravity;
    const F down = dot(V3<F>{constant<F>(g.x), constant<F>(g.y), constant<F>(g.z)}, n);
    rows.set(block.free_acceleration, (pull_b - pull_a) * down);
    block.round = block.round || any(either(round_a > none, round_b > none));
    block.bouncy = block.bouncy || any(centre_a_word.d > none);
    const F share =
        select(mass_a + mass_b > none, constant<F>(settings.warm_starting ? settings.plain_substeps : 0.0f), none);
    if (rows.rolling()) {
        RollingRows& rolling = rows.rolling_rows();
        rows.set(rolling.arm, centre_b_word.d);
        const S3<F> inverse = inverse_of(inertia_a + inertia_b);
        // Selected, not multiplied: zeros of either sign must not tell which lanes stand beside each other.
        const Mask<F> rolls = centre_b_word.d > none;
        const S3<F> still{none, none, none, none, none, none};
        rows.set(rolling.mass, select(rolls, inverse, still));
        const V3<F> kept = share * V3<F>{rolling_word.a, rolling_word.b, rolling_word.c};
        rows.set(rolling.impulse, select(rolls, kept, zero3<F>()));
    }

    ahead.next();
    const V3<F> t1 = perpendicular(n);
    const V3<F> t2 = cross(n, t1);
    rows.set(block.tangent_1, t1);
    rows.set(block.b_to_a, V3<F>{centre_a_word.a - centre_b_word.a, centre_a_word.b - centre_b_word.b,
                                 centre_a_word.c - centre_b_word.c});
    for (int i = 0; i < P; ++i) {
        RowPoint& point = rows.point(i);
        const PointIndices<F, P> at(rows, i);
        ahead.next();
        const Four<F> place = word_of<F>(work.points, work.points->anchor_a, at.at);
        const Four<F> on_a = word_of<F>(work.points, work.points->local_a, at.at);
        const Four<F> on_b = word_of<F>(work.points, work.points->local_b, at.at);
        const Four<F> pushed = word_of<F>(work.points, work.points->friction_impulse, at.at);
        // The anchors lie halfway between the surfaces. Apart, each arm must end on its own surface: that is what turns
        // with the body, and what the other meets when the gap is closed.
        const V3<F> half_gap = (constant<F>(0.5f) * max_of(place.d, none)) * n;
        rows.set(point.start_arm_a, V3<F>{place.a, place.b, place.c} - half_gap);
        rows.set(point.separation, place.d);
        rows.set(point.take_up, on_b.d);
        ahead.next();
        const V3<F> friction{pushed.a, pushed.b, pushed.c};
        const F kept = P == 4 && i == 3 ? select(rows.live(i), share, none) : share;
        rows.set(point.normal_impulse, kept * on_a.d);
        rows.set(point.tangent_impulse_1, kept * dot(friction, t1));
        rows.set(point.tangent_impulse_2, kept * dot(friction, t2));
        rows.set(rows.sums(i).normal, none);
        rows.set(rows.sums(i).tangent_1, none);
        rows.set(rows.sums(i).tangent_2, none);
    }
    set_levers<Balls, F, P>(rows);
}

// Records of four floats by lane.
template <class F>
struct LaneRecords {
    alignas(64) float of[lanes_of<F>][4];

    HWY_INLINE explicit LaneRecords(const Four<F>& values) {
#if HWY_TARGET != HWY_SCALAR
        const Four<F> rows = transposed(values);
        const F* const all[4] = {&rows.a, &rows.b, &rows.c, &rows.d};
        for (std::size_t r = 0; r < 4; ++r) {
            alignas(64) float out[lanes_of<F>];
            Make<F>::store(*all[r], out);
            for (std::size_t block = 0; block < lanes_of<F> / 4; ++block) {
                for (std::size_t k = 0; k < 4; ++k) {
                    of[4 * block + r][k] = out[4 * block + k];
                }
            }
        }
#else
        of[0][0] = values.a;
        of[0][1] = values.b;
        of[0][2] = values.c;
        of[0][3] = values.d;
#endif
    }
};

template <class F, int P, class Ahead>
HWY_INLINE void store_impulses(const Rows<F, P>& rows, const RowWork& work, Ahead&& ahead) {
    const RowBlock<P>& block = rows.block;
    const V3<F> t1 = rows.get(block.tangent_1), t2 = cross(rows.get(block.normal), t1);
    const F to_plain = constant<F>(1.0f / work.settings.plain_substeps);
    const std::size_t used = std::min(lanes_of<F>, block.used - rows.lane);
    for (int i = 0; i < P; ++i) {
        const RowPoint& point = rows.point(i);
        const V3<F> kept = to_plain * (rows.get(point.tangent_impulse_1) * t1 + rows.get(point.tangent_impulse_2) * t2);
        const V3<F> whole = rows.get(rows.sums(i).tangent_1) * t1 + rows.get(rows.sums(i).tangent_2) * t2;
        ahead.next();
        const LaneRecords<F> next({kept.x, kept.y, kept.z, to_plain * rows.get(point.normal_impulse)});
        const LaneRecords<F> step({whole.x, whole.y, whole.z, rows.get(rows.sums(i).normal)});
        ahead.next();
        for (std::size_t lane = 0; lane < used; ++lane) {
            if (P == 4 && i == 3 && block.count.x[rows.lane + lane] < 3.5f) {
                continue;
            }
            const std::uint32_t at = block.first_point[rows.lane + lane] + static_cast<std::uint32_t>(i);
            ContactPoint& to = work.points[at];
            to.friction_impulse = {next.of[lane][0], next.of[lane][1], next.of[lane][2]};
            to.normal_impulse = next.of[lane][3];
            work.step_impulses[at] = {{step.of[lane][0], step.of[lane][1], step.of[lane][2]}, step.of[lane][3]};
        }
    }
    if (rows.rolling()) {
        const RollingRows& rolling = rows.rolling_rows();
        const V3<F> impulse = to_plain * rows.get(rolling.impulse);
        const LaneRecords<F> next({impulse.x, impulse.y, impulse.z, zero<F>()});
        for (std::size_t lane = 0; lane < used; ++lane) {
            if (rolling.arm.x[rows.lane + lane] > 0.0f) { // the others stay as they are in blocks of their like
                work.contacts[block.contact[rows.lane + lane]].rolling_impulse = {next.of[lane][0], next.of[lane][1],
                                                                                  next.of[lane][2]};
            }
        }
    }
}

template <RowPass Pass, bool Balls, class F, int P, class Ahead>
HWY_INLINE void pass_over(const Rows<F, P>& rows, const RowWork& work, Ahead&& ahead) {
    if constexpr (Pass == RowPass::prepare) {
        prepare<Balls>(rows, work, ahead);
        return;
    }
    if constexpr (Pass == RowPass::store) {
        store_impulses(rows, work, ahead);
        return;
    }
    if constexpr (Pass == RowPass::turn) {
        turn_arms<Balls>(rows, rows.ways(work.motions), work.inertias);
        return;
    }
    if constexpr (Pass == RowPass::warm_start) {
        Pair<F> pair = rows.pair(work.motions);
        warm_start(rows, pair, ahead);
        rows.save(pair, work.motions);
    }
    if constexpr (Pass == RowPass::push || Pass == RowPass::relax) {
        const Ways<F> ways = rows.ways(work.motions);
        if constexpr (Pass == RowPass::relax) {
            turn_arms<Balls>(rows, ways, work.inertias);
        }
        Pair<F> pair = rows.pair(work.motions);
        solve_rows<Pass == RowPass::push, Balls>(rows, pair, ways, work.settings, ahead);
        rows.save(pair, work.motions);
        if constexpr (Pass == RowPass::relax) {
            accumulate(rows);
        }
    }
}

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
        return points == 1 ? 7 : 6 + 4 * points;
    case RowPass::store:
        return 2 * points;
    }
    return 0;
}

// Asks for what the pass will read after the block that it is at, in as many bits as it calls: rows of a block further
// on, and what the next one names, which is known once its own rows are there: bodies, or what is in the pool.
template <RowPass Pass, int P>
class FetchAhead {
  public:
    // At the first of `count` blocks.
    HWY_INLINE FetchAhead(const RowBlock<P>* blocks, std::size_t count, const RowWork& work)
        : rows_(reinterpret_cast<const char*>(&blocks[std::min(rows_ahead, count - 1)])),
          names_(blocks[std::min(names_ahead, count - 1)]),
          work_(work) {}

    HWY_INLINE void next() {
        if (line_ < lines.count) {
            for (std::size_t k = 0; k < lines_at_once; ++k) {
                __builtin_prefetch(rows_ + lines.of[line_ + k] * cache_line, 0, second_cache);
            }
            line_ += lines_at_once;
        }
        if (lane_ < block_lanes) {
            for (std::size_t k = 0; k < lanes_at_once; ++k) {
                fetch_named(lane_ + k);
            }
            lane_ += lanes_at_once;
        }
    }

    // All that has not been asked for yet.
    HWY_INLINE void rest() {
        while (line_ < lines.count || lane_ < block_lanes) {
            next();
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
    static_assert(lines.count + lines_at_once <= lines.of.size() && block_lanes % lanes_at_once == 0);

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
    std::size_t line_ = 0, lane_ = 0;
};

// The same work with and without: in the caches, asking costs time and gains none.
template <RowPass Pass, bool Balls, bool Far, int P>
void pass_over_blocks(std::vector<RowBlock<P>>& blocks, std::size_t begin, std::size_t end, const RowWork& work) {
    constexpr std::size_t width = lanes_of<Wide>;
    for (std::size_t i = begin; i < end; ++i) {
        RowBlock<P>& block = blocks[i];
        const auto from_here = [&] {
            if constexpr (Far) {
                return FetchAhead<Pass, P>(&block, end - i, work);
            } else {
                return NothingAhead();
            }
        };
        auto ahead = from_here();
        if constexpr (Pass == RowPass::warm_start || Pass == RowPass::push || Pass == RowPass::relax) {
            if (block.in_turn) {
                for (std::size_t lane = 0; lane < block.used; ++lane) {
                    pass_over<Pass, Balls>(Rows<float, P>{block, lane, *work.blocks}, work, NothingAhead());
                }
                ahead.rest();
                continue;
            }
        }
        for (std::size_t lane = 0; lane < block.used; lane += width) {
            pass_over<Pass, Balls>(Rows<Wide, P>{block, lane, *work.blocks}, work, ahead);
        }
        ahead.rest();
    }
}

template <RowPass Pass, bool Far>
void pass_over_kind(RowKind kind, std::size_t begin, std::size_t end, const RowWork& work) {
    RowBlocks& blocks = *work.blocks;
    switch (kind) {
    case RowKind::balls:
        pass_over_blocks<Pass, true, Far>(blocks.balls, begin, end, work);
        break;
    case RowKind::one:
        pass_over_blocks<Pass, false, Far>(blocks.one, begin, end, work);
        break;
    case RowKind::two:
        pass_over_blocks<Pass, false, Far>(blocks.two, begin, end, work);
        break;
    case RowKind::four:
        pass_over_blocks<Pass, false, Far>(blocks.four, begin, end, work);
        break;
    }
}

template <RowPass Pass>
void run_pass(RowKind kind, std::size_t begin, std::size_t end, const RowWork& work) {
    if (work.fetch_ahead) {
        pass_over_kind<Pass, true>(kind, begin, end, work);
    } else {
        pass_over_kind<Pass, false>(kind, begin, end, work);
    }
}

void run_rows(RowPass pass, RowKind kind, std::size_t begin, std::size_t end, const RowWork& work) {
    switch (pass) {
    case RowPass::prepare:
        run_pass<RowPass::prepare>(kind, begin, end, work);
        break;
    case RowPass::turn:
        run_pass<RowPass::turn>(kind, begin, end, work);
        break;
    case RowPass::warm_start:
        run_pass<RowPass::warm_start>(kind, begin, end, work);
        break;
    case RowPass::push:
        run_pass<RowPass::push>(kind, begin, end, work);
        break;
    case RowPass::relax:
        run_pass<RowPass::relax>(kind, begin, end, work);
        break;
    case RowPass::store:
        run_pass<RowPass::store>(kind, begin, end, work);
        break;
    }
}

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::physics {

HWY_EXPORT(run_rows);

void run_rows(RowPass pass, RowKind kind, std::size_t begin, std::size_t end, const RowWork& work) {
    HWY_DYNAMIC_DISPATCH(run_rows)(pass, kind, begin, end, work);
}

} // namespace cairn::physics
#endif
