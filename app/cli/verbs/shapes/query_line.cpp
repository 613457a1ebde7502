#include "app/cli/verbs/shapes/query_line.h"

#include "app/core/base/error.h"
#include "app/core/query/cast_question.h"
#include "app/core/query/question.h"
#include "app/core/report/formats/json.h"
#include "physics/world/world_query.h"

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

// What is touched, where that is known.
void add_material(Json& out, const core::CastQuestion& query, std::uint32_t triangle) {
    const TouchedMaterial touched = touched_material(query.target, 0, triangle);
    Json material{{"friction", json_of(touched.material.friction)},
                  {"restitution", json_of(touched.material.restitution)},
                  {"rolling_resistance", json_of(touched.material.rolling_resistance)}};
    if (touched.place) {
        material["place"] = *touched.place;
        material["name"] = touched.name;
    }
    out["material"] = std::move(material);
}

bool add_ray_answer(Json& out, const core::CastQuestion& query) {
    const RayCast cast = ray_answer(query);
    out["status"] = cast.status == RayStatus::hit ? "hit" : cast.status == RayStatus::inside ? "inside" : "miss";
    const bool hit(cast);
    out["distance"] = hit ? json_of(cast->distance) : Json(nullptr);
    out["normal"] = hit ? json_of(cast->normal) : Json(nullptr);
    out["point"] = hit ? world_point(query.origin, cast->point) : Json(nullptr);
    if (hit) {
        add_material(out, query, cast->triangle);
    }
    return true;
}

bool add_cast_answer(Json& out, const core::CastQuestion& query) {
    const ShapeCast cast = shape_answer(query);
    const bool met = cast.status == ShapeCastStatus::hit || cast.status == ShapeCastStatus::initial;
    out["status"] = cast.status == ShapeCastStatus::hit       ? "hit"
                    : cast.status == ShapeCastStatus::initial ? "initial"
                    : cast.status == ShapeCastStatus::miss    ? "miss"
                                                              : "failed";
    out["fraction"] = json_of(cast.fraction);
    out["distance"] = met ? json_of(cast.distance) : Json(nullptr);
    out["normal"] = met ? json_of(cast.normal) : Json(nullptr);
    out["point_a"] = met ? world_point(query.origin, cast.point_a) : Json(nullptr);
    out["point_b"] = met ? world_point(query.origin, cast.point_b) : Json(nullptr);
    if (met) {
        add_material(out, query, cast.triangle);
    }
    return cast.status != ShapeCastStatus::out_of_iterations;
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
        if (core::asks_for_cast(line)) {
            const core::CastQuestion cast = core::read_cast_question(line, folder);
            valid = cast.shape ? add_cast_answer(out, cast) : add_ray_answer(out, cast);
        } else {
            valid = add_answer(out, core::read_question(line, folder));
        }
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
