// The engine's Executor on oneTBB.
#pragma once

#include "physics/base/executor.h"

#include <memory>

namespace cairn::core {

// `threads` >= 1; 0 = as many as the machine has cores. One thread runs everything on the caller.
std::unique_ptr<physics::Executor> make_worker_pool(int threads);

} // namespace cairn::core
