#include "physics/query/impact/moving_core.h"

#include "physics/query/impact/trigonometry.h"

#include <algorithm>

namespace cairn::physics {
namespace {

// Hulls with more vertices than this are not scanned for every direction.
constexpr std::size_t scanned_vertices = 64;

constexpr double half_turn = 3.14159265358979323846;

// A sweep that turns by less, rad, is not worth a search for the point farthest from the axis: it lies nearly as far
// off as the farthest from the centre.
constexpr double slight_turn = 0.15;

// Turns v about a unit axis by the angle of this sine and cosine.
DVec3 turned_about(const DVec3& axis, double s, double c, const DVec3& v) {
    return v * c + glm::cross(axis, v) * s + axis * (glm::dot(axis, v) * (1.0 - c));
}

} // namespace

DVec3 turned(const DVec3& angular_velocity, double time, const DVec3& v) {
    const double speed = glm::length(angular_velocity);
    if (!(speed > 0.0)) {
        return v;
    }
    double s = 0.0;
    double c = 1.0;
    sine_cosine(speed * time, s, c);
    return turned_about(angular_velocity / speed, s, c, v);
}

MovingCore::MovingCore(const Shape& shape, const Sweep& sweep, const DVec3& origin, double duration)
    : shape_(shape),
      centre_(DVec3(sweep.start.position) - origin),
      velocity_(sweep.linear_velocity),
      spin_(sweep.angular_velocity),
      local_(frame_of(sweep.shape_pose)) {
    const Quat& q = sweep.start.orientation;
    start_w_ = double(q.w);
    start_v_ = DVec3(double(q.x), double(q.y), double(q.z));
    start_rotation_ = rotation_of(start_w_, start_v_.x, start_v_.y, start_v_.z);
    centred_ = sweep.shape_pose.position == Vec3(0.0f) && sweep.shape_pose.orientation == identity_orientation;
    const double offset = glm::length(local_.position);
    reach_ = offset + core_of(shape).size;
    whole_reach_ = offset + double(shape.bounding_radius);
    spin_speed_ = glm::length(spin_);
    if (!(spin_speed_ > 0.0)) {
        return;
    }
    turn_axis_ = spin_ / spin_speed_;
    spin_axis_ = apply_inverse_rotation(start_rotation_, turn_axis_);
    axis_reach_ = spin_speed_ * duration > slight_turn ? distance_from_axis() : reach_;
    if (shape.kind == ShapeKind::capsule || shape.kind == ShapeKind::cylinder || shape.kind == ShapeKind::cone) {
        const DVec3 axis = local_.rotation[2];
        const DVec3 off = local_.position - axis * glm::dot(local_.position, axis);
        if (glm::length(off) <= 1e-7 * reach_) { // the pose is made of floats
            tilts_only_ = true;
            tilting_speed_ = spin_speed_ * glm::length(glm::cross(spin_axis_, axis));
        }
    }
    // Short of a radian the body of revolution is never the better bound.
    if (shape.kind == ShapeKind::hull && shape.hull->vertices.size() > scanned_vertices &&
        spin_speed_ * duration > 1.0) {
        make_profile();
    }
}

MovingCore::Placed MovingCore::at(double time) const {
    Placed placed;
    placed.body.position = centre(time);
    if (spin_speed_ > 0.0 && time != 0.0) {
        double s = 0.0;
        double c = 1.0;
        sine_cosine(0.5 * spin_speed_ * time, s, c);
        const DVec3 u = turn_axis_ * s;
        const double w = c * start_w_ - glm::dot(u, start_v_);
        const DVec3 v = start_v_ * c + u * start_w_ + glm::cross(u, start_v_);
        placed.body.rotation = rotation_of(w, v.x, v.y, v.z);
    } else {
        placed.body.rotation = start_rotation_;
    }
    if (centred_) {
        placed.shape = placed.body;
    } else {
        placed.shape = {placed.body.rotation * local_.rotation, apply(placed.body, local_.position)};
    }
    return placed;
}

double MovingCore::extent(const DVec3& n, double time) const {
    DVec3 before = n;
    if (spin_speed_ > 0.0 && time != 0.0) {
        double s = 0.0;
        double c = 1.0;
        sine_cosine(spin_speed_ * time, s, c);
        before = turned_about(turn_axis_, -s, c, n);
    }
    const DVec3 in_body = apply_inverse_rotation(start_rotation_, before);
    if (centred_) {
        return glm::dot(in_body, core_support(shape_, in_body));
    }
    const DVec3 local = apply_inverse_rotation(local_.rotation, in_body);
    return glm::dot(local, core_support(shape_, local)) + glm::dot(in_body, local_.position);
}

double MovingCore::extent(const DVec3& n, const Placed& placed) const {
    const DVec3 local = apply_inverse_rotation(placed.shape.rotation, n);
    return glm::dot(local, core_support(shape_, local)) + glm::dot(n, placed.shape.position - placed.body.position);
}

double MovingCore::extent_rate(const DVec3& n, const Placed& placed, const DVec3& carrier) const {
    // d/dt dot(n, p) = dot(n, w x p) = dot(p, n x w) with w the spin as seen from n. Of the points that share the
    // extreme, the support of n leant a little towards n x w is the one that this favours.
    const DVec3 lever = glm::cross(n, spin_ - carrier);
    const double length = glm::length(lever);
    if (!(length > 0.0)) {
        return 0.0;
    }
    const DVec3 local = apply_inverse_rotation(placed.shape.rotation, n + lever * (1e-7 / length));
    return glm::dot(lever, apply(placed.shape, core_support(shape_, local)) - placed.body.position);
}

double MovingCore::extent_curvature(const DVec3& n) const {
    if (!(spin_speed_ > 0.0)) {
        return 0.0;
    }
    // p turns about the spin axis w: p'' = w x (w x p), of length |w|^2 times the distance from the axis, and only the
    // part of n across the axis sees it.
    const double turning = glm::length(glm::cross(n, spin_)) * spin_speed_ * axis_reach_;
    if (!tilts_only_) {
        return turning;
    }
    // A body of revolution is where its axis u is, so its points may be followed without their turning about u. Then
    // p = z u + r e with e' = -dot(e, u') u, and with |u'| = q (the tilting speed), |u''| = |w| q, dot(u', e') = 0:
    //   p'' = z u'' - r (dot(u'', e) + dot(u', e')) u - r dot(u', e) u',
    // of length at most (|z| + |r|) |w| q + |r| q^2, where |z| + |r| <= sqrt(2) reach.
    const double tilting = (1.4143 * spin_speed_ + tilting_speed_) * tilting_speed_ * reach_;
    return std::min(turning, tilting);
}

// Greatest distance of the core's points from the spin axis.
double MovingCore::distance_from_axis() const {
    const auto away2 = [&](const DVec3& local) {
        const DVec3 across = glm::cross(spin_axis_, apply(local_, local));
        return glm::dot(across, across);
    };
    const auto away = [&](const DVec3& local) { return std::sqrt(away2(local)); };
    double most = 0.0;
    switch (shape_.kind) {
    case ShapeKind::sphere:
        return away(DVec3(0.0));
    case ShapeKind::capsule: {
        const DVec3 end(0.0, 0.0, double(shape_.half_extents.z));
        return std::max(away(end), away(-end));
    }
    case ShapeKind::hull:
        if (shape_.hull->vertices.size() <= scanned_vertices) {
            for (const Vec3& v : shape_.hull->vertices) {
                most = std::max(most, away2(DVec3(v)));
            }
            return std::sqrt(most);
        }
        break;
    default:
        break;
    }
    const DVec3 lower(shape_.local_bounds.lower);
    const DVec3 upper(shape_.local_bounds.upper);
    for (unsigned corner = 0; corner < 8; ++corner) {
        most = std::max(most, away(DVec3((corner & 1u) != 0 ? upper.x : lower.x, (corner & 2u) != 0 ? upper.y : lower.y,
                                         (corner & 4u) != 0 ? upper.z : lower.z)));
    }
    if (shape_.kind == ShapeKind::cylinder || shape_.kind == ShapeKind::cone) {
        const double h = double(shape_.half_extents.z);
        const double r = double(shape_.radius);
        const bool cone = shape_.kind == ShapeKind::cone;
        const double end = away(DVec3(0.0, 0.0, cone ? 1.5 * h : h)) + (cone ? 0.0 : r);
        most = std::min(most, std::max(end, away(DVec3(0.0, 0.0, cone ? -0.5 * h : -h)) + r));
    }
    return std::min(most, reach_);
}

// A point at height h along the spin axis and at distance d from it comes, in a turn, as far as along h + across d. The
// body of revolution is therefore known by its profile: the set of all (h, d).
double MovingCore::revolved_extent(const DVec3& n) const {
    if (!(spin_speed_ > 0.0)) {
        return reach_;
    }
    const double along = glm::dot(n, spin_) / spin_speed_;
    const double across = glm::length(glm::cross(n, spin_)) / spin_speed_;
    const auto of_point = [&](const DVec3& local) {
        const DVec3 p = apply(local_, local);
        return along * glm::dot(spin_axis_, p) + across * glm::length(glm::cross(spin_axis_, p));
    };
    const double half_height = double(shape_.half_extents.z);
    switch (shape_.kind) {
    case ShapeKind::sphere:
        return of_point(DVec3(0.0));
    case ShapeKind::capsule:
        return std::max(of_point(DVec3(0.0, 0.0, half_height)), of_point(DVec3(0.0, 0.0, -half_height)));
    case ShapeKind::cylinder:
        return std::max(revolved_rim(DVec3(0.0, 0.0, half_height), double(shape_.radius), along, across),
                        revolved_rim(DVec3(0.0, 0.0, -half_height), double(shape_.radius), along, across));
    case ShapeKind::cone:
        return std::max(revolved_rim(DVec3(0.0, 0.0, -0.5 * half_height), double(shape_.radius), along, across),
                        of_point(DVec3(0.0, 0.0, 1.5 * half_height)));
    case ShapeKind::box: {
        double most = -reach_;
        for (unsigned corner = 0; corner < 8; ++corner) {
            const DVec3 sign((corner & 1u) != 0 ? 1.0 : -1.0, (corner & 2u) != 0 ? 1.0 : -1.0,
                             (corner & 4u) != 0 ? 1.0 : -1.0);
            most = std::max(most, of_point(sign * DVec3(shape_.half_extents)));
        }
        return most;
    }
    case ShapeKind::hull:
        break;
    case ShapeKind::mesh: // its triangles are followed one by one
        return reach_;
    }
    if (shape_.hull->vertices.size() <= scanned_vertices) {
        double most = -reach_;
        for (const Vec3& v : shape_.hull->vertices) {
            most = std::max(most, of_point(DVec3(v)));
        }
        return most;
    }
    if (!has_profile_) {
        return reach_;
    }
    // (along, across) is a combination, with weights that are not negative, of the two prepared directions next to it,
    // and the support function of the profile is convex.
    constexpr double step = half_turn / (profile_directions - 1);
    const double angle =
        along >= 0.0 ? first_quadrant_angle(across, along) : half_turn - first_quadrant_angle(across, -along);
    const int below = std::clamp(static_cast<int>(angle / step), 0, profile_directions - 2);
    double s0 = 0.0, c0 = 1.0, s1 = 0.0, c1 = 1.0;
    sine_cosine(step * below, s0, c0);
    sine_cosine(step * (below + 1), s1, c1);
    const double determinant = c0 * s1 - c1 * s0;
    const double weight0 = std::max(0.0, (along * s1 - across * c1) / determinant);
    const double weight1 = std::max(0.0, (across * c0 - along * s0) / determinant);
    return std::min(reach_, weight0 * profile_[static_cast<std::size_t>(below)] +
                                weight1 * profile_[static_cast<std::size_t>(below) + 1] + 1e-12 * reach_);
}

double MovingCore::revolved_rim(const DVec3& rim_centre, double radius, double along, double across) const {
    const DVec3 c = apply(local_, rim_centre);
    const DVec3 axis = local_.rotation[2];
    if (tilts_only_) {
        // All points of the rim are equally far from the centre of mass, so in the profile they lie on an arc of a
        // circle about it, between the least and the greatest height.
        const double far = std::sqrt(glm::dot(c, c) + radius * radius);
        const double middle = glm::dot(spin_axis_, c);
        const double half = radius * glm::length(glm::cross(spin_axis_, axis));
        const double h = std::min(std::max(far * along, middle - half), middle + half);
        // 1e-7: a centre of mass just beside the axis.
        return along * h + across * std::sqrt(std::max(0.0, far * far - h * h)) + 1e-7 * reach_;
    }
    // Corners of a regular polygon about the rim.
    constexpr int corners = 32;
    const DVec3 u(local_.rotation[0] * (radius / 0.99518472667219693)); // cos(pi / 32)
    const DVec3 v(local_.rotation[1] * (radius / 0.99518472667219693));
    double most = -reach_;
    for (int i = 0; i < corners; ++i) {
        double s = 0.0;
        double cosine = 1.0;
        sine_cosine(2.0 * half_turn * i / corners, s, cosine);
        const DVec3 p = c + u * cosine + v * s;
        most = std::max(most, along * glm::dot(spin_axis_, p) + across * glm::length(glm::cross(spin_axis_, p)));
    }
    return std::min(most, reach_);
}

// Extents of the profile along directions at equal angles over the half circle that (along, across) may take.
void MovingCore::make_profile() {
    std::array<DVec3, profile_directions> directions;
    for (int k = 0; k < profile_directions; ++k) {
        double s = 0.0;
        double c = 1.0;
        sine_cosine(half_turn * k / (profile_directions - 1), s, c);
        directions[static_cast<std::size_t>(k)] = DVec3(c, s, 0.0);
    }
    profile_.fill(-reach_);
    for (const Vec3& vertex : shape_.hull->vertices) {
        const DVec3 p = apply(local_, DVec3(vertex));
        const double h = glm::dot(spin_axis_, p);
        const double d = glm::length(glm::cross(spin_axis_, p));
        for (std::size_t k = 0; k < directions.size(); ++k) {
            profile_[k] = std::max(profile_[k], directions[k].x * h + directions[k].y * d);
        }
    }
    has_profile_ = true;
}

} // namespace cairn::physics
