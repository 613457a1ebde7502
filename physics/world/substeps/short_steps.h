// A step that is taken as several short ones.
#pragma once

#include "physics/world/settings.h"

#include <cstddef>
#include <cstdint>

namespace cairn::physics {

// One of those that a step is taken as.
struct ShortStep {
    int place = 0, count = 1;
    // How many substeps of the undivided step fit into it: impulses are kept for such a substep.
    float plain_substeps = 0.0f;

    bool first() const { return place == 0; }
    bool last() const { return place + 1 == count; }
};

// A step's contacts are those of its start. What is small or fast meets others within the step of which the solver
// knows nothing, and continuous collision holds it up where it meets them: rods in a turning drum covered a fifth of
// their way; or answers one impact after the other: balls of 200 m/s in a box met twice in a step, unforeseen. So where
// the awake bodies have given up more than a small share of a step, or have met too often, the next one is taken as
// several short steps, each with contacts of its own, as if the world had been stepped more often.
struct ShortSteps {
    static constexpr std::uint8_t most = 8;

    std::uint8_t count = 1;      // in a step: 1, 2, 4 or 8
    std::uint8_t calm_steps = 0; // in a row, of those that gave up next to nothing; 0 where the count is 1

    // Of one of them. Springs are as stiff as in an undivided step: what they carry must not be moved by the division.
    Settings settings(const Settings& whole) const;
    ShortStep at(int place, const Settings& whole) const {
        return {place, count, static_cast<float>(whole.substeps) / static_cast<float>(count)};
    }
    // After a step in which `awake` bodies have given up `given_up` s, summed over them, and had `unforeseen` impacts
    // that the solver knew nothing of. True if the count has changed.
    bool adapt(double given_up, std::size_t unforeseen, std::size_t awake, const Settings& whole);

    friend bool operator==(const ShortSteps&, const ShortSteps&) = default;
};

} // namespace cairn::physics
