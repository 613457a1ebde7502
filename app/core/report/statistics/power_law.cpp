#include "app/core/report/statistics/power_law.h"

#include <cmath>

namespace cairn::core {

double growth_exponent(const std::vector<double>& x, const std::vector<double>& y) {
    const double count = static_cast<double>(x.size());
    double mean_x = 0.0, mean_y = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        mean_x += std::log(x[i]) / count;
        mean_y += std::log(y[i]) / count;
    }
    double products = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double dx = std::log(x[i]) - mean_x;
        products += dx * (std::log(y[i]) - mean_y);
        squares += dx * dx;
    }
    return products / squares;
}

} // namespace cairn::core
