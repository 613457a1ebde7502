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

float column_cubed(const ColumnLoad& load) {
    constexpr float bonded_share = 0.63f;
    constexpr float at_top = 3.2f;
    constexpr float group_width = 3.0f;
    if (load.hold == Hold::none) {
        const float spread = load.spread() * load.spread() * load.height * load.bodies;
        return load.weights * spread * (1.0f + (at_top - 1.0f) * load.at_top());
    }
    const float resting = bonded_share * load.weights;
    const float spread = std::min(load.height, resting);
    const float cubed = spread * spread * resting;
    return load.hold == Hold::group ? cubed / (group_width * group_width) : cubed;
}

std::uint8_t substep_level_for(const ColumnLoad& load, float half_width, float gravity, float omega,
                               std::uint8_t current) {
    if (!(half_width > 0.0f)) {
        return 0;
    }
    constexpr float deepest = 0.02f;                          // of the width
    const float sag = 2.0f * load.weights / (deepest * 2.0f); // two bodies of the same mass yield twice as much as one
    const float needed = std::max((reserve / buckling) * column_cubed(load), sag);
    return level_near(needed * gravity / (omega * omega * half_width), current, 1);
}

std::uint8_t standing_level_for(const ColumnLoad& load, float half_width, float gravity, float omega,
                                std::uint8_t current) {
    if (!(half_width > 0.0f)) {
        return 0;
    }
    constexpr float even = 2.405f * 2.405f, all_at_top = 1.571f * 1.571f;
    constexpr float standing = buckling * (even / 7.84f);                             // of N^2 g / (omega^2 a)
    const float unit = (reserve / standing) * gravity / (omega * omega * half_width); // N^2 of it is the square
    float sixth = 0.0f;                                                               // power of N
    if (load.hold == Hold::none) {
        const float spread = load.spread() * load.spread() * load.height * load.bodies;
        const float squared = spread * (1.0f + (even / all_at_top - 1.0f) * load.at_top());
        sixth = squared * squared * squared;
    } else {
        const float cubed = column_cubed(load);
        sixth = cubed * cubed;
    }
    return level_near(sixth * unit * unit * unit, current, 3);
}

TimeStepClass time_step_class(std::uint8_t level, int plain, float needed) {
    const int substeps = std::max(plain, static_cast<int>(std::ceil(substep_multiples[level] * needed)));
    return {level, substeps, 1};
}

} // namespace cairn::physics
