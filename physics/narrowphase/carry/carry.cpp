#include "physics/narrowphase/carry/carry.h"

#include "physics/narrowphase/carry/body_trace.h"
#include "physics/narrowphase/carry/preload.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cairn::physics {

// What is kept and how wrong it may be. A contact keeps the points of the last query, each on the surfaces of both
// bodies, and a normal that turns with one of them. At later poses the separation of a point is what its two places
// have along that normal.
//
// Let every point of the smaller body B have moved by no more than m since the query, seen from A. The depth d of a
// pair is the greatest, over all directions, of the separation of the slabs that both lie between; each of these
// changes by m at most, so d changes by m at most. The separation of a kept point changes by m at most as well. So if
// both agreed to e at the query (where a face is preferred to a better direction, e is not zero), they agree to e + 2 m
// now. That is the bound; what is left of it in practice is far less. If the normal belongs to a face of the body that
// it turns with, the separations are exact, and only the border of the contact is off, by m. If it does not, it is off
// by the angle t through which the bodies have turned against each other, and the separations by m t + s t^2 / 2.
//
// What comes near anew lies beyond the margin that was asked for, and so has at least that less m to go.
//
// The tolerance is four thousandths of the inner radius, two millimetres for a box of a metre: less than half of the
// slop. It spares queries, and it lets heaps come to rest: two faces turned against each other have up to eight corners
// of which four are kept, and where that choice is made anew in every step, the impulses start anew as well and shake
// what lies there. (Found in a rain of boxes: without, 14 J stayed; with half a millimetre, most of it.) It is not
// spent by jitter: poses are compared with those of the query and not step by step.
namespace {

constexpr float tolerance_share = 4e-3f; // of the lesser inner radius

// Rounding of a query's normal that still counts as that of a face.
constexpr float level = 1e-5f;

bool is_mesh(const Shape& shape) {
    return shape.kind == ShapeKind::mesh;
}

// Whether the normal is that of a face of a box or, as nearly all are that meshes have, of a mesh.
bool is_face(const CarriedBody& side, const Vec3& normal) {
    if (is_mesh(*side.shape)) {
        return true;
    }
    if (side.shape->kind != ShapeKind::box) {
        return false;
    }
    const Vec3 n = glm::abs(inverse_rotate(side.shape_pose.orientation, normal));
    return n.x + n.y + n.z < std::max({n.x, n.y, n.z}) + level;
}

// Four floats at once, as every x86-64 has them; one after the other they would be the same to the bit.
using Quad = float __attribute__((vector_size(16)));

Quad all(float x) {
    return Quad{x, x, x, x};
}
Quad quad(const Vec3& v) {
    return Quad{v.x, v.y, v.z, 0.0f};
}
Vec3 vec3(const Quad& q) {
    return {q[0], q[1], q[2]};
}

struct QuadTurn {
    Quad x, y, z; // images of the axes
    explicit QuadTurn(const Quat& q) {
        const Mat3 m = rotation_matrix(q);
        x = quad(m[0]);
        y = quad(m[1]);
        z = quad(m[2]);
    }
    // Of a vector in memory with one float behind it.
    Quad operator()(const Vec3& v) const { return (all(v.x) * x + all(v.y) * y) + all(v.z) * z; }
};

float dot(const Quad& a, const Quad& b) {
    const Quad p = a * b;
    return (p[0] + p[1]) + p[2];
}

} // namespace

void remember(Contact& contact, const CarriedBody& a, const CarriedBody& b, float margin) {
    contact.tolerance = 0.0f;
    const auto has_corners = [](const Shape& shape) { return is_polytope(shape) || is_mesh(shape); };
    if (!has_corners(*a.shape) || !has_corners(*b.shape)) {
        return;
    }
    contact.tolerance = tolerance_share * std::min(a.shape->inner_radius, b.shape->inner_radius);
    contact.asked = margin;
    contact.smaller_is_a = a.radius < b.radius;
    const CarriedBody& smaller = contact.smaller_is_a ? a : b;
    const CarriedBody& larger = contact.smaller_is_a ? b : a;
    contact.radius = smaller.radius;
    contact.found_at = relative(larger.pose, smaller.pose);
    // The normal of a face turns with the body that has the face, any other with the larger body.
    const bool face_a = is_face(a, contact.normal), face_b = is_face(b, contact.normal);
    contact.normal_turns_with_a = face_a == face_b ? !contact.smaller_is_a : face_a;
    contact.local_normal =
        inverse_rotate(contact.normal_turns_with_a ? a.pose.orientation : b.pose.orientation, contact.normal);
}

bool carry(Contact& contact, std::span<ContactPoint> points, const Transform& a, const Transform& b, float margin,
           float dt, const Vec3& rests) {
    if (contact.tolerance == 0.0f || margin > contact.asked + contact.tolerance) {
        return false;
    }
    const Transform now = contact.smaller_is_a ? relative(b, a) : relative(a, b);
    const Vec3 shift = now.position - contact.found_at.position;
    const Vec3 turn = turn_bound(contact.found_at.orientation, now.orientation);
    const float moved = std::sqrt(glm::dot(shift, shift)) + contact.radius * std::sqrt(glm::dot(turn, turn));
    if (!(moved <= contact.tolerance)) {
        return false;
    }
    const QuadTurn turn_a(a.orientation), turn_b(b.orientation);
    const Quad between = quad((b.position - a.position) + rests);
    const Quad normal = (contact.normal_turns_with_a ? turn_a : turn_b)(contact.local_normal);
    std::array<Quad, 4> anchors;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Quad on_a = turn_a(points[i].local_a);
        const Quad on_b = between + turn_b(points[i].local_b);
        const float separation = dot(normal, on_b - on_a);
        if (separation > margin) {
            return false;
        }
        anchors[i] = all(0.5f) * (on_a + on_b);
        anchors[i][3] = separation;
    }
    contact.normal = vec3(normal);
    contact.centre_a = a.position;
    contact.centre_b = b.position;
    contact.parallel = 1.0f;
    for (std::size_t i = 0; i < points.size(); ++i) {
        ContactPoint& point = points[i];
        point.anchor_a = vec3(anchors[i]);
        point.separation = anchors[i][3];
        point.preload = preload_after(point.preload, point.separation, dt);
        contact.ages[i] = static_cast<std::uint16_t>(std::min(contact.ages[i] + 1, 0xffff));
    }
    return true;
}

} // namespace cairn::physics
