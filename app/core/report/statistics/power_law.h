// How fast one quantity grows with another.
#pragma once

#include <vector>

namespace cairn::core {

// The exponent p of y ~ x^p: the slope of the least-squares line through the logarithms. As many y as x, all positive,
// and two different x at least.
double growth_exponent(const std::vector<double>& x, const std::vector<double>& y);

} // namespace cairn::core
