// Each solid is an intersection or union of simple convex sets; on a line each of those is an interval. Computed in
// double, since rays often start far away (a camera, a bullet) and the hit must not inherit the rounding of that
// distance.
#include "physics/query/ray_cast.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace cairn::physics {

namespace {

using DVec3 = glm::dvec3;

struct LocalRay {
    DVec3 origin;
    DVec3 direction; // unit
};

struct LocalHit {
    double distance = 0.0; // below zero if the ray starts in the solid
    DVec3 normal{0.0};
    std::uint32_t triangle = MeshTriangle::none;
};

constexpr double infinity = std::numeric_limits<double>::infinity();

// The stretch of the line inside all sets clipped so far. It reaches back behind the start, so that a start inside is a
// stretch that began there.
struct Stretch {
    double enter = -infinity, leave = infinity;
    DVec3 normal{0.0};
    int clips = 0;

    // Keeps what lies between two distances; `from` is where the set is entered, through a surface of the given normal.
    // False once nothing is left ahead.
    bool keep(double from, double to, const DVec3& n) {
        if (from > enter) {
            enter = from;
            normal = n;
        }
        leave = std::min(leave, to);
        return enter <= leave && leave >= 0.0;
    }

    // Keeps what lies in the half space dot(n, x) <= offset.
    bool clip(const LocalRay& ray, const DVec3& n, double offset) {
        ++clips;
        const double above = glm::dot(n, ray.origin) - offset;
        const double rate = glm::dot(n, ray.direction);
        if (rate == 0.0) {
            return above <= 0.0;
        }
        const double t = -above / rate;
        return rate < 0.0 ? keep(t, infinity, n) : keep(-infinity, t, n);
    }

    std::optional<LocalHit> hit() const { return LocalHit{enter, normal}; }
};

struct Interval {
    double enter, leave;
};

std::optional<Interval> cross_ball(const LocalRay& ray, const DVec3& centre, double radius) {
    const DVec3 m = ray.origin - centre;
    const double along = glm::dot(m, ray.direction);
    const DVec3 closest = m - along * ray.direction;
    const double left = radius * radius - glm::dot(closest, closest);
    if (left < 0.0) {
        return std::nullopt;
    }
    const double half_chord = std::sqrt(left);
    return Interval{-along - half_chord, -along + half_chord};
}

std::optional<LocalHit> cast_ball(const LocalRay& ray, double radius, int& clips) {
    ++clips;
    const std::optional<Interval> ball = cross_ball(ray, DVec3(0.0), radius);
    if (!ball || ball->leave < 0.0) {
        return std::nullopt;
    }
    return LocalHit{ball->enter, (ray.origin + ball->enter * ray.direction) / radius};
}

// The stretch inside the endless cylinder about z. Nothing if the ray misses it.
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

// The union of a barrel and two balls. As the solid is convex, the stretch inside is one: it begins at the first entry
// into any of the three and ends at the last exit.
std::optional<LocalHit> cast_capsule(const LocalRay& ray, double radius, double half_height, int& clips) {
    std::optional<LocalHit> first;
    double leave = -infinity;
    const auto offer = [&](const Interval& part, const DVec3& centre) {
        if (!first || part.enter < first->distance) {
            first = LocalHit{part.enter, (ray.origin + part.enter * ray.direction - centre) / radius};
        }
        leave = std::max(leave, part.leave);
    };
    clips += 3;
    for (const double z : {half_height, -half_height}) {
        if (const std::optional<Interval> ball = cross_ball(ray, DVec3(0.0, 0.0, z), radius)) {
            offer(*ball, DVec3(0.0, 0.0, z));
        }
    }
    // Where the ray crosses the barrel through a flat end it does so within a ball.
    if (const std::optional<Interval> tube = cross_tube(ray, radius); tube && std::isfinite(tube->enter)) {
        const double z = ray.origin.z + tube->enter * ray.direction.z;
        if (std::abs(z) <= half_height) {
            offer({tube->enter, tube->enter}, DVec3(0.0, 0.0, z));
        }
        if (first && std::abs(ray.origin.z + tube->leave * ray.direction.z) <= half_height) {
            leave = std::max(leave, tube->leave);
        }
    }
    return first && leave >= 0.0 ? first : std::nullopt;
}

std::optional<LocalHit> cast_cylinder(const LocalRay& ray, double radius, double half_height, int& clips) {
    Stretch stretch;
    clips += 3;
    if (!stretch.clip(ray, DVec3(0, 0, 1), half_height) || !stretch.clip(ray, DVec3(0, 0, -1), half_height)) {
        return std::nullopt;
    }
    const std::optional<Interval> tube = cross_tube(ray, radius);
    if (!tube) {
        return std::nullopt;
    }
    const DVec3 p = ray.origin + (std::isfinite(tube->enter) ? tube->enter : 0.0) * ray.direction;
    if (!stretch.keep(tube->enter, tube->leave, DVec3(p.x, p.y, 0.0) / radius)) {
        return std::nullopt;
    }
    return stretch.hit();
}

// The lower nappe of x^2 + y^2 = slope^2 (apex - z)^2 above the base. On a line the difference of both sides is
// a t^2 + 2 b t + c; the double cone is where that is not positive, and below the apex that is one stretch.
std::optional<LocalHit> cast_cone(const LocalRay& ray, double radius, double height, int& clips) {
    const double apex = 0.75 * height;
    const double slope = radius / height;
    const DVec3& o = ray.origin;
    const DVec3& d = ray.direction;
    Stretch stretch;
    clips += 3;
    if (!stretch.clip(ray, DVec3(0, 0, -1), 0.25 * height) || !stretch.clip(ray, DVec3(0, 0, 1), apex)) {
        return std::nullopt;
    }
    const double k2 = slope * slope;
    const double below = apex - o.z;
    const double a = d.x * d.x + d.y * d.y - k2 * d.z * d.z;
    const double b = o.x * d.x + o.y * d.y + k2 * below * d.z;
    const double c = o.x * o.x + o.y * o.y - k2 * below * below;
    const double discriminant = b * b - a * c;
    Interval side{-infinity, infinity};
    if (a > 0.0 && discriminant < 0.0) {
        return std::nullopt;
    }
    // q never cancels: both terms have the same sign. A line that is steeper than the side always crosses it.
    const double root = std::sqrt(std::max(discriminant, 0.0));
    const double q = -(b + (b < 0.0 ? -root : root));
    const double t0 = a != 0.0 ? q / a : infinity;
    const double t1 = q != 0.0 ? c / q : t0;
    if (a > 0.0) {
        side = {std::min(t0, t1), std::max(t0, t1)};
    } else if (a < 0.0 && std::isfinite(t0)) {
        // Steep: the lower nappe is entered last on the way down, left first on the way up.
        side = d.z < 0.0 ? Interval{std::max(t0, t1), infinity} : Interval{-infinity, std::min(t0, t1)};
    } else { // along a side: 2 b t + c <= 0
        if (b == 0.0) {
            if (c > 0.0) {
                return std::nullopt;
            }
        } else {
            side = b < 0.0 ? Interval{-0.5 * c / b, infinity} : Interval{-infinity, -0.5 * c / b};
        }
    }
    DVec3 n(0, 0, 1);
    if (std::isfinite(side.enter)) {
        const DVec3 p = o + side.enter * d;
        const double rho = std::sqrt(p.x * p.x + p.y * p.y);
        if (rho > 0.0) {
            n = glm::normalize(DVec3(height * p.x / rho, height * p.y / rho, radius));
        }
    }
    if (!stretch.keep(side.enter, side.leave, n)) {
        return std::nullopt;
    }
    return stretch.hit();
}

std::optional<LocalHit> cast_box(const LocalRay& ray, const Vec3& half, int& clips) {
    Stretch stretch;
    bool any = true;
    for (int axis = 0; axis < 3 && any; ++axis) {
        DVec3 n(0.0);
        n[axis] = 1.0;
        const double h = static_cast<double>(half[axis]);
        any = stretch.clip(ray, n, h) && stretch.clip(ray, -n, h);
    }
    clips += stretch.clips;
    return any ? stretch.hit() : std::nullopt;
}

std::optional<LocalHit> cast_hull(const LocalRay& ray, const ConvexHull& hull, int& clips) {
    Stretch stretch;
    bool any = true;
    for (const Plane& plane : hull.planes) {
        if (!stretch.clip(ray, DVec3(plane.normal), static_cast<double>(plane.offset))) {
            any = false;
            break;
        }
    }
    clips += stretch.clips;
    return any ? stretch.hit() : std::nullopt;
}

std::optional<LocalHit> cast_mesh(const LocalRay& ray, const TriangleMesh& mesh, double reach, int& tested) {
    const TriangleMesh::Hit hit = mesh.cast(ray.origin, ray.direction, reach, tested);
    if (hit.triangle == TriangleMesh::none) {
        return std::nullopt;
    }
    const DVec3 normal = mesh.normal(hit.triangle);
    return LocalHit{hit.distance, glm::dot(normal, ray.direction) > 0.0 ? -normal : normal, hit.triangle};
}

std::optional<LocalHit> cast(const Shape& shape, const LocalRay& ray, double reach, int& clips) {
    const double radius = static_cast<double>(shape.radius);
    const double half_height = static_cast<double>(shape.half_extents.z);
    switch (shape.kind) {
    case ShapeKind::sphere:
        return cast_ball(ray, radius, clips);
    case ShapeKind::box:
        return cast_box(ray, shape.half_extents, clips);
    case ShapeKind::capsule:
        return cast_capsule(ray, radius, half_height, clips);
    case ShapeKind::cylinder:
        return cast_cylinder(ray, radius, half_height, clips);
    case ShapeKind::cone:
        return cast_cone(ray, radius, 2.0 * half_height, clips);
    case ShapeKind::hull:
        return cast_hull(ray, *shape.hull, clips);
    case ShapeKind::mesh:
        return cast_mesh(ray, *shape.mesh, reach, clips);
    }
    return std::nullopt;
}

} // namespace

RayCast ray_cast(const Shape& shape, const Transform& pose, const Ray& ray) {
    RayCast result;
    const glm::dquat q = glm::normalize(glm::dquat(pose.orientation));
    const DVec3 origin(ray.origin);
    DVec3 direction(ray.direction);
    const double length = std::sqrt(glm::dot(direction, direction));
    const double reach = static_cast<double>(ray.max_distance);
    direction = length > 0.0 ? direction / length : DVec3(0.0);
    const auto fill = [&](RayStatus status, double distance, const DVec3& normal) {
        result.status = status;
        result.best.distance = static_cast<float>(distance);
        result.best.point = length > 0.0 ? Vec3(origin + distance * direction) : ray.origin;
        result.best.normal = Vec3(normal);
        return result;
    };
    // The ball about the shape: most rays end here, and the others start again where they enter it, so that the squares
    // below are those of lengths like the shape's.
    const DVec3 centre = DVec3(pose.position) - origin;
    const double ball = static_cast<double>(shape.bounding_radius) * (1.0 + 1e-6);
    const double along = glm::dot(centre, direction);
    const DVec3 beside = centre - along * direction;
    if (!(length > 0.0) || !(glm::dot(beside, beside) <= ball * ball) || !(along + ball >= 0.0)) {
        return fill(RayStatus::miss, reach, DVec3(0.0));
    }
    const double skipped = std::max(0.0, along - ball);
    const glm::dquat back = glm::conjugate(q);
    const LocalRay local{back * (skipped * direction - centre), back * direction};
    const std::optional<LocalHit> hit = cast(shape, local, reach - skipped, result.iterations);
    if (!hit || hit->distance + skipped > reach) {
        return fill(RayStatus::miss, reach, DVec3(0.0));
    }
    result.best.triangle = hit->triangle;
    if (hit->distance + skipped <= 0.0) {
        return fill(RayStatus::inside, 0.0, -direction);
    }
    return fill(RayStatus::hit, hit->distance + skipped, q * hit->normal);
}

} // namespace cairn::physics
