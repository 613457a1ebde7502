// A convex polyhedron with polygonal faces, and the builder that makes one from any point set.
#pragma once

#include "physics/geometry/aabb.h"
#include "physics/geometry/highest.h"

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace cairn::physics {

// Plane { x : dot(normal, x) == offset }; the solid lies where dot(normal, x) <= offset.
struct Plane {
    Vec3 normal{0.0f, 0.0f, 1.0f}; // unit, outwards
    float offset = 0.0f;           // metres
};

// Immutable after building. Coordinates have the volume centroid at the origin; `centroid` is where that was in the
// input. Vertices keep the order of the input points that survived. Faces are polygons, counter-clockwise seen from
// outside.
struct ConvexHull {
    struct Face {
        std::uint32_t first_index = 0; // into face_indices and face_edges
        std::uint32_t index_count = 0;
    };
    struct Edge { // undirected, vertex_a < vertex_b
        std::uint32_t vertex_a = 0, vertex_b = 0;
        std::uint32_t face_a = 0, face_b = 0; // face_a has the edge in the order a -> b
    };

    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> input_index; // of each vertex: the input point that it is, ascending
    std::vector<Face> faces;
    std::vector<Plane> planes;               // one per face
    std::vector<std::uint32_t> face_indices; // vertex indices of all faces, one polygon after the other
    std::vector<std::uint32_t> face_edges;   // edge starting at the vertex of the same slot in face_indices
    std::vector<Edge> edges;

    // Vertices that share an edge with vertex i: neighbours[neighbour_start[i] .. neighbour_start[i + 1]).
    std::vector<std::uint32_t> neighbour_start;
    std::vector<std::uint32_t> neighbours;

    // The same vertices and planes again, laid out for wide arithmetic; vertices only of hulls small enough to scan.
    detail::Lanes vertex_lanes;
    detail::Lanes plane_lanes;

    // For support queries on hulls of many vertices: a cube map of directions with support_cells^2 cells per face (+x
    // -x +y -y +z -z), and for each cell all vertices that are farthest along any direction in it:
    // cell_vertices[cell_start[c] .. cell_start[c + 1]). No cells for small hulls, which are scanned.
    std::uint32_t support_cells = 0;
    std::vector<std::uint32_t> cell_start;
    std::vector<std::uint16_t> cell_vertices;

    // Mass properties are those of the hull of all input points without any tolerance.
    Vec3 centroid{0.0f};       // of the solid, in the input's coordinates
    float volume = 0.0f;       // m^3
    Mat3 unit_inertia{1.0f};   // about the centroid, for density 1 kg/m^3, kg m^2
    Aabb bounds;               // in centred coordinates
    float bounding_radius = 0; // greatest distance of a vertex from the centroid, m
    float inner_radius = 0;    // least distance of a face plane from the centroid, m

    std::span<const std::uint32_t> face(std::size_t f) const {
        return {face_indices.data() + faces[f].first_index, faces[f].index_count};
    }
};

// Largest number of hull vertices accepted; a limit of the feature ids in contact manifolds.
inline constexpr std::size_t max_hull_vertices = 4096;

struct HullError {
    std::string reason; // a phrase for people, e.g. "the points lie in one plane"
};

// Builds the hull of `points`. Tolerances are relative to the extent of the input. Coplanar triangles are merged to
// polygons, duplicates and interior points dropped; every input point ends inside or within 1e-5 of the extent outside.
// Where flat to within 1e-6 leaves more than max_hull_vertices corners, 3e-6 is tried before giving up.
// Refuses, with a reason: fewer than 4 points, all in one point, line or plane, non-finite or absurd (beyond 1e6 m)
// coordinates, more than max_hull_vertices hull vertices.
std::variant<ConvexHull, HullError> build_convex_hull(std::span<const Vec3> points);

} // namespace cairn::physics
