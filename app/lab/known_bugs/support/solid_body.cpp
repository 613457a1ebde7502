#include "app/lab/known_bugs/support/solid_body.h"

#include "physics/base/symmetric_eigen.h"

#include <algorithm>
#include <cmath>

namespace cairn::core::lab::known_bugs {

using physics::Shape;
using physics::Vec3;

std::variant<Shape, physics::ShapeError> solid_of(const Points& points) {
    return build_shape(physics::PointSet{std::make_shared<const Points>(points)});
}

void draw_points(Figure& figure, const Points& points, Role role) {
    for (const Vec3& point : points) {
        figure.dots.push_back({DVec3(point), role, {}});
    }
}

void draw_hull_edges(Figure& figure, const Shape& shape, Role role) {
    const DVec3 offset(shape.author_offset);
    for (const auto& edge : shape.hull->edges) {
        figure.strokes.push_back({offset + DVec3(shape.hull->vertices[edge.vertex_a]),
                                  offset + DVec3(shape.hull->vertices[edge.vertex_b]),
                                  role,
                                  false,
                                  {}});
    }
}

PrincipalAxes principal_axes(const glm::dmat3& symmetric) {
    glm::dmat3 m = symmetric;
    const glm::dmat3 axes = physics::diagonalise(m);
    return {DVec3(m[0][0], m[1][1], m[2][2]), axes};
}

void draw_axes(Figure& figure, const DVec3& centre, const glm::dmat3& tensor, double size, Role role) {
    const PrincipalAxes found = principal_axes(0.5 * (tensor + glm::transpose(tensor)));
    const double least = std::min({found.moments.x, found.moments.y, found.moments.z});
    for (int i = 0; i < 3; ++i) {
        const double length = size * std::sqrt(std::max(least, 0.0) / std::max(found.moments[i], 1e-300));
        const DVec3 half = 0.5 * length * found.axes[i];
        figure.strokes.push_back({centre - half, centre + half, role, false, {}});
    }
}

std::string tensor_text(const glm::dmat3& tensor) {
    const glm::dmat3 rows = glm::transpose(tensor);
    return reading_text(rows[0]) + ", " + reading_text(rows[1]) + ", " + reading_text(rows[2]);
}

double tensor_error(const glm::dmat3& tensor, const glm::dmat3& truth) {
    double most = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            most = std::max(most, std::abs(tensor[i][j] - truth[i][j]));
        }
    }
    return most / std::max({truth[0][0], truth[1][1], truth[2][2]});
}

} // namespace cairn::core::lab::known_bugs
