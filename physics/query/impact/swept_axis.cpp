#include "physics/query/impact/swept_axis.h"

#include "physics/query/gjk/minkowski.h"

#include <algorithm>

namespace cairn::physics {

namespace {

// Of the lengths that are summed up below, in double precision.
constexpr double rounding = 1e-12;

// How far a shape comes along a direction from its body's centre of mass.
class Extent {
  public:
    Extent(const Shape& shape, const Sweep& sweep)
        : core_(core_of(shape)),
          body_(frame_of(sweep.start)),
          local_(frame_of(sweep.shape_pose)),
          centred_(sweep.shape_pose.position == Vec3(0.0f) && sweep.shape_pose.orientation == identity_orientation),
          spin_(sweep.angular_velocity),
          reach_(glm::length(local_.position) + core_.size) {}

    // Along any direction, at the start, m times the length of the direction.
    double along(const DVec3& d, double length) const {
        const DVec3 in_body = apply_inverse_rotation(body_.rotation, d);
        if (centred_) {
            return glm::dot(in_body, core_support(*core_.shape, in_body)) + core_.radius * length;
        }
        const DVec3 p = core_support(*core_.shape, apply_inverse_rotation(local_.rotation, in_body));
        return glm::dot(in_body, apply(local_, p)) + core_.radius * length;
    }
    // Where it would be after `time` if its points went straight on, m.
    double straight_on(const DVec3& n, double time) const { return along(n + glm::cross(n, spin_) * time, 1.0); }

    // No point of the core goes further on its circle, m.
    double lift(double time) const { return reach_ * glm::length(spin_) * time; }
    // By so much points on circles exceed what straight lines reach at both ends, m.
    double bulge(double time) const { return 0.5 * reach_ * glm::dot(spin_, spin_) * time * time; }
    double size() const { return reach_ + core_.radius; } // of the terms, m

  private:
    Core core_;
    Frame body_, local_;
    bool centred_; // local_ is the identity
    DVec3 spin_;
    double reach_; // of the core from the centre of mass, m
};

} // namespace

bool axis_keeps_apart(const Shape& a, const Sweep& sweep_a, const Shape& b, const Sweep& sweep_b, float duration,
                      const Vec3& direction, float target) {
    const double length = glm::length(DVec3(direction));
    if (!(length > 0.0)) {
        return false;
    }
    const DVec3 n = DVec3(direction) / length;
    const auto time = double(duration);
    const DVec3 gap = DVec3(sweep_b.start.position) - DVec3(sweep_a.start.position);
    const DVec3 closing = DVec3(sweep_b.linear_velocity) - DVec3(sweep_a.linear_velocity);
    const Extent of_a(a, sweep_a);
    const Extent of_b(b, sweep_b);
    const double start = glm::dot(n, gap);
    const double end = start + glm::dot(n, closing) * time;
    const double error = rounding * (of_a.size() + of_b.size() + std::abs(start) + std::abs(end));
    const double enough = double(target) + error;
    const double at_start = start - of_a.along(n, 1.0) - of_b.along(-n, 1.0);
    if (!(at_start > enough)) {
        return false;
    }
    // What hardly turns needs no more.
    if (std::min(at_start, at_start + (end - start)) - of_a.lift(time) - of_b.lift(time) > enough) {
        return true;
    }
    const double at_end = end - of_a.straight_on(n, time) - of_b.straight_on(-n, time);
    return std::min(at_start, at_end) - of_a.bulge(time) - of_b.bulge(time) > enough;
}

bool lift_keeps_apart(const Shape& a, const Sweep& sweep_a, float age_a, const Shape& b, const Sweep& sweep_b,
                      float age_b, float duration, const Vec3& direction, float target) {
    const double length = glm::length(DVec3(direction));
    if (!(length > 0.0)) {
        return false;
    }
    const DVec3 n = DVec3(direction) / length;
    const DVec3 velocity_a(sweep_a.linear_velocity), velocity_b(sweep_b.linear_velocity);
    const DVec3 gap = (DVec3(sweep_b.start.position) + velocity_b * double(age_b)) -
                      (DVec3(sweep_a.start.position) + velocity_a * double(age_a));
    const double start = glm::dot(n, gap);
    const double end = start + glm::dot(n, velocity_b - velocity_a) * double(duration);
    const Extent of_a(a, sweep_a);
    const Extent of_b(b, sweep_b);
    const double error = rounding * (of_a.size() + of_b.size() + std::abs(start) + std::abs(end));
    return std::min(start, end) - of_a.along(n, 1.0) - of_b.along(-n, 1.0) -
               of_a.lift(double(age_a) + double(duration)) - of_b.lift(double(age_b) + double(duration)) >
           double(target) + error;
}

double least_along(const Shape& shape, const Sweep& sweep, float duration, const DVec3& direction) {
    const Extent extent(shape, sweep);
    const auto time = double(duration);
    const double start = glm::dot(direction, DVec3(sweep.start.position));
    const double end = start + glm::dot(direction, DVec3(sweep.linear_velocity)) * time;
    const double error = rounding * (extent.size() + std::abs(start) + std::abs(end));
    return std::min(start - extent.along(-direction, 1.0), end - extent.straight_on(-direction, time)) -
           extent.bulge(time) - error;
}

} // namespace cairn::physics
