#include "physics/solver/motion/substep_levels.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

constexpr float buckling = 2.3f; // of N^3 g / (omega^2 a)
constexpr float reserve = 1.4f;  // of the stiffness

std::uint8_t level_for(float wanted_square) {
    std::uint8_t level = 0;
    while (level + 1u < substep_multiples.size() &&
           substep_multiples[level] * substep_multiples[level] < wanted_square) {
        ++level;
    }
    return level;
}

} // namespace

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
    constexpr float deepest = 0.02f;                     // of the width
    const float sag = 2.0f * weights / (deepest * 2.0f); // two bodies of the same mass yield twice as much as one
    const float square = std::max((reserve / buckling) * cubed, sag) * gravity / (omega * omega * half_width);
    const std::uint8_t wanted = level_for(square);
    constexpr float clearly = 1.25f; // in the square
    return wanted < current && level_for(clearly * square) >= current ? current : wanted;
}

std::uint8_t standing_level_for(std::uint8_t level, float half_width, float gravity, float omega) {
    if (level == 0 || !(half_width > 0.0f)) {
        return 0;
    }
    constexpr float standing = buckling * (2.405f * 2.405f / 7.84f); // of N^2 g / (omega^2 a)
    constexpr float own = reserve / buckling, loaded = reserve / standing;
    // Squares of multiples: own N^3 u and loaded N^2 u, u = g / (omega^2 a). Without N, and in cubes:
    const float unit = gravity / (omega * omega * half_width);
    const float square = substep_multiples[level] * substep_multiples[level - 1u]; // of a column between the two
    const float cubed = (loaded * loaded * loaded) / (own * own) * square * square * unit;
    std::uint8_t enough = 0;
    while (enough + 1u < substep_multiples.size()) {
        const float multiple = substep_multiples[enough], third = multiple * multiple * multiple;
        if (third * third >= cubed) {
            break;
        }
        ++enough;
    }
    return enough;
}

TimeStepClass time_step_class(std::uint8_t level, int plain, float needed) {
    const int substeps = std::max(plain, static_cast<int>(std::ceil(substep_multiples[level] * needed)));
    return {level, substeps};
}

} // namespace cairn::physics
