#include "physics/query/time_of_impact.h"

#include "physics/query/distance/pair_distance.h"
#include "physics/query/gjk/observer.h"
#include "physics/query/impact/moving_axis.h"
#include "physics/query/impact/trigonometry.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace cairn::physics {
namespace {

// Of the reach of both shapes: the sums and products below round.
constexpr double least_toi_tolerance = 1e-10;

constexpr double two_pi = 6.28318530717958647693;

struct Rotation {
    double w = 1.0, x = 0.0, y = 0.0, z = 0.0;
};

Rotation product(const Rotation& a, const Rotation& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z, a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x};
}

Rotation rotation_from(const Quat& q) {
    return {double(q.w), double(q.x), double(q.y), double(q.z)};
}

// The turn by `angular_velocity` for `time`: quaternion (cos a/2, sin a/2 axis).
Rotation turn(const DVec3& angular_velocity, double time) {
    const double speed = glm::length(angular_velocity);
    if (!(speed > 0.0)) {
        return {};
    }
    double s = 0.0;
    double c = 1.0;
    sine_cosine(0.5 * speed * time, s, c);
    const DVec3 v = angular_velocity * (s / speed);
    return {c, v.x, v.y, v.z};
}

} // namespace

Transform body_pose_at(const Sweep& sweep, float time) {
    const Rotation r =
        product(turn(DVec3(sweep.angular_velocity), double(time)), rotation_from(sweep.start.orientation));
    const double scale = 1.0 / std::sqrt(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z);
    Transform pose;
    pose.position = Vec3(DVec3(sweep.start.position) + DVec3(sweep.linear_velocity) * double(time));
    pose.orientation = Quat(float(r.w * scale), float(r.x * scale), float(r.y * scale), float(r.z * scale));
    return pose;
}

Vec3 angular_velocity_between(const Quat& from, const Quat& to, float duration) {
    Rotation r = product(rotation_from(to), {double(from.w), -double(from.x), -double(from.y), -double(from.z)});
    if (r.w < 0.0) { // the same rotation the shorter way round
        r = {-r.w, -r.x, -r.y, -r.z};
    }
    const DVec3 v(r.x, r.y, r.z);
    const double sine = glm::length(v);
    if (!(sine > 0.0) || !(duration > 0.0f)) {
        return Vec3(0.0f);
    }
    const double angle = 2.0 * first_quadrant_angle(sine, r.w);
    return Vec3(v * (angle / (sine * double(duration))));
}

namespace {

trace::CourseKind course_of(const MovingAxis::Advance& advance, const MovingCore& a, const MovingCore& b) {
    if (advance.carrier == DVec3(0.0)) {
        return trace::CourseKind::fixed;
    }
    return advance.carrier == a.spin()   ? trace::CourseKind::with_a
           : advance.carrier == b.spin() ? trace::CourseKind::with_b
                                         : trace::CourseKind::with_edges;
}

} // namespace

TimeOfImpact time_of_impact(const Shape& a, const Sweep& sweep_a, const Shape& b, const Sweep& sweep_b, float duration,
                            const ToiSettings& settings, QueryObserver* observer) {
    assert(duration >= 0.0f);
    TimeOfImpact out;
    const double end = double(duration);
    const double target = double(settings.target);

    // Everything is computed relative to where A starts.
    const DVec3 origin(sweep_a.start.position);
    const MovingCore core_a(a, sweep_a, origin, end);
    const MovingCore core_b(b, sweep_b, origin, end);

    // Balls about the centres of rotation hold the shapes however these turn: the common miss ends here, and other
    // pairs start when their balls meet.
    const DVec3 start_gap = core_b.start_centre() - core_a.start_centre();
    const DVec3 closing = core_b.velocity() - core_a.velocity();
    const double reach = core_a.whole_reach() + core_b.whole_reach();
    const double tolerance = std::max(double(settings.tolerance), least_toi_tolerance * reach);
    const double contact = target + tolerance;
    const double meeting = reach + contact;
    double time = 0.0;
    const double outside = meeting > 0.0 ? glm::dot(start_gap, start_gap) - meeting * meeting : 1.0;
    if (outside > 0.0) {
        const double speed2 = glm::dot(closing, closing);
        const double towards = -glm::dot(start_gap, closing);
        const double discriminant = towards * towards - speed2 * outside;
        double enter = std::numeric_limits<double>::infinity();
        if (meeting > 0.0 && towards > 0.0 && discriminant >= 0.0) {
            enter = outside / (towards + std::sqrt(discriminant));
        }
        if (!(enter <= end)) {
            const DVec3 final_gap = start_gap + closing * end;
            const double length = glm::length(final_gap);
            out.status = ToiStatus::miss;
            out.time = duration;
            out.distance = float(length - reach);
            out.normal = length > 0.0 ? Vec3(final_gap * (1.0 / length)) : Vec3(0.0f, 0.0f, 1.0f);
            trace::report(observer, [&] { return trace::Balls{reach, end, true}; });
            trace::report(observer, [&] { return trace::ToiEnd{out.status, double(out.time)}; });
            return out;
        }
        time = enter * (1.0 - 1e-9);
    }
    trace::report(observer, [&] { return trace::Balls{reach, time, false}; });

    const double turns = (core_a.spin_speed() + core_b.spin_speed()) * std::max(end - time, 0.0) / two_pi;
    const double most_iterations = double(settings.max_iterations) * std::max(1.0, turns);
    DVec3 towards(0.0);
    DVec3 last_normal(0.0);
    double last_time = 0.0;
    bool was_apart = false; // a distance above the tolerance has been met
    if (const double length = glm::length(DVec3(settings.known_axis)); length > 0.0) {
        MovingAxis::Start start;
        start.time = time;
        start.end = end;
        start.a = core_a.at(time);
        start.b = core_b.at(time);
        start.n = DVec3(settings.known_axis) / length;
        start.margin = core_of(a).radius + core_of(b).radius + target + 0.5 * tolerance;
        MovingAxis axis(core_a, core_b, start);
        const bool apart = axis.gap() > 0.5 * tolerance;
        if (axis.gap() > 0.0) {
            const MovingAxis::Advance advance = axis.advance(apart ? 0.25 * tolerance : 0.0);
            out.axis_samples += advance.samples;
            if (advance.time >= end) {
                out.status = ToiStatus::miss;
                out.time = duration;
                out.distance = settings.target;
                out.normal = Vec3(start.n);
                trace::report(observer, [&] { return trace::ToiEnd{out.status, double(out.time)}; });
                return out;
            }
            // What is within the tolerance from the beginning may have met already: closest points must tell.
            if (apart) {
                time = advance.time;
                was_apart = true;
            }
        }
    }
    for (;;) {
        MovingAxis::Start start;
        start.time = time;
        start.end = end;
        start.a = core_a.at(time);
        start.b = core_b.at(time);
        const CorePair pair = core_pair(a, b, relative_frame(start.a.shape, start.b.shape));
        const PairDistance nearest = pair_distance(pair, std::numeric_limits<double>::max(),
                                                   out.iterations == 0 ? between_centres(pair) : towards);
        towards = nearest.normal;
        ++out.iterations;
        start.n = start.a.shape.rotation * nearest.normal;
        const auto event = [&] {
            trace::Advance step;
            step.time = step.until = time;
            step.distance = nearest.distance;
            step.normal = start.n;
            step.point_a = apply(start.a.shape, nearest.point_a);
            step.point_b = apply(start.a.shape, nearest.point_b);
            return step;
        };
        const auto answer = [&](ToiStatus status) {
            trace::report(observer, [&] { return trace::ToiEnd{status, status == ToiStatus::miss ? end : time}; });
            out.status = status;
            out.time = status == ToiStatus::miss ? duration : rounded_down(time);
            out.distance = float(nearest.distance);
            out.normal = Vec3(start.n);
            out.point_a = Vec3(apply(start.a.shape, nearest.point_a) + origin);
            out.point_b = Vec3(apply(start.a.shape, nearest.point_b) + origin);
            return out;
        };
        const auto answer_here = [&](ToiStatus status) {
            trace::report(observer, event);
            return answer(status);
        };
        if (nearest.distance <= target) {
            return answer_here(time > 0.0 ? ToiStatus::hit : ToiStatus::initial);
        }
        const bool apart = nearest.distance > contact;
        was_apart = was_apart || apart;
        if (was_apart && !apart) {
            return answer_here(ToiStatus::hit);
        }
        if (out.iterations > 1 && time > last_time) {
            start.turning = glm::cross(last_normal, start.n) / (time - last_time);
        }
        last_normal = start.n;
        last_time = time;
        start.margin = pair.radius + (apart ? target + 0.5 * tolerance : target);
        MovingAxis axis(core_a, core_b, start);
        // Within the tolerance from the beginning: a hit if the shapes go on to close, but not if they part or slide
        // along each other, where the sign of the rate is rounding.
        if (!apart && axis.rate() * (end - time) < -0.5 * (nearest.distance - target)) {
            return answer_here(ToiStatus::hit);
        }
        if (double(out.iterations) >= most_iterations) {
            return answer_here(ToiStatus::out_of_iterations);
        }
        const MovingAxis::Advance advance = axis.advance(apart ? 0.25 * tolerance : 0.0);
        out.axis_samples += advance.samples;
        trace::report(observer, [&] {
            trace::Advance step = event();
            step.course = course_of(advance, core_a, core_b);
            step.revolved_a = advance.revolved_a;
            step.revolved_b = advance.revolved_b;
            step.gap = advance.gap;
            step.rate = advance.rate;
            step.curvature = advance.curvature;
            step.samples = advance.samples;
            step.until = advance.time;
            return step;
        });
        // What does not advance now never will: input that is not finite, or closest points that could not be refined.
        const bool stuck = !(advance.time > time);
        time = advance.time;
        if (time >= end) {
            return answer(ToiStatus::miss);
        }
        if (stuck) {
            return answer(ToiStatus::out_of_iterations);
        }
    }
}

} // namespace cairn::physics
