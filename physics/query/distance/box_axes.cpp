#include "physics/query/distance/box_axes.h"

#include "physics/query/distance/fast_pairs.h"

namespace cairn::physics {
namespace {

// The cross product of edges whose sine, squared, is below this is rounding noise; then a face gives the same
// direction.
constexpr double parallel_sine_squared = 1e-16;

// Support corners that differ by less than this fraction of the size in height along a direction are level.
constexpr double level_ratio = 1e-9;

} // namespace

BoxAxes box_axes(const DVec3& half_a, const DVec3& half_b, const Frame& b_in_a, double enough) {
    const DMat3& r = b_in_a.rotation; // r[j][i]: component of B's axis j along A's axis i
    const DVec3& t = b_in_a.position;
    std::array<std::array<double, 3>, 3> a; // a[j][i] = |r[j][i]|
    for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 3; ++i) {
            a[j][i] = std::abs(r[j][i]);
        }
    }
    BoxAxes out;
    int face_a = 0;
    int face_b = 0;
    DVec3 along;
    for (int i = 0; i < 3; ++i) {
        const double reach = half_b.x * a[0][i] + half_b.y * a[1][i] + half_b.z * a[2][i];
        const double s = std::abs(t[i]) - half_a[i] - reach;
        face_a = s > out.face_a.separation ? i : face_a;
        out.face_a.separation = s > out.face_a.separation ? s : out.face_a.separation;
    }
    for (int j = 0; j < 3; ++j) {
        along[j] = glm::dot(t, r[j]);
        const double reach = half_a.x * a[j][0] + half_a.y * a[j][1] + half_a.z * a[j][2];
        const double s = std::abs(along[j]) - half_b[j] - reach;
        face_b = s > out.face_b.separation ? j : face_b;
        out.face_b.separation = s > out.face_b.separation ? s : out.face_b.separation;
    }
    out.face_a.normal[face_a] = with_sign_of(1.0, t[face_a]);
    out.face_b.normal = r[face_b] * with_sign_of(1.0, along[face_b]);
    if (out.face_a.separation > enough || out.face_b.separation > enough) {
        return out;
    }
    int best = 0;
    for (int i = 0; i < 3; ++i) {
        constexpr std::array<int, 3> following{1, 2, 0};
        const int i1 = following[i];
        const int i2 = following[i1];
        for (int j = 0; j < 3; ++j) {
            const int j1 = following[j];
            const int j2 = following[j1];
            // e_i x r_j has the components -r_j[i2] along i1 and r_j[i1] along i2; its length is the sine.
            const double sine_squared = r[j][i1] * r[j][i1] + r[j][i2] * r[j][i2];
            const double distance = std::abs(t[i2] * r[j][i1] - t[i1] * r[j][i2]);
            const double reach =
                half_a[i1] * a[j][i2] + half_a[i2] * a[j][i1] + half_b[j1] * a[j2][i] + half_b[j2] * a[j1][i];
            const double s = sine_squared > parallel_sine_squared ? (distance - reach) / std::sqrt(sine_squared)
                                                                  : BoxAxes::Axis{}.separation;
            best = s > out.edges.separation ? 3 * i + j : best;
            out.edges.separation = s > out.edges.separation ? s : out.edges.separation;
        }
    }
    out.edge_a = best / 3;
    out.edge_b = best % 3;
    const int i1 = (out.edge_a + 1) % 3;
    const int i2 = (out.edge_a + 2) % 3;
    const DVec3& edge = r[out.edge_b];
    const double sine_squared = edge[i1] * edge[i1] + edge[i2] * edge[i2];
    if (sine_squared > parallel_sine_squared) {
        const double scale = with_sign_of(1.0 / std::sqrt(sine_squared), t[i2] * edge[i1] - t[i1] * edge[i2]);
        out.edges.normal[i1] = -edge[i2] * scale;
        out.edges.normal[i2] = edge[i1] * scale;
    }
    return out;
}

void box_edge_points(const DVec3& half_a, const DVec3& half_b, const Frame& b_in_a, const BoxAxes& axes, DVec3& on_a,
                     DVec3& on_b) {
    const DVec3& n = axes.edges.normal;
    const DVec3 n_in_b = apply_inverse_rotation(b_in_a.rotation, n);
    DVec3 middle_a;
    DVec3 middle_b;
    for (int k = 0; k < 3; ++k) {
        middle_a[k] = with_sign_of(half_a[k], n[k]);
        middle_b[k] = -with_sign_of(half_b[k], n_in_b[k]);
    }
    middle_a[axes.edge_a] = 0.0;
    middle_b[axes.edge_b] = 0.0;
    DVec3 along_a(0.0);
    along_a[axes.edge_a] = half_a[axes.edge_a];
    closest_on_segments(middle_a, along_a, apply(b_in_a, middle_b), b_in_a.rotation[axes.edge_b] * half_b[axes.edge_b],
                        on_a, on_b);
}

bool box_corner(const DVec3& half, const DVec3& direction, DVec3& corner) {
    const double level = level_ratio * (half.x + half.y + half.z);
    for (int k = 0; k < 3; ++k) {
        if (!(std::abs(direction[k]) * half[k] > level)) {
            return false;
        }
        corner[k] = with_sign_of(half[k], direction[k]);
    }
    return true;
}

} // namespace cairn::physics
