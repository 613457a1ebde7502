#include "physics/query/mesh/mesh_triangle.h"

#include "physics/geometry/hull/hull_support.h"

#include <cmath>
#include <utility>

namespace cairn::physics {

namespace {

// Corners 0 to 2 are the face, counter-clockwise seen from outside, and 3 to 5 lie behind them.
ConvexHull blank_prism() {
    ConvexHull hull;
    hull.vertices.resize(6);
    hull.input_index = {0, 1, 2, 3, 4, 5};
    hull.faces = {{0, 3}, {3, 3}, {6, 4}, {10, 4}, {14, 4}};
    hull.planes.resize(5);
    hull.face_indices = {0, 1, 2, 3, 5, 4, 1, 0, 3, 4, 2, 1, 4, 5, 0, 2, 5, 3};
    hull.face_edges = {0, 1, 2, 5, 4, 3, 0, 6, 3, 7, 1, 7, 4, 8, 2, 8, 5, 6};
    hull.edges = {{0, 1, 0, 2}, {1, 2, 0, 3}, {0, 2, 4, 0}, {3, 4, 2, 1}, {4, 5, 3, 1},
                  {3, 5, 1, 4}, {0, 3, 2, 4}, {1, 4, 3, 2}, {2, 5, 4, 3}};
    hull.neighbour_start = {0, 3, 6, 9, 12, 15, 18};
    hull.neighbours = {1, 2, 3, 0, 2, 4, 1, 0, 5, 4, 5, 0, 3, 5, 1, 4, 3, 2};
    return hull;
}

struct Prism {
    std::shared_ptr<ConvexHull> hull = std::make_shared<ConvexHull>(blank_prism());
    Shape shape;
    std::vector<Vec3> normals = std::vector<Vec3>(5);
    std::vector<float> offsets = std::vector<float>(5);

    Prism() {
        shape.kind = ShapeKind::hull;
        shape.hull = hull;
    }
};

} // namespace

FacingTriangle facing(const TriangleMesh& mesh, std::uint32_t triangle, bool behind) {
    const std::array<DVec3, 3> corner = mesh.corners(triangle);
    return facing(corner, TriangleMesh::normal_of(corner), behind);
}

FacingTriangle facing(const std::array<DVec3, 3>& corner, const DVec3& normal, bool behind) {
    FacingTriangle out;
    out.corner = corner;
    out.normal = normal;
    if (behind) {
        std::swap(out.corner[1], out.corner[2]);
        out.edge = {2, 1, 0};
        out.normal = -out.normal;
    }
    return out;
}

bool is_ridged(const TriangleMesh& mesh, std::uint32_t triangle, const std::array<DVec3, 3>& corner, bool behind) {
    return (mesh.ridges_of(triangle, corner) >> (behind ? 3 : 0) & 7u) != 0;
}

TriangleSide side_of(const TriangleMesh& mesh, std::uint32_t triangle, const DVec3& centre) {
    const std::array<DVec3, 3> corner = mesh.corners(triangle);
    return side_of(mesh, corner, TriangleMesh::normal_of(corner), centre);
}

TriangleSide side_of(const TriangleMesh& mesh, const std::array<DVec3, 3>& corner, const DVec3& normal,
                     const DVec3& centre) {
    const double height = glm::dot(normal, centre - corner[0]);
    if (height >= (mesh.two_sided ? 0.0 : -double(mesh.skin))) {
        return TriangleSide::front;
    }
    return mesh.two_sided ? TriangleSide::back : TriangleSide::none;
}

const Shape& triangle_shape(const TriangleMesh& mesh, std::uint32_t triangle, bool behind, Vec3& centre) {
    return triangle_shape(facing(mesh, triangle, behind), mesh.skin, centre);
}

const Shape& triangle_shape(const FacingTriangle& face, float skin, Vec3& centre) {
    thread_local Prism prism;
    centre = Vec3((face.corner[0] + face.corner[1] + face.corner[2]) / 3.0);
    ConvexHull& hull = *prism.hull;
    Shape& shape = prism.shape;
    const DVec3 depth = face.normal * double(skin);
    shape.local_bounds = Aabb{};
    float farthest2 = 0.0f;
    for (std::size_t k = 0; k < 3; ++k) {
        const DVec3 corner = face.corner[k] - DVec3(centre);
        hull.vertices[k] = Vec3(corner);
        hull.vertices[k + 3] = Vec3(corner - depth);
    }
    for (const Vec3& vertex : hull.vertices) {
        shape.local_bounds = united(shape.local_bounds, {vertex, vertex});
        farthest2 = std::max(farthest2, glm::dot(vertex, vertex));
    }
    const auto set_plane = [&](std::size_t face_index, const DVec3& normal, std::size_t vertex) {
        Plane& plane = hull.planes[face_index];
        plane.normal = Vec3(normal);
        plane.offset = static_cast<float>(glm::dot(normal, DVec3(hull.vertices[vertex])));
        prism.normals[face_index] = plane.normal;
        prism.offsets[face_index] = plane.offset;
    };
    set_plane(0, face.normal, 0);
    set_plane(1, -face.normal, 3);
    for (std::size_t k = 0; k < 3; ++k) {
        const DVec3 edge = face.corner[k == 2 ? 0 : k + 1] - face.corner[k];
        set_plane(2 + k, glm::normalize(glm::cross(edge, face.normal)), k);
    }
    hull.vertex_lanes.assign(hull.vertices);
    hull.plane_lanes.assign(prism.normals, prism.offsets);
    hull.bounds = shape.local_bounds;
    shape.half_extents = 0.5f * (shape.local_bounds.upper - shape.local_bounds.lower);
    shape.bounding_radius = 1.000001f * std::sqrt(farthest2);
    hull.bounding_radius = shape.bounding_radius;
    return shape;
}

} // namespace cairn::physics
