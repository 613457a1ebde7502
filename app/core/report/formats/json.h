// JSON as reports and answers are written. The library takes seconds to compile: include this only where JSON is made.
#pragma once

#include "app/core/report/formats/number_text.h"
#include "physics/base/math.h"

#include <nlohmann/json.hpp>

namespace cairn::core {

// Members stay in the order in which they were added. Infinities and NaN, which JSON does not know, become null.
using Json = nlohmann::ordered_json;

// By way of the shortest decimal: 0.1f is written as 0.1, not as the 0.10000000149011612 that the library would make of
// it, since its numbers are of double precision.
inline Json json_of(float value) {
    const std::string digits = number_text(value);
    double wide = 0.0;
    std::from_chars(digits.data(), digits.data() + digits.size(), wide);
    return wide;
}

inline Json json_of(const physics::Vec3& v) {
    return Json::array({json_of(v.x), json_of(v.y), json_of(v.z)});
}

// With the end of the line. `indent` blanks for each level, or all in one line without. Names come from files: what is
// not UTF-8 in them is replaced rather than rejected.
inline std::string text_of(const Json& value, int indent = -1) {
    return value.dump(indent, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace cairn::core
