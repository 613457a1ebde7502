#include "physics/world/store/awake_bodies.h"

#include "physics/base/bytes.h"

#include <algorithm>
#include <iterator>

namespace cairn::physics {

void AwakeBodies::commit(const BodyStore& bodies) {
    if (listed()) {
        return;
    }
    ++version_;
    const auto asleep = [&bodies](std::uint32_t slot) { return !bodies[slot].awake; };
    if (slept_) {
        std::erase_if(slots_, asleep);
        slept_ = false;
    }
    if (!newly_awake_.empty()) {
        std::erase_if(newly_awake_, asleep);
        std::sort(newly_awake_.begin(), newly_awake_.end());
        // One that slept and woke again since the last time is listed twice.
        newly_awake_.erase(std::unique(newly_awake_.begin(), newly_awake_.end()), newly_awake_.end());
        merged_.clear();
        std::set_union(slots_.begin(), slots_.end(), newly_awake_.begin(), newly_awake_.end(),
                       std::back_inserter(merged_));
        slots_.swap(merged_);
        newly_awake_.clear();
    }
}

std::size_t AwakeBodies::memory_bytes() const {
    return bytes_of(slots_) + bytes_of(newly_awake_) + bytes_of(merged_) + bytes_of(stack_);
}

} // namespace cairn::physics
