#include "physics/world/substeps/short_steps.h"

#include "physics/solver/motion/substep_levels.h"

#include <algorithm>

namespace cairn::physics {

Settings ShortSteps::settings(const Settings& whole) const {
    Settings settings = whole;
    settings.contact_hertz = plain_spring_hertz(whole.contact_hertz, whole.dt() / static_cast<float>(whole.substeps));
    settings.hz *= static_cast<float>(count);
    return settings;
}

bool ShortSteps::adapt(double given_up, std::size_t unforeseen, std::size_t awake, const Settings& whole) {
    // Of the time of all awake bodies. A few that wait in a large heap are not worth what short steps of the heap cost.
    constexpr double much = 1.0 / 200.0, little = 1.0 / 1000.0;
    // Of a short step: where a fourth of all bodies have had one, shorter steps cost less than following them does.
    constexpr double impact_counts_as = 4.0 * much;
    constexpr int calm_enough = 8; // steps
    const double time = static_cast<double>(std::max<std::size_t>(awake, 1)) * static_cast<double>(whole.dt());
    const double lost =
        given_up + impact_counts_as * static_cast<double>(unforeseen) * static_cast<double>(settings(whole).dt());
    const std::uint8_t before = count;
    calm_steps = lost < little * time ? static_cast<std::uint8_t>(calm_steps + 1) : std::uint8_t{0};
    // Half as long a step holds up fewer bodies, each for half as long.
    for (double left = lost; left > much * time && 2 * count <= whole.max_short_steps; left /= 4.0) {
        count = static_cast<std::uint8_t>(2 * count);
    }
    if (count > 1 && (calm_steps >= calm_enough || count > whole.max_short_steps)) {
        count = static_cast<std::uint8_t>(count / 2);
        calm_steps = 0;
    }
    if (count == 1) {
        calm_steps = 0;
    }
    return count != before;
}

} // namespace cairn::physics
