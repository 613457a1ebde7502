#include "physics/solver/rows/row_passes.h"

#include "physics/solver/rows/row_targets.h"

// Highway picks one of the vector widths when the program runs. What is compiled for each stands in files of its own.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "physics/solver/rows/passes/row_passes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

namespace cairn::physics::HWY_NAMESPACE {

void run_rows(RowPass pass, RowKind kind, std::size_t begin, std::size_t end, const RowWork& work);

} // namespace cairn::physics::HWY_NAMESPACE

#if HWY_ONCE
namespace cairn::physics {

HWY_EXPORT(run_rows);

void run_rows(RowPass pass, RowKind kind, std::size_t begin, std::size_t end, const RowWork& work) {
    HWY_DYNAMIC_DISPATCH(run_rows)(pass, kind, begin, end, work);
}

} // namespace cairn::physics
#endif
