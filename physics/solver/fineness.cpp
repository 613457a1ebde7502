#include "physics/solver/fineness.h"

namespace cairn::physics {

std::uint8_t fineness_for(float load, float mass, float half_width, float gravity, float omega, std::uint8_t current) {
    if (!(gravity > 0.0f) || !(half_width > 0.0f)) {
        return 0;
    }
    constexpr float buckling = 2.3f;
    constexpr float reserve = 1.5f;                // of the stiffness
    const float weights = load / (mass * gravity); // so many bodies rest on this one
    const float square = (reserve / buckling) * weights * weights * weights * gravity / (omega * omega * half_width);
    const auto rung_for = [](float wanted_square) {
        std::uint8_t rung = 0;
        while (rung + 1u < fineness_ladder.size() && fineness_ladder[rung] * fineness_ladder[rung] < wanted_square) {
            ++rung;
        }
        return rung;
    };
    const std::uint8_t wanted = rung_for(square);
    constexpr float clearly = 1.5f; // in the square
    return wanted < current && rung_for(clearly * square) >= current ? current : wanted;
}

} // namespace cairn::physics
