// Time passes along one separating direction: how long two moving cores certainly stay apart. Internal to the time of
// impact.
#pragma once

#include "physics/query/impact/moving_core.h"

namespace cairn::physics {

// The separation s(t) of two moving cores along a direction n(t), less what it must not fall below. As every
// direction's separation bounds the signed distance from below, the shapes stay apart as long as s(t) > 0.
//
// Whatever the kind, s(t) is the least of functions g(t), one for each pair of points of the cores, whose second
// derivative is bounded: |g''| <= M. So each g - M t^2 / 2 is concave, hence is their least, s - M t^2 / 2, and that is
// all that the advance needs to know: between two times at which s is known it lies nowhere below
//
//     chord(t) - M (t - t0) (t1 - t) / 2.
//
// The points that carry the least may change, the corner that is far now may come round: no bound on speed is needed.
class MovingAxis {
  public:
    struct Start {
        double time = 0.0;
        DVec3 n{0.0}; // unit, world, from A to B
        MovingCore::Placed a, b;
        double margin = 0.0; // radii of the cores and the distance that must not be reached, m
        double end = 0.0;    // of the sweep, s
        // How the normal of the closest points has been turning, rad/s, world; zero if that is not known.
        DVec3 turning{0.0};
    };

    MovingAxis(const MovingCore& a, const MovingCore& b, const Start& start);

    // Separation along the direction at the start, less the margin, m.
    double gap() const { return fixed_gap_; }
    // Rate of the separation along the fixed direction just after the start, m/s; negative where the cores approach.
    // Where several points share an extent it is that of the fastest.
    double rate() {
        find_rates();
        return fixed_rate_;
    }

    struct Advance {
        double time = 0.0; // until here the separation certainly stays above the margin
        int samples = 0;   // times at which separations were evaluated
        // The course that was followed, for whoever traces the search.
        DVec3 carrier{0.0}; // rad/s at which the direction turns; zero for a fixed one
        bool revolved_a = false, revolved_b = false;
        double gap = 0.0, rate = 0.0, curvature = 0.0; // at the start, m, m/s and m/s^2
    };
    // Follows the course that promises to lead farthest, until its separation has fallen to less than `enough` above
    // the margin.
    Advance advance(double enough);

  private:
    // How the direction moves, and which of the cores are replaced by the bodies of revolution that they sweep out.
    struct Course {
        DVec3 carrier{0.0}; // the direction turns at this rate, rad/s
        bool carried = false;
        bool revolved_a = false, revolved_b = false;
        double gap = 0.0;       // at the start, m
        double rate = 0.0;      // just after it, m/s
        double curvature = 0.0; // M, m/s^2
        double until = 0.0;     // the curvature holds until then, s
    };
    void find_rates();
    Course fixed(bool revolved_a, bool revolved_b) const;
    Course carried(const DVec3& carrier) const;
    double sample(const Course& course, double time) const;

    const MovingCore& a_;
    const MovingCore& b_;
    const Start& start_;
    double extent_a_ = 0.0, extent_b_ = 0.0;     // at the start, m
    double revolved_a_ = 0.0, revolved_b_ = 0.0; // m
    double rate_a_ = 0.0, rate_b_ = 0.0;         // of the extents, m/s
    double fixed_gap_ = 0.0, fixed_rate_ = 0.0;
    bool has_rates_ = false; // gaps alone tell enough of most directions that do not part
};

} // namespace cairn::physics
