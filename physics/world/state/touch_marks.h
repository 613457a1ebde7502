// Which bodies touch something, as published.
#pragma once

#include "physics/base/executor.h"
#include "physics/world/islands/partition.h"
#include "physics/world/store/body_store.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// BodyRecord::touching of bodies whose surface is within a slop of another's.
class TouchMarks {
  public:
    void mark(Executor& executor, const Partition& partition, std::span<const TouchingSides> sides, BodyStore& bodies);

    std::size_t memory_bytes() const;

  private:
    std::vector<std::uint8_t> touched_; // by motion
};

} // namespace cairn::physics
