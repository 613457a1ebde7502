// How two boxes lie along the fifteen axes that can separate them. Internal to box_manifold.cpp.
#pragma once

#include "physics/query/gjk/minkowski.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace cairn::physics::boxes {

inline constexpr std::array<int, 3> following{1, 2, 0};
inline constexpr std::array<int, 3> preceding{2, 0, 1};

// An axis along a product of edges whose sine, squared, is below this is rounding noise.
inline constexpr double crossed_sine_squared = 1e-16;

// A vector with room for a fourth value, in the vector types that both compilers have: three axes are measured at a
// time, the operations of each being those of plain doubles.
using Two __attribute__((vector_size(2 * sizeof(double)))) = double;
using TwoBits __attribute__((vector_size(2 * sizeof(double)))) = std::int64_t;
struct Four {
    Two low, high;

    double operator[](int i) const { return i < 2 ? low[i] : high[i - 2]; }
};
inline Four operator+(const Four& x, const Four& y) {
    return {x.low + y.low, x.high + y.high};
}
inline Four operator-(const Four& x, const Four& y) {
    return {x.low - y.low, x.high - y.high};
}
inline Four operator*(const Four& x, const Four& y) {
    return {x.low * y.low, x.high * y.high};
}
inline Four operator*(double x, const Four& y) {
    return {x * y.low, x * y.high};
}
inline Four absolute(const Four& x) {
    const TwoBits all_but_sign = TwoBits{} + std::numeric_limits<std::int64_t>::max();
    return {std::bit_cast<Two>(std::bit_cast<TwoBits>(x.low) & all_but_sign),
            std::bit_cast<Two>(std::bit_cast<TwoBits>(x.high) & all_but_sign)};
}
inline Four four(double x, double y, double z, double w = 0.0) {
    return {Two{x, y}, Two{z, w}};
}
inline bool any_greater(const Four& x, const Four& y) {
    const TwoBits low = x.low > y.low;
    const TwoBits high = x.high > y.high;
    return ((low[0] | low[1]) | (high[0] | high[1])) != 0;
}

// GLM's vectors branch where they are indexed by a variable; these do not.
using Three = std::array<double, 3>;

inline Three array_of(const Vec3& v) {
    return {double(v.x), double(v.y), double(v.z)};
}

// The columns of a rotation: column[j][i] is the component of the turned axis j along axis i.
using Columns = std::array<Three, 3>;

inline Columns columns_of(double w, double x, double y, double z) {
    const DMat3 m = rotation_of(w, x, y, z);
    return {Three{m[0].x, m[0].y, m[0].z}, Three{m[1].x, m[1].y, m[1].z}, Three{m[2].x, m[2].y, m[2].z}};
}
inline Columns columns_of(const Quat& q) {
    return columns_of(double(q.w), double(q.x), double(q.y), double(q.z));
}

inline double along(const Three& p, const Three& q) {
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

// One box as another sees it.
struct BoxPose {
    Columns rotation;
    Three centre;
};

// B as A sees it. The product of the quaternions costs half of a product of matrices.
inline BoxPose relative_pose(const Transform& a, const Columns& rotation_of_a, const Transform& b) {
    const double w = double(a.orientation.w);
    const double x = double(a.orientation.x);
    const double y = double(a.orientation.y);
    const double z = double(a.orientation.z);
    const double bw = double(b.orientation.w);
    const double bx = double(b.orientation.x);
    const double by = double(b.orientation.y);
    const double bz = double(b.orientation.z);
    const Three between{double(b.position.x) - double(a.position.x), double(b.position.y) - double(a.position.y),
                        double(b.position.z) - double(a.position.z)};
    return {columns_of(w * bw + x * bx + y * by + z * bz, w * bx - x * bw - y * bz + z * by,
                       w * by - y * bw - z * bx + x * bz, w * bz - z * bw - x * by + y * bx),
            {along(rotation_of_a[0], between), along(rotation_of_a[1], between), along(rotation_of_a[2], between)}};
}

// How the two boxes lie along the fifteen axes. Separations in m.
struct Separations {
    double face_a = -1e300, face_b = -1e300, edges = -1e300;
    int axis_a = 0, axis_b = 0;
    Three along_b{};                         // B's centre from A's along the axes of B
    int edge_a = 0, edge_b = 0;              // the axes that the edges run along
    double sine_squared = 0.0, offset = 0.0; // of the two edges; of the centres along their product
};

class Axes {
  public:
    Axes(const Three& half_a, const Three& half_b, const BoxPose& b) : half_a_(half_a), half_b_(half_b), b_(b) {
        for (std::size_t i = 0; i < 3; ++i) {
            rows_[i] = four(b.rotation[0][i], b.rotation[1][i], b.rotation[2][i], 0.0);
            sizes_[i] = absolute(rows_[i]);
        }
    }

    void measure_faces(Separations& out) const {
        const auto& r = b_.rotation;
        const Four t = four(b_.centre[0], b_.centre[1], b_.centre[2]);
        const Four column0 = four(r[0][0], r[0][1], r[0][2]);
        const Four column1 = four(r[1][0], r[1][1], r[1][2]);
        const Four column2 = four(r[2][0], r[2][1], r[2][2]);
        const Four reach_b =
            half_b_[0] * absolute(column0) + half_b_[1] * absolute(column1) + half_b_[2] * absolute(column2);
        const Four a = absolute(t) - four(half_a_[0], half_a_[1], half_a_[2], 1e300) - reach_b;
        const Four centre = b_.centre[0] * rows_[0] + b_.centre[1] * rows_[1] + b_.centre[2] * rows_[2];
        const Four reach_a = half_a_[0] * sizes_[0] + half_a_[1] * sizes_[1] + half_a_[2] * sizes_[2];
        const Four b = absolute(centre) - four(half_b_[0], half_b_[1], half_b_[2], 1e300) - reach_a;
        for (int i = 0; i < 3; ++i) {
            out.axis_a = a[i] > out.face_a ? i : out.axis_a;
            out.face_a = a[i] > out.face_a ? a[i] : out.face_a;
            out.axis_b = b[i] > out.face_b ? i : out.axis_b;
            out.face_b = b[i] > out.face_b ? b[i] : out.face_b;
        }
        out.along_b = {centre[0], centre[1], centre[2]};
    }

    // Only edges that separate by more than `bar` matter. With the gap g = s sine and s |s| growing with s, s > bar is
    // g |g| > bar |bar| sine^2, which needs no root and no division.
    void measure_edges(double bar, Separations& out) const {
        const Three& t = b_.centre;
        const Four next = four(half_b_[1], half_b_[2], half_b_[0]);
        const Four last = four(half_b_[2], half_b_[0], half_b_[1]);
        const double bar2 = bar * std::abs(bar);
        std::array<Four, 3> gaps, sines, offsets;
        bool any = false;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t i1 = i == 2 ? 0 : i + 1;
            const std::size_t i2 = i == 0 ? 2 : i - 1;
            // e_i x r_j has the components -r_j[i2] along i1 and r_j[i1] along i2; its length is the sine.
            sines[i] = rows_[i1] * rows_[i1] + rows_[i2] * rows_[i2];
            offsets[i] = t[i2] * rows_[i1] - t[i1] * rows_[i2];
            const Four reach = half_a_[i1] * sizes_[i2] + half_a_[i2] * sizes_[i1] +
                               next * four(sizes_[i][2], sizes_[i][0], sizes_[i][1]) +
                               last * four(sizes_[i][1], sizes_[i][2], sizes_[i][0]);
            gaps[i] = absolute(offsets[i]) - reach;
            any = any || any_greater(gaps[i] * absolute(gaps[i]), bar2 * sines[i]);
        }
        if (!any) {
            return;
        }
        double best = bar2; // g |g| / sine^2 of the best, as a fraction
        double best_sine = 1.0;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                const double gap = gaps[static_cast<std::size_t>(i)][j];
                const double sine_squared = sines[static_cast<std::size_t>(i)][j];
                if (gap * std::abs(gap) * best_sine > best * sine_squared && sine_squared > crossed_sine_squared) {
                    best = gap * std::abs(gap);
                    best_sine = sine_squared;
                    out.edge_a = i;
                    out.edge_b = j;
                    out.edges = gap;
                    out.sine_squared = sine_squared;
                    out.offset = offsets[static_cast<std::size_t>(i)][j];
                }
            }
        }
        if (out.sine_squared > 0.0) {
            out.edges /= std::sqrt(out.sine_squared);
        }
    }

  private:
    const Three& half_a_;
    const Three& half_b_;
    const BoxPose& b_;
    std::array<Four, 3> rows_;  // of the rotation, one element for each axis of B
    std::array<Four, 3> sizes_; // their absolute values
};

} // namespace cairn::physics::boxes
