#include "app/core/scene/values/json_text.h"

#include "app/core/base/error.h"
#include "app/core/scene/values/value_reader.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace cairn::core {

using physics::Quat;
using physics::Vec3;

std::string json_text(const std::string& text) {
    try {
        return nlohmann::json(text).dump();
    } catch (const nlohmann::json::type_error&) {
        throw InputError("the name " + in_quotes(text) + " is not UTF-8 text and cannot be written to a scene");
    }
}

std::string json_text(float value, std::string_view what) {
    if (!std::isfinite(value)) {
        throw InputError(in_quotes(what) + " is not finite and cannot be written to a scene");
    }
    return float_text(value);
}

std::string json_text(const Vec3& v, std::string_view what) {
    return '[' + json_text(v.x, what) + ", " + json_text(v.y, what) + ", " + json_text(v.z, what) + ']';
}

std::string json_text(const Quat& q, std::string_view what) {
    return '[' + json_text(q.w, what) + ", " + json_text(q.x, what) + ", " + json_text(q.y, what) + ", " +
           json_text(q.z, what) + ']';
}

bool same_bits(float a, float b) {
    return a == b && std::signbit(a) == std::signbit(b);
}
bool same_bits(const Vec3& a, const Vec3& b) {
    return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}
bool same_bits(const Quat& a, const Quat& b) {
    return same_bits(a.w, b.w) && same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}

} // namespace cairn::core
