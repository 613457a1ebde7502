#include "physics/query/epa.h"

#include "physics/query/room.h"

#include <algorithm>
#include <limits>

namespace cairn::physics {
namespace {

constexpr int max_vertices = 128;
constexpr int max_faces = 2 * max_vertices;  // a triangulated sphere has 2 V - 4 faces
constexpr double relative_tolerance = 1e-6;  // of the depth
constexpr double absolute_tolerance = 1e-10; // of the pair's size
constexpr double flat_ratio = 1e-9;          // of the pair's size: a Minkowski difference thinner than this is flat
constexpr double plane_ratio = 1e-13;        // of the pair's size: points nearer to a plane lie on it
constexpr double no_plane = std::numeric_limits<double>::infinity();

constexpr std::array<int, 3> following{1, 2, 0};
constexpr std::array<int, 3> preceding{2, 0, 1};

struct Face {
    std::array<std::uint8_t, 3> vertex;      // counter-clockwise from outside
    std::array<std::uint8_t, 3> adjacent;    // face across the edge vertex[i] -> vertex[i + 1]
    std::array<std::uint8_t, 3> edge_across; // which edge of that face it is
    bool flat;                               // no area: it keeps the surface closed but has no plane
    bool gone;                               // seen by the point that is being added, or replaced long ago
};

// A closed triangulated surface about the origin. A face has a plane { x : dot(normal, x) == offset } with the origin
// on its inner side; the offset of what has no plane or is gone is infinite, so that it is never the nearest.
class Polytope {
  public:
    void add_vertex(const SupportPoint& p) { vertices_.put(vertex_count_++, p); }
    bool full() const { return vertex_count_ == max_vertices; }
    const DVec3& w(int vertex) const { return vertices_[vertex].w; }
    const DVec3& a(int vertex) const { return vertices_[vertex].a; }

    int slots() const { return face_count_; }
    const Face& face(int f) const { return faces_[f]; }
    const DVec3& normal(int f) const { return normals_[f]; }
    double offset(int f) const { return offsets_[f]; }

    // Face on three vertices; its neighbours are told later, by join().
    void set_face(int f, int v0, int v1, int v2) {
        Face& face = faces_[f];
        face.vertex = {static_cast<std::uint8_t>(v0), static_cast<std::uint8_t>(v1), static_cast<std::uint8_t>(v2)};
        face.gone = false;
        const DVec3& p = w(v0);
        const DVec3& q = w(v1);
        const DVec3& r = w(v2);
        const DVec3 u = q - p;
        const DVec3 v = r - p;
        const DVec3 n = glm::cross(u, v);
        const double n2 = glm::dot(n, n);
        const double reach2 = std::max({glm::dot(u, u), glm::dot(v, v), glm::dot(v - u, v - u)});
        face.flat = !(n2 > 1e-24 * reach2 * reach2);
        if (face.flat) {
            normals_.put(f, DVec3(0.0));
            offsets_.put(f, no_plane);
        } else {
            const DVec3 unit = n * (1.0 / std::sqrt(n2));
            normals_.put(f, unit);
            offsets_.put(f, glm::dot(unit, p + q + r) * (1.0 / 3.0));
        }
        face_count_ = std::max(face_count_, f + 1);
    }
    void join(int f, int edge, int g, int edge_of_g) {
        faces_[f].adjacent[edge] = static_cast<std::uint8_t>(g);
        faces_[f].edge_across[edge] = static_cast<std::uint8_t>(edge_of_g);
        faces_[g].adjacent[edge_of_g] = static_cast<std::uint8_t>(f);
        faces_[g].edge_across[edge_of_g] = static_cast<std::uint8_t>(edge);
    }

    // The face with the nearest plane, -1 if there is none.
    int nearest() const {
        int best = -1;
        double least = no_plane;
        for (int f = 0; f < face_count_; ++f) {
            if (offsets_[f] < least) {
                least = offsets_[f];
                best = f;
            }
        }
        return best;
    }

    // Replaces all faces that see `point` by a fan from it. False, and nothing changed, if the room is used up or if
    // rounding left the seen region without a simple border.
    bool expand(int seed, const SupportPoint& point, double plane_eps);

  private:
    struct Edge {
        std::uint8_t face;
        std::uint8_t edge;
    };
    int find_horizon(int seed, const DVec3& point, double plane_eps);
    bool horizon_is_simple(int length) const;

    Room<SupportPoint, max_vertices> vertices_;
    Room<DVec3, max_faces> normals_;
    Room<double, max_faces> offsets_;
    Room<Face, max_faces> faces_;
    Room<std::uint8_t, max_faces> free_;
    Room<std::uint8_t, max_faces> seen_;
    Room<Edge, max_faces> horizon_; // edges of faces that stay, in order round the seen region
    int vertex_count_ = 0;
    int face_count_ = 0; // slots in use, gone or not
    int free_count_ = 0;
    int seen_count_ = 0;
};

// Walks over the faces that see the point, from neighbour to neighbour, each from the edge by which it was entered
// round to the next: so the horizon comes out in order. Returns its length, 0 if there is not room for it.
int Polytope::find_horizon(int seed, const DVec3& point, double plane_eps) {
    Room<Edge, max_faces> stack;
    int depth = 0;
    int length = 0;
    seen_count_ = 0;
    seen_.put(seen_count_++, static_cast<std::uint8_t>(seed));
    faces_[seed].gone = true;
    for (int e = 2; e >= 0; --e) {
        stack.put(depth++, {faces_[seed].adjacent[e], faces_[seed].edge_across[e]});
    }
    while (depth > 0) {
        const Edge entered = stack[--depth];
        Face& face = faces_[entered.face];
        if (face.gone) {
            continue;
        }
        // A point sees a face if it lies beyond the face's plane; how it lies to the origin does not matter. A face
        // without a plane goes with the neighbour from which it was entered.
        if (!face.flat && !(glm::dot(normals_[entered.face], point) - offsets_[entered.face] > plane_eps)) {
            horizon_.put(length++, entered);
            continue;
        }
        if (depth + 2 > max_faces) {
            return 0;
        }
        face.gone = true;
        seen_.put(seen_count_++, entered.face);
        const int first = following[entered.edge];
        const int second = preceding[entered.edge];
        stack.put(depth++, {face.adjacent[second], face.edge_across[second]});
        stack.put(depth++, {face.adjacent[first], face.edge_across[first]});
    }
    return length;
}

// One closed loop that passes no vertex twice.
bool Polytope::horizon_is_simple(int length) const {
    std::array<std::uint64_t, max_vertices / 64> passed{};
    for (int k = 0; k < length; ++k) {
        const Edge here = horizon_[k];
        const Edge next = horizon_[k + 1 < length ? k + 1 : 0];
        // From the seen side the edge runs from its second vertex to its first.
        const std::uint8_t end = faces_[here.face].vertex[here.edge];
        if (end != faces_[next.face].vertex[following[next.edge]]) {
            return false;
        }
        const std::uint64_t bit = std::uint64_t{1} << (end % 64);
        if ((passed[end / 64] & bit) != 0) {
            return false;
        }
        passed[end / 64] |= bit;
    }
    return length >= 3;
}

bool Polytope::expand(int seed, const SupportPoint& point, double plane_eps) {
    if (full()) {
        return false;
    }
    const int length = find_horizon(seed, point.w, plane_eps);
    const int room = max_faces - face_count_ + free_count_;
    if (room < length || !horizon_is_simple(length)) {
        for (int k = 0; k < seen_count_; ++k) {
            faces_[seen_[k]].gone = false;
        }
        return false;
    }
    const int apex = vertex_count_;
    add_vertex(point);
    int first = -1;
    int previous = -1;
    for (int k = 0; k < length; ++k) {
        const Edge outside = horizon_[k];
        const Face& other = faces_[outside.face];
        const int f = free_count_ > 0 ? free_[--free_count_] : face_count_;
        set_face(f, other.vertex[following[outside.edge]], other.vertex[outside.edge], apex);
        join(f, 0, outside.face, outside.edge);
        if (previous >= 0) {
            join(previous, 1, f, 2);
        } else {
            first = f;
        }
        previous = f;
    }
    join(previous, 1, first, 2);
    for (int k = 0; k < seen_count_; ++k) {
        offsets_[seen_[k]] = no_plane;
        free_.put(free_count_++, seen_[k]);
    }
    return true;
}

// Sets the points on both shapes to where the foot of the origin on face f lies, if it lies nearer to the face than
// `best`, the squared distance from the foot reached so far.
void set_points(EpaResult& out, const Polytope& p, int f, double& best) {
    const Face& face = p.face(f);
    const std::array<DVec3, 3> corners{p.w(face.vertex[0]), p.w(face.vertex[1]), p.w(face.vertex[2])};
    const ClosestOnSimplex c = closest_on_simplex(corners);
    const DVec3 away = c.point - out.normal * p.offset(f);
    const double distance2 = glm::dot(away, away);
    if (distance2 >= best) {
        return;
    }
    best = distance2;
    out.point_a = DVec3(0.0);
    DVec3 on_difference(0.0);
    for (int i = 0; i < c.count; ++i) {
        out.point_a += p.a(face.vertex[c.index[i]]) * c.weight[i];
        on_difference += corners[c.index[i]] * c.weight[i];
    }
    out.point_b = out.point_a - on_difference;
}

// A facet of the Minkowski difference is often covered by several triangles in one plane, all equally near, and the
// foot is in one of them.
void set_points_on_facet(EpaResult& out, const Polytope& p, int nearest, double slack) {
    double best = std::numeric_limits<double>::max();
    set_points(out, p, nearest, best);
    const double limit = p.offset(nearest) + slack;
    for (int f = 0; f < p.slots() && best > slack * slack; ++f) {
        if (p.offset(f) <= limit && glm::dot(p.normal(f), out.normal) > 0.999) {
            set_points(out, p, f, best);
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

DVec3 perpendicular(const DVec3& n) {
    const DVec3 a = glm::abs(n);
    const DVec3 axis = a.x <= a.y && a.x <= a.z ? DVec3(1, 0, 0) : (a.y <= a.z ? DVec3(0, 1, 0) : DVec3(0, 0, 1));
    return glm::normalize(glm::cross(n, axis));
}

// Grows GJK's simplex to a tetrahedron of affinely independent support points that still holds the origin: wherever GJK
// ended, the origin lies in the simplex that it left, so any point off its plane, line or point will do. Returns false
// and fills `answer` if no such points exist.
bool build_tetrahedron(Polytope& p, const CorePair& pair, const GjkResult& gjk, EpaResult& answer) {
    const double eps = flat_ratio * pair.size;
    std::array<SupportPoint, 4> s{gjk.simplex[0], gjk.simplex[1], gjk.simplex[2], gjk.simplex[3]};
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
        const DVec3 x = perpendicular(u);
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
    for (const SupportPoint& point : s) {
        p.add_vertex(point);
    }
    p.set_face(0, 0, 1, 2);
    p.set_face(1, 0, 3, 1);
    p.set_face(2, 1, 3, 2);
    p.set_face(3, 2, 3, 0);
    p.join(0, 0, 1, 2);
    p.join(0, 1, 2, 2);
    p.join(0, 2, 3, 2);
    p.join(1, 1, 2, 0);
    p.join(2, 1, 3, 0);
    p.join(3, 1, 1, 0);
    return true;
}

// Improves a direction that the polytope was not refined enough to find exactly. B is moved out along the normal until
// a small gap m is left; the closest points then give a normal n' along which the depth is (h + m) cos(n, n') - m <= h:
// every step descends, and stands still only where the points face each other along the normal.
void polish(EpaResult& out, const CorePair& pair) {
    constexpr int steps = 12;
    for (int k = 0; k < steps; ++k) {
        CorePair apart = pair;
        const double gap = 0.02 * out.depth + 1e-6 * pair.size;
        const DVec3 shift = out.normal * (out.depth + gap);
        apart.b_in_a.position += shift;
        const GjkResult g = gjk(apart, std::numeric_limits<double>::max(), -1.0, out.normal);
        if (g.outcome != GjkResult::Outcome::separated) {
            return;
        }
        const DVec3 normal = g.separation * (-1.0 / g.distance);
        const double reach = glm::dot(normal, pair.support(normal).w);
        if (!(reach <= out.depth * (1.0 + 1e-12))) {
            return;
        }
        const bool still = glm::length(normal - out.normal) * (out.depth + gap) <= 1e-9 * pair.size;
        out.depth = reach;
        out.normal = normal;
        out.point_a = g.point_a();
        out.point_b = g.point_b() - shift;
        if (still) {
            return;
        }
    }
}

} // namespace

EpaResult epa(const CorePair& pair, const GjkResult& touching) {
    EpaResult out;
    Polytope p;
    if (!build_tetrahedron(p, pair, touching, out)) {
        return out;
    }
    const double plane_eps = plane_ratio * pair.size;
    bool have = false;
    bool converged = false;
    for (;;) {
        const int nearest = p.nearest();
        if (nearest < 0) {
            break;
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
        const Face& face = p.face(nearest);
        if (reach - offset <= slack || next.w == p.w(face.vertex[0]) || next.w == p.w(face.vertex[1]) ||
            next.w == p.w(face.vertex[2])) {
            out.depth = reach;
            out.normal = normal;
            set_points_on_facet(out, p, nearest, slack);
            converged = true;
            break;
        }
        if (!have || reach < out.depth) {
            have = true;
            out.depth = reach;
            out.normal = normal;
            double best = std::numeric_limits<double>::max();
            set_points(out, p, nearest, best);
        }
        if (!p.expand(nearest, next, plane_eps)) {
            break;
        }
    }
    out.depth = std::max(out.depth, 0.0);
    if (!converged && out.depth > 0.0) {
        polish(out, pair);
    }
    // The triangles are chords of round surfaces: bring both points from there to the surfaces.
    out.point_a += out.normal * glm::dot(out.normal, pair.support_a(out.normal) - out.point_a);
    out.point_b += out.normal * glm::dot(out.normal, pair.support_b(-out.normal) - out.point_b);
    return out;
}

} // namespace cairn::physics
