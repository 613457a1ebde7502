#include "app/lab/known_bugs/support/difference.h"

#include "app/lab/steps/placing.h"

#include <algorithm>
#include <cmath>

namespace cairn::core::lab::known_bugs {

using physics::Quat;
using physics::Shape;
using physics::ShapeKind;
using physics::Transform;

namespace {

glm::dquat unit(const Quat& q) {
    return glm::normalize(glm::dquat(double(q.w), double(q.x), double(q.y), double(q.z)));
}

DVec3 farthest_corner(const std::vector<physics::Vec3>& corners, const DVec3& direction) {
    DVec3 best(corners.front());
    for (const physics::Vec3& corner : corners) {
        if (glm::dot(DVec3(corner), direction) > glm::dot(best, direction)) {
            best = DVec3(corner);
        }
    }
    return best;
}

// In the frame of the shape.
DVec3 farthest_here(const Shape& shape, const DVec3& d) {
    const DVec3 h(shape.half_extents);
    const double r = double(shape.radius);
    const double length = glm::length(d);
    const DVec3 outwards = length > 0.0 ? d * (r / length) : DVec3(0.0, 0.0, r);
    const double radial = std::hypot(d.x, d.y);
    const DVec3 rim = radial > 0.0 ? DVec3(d.x, d.y, 0.0) * (r / radial) : DVec3(0.0);
    const DVec3 end(0.0, 0.0, d.z < 0.0 ? -h.z : h.z);
    switch (shape.kind) {
    case ShapeKind::sphere:
        return outwards;
    case ShapeKind::capsule:
        return outwards + end;
    case ShapeKind::box:
        return {d.x < 0.0 ? -h.x : h.x, d.y < 0.0 ? -h.y : h.y, end.z};
    case ShapeKind::cylinder:
        return rim + end;
    case ShapeKind::cone: {
        const DVec3 apex(0.0, 0.0, 1.5 * h.z); // the centroid is the origin
        const DVec3 base = rim - DVec3(0.0, 0.0, 0.5 * h.z);
        return glm::dot(apex, d) > glm::dot(base, d) ? apex : base;
    }
    case ShapeKind::hull:
        return farthest_corner(shape.hull->vertices, d);
    case ShapeKind::mesh:
        return DVec3(physics::support(shape, physics::Vec3(d)));
    }
    return DVec3(0.0);
}

} // namespace

DVec3 farthest(const Shape& shape, const Quat& orientation, const DVec3& direction) {
    const glm::dquat q = unit(orientation);
    return q * farthest_here(shape, glm::conjugate(q) * direction);
}

Difference::Difference(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b)
    : a_(a), pose_a_(pose_a), b_(b), pose_b_(pose_b), size_(double(a.bounding_radius) + double(b.bounding_radius)) {
}

Vertex Difference::support(const DVec3& direction) {
    Vertex vertex;
    vertex.on_a = DVec3(pose_a_.position) + farthest(a_, pose_a_.orientation, direction);
    vertex.on_b = DVec3(pose_b_.position) + farthest(b_, pose_b_.orientation, -direction);
    vertex.w = vertex.on_a - vertex.on_b;
    const auto known = std::ranges::find(found_, vertex.w);
    vertex.number = int(known - found_.begin()) + 1;
    if (known == found_.end()) {
        found_.push_back(vertex.w);
    }
    return vertex;
}

Difference difference_of(const LabPair& pair) {
    return {pair.a, shape_pose_at(pair.sweep_a, 0.0), pair.b, shape_pose_at(pair.sweep_b, 0.0)};
}

} // namespace cairn::core::lab::known_bugs
