// Errors 1 and 8: mass properties.
#include "physics/geometry/mass_properties.h"
#include "tests/physics/known_errors/difference.h"

#include <gtest/gtest.h>

namespace cairn::physics {
namespace {

using glm::dmat3;
using known_errors::DVec3;

namespace as_in_the_source {

// Inertia of a box of mass 1 from its two corners, about the local origin instead of the centre of mass, and with one
// product of the parallel-axis term of the wrong sign.
dmat3 box_inertia(const DVec3& low, const DVec3& high) {
    const DVec3 d = high - low;
    const DVec3 r = 0.5 * (low + high);
    dmat3 m(0.0);
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        m[i][i] = (d[j] * d[j] + d[k] * d[k]) / 12.0 + r[j] * r[j] + r[k] * r[k];
        m[i][j] = (i == 1 ? 1.0 : -1.0) * r[i] * r[j];
        m[i][k] = -r[i] * r[k];
    }
    return m;
}

struct Sampled {
    DVec3 centre{0.0};
    double volume = 0.0;
    int inside = 0;
};

// Counts the points of a grid of 100 steps a side that lie inside; the steps begin at the lower corner of the bounds.
Sampled sample_on_a_grid(const ConvexHull& hull) {
    const DVec3 low = DVec3(hull.bounds.lower);
    const DVec3 step = (DVec3(hull.bounds.upper) - low) / 100.0;
    Sampled sum;
    for (int x = 0; x < 100; ++x) {
        for (int y = 0; y < 100; ++y) {
            for (int z = 0; z < 100; ++z) {
                const DVec3 p = low + DVec3(x, y, z) * step;
                bool inside = true;
                for (const Plane& plane : hull.planes) {
                    inside = inside && glm::dot(DVec3(plane.normal), p) <= double(plane.offset);
                }
                if (inside) {
                    sum.centre += p;
                    ++sum.inside;
                }
            }
        }
    }
    sum.centre /= double(sum.inside);
    sum.volume = double(sum.inside) * step.x * step.y * step.z;
    return sum;
}

} // namespace as_in_the_source

Shape hull_of_points(std::vector<Vec3> points) {
    return oracle::make(PointSet{std::make_shared<const std::vector<Vec3>>(std::move(points))});
}

// 1: a body turns about its centre of mass, so that the tensor has no offset term at all; where there is one (bodies of
// several shapes) its products are all negative.
TEST(KnownErrors, BoxInertiaIsSymmetricAndAboutTheCentre) {
    const DVec3 low(1, 2, 4), high(3, 5, 5);
    const dmat3 wrong = as_in_the_source::box_inertia(low, high);
    EXPECT_NE(wrong, glm::transpose(wrong));

    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) {
        corners.emplace_back(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    }
    const Shape box = hull_of_points(corners);
    const DVec3 d = high - low;
    const double mass = d.x * d.y * d.z;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double moment = mass * (d[j] * d[j] + d[k] * d[k]) / 12.0;
        EXPECT_NEAR(double(box.unit_inertia[i][i]), moment, 1e-6 * moment);
        EXPECT_GT(mass * wrong[i][i], 2.0 * moment) << "the offset counted in";
        EXPECT_NEAR(double(box.unit_inertia[i][j]), 0.0, 1e-6 * mass);
        EXPECT_EQ(box.unit_inertia[i][j], box.unit_inertia[j][i]);
    }

    // The same box made of two halves: the parallel-axis term is there, and cancels nothing it should not.
    const Shape half = oracle::make(Box{Vec3(d * DVec3(0.25, 0.5, 0.5))});
    const Vec3 middle(0.5 * (low + high));
    const PlacedShape halves[2] = {{&half, {middle - Vec3(0.5f, 0, 0)}}, {&half, {middle + Vec3(0.5f, 0, 0)}}};
    const MassProperties both = mass_properties(halves, 1.0f);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            EXPECT_NEAR(both.inertia[i][j], box.unit_inertia[i][j], 1e-5f * box.unit_inertia[0][0]);
        }
    }
    // Two balls off all axes, where every product is there and none is zero.
    const Shape ball = oracle::make(Sphere{0.1f});
    const PlacedShape pair[2] = {{&ball, {Vec3(1, 2, 3)}}, {&ball, {Vec3(-1, -2, -3)}}};
    const MassProperties dumbbell = mass_properties(pair, 1.0f);
    EXPECT_EQ(dumbbell.inertia, glm::transpose(dumbbell.inertia));
    EXPECT_NEAR(dumbbell.inertia[1][0], -2.0f * dumbbell.mass, 1e-5f * dumbbell.mass);
    EXPECT_NEAR(dumbbell.inertia[2][0], -3.0f * dumbbell.mass, 1e-5f * dumbbell.mass);
    EXPECT_NEAR(dumbbell.inertia[2][1], -6.0f * dumbbell.mass, 1e-5f * dumbbell.mass);
}

// 8: a million samples, and still off by half a step in every direction.
TEST(KnownErrors, MassIsExactNotSampled) {
    // A wedge: half of a box, cut along a diagonal. Its centre of mass is a third of the way from the right angle.
    const Shape wedge =
        hull_of_points({Vec3(0), Vec3(3, 0, 0), Vec3(0, 2, 0), Vec3(0, 0, 1), Vec3(3, 0, 1), Vec3(0, 2, 1)});
    EXPECT_NEAR(wedge.volume, 3.0f, 1e-6f);
    EXPECT_NEAR(wedge.author_offset.x, 1.0f, 1e-6f);
    EXPECT_NEAR(wedge.author_offset.y, 2.0f / 3.0f, 1e-6f);
    EXPECT_NEAR(wedge.author_offset.z, 0.5f, 1e-6f);

    const as_in_the_source::Sampled sampled = as_in_the_source::sample_on_a_grid(*wedge.hull);
    EXPECT_GT(sampled.inside, 100000);
    EXPECT_GT(std::abs(sampled.volume - 3.0), 1e-3 * 3.0);
    // In the frame of our shape, whose origin is the centre of mass.
    EXPECT_NEAR(sampled.centre.z, -0.5 * 0.01, 1e-3) << "half a step";
}

} // namespace
} // namespace cairn::physics
