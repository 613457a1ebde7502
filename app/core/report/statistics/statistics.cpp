#include "app/core/report/statistics/statistics.h"

#include <algorithm>
#include <cmath>

namespace cairn::core {

double percentile(const std::vector<double>& sorted, double share) {
    if (sorted.empty()) {
        return 0.0;
    }
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
    return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

double median(std::vector<double> values) {
    if (values.empty()) {
        return 0.0;
    }
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

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
