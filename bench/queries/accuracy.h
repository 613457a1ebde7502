// How right the answers are: against the distance that the poses were made for, and against planes across the normals.
#pragma once

#include "bench/queries/case.h"

namespace cairn::bench {

struct Accuracy {
    std::size_t count = 0, wrong = 0;         // answers; those that took overlap for separation or the reverse
    double median_error = 0, max_error = 0;   // m, of the signed distance
    double median_excess = 0, max_excess = 0; // m, that moving by the depth along the normal leaves to do
    bool has_distance = false;
};

Accuracy check_accuracy(const Case& c, const Method& method);

} // namespace cairn::bench
