#include "physics/solver/rows/row_targets.h"

// What every processor has that the program may run on: without a choice Highway takes that.
#include "physics/solver/rows/passes/run_rows-inl.h"

namespace cairn::physics {

void run_in_turn(RowPass pass, RowKind kind, std::size_t block, const RowWork& work) {
    RowWork here = work;
    here.fetch_ahead = false; // whoever calls asks for what is ahead
    if (pass == RowPass::warm_start) {
        HWY_NAMESPACE::pass_over_kind<RowPass::warm_start, float>(kind, block, block + 1, here);
    } else if (pass == RowPass::push) {
        HWY_NAMESPACE::pass_over_kind<RowPass::push, float>(kind, block, block + 1, here);
    } else {
        HWY_NAMESPACE::pass_over_kind<RowPass::relax, float>(kind, block, block + 1, here);
    }
}

} // namespace cairn::physics
