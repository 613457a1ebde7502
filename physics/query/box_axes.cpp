#include "physics/query/box_axes.h"

#include "physics/query/fast_pairs.h"

namespace cairn::physics {
namespace {

// Edges closer to parallel than this sine, squared, give no direction that a face does not give as well.
constexpr double parallel_sine_squared = 1e-6;

} // namespace

BoxAxes box_axes(const DVec3& half_a, const DVec3& half_b, const Frame& b_in_a) {
    const DMat3& r = b_in_a.rotation; // r[j][i]: component of B's axis j along A's axis i
    const DVec3& t = b_in_a.position;
    const DMat3 a(glm::abs(r[0]), glm::abs(r[1]), glm::abs(r[2]));
    BoxAxes out;
    for (int i = 0; i < 3; ++i) {
        const double s = std::abs(t[i]) - half_a[i] - (half_b.x * a[0][i] + half_b.y * a[1][i] + half_b.z * a[2][i]);
        if (s > out.face_a.separation) {
            out.face_a.separation = s;
            out.face_a.normal = DVec3(0.0);
            out.face_a.normal[i] = t[i] < 0.0 ? -1.0 : 1.0;
        }
    }
    for (int j = 0; j < 3; ++j) {
        const double along = glm::dot(t, r[j]);
        const double s = std::abs(along) - half_b[j] - glm::dot(half_a, a[j]);
        if (s > out.face_b.separation) {
            out.face_b.separation = s;
            out.face_b.normal = along < 0.0 ? -r[j] : r[j];
        }
    }
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3;
        const int i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const double sine_squared = 1.0 - r[j][i] * r[j][i];
            if (sine_squared < parallel_sine_squared) {
                continue;
            }
            const int j1 = (j + 1) % 3;
            const int j2 = (j + 2) % 3;
            // e_i x r_j has the components -r_j[i2] along i1 and r_j[i1] along i2; its length is the sine.
            const double along = t[i2] * r[j][i1] - t[i1] * r[j][i2];
            const double reach =
                half_a[i1] * a[j][i2] + half_a[i2] * a[j][i1] + half_b[j1] * a[j2][i] + half_b[j2] * a[j1][i];
            const double scale = 1.0 / std::sqrt(sine_squared);
            const double s = (std::abs(along) - reach) * scale;
            if (s > out.edges.separation) {
                out.edges.separation = s;
                const double sign = along < 0.0 ? -scale : scale;
                out.edges.normal = DVec3(0.0);
                out.edges.normal[i1] = -r[j][i2] * sign;
                out.edges.normal[i2] = r[j][i1] * sign;
                out.edge_a = i;
                out.edge_b = j;
            }
        }
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
        middle_a[k] = n[k] < 0.0 ? -half_a[k] : half_a[k];
        middle_b[k] = n_in_b[k] < 0.0 ? half_b[k] : -half_b[k];
    }
    middle_a[axes.edge_a] = 0.0;
    middle_b[axes.edge_b] = 0.0;
    DVec3 along_a(0.0);
    along_a[axes.edge_a] = half_a[axes.edge_a];
    closest_on_segments(middle_a, along_a, apply(b_in_a, middle_b), b_in_a.rotation[axes.edge_b] * half_b[axes.edge_b],
                        on_a, on_b);
}

} // namespace cairn::physics
