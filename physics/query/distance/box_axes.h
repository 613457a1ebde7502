// Separating axes of two boxes. Internal to queries.
#pragma once

#include "physics/query/gjk/minkowski.h"

namespace cairn::physics {

// The best of each kind of axis: the face normals of A, those of B, and the cross products of their edges. By the
// separating axis theorem the greatest of the three separations is the exact depth where it is negative, and a lower
// bound of the distance where it is positive.
struct BoxAxes {
    struct Axis {
        double separation = -1e300; // m
        DVec3 normal{0.0};          // unit, from A to B, frame of A
    };
    Axis face_a, face_b, edges;
    int edge_a = 0, edge_b = 0; // axes along which the edges of `edges` run

    const Axis& best() const {
        const Axis& face = face_a.separation >= face_b.separation ? face_a : face_b;
        return edges.separation > face.separation ? edges : face;
    }
};

// The edges are not tried (their separation stays far below zero) if a face separates by more than `enough`, m.
BoxAxes box_axes(const DVec3& half_a, const DVec3& half_b, const Frame& b_in_a, double enough);

// Nearest points of the two edges that `axes.edges` is the direction of.
void box_edge_points(const DVec3& half_a, const DVec3& half_b, const Frame& b_in_a, const BoxAxes& axes, DVec3& on_a,
                     DVec3& on_b);

// The corner of a box that lies farthest along `direction` (unit, frame of the box). False if an edge or a face lies as
// far, so that there is more than one.
bool box_corner(const DVec3& half, const DVec3& direction, DVec3& corner);

} // namespace cairn::physics
