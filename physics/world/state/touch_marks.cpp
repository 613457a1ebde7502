#include "physics/world/state/touch_marks.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"

#include <algorithm>
#include <atomic>

namespace cairn::physics {

namespace {

constexpr std::size_t contact_block = 512;
constexpr std::size_t contacts_together = 32; // neighbours in the list that one thread has

} // namespace

void TouchMarks::mark(Executor& executor, const Partition& partition, std::span<const TouchingSides> sides,
                      BodyStore& bodies) {
    touched_.assign(partition.regions().size() + 1, 0);
    // Several threads may mark the same body, all with the same value.
    std::atomic<bool> resting = false; // what rests was not known to touch: rare
    const auto mark_both = [&](const TouchingSides& one) {
        if (one.meet == 0) {
            return;
        }
        for (const std::uint32_t slot : {std::uint32_t{one.body_a}, std::uint32_t{one.body_b}}) {
            const std::uint32_t motion = partition.motion_of(slot);
            if (motion == 0) {
                if (!bodies[slot].touching) {
                    resting.store(true, std::memory_order_relaxed);
                }
                continue;
            }
            // Most are marked already, and a line that is only read need not move between cores.
            const std::atomic_ref<std::uint8_t> mine(touched_[motion]);
            if (mine.load(std::memory_order_relaxed) == 0) {
                mine.store(1, std::memory_order_relaxed);
            }
        }
    };
    const std::size_t parts = partition.regions().count(), length = contact_block * parts;
    const std::size_t ranges = (sides.size() + length - 1) / length;
    for_tasks(executor, ranges * parts, contact_block, [&](std::size_t task) {
        const std::size_t begin = task % ranges * length, end = std::min(begin + length, sides.size());
        for (std::size_t i = begin; i < end; i += contacts_together) {
            const std::size_t last = std::min(i + contacts_together, end);
            const TouchingSides& middle = sides[i + (last - i) / 2];
            if (parts == 1 || partition.region_of(middle.body_a, middle.body_b) == task / ranges) {
                const std::span<const TouchingSides> some = sides.subspan(i, last - i);
                std::for_each(some.begin(), some.end(), mark_both);
            }
        }
    });
    for_bodies(executor, partition.regions(),
               [&](std::uint32_t motion) { bodies[partition.slot_of(motion)].touching = touched_[motion] != 0; });
    for (std::size_t i = 0; resting && i < sides.size(); ++i) {
        for (const std::uint32_t slot : {std::uint32_t{sides[i].body_a}, std::uint32_t{sides[i].body_b}}) {
            BodyRecord& body = bodies[slot];
            if (sides[i].meet != 0 && !body.awake && !body.touching) {
                ++bodies.resting_revision;
                body.touching = true;
            }
        }
    }
}

std::size_t TouchMarks::memory_bytes() const {
    return bytes_of(touched_);
}

} // namespace cairn::physics
