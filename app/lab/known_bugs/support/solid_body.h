// What the versions that are about a single body have in common: the hull of points, drawn where its author put it, and
// the axes about which a body turns evenly.
#pragma once

#include "app/lab/known_bugs/support/step_report.h"

namespace cairn::core::lab::known_bugs {

using Points = std::vector<physics::Vec3>; // of one body, m, in its author's frame

// The engine's shape, or its reason to reject the points.
std::variant<physics::Shape, physics::ShapeError> solid_of(const Points& points);

void draw_points(Figure& figure, const Points& points, Role role = Role::simplex);

// The edges of the shape of a point set, in its author's frame.
void draw_hull_edges(Figure& figure, const physics::Shape& shape, Role role);

// Principal moments and axes (columns) of a symmetric tensor: tensor == axes * diagonal(moments) * transpose(axes).
struct PrincipalAxes {
    DVec3 moments{0.0};
    glm::dmat3 axes{1.0};
};
PrincipalAxes principal_axes(const glm::dmat3& symmetric);

// Three strokes through the centre, m, each as long as the radius of gyration about it tells: the longest where the
// body turns most easily. `size` of the longest, m.
void draw_axes(Figure& figure, const DVec3& centre, const glm::dmat3& tensor, double size, Role role);

// "(4, 0, 0), (0, 2, 0), (0, 0, 3)", row by row.
std::string tensor_text(const glm::dmat3& tensor);

// The greatest difference of two entries beside the greatest moment of the second.
double tensor_error(const glm::dmat3& tensor, const glm::dmat3& truth);

} // namespace cairn::core::lab::known_bugs
