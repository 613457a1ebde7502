#include "app/algorithms/sat.h"

#include "app/algorithms/sat_witness.h"
#include "app/algorithms/trace.h"
#include "physics/query/distance/fast_pairs.h"
#include "physics/query/distance/pair_distance.h"

#include <algorithm>
#include <array>

namespace cairn::algorithms {

using namespace physics;

namespace {

// Shapes not farther apart, or together, than this fraction of the size along every axis may be touching or apart:
// needles point to point are separated along no axis by more than rounding, yet may be apart.
constexpr double undecided_ratio = 1e-12;

// Squared sine under which the product of two directions is nothing but rounding. A coarser limit would lose facets:
// edges at an angle t make one that is narrower by t only, and the origin may lie under it.
constexpr double parallel_edges_sine_squared = 1e-20;

// A polyhedron of V vertices has at most 3 V - 6 edges (Euler).
constexpr std::size_t max_edges = 3 * max_hull_vertices;

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

struct Search {
    Search(const SatPolytope& pa, const SatPolytope& pb, const Frame& frame, QueryTrace* listener)
        : trace(listener),
          a(pa),
          b(pb),
          b_in_a(frame),
          a_in_b(inverse(frame)),
          size(double(pa.shape->bounding_radius) + double(pb.shape->bounding_radius)),
          margin(sat_normal_error * (size + glm::length(frame.position))) {
        if (a.edges.size() + b.edges.size() >= Probes::worthwhile) {
            fill_probes();
        }
        faces_of(a, b, b_in_a, probes_a);
        faces_of(b, a, a_in_b, probes_b);
        pairs_of_edges();
    }

    QueryTrace* trace;
    SatAxis best{};
    int axes = 0; // measured

    void set_probe(int i, const DVec3& direction);
    void fill_probes();
    void improve(SatAxisKind kind, double separation, const DVec3& normal, std::uint32_t feature_a,
                 std::uint32_t feature_b);
    void faces_of(const SatPolytope& p, const SatPolytope& q, const Frame& q_in_p, const Probes& probes);
    std::size_t edges_in_question(const SatPolytope& p, const SatPolytope& q, const Frame& q_in_p, const Probes& probes,
                                  std::array<std::uint16_t, max_edges>& list) const;
    void pairs_of_edges();

    bool beats_best(double separation) const { return separation > best.separation + sat_tie_ratio * size; }
    // What Probes::open() asks for. Normals are known to single precision.
    double limit() const { return margin - best.separation; }

    const SatPolytope& a;
    const SatPolytope& b;
    Frame b_in_a;
    Frame a_in_b;
    double size;
    double margin;
    Probes probes_a; // of A - B, frame of A
    Probes probes_b; // of B - A, frame of B
};

void Search::set_probe(int i, const DVec3& direction) {
    const DVec3 w = core_support(*a.shape, direction) - support_in(b_in_a, b, -direction);
    probes_a.points[i] = w;
    probes_b.points[i] = -apply_inverse_rotation(b_in_a.rotation, w);
}

void Search::fill_probes() {
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

void Search::improve(SatAxisKind kind, double separation, const DVec3& normal, std::uint32_t feature_a,
                     std::uint32_t feature_b) {
    best = {kind, separation, normal, feature_a, feature_b};
    if (probes_a.count > 0) {
        set_probe(Probes::most - 1, normal);
        probes_a.count = Probes::most;
        probes_b.count = Probes::most;
    }
}

void Search::faces_of(const SatPolytope& p, const SatPolytope& q, const Frame& q_in_p, const Probes& probes) {
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
            if (trace != nullptr) {
                trace->events.emplace_back(
                    of_a ? trace::Axis{trace::AxisKind::face_a, n, separation, f, 0, is_best}
                         : trace::Axis{trace::AxisKind::face_b, -(b_in_a.rotation * n), separation, 0, f, is_best});
            }
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
                improve(SatAxisKind::face_a, separation, n, f, 0);
            } else {
                improve(SatAxisKind::face_b, separation, -(b_in_a.rotation * n), 0, f);
            }
        }
    }
}

// The edges of p that may belong to a better axis than the best one: the axes of an edge lie between the normals of its
// two faces. The support points along these are the best ones to ask: on a fine mesh only the edges about the deepest
// point are left.
std::size_t Search::edges_in_question(const SatPolytope& p, const SatPolytope& q, const Frame& q_in_p,
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

EdgeData edge_data(const SatPolytope& p, std::uint32_t index) {
    const ConvexHull::Edge& edge = p.edges[index];
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
    out.doubt = sat_normal_error + (length > 0.0 ? 2e-7 * double(p.shape->bounding_radius) / length : 1.0);
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
void Search::pairs_of_edges() {
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
                if (!(sine2 > parallel_edges_sine_squared)) {
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
                if (std::min(out_of_a, out_of_b) < -sat_normal_error * size) {
                    continue;
                }
                ++axes;
                const auto measured = [&](double separation, bool is_best) {
                    if (trace != nullptr) {
                        trace->events.emplace_back(
                            trace::Axis{trace::AxisKind::edges, n, separation, ea.index, eb.index, is_best});
                    }
                };
                const double bound = glm::dot(n, eb.point - ea.point);
                if (!beats_best(bound)) {
                    measured(bound, false);
                    continue;
                }
                const double separation = glm::dot(n, support_in(b_in_a, b, -n) - core_support(*a.shape, n));
                measured(separation, beats_best(separation));
                if (beats_best(separation)) {
                    improve(SatAxisKind::edges, separation, n, ea.index, eb.index);
                }
            }
        }
    }
}

} // namespace

bool sat_answers(const Shape& shape) {
    return shape.kind == ShapeKind::box || shape.kind == ShapeKind::hull;
}

std::vector<Vec3> sat_face(const Shape& shape, std::uint32_t face) {
    const SatPolytope polytope(shape);
    std::vector<Vec3> out;
    for (const std::uint32_t i : polytope.face(face)) {
        out.push_back(polytope.vertices[i]);
    }
    return out;
}

std::array<Vec3, 2> sat_edge(const Shape& shape, std::uint32_t edge) {
    const SatPolytope polytope(shape);
    return {polytope.vertices[polytope.edges[edge].vertex_a], polytope.vertices[polytope.edges[edge].vertex_b]};
}

SatResult sat(const Shape& shape_a, const Transform& pose_a, const Shape& shape_b, const Transform& pose_b,
              QueryTrace* trace) {
    const Frame world = frame_of(pose_a);
    const SatPolytope a(shape_a);
    const SatPolytope b(shape_b);
    Frame b_in_a = relative_frame(world, frame_of(pose_b));
    const double size = double(shape_a.bounding_radius) + double(shape_b.bounding_radius);

    const Search search(a, b, b_in_a, trace);
    SatResult out;
    out.axes = search.axes;
    const SatAxis& best = search.best;
    if (best.kind == SatAxisKind::none) {
        return out;
    }
    // In penetration B is moved out by the depth: then the nearest points are where the two shapes touch.
    const bool apart = best.separation > -undecided_ratio * size;
    const double along = apart ? std::max(best.separation, 0.0) : 0.0;
    if (!apart) {
        b_in_a.position -= best.normal * best.separation;
    }
    NearestPoints nearest;
    auto witness = trace::WitnessFrom::axis;
    if (!witness_of_axis(a, b, b_in_a, best, along, undecided_ratio * size, nearest)) {
        nearest = nearest_features(a, b, b_in_a, best.normal, along, size);
        witness = trace::WitnessFrom::features;
    }
    if (trace != nullptr) {
        trace->events.emplace_back(
            trace::SatEnd{out.axes, a.faces.size() + b.faces.size(), a.edges.size() * b.edges.size(), witness});
    }
    double distance = best.separation;
    DVec3 normal = best.normal;
    DVec3 on_b = nearest.on_b;
    if (!apart) {
        on_b += best.normal * best.separation;
    } else if (nearest.distance > along + undecided_ratio * size) {
        // Where the two are almost the same, the axis may be the better direction: points on nearly parallel features
        // are hard to distinguish from their neighbours.
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
    if (trace != nullptr) {
        trace->events.emplace_back(trace::Answer{out.status, distance, normal, nearest.on_a, on_b});
    }
    return out;
}

} // namespace cairn::algorithms
