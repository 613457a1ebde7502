// All that can be run in the lab, under one list: the engine's algorithms, and articles' versions of them.
#pragma once

#include "app/core/lab/algorithms.h"
#include "app/core/lab/articles/articles.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::core::lab {

struct Choice {
    std::string_view name;  // on the command line
    std::string_view title; // for people
    std::optional<Algorithm> algorithm;
    const articles::Article* article = nullptr; // one of the two is set
};
const std::vector<Choice>& all_choices();
const Choice* choice_named(std::string_view name); // nullptr if there is none

// Why it cannot be run on the pair; nothing if it can.
std::optional<std::string> refusal(const Choice& choice, const LabPair& pair);

struct Outcome {
    LabRun run;
    std::optional<LabRun> right; // beside an article's version: the engine's
    std::string verdict;         // of an article's version
};
// Throws std::invalid_argument where refusal() has something to say.
Outcome run(const Choice& choice, const LabPair& pair);

// On the input that the article brings itself; `pair` becomes it, or a pair without shapes where it is about one body.
Outcome run_preset(const articles::Article& article, LabPair& pair);

} // namespace cairn::core::lab
