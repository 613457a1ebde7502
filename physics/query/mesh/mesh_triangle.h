// One triangle of a mesh as the convex shape that queries are made of. Internal to queries.
#pragma once

#include "physics/geometry/shape.h"

namespace cairn::physics {

// The corners counter-clockwise, and the normal, seen from the side that is asked for.
struct FacingTriangle {
    std::array<DVec3, 3> corner;
    DVec3 normal{0.0};
    std::array<int, 3> edge{0, 1, 2}; // of the triangle: the one from corner k to the next
};
FacingTriangle facing(const TriangleMesh& mesh, std::uint32_t triangle, bool behind);
// The same of corners and normal that are known.
FacingTriangle facing(const std::array<DVec3, 3>& corner, const DVec3& normal, bool behind);
// A prism whose face is the triangle and which is as deep behind it as the mesh has skin: of a face alone, what has
// sunk into it by a millimetre could as well leave it behind. `behind`: the face is the triangle's back. The shape is
// this thread's own and lasts until the next call; its origin lies at `centre`, in the frame of the mesh.
const Shape& triangle_shape(const TriangleMesh& mesh, std::uint32_t triangle, bool behind, Vec3& centre);
const Shape& triangle_shape(const FacingTriangle& face, float skin, Vec3& centre);

// Whether an edge stands out on this side.
bool is_ridged(const TriangleMesh& mesh, std::uint32_t triangle, const std::array<DVec3, 3>& corner, bool behind);

// Which side of the triangle a convex shape counts on whose centre is at `centre` (frame of the mesh), if any: that of
// its centre; in front as well if it has sunk in no deeper than the skin.
enum class TriangleSide : std::uint8_t { front, back, none };
TriangleSide side_of(const TriangleMesh& mesh, std::uint32_t triangle, const DVec3& centre);
TriangleSide side_of(const TriangleMesh& mesh, const std::array<DVec3, 3>& corner, const DVec3& normal,
                     const DVec3& centre);

} // namespace cairn::physics
