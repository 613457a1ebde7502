#include "app/cli/query_line.h"

#include "app/core/base/error.h"
#include "app/core/report/json.h"
#include "app/core/scene/document.h"
#include "app/core/scene/scene_parser.h"
#include "app/core/scene/value_reader.h"
#include "physics/query/algorithm.h"
#include "physics/query/time_of_impact.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace cairn::cli {
namespace {

using namespace cairn::physics;
using core::Json;
using core::json_of;

constexpr std::array<std::string_view, 7> line_keys = {"id", "a", "b", "algorithm", "motion_a", "motion_b", "duration"};
constexpr std::array<std::string_view, 2> motion_keys = {"linear", "angular"};
constexpr core::Range duration_range{0.0f, 1e6f, "s"};

using DVec3 = glm::dvec3;

struct Query {
    QueryAlgorithm algorithm = QueryAlgorithm::gjk_epa;
    Shape a, b;
    // Both as seen from `origin`, the position of A: the physics works in single precision, and shapes far from the
    // world's origin shall be answered as precisely as near it.
    DVec3 origin{0.0}; // world, m
    Sweep sweep_a, sweep_b;
    float duration = 0.0f; // s
    bool moving = false;
};

// Impact is when the shapes touch. The gap left may be a thousandth of the smaller shape, 0.1 mm at most, but no less
// than single precision resolves at the size of the pair.
ToiSettings impact_of(const Query& query) {
    const float small = std::min(query.a.bounding_radius, query.b.bounding_radius);
    const float size = query.a.bounding_radius + query.b.bounding_radius;
    return {0.0f, std::max(5e-7f * size, std::min(1e-4f, 1e-3f * small)), 1000};
}

// Documents keep numbers in single precision; here the difference of two positions counts.
DVec3 position_of(const core::Document& line, const core::Node* position) {
    DVec3 out(0.0);
    if (position != nullptr) {
        const core::Node* number = line.first(*position);
        for (int i = 0; i < 3; ++i, number = line.next(*number)) {
            const std::string_view digits = line.text().substr(number->begin, number->end - number->begin);
            std::from_chars(digits.data(), digits.data() + digits.size(), out[i]);
        }
    }
    return out;
}

// The part of the line that is one shape at its pose, read by the rules of scene files. Returns its position.
DVec3 read_body(const core::Document& line, const core::Node& node, const Path& folder, Shape& shape, Sweep& sweep) {
    const core::ObjectReader reader(line, node, "a placed shape", core::placed_shape_keys);
    reader.require("shape");
    try {
        const core::Document document(line.text().substr(node.begin, node.end - node.begin), line.name());
        const BodyDef body = core::body_from_document(document, folder);
        auto built = build_shape(body.shapes.front().geometry);
        if (const auto* error = std::get_if<ShapeError>(&built)) {
            throw core::InputError(core::Location{line.name(), 1, 1}, error->reason);
        }
        shape = std::move(std::get<Shape>(built));
        sweep.start = body.pose;
    } catch (const core::InputError& error) {
        // Its column counts from the start of the part.
        const std::size_t column = error.location().column;
        line.fail_at(node.begin + (column > 0 && error.location().file == line.name() ? column - 1 : 0),
                     error.location().file == line.name() ? error.message() : error.what());
    }
    return position_of(line, reader.find("position"));
}

void read_motion(const core::Document& line, const core::Node& node, Sweep& sweep) {
    const core::ObjectReader reader(line, node, "a motion", motion_keys);
    if (const core::Node* linear = reader.find("linear")) {
        sweep.linear_velocity = core::read_vector(line, *linear, "linear", core::speed_range);
    }
    if (const core::Node* angular = reader.find("angular")) {
        sweep.angular_velocity = core::read_vector(line, *angular, "angular", core::spin_range);
    }
}

QueryAlgorithm read_algorithm(const core::Document& line, const core::Node& node) {
    const std::string name = core::read_string(line, node, "algorithm");
    if (const auto algorithm = query_algorithm(name)) {
        return *algorithm;
    }
    std::array<std::string_view, all_query_algorithms.size()> known;
    std::transform(all_query_algorithms.begin(), all_query_algorithms.end(), known.begin(),
                   [](QueryAlgorithm algorithm) { return name_of(algorithm); });
    line.fail(node, "there is no algorithm " + core::in_quotes(name) + ";" + core::suggestion(name, known));
}

// Refuses what the algorithm cannot answer, at the member that asks for it.
void check_scope(const core::Document& line, const core::ObjectReader& reader, const Query& query) {
    const std::string name = core::in_quotes(name_of(query.algorithm));
    const auto check_shape = [&](const char* key, const Shape& shape) {
        if (!answers(query.algorithm, shape)) {
            line.fail(reader.require(key), "the algorithm " + name + " answers " +
                                               std::string(scope_of(query.algorithm)) + ", and this is none of them");
        }
    };
    check_shape("a", query.a);
    check_shape("b", query.b);
    for (const char* key : {"motion_a", "motion_b", "duration"}) {
        const core::Node* node = reader.find(key);
        if (node != nullptr && query.algorithm != QueryAlgorithm::gjk_epa) {
            line.fail_at_key(*node, "the algorithm " + name + " gives no time of impact; leave out \"" + key +
                                        "\", or choose \"gjk_epa\"");
        }
    }
}

Query read_query(const core::Document& line, const core::ObjectReader& reader, const Path& folder) {
    Query query;
    if (const core::Node* algorithm = reader.find("algorithm")) {
        query.algorithm = read_algorithm(line, *algorithm);
    }
    query.origin = read_body(line, reader.require("a"), folder, query.a, query.sweep_a);
    const DVec3 other = read_body(line, reader.require("b"), folder, query.b, query.sweep_b);
    query.sweep_a.start.position = Vec3(0.0f);
    query.sweep_b.start.position = Vec3(other - query.origin);
    check_scope(line, reader, query);
    const core::Node* motion_a = reader.find("motion_a");
    const core::Node* motion_b = reader.find("motion_b");
    const core::Node* duration = reader.find("duration");
    query.moving = motion_a != nullptr || motion_b != nullptr || duration != nullptr;
    if (query.moving) {
        if (motion_a != nullptr) {
            read_motion(line, *motion_a, query.sweep_a);
        }
        if (motion_b != nullptr) {
            read_motion(line, *motion_b, query.sweep_b);
        }
        query.duration = core::read_number(line, reader.require("duration"), "duration", duration_range);
    }
    return query;
}

const char* name_of(QueryStatus status) {
    switch (status) {
    case QueryStatus::separated:
        return "separated";
    case QueryStatus::touching:
        return "touching";
    case QueryStatus::overlapping:
        return "overlapping";
    case QueryStatus::failed:
        break;
    }
    return "failed";
}

const char* name_of(ToiStatus status) {
    switch (status) {
    case ToiStatus::hit:
        return "hit";
    case ToiStatus::miss:
        return "miss";
    case ToiStatus::initial:
        return "initial";
    case ToiStatus::out_of_iterations:
        break;
    }
    return "failed";
}

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
bool add_answer(Json& out, const Query& query) {
    const QueryAnswer result =
        query_pair(query.algorithm, query.a, query.sweep_a.start, query.b, query.sweep_b.start).value();
    bool valid = result.status != QueryStatus::failed;
    out["status"] = name_of(result.status);
    const bool measured = result.separation.has_value();
    out["distance"] = measured ? json_of(result.separation->distance) : Json(nullptr);
    out["normal"] = measured ? json_of(result.separation->normal) : Json(nullptr);
    out["point_a"] = measured ? world_point(query.origin, result.separation->point_a) : Json(nullptr);
    out["point_b"] = measured ? world_point(query.origin, result.separation->point_b) : Json(nullptr);
    out["iterations"] = result.iterations;
    if (!query.moving) {
        return valid;
    }
    const TimeOfImpact toi =
        time_of_impact(query.a, query.sweep_a, query.b, query.sweep_b, query.duration, impact_of(query));
    const bool touches = toi.status == ToiStatus::hit || toi.status == ToiStatus::initial;
    out["toi"] = touches ? json_of(toi.time) : Json(nullptr);
    out["toi_status"] = name_of(toi.status);
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
        const std::size_t first = text.find_first_not_of(" \t\r");
        if (std::isalnum(static_cast<unsigned char>(text[first])) != 0 || text[first] == '[' || text[first] == '"') {
            throw core::InputError(core::Location{name, 1, first + 1}, "a line must be one query, an object { ... }");
        }
        const core::Document line(text, name);
        if (line.root().kind == core::NodeKind::object) {
            if (const core::Node* node = line.member(line.root(), "id")) {
                // Any value: read again, since documents hold numbers in single precision.
                out["id"] = Json::parse(text.substr(node->begin, node->end - node->begin), nullptr, true, true);
            }
        }
        const core::ObjectReader reader(line, line.root(), "a query", line_keys);
        valid = add_answer(out, read_query(line, reader, folder));
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
