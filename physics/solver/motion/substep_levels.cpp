#include "physics/solver/motion/substep_levels.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

constexpr float buckling = 2.3f; // of N^3 g / (omega^2 a)
constexpr float reserve = 1.4f;  // of the stiffness

// The level whose multiple has a square, raised to `power`, of at least `wanted`. `current` is held unless clearly more
// than is wanted.
std::uint8_t level_near(float wanted, std::uint8_t current, int power) {
    const auto raised = [power](float square) { return power == 3 ? square * square * square : square; };
    const auto level_for = [&](float least) {
        std::uint8_t level = 0;
        while (level + 1u < substep_multiples.size() &&
               raised(substep_multiples[level] * substep_multiples[level]) < least) {
            ++level;
        }
        return level;
    };
    constexpr float clearly = 1.25f; // in the square
    const std::uint8_t level = level_for(wanted);
    return level < current && level_for(raised(clearly) * wanted) >= current ? current : level;
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
    return level_near(square, current, 1);
}

std::uint8_t standing_level_for(float cubed, float half_width, float gravity, float omega, std::uint8_t current) {
    if (!(half_width > 0.0f)) {
        return 0;
    }
    constexpr float standing = buckling * (2.405f * 2.405f / 7.84f);                  // of N^2 g / (omega^2 a)
    const float unit = (reserve / standing) * gravity / (omega * omega * half_width); // N^2 of it is the square
    return level_near(cubed * cubed * unit * unit * unit, current, 3);
}

TimeStepClass time_step_class(std::uint8_t level, int plain, float needed) {
    const int substeps = std::max(plain, static_cast<int>(std::ceil(substep_multiples[level] * needed)));
    return {level, substeps};
}

} // namespace cairn::physics
