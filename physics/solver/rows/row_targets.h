// The vector widths for which the passes of row_passes.h are compiled: one source file each, row_passes_WIDTH.cpp, so
// that they are built side by side. To be included before anything of Highway.
#pragma once

#include "physics/solver/rows/row_passes.h"

// Widths that differ in instructions alone would gain nothing: all that Highway ranks above AVX3 are.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | (HWY_AVX3 - 1))
#endif

namespace cairn::physics {

// Contacts of a block that may share bodies, one after the other: a pass that pushes. Code for every processor, in
// which a number is a float.
void run_in_turn(RowPass pass, RowKind kind, std::size_t block, const RowWork& work);

} // namespace cairn::physics
