// The engine's Executor on threads of its own.
#pragma once

#include "physics/base/executor.h"

#include <memory>

namespace cairn::core {

// `threads` >= 1; 0 = as many as the machine has cores. One thread runs everything on the caller.
//
// Loops are called by one thread at a time: a loop within a block, or a second caller, runs its blocks by itself. What
// a block throws reaches the caller once all other blocks are done.
std::unique_ptr<physics::Executor> make_worker_pool(int threads);

} // namespace cairn::core
