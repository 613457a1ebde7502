#include "app/core/query/question.h"

#include "app/core/base/error.h"
#include "app/core/query/cast_question.h"
#include "app/core/query/placed_shape.h"
#include "app/core/scene/values/value_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace cairn::core {
namespace {

using namespace cairn::algorithms;
using namespace cairn::physics;

constexpr std::array<std::string_view, 7> line_keys = {"id", "a", "b", "algorithm", "motion_a", "motion_b", "duration"};
constexpr std::array<std::string_view, 2> motion_keys = {"linear", "angular"};
constexpr Range duration_range{0.0f, 1e6f, "s"};

using DVec3 = glm::dvec3;
using Path = std::filesystem::path;

// Returns its position.
DVec3 read_body(const Document& line, const Node& node, const Path& folder, Shape& shape, Geometry& geometry,
                Sweep& sweep) {
    PlacedShape placed = read_placed_shape(line, node, folder, false);
    geometry = placed.body.shapes.front().geometry;
    shape = std::move(placed.shape);
    sweep.start = placed.body.pose;
    return placed.position;
}

void read_motion(const Document& line, const Node& node, Sweep& sweep) {
    const ObjectReader reader(line, node, "a motion", motion_keys);
    reader.take("linear", sweep.linear_velocity, read_vector, speed_range);
    reader.take("angular", sweep.angular_velocity, read_vector, spin_range);
}

QueryAlgorithm read_algorithm(const Document& line, const Node& node) {
    const std::string name = read_string(line, node, "algorithm");
    if (const auto algorithm = query_algorithm(name)) {
        return *algorithm;
    }
    std::array<std::string_view, all_query_algorithms.size()> known;
    std::ranges::transform(all_query_algorithms, known.begin(),
                           [](QueryAlgorithm algorithm) { return name_of(algorithm); });
    line.fail(node, "there is no algorithm " + in_quotes(name) + ";" + suggestion(name, known));
}

// Rejects what the algorithm cannot answer, at the member that asks for it.
void check_scope(const Document& line, const ObjectReader& reader, const Question& question) {
    const std::string name = in_quotes(name_of(question.algorithm));
    const auto check_shape = [&](const char* key, const Shape& shape) {
        if (!answers(question.algorithm, shape)) {
            line.fail(reader.require(key), "the algorithm " + name + " answers " +
                                               std::string(scope_of(question.algorithm)) +
                                               ", and this shape is not one of them");
        }
    };
    check_shape("a", question.a);
    check_shape("b", question.b);
    for (const char* key : {"motion_a", "motion_b", "duration"}) {
        const Node* node = reader.find(key);
        if (node != nullptr && question.algorithm != QueryAlgorithm::gjk_epa) {
            line.fail_at_key(*node, "the algorithm " + name + " gives no time of impact; leave out \"" + key +
                                        "\", or choose \"gjk_epa\"");
        }
    }
}

} // namespace

Document question_document(std::string_view text, const std::string& name) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (std::isalnum(static_cast<unsigned char>(text[first])) != 0 || text[first] == '[' || text[first] == '"') {
        throw InputError(Location{name, 1, first + 1}, "a line must be one query, an object { ... }");
    }
    return {text, name};
}

Question read_question(const Document& line, const Path& folder) {
    if (asks_for_cast(line)) {
        const bool ray = line.member(line.root(), "ray") != nullptr;
        line.fail_at_key(*line.member(line.root(), ray ? "ray" : "translation"),
                         "rays and casts are answered by cairn query alone; the lab shows pairs");
    }
    const ObjectReader reader(line, line.root(), "a query", line_keys);
    Question question;
    if (const Node* id = reader.find("id")) {
        question.id = id->kind == NodeKind::string ? read_string(line, *id, "id")
                                                   : std::string(line.text().substr(id->begin, id->end - id->begin));
    }
    if (const Node* algorithm = reader.find("algorithm")) {
        question.algorithm = read_algorithm(line, *algorithm);
        question.names_algorithm = true;
    }
    question.origin = read_body(line, reader.require("a"), folder, question.a, question.geometry_a, question.sweep_a);
    const DVec3 other = read_body(line, reader.require("b"), folder, question.b, question.geometry_b, question.sweep_b);
    question.sweep_a.start.position = Vec3(0.0f);
    question.sweep_b.start.position = Vec3(other - question.origin);
    check_scope(line, reader, question);
    const Node* motion_a = reader.find("motion_a");
    const Node* motion_b = reader.find("motion_b");
    const Node* duration = reader.find("duration");
    question.moving = motion_a != nullptr || motion_b != nullptr || duration != nullptr;
    if (question.moving) {
        if (motion_a != nullptr) {
            read_motion(line, *motion_a, question.sweep_a);
        }
        if (motion_b != nullptr) {
            read_motion(line, *motion_b, question.sweep_b);
        }
        question.duration = read_number(line, reader.require("duration"), "duration", duration_range);
    }
    return question;
}

ToiSettings impact_settings(const Shape& a, const Shape& b) {
    const float small = std::min(a.bounding_radius, b.bounding_radius);
    const float size = a.bounding_radius + b.bounding_radius;
    return {0.0f, std::max(5e-7f * size, std::min(1e-4f, 1e-3f * small)), 1000};
}

std::string_view name_of(QueryStatus status) {
    static constexpr std::array<std::string_view, 4> names = {"separated", "touching", "overlapping", "failed"};
    return names[static_cast<std::size_t>(status)];
}

std::string_view name_of(ToiStatus status) {
    static constexpr std::array<std::string_view, 4> names = {"hit", "miss", "initial", "failed"};
    return names[static_cast<std::size_t>(status)];
}

} // namespace cairn::core
