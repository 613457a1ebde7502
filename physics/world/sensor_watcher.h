// Finds what overlaps sensors.
#pragma once

#include "physics/base/executor.h"
#include "physics/world/sensor_events.h"
#include "physics/world/world_state.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cairn::physics {

// Sensors are in no tree and no pair: nothing that acts on later steps knows of them, and they follow from the poses
// alone, so that no snapshot holds what overlaps them.
class SensorWatcher {
  public:
    void find(Executor& executor, const WorldData& data); // when the step is over
    // The state has been exchanged: what is inside now has not just entered.
    void forget(Executor& executor, const WorldData& data);

    const SensorEvents& events() const { return events_; }
    std::size_t memory_bytes() const;

  private:
    void list(Executor& executor, const WorldData& data);

    SensorEvents events_;
    std::vector<SensorOverlap> before_;
    std::vector<std::vector<SensorOverlap>> found_; // by place in BodyStore::with_sensors
};

} // namespace cairn::physics
