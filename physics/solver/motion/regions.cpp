#include "physics/solver/motion/regions.h"

#include <algorithm>

namespace cairn::physics {

void Regions::set(std::span<const std::uint32_t> sizes) {
    begin_at_one(sizes.size());
    for (std::size_t region = 0; region < sizes.size(); ++region) {
        starts_[region + 1] = starts_[region] + sizes[region];
    }
    name_bodies();
}

void Regions::set_even(std::size_t bodies, std::size_t regions) {
    const std::size_t count = std::clamp<std::size_t>(regions, 1, most);
    begin_at_one(count);
    for (std::size_t region = 0; region < count; ++region) {
        starts_[region + 1] = static_cast<std::uint32_t>(1 + bodies * (region + 1) / count);
    }
    name_bodies();
}

void Regions::begin_at_one(std::size_t regions) {
    starts_.resize(regions + 1);
    starts_[0] = 1;
}

void Regions::name_bodies() {
    regions_.resize(starts_.back());
    regions_[0] = 0;
    for (std::size_t region = 0; region < count(); ++region) {
        std::fill(regions_.begin() + starts_[region], regions_.begin() + starts_[region + 1],
                  static_cast<std::uint8_t>(region));
    }
}

} // namespace cairn::physics
