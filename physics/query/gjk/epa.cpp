#include "physics/query/gjk/epa.h"

#include "physics/query/gjk/observer.h"
#include "physics/query/gjk/polytope.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <new>

namespace cairn::physics {
namespace {

// A polytope and its difference need a few dozen vertices. Where round shapes are as deep all round a circle of
// directions, the circle must be cut into chords until they prove its depth; that takes the larger number, and a
// looser proof: a circle of n chords falls short by (pi / n)^2 / 2 of its radius.
constexpr int usual_vertices = 128;
constexpr int most_vertices = 1024;
constexpr double usual_tolerance = 1e-6; // of the depth
constexpr double loose_tolerance = 4e-5;

// Centres nearer than this fraction of a typical radius: cores so deep in each other need no GJK to find that out.
constexpr double deep_ratio = 1.0;

constexpr double absolute_tolerance = 1e-10; // of the pair's size
constexpr double flat_ratio = 1e-9;          // of the pair's size: a Minkowski difference thinner than this is flat
constexpr double plane_ratio = 1e-13;        // of the pair's size: points nearer to a plane lie on it

// Of the core: a point and a segment are polytopes, too.
bool has_polytope_core(const Shape& shape) {
    return shape.kind != ShapeKind::cylinder && shape.kind != ShapeKind::cone;
}

// Sets the points on both shapes to where the foot of the origin on a face lies, or the point of the face nearest to
// it. Returns the squared distance between the two.
template <typename Polytope>
double set_points(EpaResult& out, const Polytope& p, const typename Polytope::Corners& vertex, double offset) {
    const std::array<DVec3, 3> corners{p.w(vertex[0]), p.w(vertex[1]), p.w(vertex[2])};
    const ClosestOnSimplex c = closest_on_simplex(corners);
    out.point_a = DVec3(0.0);
    DVec3 on_difference(0.0);
    for (int i = 0; i < c.count; ++i) {
        out.point_a += p.a(vertex[c.index[i]]) * c.weight[i];
        on_difference += corners[c.index[i]] * c.weight[i];
    }
    out.point_b = out.point_a - on_difference;
    const DVec3 away = c.point - out.normal * offset;
    return glm::dot(away, away);
}

// A facet of the Minkowski difference is often covered by several triangles in one plane, all equally near, and the
// foot is in one of them.
template <typename Polytope>
void set_points_on_facet(EpaResult& out, const Polytope& p, int nearest, double slack) {
    double best = set_points(out, p, p.corners(nearest), p.offset(nearest));
    const double limit = p.offset(nearest) + slack;
    for (int f = 0; f < p.face_slots() && best > slack * slack; ++f) {
        if (f != nearest && p.offset(f) <= limit && glm::dot(p.normal(f), out.normal) > 0.999) {
            EpaResult other = out;
            const double distance2 = set_points(other, p, p.corners(f), p.offset(f));
            if (distance2 < best) {
                best = distance2;
                out = other;
            }
        }
    }
}

// The Minkowski difference has no volume: its normal is the answer, both of its sides being equally near.
EpaResult flat_answer(const CorePair& pair, const GjkResult& gjk, DVec3 normal) {
    // Either sign is right. The one that points at B's centre is what a shape that came from there needs.
    const double towards = glm::dot(normal, pair.b_in_a.position);
    if (towards < 0.0) {
        normal = -normal;
    }
    EpaResult out;
    out.normal = normal;
    out.depth = std::max(glm::dot(pair.support(normal).w, normal), 0.0);
    out.lower = 0.0;
    out.point_a = gjk.point_a();
    out.point_b = gjk.point_b();
    return out;
}

// Grows GJK's simplex to a tetrahedron of affinely independent support points that still holds the origin: wherever GJK
// ended, the origin lies in the simplex that it left, so any point off its plane, line or point will do. Returns false
// and fills `answer` if no such points exist.
bool build_tetrahedron(const CorePair& pair, const GjkResult& gjk, std::array<SupportPoint, 4>& s, EpaResult& answer) {
    const double eps = flat_ratio * pair.size;
    s = {gjk.simplex[0], gjk.simplex[1], gjk.simplex[2], gjk.simplex[3]};
    int count = gjk.count;
    if (count == 4) {
        const DVec3 n = glm::cross(s[1].w - s[0].w, s[2].w - s[0].w);
        const double volume = glm::dot(n, s[3].w - s[0].w);
        if (!(std::abs(volume) > eps * std::sqrt(glm::dot(n, n)))) {
            // A sliver: keep the triangle through which the origin is nearest.
            std::array<int, 3> keep{0, 1, 2};
            double best = -1.0;
            for (int skip = 0; skip < 4; ++skip) {
                std::array<DVec3, 3> w;
                std::array<int, 3> index{};
                for (int i = 0, k = 0; i < 4; ++i) {
                    if (i != skip) {
                        index[k] = i;
                        w[k++] = s[i].w;
                    }
                }
                const double d2 = closest_on_simplex(w).distance_squared;
                if (best < 0.0 || d2 < best) {
                    best = d2;
                    keep = index;
                }
            }
            s = {s[keep[0]], s[keep[1]], s[keep[2]], SupportPoint{}};
            count = 3;
        }
    }
    if (count == 3) {
        const DVec3 u = s[1].w - s[0].w;
        const DVec3 v = s[2].w - s[0].w;
        const DVec3 n = glm::cross(u, v);
        const double longest2 = std::max({glm::dot(u, u), glm::dot(v, v), glm::dot(u - v, u - v)});
        if (!(glm::dot(n, n) > eps * eps * longest2)) {
            // Collinear: keep the longest edge, it covers the others.
            if (glm::dot(v, v) >= longest2) {
                s[1] = s[2];
            } else if (glm::dot(u - v, u - v) >= longest2) {
                s[0] = s[2];
            }
            count = 2;
        }
    }
    if (count == 2 && !(glm::length(s[1].w - s[0].w) > eps)) {
        count = 1;
    }
    if (count == 1) {
        double best = eps;
        for (int k = 0; k < 6; ++k) {
            DVec3 d(0.0);
            d[k / 2] = k % 2 == 0 ? 1.0 : -1.0;
            const SupportPoint q = pair.support(d);
            const double reach = glm::length(q.w - s[0].w);
            if (reach > best) {
                best = reach;
                s[1] = q;
                count = 2;
            }
        }
        if (count == 1) { // a point on a point
            const DVec3& t = pair.b_in_a.position;
            answer = flat_answer(pair, gjk, glm::dot(t, t) > eps * eps ? glm::normalize(t) : DVec3(0.0, 0.0, 1.0));
            return false;
        }
    }
    if (count == 2) {
        const DVec3 u = glm::normalize(s[1].w - s[0].w);
        const DVec3 x = any_perpendicular(u);
        const DVec3 y = glm::cross(u, x);
        const std::array<DVec3, 4> directions{x, y, -x, -y};
        double best = eps;
        for (const DVec3& d : directions) {
            const SupportPoint q = pair.support(d);
            const DVec3 off = q.w - s[0].w;
            const double reach = glm::length(off - u * glm::dot(off, u));
            if (reach > best) {
                best = reach;
                s[2] = q;
                count = 3;
            }
        }
        if (count == 2) { // a segment along a segment, or a point on one
            const DVec3& t = pair.b_in_a.position;
            const DVec3 across = t - u * glm::dot(t, u);
            answer = flat_answer(pair, gjk, glm::length(across) > eps ? glm::normalize(across) : x);
            return false;
        }
    }
    if (count == 3) {
        const DVec3 n = glm::normalize(glm::cross(s[1].w - s[0].w, s[2].w - s[0].w));
        const SupportPoint up = pair.support(n);
        const SupportPoint down = pair.support(-n);
        const double above = glm::dot(up.w - s[0].w, n);
        const double below = -glm::dot(down.w - s[0].w, n);
        if (!(std::max(above, below) > eps)) {
            answer = flat_answer(pair, gjk, n);
            return false;
        }
        s[3] = above >= below ? up : down;
    }
    const double volume = glm::dot(glm::cross(s[1].w - s[0].w, s[2].w - s[0].w), s[3].w - s[0].w);
    if (volume > 0.0) {
        std::swap(s[1], s[2]); // so that (0, 1, 2) is counter-clockwise seen from outside, away from 3
    }
    return true;
}

// Slides on along the great circle from one unit direction through another, in steps that double, as long as the depth
// falls. Beside a round surface much larger than the other shape a single step of polish() is far too short.
DVec3 slide(const CorePair& pair, const DVec3& from, const DVec3& through, double& depth) {
    DVec3 best = through;
    for (double factor = 2.0; factor < 1e6; factor *= 2.0) {
        const DVec3 next = from + (through - from) * factor;
        const DVec3 unit = next * (1.0 / std::sqrt(glm::dot(next, next)));
        const double reach = glm::dot(unit, pair.support(unit).w);
        if (!(reach < depth)) {
            break;
        }
        depth = reach;
        best = unit;
    }
    return best;
}

// Improves a direction that the polytope was not refined enough to find exactly. B is moved out along the normal until
// a small gap m is left; the closest points then give a normal n' along which the depth is (h + m) cos(n, n') - m <= h:
// every step descends, and stands still only where the points face each other along the normal. A small gap takes the
// longer steps, but where the shapes are as good as flush only a larger one has a direction at all.
void polish(EpaResult& out, const CorePair& pair) {
    constexpr int steps = 128;
    double gap = 0.02 * out.depth + 1e-6 * pair.size;
    for (int k = 0; k < steps; ++k) {
        CorePair apart = pair;
        apart.observer = nullptr;
        const DVec3 shift = out.normal * (out.depth + gap);
        apart.b_in_a.position += shift;
        const GjkResult g = gjk(apart, std::numeric_limits<double>::max(), -1.0, out.normal);
        if (g.outcome != GjkResult::Outcome::separated) {
            return;
        }
        double reach = glm::dot(g.normal, pair.support(g.normal).w);
        if (!(reach <= out.depth * (1.0 + 1e-9))) {
            if (!(gap > 1e-6 * pair.size)) {
                return;
            }
            gap = std::max(0.25 * gap, 1e-6 * pair.size);
            continue;
        }
        out.point_a = g.point_a();
        out.point_b = g.point_b() - shift;
        trace::report(pair.observer, [&] { return trace::EpaPolish{out.depth, reach, g.normal}; });
        if (glm::length(g.normal - out.normal) * (out.depth + gap) <= 1e-9 * pair.size) {
            out.depth = reach;
            out.normal = g.normal;
            return;
        }
        out.normal = slide(pair, out.normal, g.normal, reach);
        out.depth = reach;
        gap = std::max(0.25 * gap, 1e-6 * pair.size);
    }
}

// What p.expand() has just done.
template <typename Polytope>
trace::EpaExpand expansion_of(const Polytope& p) {
    trace::EpaExpand out;
    out.vertex = p.vertex_count() - 1;
    for (int k = 0; k < p.removed_count(); ++k) {
        const auto& corner = p.removed(k);
        out.removed.push_back({corner[0], corner[1], corner[2]});
    }
    for (int k = 0; k < p.border_length(); ++k) {
        out.border.push_back(p.border_vertex(k));
    }
    return out;
}

// Expands the polytope until its nearest face proves the depth to `relative_tolerance` of it. False if the room was
// used up or rounding allowed no more; `out` then has the best direction met.
template <int MaxVertices>
bool expand_to_surface(EpaResult& out, Polytope<MaxVertices>& p, const CorePair& pair,
                       const std::array<SupportPoint, 4>& start, double relative_tolerance) {
    for (const SupportPoint& point : start) {
        p.add_vertex(point);
    }
    p.close_tetrahedron();
    const double plane_eps = plane_ratio * pair.size;
    typename Polytope<MaxVertices>::Corners best_face{}; // that `out` was found with
    double best_offset = 0.0;
    bool have = false;
    const auto end = [&](trace::EpaStop why) {
        trace::report(pair.observer, [&] { return trace::EpaEnd{why, out.depth, out.lower, out.normal}; });
    };
    const auto give_up = [&] {
        if (have) {
            set_points(out, p, best_face, best_offset);
        }
        end(trace::EpaStop::no_room);
        return false;
    };
    for (;;) {
        const int nearest = p.nearest();
        if (nearest < 0) {
            return give_up();
        }
        const DVec3 normal = p.normal(nearest);
        const double offset = p.offset(nearest);
        ++out.iterations;
        const SupportPoint next = pair.support(normal);
        const double reach = glm::dot(next.w, normal);
        // The face bounds the depth from below, the support plane parallel to it from above. Every support plane is an
        // upper bound, so whatever ends the loop, the least one met is a direction and length that do separate.
        out.lower = std::max(offset, 0.0);
        const double slack = relative_tolerance * reach + absolute_tolerance * pair.size;
        // A support point that is a corner of the face says that the face is on the boundary as exactly as the support
        // mapping can tell.
        const auto& corner = p.corners(nearest);
        trace::report(pair.observer, [&] {
            return trace::EpaNearest{{corner[0], corner[1], corner[2]},        normal, offset, next, reach,
                                     have ? std::min(reach, out.depth) : reach};
        });
        if (reach - offset <= slack || next.w == p.w(corner[0]) || next.w == p.w(corner[1]) ||
            next.w == p.w(corner[2])) {
            out.depth = reach;
            out.normal = normal;
            set_points_on_facet(out, p, nearest, slack);
            end(reach - offset <= slack ? trace::EpaStop::proven : trace::EpaStop::on_boundary);
            return true;
        }
        if (!have || reach < out.depth) {
            have = true;
            out.depth = reach;
            out.normal = normal;
            best_face = corner;
            best_offset = offset;
        }
        // The least depth met so far may have been proven long before this face was looked at.
        if (out.depth - out.lower <= slack && relative_tolerance == loose_tolerance) {
            set_points(out, p, best_face, best_offset);
            end(trace::EpaStop::proven_before);
            return true;
        }
        if (!p.expand(nearest, next, plane_eps)) {
            return give_up();
        }
        trace::report(pair.observer, [&] { return expansion_of(p); });
    }
}

// Seldom needed, and as large as the whole stack of many a thread: each thread that needs it keeps one.
Polytope<most_vertices>& large_polytope() {
    thread_local const auto kept = std::make_unique<Polytope<most_vertices>>();
    return *new (kept.get()) Polytope<most_vertices>; // empty again
}

// Four support points: one against `axis` and three round it, at an angle with the cosine `along`. False if the origin
// does not lie inside with some room.
bool tetrahedron_round(const CorePair& pair, const DVec3& axis, double along, std::array<SupportPoint, 4>& s) {
    constexpr double half_root_3 = 0.86602540378443865;
    const double across = std::sqrt(1.0 - along * along);
    const DVec3 x = any_perpendicular(axis);
    const DVec3 y = glm::cross(axis, x);
    s[0] = pair.support(axis * along + x * across);
    s[1] = pair.support(axis * along - x * (0.5 * across) + y * (half_root_3 * across));
    s[2] = pair.support(axis * along - x * (0.5 * across) - y * (half_root_3 * across));
    s[3] = pair.support(-axis);
    const double room = 1e-3 * pair.size;
    constexpr std::array<std::array<int, 4>, 4> faces{{{0, 1, 2, 3}, {0, 3, 1, 2}, {1, 3, 2, 0}, {2, 3, 0, 1}}};
    for (const auto& [i, j, k, opposite] : faces) {
        const DVec3 n = glm::cross(s[j].w - s[i].w, s[k].w - s[i].w);
        const double height = glm::dot(n, s[i].w);
        // The origin and the fourth point on the same side, the origin not too near to the face.
        if (!(height > 0.0 && height * height > room * room * glm::dot(n, n) && glm::dot(n, s[opposite].w) < height)) {
            return false;
        }
    }
    return true;
}

} // namespace

EpaResult epa_from(const CorePair& pair, const std::array<SupportPoint, 4>& start) {
    EpaResult out;
    Polytope<usual_vertices> usual;
    if (!expand_to_surface(out, usual, pair, start, usual_tolerance)) {
        if (out.depth - out.lower > loose_tolerance * out.depth + absolute_tolerance * pair.size) {
            trace::report(pair.observer, [&] { return trace::EpaStart{trace::TetrahedronFrom::again, 4, start}; });
            expand_to_surface(out, large_polytope(), pair, start, loose_tolerance);
        }
        if (out.depth > 0.0) {
            polish(out, pair);
        }
    }
    out.depth = std::max(out.depth, 0.0);
    if (has_polytope_core(*pair.a.shape) && has_polytope_core(*pair.b.shape)) {
        return out;
    }
    // The triangles are chords of round surfaces: bring both points from there to the surfaces.
    out.point_a += out.normal * glm::dot(out.normal, pair.support_a(out.normal) - out.point_a);
    out.point_b += out.normal * glm::dot(out.normal, pair.support_b(-out.normal) - out.point_b);
    return out;
}

EpaResult epa(const CorePair& pair, const GjkResult& touching) {
    EpaResult flat;
    std::array<SupportPoint, 4> start;
    if (!build_tetrahedron(pair, touching, start, flat)) {
        trace::report(pair.observer, [&] {
            return trace::EpaEnd{trace::EpaStop::flat, flat.depth, flat.lower, flat.normal};
        });
        return flat;
    }
    trace::report(pair.observer, [&] {
        return trace::EpaStart{trace::TetrahedronFrom::simplex, touching.count, start};
    });
    return epa_from(pair, start);
}

DeepGuess guess_tetrahedron(const CorePair& pair, std::array<SupportPoint, 4>& points) {
    const DVec3& t = pair.b_in_a.position;
    const double length = std::sqrt(glm::dot(t, t));
    // Were the cores balls, their difference would be one about -t, and points at an angle with the cosine c would lie
    // its radius times c before that centre: beyond the origin if c > |t| / radius.
    const double radius = 0.5 * (pair.a.inner + pair.b.inner + pair.size);
    if (!(length <= deep_ratio * radius)) {
        return DeepGuess::none;
    }
    const DVec3 axis = length > 0.0 ? t * (1.0 / length) : DVec3(1.0, 0.0, 0.0);
    return tetrahedron_round(pair, axis, std::min(0.5 * (1.0 + length / radius), 0.95), points) ? DeepGuess::inside
                                                                                                : DeepGuess::outside;
}

} // namespace cairn::physics
