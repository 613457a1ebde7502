#include "physics/query/swept_axis.h"

#include "physics/query/minkowski.h"

#include <algorithm>

namespace cairn::physics {

namespace {

// Of the lengths that are summed up below, in double precision.
constexpr double rounding = 1e-12;

// How far a shape comes along a direction from its body's centre of mass.
struct Extent {
    double start = 0.0, end = 0.0; // at the start, and where the end would be if its points went straight on, m
    double bulge = 0.0;            // by so much turning points exceed the greater of both, m
    double size = 0.0;             // of the terms, m
};

Extent extent(const Shape& shape, const Sweep& sweep, const DVec3& n, double duration) {
    const Core core = core_of(shape);
    const Frame body = frame_of(sweep.start);
    const Frame local = frame_of(sweep.shape_pose);
    const auto farthest = [&](const DVec3& d) {
        const DVec3 in_body = apply_inverse_rotation(body.rotation, d);
        const DVec3 p = core_support(shape, apply_inverse_rotation(local.rotation, in_body));
        return glm::dot(in_body, apply(local, p));
    };
    const double reach = glm::length(local.position) + core.size;
    Extent out;
    out.start = farthest(n) + core.radius;
    out.end = out.start;
    out.size = reach + core.radius;
    const DVec3 spin(sweep.angular_velocity);
    const double spin2 = glm::dot(spin, spin);
    if (spin2 > 0.0 && reach > 0.0) {
        out.end = farthest(n + glm::cross(n, spin) * duration) + core.radius;
        out.bulge = 0.5 * reach * spin2 * duration * duration;
    }
    return out;
}

} // namespace

bool axis_keeps_apart(const Shape& a, const Sweep& sweep_a, const Shape& b, const Sweep& sweep_b, float duration,
                      const Vec3& direction, float target) {
    const double length = glm::length(DVec3(direction));
    if (!(length > 0.0)) {
        return false;
    }
    const DVec3 n = DVec3(direction) / length;
    const double time(duration);
    const DVec3 gap = DVec3(sweep_b.start.position) - DVec3(sweep_a.start.position);
    const DVec3 closing = DVec3(sweep_b.linear_velocity) - DVec3(sweep_a.linear_velocity);
    const Extent of_a = extent(a, sweep_a, n, time);
    const Extent of_b = extent(b, sweep_b, -n, time);
    const double start = glm::dot(n, gap);
    const double end = start + glm::dot(n, closing) * time;
    const double least = std::min(start - of_a.start - of_b.start, end - of_a.end - of_b.end);
    const double error = rounding * (of_a.size + of_b.size + std::abs(start) + std::abs(end));
    return least - of_a.bulge - of_b.bulge - error > double(target);
}

} // namespace cairn::physics
