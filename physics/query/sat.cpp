#include "physics/query/sat.h"

#include "physics/query/fast_pairs.h"
#include "physics/query/pair_distance.h"
#include "physics/query/trace.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace cairn::physics {
namespace {

using Edge = ConvexHull::Edge;
using Face = ConvexHull::Face;

// Separations closer than this fraction of the pair's size count as equal, so that the first of several equal axes (the
// faces of A, of B, then the edges) is kept however rounding falls.
constexpr double tie_ratio = 1e-12;

// Shapes not farther apart, or together, than this fraction of the size along every axis may be touching or apart:
// needles point to point are separated along no axis by more than rounding, yet may be apart.
constexpr double undecided_ratio = 1e-12;

// The stored face normals are single precision.
constexpr double normal_error = 1e-6;

// Squared sine under which the product of two directions is nothing but rounding. A coarser limit would lose facets:
// edges at an angle t make one that is narrower by t only, and the origin may lie under it.
constexpr double parallel_sine_squared = 1e-20;

// A polyhedron of V vertices has at most 3 V - 6 edges (Euler).
constexpr std::size_t max_edges = 3 * max_hull_vertices;

constexpr std::array<Face, 6> box_faces{{{0, 4}, {4, 4}, {8, 4}, {12, 4}, {16, 4}, {20, 4}}};
// Corner i lies on the positive side of axis k if bit k is set; faces in the order -x +x -y +y -z +z.
constexpr std::array<std::uint32_t, 24> box_indices{0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                                    2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
constexpr std::array<Edge, 12> box_edges{{{0, 1, 2, 4},
                                          {2, 3, 4, 3},
                                          {4, 5, 5, 2},
                                          {6, 7, 3, 5},
                                          {0, 2, 4, 0},
                                          {1, 3, 1, 4},
                                          {4, 6, 0, 5},
                                          {5, 7, 5, 1},
                                          {0, 4, 0, 2},
                                          {1, 5, 2, 1},
                                          {2, 6, 3, 0},
                                          {3, 7, 1, 3}}};

// What the test reads of a shape, whichever kind it is.
struct Polytope {
    const Shape* shape = nullptr;
    std::span<const Vec3> vertices;
    std::span<const Face> faces;
    std::span<const std::uint32_t> indices;
    std::span<const Edge> edges;
    std::span<const Plane> planes;
    std::array<Vec3, 8> box_vertices;
    std::array<Plane, 6> box_planes;

    explicit Polytope(const Shape& s) : shape(&s) {
        if (s.kind == ShapeKind::hull) {
            const ConvexHull& hull = *s.hull;
            vertices = hull.vertices;
            faces = hull.faces;
            indices = hull.face_indices;
            edges = hull.edges;
            planes = hull.planes;
            return;
        }
        const Vec3& h = s.half_extents;
        for (int i = 0; i < 8; ++i) {
            box_vertices[i] = Vec3((i & 1) != 0 ? h.x : -h.x, (i & 2) != 0 ? h.y : -h.y, (i & 4) != 0 ? h.z : -h.z);
        }
        for (int f = 0; f < 6; ++f) {
            box_planes[f].normal = Vec3(0.0f);
            box_planes[f].normal[f / 2] = f % 2 == 0 ? -1.0f : 1.0f;
            box_planes[f].offset = h[f / 2];
        }
        vertices = box_vertices;
        faces = box_faces;
        indices = box_indices;
        edges = box_edges;
        planes = box_planes;
    }
    Polytope(const Polytope&) = delete; // the spans may point into it
    Polytope& operator=(const Polytope&) = delete;

    DVec3 vertex(std::uint32_t i) const { return DVec3(vertices[i]); }
    std::span<const std::uint32_t> face(std::size_t f) const {
        return indices.subspan(faces[f].first_index, faces[f].index_count);
    }
    // Unit, outwards; of a hull's face from its corners (Newell), since the stored plane is rounded.
    DVec3 face_normal(std::size_t f) const {
        const DVec3 stored(planes[f].normal);
        if (shape->kind != ShapeKind::hull) {
            return stored;
        }
        const std::span<const std::uint32_t> corners = face(f);
        const DVec3 origin = vertex(corners[0]);
        DVec3 n(0.0);
        for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
            n += glm::cross(vertex(corners[i]) - origin, vertex(corners[i + 1]) - origin);
        }
        const double length2 = glm::dot(n, n);
        return length2 > 0.0 ? n * (1.0 / std::sqrt(length2)) : stored;
    }
};

DVec3 support_in(const Frame& frame, const Polytope& p, const DVec3& direction) {
    return apply(frame, core_support(*p.shape, apply_inverse_rotation(frame.rotation, direction)));
}

Frame inverse(const Frame& f) {
    Frame r;
    r.rotation = glm::transpose(f.rotation);
    r.position = -apply_inverse_rotation(f.rotation, f.position);
    return r;
}

enum class AxisKind : std::uint8_t { none, face_a, face_b, edges };

struct Axis {
    AxisKind kind = AxisKind::none;
    double separation = -std::numeric_limits<double>::max();
    DVec3 normal{0.0}; // unit, from A to B, frame of A
    std::uint32_t feature_a = 0, feature_b = 0;
};

// Points of the Minkowski difference, by which most axes are ruled out before they are measured: every point w says
// that the separation along n is at most -dot(n, w).
struct Probes {
    // The sides and corners of a cube, and the support point of the best axis so far.
    static constexpr int most = 15;
    // Shapes with fewer edges than this between them are measured sooner than probed.
    static constexpr std::size_t worthwhile = 60;

    std::array<DVec3, most> points;
    int count = 0;

    // Can an axis n = (s n0 + t n1) / |..|, s and t >= 0, have a separation of more than -limit? With m the lesser of
    // dot(n0, w) and dot(n1, w), dot(n, w) is at least m where m >= 0, and where m < 0 at least m / cos(half the angle
    // between n0 and n1).
    static bool open(const DVec3& n0, const DVec3& n1, const DVec3& w, double limit) {
        const double m = std::min(glm::dot(n0, w), glm::dot(n1, w));
        return m < limit || (m < 0.0 && 2.0 * m < limit * glm::length(n0 + n1));
    }
    bool open(const DVec3& n0, const DVec3& n1, double limit) const {
        for (int i = 0; i < count; ++i) {
            if (!open(n0, n1, points[i], limit)) {
                return false;
            }
        }
        return true;
    }
};

template <typename Trace>
struct Search {
    Search(const Polytope& pa, const Polytope& pb, const Frame& frame, Trace& listener)
        : trace(listener),
          a(pa),
          b(pb),
          b_in_a(frame),
          a_in_b(inverse(frame)),
          size(double(pa.shape->bounding_radius) + double(pb.shape->bounding_radius)),
          margin(normal_error * (size + glm::length(frame.position))) {
        if (a.edges.size() + b.edges.size() >= Probes::worthwhile) {
            fill_probes();
        }
        faces_of(a, b, b_in_a, probes_a);
        faces_of(b, a, a_in_b, probes_b);
        pairs_of_edges();
    }

    Trace& trace;
    Axis best{};
    int axes = 0; // measured

    void set_probe(int i, const DVec3& direction);
    void fill_probes();
    void improve(AxisKind kind, double separation, const DVec3& normal, std::uint32_t feature_a,
                 std::uint32_t feature_b);
    void faces_of(const Polytope& p, const Polytope& q, const Frame& q_in_p, const Probes& probes);
    std::size_t edges_in_question(const Polytope& p, const Polytope& q, const Frame& q_in_p, const Probes& probes,
                                  std::array<std::uint16_t, max_edges>& list) const;
    void pairs_of_edges();

    bool beats_best(double separation) const { return separation > best.separation + tie_ratio * size; }
    // What Probes::open() asks for. Normals are known to single precision.
    double limit() const { return margin - best.separation; }

    const Polytope& a;
    const Polytope& b;
    Frame b_in_a;
    Frame a_in_b;
    double size;
    double margin;
    Probes probes_a; // of A - B, frame of A
    Probes probes_b; // of B - A, frame of B
};

template <typename Trace>
void Search<Trace>::set_probe(int i, const DVec3& direction) {
    const DVec3 w = core_support(*a.shape, direction) - support_in(b_in_a, b, -direction);
    probes_a.points[i] = w;
    probes_b.points[i] = -apply_inverse_rotation(b_in_a.rotation, w);
}

template <typename Trace>
void Search<Trace>::fill_probes() {
    for (int i = 0; i < 6; ++i) {
        DVec3 side(0.0);
        side[i / 2] = i % 2 == 0 ? 1.0 : -1.0;
        set_probe(i, side);
    }
    for (int i = 0; i < 8; ++i) {
        set_probe(6 + i, DVec3((i & 1) != 0 ? 1.0 : -1.0, (i & 2) != 0 ? 1.0 : -1.0, (i & 4) != 0 ? 1.0 : -1.0));
    }
    probes_a.count = Probes::most - 1;
    probes_b.count = Probes::most - 1;
}

template <typename Trace>
void Search<Trace>::improve(AxisKind kind, double separation, const DVec3& normal, std::uint32_t feature_a,
                            std::uint32_t feature_b) {
    best = {kind, separation, normal, feature_a, feature_b};
    if (probes_a.count > 0) {
        set_probe(Probes::most - 1, normal);
        probes_a.count = Probes::most;
        probes_b.count = Probes::most;
    }
}

template <typename Trace>
void Search<Trace>::faces_of(const Polytope& p, const Polytope& q, const Frame& q_in_p, const Probes& probes) {
    const bool of_a = &p == &a;
    for (std::uint32_t f = 0; f < p.faces.size(); ++f) {
        const DVec3 stored(p.planes[f].normal);
        if (!probes.open(stored, stored, limit())) {
            continue;
        }
        const DVec3 n = p.face_normal(f);
        const DVec3 nearest = support_in(q_in_p, q, -n);
        ++axes;
        const auto measured = [&](double separation, bool is_best) {
            trace::tell(trace, [&] {
                return of_a ? trace::Axis{trace::AxisKind::face_a, n, separation, f, 0, is_best}
                            : trace::Axis{trace::AxisKind::face_b, -(b_in_a.rotation * n), separation, 0, f, is_best};
            });
        };
        const double bound = glm::dot(n, nearest - p.vertex(p.face(f)[0]));
        if (!beats_best(bound)) {
            measured(bound, false);
            continue;
        }
        // The corners of a face lie in one plane only up to rounding: what counts is the farthest vertex.
        const double separation = glm::dot(n, nearest - core_support(*p.shape, n));
        measured(separation, beats_best(separation));
        if (beats_best(separation)) {
            if (of_a) {
                improve(AxisKind::face_a, separation, n, f, 0);
            } else {
                improve(AxisKind::face_b, separation, -(b_in_a.rotation * n), 0, f);
            }
        }
    }
}

// The edges of p that may belong to a better axis than the best one: the axes of an edge lie between the normals of its
// two faces. The support points along these are the best ones to ask: on a fine mesh only the edges about the deepest
// point are left.
template <typename Trace>
std::size_t Search<Trace>::edges_in_question(const Polytope& p, const Polytope& q, const Frame& q_in_p,
                                             const Probes& probes, std::array<std::uint16_t, max_edges>& list) const {
    std::size_t count = 0;
    for (std::size_t e = 0; e < p.edges.size(); ++e) {
        const DVec3 n0(p.planes[p.edges[e].face_a].normal);
        const DVec3 n1(p.planes[p.edges[e].face_b].normal);
        if (!probes.open(n0, n1, limit())) {
            continue;
        }
        const DVec3 own = p.vertex(p.edges[e].vertex_a); // a support point of p along both
        if (Probes::open(n0, n1, own - support_in(q_in_p, q, -n0), limit()) &&
            Probes::open(n0, n1, own - support_in(q_in_p, q, -n1), limit())) {
            list[count++] = static_cast<std::uint16_t>(e);
        }
    }
    return count;
}

// An edge in the frame of A.
struct EdgeData {
    DVec3 point{0.0};       // its first vertex
    DVec3 from_centre{0.0}; // the same, as seen from the centre of its own shape
    DVec3 direction{0.0};   // unit
    DVec3 n0{0.0}, n1{0.0};
    double doubt = 0.0; // by how much the sine of an angle to the edge may be wrong
    std::uint32_t index = 0;
};

EdgeData edge_data(const Polytope& p, std::uint32_t index) {
    const Edge& edge = p.edges[index];
    EdgeData out;
    out.index = index;
    out.point = p.vertex(edge.vertex_a);
    out.from_centre = out.point;
    const DVec3 along = p.vertex(edge.vertex_b) - out.point;
    const double length = glm::length(along);
    out.direction = length > 0.0 ? along * (1.0 / length) : along;
    out.n0 = DVec3(p.planes[edge.face_a].normal);
    out.n1 = DVec3(p.planes[edge.face_b].normal);
    // Vertices are rounded to 6e-8 of the shape's size, which turns a short edge.
    out.doubt = normal_error + (length > 0.0 ? 2e-7 * double(p.shape->bounding_radius) / length : 1.0);
    return out;
}

bool same_side(double x, double y, double doubt) {
    return (x > doubt && y > doubt) || (x < -doubt && y < -doubt);
}

// Two edges make a facet of the Minkowski difference if the arcs that they are on the Gauss map, the one of B turned
// inside out, cross each other (Gregorius, "The separating axis test between convex polyhedra", GDC 2013). An arc lies
// in the plane perpendicular to its edge, so the ends of the other one must lie on different sides of that plane, both
// ways round, and the arcs must not be on opposite sides of the sphere. Where rounding leaves that in doubt the pair is
// kept: the separation of the edges is an upper bound of that of the shapes along the axis, and a pair that beats the
// best so far is measured on all vertices before it is believed.
template <typename Trace>
void Search<Trace>::pairs_of_edges() {
    std::array<std::uint16_t, max_edges> list_a;
    std::array<std::uint16_t, max_edges> list_b;
    const std::size_t count_a = edges_in_question(a, b, b_in_a, probes_a, list_a);
    if (count_a == 0) {
        return;
    }
    const std::size_t count_b = edges_in_question(b, a, a_in_b, probes_b, list_b);
    constexpr std::size_t block = 32;
    std::array<EdgeData, block> edges_b;
    for (std::size_t begin = 0; begin < count_b; begin += block) {
        const std::size_t in_block = std::min(block, count_b - begin);
        for (std::size_t k = 0; k < in_block; ++k) {
            EdgeData& e = edges_b[k];
            e = edge_data(b, list_b[begin + k]);
            e.from_centre = b_in_a.rotation * e.point;
            e.point = e.from_centre + b_in_a.position;
            e.direction = b_in_a.rotation * e.direction;
            e.n0 = b_in_a.rotation * e.n0;
            e.n1 = b_in_a.rotation * e.n1;
        }
        for (std::size_t i = 0; i < count_a; ++i) {
            const EdgeData ea = edge_data(a, list_a[i]);
            for (std::size_t k = 0; k < in_block; ++k) {
                const EdgeData& eb = edges_b[k];
                if (same_side(glm::dot(eb.n0, ea.direction), glm::dot(eb.n1, ea.direction), ea.doubt) ||
                    same_side(glm::dot(ea.n0, eb.direction), glm::dot(ea.n1, eb.direction), eb.doubt)) {
                    continue;
                }
                DVec3 n = glm::cross(ea.direction, eb.direction);
                const double sine2 = glm::dot(n, n);
                if (!(sine2 > parallel_sine_squared)) {
                    continue;
                }
                n *= 1.0 / std::sqrt(sine2);
                // An outward normal leads away from the shape's own centre.
                double out_of_a = glm::dot(n, ea.from_centre);
                double out_of_b = -glm::dot(n, eb.from_centre);
                if (out_of_a + out_of_b < 0.0) {
                    n = -n;
                    out_of_a = -out_of_a;
                    out_of_b = -out_of_b;
                }
                if (std::min(out_of_a, out_of_b) < -normal_error * size) {
                    continue;
                }
                ++axes;
                const auto measured = [&](double separation, bool is_best) {
                    trace::tell(trace, [&] {
                        return trace::Axis{trace::AxisKind::edges, n, separation, ea.index, eb.index, is_best};
                    });
                };
                const double bound = glm::dot(n, eb.point - ea.point);
                if (!beats_best(bound)) {
                    measured(bound, false);
                    continue;
                }
                const double separation = glm::dot(n, support_in(b_in_a, b, -n) - core_support(*a.shape, n));
                measured(separation, beats_best(separation));
                if (beats_best(separation)) {
                    improve(AxisKind::edges, separation, n, ea.index, eb.index);
                }
            }
        }
    }
}

struct Nearest {
    DVec3 on_a{0.0}, on_b{0.0};
    double distance = std::numeric_limits<double>::max();

    void keep(const DVec3& p, const DVec3& q) {
        const DVec3 d = q - p;
        const double length = std::sqrt(glm::dot(d, d));
        if (length < distance) {
            on_a = p;
            on_b = q;
            distance = length;
        }
    }
};

// Does the line through `point` along the face's normal n pass through the face?
bool over_face(const Polytope& p, std::size_t f, const DVec3& n, const DVec3& point) {
    const std::span<const std::uint32_t> corners = p.face(f);
    DVec3 from = p.vertex(corners.back());
    for (const std::uint32_t i : corners) {
        const DVec3 to = p.vertex(i);
        if (glm::dot(glm::cross(n, to - from), point - from) < 0.0) {
            return false;
        }
        from = to;
    }
    return true;
}

void edge_pair(const Polytope& a, const Edge& ea, const Polytope& b, const Edge& eb, const Frame& b_in_a,
               Nearest& nearest) {
    const DVec3 a0 = a.vertex(ea.vertex_a);
    const DVec3 a1 = a.vertex(ea.vertex_b);
    const DVec3 b0 = apply(b_in_a, b.vertex(eb.vertex_a));
    const DVec3 b1 = apply(b_in_a, b.vertex(eb.vertex_b));
    DVec3 on_a;
    DVec3 on_b;
    closest_on_segments((a0 + a1) * 0.5, (a1 - a0) * 0.5, (b0 + b1) * 0.5, (b1 - b0) * 0.5, on_a, on_b);
    nearest.keep(on_a, on_b);
}

// The nearest points of two polytopes that do not overlap, by their features. `axis` separates them (or touches both)
// and says which pairs of points can be nearest at all: with h the distance of a point behind its own shape's front
// along the axis, two points are at least separation + h_a + h_b apart.
struct FeatureSearch {
    const Polytope& a;
    const Polytope& b;
    const Frame& b_in_a;
    DVec3 n;
    double separation;
    double size;
    Nearest nearest{};
    std::array<double, max_hull_vertices> behind_a; // metres, per vertex
    std::array<double, max_hull_vertices> behind_b;

    FeatureSearch(const Polytope& pa, const Polytope& pb, const Frame& frame, const DVec3& axis, double along,
                  double pair_size)
        : a(pa), b(pb), b_in_a(frame), n(axis), separation(along), size(pair_size) {}

    bool proven() const { return nearest.distance <= separation + tie_ratio * size; }
    double slack() const { return nearest.distance - separation + tie_ratio * size; }

    void improve_axis();
    void measure();
    template <bool of_a>
    void vertices_over_faces();
    void edges_by_edges();
    void run();
};

// The line through the points found so far is often a better axis, which leaves less in question.
void FeatureSearch::improve_axis() {
    constexpr int most_rounds = 16;
    nearest.keep(core_support(*a.shape, n), support_in(b_in_a, b, -n));
    for (int round = 0; round < most_rounds && nearest.distance > 0.0 && !proven(); ++round) {
        const DVec3 along = (nearest.on_b - nearest.on_a) * (1.0 / nearest.distance);
        const DVec3 p = core_support(*a.shape, along);
        const DVec3 q = support_in(b_in_a, b, -along);
        const double s = glm::dot(along, q - p);
        if (s > separation) {
            separation = s;
            n = along;
        }
        const double before = nearest.distance;
        nearest.keep(p, q);
        if (!(nearest.distance < before)) {
            break;
        }
    }
}

void FeatureSearch::measure() {
    const double front_a = glm::dot(n, core_support(*a.shape, n));
    const DVec3 n_in_b = apply_inverse_rotation(b_in_a.rotation, n);
    const double front_b = glm::dot(n_in_b, core_support(*b.shape, -n_in_b));
    for (std::size_t i = 0; i < a.vertices.size(); ++i) {
        behind_a[i] = front_a - glm::dot(n, DVec3(a.vertices[i]));
    }
    for (std::size_t i = 0; i < b.vertices.size(); ++i) {
        behind_b[i] = glm::dot(n_in_b, DVec3(b.vertices[i])) - front_b;
    }
}

template <bool of_a>
void FeatureSearch::vertices_over_faces() {
    const Polytope& p = of_a ? a : b;
    const Polytope& q = of_a ? b : a;
    const Frame q_in_p = of_a ? b_in_a : inverse(b_in_a);
    const auto& behind_p = of_a ? behind_a : behind_b;
    const auto& behind_q = of_a ? behind_b : behind_a;
    const DVec3 outward = of_a ? n : -apply_inverse_rotation(b_in_a.rotation, n);
    for (std::size_t f = 0; f < p.faces.size(); ++f) {
        // If a vertex lies nearest to this face, the nearest points are joined by the face's normal, and the axis makes
        // an angle with it whose cosine is at least separation / distance.
        if (glm::dot(DVec3(p.planes[f].normal), outward) * nearest.distance <
            separation - normal_error * nearest.distance) {
            continue;
        }
        double behind = std::numeric_limits<double>::max();
        for (const std::uint32_t i : p.face(f)) {
            behind = std::min(behind, behind_p[i]);
        }
        if (behind > slack()) {
            continue;
        }
        const DVec3 normal = p.face_normal(f);
        const DVec3 corner = p.vertex(p.face(f)[0]);
        for (std::uint32_t i = 0; i < q.vertices.size(); ++i) {
            if (behind + behind_q[i] > slack()) {
                continue;
            }
            const DVec3 point = apply(q_in_p, q.vertex(i));
            const double height = glm::dot(normal, point - corner);
            if (std::abs(height) >= nearest.distance || !over_face(p, f, normal, point)) {
                continue;
            }
            const DVec3 foot = point - normal * height;
            if (of_a) {
                nearest.keep(foot, point);
            } else {
                nearest.keep(apply(b_in_a, point), apply(b_in_a, foot));
            }
            if (proven()) {
                return;
            }
        }
    }
}

// Vertices against vertices and edges are among these.
void FeatureSearch::edges_by_edges() {
    for (const Edge& ea : a.edges) {
        const double behind = std::min(behind_a[ea.vertex_a], behind_a[ea.vertex_b]);
        if (behind > slack()) {
            continue;
        }
        for (const Edge& eb : b.edges) {
            if (behind + std::min(behind_b[eb.vertex_a], behind_b[eb.vertex_b]) > slack()) {
                continue;
            }
            edge_pair(a, ea, b, eb, b_in_a, nearest);
            if (proven()) {
                return;
            }
        }
    }
}

void FeatureSearch::run() {
    improve_axis();
    if (proven()) {
        return;
    }
    measure();
    vertices_over_faces<true>();
    if (!proven()) {
        vertices_over_faces<false>();
    }
    if (!proven()) {
        edges_by_edges();
    }
}

// Nearest points where the features that the axis belongs to are the nearest ones themselves: almost always.
bool witness_of_axis(const Polytope& a, const Polytope& b, const Frame& b_in_a, const Axis& axis, double separation,
                     double eps, Nearest& nearest) {
    const DVec3& n = axis.normal;
    switch (axis.kind) {
    case AxisKind::none:
        return false;
    case AxisKind::face_a: {
        const DVec3 point = support_in(b_in_a, b, -n);
        if (!over_face(a, axis.feature_a, n, point)) {
            return false;
        }
        nearest.keep(point - n * separation, point);
        return true;
    }
    case AxisKind::face_b: {
        const DVec3 point = core_support(*a.shape, n);
        const DVec3 in_b = apply_inverse_rotation(b_in_a.rotation, point - b_in_a.position);
        if (!over_face(b, axis.feature_b, -apply_inverse_rotation(b_in_a.rotation, n), in_b)) {
            return false;
        }
        nearest.keep(point, point + n * separation);
        return true;
    }
    case AxisKind::edges:
        edge_pair(a, a.edges[axis.feature_a], b, b.edges[axis.feature_b], b_in_a, nearest);
        return nearest.distance <= separation + eps;
    }
    return false;
}

} // namespace

bool sat_answers(const Shape& shape) {
    return shape.kind == ShapeKind::box || shape.kind == ShapeKind::hull;
}

std::vector<Vec3> sat_face(const Shape& shape, std::uint32_t face) {
    const Polytope polytope(shape);
    std::vector<Vec3> out;
    for (const std::uint32_t i : polytope.face(face)) {
        out.push_back(polytope.vertices[i]);
    }
    return out;
}

std::array<Vec3, 2> sat_edge(const Shape& shape, std::uint32_t edge) {
    const Polytope polytope(shape);
    return {polytope.vertices[polytope.edges[edge].vertex_a], polytope.vertices[polytope.edges[edge].vertex_b]};
}

namespace {

template <typename Trace>
SatResult run(const Shape& shape_a, const Transform& pose_a, const Shape& shape_b, const Transform& pose_b,
              Trace& trace) {
    const Frame world = frame_of(pose_a);
    const Polytope a(shape_a);
    const Polytope b(shape_b);
    Frame b_in_a = relative_frame(world, frame_of(pose_b));
    const double size = double(shape_a.bounding_radius) + double(shape_b.bounding_radius);

    const Search search(a, b, b_in_a, trace);
    SatResult out;
    out.axes = search.axes;
    const Axis& best = search.best;
    if (best.kind == AxisKind::none) {
        return out;
    }
    // In penetration B is moved out by the depth: then the nearest points are where the two shapes touch.
    const bool apart = best.separation > -undecided_ratio * size;
    const double along = apart ? std::max(best.separation, 0.0) : 0.0;
    if (!apart) {
        b_in_a.position -= best.normal * best.separation;
    }
    Nearest nearest;
    auto witness = trace::WitnessFrom::axis;
    if (!witness_of_axis(a, b, b_in_a, best, along, undecided_ratio * size, nearest)) {
        FeatureSearch features(a, b, b_in_a, best.normal, along, size);
        features.run();
        nearest = features.nearest;
        witness = trace::WitnessFrom::features;
    }
    trace::tell(trace, [&] {
        return trace::SatEnd{out.axes, a.faces.size() + b.faces.size(), a.edges.size() * b.edges.size(), witness};
    });
    double distance = best.separation;
    DVec3 normal = best.normal;
    DVec3 on_b = nearest.on_b;
    if (!apart) {
        on_b += best.normal * best.separation;
    } else if (nearest.distance > along + undecided_ratio * size) {
        // Where the two are almost the same, the axis may be the better direction: points on nearly parallel features
        // are hard to tell from their neighbours.
        const DVec3 joining = (nearest.on_b - nearest.on_a) * (1.0 / nearest.distance);
        const double proven = glm::dot(joining, support_in(b_in_a, b, -joining) - core_support(shape_a, joining));
        if (proven >= along) {
            distance = nearest.distance;
            normal = joining;
        }
    }
    const double touching = touching_tolerance(shape_a, shape_b);
    out.status = distance > touching    ? QueryStatus::separated
                 : distance < -touching ? QueryStatus::overlapping
                                        : QueryStatus::touching;
    out.distance = float(distance);
    out.normal = Vec3(world.rotation * normal);
    out.point_a = Vec3(apply(world, nearest.on_a));
    out.point_b = Vec3(apply(world, on_b));
    trace::tell(trace, [&] { return trace::Answer{out.status, distance, normal, nearest.on_a, on_b}; });
    return out;
}

} // namespace

SatResult sat(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b) {
    trace::None none;
    return run(a, pose_a, b, pose_b, none);
}

SatResult sat(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b, QueryTrace& trace) {
    return run(a, pose_a, b, pose_b, trace);
}

} // namespace cairn::physics
