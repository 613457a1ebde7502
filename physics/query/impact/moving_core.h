// The core of a shape that is carried along a Sweep: where it is at a time, how far it reaches along a direction, and
// how that reach can change. Internal to queries.
#pragma once

#include "physics/query/gjk/minkowski.h"
#include "physics/query/time_of_impact.h"

#include <array>

namespace cairn::physics {

class MovingCore {
  public:
    // Positions are taken relative to `origin`. `duration` in seconds tells which bounds are worth preparing.
    MovingCore(const Shape& shape, const Sweep& sweep, const DVec3& origin, double duration);

    struct Placed {
        Frame body; // position: the centre of mass
        Frame shape;
    };
    Placed at(double time) const;

    const Shape& shape() const { return shape_; }
    const DVec3& start_centre() const { return centre_; }
    DVec3 centre(double time) const { return centre_ + velocity_ * time; }
    const DVec3& velocity() const { return velocity_; } // m/s
    const DVec3& spin() const { return spin_; }         // rad/s, world
    double spin_speed() const { return spin_speed_; }   // rad/s
    double reach() const { return reach_; }             // of the core from the centre of mass, m
    double axis_reach() const { return axis_reach_; }   // of the core from the spin axis, m
    double whole_reach() const { return whole_reach_; } // of the shape from the centre of mass, m

    // Extent: the greatest dot(n, p) over the points p of the core, taken from the centre of mass, m. n is a world
    // direction of unit length.
    double extent(const DVec3& n, const Placed& placed) const;
    // The same at a time; turns the direction back instead of the shape.
    double extent(const DVec3& n, double time) const;

    // How fast the extent along n grows just after this moment where n itself turns at `carrier` rad/s (zero for a
    // fixed direction), m/s. Where several points share the extreme this is the fastest of them.
    double extent_rate(const DVec3& n, const Placed& placed, const DVec3& carrier) const;

    // The extent along n of the body of revolution that the core sweeps out when it turns about the spin axis: no
    // extent is ever greater.
    double revolved_extent(const DVec3& n) const;

    // Bound on |d2/dt2 dot(n, p)| for every point p of the core and a fixed n, at all times, m/s^2.
    double extent_curvature(const DVec3& n) const;

  private:
    static constexpr int profile_directions = 17;

    double distance_from_axis() const;
    double revolved_rim(const DVec3& rim_centre, double radius, double along, double across) const;
    void make_profile();

    const Shape& shape_;
    DVec3 centre_;
    DVec3 velocity_;
    DVec3 spin_;
    Frame local_;
    bool centred_ = false; // the shape's pose in the body's frame is the identity
    double start_w_ = 1.0;
    DVec3 start_v_{0.0}; // scalar and vector part of the start's orientation
    DMat3 start_rotation_{1.0};
    DVec3 turn_axis_{0.0}; // unit, world
    double spin_speed_ = 0.0;
    DVec3 spin_axis_{0.0}; // unit, body frame
    double reach_ = 0.0;
    double axis_reach_ = 0.0;
    double whole_reach_ = 0.0;
    bool tilts_only_ = false;    // a body of revolution about an axis through the centre of mass
    double tilting_speed_ = 0.0; // rad/s at which that axis turns
    bool has_profile_ = false;
    std::array<double, profile_directions> profile_{}; // of a hull with many vertices, see make_profile()
};

// The turn by `angular_velocity` (rad/s) for `time` s, applied to a vector.
DVec3 turned(const DVec3& angular_velocity, double time, const DVec3& v);

} // namespace cairn::physics
