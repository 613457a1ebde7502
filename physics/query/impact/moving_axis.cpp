#include "physics/query/impact/moving_axis.h"

#include <algorithm>
#include <limits>

namespace cairn::physics {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Samples along one direction before the closest points are asked for again.
constexpr int most_samples = 24;

// A carried direction is followed for this angle at most: its bound grows with the distance between the bodies'
// centres, which changes.
constexpr double carried_angle = 1.0;

// What turns by less, rad, sweeps out so little of its body of revolution that the bound of the curvature is the
// better: that of R a^2 / 8 costs a hundredth of the reach.
constexpr double least_revolution = 0.25;

// The longest step over which the lower bound between two samples stays above zero if the separation goes on at `rate`.
// The bound gap + rate t - M t (step - t) / 2 is least in the step where M t = M step / 2 - rate, with the value
// gap - (M step / 2 - rate)^2 / (2 M).
double promising_step(double gap, double rate, double curvature) {
    if (rate < 0.0 && curvature * gap <= 2.0 * rate * rate) {
        return gap / -rate;
    }
    if (!(curvature > 0.0)) {
        return infinite;
    }
    return 2.0 * (std::sqrt(2.0 * curvature * gap) + rate) / curvature;
}

// The first zero of that bound in (0, step), or the whole step.
double safe_part(double gap, double rate, double curvature, double step) {
    const double slope = rate - 0.5 * curvature * step;
    const double discriminant = slope * slope - 2.0 * curvature * gap;
    if (!(slope < 0.0) || !(discriminant >= 0.0)) {
        return step;
    }
    return std::min(step, 2.0 * gap / (-slope + std::sqrt(discriminant)));
}

} // namespace

MovingAxis::MovingAxis(const MovingCore& a, const MovingCore& b, const Start& start) : a_(a), b_(b), start_(start) {
    extent_a_ = a.extent(start.n, start.a);
    extent_b_ = b.extent(-start.n, start.b);
    fixed_gap_ =
        glm::dot(start.n, start.b.body.position - start.a.body.position) - extent_a_ - extent_b_ - start.margin;
}

void MovingAxis::find_rates() {
    if (!has_rates_) {
        const DVec3 still(0.0);
        rate_a_ = a_.extent_rate(start_.n, start_.a, still);
        rate_b_ = b_.extent_rate(-start_.n, start_.b, still);
        fixed_rate_ = glm::dot(start_.n, b_.velocity() - a_.velocity()) - rate_a_ - rate_b_;
        has_rates_ = true;
    }
}

MovingAxis::Course MovingAxis::fixed(bool revolved_a, bool revolved_b) const {
    const DVec3& n = start_.n;
    Course c;
    c.revolved_a = revolved_a;
    c.revolved_b = revolved_b;
    c.gap = fixed_gap_ - (revolved_a ? revolved_a_ - extent_a_ : 0.0) - (revolved_b ? revolved_b_ - extent_b_ : 0.0);
    c.rate = fixed_rate_ + (revolved_a ? rate_a_ : 0.0) + (revolved_b ? rate_b_ : 0.0);
    c.curvature = (revolved_a ? 0.0 : a_.extent_curvature(n)) + (revolved_b ? 0.0 : b_.extent_curvature(n));
    c.until = start_.end;
    return c;
}

// A direction m that turns at w. If w is the spin of a body, its face is followed without loss wherever it turns to; if
// w is how the common normal of two edges turns, both edges are. With r the vector from A's centre to B's, v its rate,
// and q a point of a body that spins at u, relative to that body's centre:
//   dot(m, r)'' = -dot(w x m, w x r) + 2 dot(w x m, v)
//   dot(m, q)'  = dot(m, (u - w) x q)
//   dot(m, q)'' = dot(w x m, (u - w) x q) + dot(m, (u - w) x (u x q)).
// |w x m| stays what it is; |w x r| is greatest at an end of the time looked at.
MovingAxis::Course MovingAxis::carried(const DVec3& carrier) const {
    const DVec3& n = start_.n;
    const DVec3& w = carrier;
    const DVec3 r = start_.b.body.position - start_.a.body.position;
    const DVec3 v = b_.velocity() - a_.velocity();
    Course c;
    c.carried = true;
    c.carrier = w;
    c.gap = fixed_gap_;
    const double window = std::min(start_.end - start_.time, carried_angle / glm::length(w));
    c.until = start_.time + window;
    const DVec3 sweeping = glm::cross(w, n);
    c.rate = glm::dot(sweeping, r) + glm::dot(n, v) - a_.extent_rate(n, start_.a, w) - b_.extent_rate(-n, start_.b, w);
    const double across = glm::length(sweeping);
    const double lever = std::max(glm::length(glm::cross(w, r)), glm::length(glm::cross(w, r + v * window)));
    c.curvature = across * (lever + 2.0 * glm::length(v));
    for (const MovingCore* core : {&a_, &b_}) {
        const double relative = glm::length(core->spin() - w);
        c.curvature += relative * (across * core->reach() + core->spin_speed() * core->axis_reach());
    }
    return c;
}

double MovingAxis::sample(const Course& course, double time) const {
    const DVec3 n = course.carried ? turned(course.carrier, time - start_.time, start_.n) : start_.n;
    const double extent_a = course.revolved_a ? revolved_a_ : a_.extent(n, time);
    const double extent_b = course.revolved_b ? revolved_b_ : b_.extent(-n, time);
    return glm::dot(n, b_.centre(time) - a_.centre(time)) - extent_a - extent_b - start_.margin;
}

MovingAxis::Advance MovingAxis::advance(double enough) {
    find_rates();
    Course best = fixed(false, false);
    double farthest = promising_step(best.gap, best.rate, best.curvature);
    const auto offer = [&](const Course& c) {
        if (!(c.gap > enough)) {
            return;
        }
        const double step = std::min(promising_step(c.gap, c.rate, c.curvature), c.until - start_.time);
        if (step > farthest) {
            farthest = step;
            best = c;
        }
    };
    const double left = start_.end - start_.time;
    if (farthest < left) {
        const bool a_revolves = a_.spin_speed() * left > least_revolution;
        const bool b_revolves = b_.spin_speed() * left > least_revolution;
        if (a_revolves) {
            revolved_a_ = a_.revolved_extent(start_.n);
            offer(fixed(true, false));
        }
        if (a_.spin_speed() > 0.0) {
            offer(carried(a_.spin()));
        }
        if (b_revolves) {
            revolved_b_ = b_.revolved_extent(-start_.n);
            offer(fixed(false, true));
        }
        if (b_.spin_speed() > 0.0) {
            offer(carried(b_.spin()));
        }
        if (a_revolves && b_revolves) {
            offer(fixed(true, true));
        }
        if (glm::dot(start_.turning, start_.turning) > 0.0) {
            offer(carried(start_.turning));
        }
    }

    Advance out;
    out.carrier = best.carrier;
    out.revolved_a = best.revolved_a;
    out.revolved_b = best.revolved_b;
    out.gap = best.gap;
    out.rate = best.rate;
    out.curvature = best.curvature;
    double time = start_.time;
    double gap = best.gap;
    double rate = best.rate;
    while (out.samples < most_samples && gap > enough && time < best.until) {
        // Aims at the middle of what is enough, so that the bound need not be met to the last bit.
        const double wanted = promising_step(gap - 0.5 * enough, rate, best.curvature);
        const double step = std::min(wanted, best.until - time);
        const double later = sample(best, time + step);
        ++out.samples;
        rate = (later - gap) / step;
        const double safe = safe_part(gap, rate, best.curvature, step);
        if (!(safe < step)) {
            time = step < wanted ? best.until : time + step;
            gap = later;
            continue;
        }
        // A part in a billion less: the products above round.
        time += safe * (1.0 - 1e-9);
        gap = sample(best, time);
        ++out.samples;
    }
    out.time = time;
    return out;
}

} // namespace cairn::physics
