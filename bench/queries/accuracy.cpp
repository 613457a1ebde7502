#include "bench/queries/accuracy.h"

#include <algorithm>
#include <cmath>

namespace cairn::bench {
namespace {

double median(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace

Accuracy check_accuracy(const Case& c, const Method& method) {
    Accuracy result;
    std::vector<double> errors, excesses;
    for (std::size_t i = 0; i < c.poses.size(); ++i) {
        const Answer answer = method.answer(i);
        ++result.count;
        result.wrong += answer.overlapping != (c.distance < 0.0) ? 1 : 0;
        if (!answer.distance) {
            continue;
        }
        errors.push_back(std::abs(*answer.distance - c.distance));
        // The width along the best normal is the depth (minus the distance); along any other it is more.
        excesses.push_back(width(c.shapes->a, c.shapes->b, c.poses[i], answer.normal) + c.distance);
    }
    if (!errors.empty()) {
        result.has_distance = true;
        result.max_error = *std::max_element(errors.begin(), errors.end());
        result.max_excess = *std::max_element(excesses.begin(), excesses.end());
        result.least_excess = *std::min_element(excesses.begin(), excesses.end());
        result.median_error = median(errors);
        result.median_excess = median(excesses);
    }
    return result;
}

} // namespace cairn::bench
