// The convex hull of a part, and how far the two are apart.
#pragma once

#include "physics/geometry/decomposition/parts/mesh_part.h"
#include "physics/geometry/decomposition/parts/mesh_tree.h"

#include <span>
#include <vector>

namespace cairn::physics::detail {

struct PartHull {
    struct Face {
        glm::dvec3 normal; // unit, outwards
        double offset;     // grid units
    };
    std::vector<glm::dvec3> points; // its vertices
    std::vector<IndexTriangle> triangles;
    std::vector<Face> faces; // of each triangle
    double volume = 0.0;     // grid units cubed; 0: the points lie in one plane

    bool flat() const { return triangles.empty(); }
};

// Points may end up to `tolerance` (grid units) outside.
PartHull hull_of(std::span<const glm::dvec3> points, double tolerance);

// Its volume alone, grid units cubed.
double hull_volume(std::span<const glm::dvec3> points, double tolerance);

// The hull of some of the vertices: those that lie farthest outside the hull of the ones before, one after the other,
// until there are `count` or none is outside.
PartHull simplified(const PartHull& hull, std::size_t count);

// The collision-aware concavity (Wei et al. 2022), from samples about `spacing` apart, grid units: the greatest of
// - the distance of the part's surface from the hull's: how deep its dents and holes are;
// - the distance of the hull's surface from the part: how far something rests away from the part that rests on the
//   hull;
// - the distance of points in the hull but outside the part from the part: caves behind narrow mouths.
// Faces that close cuts are not part of the first: in a part they lie in faces of the hull, in several parts that are
// merged they are no surface. Stops at the first sample beyond `limit`, and returns what it saw so far.
double concavity(const MeshPart& part, const MeshTree& tree, const PartHull& hull, double spacing, double limit);

} // namespace cairn::physics::detail
