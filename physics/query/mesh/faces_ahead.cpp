#include "physics/query/mesh/faces_ahead.h"

#include "physics/query/manifold/patch/patch_clip.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace cairn::physics {

namespace {

constexpr double most_turn = 0.5;                // rad, beyond it points are far from where straight lines lead
constexpr double ground_cosine = 0.7;            // cosine with the face that bears the shape
constexpr double same_plane_cosine = 1.0 - 5e-7; // the same, a milliradian

// The part of a turn that moves the surface of the shape: not what it turns about an axis of symmetry.
DVec3 turn_of_surface(const ShapeOverMesh& over, const DVec3& turn) {
    switch (over.shape.kind) {
    case ShapeKind::sphere:
        return DVec3(0.0);
    case ShapeKind::capsule:
    case ShapeKind::cylinder:
    case ShapeKind::cone:
        return turn - over.frame.rotation[2] * glm::dot(over.frame.rotation[2], turn);
    default:
        return turn;
    }
}

} // namespace

void FacesAhead::begin(const ShapeOverMesh& over, const Transform& mesh_pose, const ShapeMotion& motion) {
    shift_ = DVec3(inverse_rotate(mesh_pose.orientation, motion.shift));
    turn_ = turn_of_surface(over, DVec3(inverse_rotate(mesh_pose.orientation, motion.turn)));
    const double turn = glm::length(turn_);
    travel = turn <= most_turn ? glm::length(shift_) + over.core.size * turn : -1.0;
    rounding_ = 1e-6 * double(over.shape.bounding_radius);
    faces.clear();
}

void FacesAhead::find(ShapeOverMesh& over, double looked_at, MeshTouches& found) {
    if (travel < 0.0) {
        return;
    }
    DVec3 normal, point; // of the plane that bears it
    {
        const MeshTouch& deepest = *std::ranges::min_element(found.touches, {}, &MeshTouch::deepest);
        normal = deepest.normal;
        point = found.points[deepest.first].on_mesh;
        least_separation_ = std::min(deepest.deepest, 0.0);
    }
    keep_to(found, over);
    if (glm::length(shift_) <= 0.1 * over.slack) {
        return;
    }
    if (travel > looked_at) { // it passes faces that lie further off
        list_path(over);
    }
    choose(over, normal, point);
    double first_passed = 2.0; // of the planes that are passed over their triangles
    for (const Face& face : faces) {
        if (meet(over, face, face.passed >= first_passed, found)) {
            first_passed = std::min(first_passed, face.passed);
        }
    }
}

// What it touches now bears it: no point comes deeper than the deepest is.
void FacesAhead::keep_to(const MeshTouches& found, const ShapeOverMesh& over) {
    for (const MeshTouch& touch : found.touches) {
        double into = 0.0; // m, how much deeper a point would come
        for (const MeshTouchPoint& one : std::span(found.points).subspan(touch.first, touch.count)) {
            const DVec3 on_core = one.on_shape + touch.normal * over.core.radius;
            into =
                std::min(into, glm::dot(touch.normal, displacement_of(on_core)) + one.separation - least_separation_);
        }
        shift_ -= into * touch.normal;
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
        if (over.facing_side(over.mesh.corners(triangle), face) != TriangleSide::none) {
            const DVec3& lowest = over.lowest_over(face.normal);
            faces.push_back({triangle, over.separation(face, lowest), face.normal, lowest});
        }
    });
}

// Leaves those whose planes are passed, in the order in which they are. The plane that bears it counts already; of
// others only the deepest touch is sure to keep its points, since some are merged into faces that look a little
// different.
void FacesAhead::choose(const ShapeOverMesh& over, const DVec3& normal, const DVec3& point) {
    std::erase_if(faces, [&](Face& face) {
        const double now = face.separation - least_separation_,
                     then = now + glm::dot(face.normal, displacement_of(face.lowest));
        if (!(now >= 0.0 && then < -rounding_) || glm::dot(normal, face.normal) < ground_cosine) {
            return true;
        }
        face.passed = now / (now - then);
        const double height = glm::dot(face.normal, face.lowest) - over.core.radius - face.separation; // of its plane
        return glm::dot(normal, face.normal) > same_plane_cosine &&
               std::abs(glm::dot(face.normal, point) - height) <= over.slack;
    });
    std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
        return a.passed != b.passed ? a.passed < b.passed : a.triangle < b.triangle;
    });
}

// Where the point was that displacement_of() brings here: the inverse of 1 + [t]x is (1 - [t]x + t t^T) / (1 + t^2).
DVec3 FacesAhead::moved_back(const DVec3& point) const {
    const DVec3 p = point - shift_;
    return (p - glm::cross(turn_, p) + turn_ * glm::dot(turn_, p)) / (1.0 + glm::dot(turn_, turn_));
}

// The contact with one face: where it is now, of the points that have passed the plane over the triangle when they have
// moved. The plane lies as far behind the face as the shape has sunk already. False if the path leads round the
// triangle.
bool FacesAhead::meet(ShapeOverMesh& over, const Face& at, bool beyond_another, MeshTouches& found) const {
    FacingTriangle face;
    const bool behind = over.facing_side(over.mesh.corners(at.triangle), face) == TriangleSide::back;
    const Patch triangle = over.patch_of(at.triangle, face, behind);
    const auto over_triangle = [&](double share) {
        Patch moved = over.facing_patch(face.normal);
        for (int i = 0; i < moved.count; ++i) {
            moved.vertices[i].position += displacement_of(moved.vertices[i].position, share);
        }
        return clip(triangle, moved, true, over.slack);
    };
    if (!beyond_another && over_triangle(at.passed).count == 0) {
        return false;
    }
    MeshTouch touch = over.touch_of(at.triangle, face.normal, found.points.size());
    touch.ahead = true;
    const ClippedPatch clipped = over_triangle(1.0);
    for (int i = 0; i < clipped.count; ++i) {
        const DVec3 at_end = clipped.points[i].position;
        const DVec3 now = moved_back(at_end);
        const double separation = over.separation(face, now) - least_separation_,
                     separation_then = over.separation(face, at_end) - least_separation_;
        if (separation >= 0.0 && separation_then <= -rounding_) {
            const DVec3 on_shape = now - face.normal * over.core.radius;
            touch.deepest = std::min(touch.deepest, separation_then);
            found.points.push_back(
                {on_shape - face.normal * separation, on_shape, separation, clipped.points[i].feature});
        }
    }
    touch.count = found.points.size() - touch.first;
    if (touch.count > 0) {
        found.touches.push_back(touch);
    }
    return true;
}

} // namespace cairn::physics
