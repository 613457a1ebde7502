#include "app/lab/comparison/comparison_pairs.h"

#include "app/lab/pair_of_question.h"
#include "app/lab/scene_pair.h"
#include "physics/query/distance.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>

namespace cairn::core::lab {

using physics::Aabb;
using physics::FrameState;
using physics::Shape;
using physics::ShapeKind;
using physics::Transform;
using physics::Vec3;

namespace {

using std::numbers::pi;

// ---- scenes ---------------------------------------------------------------------------------------------------------

struct Part {
    std::size_t slot = 0, part = 0;
    Aabb bounds; // m, world
};

bool before(const Part& a, const Part& b) {
    return a.slot != b.slot ? a.slot < b.slot : a.part < b.part;
}

std::vector<std::pair<Part, Part>> near_parts(const FrameState& frame, float within) {
    std::vector<Part> parts;
    for (std::size_t slot = 0; slot < frame.bodies.size(); ++slot) {
        const physics::BodyModel& model = *frame.models[slot];
        for (std::size_t i = 0; i < model.parts.size(); ++i) {
            if (model.parts[i].sensor || model.parts[i].shape->kind == ShapeKind::mesh) {
                continue; // no algorithm takes meshes
            }
            const Transform pose = physics::compose(frame.bodies[slot].pose, model.parts[i].pose);
            parts.push_back({slot, i, physics::bounds(*model.parts[i].shape, pose)});
        }
    }
    // A sweep along X: what begins too far behind the end of a box need not be looked at.
    std::ranges::sort(parts, [](const Part& a, const Part& b) {
        return a.bounds.lower.x != b.bounds.lower.x ? a.bounds.lower.x < b.bounds.lower.x : before(a, b);
    });
    std::vector<std::pair<Part, Part>> out;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t k = i + 1; k < parts.size() && parts[k].bounds.lower.x <= parts[i].bounds.upper.x + within;
             ++k) {
            if (parts[i].slot != parts[k].slot && physics::distance(parts[i].bounds, parts[k].bounds) <= within) {
                out.emplace_back(std::min(parts[i], parts[k], before), std::max(parts[i], parts[k], before));
            }
        }
    }
    std::ranges::sort(out, [](const auto& x, const auto& y) {
        return before(x.first, y.first) || (!before(y.first, x.first) && before(x.second, y.second));
    });
    return out;
}

std::string part_name(const FrameState& frame, const Part& part) {
    const std::string name = body_name(frame, part.slot);
    return frame.models[part.slot]->parts.size() > 1 ? name + '/' + std::to_string(part.part + 1) : name;
}

bool moves(const physics::BodyState& body) {
    return body.linear_velocity != Vec3(0.0f) || body.angular_velocity != Vec3(0.0f);
}

// ---- growth ---------------------------------------------------------------------------------------------------------

physics::Geometry ball_of_points(std::size_t count) {
    const double golden_angle = pi * (3.0 - std::sqrt(5.0));
    auto points = std::make_shared<std::vector<Vec3>>();
    for (std::size_t i = 0; i < count; ++i) {
        const double z = 1.0 - (2.0 * static_cast<double>(i) + 1.0) / static_cast<double>(count);
        const double radius = std::sqrt(1.0 - z * z), angle = golden_angle * static_cast<double>(i);
        points->emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
    }
    return physics::PointSet{std::move(points)};
}

physics::Geometry geometry_of(const Shape& shape) {
    switch (shape.kind) {
    case ShapeKind::sphere:
        return physics::Sphere{shape.radius};
    case ShapeKind::box:
        return physics::Box{shape.half_extents};
    case ShapeKind::capsule:
        return physics::Capsule{shape.radius, shape.half_extents.z};
    case ShapeKind::cylinder:
        return physics::Cylinder{shape.radius, shape.half_extents.z};
    case ShapeKind::cone:
        return physics::Cone{shape.radius, 2.0f * shape.half_extents.z};
    case ShapeKind::hull:
        break;
    case ShapeKind::mesh:
        throw std::invalid_argument("a mesh is not convex");
    }
    return physics::PointSet{std::make_shared<const std::vector<Vec3>>(shape.hull->vertices)};
}

} // namespace

ComparedPair compared_pair(const std::string& name, const LabPair& pair) {
    return {name, pair, geometry_of(pair.a), geometry_of(pair.b), {}};
}

std::vector<ComparedPair> pairs_of(const QuestionFile& questions) {
    std::vector<ComparedPair> pairs;
    for (const QuestionLine& line : questions.lines) {
        const Question question = read_question(questions, line);
        pairs.push_back({title_of(question, line), pair_of(question), question.geometry_a, question.geometry_b, {}});
    }
    return pairs;
}

std::vector<ComparedPair> near_pairs(const FrameState& frame, float within) {
    std::vector<ComparedPair> out;
    for (const auto& [a, b] : near_parts(frame, within)) {
        const bool moving = moves(frame.bodies[a.slot]) || moves(frame.bodies[b.slot]);
        ComparedPair& pair = out.emplace_back();
        pair.pair = pair_of_parts(frame, {a.slot, a.part}, {b.slot, b.part}, moving ? frame.settings.dt() : 0.0f);
        pair.pair.name_a = part_name(frame, a);
        pair.pair.name_b = part_name(frame, b);
        pair.name = pair.pair.name_a + " and " + pair.pair.name_b;
        pair.geometry_a = frame.models[a.slot]->def.shapes[a.part].geometry;
        pair.geometry_b = frame.models[b.slot]->def.shapes[b.part].geometry;
    }
    return out;
}

void place(LabPair& pair, double distance) {
    // No symmetry of the points has this direction or this turn, so that no feature is met head on.
    const Vec3 direction = glm::normalize(Vec3(0.83f, 0.41f, 0.37f));
    // The distance grows all the way, since it is convex along a line and the line begins where it is less.
    Transform& pose = pair.sweep_b.start;
    pose.orientation = glm::normalize(physics::Quat(0.72f, 0.35f, -0.51f, 0.31f));
    double low = 0.0, high = double(pair.a.bounding_radius + pair.b.bounding_radius) + std::max(distance, 0.0) + 1.0;
    for (int i = 0; i < 48; ++i) { // to far below what a position resolves
        const double middle = 0.5 * (low + high);
        pose.position = pair.sweep_a.start.position + static_cast<float>(middle) * direction;
        const auto found = physics::signed_distance(pair.a, pair.sweep_a.start, pair.b, pose);
        (double(found.distance) < distance ? low : high) = middle;
    }
    pose.position = pair.sweep_a.start.position + static_cast<float>(high) * direction;
}

std::vector<ComparedPair> growth_pairs() {
    std::vector<ComparedPair> out;
    for (const std::size_t size : growth_sizes) {
        const physics::Geometry points = ball_of_points(size);
        auto built = physics::build_shape(points);
        if (const auto* error = std::get_if<physics::ShapeError>(&built)) {
            throw std::logic_error("points on a ball: " + error->reason);
        }
        for (const GrowthPlacing& placing : growth_placings) {
            ComparedPair& pair = out.emplace_back();
            pair.name = "points on a ball";
            pair.placing = placing.name;
            pair.geometry_a = pair.geometry_b = points;
            pair.pair.a = pair.pair.b = std::get<Shape>(built);
            place(pair.pair, placing.distance);
        }
    }
    return out;
}

} // namespace cairn::core::lab
