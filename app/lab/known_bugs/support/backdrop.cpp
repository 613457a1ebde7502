#include "app/lab/known_bugs/support/backdrop.h"

#include "app/lab/known_bugs/support/difference.h"
#include "app/lab/steps/placing.h"
#include "app/lab/tracers/difference.h"

#include <cmath>
#include <numbers>

namespace cairn::core::lab::known_bugs {
namespace {

using physics::ConvexHull;
using physics::ShapeKind;

constexpr int around = 24;
constexpr int upwards = 12;
constexpr double least_side = 0.15; // of the squared size: the facets of what is round have less
using std::numbers::pi;

bool is_ball_or_capsule(const physics::Shape& shape) {
    return shape.kind == ShapeKind::sphere || shape.kind == ShapeKind::capsule;
}

double area(const ConvexHull& hull, std::uint32_t which) {
    const auto face = hull.face(which);
    physics::Vec3 sum(0.0f);
    for (std::size_t i = 1; i + 1 < face.size(); ++i) {
        const physics::Vec3& from = hull.vertices[face[0]];
        sum += glm::cross(hull.vertices[face[i]] - from, hull.vertices[face[i + 1]] - from);
    }
    return 0.5 * double(glm::length(sum));
}

} // namespace

std::shared_ptr<const Figure> backdrop_of(const LabPair& pair, double time) {
    const physics::Transform pose_a = shape_pose_at(pair.sweep_a, time);
    const physics::Transform pose_b = shape_pose_at(pair.sweep_b, time);
    if (!is_ball_or_capsule(pair.a) && !is_ball_or_capsule(pair.b)) {
        return difference_figure(pair.a, pose_a, pair.b, pose_b);
    }
    Difference difference(pair.a, pose_a, pair.b, pose_b);
    // The hull's builder works in single precision: near the middle of the points it loses least.
    const DVec3 middle = DVec3(pose_a.position) - DVec3(pose_b.position);
    std::vector<physics::Vec3> points;
    for (int i = 0; i < around; ++i) {
        for (int j = 0; j < upwards; ++j) {
            // Between the axes, along which flat sides have many farthest points, and only one of them is found.
            const double turn = 2.0 * pi * (i + 0.5) / around;
            const double height = pi * (j + 0.5) / upwards;
            const DVec3 d(std::cos(turn) * std::sin(height), std::sin(turn) * std::sin(height), std::cos(height));
            points.emplace_back(difference.support(d).w - middle);
        }
    }
    const double size = size_of(pair);
    auto figure = std::make_shared<Figure>();
    figure->dots.push_back({DVec3(0.0), Role::origin, "0"});
    const auto built = physics::build_convex_hull(points);
    if (const auto* hull = std::get_if<ConvexHull>(&built)) {
        const auto at = [&](std::uint32_t i) { return DVec3(hull->vertices[i]) + DVec3(hull->centroid) + middle; };
        for (std::size_t f = 0; f < hull->faces.size(); ++f) {
            const auto face = hull->face(f);
            for (std::size_t i = 1; i + 1 < face.size(); ++i) {
                figure->facets.push_back({{at(face[0]), at(face[i]), at(face[i + 1])}, Role::difference});
            }
        }
        for (const ConvexHull::Edge& edge : hull->edges) {
            // Only the borders of flat sides: a net of lines over what is round would hide what is drawn on it.
            const double least = least_side * size * size;
            if ((area(*hull, edge.face_a) < least) == (area(*hull, edge.face_b) < least)) {
                continue;
            }
            figure->strokes.push_back({at(edge.vertex_a), at(edge.vertex_b), Role::difference, false, {}});
        }
    }
    return figure;
}

} // namespace cairn::core::lab::known_bugs
