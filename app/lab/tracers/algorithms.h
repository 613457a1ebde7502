// The algorithms that the lab can show at work, and running one.
#pragma once

#include "app/lab/steps/lab_step.h"

#include <array>
#include <optional>
#include <string_view>

namespace cairn::core::lab {

enum class Algorithm : std::uint8_t {
    gjk_epa,     // signed volumes and the expanding polytope, from the centres
    engine,      // what the engine does with the pair: closed forms and guesses first
    region_gjk,  // whether they overlap, by the regions of the simplex
    sat,         // the separating axis test
    advancement, // conservative advancement to the time of impact
};

inline constexpr std::array<Algorithm, 5> all_algorithms{Algorithm::gjk_epa, Algorithm::engine, Algorithm::region_gjk,
                                                         Algorithm::sat, Algorithm::advancement};

std::string_view name_of(Algorithm algorithm);  // on the command line and in files: "gjk_epa"
std::string_view title_of(Algorithm algorithm); // for people: "GJK and EPA"
std::string_view about(Algorithm algorithm);    // what it is, in a sentence
std::optional<Algorithm> algorithm_named(std::string_view name);

// Why it cannot be run on this pair, in words; nothing if it can.
std::optional<std::string> rejection(Algorithm algorithm, const LabPair& pair);
// That one of the two is a mesh or a height field, which nothing here takes.
std::optional<std::string> mesh_rejection(const LabPair& pair);

// Runs it on the pair where the sweep begins (the advancement: along the sweep) and reports every step. The code that
// runs is the engine's own, with a trace. Throws std::invalid_argument where rejection() has something to say.
LabRun run(Algorithm algorithm, const LabPair& pair);

} // namespace cairn::core::lab
