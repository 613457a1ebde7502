#include "physics/query/distance/pair_distance.h"

#include "physics/query/distance/box_axes.h"
#include "physics/query/distance/fast_pairs.h"
#include "physics/query/gjk/observer.h"

#include <limits>

namespace cairn::physics {
namespace {

// Beyond these the best answer found is reported as failed. They are the accuracy that the query promises.
constexpr double failed_distance_ratio = 1e-5; // of the pair's size
constexpr double failed_depth_ratio = 1e-4;    // of the depth

// Where GJK stops so near without a proof that the shapes are apart, they may as well overlap.
constexpr double unproven_ratio = 1e-6; // of the pair's size

} // namespace

double touching_tolerance(const Shape& a, const Shape& b) {
    return 1e-6 * (double(a.bounding_radius) + double(b.bounding_radius));
}

namespace {

// Both tell whether the answer is as exact as the query promises.

bool take(PairDistance& out, const CorePair& pair, const GjkResult& g) {
    out.distance = g.distance;
    out.normal = g.normal;
    out.point_a = g.point_a();
    out.point_b = g.point_b();
    // Two points have no size of their own, and their distance is exact but for rounding.
    return g.distance - g.lower <= failed_distance_ratio * pair.size + 1e-12 * pair.radius;
}

bool take(PairDistance& out, const CorePair& pair, const EpaResult& e) {
    out.epa_iterations = e.iterations;
    out.distance = -e.depth;
    out.normal = e.normal;
    out.point_a = e.point_a;
    out.point_b = e.point_b;
    // A depth within the accuracy of a distance needs no proof: that it is one is proof enough.
    return e.depth <= failed_distance_ratio * pair.size ||
           e.depth - e.lower <= failed_depth_ratio * e.depth + 0.1 * failed_distance_ratio * pair.size;
}

PairDistance farther_apart(double at_least, const DVec3& normal) {
    PairDistance out;
    out.beyond = true;
    out.status = QueryStatus::separated;
    out.distance = at_least;
    out.normal = normal;
    return out;
}

// GJK has answered: EPA where the cores overlap or may do so, and then the radii.
bool take_gjk(PairDistance& out, const CorePair& pair, const GjkResult& g) {
    out.gjk_iterations = g.iterations;
    const bool unproven = !(g.lower > 0.0) && g.distance <= unproven_ratio * pair.size;
    const bool apart = g.outcome == GjkResult::Outcome::separated && !unproven;
    return apart ? take(out, pair, g) : take(out, pair, epa(pair, g));
}

void finish(PairDistance& out, const CorePair& pair, bool converged) {
    out.distance -= pair.radius;
    out.point_a += out.normal * pair.a.radius;
    out.point_b -= out.normal * pair.b.radius;
    const double touching = touching_tolerance(*pair.a.shape, *pair.b.shape);
    if (!converged) {
        out.status = QueryStatus::failed;
    } else if (out.distance > touching) {
        out.status = QueryStatus::separated;
    } else {
        out.status = out.distance < -touching ? QueryStatus::overlapping : QueryStatus::touching;
    }
    trace::report(pair.observer, [&] {
        return trace::Answer{out.status, out.distance, out.normal, out.point_a, out.point_b};
    });
}

} // namespace

PairDistance general_pair_distance(const CorePair& pair) {
    PairDistance out;
    const double enough = -1.0; // refine to the end
    const GjkResult g = gjk(pair, std::numeric_limits<double>::max(), enough, between_centres(pair));
    finish(out, pair, take_gjk(out, pair, g));
    return out;
}

PairDistance pair_distance(const CorePair& pair, double max_distance, const DVec3& towards) {
    PairDistance out;
    bool converged = true;
    DVec3 start = towards;
    bool found = false;
    if (pair.a.shape->kind == ShapeKind::box && pair.b.shape->kind == ShapeKind::box) {
        const BoxAxes axes =
            box_axes(DVec3(pair.a.shape->half_extents), DVec3(pair.b.shape->half_extents), pair.b_in_a, max_distance);
        const BoxAxes::Axis& best = axes.best();
        if (best.separation > max_distance) {
            trace::report(pair.observer, [] { return trace::ClosedForm{trace::Shortcut::far_boxes}; });
            return farther_apart(best.separation, best.normal);
        }
        found = box_pair_distance(pair, axes, out);
        start = best.normal;
    } else {
        found = fast_pair_distance(pair, out);
    }
    if (found) {
        trace::report(pair.observer, [&] {
            return trace::ClosedForm{pair.a.shape->kind == ShapeKind::box && pair.b.shape->kind == ShapeKind::box
                                         ? trace::Shortcut::boxes
                                         : trace::Shortcut::closed_form};
        });
    } else {
        std::array<SupportPoint, 4> points;
        const DeepGuess guess = guess_tetrahedron(pair, points);
        if (guess == DeepGuess::inside) {
            trace::report(pair.observer, [&] { return trace::EpaStart{trace::TetrahedronFrom::guess, 0, points}; });
            converged = take(out, pair, epa_from(pair, points));
        } else {
            const double enough = -1.0; // refine to the end
            const GjkResult g = guess == DeepGuess::none ? gjk(pair, max_distance + pair.radius, enough, start)
                                                         : gjk(pair, max_distance + pair.radius, enough, points);
            if (g.outcome == GjkResult::Outcome::beyond) {
                PairDistance beyond = farther_apart(g.lower - pair.radius, g.normal);
                beyond.gjk_iterations = g.iterations;
                return beyond;
            }
            converged = take_gjk(out, pair, g);
        }
    }
    finish(out, pair, converged);
    return out;
}

} // namespace cairn::physics
