#include "physics/query/mesh/faces_ahead.h"

#include "physics/query/manifold/patch/patch_clip.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

// Whether the face lies in the plane of the touch, whose points hold for all of it. Of others than the deepest, points
// may come to nothing: what looks nearly the same way is one face of a manifold.
bool lies_in_plane(const FacesAhead::Face& face, const ShapeOverMesh& over, const DVec3& normal, const DVec3& point) {
    constexpr double level = 1.0 - 5e-7;                                                           // a milliradian
    const double height = glm::dot(face.normal, face.lowest) - over.core.radius - face.separation; // of its plane
    return glm::dot(normal, face.normal) > level && std::abs(glm::dot(face.normal, point) - height) <= over.slack;
}

} // namespace

void FacesAhead::begin(const ShapeOverMesh& over, const Transform& mesh_pose, const ShapeMotion& motion) {
    shift_ = DVec3(inverse_rotate(mesh_pose.orientation, motion.shift));
    turn_ = DVec3(inverse_rotate(mesh_pose.orientation, motion.turn));
    travel = glm::length(shift_) + over.core.size * glm::length(turn_);
    sunk_ = 0.0;
    rounding_ = 1e-6 * double(over.shape.bounding_radius);
    faces.clear();
}

void FacesAhead::find(ShapeOverMesh& over, double looked_at, MeshTouches& found) {
    for (const MeshTouch& touch : found.touches) { // what it touches now bears it
        sunk_ = std::min(sunk_, touch.deepest);
        const double into = glm::dot(touch.normal, shift_) + std::max(touch.deepest, 0.0);
        shift_ -= std::min(into, 0.0) * touch.normal;
    }
    if (glm::length(shift_) <= 0.1 * over.slack) {
        return;
    }
    if (travel > looked_at) { // it passes faces that lie further off
        list_path(over);
    }
    const MeshTouch& deepest = *std::ranges::min_element(found.touches, {}, &MeshTouch::deepest);
    const DVec3 normal = deepest.normal, point = found.points[deepest.first].on_mesh;
    for (const Face& face : faces) {
        const double now = face.separation - sunk_, then = now + glm::dot(face.normal, displacement_of(face.lowest));
        if (now >= 0.0 && then < -rounding_ && !lies_in_plane(face, over, normal, point)) {
            meet(over, face.triangle, found);
        }
    }
}

// The faces whose planes the shape comes near anywhere along its path.
void FacesAhead::list_path(ShapeOverMesh& over) {
    faces.clear();
    const auto grow = static_cast<float>(over.slack + over.core.size * glm::length(turn_));
    const Aabb now = bounds(over.shape, over.local);
    const Vec3 moved(shift_);
    over.mesh.query(grown(united(now, Aabb{now.lower + moved, now.upper + moved}), grow), [&](std::uint32_t triangle) {
        FacingTriangle face;
        if (over.see(over.mesh.corners(triangle), face) != TriangleSide::none) {
            const DVec3& lowest = over.lowest_over(face.normal);
            faces.push_back({triangle, over.separation(face, lowest), face.normal, lowest});
        }
    });
}

// Where the point was that displacement_of() brings here: the inverse of 1 + [t]x is (1 - [t]x + t t^T) / (1 + t^2).
DVec3 FacesAhead::moved_back(const DVec3& point) const {
    const DVec3 p = point - shift_;
    return (p - glm::cross(turn_, p) + turn_ * glm::dot(turn_, p)) / (1.0 + glm::dot(turn_, turn_));
}

// The contact with one face, as deep as the shape has sunk already: where it is now, of the points that have passed the
// plane over the triangle when they have moved.
void FacesAhead::meet(ShapeOverMesh& over, std::uint32_t triangle, MeshTouches& found) const {
    FacingTriangle face;
    const bool behind = over.see(over.mesh.corners(triangle), face) == TriangleSide::back;
    over.lowest_over(face.normal);
    Patch then = over.facing_patch();
    for (int i = 0; i < then.count; ++i) {
        then.vertices[i].position += displacement_of(then.vertices[i].position);
    }
    const ClippedPatch clipped = clip(over.patch_of(triangle, face, behind), then, true, over.slack);
    MeshTouch touch = over.touch_of(triangle, face.normal, found.points.size());
    touch.ahead = true;
    for (int i = 0; i < clipped.count; ++i) {
        const DVec3 at_end = clipped.points[i].position;
        const DVec3 at = moved_back(at_end);
        const double separation = over.separation(face, at) - sunk_,
                     separation_then = over.separation(face, at_end) - sunk_;
        if (separation >= 0.0 && separation_then <= -rounding_) {
            const DVec3 on_shape = at - face.normal * over.core.radius;
            touch.deepest = std::min(touch.deepest, separation_then);
            found.points.push_back(
                {on_shape - face.normal * separation, on_shape, separation, clipped.points[i].feature});
        }
    }
    touch.count = found.points.size() - touch.first;
    if (touch.count > 0) {
        found.touches.push_back(touch);
    }
}

} // namespace cairn::physics
