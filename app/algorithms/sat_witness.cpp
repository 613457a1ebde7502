#include "app/algorithms/sat_witness.h"

#include "physics/query/distance/fast_pairs.h"

#include <algorithm>

namespace cairn::algorithms {

using namespace physics;

namespace {

// Does the line through `point` along the face's normal n pass through the face?
bool over_face(const SatPolytope& p, std::size_t f, const DVec3& n, const DVec3& point) {
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

void edge_pair(const SatPolytope& a, const ConvexHull::Edge& ea, const SatPolytope& b, const ConvexHull::Edge& eb,
               const Frame& b_in_a, NearestPoints& nearest) {
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
    const SatPolytope& a;
    const SatPolytope& b;
    const Frame& b_in_a;
    DVec3 n;
    double separation;
    double size;
    NearestPoints nearest{};
    std::array<double, max_hull_vertices> behind_a; // metres, per vertex
    std::array<double, max_hull_vertices> behind_b;

    FeatureSearch(const SatPolytope& pa, const SatPolytope& pb, const Frame& frame, const DVec3& axis, double along,
                  double pair_size)
        : a(pa), b(pb), b_in_a(frame), n(axis), separation(along), size(pair_size) {}

    bool proven() const { return nearest.distance <= separation + sat_tie_ratio * size; }
    double slack() const { return nearest.distance - separation + sat_tie_ratio * size; }

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
    const SatPolytope& p = of_a ? a : b;
    const SatPolytope& q = of_a ? b : a;
    const Frame q_in_p = of_a ? b_in_a : inverse(b_in_a);
    const auto& behind_p = of_a ? behind_a : behind_b;
    const auto& behind_q = of_a ? behind_b : behind_a;
    const DVec3 outward = of_a ? n : -apply_inverse_rotation(b_in_a.rotation, n);
    for (std::size_t f = 0; f < p.faces.size(); ++f) {
        // If a vertex lies nearest to this face, the nearest points are joined by the face's normal, and the axis makes
        // an angle with it whose cosine is at least separation / distance.
        if (glm::dot(DVec3(p.planes[f].normal), outward) * nearest.distance <
            separation - sat_normal_error * nearest.distance) {
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
    for (const ConvexHull::Edge& ea : a.edges) {
        const double behind = std::min(behind_a[ea.vertex_a], behind_a[ea.vertex_b]);
        if (behind > slack()) {
            continue;
        }
        for (const ConvexHull::Edge& eb : b.edges) {
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

} // namespace

bool witness_of_axis(const SatPolytope& a, const SatPolytope& b, const Frame& b_in_a, const SatAxis& axis,
                     double separation, double eps, NearestPoints& nearest) {
    const DVec3& n = axis.normal;
    switch (axis.kind) {
    case SatAxisKind::none:
        return false;
    case SatAxisKind::face_a: {
        const DVec3 point = support_in(b_in_a, b, -n);
        if (!over_face(a, axis.feature_a, n, point)) {
            return false;
        }
        nearest.keep(point - n * separation, point);
        return true;
    }
    case SatAxisKind::face_b: {
        const DVec3 point = core_support(*a.shape, n);
        const DVec3 in_b = apply_inverse_rotation(b_in_a.rotation, point - b_in_a.position);
        if (!over_face(b, axis.feature_b, -apply_inverse_rotation(b_in_a.rotation, n), in_b)) {
            return false;
        }
        nearest.keep(point, point + n * separation);
        return true;
    }
    case SatAxisKind::edges:
        edge_pair(a, a.edges[axis.feature_a], b, b.edges[axis.feature_b], b_in_a, nearest);
        return nearest.distance <= separation + eps;
    }
    return false;
}

NearestPoints nearest_features(const SatPolytope& a, const SatPolytope& b, const Frame& b_in_a, const DVec3& axis,
                               double separation, double size) {
    FeatureSearch features(a, b, b_in_a, axis, separation, size);
    features.run();
    return features.nearest;
}

} // namespace cairn::algorithms
