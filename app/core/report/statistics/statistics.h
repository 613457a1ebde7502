// Values by their rank, as reports give them, and how fast one quantity grows with another.
#pragma once

#include <vector>

namespace cairn::core {

// The value below or at which `share` (0..1) of the ascending values lie, one of them (nearest rank); 0 of none.
double percentile(const std::vector<double>& sorted, double share);

// The one in the middle, or the mean of the two there; 0 of none.
double median(std::vector<double> values);

// The exponent p of y ~ x^p: the slope of the least-squares line through the logarithms. As many y as x, all positive,
// and two different x at least.
double growth_exponent(const std::vector<double>& x, const std::vector<double>& y);

} // namespace cairn::core
