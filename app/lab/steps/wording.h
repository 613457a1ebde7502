// How the lab writes numbers and names.
#pragma once

#include "app/core/base/joined_words.h"
#include "app/core/report/formats/number_text.h"
#include "app/lab/steps/lab_step.h"

#include <string>

namespace cairn::core::lab {

inline std::string metres(double value) {
    return short_number(value, 4) + " m";
}
inline std::string seconds(double value) {
    return short_number(value, 4) + " s";
}
inline std::string vector_text(const DVec3& v) {
    return "(" + short_number(v.x) + ", " + short_number(v.y) + ", " + short_number(v.z) + ")";
}

// Vertices of a simplex, an edge or a face by their numbers: "2·3·4".
template <typename Numbers>
std::string chain(const Numbers& numbers) {
    return joined_words(
        numbers, [](int n) { return std::to_string(n); }, "·");
}

// "2", "2 and 3", "2, 3 and 4".
template <typename Numbers>
std::string listed(const Numbers& numbers) {
    std::string out;
    std::size_t left = std::size(numbers);
    for (const int n : numbers) {
        out += std::to_string(n);
        --left;
        out += left == 0 ? "" : left == 1 ? " and " : ", ";
    }
    return out;
}

} // namespace cairn::core::lab
