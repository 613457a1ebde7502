#include "physics/query/manifold/box_manifold.h"

#include "physics/query/distance/box_axes.h"
#include "physics/query/distance/fast_pairs.h"
#include "physics/query/manifold/box_separations.h"
#include "physics/query/manifold/patch/contact_points.h"
#include "physics/query/manifold/patch/four_points.h"

namespace cairn::physics {

namespace boxes {
namespace {

// A corner of the incident face as it is clipped, in the frame of the reference face: two coordinates in its plane, and
// the height over it.
struct Corner {
    double u, v, height;
    std::uint32_t feature;
    std::uint32_t leaving; // the edge of the polygon that starts here: edge k of the incident face, or 4 + a side
};

// A rectangle has four corners, and each side of the other that cuts it adds one at most.
using Corners = std::array<Corner, 8>;

// The names that contact_patch() gives to the parts of a box: a corner by its signs; an edge by its axis and the signs
// of the two coordinates that follow.
std::uint32_t corner_name(const std::array<unsigned, 3>& sign) {
    return sign[0] + 2u * sign[1] + 4u * sign[2];
}
std::uint32_t edge_name(int axis, unsigned next, unsigned last) {
    return static_cast<unsigned>(axis) * 4u + next + 2u * last;
}

// The reference face and its sides. Side s of 0..3: u <= half_u, v <= half_v, u >= -half_u, v >= -half_v.
struct ReferenceFace {
    int axis = 0;
    bool positive = true;
    double half_u = 0.0, half_v = 0.0;
    bool is_a = true;

    std::uint32_t side_name(int side) const {
        const unsigned face = positive ? 1u : 0u;
        const unsigned sign = side < 2 ? 1u : 0u;
        // The sides at the ends of u run along v, the axis before this one, and the other way round.
        return side % 2 == 0 ? edge_name(preceding[axis], face, sign) : edge_name(following[axis], sign, face);
    }
    // The corner where a side along u and one along v meet.
    std::uint32_t corner_feature(int first, int second) const {
        std::array<unsigned, 3> sign{};
        sign[axis] = positive ? 1u : 0u;
        for (const int side : {first, second}) {
            sign[side % 2 == 0 ? following[axis] : preceding[axis]] = side < 2 ? 1u : 0u;
        }
        return feature_id(is_a ? PointFeature::vertex_a : PointFeature::vertex_b, corner_name(sign));
    }
};

struct IncidentFace {
    std::array<std::uint32_t, 4> edges; // names, from the corner of the same number to the next
};

// Cuts the polygon at one side. Corners up to `slack` outside count as inside, and stand for the crossing there: as in
// clip(). Returns the new count.
int cut(const Corner* from, int count, Corner* to, const ReferenceFace& face, const IncidentFace& incident, int side,
        double slack) {
    const double sign = side < 2 ? 1.0 : -1.0;
    const bool along_u = side % 2 == 0;
    const double half = along_u ? face.half_u : face.half_v;
    std::array<double, 8> outside;
    for (int i = 0; i < count; ++i) {
        outside[i] = sign * (along_u ? from[i].u : from[i].v) - half;
    }
    const auto new_edge = static_cast<std::uint32_t>(4 + side);
    int kept = 0;
    for (int i = 0; i < count && kept < 8; ++i) {
        const int next = i + 1 < count ? i + 1 : 0;
        const Corner& p = from[i];
        const double p_side = outside[i];
        const double q_side = outside[next];
        const bool p_inside = p_side <= slack;
        const bool q_inside = q_side <= slack;
        if (p_inside) {
            to[kept] = p;
            if (!q_inside && p_side >= 0.0) {
                to[kept].leaving = new_edge;
            }
            ++kept;
        }
        if (p_inside == q_inside || !((p_inside ? p_side : q_side) < 0.0) || kept == 8) {
            continue;
        }
        const Corner& q = from[next];
        const double f = p_side / (p_side - q_side);
        std::uint32_t feature = 0;
        if (p.leaving >= 4) {
            feature = face.corner_feature(static_cast<int>(p.leaving - 4), side);
        } else {
            const std::uint32_t edge = incident.edges[p.leaving];
            feature = face.is_a ? feature_id(PointFeature::edges, face.side_name(side), edge)
                                : feature_id(PointFeature::edges, edge, face.side_name(side));
        }
        to[kept++] = {p.u + (q.u - p.u) * f, p.v + (q.v - p.v) * f, p.height + (q.height - p.height) * f, feature,
                      p_inside ? new_edge : p.leaving};
    }
    return kept;
}

// The corners of the incident face, in the order and with the names of contact_patch(), cut to the reference face, in
// one of the two arrays. `y` is the incident box as the reference box sees it.
Corner* clip_faces(const ReferenceFace& face, double half_reference, const Three& half_y, const BoxPose& y,
                   double slack, Corners& here, Corners& there, int& count) {
    const int iu = following[face.axis];
    const int iv = preceding[face.axis];
    const double towards = face.positive ? 1.0 : -1.0;
    // Of the incident box, the face that looks most against the reference face.
    const Three facing{-towards * y.rotation[0][face.axis], -towards * y.rotation[1][face.axis],
                       -towards * y.rotation[2][face.axis]};
    const Three size{std::abs(facing[0]), std::abs(facing[1]), std::abs(facing[2])};
    const int l = size[0] >= size[1] && size[0] >= size[2] ? 0 : (size[1] >= size[2] ? 1 : 2);
    const int l1 = following[l];
    const int l2 = preceding[l];
    const unsigned positive = facing[l] >= 0.0 ? 1u : 0u;
    // Centre and half edges of the face, in the coordinates of a corner.
    const double out_l = with_sign_of(half_y[l], facing[l]);
    const Three centre{y.centre[iu] + y.rotation[l][iu] * out_l, y.centre[iv] + y.rotation[l][iv] * out_l,
                       towards * (y.centre[face.axis] + y.rotation[l][face.axis] * out_l) - half_reference};
    const Three e1{y.rotation[l1][iu] * half_y[l1], y.rotation[l1][iv] * half_y[l1],
                   towards * y.rotation[l1][face.axis] * half_y[l1]};
    const Three e2{y.rotation[l2][iu] * half_y[l2], y.rotation[l2][iv] * half_y[l2],
                   towards * y.rotation[l2][face.axis] * half_y[l2]};
    const std::uint32_t kind =
        feature_id(face.is_a ? PointFeature::vertex_b : PointFeature::vertex_a, positive << l, 0);
    // Counter-clockwise seen from outside: (+ +) (- +) (- -) (+ -) round a positive axis, backwards round a negative.
    constexpr std::array<unsigned, 4> first{1, 0, 0, 1};
    constexpr std::array<unsigned, 4> second{1, 1, 0, 0};
    IncidentFace incident;
    for (std::uint32_t k = 0; k < 4; ++k) {
        const std::uint32_t at = positive != 0 ? k : 3 - k;
        const unsigned s1 = first[at];
        const unsigned s2 = second[at];
        const double f1 = s1 != 0 ? 1.0 : -1.0;
        const double f2 = s2 != 0 ? 1.0 : -1.0;
        here[k] = {centre[0] + f1 * e1[0] + f2 * e2[0], centre[1] + f1 * e1[1] + f2 * e2[1],
                   centre[2] + f1 * e1[2] + f2 * e2[2],
                   kind + feature_id(PointFeature::vertex_a, (s1 << l1) + (s2 << l2)), k};
        // The first edge runs along the first axis, and so in turn.
        const bool along_first = (at % 2 == 0) == (positive != 0);
        incident.edges[k] = along_first ? edge_name(l1, s2, positive) : edge_name(l2, positive, s1);
    }
    const double reach_u = std::abs(e1[0]) + std::abs(e2[0]) - face.half_u;
    const double reach_v = std::abs(e1[1]) + std::abs(e2[1]) - face.half_v;
    const std::array<double, 4> beyond{centre[0] + reach_u, centre[1] + reach_v, reach_u - centre[0],
                                       reach_v - centre[1]};
    count = 4;
    Corner* from = here.data();
    Corner* to = there.data();
    // Round the face as contact_patch() goes.
    for (int k = 0; k < 4; ++k) {
        const int side = face.positive ? (k + 1) % 4 : 3 - k;
        if (beyond[side] > slack && count > 0) {
            count = cut(from, count, to, face, incident, side, slack);
            std::swap(from, to);
        }
    }
    return from;
}

// Drops the points that are too far off, and of two with one name the higher.
int select(Corner* c, int count, double speculative) {
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        if (c[i].height > speculative) {
            continue;
        }
        int same = 0;
        while (same < kept && c[same].feature != c[i].feature) {
            ++same;
        }
        if (same == kept) {
            if (kept != i) {
                c[kept] = c[i];
            }
            ++kept;
        } else if (c[i].height < c[same].height) {
            c[same] = c[i];
        }
    }
    return kept;
}

DVec3 vector_of(const Three& v) {
    return DVec3(v[0], v[1], v[2]);
}

// The pair and what has been measured of it.
struct Boxes {
    const Shape &a, &b;
    const Transform &pose_a, &pose_b;
    const Three &half_a, &half_b;
    const Columns& world_a; // of the rotation of A
    const BoxPose& pose;    // of B as A sees it
    const Separations& axes;
    double speculative, smaller, tolerance;
    KeptFeatures kept;
};

// Contact carried by the face of one box across `axis`, on the positive side of it or the negative. False, and nothing
// filled, unless the deepest point over the face lies between `from` and `to`, m.
bool face_contact(const Boxes& boxes, bool is_a, int axis, bool positive, double from, double to, Manifold& out) {
    const int iu = following[axis];
    const int iv = preceding[axis];
    const Three& half = is_a ? boxes.half_a : boxes.half_b;
    const ReferenceFace reference{axis, positive, half[iu], half[iv], is_a};
    BoxPose a_in_b;
    if (!is_a) {
        const Columns& r = boxes.pose.rotation;
        const Three& along_b = boxes.axes.along_b;
        a_in_b = {
            {Three{r[0][0], r[1][0], r[2][0]}, Three{r[0][1], r[1][1], r[2][1]}, Three{r[0][2], r[1][2], r[2][2]}},
            {-along_b[0], -along_b[1], -along_b[2]}};
    }
    Corners here;
    Corners there;
    int count = 0;
    Corner* points = clip_faces(reference, half[axis], is_a ? boxes.half_b : boxes.half_a, is_a ? boxes.pose : a_in_b,
                                boxes.tolerance, here, there, count);
    count = select(points, count, boxes.speculative);
    double deepest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < count; ++i) {
        deepest = std::min(deepest, points[i].height);
    }
    if (!(deepest >= from && deepest <= to)) {
        return false;
    }
    const double outwards = positive ? 1.0 : -1.0;
    std::array<int, 4> chosen;
    count = choose_four(points, count, depth_band * boxes.smaller, is_a ? outwards : -outwards, boxes.kept, chosen);

    const Columns world = is_a ? boxes.world_a : columns_of(boxes.pose_b.orientation);
    const Three n{world[axis][0] * outwards, world[axis][1] * outwards, world[axis][2] * outwards};
    const Vec3& centre = is_a ? boxes.pose_a.position : boxes.pose_b.position;
    const Three middle{double(centre.x) + n[0] * half[axis], double(centre.y) + n[1] * half[axis],
                       double(centre.z) + n[2] * half[axis]}; // of the face
    const Vec3 normal(n[0], n[1], n[2]);
    out.normal = is_a ? normal : -normal;
    out.count = count;
    for (int i = 0; i < count; ++i) {
        const Corner& c = points[chosen[static_cast<std::size_t>(i)]];
        Three p;
        for (std::size_t k = 0; k < 3; ++k) {
            p[k] = middle[k] + world[iu][k] * c.u + world[iv][k] * c.v;
        }
        const Vec3 on_reference(p[0], p[1], p[2]);
        const Vec3 on_incident(p[0] + n[0] * c.height, p[1] + n[1] * c.height, p[2] + n[2] * c.height);
        ManifoldPoint& to_fill = out.points[static_cast<std::size_t>(i)];
        to_fill.point_a = is_a ? on_reference : on_incident;
        to_fill.point_b = is_a ? on_incident : on_reference;
        to_fill.separation = float(c.height);
        to_fill.feature = c.feature;
    }
    return true;
}

// Two edges that cross are the nearest features. False where collide_boxes() says that it has no answer.
bool edge_contact(const Boxes& boxes, Manifold& out) {
    const Separations& s = boxes.axes;
    const Columns& rotation = boxes.pose.rotation;
    const double scale = with_sign_of(1.0 / std::sqrt(s.sine_squared), s.offset);
    const Three& edge = rotation[s.edge_b];
    Three n{};
    n[following[s.edge_a]] = -edge[preceding[s.edge_a]] * scale;
    n[preceding[s.edge_a]] = edge[following[s.edge_a]] * scale;
    if (s.sine_squared <= parallel_sine * parallel_sine) {
        return false; // edges side by side
    }
    BoxAxes axes;
    axes.edge_a = s.edge_a;
    axes.edge_b = s.edge_b;
    axes.edges.normal = vector_of(n);
    const DMat3 b_in_a(vector_of(rotation[0]), vector_of(rotation[1]), vector_of(rotation[2]));
    DVec3 on_a;
    DVec3 on_b;
    box_edge_points(DVec3(boxes.a.half_extents), DVec3(boxes.b.half_extents), {b_in_a, vector_of(boxes.pose.centre)},
                    axes, on_a, on_b);
    const DVec3 missed = on_b - on_a - axes.edges.normal * s.edges;
    const double rounding = 1e-12 * (double(boxes.a.bounding_radius) + double(boxes.b.bounding_radius));
    if (s.edges > 0.0 && glm::dot(missed, missed) > rounding * rounding) {
        return false; // the edges end before their nearest points
    }
    // Faces a little askew: if no point over the face is much deeper than the edges, it carries the contact.
    for (const bool is_a : {true, false}) {
        for (int i = 0; i < 3; ++i) {
            const double lean = is_a ? n[i] : -along(n, rotation[i]);
            if (std::abs(lean) > askew_cosine) {
                const double from = s.edges - 2.0 * boxes.tolerance - (preference_of_depth + 0.05) * std::abs(s.edges);
                const double to = s.edges + 0.5 * boxes.tolerance;
                if (face_contact(boxes, is_a, i, lean > 0.0, from, to, out)) {
                    return true;
                }
            }
        }
    }
    double lean = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
        lean = std::max({lean, std::abs(n[k]), std::abs(along(n, rotation[k]))});
    }
    if (lean > askew_cosine) {
        return false;
    }
    const Columns& w = boxes.world_a;
    const DMat3 world(vector_of(w[0]), vector_of(w[1]), vector_of(w[2]));
    const DVec3 centre(boxes.pose_a.position);
    out.normal = Vec3(world * axes.edges.normal);
    out.count = 1;
    out.points[0] = {Vec3(centre + world * on_a), Vec3(centre + world * on_b), float(s.edges),
                     feature_id(PointFeature::witness, 0)};
    return true;
}

} // namespace
} // namespace boxes

bool collide_boxes(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b, double speculative,
                   KeptFeatures kept, Manifold& out) {
    using namespace boxes;
    const Three half_a = array_of(a.half_extents);
    const Three half_b = array_of(b.half_extents);
    const Columns world_a = columns_of(pose_a.orientation);
    const BoxPose pose = relative_pose(pose_a, world_a, pose_b);
    const Axes axes(half_a, half_b, pose);
    Separations s;
    axes.measure_faces(s);
    const double face = std::max(s.face_a, s.face_b);
    if (face > speculative) {
        out.apart = certainly(face, a, b);
        return true;
    }
    const double smaller = std::min(double(a.bounding_radius), double(b.bounding_radius));
    const double tolerance = preference_of_size * smaller;
    const double allowance = tolerance + preference_of_depth * std::abs(face);
    axes.measure_edges(std::min(face + allowance, speculative), s);
    if (s.edges > speculative) {
        out.apart = certainly(s.edges, a, b);
        return true;
    }
    const Boxes boxes{a, b, pose_a, pose_b, half_a, half_b, world_a, pose, s, speculative, smaller, tolerance, kept};
    if (s.edges > face + allowance) {
        return edge_contact(boxes, out);
    }
    // A point over the face at the separation of the slabs proves that this is the distance.
    constexpr double any = -std::numeric_limits<double>::infinity();
    if (s.face_a >= s.face_b - allowance) {
        return face_contact(boxes, true, s.axis_a, !std::signbit(pose.centre[s.axis_a]), any, s.face_a + allowance,
                            out);
    }
    return face_contact(boxes, false, s.axis_b, std::signbit(s.along_b[s.axis_b]), any, s.face_b + allowance, out);
}

} // namespace cairn::physics
