#include "app/core/query/cast_question.h"

#include "app/core/query/placed_shape.h"
#include "app/core/scene/values/scene_keys.h"
#include "app/core/scene/values/value_reader.h"
#include "physics/query/mesh/mesh_pair.h"

#include <array>
#include <memory>
#include <string_view>
#include <utility>

namespace cairn::core {

namespace {

using namespace cairn::physics;

constexpr std::array<std::string_view, 3> ray_line_keys = {"id", "ray", "b"};
constexpr std::array<std::string_view, 4> cast_line_keys = {"id", "a", "translation", "b"};
constexpr std::array<std::string_view, 3> ray_keys = {"origin", "direction", "max_distance"};
constexpr Range reach_range{1e-6f, 1e6f, "m"};

// Returns its position.
glm::dvec3 read_target(const Document& line, const Node& node, const std::filesystem::path& folder, CastQuestion& to) {
    PlacedShape placed = read_placed_shape(line, node, folder, true);
    BodyModel::Part part;
    part.shape = std::make_shared<const Shape>(std::move(placed.shape));
    to.target_pose.orientation = placed.body.pose.orientation;
    to.target.def = std::move(placed.body);
    to.target.parts.push_back(std::move(part));
    return placed.position;
}

Ray read_ray(const Document& line, const ObjectReader& reader) {
    Ray ray;
    const Node& direction = reader.require("direction");
    ray.direction = read_vector(line, direction, "direction", coordinate_range);
    const float length = glm::length(ray.direction);
    if (!(length > 0.0f)) {
        line.fail(direction, "\"direction\" has length zero");
    }
    ray.direction /= length;
    reader.take("max_distance", ray.max_distance, read_number, reach_range);
    return ray;
}

} // namespace

bool asks_for_cast(const Document& line) {
    const Node& root = line.root();
    return root.kind == NodeKind::object &&
           (line.member(root, "ray") != nullptr || line.member(root, "translation") != nullptr);
}

CastQuestion read_cast_question(const Document& line, const std::filesystem::path& folder) {
    CastQuestion out;
    const bool ray = line.member(line.root(), "ray") != nullptr;
    const ObjectReader reader = ray ? ObjectReader(line, line.root(), "a ray's query", ray_line_keys)
                                    : ObjectReader(line, line.root(), "a cast's query", cast_line_keys);
    const glm::dvec3 target = read_target(line, reader.require("b"), folder, out);
    if (ray) {
        const ObjectReader of_ray(line, reader.require("ray"), "\"ray\"", ray_keys);
        const Node& origin = of_ray.require("origin");
        read_vector(line, origin, "origin", coordinate_range);
        out.origin = precise_position(line, &origin);
        out.ray = read_ray(line, of_ray);
    } else {
        const Node& node = reader.require("a");
        PlacedShape placed = read_placed_shape(line, node, folder, false);
        out.origin = placed.position;
        out.from.orientation = placed.body.pose.orientation;
        out.shape = std::move(placed.shape);
        out.translation = read_vector(line, reader.require("translation"), "translation", coordinate_range);
    }
    out.target_pose.position = Vec3(target - out.origin);
    return out;
}

RayCast ray_answer(const CastQuestion& question) {
    return ray_cast(*question.target.parts[0].shape, question.target_pose, question.ray);
}

ShapeCast shape_answer(const CastQuestion& question) {
    const Shape& target = *question.target.parts[0].shape;
    return target.kind == ShapeKind::mesh
               ? mesh_cast(*question.shape, question.from, question.translation, target, question.target_pose)
               : shape_cast(*question.shape, question.from, question.translation, target, question.target_pose);
}

} // namespace cairn::core
