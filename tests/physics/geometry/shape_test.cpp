#include "tests/physics/geometry/shape_samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace cairn::physics {

namespace {

using namespace geometry_testing;
using DVec3 = glm::dvec3;
constexpr double pi = 3.14159265358979323846;

std::string refusal(const Geometry& geometry) {
    const auto built = build_shape(geometry);
    const auto* error = std::get_if<ShapeError>(&built);
    const std::optional<ShapeError> checked = check_geometry(geometry);
    EXPECT_EQ(checked ? checked->reason : "", error ? error->reason : "");
    return error ? error->reason : "";
}

std::shared_ptr<const std::vector<Vec3>> shared(std::vector<Vec3> points) {
    return std::make_shared<const std::vector<Vec3>>(std::move(points));
}

// Solids of revolution by slices: discs of radius rho(z) between z0 and z1.
struct Slices {
    double volume = 0.0, moment = 0.0, axial = 0.0, across = 0.0;
};
Slices integrate_slices(double z0, double z1, const std::function<double(double)>& rho) {
    Slices sum;
    const int count = 100000;
    const double dz = (z1 - z0) / count;
    for (int i = 0; i < count; ++i) {
        const double z = z0 + (i + 0.5) * dz;
        const double r2 = rho(z) * rho(z);
        const double area = pi * r2;
        sum.volume += area * dz;
        sum.moment += area * z * dz;
        sum.axial += 0.5 * area * r2 * dz;
        sum.across += area * (0.25 * r2 + z * z) * dz;
    }
    return sum;
}

void expect_mass(const Shape& shape, const Slices& slices) {
    EXPECT_NEAR(static_cast<double>(shape.volume), slices.volume, 1e-6 * slices.volume);
    EXPECT_NEAR(static_cast<double>(shape.unit_inertia[2][2]), slices.axial, 1e-6 * slices.axial);
    EXPECT_NEAR(static_cast<double>(shape.unit_inertia[0][0]), slices.across, 1e-6 * slices.across);
    EXPECT_EQ(shape.unit_inertia[0][0], shape.unit_inertia[1][1]);
    EXPECT_NEAR(slices.moment, 0.0, 1e-8 * slices.volume) << "the centroid is the origin";
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(shape.unit_inertia[i][(i + 1) % 3], 0.0f);
        EXPECT_EQ(shape.unit_inertia[(i + 1) % 3][i], 0.0f);
    }
}

TEST(BuildShape, RoundShapesHaveTheMassOfTheirSlices) {
    for (const double r : {0.3, 1.0, 2.0}) {
        for (const double h : {0.2, 1.5}) {
            const auto rf = static_cast<float>(r);
            const auto hf = static_cast<float>(h);
            const double rr = static_cast<double>(rf);
            const double hh = static_cast<double>(hf);
            expect_mass(shape_of(Sphere{rf}),
                        integrate_slices(-rr, rr, [&](double z) { return std::sqrt(std::max(0.0, rr * rr - z * z)); }));
            expect_mass(shape_of(Capsule{rf, hf}), integrate_slices(-hh - rr, hh + rr, [&](double z) {
                            const double d = std::max(0.0, std::abs(z) - hh);
                            return std::sqrt(std::max(0.0, rr * rr - d * d));
                        }));
            expect_mass(shape_of(Cylinder{rf, hf}), integrate_slices(-hh, hh, [&](double) { return rr; }));
            expect_mass(shape_of(Cone{rf, hf}),
                        integrate_slices(-0.25 * hh, 0.75 * hh, [&](double z) { return rr * (0.75 * hh - z) / hh; }));
        }
    }
}

// The sources' box tensor is not symmetric, and offset although the box spins about its own centre.
TEST(BuildShape, BoxInertiaIsAboutTheCentreOfMass) {
    const Shape box = shape_of(Box{Vec3(1, 2, 3)});
    const float mass = 48.0f; // density 1
    EXPECT_FLOAT_EQ(box.volume, mass);
    EXPECT_FLOAT_EQ(box.unit_inertia[0][0], mass / 12.0f * (16 + 36));
    EXPECT_FLOAT_EQ(box.unit_inertia[1][1], mass / 12.0f * (4 + 36));
    EXPECT_FLOAT_EQ(box.unit_inertia[2][2], mass / 12.0f * (4 + 16));

    // The same box as points that do not surround the origin: the tensor has no trace of the offset.
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) {
        corners.push_back(Vec3(i & 1 ? 1 : -1, i & 2 ? 2 : -2, i & 4 ? 3 : -3) + Vec3(10, -20, 5));
    }
    const Shape hull = shape_of(PointSet{shared(corners)});
    EXPECT_EQ(hull.author_offset, Vec3(10, -20, 5));
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            EXPECT_NEAR(hull.unit_inertia[i][j], box.unit_inertia[i][j], 1e-4f);
            EXPECT_EQ(hull.unit_inertia[i][j], hull.unit_inertia[j][i]);
        }
    }
}

TEST(BuildShape, KnowsItsRadii) {
    for (const NamedShape& sample : sample_shapes()) {
        SCOPED_TRACE(sample.name);
        const Shape& shape = sample.shape;
        double far = 0.0;
        double near = 1e300;
        Random random(3);
        for (const DVec3& p : surface_points(shape, 40)) {
            far = std::max(far, glm::length(p));
        }
        for (int i = 0; i < 20000; ++i) { // a ball fits inside iff every support reaches beyond it
            const Vec3 n = random.direction();
            near = std::min(near, static_cast<double>(glm::dot(n, support(shape, n))));
        }
        EXPECT_NEAR(static_cast<double>(shape.bounding_radius), far, 1e-5 * far);
        EXPECT_GE(near, static_cast<double>(shape.inner_radius) * (1 - 1e-5) - 1e-6 * far);
        EXPECT_NEAR(-outside(shape, DVec3(0.0)), static_cast<double>(shape.inner_radius), 1e-6 * far);
    }
}

TEST(BuildShape, RefusesSizesThatAreNone) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float inf = std::numeric_limits<float>::infinity();
    for (const float bad : {nan, inf, -inf, 0.0f, -1.0f, 0.9e-4f, 1.1e4f}) {
        EXPECT_EQ(refusal(Sphere{bad}).rfind("the radius must lie between 0.0001 m and 10000 m, not ", 0), 0u);
        EXPECT_EQ(refusal(Capsule{bad, 1}).rfind("the radius ", 0), 0u);
        EXPECT_EQ(refusal(Capsule{1, bad}).rfind("the half height ", 0), 0u);
        EXPECT_EQ(refusal(Cylinder{bad, 1}).rfind("the radius ", 0), 0u);
        EXPECT_EQ(refusal(Cylinder{1, bad}).rfind("the half height ", 0), 0u);
        EXPECT_EQ(refusal(Cone{bad, 1}).rfind("the radius ", 0), 0u);
        EXPECT_EQ(refusal(Cone{1, bad}).rfind("the height ", 0), 0u);
        EXPECT_EQ(refusal(Diamond{bad}).rfind("the scale ", 0), 0u);
        EXPECT_EQ(refusal(Box{Vec3(bad, 1, 1)}).rfind("half extent x ", 0), 0u);
        EXPECT_EQ(refusal(Box{Vec3(1, bad, 1)}).rfind("half extent y ", 0), 0u);
        EXPECT_EQ(refusal(Box{Vec3(1, 1, bad)}).rfind("half extent z ", 0), 0u);
    }
    for (const float good : {1e-4f, 1.0f, 1e4f}) {
        EXPECT_EQ(refusal(Sphere{good}), "");
        EXPECT_EQ(refusal(Box{Vec3(good)}), "");
        EXPECT_EQ(refusal(Diamond{good}), "");
    }
    EXPECT_EQ(refusal(PointSet{}), "a hull needs at least 4 points, not 0");
    EXPECT_EQ(refusal(PointSet{shared({Vec3(0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, 1, 0)})}),
              "the points lie in one plane");
    EXPECT_EQ(refusal(PointSet{shared({Vec3(0), Vec3(9e4f, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 9e4f)})})
                  .rfind("half the longest side of the hull must lie between", 0),
              0u);
    const float s = 0.05f;
    EXPECT_EQ(refusal(PointSet{shared({Vec3(0), Vec3(s, 0, 0), Vec3(0, s, 0), Vec3(0, 0, 2e-6f)})})
                  .rfind("the hull is too thin", 0),
              0u);
}

TEST(Support, IsTheFarthestPointOfTheShape) {
    Random random(13);
    std::size_t with_cells = 0;
    for (const NamedShape& sample : sample_shapes()) {
        SCOPED_TRACE(sample.name);
        const Shape& shape = sample.shape;
        const double size = static_cast<double>(shape.bounding_radius);
        const std::vector<DVec3> surface = surface_points(shape, 16);
        with_cells += shape.hull && shape.hull->support_cells > 0 ? 1 : 0;
        for (int i = 0; i < 300; ++i) {
            Vec3 d = random.direction();
            if (i % 10 == 0) { // along axes and diagonals, where many points tie
                d = Vec3(static_cast<float>(random.below(3)) - 1, static_cast<float>(random.below(3)) - 1,
                         static_cast<float>(random.below(3)) - 1);
            } else if (shape.hull && i % 3 == 0) { // face normals and edge-perpendiculars: plateaus
                const auto& planes = shape.hull->planes;
                d = planes[random.below(planes.size())].normal;
                if (i % 2 == 0) {
                    d = glm::normalize(d + planes[random.below(planes.size())].normal + 1e-6f * random.direction());
                }
            }
            const Vec3 p = support(shape, d);
            EXPECT_LE(std::abs(outside(shape, DVec3(p))), 1e-5 * size) << "a support point lies on the surface";
            const DVec3 n(d);
            double best = -1e300;
            for (const DVec3& q : surface) {
                best = std::max(best, glm::dot(n, q));
            }
            EXPECT_GE(glm::dot(n, DVec3(p)), best - 1e-6 * size * glm::length(n));
        }
    }
    EXPECT_GE(with_cells, 20u) << "hulls large enough for support cells must be among the samples";
}

TEST(Support, TakesDirectionsOfAnyLength) {
    Random random(19);
    for (const NamedShape& sample : sample_shapes()) {
        SCOPED_TRACE(sample.name);
        const Shape& shape = sample.shape;
        const double size = static_cast<double>(shape.bounding_radius);
        const Vec3 none = support(shape, Vec3(0.0f));
        EXPECT_LE(outside(shape, DVec3(none)), 1e-5 * size);
        for (int i = 0; i < 20; ++i) {
            const Vec3 d = random.direction();
            const double height = glm::dot(DVec3(d), DVec3(support(shape, d)));
            for (const float length : {1e-30f, 1e-10f, 1e10f, 1e30f}) {
                const Vec3 p = support(shape, length * d);
                EXPECT_NEAR(glm::dot(DVec3(d), DVec3(p)), height, 2e-6 * size) << "length " << length;
            }
        }
    }
}

TEST(Bounds, AreTightForEveryKind) {
    Random random(29);
    for (const NamedShape& sample : sample_shapes()) {
        SCOPED_TRACE(sample.name);
        const Shape& shape = sample.shape;
        const double size = static_cast<double>(shape.bounding_radius);
        const std::vector<DVec3> surface = surface_points(shape, 24);
        for (int i = 0; i < 20; ++i) {
            const Transform pose{shape.bounding_radius * random.in_cube(),
                                 i == 0 ? identity_orientation : random.rotation()};
            const Aabb box = bounds(shape, pose);
            const glm::dmat3 turn = glm::mat3_cast(glm::normalize(glm::dquat(pose.orientation)));
            DVec3 low(1e300), high(-1e300);
            for (const DVec3& p : surface) {
                const DVec3 w = turn * p + DVec3(pose.position);
                low = glm::min(low, w);
                high = glm::max(high, w);
            }
            for (int axis = 0; axis < 3; ++axis) {
                // Samples never lie outside, and reach the bounds up to their own spacing (exactly for polyhedra).
                const bool polyhedron = shape.kind == ShapeKind::box || shape.kind == ShapeKind::hull;
                const double slack = (polyhedron ? 2e-6 : 5e-3) * size;
                EXPECT_LE(static_cast<double>(box.lower[axis]), low[axis] + 2e-6 * size);
                EXPECT_GE(static_cast<double>(box.upper[axis]), high[axis] - 2e-6 * size);
                EXPECT_GE(static_cast<double>(box.lower[axis]), low[axis] - slack);
                EXPECT_LE(static_cast<double>(box.upper[axis]), high[axis] + slack);
            }
            if (i == 0) {
                EXPECT_LE(glm::length(DVec3(box.lower - pose.position) - DVec3(shape.local_bounds.lower)), 2e-6 * size);
                EXPECT_LE(glm::length(DVec3(box.upper - pose.position) - DVec3(shape.local_bounds.upper)), 2e-6 * size);
            }
        }
    }
}

// The sources' loop skips the first vertex and mixes frames, so that fast bodies tunnel. Here: never below the truth,
// and not much above it.
TEST(MaxRotationalSpeed, BoundsEveryPointOfTheShape) {
    Random random(37);
    for (const NamedShape& sample : sample_shapes()) {
        SCOPED_TRACE(sample.name);
        const Shape& shape = sample.shape;
        const double size = static_cast<double>(shape.bounding_radius);
        const std::vector<DVec3> surface = surface_points(shape, 24);
        for (int i = 0; i < 60; ++i) {
            const Vec3 centre = i % 3 == 0 ? Vec3(0.0f) : 3.0f * shape.bounding_radius * random.in_ball();
            const Vec3 spin = random.uniform(0.0f, 100.0f) * random.direction();
            // Also directions along the spin, where the true speed is zero and rounding is all there is.
            const Vec3 direction =
                i % 5 == 0 ? normalized_or(spin + 1e-4f * random.direction(), Vec3(0, 0, 1)) : random.direction();
            double truth = -1e300;
            for (const DVec3& p : surface) {
                truth = std::max(truth, glm::dot(DVec3(direction), glm::cross(DVec3(spin), p - DVec3(centre))));
            }
            const double bound = static_cast<double>(max_rotational_speed(shape, centre, spin, direction));
            const double scale = glm::length(DVec3(spin)) * (size + glm::length(DVec3(centre)));
            EXPECT_GE(bound, truth);
            const bool polyhedron = shape.kind == ShapeKind::box || shape.kind == ShapeKind::hull;
            EXPECT_LE(bound, truth + (polyhedron ? 1e-5 : 5e-3) * scale);
        }
    }
}

TEST(MaxRotationalSpeed, SeesTheFirstVertex) {
    // The first point is the only one far from the axis.
    const std::vector<Vec3> points{Vec3(10, 0, 0), Vec3(0, 0.1f, 0), Vec3(0, -0.1f, 0.1f), Vec3(0, -0.1f, -0.1f)};
    const Shape shape = shape_of(PointSet{shared(points)});
    const Vec3 tip = shape.hull->vertices[0];
    const float speed = max_rotational_speed(shape, Vec3(0.0f), Vec3(0, 0, 2), Vec3(0, 1, 0));
    EXPECT_NEAR(speed, 2.0f * tip.x, 1e-3f);
    EXPECT_GT(tip.x, 7.0f);
}

TEST(MaxRotationalSpeed, IsNegativeWhereEveryPointMovesAway) {
    const Shape ball = shape_of(Sphere{0.5f});
    // A ball 3 m out on x from a centre that spins about z moves along +y.
    EXPECT_NEAR(max_rotational_speed(ball, Vec3(-3, 0, 0), Vec3(0, 0, 1), Vec3(0, -1, 0)), -2.5f, 1e-4f);
    EXPECT_NEAR(max_rotational_speed(ball, Vec3(-3, 0, 0), Vec3(0, 0, 1), Vec3(0, 1, 0)), 3.5f, 1e-4f);
}

} // namespace

} // namespace cairn::physics
