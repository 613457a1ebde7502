#include "physics/query/time_of_impact.h"

#include "physics/query/pair_distance.h"
#include "physics/query/trigonometry.h"

#include <algorithm>
#include <limits>

namespace cairn::physics {
namespace {

// Steps taken along one separating direction before the closest points are asked for again.
constexpr int steps_per_direction = 16;

constexpr double infinite = std::numeric_limits<double>::infinity();

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

bool is_round_about_axis(ShapeKind kind) {
    return kind == ShapeKind::capsule || kind == ShapeKind::cylinder || kind == ShapeKind::cone;
}

// One moving shape: where it is at a time, and bounds on how fast its core can advance along a direction. The radius by
// which a core is grown never turns, so a sphere that spins about its centre does not approach anything.
class Mover {
  public:
    Mover(const Shape& shape, const Sweep& sweep, const DVec3& origin)
        : shape_(shape),
          core_(core_of(shape)),
          start_(rotation_from(sweep.start.orientation)),
          centre_(DVec3(sweep.start.position) - origin),
          velocity_(sweep.linear_velocity),
          spin_(sweep.angular_velocity),
          local_(frame_of(sweep.shape_pose)) {
        spin_speed_ = glm::length(spin_);
        reach_ = glm::length(local_.position) + core_.size;
        axis_reach_ = spin_speed_ > 0.0 ? distance_from_axis() : 0.0;
        if (is_round_about_axis(shape.kind)) {
            // Turning about its own axis leaves such a shape where it is; only the rest of the spin moves it. The angle
            // between the axis and the spin stays what it is at the start.
            const DVec3 axis = local_.rotation[2];
            const DVec3 off = local_.position - axis * glm::dot(local_.position, axis);
            if (glm::length(off) <= 1e-7 * reach_) {
                const DVec3 spin_local =
                    apply_inverse_rotation(rotation_of(start_.w, start_.x, start_.y, start_.z), spin_);
                const DVec3 tilting = spin_local - axis * glm::dot(spin_local, axis);
                tilting_speed_ = glm::length(tilting);
                // 1e-7 and not 0: the spin was given in world axes as floats.
                if (tilting_speed_ <= 1e-7 * spin_speed_) {
                    tilting_speed_ = 0.0;
                }
            }
        }
    }

    const DVec3& start_centre() const { return centre_; }
    const DVec3& velocity() const { return velocity_; }
    double whole_reach() const { return glm::length(local_.position) + double(shape_.bounding_radius); }

    // Frame of the body, and of the shape, at a time.
    Frame body_at(double time) const {
        const Rotation r = product(turn(spin_, time), start_);
        return {rotation_of(r.w, r.x, r.y, r.z), centre_ + velocity_ * time};
    }
    Frame shape_at(const Frame& body) const { return {body.rotation * local_.rotation, apply(body, local_.position)}; }

    struct Advance {
        double now = 0.0;    // speed at which the core's extent along the direction can grow at this moment, m/s
        double most = 0.0;   // ... at any later moment, m/s
        double growth = 0.0; // by which the former can rise, m/s^2
    };

    // For a fixed world direction n, a point p of the core relative to the centre moves along n at
    // dot(n, w x p) = dot(p, n x w). This sees only the part of p across the spin axis, which keeps its length: hence
    // the bound `most`. It turns at the spin's speed, hence `growth`.
    Advance advance(const DVec3& n, const Frame& shape_frame, const Frame& body) const {
        const double linear = glm::dot(n, velocity_);
        if (!(spin_speed_ > 0.0)) {
            return {linear, linear, 0.0};
        }
        const DVec3 lever = glm::cross(n, spin_);
        const double lever_length = glm::length(lever);
        const DVec3 local_direction = apply_inverse_rotation(shape_frame.rotation, lever);
        const DVec3 p = apply(shape_frame, core_support(shape_, local_direction)) - body.position;
        const double now = glm::dot(p, lever);
        const double tilting = tilting_speed_ * reach_;
        if (tilting <= now) {
            return {linear + tilting, linear + tilting, 0.0};
        }
        return {linear + now, linear + std::min(lever_length * axis_reach_, tilting),
                lever_length * spin_speed_ * axis_reach_};
    }

  private:
    // Greatest distance of the core's points from the spin axis.
    double distance_from_axis() const {
        const DVec3 axis =
            apply_inverse_rotation(rotation_of(start_.w, start_.x, start_.y, start_.z), spin_) / spin_speed_;
        const auto away = [&](const DVec3& local) { return glm::length(glm::cross(axis, apply(local_, local))); };
        double most = 0.0;
        switch (shape_.kind) {
        case ShapeKind::sphere:
            return away(DVec3(0.0));
        case ShapeKind::capsule: {
            const DVec3 end(0.0, 0.0, double(shape_.half_extents.z));
            return std::max(away(end), away(-end));
        }
        case ShapeKind::hull:
            if (shape_.hull->vertices.size() <= 64) {
                for (const Vec3& v : shape_.hull->vertices) {
                    most = std::max(most, away(DVec3(v)));
                }
                return most;
            }
            break;
        default:
            break;
        }
        const DVec3 lower(shape_.local_bounds.lower);
        const DVec3 upper(shape_.local_bounds.upper);
        for (unsigned corner = 0; corner < 8; ++corner) {
            most = std::max(most,
                            away(DVec3((corner & 1u) != 0 ? upper.x : lower.x, (corner & 2u) != 0 ? upper.y : lower.y,
                                       (corner & 4u) != 0 ? upper.z : lower.z)));
        }
        return std::min(most, reach_);
    }

    const Shape& shape_;
    Core core_;
    Rotation start_;
    DVec3 centre_;
    DVec3 velocity_;
    DVec3 spin_;
    Frame local_;
    double spin_speed_ = 0.0;
    double reach_ = 0.0;              // of the core from the centre of rotation, m
    double axis_reach_ = 0.0;         // of the core from the spin axis, m
    double tilting_speed_ = infinite; // rad/s at which a body of revolution turns otherwise than about its axis
};

// Longest time for which both shapes together cannot close `gap` along the direction that `a` and `b` were asked for.
double safe_time(double gap, const Mover::Advance& a, const Mover::Advance& b) {
    const double most = a.most + b.most;
    if (!(most > 0.0)) {
        return infinite;
    }
    const double steady = gap / most;
    // now t + growth t^2 / 2 <= gap, solved without cancellation.
    const double now = a.now + b.now;
    const double growth = a.growth + b.growth;
    const double divisor = now + std::sqrt(now * now + 2.0 * growth * gap);
    const double curved = divisor > 0.0 ? 2.0 * gap / divisor : infinite;
    return std::max(steady, curved);
}

// Never later than t.
float rounded_down(double t) {
    const float f = float(t);
    return double(f) > t ? std::nextafter(f, 0.0f) : f;
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

TimeOfImpact time_of_impact(const Shape& a, const Sweep& sweep_a, const Shape& b, const Sweep& sweep_b, float duration,
                            const ToiSettings& settings) {
    TimeOfImpact out;
    const double end = double(duration);
    const double target = double(settings.target);
    const double tolerance = double(settings.tolerance);
    const double contact = target + tolerance;
    const double aim = target + 0.5 * tolerance;

    // Everything is computed relative to where A starts.
    const DVec3 origin(sweep_a.start.position);
    const Mover mover_a(a, sweep_a, origin);
    const Mover mover_b(b, sweep_b, origin);

    // Balls about the centres of rotation hold the shapes however these turn: the common miss ends here, and other
    // pairs start when their balls meet.
    const DVec3 start_gap = mover_b.start_centre() - mover_a.start_centre();
    const DVec3 closing = mover_b.velocity() - mover_a.velocity();
    const double reach = mover_a.whole_reach() + mover_b.whole_reach();
    const double meeting = reach + contact;
    double time = 0.0;
    const double outside = meeting > 0.0 ? glm::dot(start_gap, start_gap) - meeting * meeting : 1.0;
    if (outside > 0.0) {
        const double speed2 = glm::dot(closing, closing);
        const double towards = -glm::dot(start_gap, closing);
        const double discriminant = towards * towards - speed2 * outside;
        double enter = infinite;
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
            return out;
        }
        time = enter * (1.0 - 1e-9);
    }

    DVec3 towards(0.0);
    for (;;) {
        const Frame body_a = mover_a.body_at(time);
        const Frame body_b = mover_b.body_at(time);
        const Frame frame_a = mover_a.shape_at(body_a);
        const Frame frame_b = mover_b.shape_at(body_b);
        const CorePair pair = core_pair(a, b, relative_frame(frame_a, frame_b));
        const PairDistance nearest = pair_distance(
            pair, std::numeric_limits<double>::max(), out.iterations == 0 ? between_centres(pair) : towards);
        towards = nearest.normal;
        ++out.iterations;
        const DVec3 n = frame_a.rotation * nearest.normal;
        const Mover::Advance advance_a = mover_a.advance(n, frame_a, body_a);
        const Mover::Advance advance_b = mover_b.advance(-n, frame_b, body_b);
        const auto report = [&](ToiStatus status) {
            out.status = status;
            out.time = status == ToiStatus::miss ? duration : rounded_down(time);
            out.distance = float(nearest.distance);
            out.normal = Vec3(n);
            out.point_a = Vec3(apply(frame_a, nearest.point_a) + origin);
            out.point_b = Vec3(apply(frame_a, nearest.point_b) + origin);
            return out;
        };
        const double closing_speed = advance_a.now + advance_b.now;
        if (nearest.distance <= target) {
            return report(time > 0.0 ? ToiStatus::hit : ToiStatus::initial);
        }
        if (nearest.distance <= contact && closing_speed > 0.0) {
            return report(ToiStatus::hit);
        }
        if (out.iterations >= settings.max_iterations) {
            return report(ToiStatus::out_of_iterations);
        }
        // A fixed direction's separation bounds the signed distance from below at every moment, so time may pass as
        // long as it stays above the target. A gap below the aim can only occur while the shapes draw apart.
        double gap = nearest.distance - (nearest.distance > contact ? aim : target);
        double step = safe_time(gap, advance_a, advance_b);
        for (int k = 0;; ++k) {
            // A part in a billion less: the products above round.
            time += step * (1.0 - 1e-9);
            if (!(time < end)) {
                return report(ToiStatus::miss);
            }
            if (k == steps_per_direction) {
                break;
            }
            const Frame later_a = mover_a.body_at(time);
            const Frame later_b = mover_b.body_at(time);
            const Frame moved_a = mover_a.shape_at(later_a);
            const Frame moved_b = mover_b.shape_at(later_b);
            const DVec3 on_a = apply(moved_a, core_support(a, apply_inverse_rotation(moved_a.rotation, n)));
            const DVec3 on_b = apply(moved_b, core_support(b, apply_inverse_rotation(moved_b.rotation, -n)));
            gap = glm::dot(n, on_b - on_a) - pair.radius - aim;
            if (gap <= 0.5 * tolerance) {
                break;
            }
            step = safe_time(gap, mover_a.advance(n, moved_a, later_a), mover_b.advance(-n, moved_b, later_b));
        }
    }
}

} // namespace cairn::physics
