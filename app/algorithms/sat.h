// The separating axis test for polytopes.
#pragma once

#include "physics/query/distance.h"

#include <array>
#include <cstdint>
#include <vector>

namespace cairn::algorithms {

class QueryTrace; // keeps what a query does (trace.h)

using physics::QueryStatus;
using physics::Shape;
using physics::Transform;
using physics::Vec3;

struct SatResult {
    QueryStatus status = QueryStatus::failed; // failed only if a pose is not finite
    float distance = 0.0f; // m; negative is the exact depth, positive the distance of the nearest features
    Vec3 normal{0.0f};     // unit, world, from A to B
    Vec3 point_a{0.0f};    // world, on the surface of A
    Vec3 point_b{0.0f};    // world, on the surface of B; point_b - point_a == distance * normal up to rounding
    int axes = 0;          // face normals and pairs of edges that had to be measured
};

// Is the shape a polytope: a box, a hull, a diamond?
bool sat_answers(const Shape& shape);

// Signed distance of two polytopes.
//
// The facets of the Minkowski difference A - B are faces of A, faces of B, and parallelograms of an edge of each, so
// the greatest separation over those normals is the exact depth where all of them overlap (negative), and where it is
// positive it proves the pair apart. It is then the distance too if a vertex lies nearest to a face or an edge to an
// edge; where the nearest features are a vertex and a vertex or an edge, no facet's normal joins them, and the distance
// is found by comparing the features that the separating axis leaves in question.
//
// Both shapes must satisfy sat_answers(). Double precision inside, no allocation, no iteration to a tolerance: the work
// is bounded by the number of faces and of pairs of edges.
SatResult sat(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b,
              QueryTrace* trace = nullptr);

// The face and the edge of that number, as trace::Axis names them: corners in order, local, m.
std::vector<Vec3> sat_face(const Shape& shape, std::uint32_t face);
std::array<Vec3, 2> sat_edge(const Shape& shape, std::uint32_t edge);

} // namespace cairn::algorithms
