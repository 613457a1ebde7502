#include "physics/geometry/mass_properties.h"

#include "tests/physics/geometry/shape_samples.h"

#include <gtest/gtest.h>

namespace cairn::physics {

namespace {

using namespace geometry_testing;
using DVec3 = glm::dvec3;

double norm(const glm::dmat3& m) {
    double most = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            most = std::max(most, std::abs(m[i][j]));
        }
    }
    return most;
}

TEST(MassProperties, OfOneShapeAreItsOwn) {
    for (const NamedShape& sample : sample_shapes()) {
        const PlacedShape placed{&sample.shape, {}};
        const MassProperties mass = mass_properties({&placed, 1}, 2.0f);
        EXPECT_FLOAT_EQ(mass.mass, 2.0f * sample.shape.volume);
        EXPECT_EQ(mass.centre, Vec3(0.0f));
        EXPECT_LE(norm(glm::dmat3(mass.inertia) - 2.0 * glm::dmat3(sample.shape.unit_inertia)),
                  3e-6 * norm(glm::dmat3(mass.inertia)));
    }
}

TEST(MassProperties, OfABoxCutInTwoAreThoseOfTheWhole) {
    Random random(7);
    for (int round = 0; round < 50; ++round) {
        const Vec3 half(random.uniform(0.1f, 2.0f), random.uniform(0.1f, 2.0f), random.uniform(0.1f, 2.0f));
        const Shape whole = shape_of(Box{half});
        const float cut = random.uniform(0.1f, 0.9f); // share of the lower part along x
        const Shape lower = shape_of(Box{half * Vec3(cut, 1, 1)});
        const Shape upper = shape_of(Box{half * Vec3(1 - cut, 1, 1)});
        const Transform pose{5.0f * random.in_cube(), random.rotation()};
        const PlacedShape parts[2] = {{&lower, compose(pose, {Vec3((cut - 1) * half.x, 0, 0)})},
                                      {&upper, compose(pose, {Vec3(cut * half.x, 0, 0)})}};
        const PlacedShape one{&whole, pose};
        const MassProperties a = mass_properties({&one, 1}, 700.0f);
        const MassProperties b = mass_properties(parts, 700.0f);
        EXPECT_NEAR(a.mass, b.mass, 1e-6f * a.mass);
        EXPECT_LE(glm::length(a.centre - b.centre), 5e-6f);
        EXPECT_LE(norm(glm::dmat3(a.inertia) - glm::dmat3(b.inertia)), 1e-5 * norm(glm::dmat3(a.inertia)));
    }
}

// The sources' parallel-axis products have one wrong sign, so that their tensor is not symmetric.
TEST(MassProperties, OffDiagonalProductsAreNegativeAndSymmetric) {
    const Shape ball = shape_of(Sphere{0.1f});
    const PlacedShape pair[2] = {{&ball, {Vec3(1, 2, 3)}}, {&ball, {Vec3(-1, -2, -3)}}};
    const MassProperties mass = mass_properties(pair, 1.0f);
    const float m = mass.mass;
    EXPECT_EQ(mass.centre, Vec3(0.0f));
    const float own = 0.4f * m * 0.01f;
    EXPECT_NEAR(mass.inertia[0][0], m * (4 + 9) + own, 1e-5f * m);
    EXPECT_NEAR(mass.inertia[1][1], m * (1 + 9) + own, 1e-5f * m);
    EXPECT_NEAR(mass.inertia[2][2], m * (1 + 4) + own, 1e-5f * m);
    EXPECT_NEAR(mass.inertia[1][0], -m * 2, 1e-5f * m);
    EXPECT_NEAR(mass.inertia[2][0], -m * 3, 1e-5f * m);
    EXPECT_NEAR(mass.inertia[2][1], -m * 6, 1e-5f * m);
    EXPECT_EQ(mass.inertia, glm::transpose(mass.inertia));
}

// The sources sample a grid of a hundred points a side, which is slow and biased. Points thrown at random into the body
// give an answer without bias, if a rough one.
TEST(MassProperties, OfAHammerAgreeWithRandomSamples) {
    const Shape head = shape_of(Box{Vec3(0.3f, 0.1f, 0.1f)});
    const Shape handle = shape_of(Cylinder{0.04f, 0.5f});
    const Quat tilt = normalized(Quat(0.8f, 0.3f, -0.2f, 0.4f));
    const PlacedShape parts[2] = {{&head, {Vec3(0.1f, 0.2f, 0.61f), tilt}}, {&handle, {Vec3(0, 0, -0.3f), tilt}}};
    const MassProperties mass = mass_properties(parts, 1000.0f);

    Random random(99);
    double sum = 0.0;
    DVec3 first(0.0);
    glm::dmat3 second(0.0);
    const int count = 400000;
    for (const PlacedShape& part : parts) {
        const DVec3 half = DVec3(part.shape->local_bounds.upper);
        const double weight = 8.0 * half.x * half.y * half.z / count * 1000.0;
        const glm::dquat q(part.pose.orientation);
        for (int i = 0; i < count; ++i) {
            const DVec3 local = DVec3(random.in_cube()) * half;
            if (outside(*part.shape, local) <= 0.0) {
                const DVec3 p = q * local + DVec3(part.pose.position);
                sum += weight;
                first += weight * p;
                second += weight * glm::outerProduct(p, p);
            }
        }
    }
    const DVec3 centre = first / sum;
    second -= sum * glm::outerProduct(centre, centre);
    glm::dmat3 inertia = -second;
    for (int i = 0; i < 3; ++i) {
        inertia[i][i] += second[0][0] + second[1][1] + second[2][2];
    }
    EXPECT_NEAR(static_cast<double>(mass.mass), sum, 3e-3 * sum);
    EXPECT_LE(glm::length(DVec3(mass.centre) - centre), 2e-3);
    EXPECT_LE(norm(glm::dmat3(mass.inertia) - inertia), 1e-2 * norm(inertia));
}

TEST(MassProperties, OfNothingAreZero) {
    const MassProperties mass = mass_properties({}, 1000.0f);
    EXPECT_EQ(mass.mass, 0.0f);
    EXPECT_EQ(mass.inertia, Mat3(0.0f));
}

TEST(InverseInertia, TimesTheTensorIsOne) {
    Random random(17);
    for (const NamedShape& sample : sample_shapes()) {
        SCOPED_TRACE(sample.name);
        for (const float density : {1e-2f, 1e3f}) {
            const PlacedShape placed{&sample.shape, {Vec3(0.0f), random.rotation()}};
            const Mat3 inertia = mass_properties({&placed, 1}, density).inertia;
            const Mat3 inverse = inverse_inertia(inertia);
            EXPECT_EQ(inverse, glm::transpose(inverse));
            ASSERT_NE(inverse, Mat3(0.0f));
            const double condition = norm(glm::dmat3(inertia)) * norm(glm::dmat3(inverse));
            ASSERT_TRUE(std::isfinite(condition));
            EXPECT_LE(norm(glm::dmat3(inertia) * glm::dmat3(inverse) - glm::dmat3(1.0)), 3e-7 * condition);
        }
    }
}

TEST(InverseInertia, WorksFromTheSmallestToTheLargestShape) {
    for (const float size : {1e-4f, 1e4f}) {
        for (const float density : {1e-2f, 2e4f}) {
            const Shape box = shape_of(Box{size * (size < 1.0f ? Vec3(4, 2, 1) : Vec3(1, 0.5f, 0.25f))});
            const PlacedShape placed{&box, {Vec3(0.0f), normalized(Quat(1, 2, 3, 4))}};
            const Mat3 inertia = mass_properties({&placed, 1}, density).inertia;
            EXPECT_LE(norm(glm::dmat3(inertia) * glm::dmat3(inverse_inertia(inertia)) - glm::dmat3(1.0)), 1e-5);
        }
    }
}

TEST(InverseInertia, OfASingularTensorIsZero) {
    EXPECT_EQ(inverse_inertia(Mat3(0.0f)), Mat3(0.0f));
    Mat3 rod(0.0f); // all mass on the x axis
    rod[1][1] = rod[2][2] = 2.0f;
    EXPECT_EQ(inverse_inertia(rod), Mat3(0.0f));
    EXPECT_EQ(inverse_inertia(Mat3(-1.0f)), Mat3(0.0f));
    Mat3 indefinite(1.0f);
    indefinite[1][0] = indefinite[0][1] = 5.0f;
    EXPECT_EQ(inverse_inertia(indefinite), Mat3(0.0f));
    Mat3 bad(1.0f);
    bad[0][0] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(inverse_inertia(bad), Mat3(0.0f));
}

} // namespace

} // namespace cairn::physics
