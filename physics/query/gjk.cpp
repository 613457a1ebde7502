#include "physics/query/gjk.h"

#include <algorithm>

namespace cairn::physics {
namespace {

constexpr int max_iterations = 128;

// The search ends when the upper bound |v| and the lower bound given by the last support plane agree to this fraction.
// A relative gap g leaves an angle of about sqrt(2 g) between v and the true normal, hence far below the accuracy asked
// of the distance itself.
constexpr double relative_gap = 1e-12;
constexpr double absolute_gap = 1e-14; // of the pair's size

// Cores closer than this fraction of their size count as touching: below it the direction of v is rounding noise.
constexpr double touching_ratio = 1e-11;

// Support points nearer to each other than this fraction of the size are the same point.
constexpr double same_point_ratio = 1e-12;

struct Working {
    std::array<SupportPoint, 4> points;
    std::array<double, 4> weight{};
    int count = 0;
    DVec3 v{0.0};
    double length2 = 0.0;
    bool contains = false;

    void solve() {
        std::array<DVec3, 4> w;
        for (int i = 0; i < count; ++i) {
            w[i] = points[i].w;
        }
        const ClosestOnSimplex closest =
            closest_on_simplex(std::span<const DVec3>(w.data(), static_cast<std::size_t>(count)));
        contains = closest.contains;
        v = closest.point;
        length2 = closest.distance_squared;
        const std::array<SupportPoint, 4> old = points;
        for (int i = 0; i < closest.count; ++i) {
            points[i] = old[closest.index[i]];
            weight[i] = closest.weight[i];
        }
        count = closest.count;
    }
    // Only the live vertices are compared: a support point at the origin is a point like any other. Points of round
    // shapes repeat only up to rounding.
    bool holds(const DVec3& w, double eps) const {
        for (int i = 0; i < count; ++i) {
            const DVec3 d = points[i].w - w;
            if (glm::dot(d, d) <= eps * eps) {
                return true;
            }
        }
        return false;
    }
};

void start(Working& s, const CorePair& pair, const SimplexCache* cache) {
    if (cache != nullptr) {
        for (int i = 0; i < std::min<int>(cache->count, 4); ++i) {
            const DVec3 direction(cache->directions[i]);
            if (glm::dot(direction, direction) > 0.5) {
                const SupportPoint p = pair.support(direction);
                if (!s.holds(p.w, same_point_ratio * pair.size)) {
                    s.points[s.count++] = p;
                }
            }
        }
    }
    if (s.count == 0) {
        const DVec3& t = pair.b_in_a.position;
        s.points[s.count++] = pair.support(glm::dot(t, t) > 0.0 ? t : DVec3(1.0, 0.0, 0.0));
    }
    s.solve();
}

} // namespace

DVec3 GjkResult::point_a() const {
    DVec3 p(0.0);
    for (int i = 0; i < count; ++i) {
        p += simplex[i].a * weight[i];
    }
    return p;
}

DVec3 GjkResult::point_b() const {
    DVec3 p(0.0);
    for (int i = 0; i < count; ++i) {
        p += simplex[i].b * weight[i];
    }
    return p;
}

GjkResult gjk(const CorePair& pair, double max_distance, double enough, SimplexCache* cache) {
    Working s;
    start(s, pair, cache);

    GjkResult out;
    const double touching = touching_ratio * pair.size;
    const double touching2 = touching * touching;
    double lower = -1.0;
    for (;;) {
        if (s.contains || s.length2 <= touching2) {
            out.outcome = GjkResult::Outcome::touching;
            break;
        }
        const double length = std::sqrt(s.length2);
        if (length <= enough) {
            out.outcome = GjkResult::Outcome::touching;
            break;
        }
        if (out.iterations == max_iterations) {
            break;
        }
        ++out.iterations;
        const DVec3 direction = s.v * (-1.0 / length);
        const SupportPoint next = pair.support(direction);
        // Every point x of A - B satisfies dot(x, v) >= dot(w, v): a support plane, and so a bound.
        const double bound = -glm::dot(next.w, direction);
        lower = std::max(lower, bound);
        if (bound > max_distance) {
            out.outcome = GjkResult::Outcome::beyond;
            break;
        }
        if (length - lower <= relative_gap * length + absolute_gap * pair.size ||
            s.holds(next.w, same_point_ratio * pair.size)) {
            break;
        }
        Working grown = s;
        grown.points[grown.count++] = next;
        grown.solve();
        // Without progress the answer is as good as rounding allows, and stopping here makes cycles impossible. The
        // same holds for a simplex so thin that its nearest point comes out nearer than the certain lower bound.
        if (!grown.contains && !(grown.length2 < s.length2)) {
            break;
        }
        const double certain = lower - 1e-12 * pair.size;
        if (certain > 0.0 && (grown.contains || grown.length2 < certain * certain)) {
            break;
        }
        s = grown;
    }
    out.simplex = s.points;
    out.weight = s.weight;
    out.count = s.count;
    out.separation = s.v;
    out.distance = std::sqrt(s.length2);
    out.lower = std::max(lower, 0.0);
    if (cache != nullptr) {
        cache->count = static_cast<std::uint8_t>(s.count);
        for (int i = 0; i < s.count; ++i) {
            cache->directions[i] = Vec3(glm::normalize(s.points[i].direction));
        }
    }
    return out;
}

} // namespace cairn::physics
