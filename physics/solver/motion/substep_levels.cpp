#include "physics/solver/motion/substep_levels.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

float column_cubed(float weights, float height, Hold hold) {
    constexpr float bonded_share = 0.63f;
    constexpr float at_top = 3.2f;
    constexpr float group_width = 3.0f;
    const bool bonded = hold != Hold::none;
    const float resting = bonded ? bonded_share * weights : weights;
    const float spread = std::min(height, resting);
    const float cubed = spread * spread * (spread + (bonded ? 1.0f : at_top) * (resting - spread));
    return hold == Hold::group ? cubed / (group_width * group_width) : cubed;
}

std::uint8_t substep_level_for(float cubed, float weights, float half_width, float gravity, float omega,
                               std::uint8_t current) {
    if (!(half_width > 0.0f)) {
        return 0;
    }
    constexpr float buckling = 2.3f;
    constexpr float reserve = 1.4f;                      // of the stiffness
    constexpr float deepest = 0.02f;                     // of the width
    const float sag = 2.0f * weights / (deepest * 2.0f); // two bodies of the same mass yield twice as much as one
    const float square = std::max((reserve / buckling) * cubed, sag) * gravity / (omega * omega * half_width);
    const auto level_for = [](float wanted_square) {
        std::uint8_t level = 0;
        while (level + 1u < substep_multiples.size() &&
               substep_multiples[level] * substep_multiples[level] < wanted_square) {
            ++level;
        }
        return level;
    };
    const std::uint8_t wanted = level_for(square);
    constexpr float clearly = 1.25f; // in the square
    return wanted < current && level_for(clearly * square) >= current ? current : wanted;
}

TimeStepClass time_step_class(std::uint8_t level, int plain) {
    const int substeps = static_cast<int>(std::ceil(substep_multiples[level] * static_cast<float>(plain)));
    return {level, substeps, static_cast<float>(substeps) / static_cast<float>(plain)};
}

} // namespace cairn::physics
