// The passes of row_passes.h for one vector width.
#include "physics/solver/rows/passes/fetch_ahead-inl.h"
#include "physics/solver/rows/passes/row_contacts-inl.h"
#include "physics/solver/rows/row_targets.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

template <bool Balls, int P>
inline constexpr bool may_roll = P <= 2 && !Balls;

// What rolls is taken to the middle of the substep to come by the velocities at its beginning: later they are those of
// bodies of which some have been held up and some have not.
template <bool Balls, class F, int P>
HWY_INLINE void look_ahead(const Rows<F, P>& rows, const RowWork& work) {
    if constexpr (may_roll<Balls, P>) {
        if (rows.rolls_on()) {
            turn_rolling(rows, rows.ways(work.motions), work.motions, work.inertias, 0.5f * work.settings.h, false);
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
        store_impulses<Balls>(rows, work, ahead);
        return;
    }
    if constexpr (Pass == RowPass::turn) {
        turn_arms<Balls>(rows, rows.ways(work.motions), work.inertias, true);
        return;
    }
    if constexpr (Pass == RowPass::warm_start) {
        warm_start(rows, work.motions, ahead);
    }
    if constexpr (Pass == RowPass::push || Pass == RowPass::relax) {
        const Ways<F> ways = rows.ways(work.motions);
        if constexpr (Pass == RowPass::relax && may_roll<Balls, P>) {
            if (rows.rolls_on()) {
                turn_rolling(rows, ways, work.motions, work.inertias, -0.5f * work.settings.h, true);
            } else {
                turn_arms<Balls>(rows, ways, work.inertias);
            }
        } else if constexpr (Pass == RowPass::relax) {
            turn_arms<Balls>(rows, ways, work.inertias);
        }
        const bool bears = solve_rows<Pass == RowPass::push, Balls>(rows, work.motions, ways, work.settings, ahead);
        if constexpr (Pass == RowPass::relax) {
            if (work.adds_impulses) {
                if (bears) {
                    accumulate<Balls>(rows);
                }
                look_ahead<Balls>(rows, work);
            }
        }
    }
}
// Blocks of a kind one after the other, as many lanes at a time as F holds.
template <RowPass Pass, class F, bool Balls, int P>
void pass_over_blocks(RowKind kind, std::vector<RowBlock<P>>& blocks, std::size_t begin, std::size_t end,
                      const RowWork& work) {
    constexpr bool pushes = Pass == RowPass::warm_start || Pass == RowPass::push || Pass == RowPass::relax;
    for (std::size_t i = begin; i < end; ++i) {
        RowBlock<P>& block = blocks[i];
        FetchAhead<Pass, P> ahead(&block, end - i, work);
        if (pushes && lanes_of<F> != 1 && block.in_turn) {
            run_in_turn(Pass, kind, i, work);
        } else {
            for (std::size_t lane = 0; lane < block.used; lane += lanes_of<F>) {
                pass_over<Pass, Balls>(Rows<F, P>{block, lane, *work.blocks}, work, ahead);
            }
            if constexpr (Pass == RowPass::prepare) { // once all lanes are there
                for (std::size_t lane = 0; lane < block.used; lane += lanes_of<F>) {
                    look_ahead<Balls>(Rows<F, P>{block, lane, *work.blocks}, work);
                }
            }
        }
        ahead.rest();
    }
}

template <RowPass Pass, class F>
void pass_over_kind(RowKind kind, std::size_t begin, std::size_t end, const RowWork& work) {
    RowBlocks& blocks = *work.blocks;
    switch (kind) {
    case RowKind::balls:
        pass_over_blocks<Pass, F, true>(kind, blocks.balls, begin, end, work);
        break;
    case RowKind::one:
        pass_over_blocks<Pass, F, false>(kind, blocks.one, begin, end, work);
        break;
    case RowKind::two:
        pass_over_blocks<Pass, F, false>(kind, blocks.two, begin, end, work);
        break;
    case RowKind::four:
        pass_over_blocks<Pass, F, false>(kind, blocks.four, begin, end, work);
        break;
    }
}

void run_rows(RowPass pass, RowKind kind, std::size_t begin, std::size_t end, const RowWork& work) {
    switch (pass) {
    case RowPass::prepare:
        pass_over_kind<RowPass::prepare, Wide>(kind, begin, end, work);
        break;
    case RowPass::turn:
        pass_over_kind<RowPass::turn, Wide>(kind, begin, end, work);
        break;
    case RowPass::warm_start:
        pass_over_kind<RowPass::warm_start, Wide>(kind, begin, end, work);
        break;
    case RowPass::push:
        pass_over_kind<RowPass::push, Wide>(kind, begin, end, work);
        break;
    case RowPass::relax:
        pass_over_kind<RowPass::relax, Wide>(kind, begin, end, work);
        break;
    case RowPass::settle: {
        RowWork quiet = work;
        quiet.adds_impulses = false;
        pass_over_kind<RowPass::relax, Wide>(kind, begin, end, quiet);
        break;
    }
    case RowPass::store:
        pass_over_kind<RowPass::store, Wide>(kind, begin, end, work);
        break;
    }
}

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
