#include "physics/world/islands/partition.h"

#include "physics/base/bytes.h"

#include <algorithm>

namespace cairn::physics {

namespace {

// Bodies keep their neighbours for a while, and a division that is a little off costs no more than some traffic.
constexpr std::uint64_t most_division_age = 32; // steps

// What a contact takes to be found and solved, in bodies.
constexpr std::uint32_t contact_weight = 2;

} // namespace

void Partition::update(Executor& executor, const BodyStore& bodies, const AwakeBodies& awake,
                       std::span<const TouchingSides> touching) {
    const auto threads =
        std::min(static_cast<std::size_t>(executor.thread_count()), std::max<std::size_t>(awake.size(), 1));
    const std::size_t wanted = std::min(threads, Regions::most);
    const bool changed =
        version_ != awake.version() || motion_of_slot_.size() != bodies.size() || regions_.count() != wanted;
    const std::size_t contacts = touching.size();
    const bool others = contacts > divided_contacts_ + divided_contacts_ / 4 || divided_contacts_ > 2 * contacts;
    const bool anew = wanted > 1 && (++age_ >= most_division_age || others);
    if (!changed && !anew) {
        return;
    }
    motion_of_slot_.resize(bodies.size(), 0);
    region_of_slot_.resize(bodies.size(), no_region);
    for (const std::uint32_t slot : slot_of_motion_) { // some of them sleep now, or are gone
        if (slot < bodies.size()) {
            motion_of_slot_[slot] = 0;
            region_of_slot_[slot] = bodies[slot].awake ? region_of_slot_[slot] : no_region;
        }
    }
    if (anew || regions_.count() != wanted) {
        cut(bodies, awake, touching, wanted);
    }
    // What has just woken goes to the first region, until the next time.
    sizes_.assign(wanted, 0);
    const auto region_of_slot = [&](std::uint32_t slot) {
        return region_of_slot_[slot] < wanted ? region_of_slot_[slot] : std::uint8_t{0};
    };
    for (const std::uint32_t slot : awake) {
        ++sizes_[region_of_slot(slot)];
    }
    regions_.set(sizes_);
    for (std::size_t region = 0; region < wanted; ++region) {
        sizes_[region] = regions_.begin(region);
    }
    slot_of_motion_.resize(awake.size() + 1);
    for (const std::uint32_t slot : awake) {
        const std::uint32_t motion = sizes_[region_of_slot(slot)]++;
        motion_of_slot_[slot] = motion;
        slot_of_motion_[motion] = slot;
    }
    for (const std::uint32_t slot : awake) {
        // What drives others has contacts everywhere, and they go with the others.
        const bool drives = bodies[slot].type == BodyType::kinematic;
        region_of_slot_[slot] = drives ? no_region : static_cast<std::uint8_t>(regions_.of(motion_of_slot_[slot]));
    }
    version_ = awake.version();
    ++numbering_;
}

void Partition::cut(const BodyStore& bodies, const AwakeBodies& awake, std::span<const TouchingSides> touching,
                    std::size_t regions) {
    age_ = 0;
    divided_contacts_ = touching.size();
    place_of_slot_.resize(bodies.size());
    division_.bodies.resize(awake.size());
    for (std::size_t i = 0; i < awake.size(); ++i) {
        const std::uint32_t slot = awake[i];
        division_.bodies[i] = {bodies[slot].pose.position, 1, 0};
        place_of_slot_[slot] = static_cast<std::uint32_t>(i);
    }
    division_.contacts.clear();
    const auto pushed = [&](std::uint32_t slot) {
        return slot < bodies.size() && bodies[slot].awake && bodies.is_dynamic(slot);
    };
    for (const TouchingSides& sides : touching) {
        const bool a = pushed(sides.body_a), b = pushed(sides.body_b);
        if (a || b) {
            division_.bodies[place_of_slot_[a ? sides.body_a : sides.body_b]].weight += contact_weight;
        }
        if (a && b) {
            division_.contacts.push_back({place_of_slot_[sides.body_a], place_of_slot_[sides.body_b]});
        }
    }
    division_.divide(regions);
    for (std::size_t i = 0; i < awake.size(); ++i) {
        region_of_slot_[awake[i]] = division_.bodies[i].region;
    }
}

void Partition::forget() {
    motion_of_slot_.clear();
    slot_of_motion_.clear();
    version_ = 0;
}

std::size_t Partition::memory_bytes() const {
    return bytes_of(motion_of_slot_) + bytes_of(slot_of_motion_) + bytes_of(region_of_slot_) +
           bytes_of(place_of_slot_) + bytes_of(sizes_) + regions_.memory_bytes() + division_.memory_bytes();
}

} // namespace cairn::physics
