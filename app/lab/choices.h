// All that can be run in the lab, under one list: the engine's algorithms, articles' versions of them, and lessons in
// the plane.
#pragma once

#include "app/lab/known_bugs/known_bugs.h"
#include "app/lab/planar/planar_pairs.h"
#include "app/lab/tracers/algorithms.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::core::lab {

struct Choice {
    std::string_view name;  // on the command line
    std::string_view title; // for people
    std::optional<Algorithm> algorithm;
    const known_bugs::KnownBug* bug = nullptr;
    const planar::Lesson* lesson = nullptr; // one of the three is set

    bool brings_its_own() const { return !algorithm; } // a pair to run on
    // About one body, or about polygons: there is nothing else that it could run on.
    bool takes_no_pair() const {
        return lesson != nullptr || (bug != nullptr && bug->takes == known_bugs::Takes::points);
    }
};
const std::vector<Choice>& all_choices();
const Choice* choice_named(std::string_view name); // nullptr if there is none

// Why it cannot be run on the pair; nothing if it can.
std::optional<std::string> rejection(const Choice& choice, const LabPair& pair);

struct Outcome {
    LabRun run;
    std::optional<LabRun> right; // beside an article's version: the engine's
    std::string verdict;         // of an article's version
};
// Throws std::invalid_argument where rejection() has something to say.
Outcome run(const Choice& choice, const LabPair& pair);

// On the input that an article or a lesson brings itself; `pair` becomes it, or a pair without shapes where it is about
// one body or a plane.
Outcome run_preset(const Choice& choice, LabPair& pair);

} // namespace cairn::core::lab
