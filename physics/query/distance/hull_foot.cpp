#include "physics/query/distance/hull_foot.h"

#include <limits>

namespace cairn::physics {
namespace {

// How far the corners of a face may lie under its plane, as a share of the hull's size: an answer is no worse than
// this.
constexpr double level_corner_ratio = 1e-7;

// The distance to a point of an edge or corner and that to the support plane there are the same but for rounding.
constexpr double proof_ratio = 1e-12;

// Of the faces tried the first does in nine cases of ten.
constexpr int most_faces = 4;

struct NearestOfFace {
    DVec3 point{0.0};
    double distance2 = std::numeric_limits<double>::infinity();
    bool over = false; // p lies over the face: its foot on the plane is the nearest point, and not yet known
};

// Of the corners of a face, and of what lies between, the nearest to `p`. `n`: the normal of the face, any length.
NearestOfFace nearest_of_face(const ConvexHull& hull, const ConvexHull::Face& face, const DVec3& n, const DVec3& p) {
    NearestOfFace out;
    const std::uint32_t* index = hull.face_indices.data() + face.first_index;
    out.over = true;
    DVec3 start(hull.vertices[index[face.index_count - 1]]);
    for (std::uint32_t i = 0; i < face.index_count; ++i) {
        const DVec3 end(hull.vertices[index[i]]);
        const DVec3 edge = end - start;
        const DVec3 to_p = p - start;
        if (glm::dot(glm::cross(edge, to_p), n) < 0.0) {
            // Outside of this side: of a convex face the nearest point lies on such a side.
            out.over = false;
            const double along = glm::dot(to_p, edge);
            const double length2 = glm::dot(edge, edge);
            const DVec3 q = along <= 0.0 ? start : (along >= length2 ? end : start + edge * (along / length2));
            const DVec3 d = p - q;
            const double distance2 = glm::dot(d, d);
            if (distance2 < out.distance2) {
                out.distance2 = distance2;
                out.point = q;
            }
        }
        start = end;
    }
    return out;
}

double lowest_corner(const ConvexHull& hull, const ConvexHull::Face& face, const DVec3& n) {
    double lowest = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < face.index_count; ++i) {
        lowest = std::min(lowest, glm::dot(n, DVec3(hull.vertices[hull.face_indices[face.first_index + i]])));
    }
    return lowest;
}

} // namespace

bool foot_on_hull(const ConvexHull& hull, double size, const DVec3& p, double eps, Foot& out) {
    std::uint32_t f = detail::highest_over(hull.plane_lanes, p);
    for (int tried = 0; tried < most_faces; ++tried) {
        const ConvexHull::Face& face = hull.faces[f];
        const DVec3 normal(hull.planes[f].normal);
        const NearestOfFace nearest = nearest_of_face(hull, face, normal, p);
        if (nearest.over) {
            const DVec3 n = glm::normalize(normal);
            const double top = glm::dot(n, DVec3(hull.vertices[detail::support_vertex(hull, n)]));
            const double height = glm::dot(n, p) - top;
            if (!(height > eps) || top - lowest_corner(hull, face, n) > level_corner_ratio * size) {
                return false;
            }
            out.distance = height;
            out.normal = n;
            out.point = p - n * height;
            return true;
        }
        if (!(nearest.distance2 > eps * eps)) {
            return false;
        }
        const double distance = std::sqrt(nearest.distance2);
        const DVec3 n = (p - nearest.point) * (1.0 / distance);
        const double height = glm::dot(n, p - DVec3(hull.vertices[detail::support_vertex(hull, n)]));
        if (distance - height <= proof_ratio * (distance + size)) {
            out.distance = distance;
            out.normal = n;
            out.point = nearest.point;
            return true;
        }
        const std::uint32_t next = detail::facing_face(hull, n);
        if (next == f) {
            return false;
        }
        f = next;
    }
    return false;
}

} // namespace cairn::physics
