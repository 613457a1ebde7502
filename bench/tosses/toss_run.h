// Simulates recorded tosses from their release and measures how far the simulation strays from the record.
#pragma once

#include "bench/tosses/toss_file.h"
#include "physics/world/settings.h"

#include <span>
#include <vector>

namespace cairn::bench {

inline constexpr float toss_rate = 148.0f; // rows a second

// The cube and board of the record: an acrylic cube on a flat board.
struct TossSetup {
    physics::Settings settings; // hz must be toss_rate, so that a step is a row
    float side = 0.1048f;       // m
    float mass = 0.37f;         // kg
    float inertia = 0.00081f;   // kg m^2, about each axis: more than that of a solid cube
    float friction = 0.18f;     // of the pair
    float restitution = 0.0f;   // of the pair
};

// A toss once more, from many of its rows: errors of single impacts, before they grow into those of the whole toss.
// Every `window_spacing`th row starts a window of `window_rows` rows after it, until the cube has come to rest.
inline constexpr std::size_t window_rows = 24;
inline constexpr std::size_t window_spacing = 4;
std::vector<Toss> windows_of(const Toss& toss);

// One row per row of the toss, the first a copy of its release.
std::vector<TossRow> simulate(const Toss& toss, const TossSetup& setup);

struct TossError {
    double position = 0.0; // share of the side
    double rotation = 0.0; // degrees, 0..180
};

// Between two instants of the cube.
TossError error_between(const TossRow& recorded, const TossRow& simulated, double side);

// Mean over all rows after the release. Both spans are equally long, two rows or more.
TossError mean_error(std::span<const TossRow> recorded, std::span<const TossRow> simulated, double side);

struct Quartiles {
    double lower = 0.0, median = 0.0, upper = 0.0;
};

// Of one value or more; between two values by linear interpolation.
Quartiles quartiles(std::vector<double> values);

} // namespace cairn::bench
