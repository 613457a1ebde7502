// Pairs to compare the algorithms on.
#pragma once

#include "app/core/query/question_file.h"
#include "app/lab/comparison/comparison.h"
#include "physics/world/frame_state.h"

#include <array>

namespace cairn::core::lab {

// A pair of which only the shapes are known: of a hull, what it is built from are then its corners.
ComparedPair compared_pair(const std::string& name, const LabPair& pair);

// Those of all questions of a file. Throws InputError.
std::vector<ComparedPair> pairs_of(const QuestionFile& questions);

inline constexpr float near_bounds = 0.05f; // m

// All pairs of shapes of different bodies whose bounds come that near to each other or overlap, by slot and part; the
// shapes of a compound are "name/1", "name/2", and so on. Where either body moves, they move on for one step as they do
// now, without gravity.
std::vector<ComparedPair> near_pairs(const physics::FrameState& frame, float within = near_bounds);

// Two equal hulls, turned against each other, of so many points that are spread evenly over a ball of 1 m radius (the
// n-th is the golden angle farther round than the one before it).
inline constexpr std::array<std::size_t, 5> growth_sizes{8, 32, 128, 512, 2048};

// How far apart they are, m, negative is depth: along one direction from centre to centre, turned in one way.
struct GrowthPlacing {
    std::string_view name;
    double distance;
};
inline constexpr std::array<GrowthPlacing, 3> growth_placings{
    {{"apart", 0.5}, {"touching", 0.0}, {"overlapping", -0.1}}};

// Turns B and moves it away from A, whose pose is left as it is, until the shapes are that far apart.
void place(LabPair& pair, double distance);

// By size, then by placing.
std::vector<ComparedPair> growth_pairs();

} // namespace cairn::core::lab
