// Counts what the program asks of the heap.
#pragma once

#include <cstddef>

namespace cairn::physics::testing {

// Calls of operator new, in every form, since the program began.
std::size_t allocations();

} // namespace cairn::physics::testing
