#include "app/cli/verbs/shapes/query_line.h"

#include "app/core/base/error.h"
#include "app/core/query/question.h"
#include "app/core/report/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace cairn::cli {
namespace {

using namespace cairn::algorithms;
using namespace cairn::physics;
using DVec3 = glm::dvec3;
using core::Json;
using core::json_of;
using core::Question;

// The decimal with the fewest digits that lies within `error` of the value.
double rounded(double value, double error) {
    std::array<char, 32> digits;
    double result = value;
    for (int precision = 1; precision <= 17; ++precision) {
        const auto end =
            std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::scientific, precision)
                .ptr;
        std::from_chars(digits.data(), end, result);
        if (std::abs(result - value) <= error) {
            break;
        }
    }
    return result;
}

// A point seen from `origin`, in the world. Its digits end where its own single precision does.
Json world_point(const DVec3& origin, const Vec3& point) {
    const Vec3 size = glm::abs(point);
    const double error = 0x1p-24 * double(std::max({size.x, size.y, size.z}));
    Json out = Json::array();
    for (int i = 0; i < 3; ++i) {
        out.push_back(origin[i] == 0.0 ? json_of(point[i]) : Json(rounded(origin[i] + double(point[i]), error)));
    }
    return out;
}

// Adds the members after "id". False if the answer is not valid.
bool add_answer(Json& out, const Question& query) {
    const QueryAnswer result =
        query_pair(query.algorithm, query.a, query.sweep_a.start, query.b, query.sweep_b.start).value();
    bool valid = result.status != QueryStatus::failed;
    out["status"] = core::name_of(result.status);
    const bool measured = result.separation.has_value();
    out["distance"] = measured ? json_of(result.separation->distance) : Json(nullptr);
    out["normal"] = measured ? json_of(result.separation->normal) : Json(nullptr);
    out["point_a"] = measured ? world_point(query.origin, result.separation->point_a) : Json(nullptr);
    out["point_b"] = measured ? world_point(query.origin, result.separation->point_b) : Json(nullptr);
    out["iterations"] = result.iterations;
    if (!query.moving) {
        return valid;
    }
    const TimeOfImpact toi = time_of_impact(query.a, query.sweep_a, query.b, query.sweep_b, query.duration,
                                            core::impact_settings(query.a, query.b));
    const bool touches = toi.status == ToiStatus::hit || toi.status == ToiStatus::initial;
    out["toi"] = touches ? json_of(toi.time) : Json(nullptr);
    out["toi_status"] = core::name_of(toi.status);
    if (toi.status == ToiStatus::hit) {
        out["toi_normal"] = json_of(toi.normal);
        out["toi_point_a"] = world_point(query.origin, toi.point_a);
        out["toi_point_b"] = world_point(query.origin, toi.point_b);
    }
    if (toi.status == ToiStatus::out_of_iterations) {
        out["toi_safe"] = json_of(toi.time);
        valid = false;
    }
    out["toi_iterations"] = toi.iterations;
    return valid;
}

} // namespace

bool answer_query(std::string_view text, std::size_t number, const std::string& name, const Path& folder,
                  std::string& answer) {
    Json out;
    bool valid = false;
    try {
        const core::Document line = core::question_document(text, name);
        if (line.root().kind == core::NodeKind::object) {
            if (const core::Node* node = line.member(line.root(), "id")) {
                // Any value: read again, since documents hold numbers in single precision.
                out["id"] = Json::parse(text.substr(node->begin, node->end - node->begin), nullptr, true, true);
            }
        }
        valid = add_answer(out, core::read_question(line, folder));
    } catch (const core::InputError& error) {
        out["error"] = error.message();
        out["line"] = number;
        if (error.location().column > 0) {
            out["column"] = error.location().column;
        }
    }
    answer = core::text_of(out);
    return valid;
}

} // namespace cairn::cli
