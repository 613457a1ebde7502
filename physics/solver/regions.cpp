#include "physics/solver/regions.h"

#include <algorithm>

namespace cairn::physics {

void Regions::set(std::span<const std::uint32_t> sizes) {
    starts_.resize(sizes.size() + 1);
    starts_[0] = 1;
    for (std::size_t region = 0; region < sizes.size(); ++region) {
        starts_[region + 1] = starts_[region] + sizes[region];
    }
    regions_.resize(starts_.back());
    regions_[0] = 0;
    for (std::size_t region = 0; region < sizes.size(); ++region) {
        std::fill(regions_.begin() + starts_[region], regions_.begin() + starts_[region + 1],
                  static_cast<std::uint8_t>(region));
    }
}

void Regions::set_even(std::size_t bodies, std::size_t regions) {
    std::vector<std::uint32_t> sizes(std::clamp<std::size_t>(regions, 1, most));
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        sizes[i] = static_cast<std::uint32_t>(bodies * (i + 1) / sizes.size() - bodies * i / sizes.size());
    }
    set(sizes);
}

} // namespace cairn::physics
