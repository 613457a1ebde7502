#include "app/lab/known_bugs/support/solid_body.h"

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
    // Jacobi's rotations: each makes the greatest product zero. A 3x3 tensor needs a handful.
    glm::dmat3 m = symmetric;
    glm::dmat3 axes(1.0);
    for (int turn = 0; turn < 50; ++turn) {
        int p = 0, q = 1;
        for (const auto& [i, j] : {std::pair{0, 2}, std::pair{1, 2}}) {
            if (std::abs(m[j][i]) > std::abs(m[q][p])) {
                p = i;
                q = j;
            }
        }
        if (std::abs(m[q][p]) <= 1e-14 * (std::abs(m[0][0]) + std::abs(m[1][1]) + std::abs(m[2][2]))) {
            break;
        }
        const double angle = 0.5 * std::atan2(2.0 * m[q][p], m[q][q] - m[p][p]);
        glm::dmat3 turned(1.0);
        turned[p][p] = turned[q][q] = std::cos(angle);
        turned[p][q] = -std::sin(angle);
        turned[q][p] = std::sin(angle);
        m = glm::transpose(turned) * m * turned;
        axes = axes * turned;
    }
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
