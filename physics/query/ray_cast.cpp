// Each solid is an intersection or union of simple convex sets; on a line each of those is an interval. Computed in
// double, since rays often start far away (a camera, a bullet) and the hit must not inherit the rounding of that
// distance.
#include "physics/query/ray_cast.h"

#include <cmath>
#include <limits>

namespace cairn::physics {

namespace {

using DVec3 = glm::dvec3;

struct LocalRay {
    DVec3 origin;
    DVec3 direction; // unit
};

struct LocalHit {
    double distance = 0.0;
    DVec3 normal{0.0};
    bool inside = false; // the ray starts in the solid
};

constexpr double infinity = std::numeric_limits<double>::infinity();

// The stretch of the ray inside all sets clipped so far.
struct Stretch {
    double enter = -infinity, leave = infinity;
    DVec3 normal{0.0};

    // Keeps what lies in the half space dot(n, x) <= offset. False once nothing is left.
    bool clip(const LocalRay& ray, const DVec3& n, double offset) {
        const double above = glm::dot(n, ray.origin) - offset;
        const double rate = glm::dot(n, ray.direction);
        if (rate == 0.0) {
            return above <= 0.0;
        }
        const double t = -above / rate;
        if (rate < 0.0) {
            if (t > enter) {
                enter = t;
                normal = n;
            }
        } else {
            leave = std::min(leave, t);
        }
        return enter <= leave;
    }

    std::optional<LocalHit> hit() const {
        if (enter > leave || leave < 0.0) {
            return std::nullopt;
        }
        return LocalHit{std::max(enter, 0.0), normal, enter <= 0.0};
    }
};

// Where the ray enters the ball about `centre`; a ray that starts inside enters at a distance below zero.
std::optional<double> enter_ball(const LocalRay& ray, const DVec3& centre, double radius) {
    const DVec3 m = ray.origin - centre;
    const double along = glm::dot(m, ray.direction);
    const DVec3 closest = m - along * ray.direction;
    const double left = radius * radius - glm::dot(closest, closest);
    if (left < 0.0) {
        return std::nullopt;
    }
    const double half_chord = std::sqrt(left);
    if (-along + half_chord < 0.0) {
        return std::nullopt; // behind
    }
    return -along - half_chord;
}

std::optional<LocalHit> cast_ball(const LocalRay& ray, double radius) {
    const std::optional<double> t = enter_ball(ray, DVec3(0.0), radius);
    if (!t) {
        return std::nullopt;
    }
    return LocalHit{std::max(*t, 0.0), (ray.origin + *t * ray.direction) / radius, *t <= 0.0};
}

// The stretch inside the endless cylinder about z. Nothing if the ray misses it.
struct Interval {
    double enter, leave;
};
std::optional<Interval> cross_tube(const LocalRay& ray, double radius) {
    const DVec3 o(ray.origin.x, ray.origin.y, 0.0);
    const DVec3 d(ray.direction.x, ray.direction.y, 0.0);
    const double a = glm::dot(d, d);
    if (a < 1e-24) { // along the axis
        return glm::dot(o, o) <= radius * radius ? std::optional<Interval>({-infinity, infinity}) : std::nullopt;
    }
    const double along = glm::dot(o, d) / a;
    const DVec3 closest = o - along * d;
    const double left = radius * radius - glm::dot(closest, closest);
    if (left < 0.0) {
        return std::nullopt;
    }
    const double half_chord = std::sqrt(left / a);
    return Interval{-along - half_chord, -along + half_chord};
}

std::optional<LocalHit> cast_capsule(const LocalRay& ray, double radius, double half_height) {
    // The union of a barrel and two balls. Where the ray enters the barrel through a flat end it is already in a ball.
    std::optional<LocalHit> best;
    const auto offer = [&](double t, const DVec3& centre) {
        if (!best || t < best->distance) {
            best = LocalHit{t, (ray.origin + t * ray.direction - centre) / radius, false};
        }
    };
    const std::optional<Interval> tube = cross_tube(ray, radius);
    if (!tube) {
        return std::nullopt;
    }
    for (const double z : {half_height, -half_height}) {
        if (const std::optional<double> t = enter_ball(ray, DVec3(0.0, 0.0, z), radius)) {
            offer(*t, DVec3(0.0, 0.0, z));
        }
    }
    if (std::isfinite(tube->enter) && tube->leave >= 0.0) {
        const double z = ray.origin.z + tube->enter * ray.direction.z;
        if (std::abs(z) <= half_height) {
            offer(tube->enter, DVec3(0.0, 0.0, z));
        }
    }
    if (!best) {
        return std::nullopt;
    }
    // An entry behind the start counts only if the start is inside; a ball that is entered behind and left ahead holds
    // the start, a barrel may have been left through a ball's side of the end.
    const double clamped = std::min(std::max(ray.origin.z, -half_height), half_height);
    const DVec3 off = ray.origin - DVec3(0.0, 0.0, clamped);
    if (glm::dot(off, off) <= radius * radius) {
        best->inside = true;
        best->distance = 0.0;
        return best;
    }
    return best->distance >= 0.0 ? best : std::nullopt;
}

std::optional<LocalHit> cast_cylinder(const LocalRay& ray, double radius, double half_height) {
    Stretch stretch;
    if (!stretch.clip(ray, DVec3(0, 0, 1), half_height) || !stretch.clip(ray, DVec3(0, 0, -1), half_height)) {
        return std::nullopt;
    }
    const std::optional<Interval> tube = cross_tube(ray, radius);
    if (!tube) {
        return std::nullopt;
    }
    if (tube->enter > stretch.enter) {
        stretch.enter = tube->enter;
        const DVec3 p = ray.origin + tube->enter * ray.direction;
        stretch.normal = DVec3(p.x, p.y, 0.0) / radius;
    }
    stretch.leave = std::min(stretch.leave, tube->leave);
    return stretch.hit();
}

std::optional<LocalHit> cast_cone(const LocalRay& ray, double radius, double height) {
    const double apex = 0.75 * height;
    const double base = -0.25 * height;
    const double slope = radius / height;
    const DVec3& o = ray.origin;
    const DVec3& d = ray.direction;
    const double below = apex - o.z;
    if (o.z >= base && o.z <= apex && o.x * o.x + o.y * o.y <= slope * slope * below * below) {
        return LocalHit{0.0, DVec3(0.0), true};
    }
    std::optional<LocalHit> best;
    // Through the base.
    if (d.z > 0.0 && o.z < base) {
        const double t = (base - o.z) / d.z;
        const DVec3 p = o + t * d;
        if (p.x * p.x + p.y * p.y <= radius * radius) {
            best = LocalHit{t, DVec3(0, 0, -1), false};
        }
    }
    // Through the side: x^2 + y^2 = slope^2 (apex - z)^2, on the nappe below the apex. From the outside the first
    // crossing is an entry.
    const double k2 = slope * slope;
    const double a = d.x * d.x + d.y * d.y - k2 * d.z * d.z;
    const double b = o.x * d.x + o.y * d.y + k2 * below * d.z;
    const double c = o.x * o.x + o.y * o.y - k2 * below * below;
    const double discriminant = b * b - a * c;
    if (discriminant >= 0.0) {
        // q never cancels: both terms have the same sign.
        const double q = -(b + (b < 0.0 ? -std::sqrt(discriminant) : std::sqrt(discriminant)));
        for (const double t : {a != 0.0 ? q / a : infinity, q != 0.0 ? c / q : infinity}) {
            if (!std::isfinite(t) || t < 0.0 || (best && t >= best->distance)) {
                continue;
            }
            const DVec3 p = o + t * d;
            if (p.z >= base && p.z <= apex) {
                const double rho = std::sqrt(p.x * p.x + p.y * p.y);
                const DVec3 outward = rho > 0.0 ? DVec3(p.x / rho, p.y / rho, 0.0) : DVec3(0.0);
                const DVec3 n = rho > 0.0 ? height * outward + DVec3(0, 0, radius) : DVec3(0, 0, 1);
                best = LocalHit{t, n / std::sqrt(glm::dot(n, n)), false};
            }
        }
    }
    return best;
}

std::optional<LocalHit> cast_box(const LocalRay& ray, const Vec3& half) {
    Stretch stretch;
    for (int axis = 0; axis < 3; ++axis) {
        DVec3 n(0.0);
        n[axis] = 1.0;
        const double h = static_cast<double>(half[axis]);
        if (!stretch.clip(ray, n, h) || !stretch.clip(ray, -n, h)) {
            return std::nullopt;
        }
    }
    return stretch.hit();
}

std::optional<LocalHit> cast_hull(const LocalRay& ray, const ConvexHull& hull) {
    Stretch stretch;
    for (const Plane& plane : hull.planes) {
        if (!stretch.clip(ray, DVec3(plane.normal), static_cast<double>(plane.offset))) {
            return std::nullopt;
        }
    }
    return stretch.hit();
}

std::optional<LocalHit> cast(const Shape& shape, const LocalRay& ray) {
    const double radius = static_cast<double>(shape.radius);
    const double half_height = static_cast<double>(shape.half_extents.z);
    switch (shape.kind) {
    case ShapeKind::sphere:
        return cast_ball(ray, radius);
    case ShapeKind::box:
        return cast_box(ray, shape.half_extents);
    case ShapeKind::capsule:
        return cast_capsule(ray, radius, half_height);
    case ShapeKind::cylinder:
        return cast_cylinder(ray, radius, half_height);
    case ShapeKind::cone:
        return cast_cone(ray, radius, 2.0 * half_height);
    case ShapeKind::hull:
        return cast_hull(ray, *shape.hull);
    }
    return std::nullopt;
}

} // namespace

std::optional<RayHit> ray_cast(const Shape& shape, const Transform& pose, const Ray& ray) {
    const glm::dquat q = glm::normalize(glm::dquat(pose.orientation));
    const DVec3 direction = DVec3(ray.direction);
    const double length = std::sqrt(glm::dot(direction, direction));
    if (!(length > 0.0)) {
        return std::nullopt;
    }
    const glm::dquat back = glm::conjugate(q);
    const LocalRay local{back * (DVec3(ray.origin) - DVec3(pose.position)), back * (direction / length)};
    const std::optional<LocalHit> hit = cast(shape, local);
    if (!hit || hit->distance > static_cast<double>(ray.max_distance)) {
        return std::nullopt;
    }
    RayHit result;
    result.distance = static_cast<float>(hit->distance);
    result.point = Vec3(DVec3(ray.origin) + hit->distance / length * direction);
    result.normal = Vec3(hit->inside ? -direction / length : q * hit->normal);
    return result;
}

} // namespace cairn::physics
