#include "app/algorithms/region_gjk.h"

#include "physics/query/distance/pair_distance.h"
#include "physics/query/gjk/observer.h"

#include <algorithm>
#include <array>

namespace cairn::algorithms {

using namespace physics;

namespace {

constexpr int max_region_iterations = 128;

// Below these fractions of what its edges could span a triangle's area or a tetrahedron's volume is rounding, and its
// sides mean nothing.
constexpr double region_flat_area = 1e-12;
constexpr double region_flat_volume = 1e-13;

// Bounds closer than this fraction of the pair's size are one number: the distance.
constexpr double resolution = 1e-12;
// On round shapes a support point may bring the simplex nearer by less than rounding before the next ones bring it
// nearer by half. So many times that is allowed.
constexpr int most_side_steps = 16;

// An answer that is still open when the search can get no further is a failure beyond this fraction of the size, the
// accuracy that queries promise, and within it the shapes are as good as touching.
constexpr double failed_ratio = 1e-5;

// The newest vertex is the first one.
struct RegionSimplex {
    std::array<DVec3, 4> vertex;
    int count = 0;
    DVec3 nearest{0.0}; // point of the simplex nearest to the origin
    bool holds_origin = false;

    double distance_squared() const { return glm::dot(nearest, nearest); }
    bool has(const DVec3& w) const {
        return std::find(vertex.begin(), vertex.begin() + count, w) != vertex.begin() + count;
    }
};

RegionSimplex point(const DVec3& a) {
    RegionSimplex s;
    s.vertex[0] = a;
    s.count = 1;
    s.nearest = a;
    return s;
}

// The region beyond b need not be asked about: the search came from b, and a lies farther on towards the origin.
RegionSimplex line(const DVec3& a, const DVec3& b) {
    const DVec3 ab = b - a;
    const double along = -glm::dot(a, ab);
    const double length2 = glm::dot(ab, ab);
    if (!(along > 0.0) || !(length2 > 0.0)) {
        return point(a);
    }
    if (along >= length2) {
        return point(b); // by rounding only
    }
    RegionSimplex s;
    s.vertex[0] = a;
    s.vertex[1] = b;
    s.count = 2;
    // Perpendicular to the line by a triple product, as the direction to the origin is sought; from the nearer end,
    // where less cancels.
    const DVec3& end = along + along < length2 ? a : b;
    s.nearest = glm::cross(glm::cross(ab, end), ab) * (1.0 / length2);
    return s;
}

const RegionSimplex& nearer(const RegionSimplex& p, const RegionSimplex& q) {
    return q.distance_squared() < p.distance_squared() ? q : p;
}

// The origin lies in the region of a, of the edges a b or a c, or above or below the triangle.
RegionSimplex triangle(const DVec3& a, const DVec3& b, const DVec3& c) {
    const DVec3 ab = b - a;
    const DVec3 ac = c - a;
    const DVec3 n = glm::cross(ab, ac);
    const double n2 = glm::dot(n, n);
    if (!(n2 > region_flat_area * region_flat_area * glm::dot(ab, ab) * glm::dot(ac, ac))) {
        return nearer(nearer(line(a, b), line(a, c)), line(b, c));
    }
    const bool beyond_ac = glm::dot(glm::cross(n, ac), a) < 0.0;
    const bool beyond_ab = glm::dot(glm::cross(ab, n), a) < 0.0;
    if (beyond_ac && beyond_ab) {
        return nearer(line(a, b), line(a, c));
    }
    if (beyond_ac) {
        return line(a, c);
    }
    if (beyond_ab) {
        return line(a, b);
    }
    if (glm::dot(glm::cross(n, c - b), b) > 0.0) {
        return line(b, c); // by rounding only: the search came from there
    }
    RegionSimplex s;
    s.vertex[0] = a;
    s.vertex[1] = b;
    s.vertex[2] = c;
    s.count = 3;
    s.nearest = n * (glm::dot(n, a + b + c) / (3.0 * n2));
    return s;
}

// Does the origin lie strictly on the other side of the plane of p, q, r than `inside`?
bool beyond(const DVec3& p, const DVec3& q, const DVec3& r, const DVec3& inside) {
    const DVec3 n = glm::cross(q - p, r - p);
    const double side_of_origin = -glm::dot(n, p);
    const double side_of_inside = glm::dot(n, inside - p);
    return side_of_inside > 0.0 ? side_of_origin < 0.0 : side_of_origin > 0.0;
}

// The origin lies inside, or beyond one or more of the three faces that meet in a. Beyond several of them, it belongs
// to whichever of their regions is nearest.
RegionSimplex tetrahedron(const DVec3& a, const DVec3& b, const DVec3& c, const DVec3& d) {
    const DVec3 ab = b - a;
    const DVec3 ac = c - a;
    const DVec3 ad = d - a;
    const double volume = glm::dot(ab, glm::cross(ac, ad));
    const double reach2 = glm::dot(ab, ab) * glm::dot(ac, ac) * glm::dot(ad, ad);
    const bool flat = !(volume * volume > region_flat_volume * region_flat_volume * reach2);
    RegionSimplex best;
    const auto ask = [&best, flat](const DVec3& p, const DVec3& q, const DVec3& r, const DVec3& inside) {
        if (flat || beyond(p, q, r, inside)) {
            const RegionSimplex s = triangle(p, q, r);
            if (best.count == 0 || s.distance_squared() < best.distance_squared()) {
                best = s;
            }
        }
    };
    ask(a, b, c, d);
    ask(a, c, d, b);
    ask(a, d, b, c);
    // The search came from the face opposite to a, so that the origin is beyond it by rounding only.
    ask(b, c, d, a);
    if (best.count == 0) {
        best.vertex = {a, b, c, d};
        best.count = 4;
        best.holds_origin = true;
    }
    return best;
}

RegionSimplex with(const RegionSimplex& s, const DVec3& w) {
    switch (s.count) {
    case 1:
        return line(w, s.vertex[0]);
    case 2:
        return triangle(w, s.vertex[0], s.vertex[1]);
    default:
        return tetrahedron(w, s.vertex[0], s.vertex[1], s.vertex[2]);
    }
}

trace::Simplex state_of(const RegionSimplex& s, double lower) {
    trace::Simplex out;
    for (int i = 0; i < s.count; ++i) {
        out.vertex[i] = {s.vertex[i], DVec3(0.0)};
    }
    out.count = s.count;
    out.nearest = s.nearest;
    out.distance = std::sqrt(s.distance_squared());
    out.lower = lower;
    out.holds_origin = s.holds_origin;
    return out;
}

} // namespace

RegionGjkResult region_gjk(const Shape& shape_a, const Transform& pose_a, const Shape& shape_b, const Transform& pose_b,
                           QueryObserver* observer) {
    const CorePair pair = core_pair(shape_a, shape_b, relative_frame(frame_of(pose_a), frame_of(pose_b)));
    // Spheres and capsules are cores grown by a radius, and touching shapes overlap: the Minkowski difference of the
    // cores need only come this near to the origin.
    const double reach = pair.radius + touching_tolerance(shape_a, shape_b);
    const double size = pair.size + pair.radius;

    RegionGjkResult out;
    const DVec3& t = pair.b_in_a.position;
    // Coincident centres give no direction; any will do.
    const DVec3 start = glm::dot(t, t) > 0.0 ? t : DVec3(1.0, 0.0, 0.0);
    const SupportPoint first = pair.support(start);
    trace::report(observer, [&] {
        const DVec3 unit = start * (1.0 / std::sqrt(glm::dot(start, start)));
        return trace::Support{unit, first, -glm::dot(first.w, unit)};
    });
    RegionSimplex simplex = point(first.w);
    double lower = 0.0; // certain bound of the distance of the cores
    int side_steps = 0;
    const auto end = [&](trace::GjkStop why) {
        trace::report(observer, [&] { return trace::GjkEnd{why, out.iterations}; });
    };
    for (;;) {
        const double distance = std::sqrt(simplex.distance_squared());
        trace::report(observer, [&] { return state_of(simplex, lower); });
        if (simplex.holds_origin || distance <= reach) {
            out.status = QueryStatus::overlapping;
            end(simplex.holds_origin ? trace::GjkStop::holds_origin : trace::GjkStop::touching);
            return out;
        }
        bool stuck = out.iterations == max_region_iterations;
        auto why = trace::GjkStop::out_of_rounds;
        if (!stuck) {
            ++out.iterations;
            const DVec3 direction = simplex.nearest * (-1.0 / distance);
            const SupportPoint found = pair.support(direction);
            const DVec3& w = found.w;
            const double passed = glm::dot(w, direction);
            lower = std::max(lower, -passed);
            trace::report(observer, [&] { return trace::Support{direction, found, -passed}; });
            if (lower > reach) {
                end(trace::GjkStop::beyond);
                out.status = QueryStatus::separated; // w does not pass the origin, nor come within reach of it
                return out;
            }
            // No farther along the direction than the simplex is already, or no nearer to the origin by it: the end.
            stuck = distance - lower <= resolution * size;
            why = trace::GjkStop::bounds_agree;
            if (!stuck) {
                const RegionSimplex next = with(simplex, w);
                const double next_distance = std::sqrt(next.distance_squared());
                if (!next.holds_origin && !(next_distance < distance)) {
                    why = simplex.has(w) ? trace::GjkStop::known_point : trace::GjkStop::no_progress;
                    stuck =
                        simplex.has(w) || next_distance > distance + resolution * size || side_steps == most_side_steps;
                    ++side_steps;
                }
                if (!stuck) {
                    simplex = next;
                }
            }
        }
        if (stuck) {
            end(why);
            // lower <= reach < distance, the two bounds being as close as rounding allows.
            if (distance - lower <= failed_ratio * size) {
                out.status = 0.5 * (distance + lower) <= reach ? QueryStatus::overlapping : QueryStatus::separated;
            }
            return out;
        }
    }
}

} // namespace cairn::algorithms
