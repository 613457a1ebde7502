// How right the answers are: against the distance that the poses were made for, and against planes across the normals.
#pragma once

#include "bench/queries/case.h"

namespace cairn::bench {

struct Accuracy {
    std::size_t count = 0, wrong = 0;       // answers; those that took overlap for separation or the reverse
    double median_error = 0, max_error = 0; // m, of the signed distance
    // How much farther along its normal one has to move to separate the shapes than the distance says, m. It cannot be
    // less than nothing, unless the distance that the poses were made for was wrong.
    double median_excess = 0, max_excess = 0, least_excess = 0;
    bool has_distance = false;
};

Accuracy check_accuracy(const Case& c, const Method& method);

} // namespace cairn::bench
