// Values by their rank, as reports give them.
#pragma once

#include <vector>

namespace cairn::core {

// The value below or at which `share` (0..1) of the ascending values lie, one of them (nearest rank); 0 of none.
double percentile(const std::vector<double>& sorted, double share);

// The one in the middle, or the mean of the two there; 0 of none.
double median(std::vector<double> values);

} // namespace cairn::core
