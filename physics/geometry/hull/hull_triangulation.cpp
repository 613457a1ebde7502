// Barber, Dobkin and Huhdanpaa 1996, "The quickhull algorithm for convex hulls": grow a tetrahedron by the farthest
// point above a face, keeping for each face the list of outside points that it still has to explain.
#include "physics/geometry/hull/hull_triangulation.h"

#include <cmath>
#include <cstddef>
#include <deque>

namespace cairn::physics::detail {

namespace {

__extension__ using Int128 = __int128;

constexpr std::uint32_t absent = 0xffffffffu;

Int128 product(double a, double b) {
    return static_cast<Int128>(static_cast<std::int64_t>(a)) * static_cast<Int128>(static_cast<std::int64_t>(b));
}

struct ExactNormal {
    Int128 x, y, z;
};

ExactNormal cross_exact(const DVec3& u, const DVec3& v) {
    return {product(u.y, v.z) - product(u.z, v.y), product(u.z, v.x) - product(u.x, v.z),
            product(u.x, v.y) - product(u.y, v.x)};
}

// Unnormalised normal (b - a) x (c - a), each component correctly rounded from the exact value.
DVec3 exact_normal(const DVec3& a, const DVec3& b, const DVec3& c) {
    const ExactNormal n = cross_exact(b - a, c - a);
    return {static_cast<double>(n.x), static_cast<double>(n.y), static_cast<double>(n.z)};
}

class QuickHull {
  public:
    QuickHull(std::span<const DVec3> points, double tolerance) : points_(points), tolerance_(tolerance) {
        next_.resize(points.size(), absent);
        face_from_.resize(points.size(), absent);
    }

    Flatness run(double flat_limit) {
        std::array<std::uint32_t, 4> seed{};
        const Flatness flatness = find_seed(flat_limit, seed);
        if (flatness != Flatness::solid) {
            return flatness;
        }
        start(seed);
        do {
            while (!pending_.empty()) {
                const std::uint32_t face = take_pending();
                if (faces_[face].alive && faces_[face].farthest_distance > tolerance_) {
                    add_point(face);
                }
            }
        } while (reconsider_near_points());
        return Flatness::solid;
    }

    std::vector<HullTriangle> triangles() const {
        std::vector<std::uint32_t> renumbered(faces_.size(), absent);
        std::uint32_t count = 0;
        for (std::size_t f = 0; f < faces_.size(); ++f) {
            if (faces_[f].alive) {
                renumbered[f] = count++;
            }
        }
        std::vector<HullTriangle> result;
        result.reserve(count);
        for (const Face& face : faces_) {
            if (face.alive) {
                result.push_back(
                    {face.vertex,
                     {renumbered[face.neighbour[0]], renumbered[face.neighbour[1]], renumbered[face.neighbour[2]]},
                     face.normal,
                     face.double_area});
            }
        }
        return result;
    }

    // Points that stayed outside because no plane is exceeded by more than the tolerance.
    std::vector<std::uint32_t> left_outside() const {
        std::vector<std::uint32_t> result;
        for (const Face& face : faces_) {
            for (std::uint32_t q = face.alive ? face.first_outside : absent; q != absent; q = next_[q]) {
                result.push_back(q);
            }
        }
        return result;
    }

  private:
    struct Face {
        DVec3 normal{0.0}; // unit
        DVec3 base{0.0};   // a point of the plane
        double double_area = 0.0;
        std::array<std::uint32_t, 3> vertex{};
        std::array<std::uint32_t, 3> neighbour{};
        std::uint32_t first_outside = absent; // list through next_
        std::uint32_t farthest = absent;
        double farthest_distance = 0.0;
        std::uint32_t visited = 0;
        bool alive = false;
    };

    struct HorizonEdge {
        std::uint32_t from, to;
        std::uint32_t beyond;      // the hidden face across the edge
        std::uint32_t beyond_slot; // its edge to -> from
    };

    double distance(const Face& face, std::uint32_t p) const { return glm::dot(face.normal, points_[p] - face.base); }

    bool visible(const Face& face, std::uint32_t p) const {
        const double d = distance(face, p);
        if (std::abs(d) > certain_distance) {
            return d > 0.0;
        }
        return exact_side(points_[face.vertex[0]], points_[face.vertex[1]], points_[face.vertex[2]], points_[p]) > 0;
    }

    std::uint32_t new_face(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        std::uint32_t index;
        if (free_.empty()) {
            index = static_cast<std::uint32_t>(faces_.size());
            faces_.emplace_back();
        } else {
            index = free_.back();
            free_.pop_back();
            faces_[index] = Face{};
        }
        Face& face = faces_[index];
        const DVec3 normal = exact_normal(points_[a], points_[b], points_[c]);
        face.double_area = std::sqrt(glm::dot(normal, normal));
        face.normal = normal / face.double_area;
        face.base = points_[a];
        face.vertex = {a, b, c};
        face.alive = true;
        return index;
    }

    void put_outside(std::uint32_t face_index, std::uint32_t p, double d) {
        Face& face = faces_[face_index];
        next_[p] = face.first_outside;
        face.first_outside = p;
        if (d > face.farthest_distance || (d == face.farthest_distance && farther_from_middle(face, p))) {
            face.farthest = p;
            face.farthest_distance = d;
        }
    }

    // Among points of exactly equal height the one farthest from the face's middle is a corner of their own hull, so
    // that grids and other flat-topped sets do not begin with points from the inside of a face.
    bool farther_from_middle(const Face& face, std::uint32_t p) const {
        if (face.farthest == absent) {
            return true;
        }
        const DVec3 middle =
            (points_[face.vertex[0]] + points_[face.vertex[1]] + points_[face.vertex[2]]) * (1.0 / 3.0);
        const DVec3 u = points_[p] - middle;
        const DVec3 v = points_[face.farthest] - middle;
        const double a = glm::dot(u, u);
        const double b = glm::dot(v, v);
        return a > b || (a == b && p < face.farthest);
    }

    // Puts p on the list of the candidate whose plane it exceeds most; drops it if it exceeds none.
    void assign(std::uint32_t p, std::span<const std::uint32_t> candidates) {
        double best = certain_distance;
        std::uint32_t best_face = absent;
        for (const std::uint32_t f : candidates) {
            const double d = distance(faces_[f], p);
            if (d > best) {
                best = d;
                best_face = f;
            }
        }
        if (best_face != absent) {
            put_outside(best_face, p, best);
        }
    }

    void queue_if_outside(std::uint32_t face) {
        if (faces_[face].farthest_distance > tolerance_) {
            pending_.push_back(face);
        }
    }

    // The newest face keeps the work where the caches are warm. But it finishes one side of the hull before it begins
    // the next, whose first point may then see all of it: on a prism of many sides that is a fan of as many faces, with
    // as many points to share out among them. A tolerance bounds the number of sides; without one the oldest face is
    // next.
    std::uint32_t take_pending() {
        const bool newest = tolerance_ > 0.0;
        const std::uint32_t face = newest ? pending_.back() : pending_.front();
        newest ? pending_.pop_back() : pending_.pop_front();
        return face;
    }

    // Two points far apart, the point farthest from their line, the point farthest from the plane of the three.
    Flatness find_seed(double flat_limit, std::array<std::uint32_t, 4>& seed) const {
        std::array<std::uint32_t, 3> low{}, high{};
        const auto count = static_cast<std::uint32_t>(points_.size());
        for (std::uint32_t i = 1; i < count; ++i) {
            for (int axis = 0; axis < 3; ++axis) {
                const auto k = static_cast<std::size_t>(axis);
                if (points_[i][axis] < points_[low[k]][axis]) {
                    low[k] = i;
                }
                if (points_[i][axis] > points_[high[k]][axis]) {
                    high[k] = i;
                }
            }
        }
        double length2 = -1.0;
        for (std::size_t k = 0; k < 3; ++k) {
            const DVec3 d = points_[high[k]] - points_[low[k]];
            if (glm::dot(d, d) > length2) {
                length2 = glm::dot(d, d);
                seed[0] = low[k];
                seed[1] = high[k];
            }
        }
        if (!(std::sqrt(length2) > flat_limit)) {
            return Flatness::point;
        }
        const DVec3 axis = (points_[seed[1]] - points_[seed[0]]) / std::sqrt(length2);
        double best = -1.0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const DVec3 off = glm::cross(axis, points_[i] - points_[seed[0]]);
            if (glm::dot(off, off) > best) {
                best = glm::dot(off, off);
                seed[2] = i;
            }
        }
        if (!(std::sqrt(best) > flat_limit)) {
            return Flatness::line;
        }
        DVec3 normal = exact_normal(points_[seed[0]], points_[seed[1]], points_[seed[2]]);
        normal /= std::sqrt(glm::dot(normal, normal));
        best = -1.0;
        bool above = false;
        for (std::uint32_t i = 0; i < count; ++i) {
            const double d = glm::dot(normal, points_[i] - points_[seed[0]]);
            if (std::abs(d) > best) {
                best = std::abs(d);
                above = d > 0.0;
                seed[3] = i;
            }
        }
        if (!(best > flat_limit)) {
            return Flatness::plane;
        }
        if (above) { // the fourth point must lie below the first face
            std::swap(seed[1], seed[2]);
        }
        return Flatness::solid;
    }

    void start(const std::array<std::uint32_t, 4>& s) {
        const std::array<std::uint32_t, 4> f{new_face(s[0], s[1], s[2]), new_face(s[0], s[3], s[1]),
                                             new_face(s[1], s[3], s[2]), new_face(s[2], s[3], s[0])};
        faces_[f[0]].neighbour = {f[1], f[2], f[3]};
        faces_[f[1]].neighbour = {f[3], f[2], f[0]};
        faces_[f[2]].neighbour = {f[1], f[3], f[0]};
        faces_[f[3]].neighbour = {f[2], f[1], f[0]};
        for (std::uint32_t p = 0; p < points_.size(); ++p) {
            assign(p, f);
        }
        for (const std::uint32_t face : f) {
            queue_if_outside(face);
        }
    }

    // All faces that p sees, found from one of them, into visible_; the rim of that region into horizon_.
    void find_visible(std::uint32_t first, std::uint32_t p) {
        ++visit_;
        visible_.clear();
        horizon_.clear();
        visible_.push_back(first);
        faces_[first].visited = visit_;
        for (std::size_t i = 0; i < visible_.size(); ++i) {
            const Face& face = faces_[visible_[i]];
            for (std::size_t e = 0; e < 3; ++e) {
                const std::uint32_t other = face.neighbour[e];
                if (faces_[other].visited == visit_) {
                    continue;
                }
                if (visible(faces_[other], p)) {
                    faces_[other].visited = visit_;
                    visible_.push_back(other);
                }
            }
        }
        for (const std::uint32_t v : visible_) {
            const Face& face = faces_[v];
            for (std::size_t e = 0; e < 3; ++e) {
                const std::uint32_t other = face.neighbour[e];
                if (faces_[other].visited != visit_) {
                    const std::uint32_t from = face.vertex[e];
                    const std::uint32_t to = face.vertex[(e + 1) % 3];
                    const auto& corners = faces_[other].vertex;
                    const std::uint32_t slot = corners[0] == to ? 0u : (corners[1] == to ? 1u : 2u);
                    horizon_.push_back({from, to, other, slot});
                }
            }
        }
    }

    void add_point(std::uint32_t seen_from) {
        const std::uint32_t p = faces_[seen_from].farthest;
        find_visible(seen_from, p);

        orphans_.clear();
        for (const std::uint32_t v : visible_) {
            for (std::uint32_t q = faces_[v].first_outside; q != absent; q = next_[q]) {
                if (q != p) {
                    orphans_.push_back(q);
                }
            }
            faces_[v].alive = false;
            free_.push_back(v);
        }

        fresh_.clear();
        for (const HorizonEdge& edge : horizon_) {
            const std::uint32_t f = new_face(edge.from, edge.to, p);
            faces_[f].neighbour[0] = edge.beyond;
            faces_[edge.beyond].neighbour[edge.beyond_slot] = f;
            face_from_[edge.from] = f;
            fresh_.push_back(f);
        }
        for (const std::uint32_t f : fresh_) { // the horizon is one simple loop: one new face starts at each vertex
            const std::uint32_t following = face_from_[faces_[f].vertex[1]];
            faces_[f].neighbour[1] = following;
            faces_[following].neighbour[2] = f;
        }

        for (const std::uint32_t q : orphans_) {
            assign(q, fresh_);
        }
        for (const std::uint32_t f : fresh_) {
            queue_if_outside(f);
        }
    }

    // Points left over lie within the tolerance above the face that lists them, but a later face may be exceeded by
    // more (at sharp edges). True if some point has to be added after all.
    bool reconsider_near_points() {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> near_points; // point, face
        for (std::uint32_t f = 0; f < faces_.size(); ++f) {
            if (!faces_[f].alive) {
                continue;
            }
            for (std::uint32_t q = faces_[f].first_outside; q != absent; q = next_[q]) {
                near_points.emplace_back(q, f);
            }
            faces_[f].first_outside = absent;
            faces_[f].farthest = absent;
            faces_[f].farthest_distance = 0.0;
        }
        bool more = false;
        for (const auto& [q, f] : near_points) {
            find_visible(f, q);
            double best = 0.0;
            std::uint32_t best_face = f;
            for (const std::uint32_t v : visible_) {
                const double d = distance(faces_[v], q);
                if (d > best) {
                    best = d;
                    best_face = v;
                }
            }
            put_outside(best_face, q, best);
            more = more || best > tolerance_;
        }
        for (std::uint32_t f = 0; f < faces_.size(); ++f) {
            if (faces_[f].alive) {
                queue_if_outside(f);
            }
        }
        return more;
    }

    std::span<const DVec3> points_;
    double tolerance_;
    std::vector<Face> faces_;
    std::vector<std::uint32_t> free_;
    std::deque<std::uint32_t> pending_;
    std::vector<std::uint32_t> next_;      // outside lists, by point
    std::vector<std::uint32_t> face_from_; // new face that starts at a horizon vertex, by point
    std::vector<std::uint32_t> visible_, fresh_, orphans_;
    std::vector<HorizonEdge> horizon_;
    std::uint32_t visit_ = 0;
};

} // namespace

int exact_side(const DVec3& a, const DVec3& b, const DVec3& c, const DVec3& p) {
    // Differences have 40 bits, the normal's components 81, the sum of three products at most 123.
    const ExactNormal n = cross_exact(b - a, c - a);
    const DVec3 d = p - a;
    const Int128 value = n.x * static_cast<Int128>(static_cast<std::int64_t>(d.x)) +
                         n.y * static_cast<Int128>(static_cast<std::int64_t>(d.y)) +
                         n.z * static_cast<Int128>(static_cast<std::int64_t>(d.z));
    return value > 0 ? 1 : (value < 0 ? -1 : 0);
}

TriangulatedHull triangulate_hull(std::span<const DVec3> points, double tolerance, double flat_limit) {
    TriangulatedHull result;
    if (points.empty()) {
        result.flatness = Flatness::point;
        return result;
    }
    QuickHull hull(points, tolerance);
    result.flatness = hull.run(flat_limit);
    if (result.flatness == Flatness::solid) {
        result.triangles = hull.triangles();
        result.left_outside = hull.left_outside();
    }
    return result;
}

} // namespace cairn::physics::detail
