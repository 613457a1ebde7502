// Errors 5 and 11: the expanding polytope.
#include "physics/query/distance.h"
#include "physics/query/epa.h"
#include "tests/physics/known_errors/difference.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cairn::physics {
namespace {

using known_errors::Difference;
using known_errors::DVec3;
using oracle::Random;

const Shape unit_box = oracle::make(Box{Vec3(1.0f)});

using Face = std::array<std::size_t, 3>;
using Edge = std::pair<std::size_t, std::size_t>;

struct Polytope {
    std::vector<DVec3> points;
    std::vector<Face> faces; // counter-clockwise from outside

    DVec3 normal(const Face& f) const {
        return glm::normalize(glm::cross(points[f[1]] - points[f[0]], points[f[2]] - points[f[0]]));
    }
    double offset(const Face& f) const { return glm::dot(normal(f), points[f[0]]); }
    double volume() const {
        double six = 0.0;
        for (const Face& f : faces) {
            six += glm::dot(points[f[0]], glm::cross(points[f[1]], points[f[2]]));
        }
        return six / 6.0;
    }
};

Polytope tetrahedron(const DVec3& a, const DVec3& b, const DVec3& c, const DVec3& d) {
    Polytope t{{a, b, c, d}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
    if (t.volume() < 0.0) {
        std::swap(t.points[0], t.points[1]);
    }
    return t;
}

// The rim of the faces: edges that are not there in the other direction as well.
std::vector<Edge> unique_edges(const std::vector<Face>& faces) {
    std::vector<Edge> edges;
    for (const Face& f : faces) {
        for (std::size_t i = 0; i < 3; ++i) {
            const auto reverse = std::find(edges.begin(), edges.end(), Edge{f[(i + 1) % 3], f[i]});
            if (reverse != edges.end()) {
                edges.erase(reverse);
            } else {
                edges.emplace_back(f[i], f[(i + 1) % 3]);
            }
        }
    }
    return edges;
}

// Replaces the faces that `sees` by a cone to the new point.
template <typename Sees>
Polytope expanded(Polytope p, const DVec3& point, Sees&& sees) {
    std::vector<Face> seen, kept;
    for (const Face& f : p.faces) {
        (sees(f) ? seen : kept).push_back(f);
    }
    p.points.push_back(point);
    for (const auto& [from, to] : unique_edges(seen)) {
        kept.push_back({from, to, p.points.size() - 1});
    }
    p.faces = kept;
    return p;
}

bool before_the_plane(const Polytope& p, const Face& f, const DVec3& point) {
    return glm::dot(p.normal(f), point - p.points[f[0]]) > 0.0;
}

namespace as_in_the_source {

// By the square of the distance: a face that the origin lies beyond is as near as one that it lies before.
Face closest_face_by_square(const Polytope& p) {
    return *std::min_element(p.faces.begin(), p.faces.end(), [&p](const Face& a, const Face& b) {
        return p.offset(a) * p.offset(a) < p.offset(b) * p.offset(b);
    });
}

// A face counts as seen if its normal points the way of the new point as seen from the origin.
bool before_the_origin(const Polytope& p, const Face& f, const DVec3& point) {
    return glm::dot(p.normal(f), point) > 0.0;
}

} // namespace as_in_the_source

Face closest_face(const Polytope& p) {
    return *std::min_element(p.faces.begin(), p.faces.end(),
                             [&p](const Face& a, const Face& b) { return p.offset(a) < p.offset(b); });
}

// EPA that stops where a support gains no more than `enough`, m.
template <typename Closest>
double depth_by_expanding(const Difference& support, Polytope p, double enough, Closest&& closest) {
    for (int step = 0; step < 200; ++step) {
        const Face f = closest(p);
        const DVec3 point = support(p.normal(f));
        if (glm::dot(p.normal(f), point) - p.offset(f) <= enough) {
            return p.offset(f);
        }
        p = expanded(p, point, [&](const Face& other) { return before_the_plane(p, other, point); });
    }
    return -1.0;
}

// 5: a millimetre is more than half of these boxes.
TEST(KnownErrors, DepthScalesWithTheShapes) {
    const Shape tiny = oracle::make(Box{Vec3(3e-4f)});
    const Transform aside{Vec3(1e-4f, 0, 0)};
    const Difference support{tiny, {}, tiny, aside};
    const Polytope start = tetrahedron(support(DVec3(1, 1, 1)), support(DVec3(1, -1, -1)), support(DVec3(-1, 1, -1)),
                                       support(DVec3(-1, -1, 1)));
    const double truth = 5e-4;
    const double stopped = depth_by_expanding(support, start, 1e-3, closest_face);
    EXPECT_LT(stopped, 0.7 * truth);
    EXPECT_NEAR(depth_by_expanding(support, start, 1e-9, closest_face), truth, 1e-8);
    EXPECT_NEAR(double(signed_distance(tiny, {}, tiny, aside).distance), -truth, 1e-8);

    Random random(20);
    for (int i = 0; i < 300; ++i) {
        const Quat qa = random.orientation();
        const Quat qb = random.orientation();
        const Vec3 offset(random.direction() * random.between(0.0, 1.5));
        const double large = double(signed_distance(unit_box, {Vec3(0), qa}, unit_box, {offset, qb}).distance);
        const Shape small_box = oracle::make(Box{Vec3(1e-3f)});
        const double small =
            double(signed_distance(small_box, {Vec3(0), qa}, small_box, {offset * 1e-3f, qb}).distance);
        ASSERT_NEAR(small * 1e3, large, 1e-5 * std::abs(large) + 1e-6) << i;
    }
}

// 5: the start does not hold the origin (as after padding, 4): it lies 0.6 m beyond the lower face, whose square is
// greater than that of the nearest face before it.
TEST(KnownErrors, FacesBehindTheOriginAreNearest) {
    const Shape box = oracle::make(Box{Vec3(1.0f, 1.0f, 1.2f)});
    const Transform pose{-Vec3(1.7f, 1.7f, 2.2f)};
    const Difference support{box, {}, box, pose}; // from (-0.3, -0.3, -0.2) to (3.7, 3.7, 4.6)
    const DVec3 corner(-0.3, -0.3, 0.6);
    const Polytope start =
        tetrahedron(corner, corner + DVec3(4, 0, 0), corner + DVec3(0, 4, 0), corner + DVec3(0, 0, 4));
    EXPECT_NEAR(start.offset(as_in_the_source::closest_face_by_square(start)), 0.3, 1e-12);
    EXPECT_NEAR(start.offset(closest_face(start)), -0.6, 1e-12);
    EXPECT_NEAR(depth_by_expanding(support, start, 1e-9, as_in_the_source::closest_face_by_square), 0.3, 1e-6);
    EXPECT_NEAR(depth_by_expanding(support, start, 1e-9, closest_face), 0.2, 1e-6);
    const DistanceResult r = signed_distance(box, {}, box, pose);
    EXPECT_NEAR(r.distance, -0.2f, 1e-6f);
    EXPECT_LT(glm::length(r.normal - Vec3(0, 0, -1)), 1e-6f);
}

// 11: the polytope only ever grows. A point a little before one face of a regular tetrahedron, near a corner, also lies
// on the outer side of the neighbours as seen from the origin, but behind their planes: to remove them cuts the corner
// off.
TEST(KnownErrors, ExpandingDoesNotShrink) {
    const Polytope start = tetrahedron(DVec3(1, 1, 1), DVec3(1, -1, -1), DVec3(-1, 1, -1), DVec3(-1, -1, 1));
    const Face& f = start.faces[0];
    const DVec3 corner = start.points[f[0]];
    const DVec3 middle = (start.points[f[0]] + start.points[f[1]] + start.points[f[2]]) / 3.0;
    const DVec3 point = 0.9 * corner + 0.1 * middle + 0.02 * start.normal(f);
    const auto from_origin = [&](const Face& face) { return as_in_the_source::before_the_origin(start, face, point); };
    const auto from_plane = [&](const Face& face) { return before_the_plane(start, face, point); };
    EXPECT_EQ(std::count_if(start.faces.begin(), start.faces.end(), from_origin), 3);
    EXPECT_EQ(std::count_if(start.faces.begin(), start.faces.end(), from_plane), 1);
    EXPECT_LT(expanded(start, point, from_origin).volume(), 0.99 * start.volume());
    EXPECT_GT(expanded(start, point, from_plane).volume(), start.volume());
}

// 11: a normal that is turned round without its winding. The edge between two removed faces then has one direction in
// both and stays; where all normals have been turned to point away from the origin, all faces can be seen at once, and
// no edge is left to build on: boxes fall through each other.
TEST(KnownErrors, SharedEdgesCancel) {
    Polytope start = tetrahedron(DVec3(1, 1, 1), DVec3(1, -1, -1), DVec3(-1, 1, -1), DVec3(-1, -1, 1));
    EXPECT_EQ(unique_edges({start.faces[0], start.faces[1]}).size(), 4u);
    std::swap(start.faces[0][1], start.faces[0][2]); // a fresh face that came out inside out
    EXPECT_LT(start.offset(start.faces[0]), 0.0) << "here the source flips the normal, and only the normal";
    EXPECT_EQ(unique_edges({start.faces[0], start.faces[1]}).size(), 6u);

    // The origin a centimetre below the lowest face. Its normal, turned, points up; the support above is before all.
    const Polytope above =
        tetrahedron(DVec3(-0.4, -0.4, 0.01), DVec3(2, -0.4, 0.01), DVec3(-0.4, 2, 0.01), DVec3(-0.4, -0.4, 1.9));
    const DVec3 point(-0.5, -0.5, 2.0);
    std::vector<Face> seen, seen_from_plane;
    for (const Face& f : above.faces) {
        const double turn = above.offset(f) < 0.0 ? -1.0 : 1.0;
        if (turn * glm::dot(above.normal(f), point) > 0.0) {
            seen.push_back(f);
        }
        if (before_the_plane(above, f, point)) {
            seen_from_plane.push_back(f);
        }
    }
    EXPECT_EQ(seen.size(), 4u);
    EXPECT_TRUE(unique_edges(seen).empty());
    EXPECT_EQ(unique_edges(seen_from_plane).size(), seen_from_plane.size() + 2);

    const Shape box = oracle::make(Box{Vec3(0.75f, 0.75f, 0.575f)}); // A minus B from (-0.5, -0.5, -0.3)
    const DistanceResult r = signed_distance(box, {}, box, {-Vec3(1.0f, 1.0f, 0.85f)});
    EXPECT_EQ(r.status, QueryStatus::overlapping);
    EXPECT_NEAR(r.distance, -0.3f, 1e-6f);
}

// 11 goes on: boxes resting flush, with coplanar facets everywhere in their difference.
TEST(KnownErrors, FlushBoxesHaveTheirDepth) {
    for (const float depth : {1e-4f, 1e-3f, 0.1f, 0.5f}) {
        for (const float side : {0.0f, 0.1f, 0.9f}) {
            const DistanceResult r = signed_distance(unit_box, {}, unit_box, {Vec3(side, 0, 2.0f - depth)});
            ASSERT_NEAR(r.distance, -depth, 1e-6f);
            ASSERT_LT(glm::length(r.normal - Vec3(0, 0, 1)), 1e-6f);
            ASSERT_LE(r.epa_iterations, 20);
            ASSERT_LT(glm::length(r.point_b - r.point_a - r.normal * r.distance), 1e-5f);
        }
    }
}

// The polytope alone, from every dimension of the last simplex.
TEST(KnownErrors, PolytopeBoundsItsAnswer) {
    Random random(22);
    std::array<int, 5> from{};
    for (int i = 0; i < 2000; ++i) {
        const Vec3 offset = i % 4 == 0 ? Vec3(0.0f) : Vec3(random.direction() * random.between(0.0, 1.0));
        const Quat q = i % 3 == 0 ? identity_orientation : random.orientation();
        const CorePair pair = core_pair(unit_box, unit_box, relative_frame(frame_of({}), frame_of({offset, q})));
        const GjkResult g = gjk(pair, 1e300, -1.0, between_centres(pair));
        ASSERT_EQ(g.outcome, GjkResult::Outcome::touching);
        ++from[g.count];
        const EpaResult e = epa(pair, g);
        ASSERT_GE(e.depth, e.lower - 1e-9);
        ASSERT_LT(e.depth - e.lower, 1e-5);
        ASSERT_NEAR(glm::length(e.normal), 1.0, 1e-9);
    }
    EXPECT_GT(from[4], 0);
    EXPECT_GT(from[2] + from[3], 0);
}

} // namespace
} // namespace cairn::physics
