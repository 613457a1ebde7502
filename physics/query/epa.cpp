#include "physics/query/epa.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <new>

namespace cairn::physics {
namespace {

constexpr int max_vertices = 128;
constexpr int max_faces = 2 * max_vertices;  // a triangulated sphere has 2 V - 4 faces
constexpr double relative_tolerance = 1e-6;  // of the depth
constexpr double absolute_tolerance = 1e-10; // of the pair's size
constexpr double flat_ratio = 1e-9;          // of the pair's size: a Minkowski difference thinner than this is flat
constexpr double plane_ratio = 1e-13;        // of the pair's size: points nearer to a plane lie on it

struct Face {
    std::array<int, 3> vertex{};   // counter-clockwise from outside
    std::array<int, 3> adjacent{}; // face across the edge vertex[i] -> vertex[i + 1]
    DVec3 normal{0.0};             // unit, outwards
    double offset = 0.0;           // signed distance of the plane from the origin
    bool alive = false;
    bool flat = false; // no area: it keeps the surface closed but has no plane and is never expanded
    bool visible = false;
};

// Room that is written before it is read: clearing it would cost more than a shallow query does.
template <typename T, std::size_t N>
class Room {
  public:
    T& operator[](int i) { return reinterpret_cast<T*>(bytes_)[i]; }
    const T& operator[](int i) const { return reinterpret_cast<const T*>(bytes_)[i]; }
    void put(int i, const T& value) { new (reinterpret_cast<T*>(bytes_) + i) T(value); }

  private:
    alignas(T) std::byte bytes_[N * sizeof(T)];
};

struct Polytope {
    Room<SupportPoint, max_vertices> vertices;
    int vertex_count = 0;
    Room<Face, max_faces> faces;
    int face_count = 0; // slots in use, alive or not
    std::array<int, max_faces> free_slots;
    int free_count = 0;

    const DVec3& w(int i) const { return vertices[i].w; }

    int new_slot() {
        if (free_count > 0) {
            return free_slots[--free_count];
        }
        return face_count < max_faces ? face_count++ : -1;
    }

    void set_plane(Face& f) const {
        const DVec3& a = w(f.vertex[0]);
        const DVec3& b = w(f.vertex[1]);
        const DVec3& c = w(f.vertex[2]);
        const DVec3 n = glm::cross(b - a, c - a);
        const double n2 = glm::dot(n, n);
        const double reach2 = std::max({glm::dot(b - a, b - a), glm::dot(c - a, c - a), glm::dot(c - b, c - b)});
        f.flat = !(n2 > 1e-24 * reach2 * reach2);
        if (!f.flat) {
            f.normal = n * (1.0 / std::sqrt(n2));
            f.offset = glm::dot(f.normal, a + b + c) / 3.0;
        }
    }
};

// Sets the points on both shapes to where the foot of the origin on face f lies, if it lies nearer to the face than
// `best`, the squared distance from the foot reached so far.
void set_points(EpaResult& out, const Polytope& p, const Face& f, double& best) {
    const std::array<DVec3, 3> corners{p.w(f.vertex[0]), p.w(f.vertex[1]), p.w(f.vertex[2])};
    const ClosestOnSimplex c = closest_on_simplex(corners);
    const DVec3 away = c.point - out.normal * f.offset;
    const double distance2 = glm::dot(away, away);
    if (distance2 >= best) {
        return;
    }
    best = distance2;
    out.point_a = DVec3(0.0);
    out.point_b = DVec3(0.0);
    for (int i = 0; i < c.count; ++i) {
        out.point_a += p.vertices[f.vertex[c.index[i]]].a * c.weight[i];
        out.point_b += p.vertices[f.vertex[c.index[i]]].b * c.weight[i];
    }
}

// A facet of the Minkowski difference is often covered by several triangles in one plane, all equally near, and the
// foot is in one of them.
void set_points_on_facet(EpaResult& out, const Polytope& p, const Face& nearest, double slack) {
    double best = std::numeric_limits<double>::max();
    set_points(out, p, nearest, best);
    for (int k = 0; k < p.face_count && best > slack * slack; ++k) {
        const Face& f = p.faces[k];
        if (f.alive && !f.flat && f.offset <= nearest.offset + slack && glm::dot(f.normal, out.normal) > 0.999) {
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
    std::array<SupportPoint, 4> s = gjk.simplex;
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
    for (int i = 0; i < 4; ++i) {
        p.vertices.put(i, s[i]);
    }
    p.vertex_count = 4;
    constexpr std::array<std::array<int, 3>, 4> corner{{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}}};
    constexpr std::array<std::array<int, 3>, 4> across{{{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}}};
    for (int f = 0; f < 4; ++f) {
        p.faces.put(f, Face{});
        Face& face = p.faces[f];
        face.vertex = corner[f];
        face.adjacent = across[f];
        face.alive = true;
        p.set_plane(face);
    }
    p.face_count = 4;
    return true;
}

// Replaces all faces that see `point` by a fan from it. False (and nothing changed but flags) if the room is used up or
// if rounding left the seen region without a simple border.
bool expand(Polytope& p, int seed, const SupportPoint& point, double plane_eps) {
    if (p.vertex_count == max_vertices) {
        return false;
    }
    std::array<int, max_faces> seen;
    int seen_count = 0;
    std::array<int, max_vertices> face_starting_at{}; // horizon edge by its first vertex, as face * 4 + edge + 1
    int horizon = 0;
    int first = -1;

    p.faces[seed].visible = true;
    seen[seen_count++] = seed;
    for (int k = 0; k < seen_count; ++k) {
        const Face& f = p.faces[seen[k]];
        for (const int g : f.adjacent) {
            Face& other = p.faces[g];
            // A point sees a face if it lies beyond the face's plane; how it lies to the origin does not matter.
            // A face without a plane goes with the neighbour that asks.
            if (!other.visible && (other.flat || glm::dot(other.normal, point.w) - other.offset > plane_eps)) {
                other.visible = true;
                seen[seen_count++] = g;
            }
        }
    }
    bool simple = true;
    for (int k = 0; k < seen_count && simple; ++k) {
        const Face& f = p.faces[seen[k]];
        for (int e = 0; e < 3; ++e) {
            if (!p.faces[f.adjacent[e]].visible) {
                int& slot = face_starting_at[f.vertex[e]];
                simple = simple && slot == 0;
                slot = seen[k] * 4 + e + 1;
                first = f.vertex[e];
                ++horizon;
            }
        }
    }
    // The horizon must be one closed loop.
    std::array<int, max_vertices> loop;
    int length = 0;
    if (simple && horizon >= 3) {
        int v = first;
        do {
            const int code = face_starting_at[v];
            if (code == 0 || length == horizon) {
                simple = false;
                break;
            }
            loop[length++] = v;
            v = p.faces[(code - 1) / 4].vertex[((code - 1) % 4 + 1) % 3];
        } while (v != first);
        simple = simple && length == horizon;
    } else {
        simple = false;
    }
    const int room = max_faces - p.face_count + p.free_count;
    if (!simple || room < horizon) {
        for (int k = 0; k < seen_count; ++k) {
            p.faces[seen[k]].visible = false;
        }
        return false;
    }

    const int apex = p.vertex_count++;
    p.vertices.put(apex, point);
    std::array<int, max_vertices> fan;
    for (int k = 0; k < length; ++k) {
        fan[k] = p.new_slot();
    }
    for (int k = 0; k < length; ++k) {
        const int u = loop[k];
        const int v = loop[(k + 1) % length];
        const int code = face_starting_at[u] - 1;
        const int outside = p.faces[code / 4].adjacent[code % 4];
        p.faces.put(fan[k], Face{});
        Face& f = p.faces[fan[k]];
        f.vertex = {u, v, apex};
        f.adjacent = {outside, fan[(k + 1) % length], fan[(k + length - 1) % length]};
        f.alive = true;
        p.set_plane(f);
        Face& o = p.faces[outside];
        for (int e = 0; e < 3; ++e) {
            if (o.vertex[e] == v && o.vertex[(e + 1) % 3] == u) {
                o.adjacent[e] = fan[k];
            }
        }
    }
    for (int k = 0; k < seen_count; ++k) {
        p.faces[seen[k]].alive = false;
        p.faces[seen[k]].visible = false;
        p.free_slots[p.free_count++] = seen[k];
    }
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
        const GjkResult g = gjk(apart, std::numeric_limits<double>::max(), -1.0, nullptr);
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
        int nearest = -1;
        for (int f = 0; f < p.face_count; ++f) {
            const Face& face = p.faces[f];
            if (face.alive && !face.flat && (nearest < 0 || face.offset < p.faces[nearest].offset)) {
                nearest = f;
            }
        }
        if (nearest < 0) {
            break;
        }
        const Face& face = p.faces[nearest];
        ++out.iterations;
        const SupportPoint next = pair.support(face.normal);
        const double reach = glm::dot(next.w, face.normal);
        // The face bounds the depth from below, the support plane parallel to it from above. Every support plane is an
        // upper bound, so whatever ends the loop, the least one met is a direction and length that do separate.
        out.lower = std::max(face.offset, 0.0);
        const double slack = relative_tolerance * reach + absolute_tolerance * pair.size;
        // A support point that is a corner of the face says that the face is on the boundary as exactly as the support
        // mapping can tell.
        if (reach - face.offset <= slack || next.w == p.w(face.vertex[0]) || next.w == p.w(face.vertex[1]) ||
            next.w == p.w(face.vertex[2])) {
            out.depth = reach;
            out.normal = face.normal;
            set_points_on_facet(out, p, face, slack);
            converged = true;
            break;
        }
        if (!have || reach < out.depth) {
            have = true;
            out.depth = reach;
            out.normal = face.normal;
            double best = std::numeric_limits<double>::max();
            set_points(out, p, face, best);
        }
        if (!expand(p, nearest, next, plane_eps)) {
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
