// A line of `cairn query` as a pair for the lab.
#pragma once

#include "app/core/query/question.h"
#include "app/lab/tracers/algorithms.h"

namespace cairn::core::lab {

inline LabPair pair_of(const Question& question) {
    LabPair pair;
    pair.a = question.a;
    pair.b = question.b;
    pair.origin = question.origin;
    pair.sweep_a = question.sweep_a;
    pair.sweep_b = question.sweep_b;
    pair.duration = question.moving ? question.duration : 0.0f;
    return pair;
}

// What the line asks for; without a word of its own the advancement where the shapes move, else GJK and EPA.
inline Algorithm algorithm_of(const Question& question) {
    if (!question.names_algorithm) {
        return question.moving ? Algorithm::advancement : Algorithm::gjk_epa;
    }
    return algorithm_named(algorithms::name_of(question.algorithm)).value_or(Algorithm::gjk_epa);
}

} // namespace cairn::core::lab
