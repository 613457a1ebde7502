// Finds what overlaps sensors.
#pragma once

#include "physics/base/executor.h"
#include "physics/world/sensor_events.h"
#include "physics/world/state/world_state.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

// Sensors are in no tree and no pair: nothing that acts on later steps knows of them, and they follow from the poses
// alone, so that no snapshot holds what overlaps them.
class SensorWatcher {
  public:
    void find(Executor& executor, const WorldData& data); // when the step is over
    // The state has been exchanged: what is inside now has not just entered.
    void forget(Executor& executor, const WorldData& data);

    // Shapes of a body have other places now; no_index: they are gone, which the next step reports.
    void renumber(BodyId body, std::span<const std::uint32_t> places);

    const SensorEvents& events() const { return events_; }
    std::size_t memory_bytes() const;

  private:
    void list(Executor& executor, const WorldData& data);

    SensorEvents events_;
    std::vector<SensorOverlap> before_;
    std::vector<SensorOverlap> gone_;               // with shapes that were removed since the last step
    std::vector<std::vector<SensorOverlap>> found_; // by place in BodyStore::with_sensors
};

} // namespace cairn::physics
