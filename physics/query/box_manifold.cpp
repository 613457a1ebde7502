#include "physics/query/box_manifold.h"

#include "physics/query/box_axes.h"
#include "physics/query/contact_points.h"
#include "physics/query/fast_pairs.h"

namespace cairn::physics {
namespace {

constexpr std::array<int, 3> following{1, 2, 0};
constexpr std::array<int, 3> preceding{2, 0, 1};

// An axis along a product of edges whose sine, squared, is below this is rounding noise.
constexpr double parallel_sine_squared = 1e-16;

// One box as another sees it, or the world.
struct BoxPose {
    DMat3 rotation;
    DVec3 centre;
};

// B as A sees it. The product of the quaternions costs half of a product of matrices.
BoxPose relative_pose(const Quat& from, const DMat3& rotation_of_from, const Quat& to, const DVec3& between) {
    const double w = double(from.w);
    const DVec3 u(double(from.x), double(from.y), double(from.z));
    const double z = double(to.w);
    const DVec3 v(double(to.x), double(to.y), double(to.z));
    const DVec3 imaginary = v * w - u * z - glm::cross(u, v);
    return {rotation_of(w * z + glm::dot(u, v), imaginary.x, imaginary.y, imaginary.z),
            apply_inverse_rotation(rotation_of_from, between)};
}

DMat3 rotation_of(const Quat& q) {
    return physics::rotation_of(double(q.w), double(q.x), double(q.y), double(q.z));
}

// How the two boxes lie along the fifteen axes. Separations in m.
struct Separations {
    double face_a = -1e300, face_b = -1e300, edges = -1e300;
    int axis_a = 0, axis_b = 0;
    DVec3 along_b{0.0};                      // B's centre from A's along the axes of B
    int edge_a = 0, edge_b = 0;              // the axes that the edges run along
    double sine_squared = 0.0, offset = 0.0; // of the two edges; of the centres along their product
};

void measure_faces(const DVec3& half_a, const DVec3& half_b, const BoxPose& b, Separations& out) {
    const DMat3& r = b.rotation;
    for (int i = 0; i < 3; ++i) {
        const double reach = half_b.x * std::abs(r[0][i]) + half_b.y * std::abs(r[1][i]) + half_b.z * std::abs(r[2][i]);
        const double s = std::abs(b.centre[i]) - half_a[i] - reach;
        out.axis_a = s > out.face_a ? i : out.axis_a;
        out.face_a = s > out.face_a ? s : out.face_a;
    }
    for (int j = 0; j < 3; ++j) {
        const double along = glm::dot(b.centre, r[j]);
        const double reach = half_a.x * std::abs(r[j][0]) + half_a.y * std::abs(r[j][1]) + half_a.z * std::abs(r[j][2]);
        const double s = std::abs(along) - half_b[j] - reach;
        out.axis_b = s > out.face_b ? j : out.axis_b;
        out.face_b = s > out.face_b ? s : out.face_b;
        out.along_b[j] = along;
    }
}

// Only edges that separate by more than `bar` matter. With the gap g = s sine and s |s| growing with s, s > bar is
// g |g| > bar |bar| sine^2, which needs no root and no division.
void measure_edges(const DVec3& half_a, const DVec3& half_b, const BoxPose& b, double bar, Separations& out) {
    const DMat3& r = b.rotation;
    const DVec3& t = b.centre;
    double best_gap = bar * std::abs(bar); // of the best, g |g| and sine^2
    double best_sine = 1.0;
    for (int i = 0; i < 3; ++i) {
        const int i1 = following[i];
        const int i2 = preceding[i];
        for (int j = 0; j < 3; ++j) {
            const int j1 = following[j];
            const int j2 = preceding[j];
            // e_i x r_j has the components -r_j[i2] along i1 and r_j[i1] along i2; its length is the sine.
            const double sine_squared = r[j][i1] * r[j][i1] + r[j][i2] * r[j][i2];
            const double offset = t[i2] * r[j][i1] - t[i1] * r[j][i2];
            const double reach = half_a[i1] * std::abs(r[j][i2]) + half_a[i2] * std::abs(r[j][i1]) +
                                 half_b[j1] * std::abs(r[j2][i]) + half_b[j2] * std::abs(r[j1][i]);
            const double gap = std::abs(offset) - reach;
            if (gap * std::abs(gap) * best_sine > best_gap * sine_squared && sine_squared > parallel_sine_squared) {
                best_gap = gap * std::abs(gap);
                best_sine = sine_squared;
                out.edge_a = i;
                out.edge_b = j;
                out.edges = gap;
                out.sine_squared = sine_squared;
                out.offset = offset;
            }
        }
    }
    if (out.sine_squared > 0.0) {
        out.edges /= std::sqrt(out.sine_squared);
    }
}

// A corner of the incident face as it is clipped, in the frame of the reference face: two coordinates in its plane, and
// the height over it.
struct Corner {
    double u, v, height;
    std::uint32_t feature;
    std::uint32_t
        leaving; // the edge of the polygon that starts here: of the incident box, or a side plus `of_reference`
};
constexpr std::uint32_t of_reference = 1u << 16;

// A rectangle has four corners, and each side of the other that cuts it adds one at most.
using Corners = std::array<Corner, 8>;

// The names that contact_patch() gives to the parts of a box: a corner by its signs; an edge by its axis and the signs
// of the other two coordinates.
std::uint32_t corner_name(const std::array<unsigned, 3>& sign) {
    return sign[0] + 2u * sign[1] + 4u * sign[2];
}
std::uint32_t edge_name(int axis, const std::array<unsigned, 3>& sign) {
    return static_cast<unsigned>(axis) * 4u + sign[static_cast<std::size_t>(following[axis])] +
           2u * sign[static_cast<std::size_t>(preceding[axis])];
}

// The reference face and its sides. Side s of 0..3: u <= half_u, v <= half_v, u >= -half_u, v >= -half_v.
struct ReferenceFace {
    int axis = 0;
    bool positive = true;
    double half_u = 0.0, half_v = 0.0;
    bool is_a = true;

    std::uint32_t side_name(int side) const {
        std::array<unsigned, 3> sign{};
        sign[axis] = positive ? 1u : 0u;
        sign[side % 2 == 0 ? following[axis] : preceding[axis]] = side < 2 ? 1u : 0u;
        return edge_name(side % 2 == 0 ? preceding[axis] : following[axis], sign);
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
    std::uint32_t crossing_feature(std::uint32_t leaving, int side) const {
        if ((leaving & of_reference) != 0) {
            return corner_feature(static_cast<int>(leaving & 3u), side);
        }
        return is_a ? feature_id(PointFeature::edges, side_name(side), leaving)
                    : feature_id(PointFeature::edges, leaving, side_name(side));
    }
};

// Cuts the polygon at one side. Corners up to `slack` outside count as inside, and stand for the crossing there: as in
// clip(). Returns the new count.
int cut(const Corners& from, int count, Corners& to, const ReferenceFace& face, int side, double slack) {
    const double sign = side < 2 ? 1.0 : -1.0;
    const bool along_u = side % 2 == 0;
    const double half = along_u ? face.half_u : face.half_v;
    const auto outside = [&](const Corner& c) { return sign * (along_u ? c.u : c.v) - half; };
    int kept = 0;
    double p_side = outside(from[0]);
    for (int i = 0; i < count; ++i) {
        const Corner& p = from[i];
        const Corner& q = from[i + 1 < count ? i + 1 : 0];
        const double q_side = outside(q);
        const bool p_inside = p_side <= slack;
        const bool q_inside = q_side <= slack;
        if (p_inside && kept < 8) {
            to[kept] = p;
            if (!q_inside && p_side >= 0.0) {
                to[kept].leaving = of_reference | static_cast<std::uint32_t>(side);
            }
            ++kept;
        }
        if (p_inside != q_inside && (p_inside ? p_side : q_side) < 0.0 && kept < 8) {
            const double f = p_side / (p_side - q_side);
            to[kept++] = {p.u + (q.u - p.u) * f, p.v + (q.v - p.v) * f, p.height + (q.height - p.height) * f,
                          face.crossing_feature(p.leaving, side),
                          p_inside ? of_reference | static_cast<std::uint32_t>(side) : p.leaving};
        }
        p_side = q_side;
    }
    return kept;
}

// The corners of the incident face, in the order and with the names of contact_patch(), cut to the reference face.
// `y` is the incident box as the reference box sees it, and the reference face the one of its `face.axis`.
int clip_faces(const ReferenceFace& face, double half_reference, const DVec3& half_y, const BoxPose& y, double slack,
               Corners& corners) {
    const int iu = following[face.axis];
    const int iv = preceding[face.axis];
    const double towards = face.positive ? 1.0 : -1.0;
    // Of the incident box, the face that looks most against the reference face.
    const DVec3 facing(-towards * y.rotation[0][face.axis], -towards * y.rotation[1][face.axis],
                       -towards * y.rotation[2][face.axis]);
    const DVec3 size = glm::abs(facing);
    const int l = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
    const int l1 = following[l];
    const int l2 = preceding[l];
    const bool positive = facing[l] >= 0.0;
    const DVec3 centre = y.centre + y.rotation[l] * (positive ? half_y[l] : -half_y[l]);
    const DVec3 e1 = y.rotation[l1] * half_y[l1];
    const DVec3 e2 = y.rotation[l2] * half_y[l2];
    const PointFeature kind = face.is_a ? PointFeature::vertex_b : PointFeature::vertex_a;
    // Counter-clockwise seen from outside: (+ +) (- +) (- -) (+ -) round a positive axis, backwards round a negative.
    constexpr std::array<unsigned, 4> first{1, 0, 0, 1};
    constexpr std::array<unsigned, 4> second{1, 1, 0, 0};
    for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t at = positive ? k : 3 - k;
        const std::size_t next = positive ? (k + 1) % 4 : (6 - k) % 4;
        std::array<unsigned, 3> sign{};
        sign[l] = positive ? 1u : 0u;
        sign[l1] = first[at];
        sign[l2] = second[at];
        const DVec3 p = centre + (first[at] != 0 ? e1 : -e1) + (second[at] != 0 ? e2 : -e2);
        corners[k] = {p[iu], p[iv], towards * p[face.axis] - half_reference, feature_id(kind, corner_name(sign)),
                      edge_name(first[at] != first[next] ? l1 : l2, sign)};
    }
    const double reach_u = std::abs(e1[iu]) + std::abs(e2[iu]);
    const double reach_v = std::abs(e1[iv]) + std::abs(e2[iv]);
    const std::array<double, 4> beyond{centre[iu] + reach_u - face.half_u, centre[iv] + reach_v - face.half_v,
                                       -centre[iu] + reach_u - face.half_u, -centre[iv] + reach_v - face.half_v};
    int count = 4;
    Corners other;
    // Round the face as contact_patch() goes.
    const std::array<int, 4> order = face.positive ? std::array<int, 4>{1, 2, 3, 0} : std::array<int, 4>{3, 2, 1, 0};
    for (const int side : order) {
        if (beyond[side] > slack && count > 0) {
            count = cut(corners, count, other, face, side, slack);
            corners = other;
        }
    }
    return count;
}

// Drops the points that are too far off, and of two with one name the higher.
int select(Corners& c, int count, double speculative) {
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
            c[kept++] = c[i];
        } else if (c[i].height < c[same].height) {
            c[same] = c[i];
        }
    }
    return kept;
}

// As reduce() in contact_points.h, in the plane of the face. `turn` is the sign of the contact's normal along u x v.
int reduce_in_plane(Corners& c, int count, double band, double turn) {
    if (count <= 4) {
        return count;
    }
    constexpr double clearly = 1.0 + 1e-3;
    double deepest = c[0].height;
    for (int i = 1; i < count; ++i) {
        deepest = std::min(deepest, c[i].height);
    }
    int first = -1;
    for (int i = 0; i < count; ++i) {
        if (c[i].height <= deepest + band && (first < 0 || c[i].feature < c[first].feature)) {
            first = i;
        }
    }
    const Corner p = c[first];
    int second = -1;
    double farthest = 0.0;
    for (int i = 0; i < count; ++i) {
        const double du = c[i].u - p.u;
        const double dv = c[i].v - p.v;
        const double reach = du * du + dv * dv;
        if (i != first && (second < 0 || reach > farthest * clearly)) {
            farthest = reach;
            second = i;
        }
    }
    const auto turned = [&](const Corner& from, const Corner& to, const Corner& x) {
        return turn * ((to.u - from.u) * (x.v - from.v) - (to.v - from.v) * (x.u - from.u));
    };
    int left = -1;
    int right = -1;
    double most_left = 0.0;
    double most_right = 0.0;
    for (int i = 0; i < count; ++i) {
        if (i == first || i == second) {
            continue;
        }
        const double area = turned(p, c[second], c[i]);
        if (area > most_left * clearly) {
            most_left = area;
            left = i;
        } else if (-area > most_right * clearly) {
            most_right = -area;
            right = i;
        }
    }
    std::array<int, 4> keep{first, second, left, right};
    if ((left < 0) != (right < 0)) {
        // All points on one side: the fourth is the one that adds most to the triangle.
        const int third = left >= 0 ? left : right;
        const double side = left >= 0 ? 1.0 : -1.0;
        int fourth = -1;
        double most = 0.0;
        for (int i = 0; i < count; ++i) {
            if (i != first && i != second && i != third) {
                const double added =
                    std::max(-side * turned(c[third], p, c[i]), -side * turned(c[second], c[third], c[i]));
                if (added > most * clearly) {
                    most = added;
                    fourth = i;
                }
            }
        }
        keep = {first, second, third, fourth};
    }
    std::array<Corner, 4> kept;
    int n = 0;
    for (const int k : keep) {
        if (k >= 0) {
            kept[n++] = c[k];
        }
    }
    std::copy(kept.begin(), kept.begin() + n, c.begin());
    return n;
}

} // namespace

bool collide_boxes(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b, double speculative,
                   Manifold& out) {
    const DVec3 half_a(a.half_extents);
    const DVec3 half_b(b.half_extents);
    const DMat3 world_a = rotation_of(pose_a.orientation);
    const BoxPose pose =
        relative_pose(pose_a.orientation, world_a, pose_b.orientation, DVec3(pose_b.position) - DVec3(pose_a.position));
    Separations s;
    measure_faces(half_a, half_b, pose, s);
    const double face = std::max(s.face_a, s.face_b);
    if (face > speculative) {
        out.apart = certainly(face, a, b);
        return true;
    }
    const double smaller = std::min(double(a.bounding_radius), double(b.bounding_radius));
    const double tolerance = preference_of_size * smaller;
    const double allowance = tolerance + preference_of_depth * std::abs(face);
    measure_edges(half_a, half_b, pose, std::min(face + allowance, speculative), s);
    if (s.edges > speculative) {
        out.apart = certainly(s.edges, a, b);
        return true;
    }

    if (s.edges > face + allowance) {
        const double scale = with_sign_of(1.0 / std::sqrt(s.sine_squared), s.offset);
        BoxAxes axes;
        axes.edge_a = s.edge_a;
        axes.edge_b = s.edge_b;
        DVec3& n = axes.edges.normal;
        n[following[s.edge_a]] = -pose.rotation[s.edge_b][preceding[s.edge_a]] * scale;
        n[preceding[s.edge_a]] = pose.rotation[s.edge_b][following[s.edge_a]] * scale;
        const DVec3 n_in_b = apply_inverse_rotation(pose.rotation, n);
        const DVec3 lean_a = glm::abs(n);
        const DVec3 lean_b = glm::abs(n_in_b);
        if (s.sine_squared <= parallel_sine * parallel_sine ||
            std::max({lean_a.x, lean_a.y, lean_a.z, lean_b.x, lean_b.y, lean_b.z}) > askew_cosine) {
            return false; // edges side by side, or faces a little askew
        }
        DVec3 on_a;
        DVec3 on_b;
        box_edge_points(half_a, half_b, {pose.rotation, pose.centre}, axes, on_a, on_b);
        const DVec3 missed = on_b - on_a - n * s.edges;
        const double rounding = 1e-12 * (double(a.bounding_radius) + double(b.bounding_radius));
        if (s.edges > 0.0 && glm::dot(missed, missed) > rounding * rounding) {
            return false; // the edges end before their nearest points
        }
        const DVec3 centre(pose_a.position);
        out.normal = Vec3(world_a * n);
        out.count = 1;
        out.points[0] = {Vec3(centre + world_a * on_a), Vec3(centre + world_a * on_b), float(s.edges),
                         feature_id(PointFeature::witness, 0)};
        return true;
    }

    ReferenceFace reference;
    reference.is_a = s.face_a >= s.face_b - allowance;
    BoxPose incident = pose;
    DVec3 half_x = half_a;
    if (reference.is_a) {
        reference.axis = s.axis_a;
        reference.positive = !std::signbit(pose.centre[s.axis_a]);
    } else {
        reference.axis = s.axis_b;
        reference.positive = std::signbit(s.along_b[s.axis_b]);
        incident = {glm::transpose(pose.rotation), -s.along_b};
        half_x = half_b;
    }
    const int iu = following[reference.axis];
    const int iv = preceding[reference.axis];
    reference.half_u = half_x[iu];
    reference.half_v = half_x[iv];
    Corners points;
    int count =
        clip_faces(reference, half_x[reference.axis], reference.is_a ? half_b : half_a, incident, tolerance, points);
    count = select(points, count, speculative);
    double deepest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < count; ++i) {
        deepest = std::min(deepest, points[i].height);
    }
    // A point over the face at the separation of the slabs proves that this is the distance.
    if (!(deepest <= (reference.is_a ? s.face_a : s.face_b) + allowance)) {
        return false;
    }
    const double outwards = reference.positive ? 1.0 : -1.0;
    count = reduce_in_plane(points, count, depth_band * smaller, reference.is_a ? outwards : -outwards);

    const DMat3 world = reference.is_a ? world_a : rotation_of(pose_b.orientation);
    const DVec3 n = world[reference.axis] * outwards;
    const DVec3 middle =
        DVec3(reference.is_a ? pose_a.position : pose_b.position) + n * half_x[reference.axis]; // of the face
    out.normal = Vec3(reference.is_a ? n : -n);
    out.count = count;
    for (int i = 0; i < count; ++i) {
        const Corner& c = points[i];
        const DVec3 on_reference = middle + world[iu] * c.u + world[iv] * c.v;
        const DVec3 on_incident = on_reference + n * c.height;
        ManifoldPoint& p = out.points[static_cast<std::size_t>(i)];
        p.point_a = Vec3(reference.is_a ? on_reference : on_incident);
        p.point_b = Vec3(reference.is_a ? on_incident : on_reference);
        p.separation = float(c.height);
        p.feature = c.feature;
    }
    return true;
}

} // namespace cairn::physics
