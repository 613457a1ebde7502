#include "physics/query/gjk/gjk.h"

#include "physics/query/gjk/observer.h"

#include <algorithm>
#include <limits>

namespace cairn::physics {
namespace {

constexpr int max_iterations = 128;

// The search ends when the upper bound |v| and the lower bound given by the last support plane agree to this fraction.
// A relative gap g leaves an angle of about sqrt(2 g) between v and the true normal, hence far below the accuracy asked
// of the distance itself.
constexpr double relative_gap = 1e-12;
constexpr double absolute_gap = 1e-14; // of the pair's size

// Cores closer than this fraction of their size count as touching: below it rounding turns the direction of v by more
// than a part in a million.
constexpr double touching_ratio = 1e-9;

// Support points nearer to each other than this fraction of the size are the same point.
constexpr double same_point_ratio = 1e-12;

// The simplex with its vertices apart from where they came from, so that the sub-distance reads them in a row.
struct Simplex {
    Room<DVec3, 4> w;
    Room<DVec3, 4> a;
    std::array<double, 4> weight;
    int count = 0;

    void put(const SupportPoint& p) {
        w.put(count, p.w);
        a.put(count, p.a);
        ++count;
    }
    void keep(const ClosestOnSimplex& closest) {
        // A vertex moves down only over one that is dropped or has moved already: the indices are sorted first. Their
        // order decides nothing but the last bits.
        std::array<int, 4> index = closest.index;
        weight = closest.weight;
        for (int i = 1; i < closest.count; ++i) {
            for (int k = i; k > 0 && index[k] < index[k - 1]; --k) {
                std::swap(index[k], index[k - 1]);
                std::swap(weight[k], weight[k - 1]);
            }
        }
        for (int i = 0; i < closest.count; ++i) {
            w[i] = w[index[i]];
            a[i] = a[index[i]];
        }
        count = closest.count;
    }
    // Only the live vertices are compared: a support point at the origin is a point like any other. Points of round
    // shapes repeat only up to rounding.
    bool holds(const DVec3& point, double eps2) const {
        for (int i = 0; i < count; ++i) {
            const DVec3 d = w[i] - point;
            if (glm::dot(d, d) <= eps2) {
                return true;
            }
        }
        return false;
    }
    trace::Simplex state_of(const DVec3& nearest, double lower, bool holds_origin) const {
        trace::Simplex out;
        for (int i = 0; i < count; ++i) {
            out.vertex[i] = {w[i], a[i]};
            out.weight[i] = weight[i];
        }
        out.count = count;
        out.nearest = nearest;
        out.distance = std::sqrt(glm::dot(nearest, nearest));
        out.lower = lower;
        out.holds_origin = holds_origin;
        return out;
    }
};

} // namespace

DVec3 GjkResult::point_a() const {
    DVec3 p(0.0);
    for (int i = 0; i < count; ++i) {
        p += simplex[i].a * weight[i];
    }
    return p;
}

GjkResult gjk(const CorePair& pair, double max_distance, double enough, const DVec3& towards) {
    const SupportPoint first = pair.support(towards);
    trace::report(pair.observer, [&] {
        const DVec3 unit = towards * (1.0 / std::sqrt(glm::dot(towards, towards)));
        return trace::Support{unit, first, -glm::dot(first.w, unit)};
    });
    return gjk(pair, max_distance, enough, std::span<const SupportPoint>(&first, 1));
}

GjkResult gjk(const CorePair& pair, double max_distance, double enough, std::span<const SupportPoint> known) {
    Simplex s;
    for (const SupportPoint& point : known) {
        s.put(point);
    }
    const ClosestOnSimplex first = closest_on_simplex(std::span<const DVec3>(s.w.data(), known.size()));
    s.keep(first);
    DVec3 v = first.point;
    double length2 = first.distance_squared;
    bool contains = first.contains;

    GjkResult out;
    const double touching = touching_ratio * pair.size;
    const double touching2 = touching * touching;
    const double same_point = same_point_ratio * pair.size;
    const double rounding = 1e-12 * pair.size;
    double length = 0.0;
    double lower = -std::numeric_limits<double>::infinity();
    const auto end = [&](trace::GjkStop why) {
        trace::report(pair.observer, [&] { return trace::GjkEnd{why, out.iterations}; });
    };
    for (;;) {
        trace::report(pair.observer, [&] { return s.state_of(v, lower, contains); });
        if (contains || length2 <= touching2) {
            out.outcome = GjkResult::Outcome::touching;
            end(contains ? trace::GjkStop::holds_origin : trace::GjkStop::touching);
            break;
        }
        length = std::sqrt(length2);
        if (length <= enough) {
            out.outcome = GjkResult::Outcome::touching;
            end(trace::GjkStop::touching);
            break;
        }
        if (out.iterations == max_iterations) {
            end(trace::GjkStop::out_of_rounds);
            break;
        }
        ++out.iterations;
        const DVec3 direction = v * (-1.0 / length);
        const SupportPoint next = pair.support(direction);
        // Every point x of A - B satisfies dot(x, v) >= dot(w, v): a support plane, and so a bound.
        const double bound = -glm::dot(next.w, direction);
        if (bound > lower) {
            lower = bound;
            out.normal = direction;
        }
        trace::report(pair.observer, [&] { return trace::Support{direction, next, bound}; });
        if (bound > max_distance) {
            out.outcome = GjkResult::Outcome::beyond;
            end(trace::GjkStop::beyond);
            break;
        }
        if (length - lower <= relative_gap * length + absolute_gap * pair.size) {
            end(trace::GjkStop::bounds_agree);
            break;
        }
        if (s.holds(next.w, same_point * same_point)) {
            end(trace::GjkStop::known_point);
            break;
        }
        // With four vertices the origin was inside and the search over: there is room for one more.
        s.put(next);
        const ClosestOnSimplex closest =
            closest_on_simplex(std::span<const DVec3>(s.w.data(), static_cast<std::size_t>(s.count)));
        // Without progress the answer is as good as rounding allows, and stopping here makes cycles impossible. The
        // same holds for a simplex so thin that its nearest point comes out nearer than the certain lower bound.
        const double certain = lower - rounding;
        if ((!closest.contains && !(closest.distance_squared < length2)) ||
            (certain > 0.0 && (closest.contains || closest.distance_squared < certain * certain))) {
            --s.count;
            end(trace::GjkStop::no_progress);
            break;
        }
        s.keep(closest);
        v = closest.point;
        length2 = closest.distance_squared;
        contains = closest.contains;
    }
    out.count = s.count;
    for (int i = 0; i < s.count; ++i) {
        out.simplex.put(i, {s.w[i], s.a[i]});
        out.weight[i] = s.weight[i];
    }
    out.separation = v;
    out.distance = std::sqrt(length2);
    out.lower = std::max(lower, 0.0);
    if (!(lower > 0.0) && out.distance > 0.0) {
        out.normal = v * (-1.0 / out.distance);
    }
    return out;
}

} // namespace cairn::physics
