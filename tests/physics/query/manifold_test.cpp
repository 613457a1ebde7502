// Contact manifolds of the textbook configurations.
#include "tests/physics/query/manifolds.h"

namespace cairn::physics {
namespace {

using manifolds::deepest;
using manifolds::features;
using manifolds::floor_box;
using manifolds::turn;
using oracle::Random;
using DVec3 = glm::dvec3;

void expect_normal(const Manifold& m, const Vec3& n, float tolerance = 1e-6f) {
    EXPECT_LT(glm::length(m.normal - n), tolerance) << m.normal.x << " " << m.normal.y << " " << m.normal.z;
}

TEST(Manifold, BoxFlatOnBox) {
    for (const float gap : {-0.01f, 0.0f, 0.01f}) {
        const Manifold m = collide(floor_box, {}, oracle::unit_box, {Vec3(0.3f, -0.2f, 2.0f + gap)}, 0.02f);
        ASSERT_EQ(m.count, 4);
        EXPECT_EQ(m.normal, Vec3(0, 0, 1));
        std::set<std::pair<float, float>> corners;
        for (int i = 0; i < 4; ++i) {
            EXPECT_NEAR(m.points[i].separation, gap, 2.5e-7f);
            EXPECT_NEAR(m.points[i].point_a.z, 1.0f, 1e-6f);
            EXPECT_NEAR(m.points[i].point_b.z, 1.0f + gap, 1e-6f);
            corners.insert({std::round(m.points[i].point_a.x * 10) / 10, std::round(m.points[i].point_a.y * 10) / 10});
        }
        EXPECT_EQ(corners.size(), 4u);
        EXPECT_TRUE(corners.contains({1.3f, 0.8f}));
        EXPECT_EQ(features(m).size(), 4u);
    }
    EXPECT_EQ(collide(floor_box, {}, oracle::unit_box, {Vec3(0.3f, -0.2f, 2.03f)}, 0.02f).count, 0);
}

TEST(Manifold, EqualBoxesStackedFlushAndOffset) {
    for (const float offset : {0.0f, 1e-4f, -1e-4f, 0.5f}) {
        const Manifold m = collide(oracle::unit_box, {}, oracle::unit_box, {Vec3(offset, 0, 1.999f)}, 0.02f);
        ASSERT_EQ(m.count, 4) << offset;
        expect_normal(m, Vec3(0, 0, 1));
        for (int i = 0; i < 4; ++i) {
            EXPECT_NEAR(m.points[i].separation, -0.001f, 1e-6f);
            EXPECT_NEAR(std::abs(m.points[i].point_a.y), 1.0f, 1e-3f);
        }
    }
}

TEST(Manifold, TurnedBoxKeepsFourFarCorners) {
    // Two squares turned by 45 degrees meet in an octagon.
    const Manifold m =
        collide(oracle::unit_box, {}, oracle::unit_box, {Vec3(0, 0, 1.99f), turn(Vec3(0, 0, 1), 0.7853981634)}, 0.02f);
    ASSERT_EQ(m.count, 4);
    expect_normal(m, Vec3(0, 0, 1));
    // The octagon's area is 8 (sqrt 2 - 1) = 3.31, the largest quadrilateral in it 2 sqrt 2 (its circle's square, with
    // radius^2 = 1 + (sqrt 2 - 1)^2 = 1.17) = 2.34.
    std::array<DVec3, 4> p;
    for (int i = 0; i < 4; ++i) {
        p[i] = DVec3(m.points[i].point_a);
        EXPECT_NEAR(m.points[i].separation, -0.01f, 1e-6f);
    }
    std::sort(p.begin(), p.end(),
              [](const DVec3& x, const DVec3& y) { return std::atan2(x.y, x.x) < std::atan2(y.y, y.x); });
    double area = 0.0;
    for (int i = 0; i < 4; ++i) {
        area += 0.5 * glm::cross(p[i], p[(i + 1) % 4]).z;
    }
    EXPECT_GT(area, 0.9 * 2.34);
}

TEST(Manifold, BoxEdgeOnBoxEdge) {
    // A's top edge along y, B's bottom edge along x, both turned by 45 degrees about their edge.
    const double s = std::sqrt(2.0);
    for (const double gap : {-0.02, 0.01}) {
        const Transform a{Vec3(0.0f), turn(Vec3(0, 1, 0), 0.7853981634)};
        const Transform b{Vec3(0.1f, 0.2f, float(2.0 * s + gap)), turn(Vec3(1, 0, 0), 0.7853981634)};
        const Manifold m = collide(oracle::unit_box, a, oracle::unit_box, b, 0.02f);
        ASSERT_EQ(m.count, 1);
        expect_normal(m, Vec3(0, 0, 1), 1e-5f);
        EXPECT_NEAR(m.points[0].separation, gap, 1e-6);
        EXPECT_NEAR(m.points[0].point_a.x, 0.0f, 1e-5f);
        EXPECT_NEAR(m.points[0].point_a.y, 0.2f, 1e-5f);
    }
}

TEST(Manifold, BoxCornerOnFace) {
    const Quat corner_down = turn(Vec3(1, -1, 0), std::acos(1.0 / std::sqrt(3.0)));
    const float reach = std::sqrt(3.0f);
    const Manifold m =
        collide(floor_box, {}, oracle::unit_box, {Vec3(0, 0, 1.0f + reach - 0.005f), corner_down}, 0.02f);
    ASSERT_EQ(m.count, 1);
    expect_normal(m, Vec3(0, 0, 1));
    EXPECT_NEAR(m.points[0].separation, -0.005f, 1e-6f);
    EXPECT_NEAR(m.points[0].point_a.x, 0.0f, 1e-5f);
}

TEST(Manifold, ParallelEdgesGiveTwoPoints) {
    const double s = std::sqrt(2.0);
    const Transform a{Vec3(0.0f), turn(Vec3(0, 1, 0), 0.7853981634)};
    const Transform b{Vec3(0.0f, 0.5f, float(2.0 * s + 0.01)), turn(Vec3(0, 1, 0), 0.7853981634)};
    const Manifold m = collide(oracle::unit_box, a, oracle::unit_box, b, 0.02f);
    expect_normal(m, Vec3(0, 0, 1), 1e-5f);
    ASSERT_EQ(m.count, 2);
    EXPECT_NEAR(std::abs(m.points[0].point_a.y - m.points[1].point_a.y), 1.5f, 1e-3f);
}

TEST(Manifold, CapsuleLyingOnAFace) {
    const Shape capsule = oracle::make(Capsule{0.5f, 1.0f});
    for (const float gap : {-0.01f, 0.01f}) {
        const Manifold m =
            collide(floor_box, {}, capsule, {Vec3(0, 0, 1.5f + gap), turn(Vec3(0, 1, 0), 1.5707963268)}, 0.02f);
        ASSERT_EQ(m.count, 2);
        expect_normal(m, Vec3(0, 0, 1));
        for (int i = 0; i < 2; ++i) {
            EXPECT_NEAR(m.points[i].separation, gap, 1e-6f);
            EXPECT_NEAR(std::abs(m.points[i].point_b.x), 1.0f, 1e-6f);
        }
    }
    EXPECT_EQ(collide(floor_box, {}, capsule, {Vec3(0, 0, 2.49f)}, 0.02f).count, 1) << "standing";
}

TEST(Manifold, ParallelAndCrossedCapsules) {
    const Shape capsule = oracle::make(Capsule{0.5f, 1.0f});
    const Manifold lying = collide(capsule, {}, capsule, {Vec3(0.99f, 0, 0.5f)}, 0.02f);
    ASSERT_EQ(lying.count, 2);
    expect_normal(lying, Vec3(1, 0, 0));
    EXPECT_NEAR(std::abs(lying.points[0].point_a.z - lying.points[1].point_a.z), 1.5f, 1e-5f);
    const Manifold crossed = collide(capsule, {}, capsule, {Vec3(0.99f, 0, 0), turn(Vec3(1, 0, 0), 1.0)}, 0.02f);
    ASSERT_EQ(crossed.count, 1);
    EXPECT_NEAR(crossed.points[0].separation, -0.01f, 1e-6f);
}

TEST(Manifold, CylinderStandingAndLying) {
    const Shape cylinder = oracle::make(Cylinder{0.5f, 1.0f});
    const Manifold standing = collide(floor_box, {}, cylinder, {Vec3(0, 0, 1.995f)}, 0.02f);
    ASSERT_EQ(standing.count, 4);
    expect_normal(standing, Vec3(0, 0, 1));
    for (int i = 0; i < 4; ++i) {
        EXPECT_NEAR(standing.points[i].separation, -0.005f, 1e-6f);
        EXPECT_NEAR(std::hypot(standing.points[i].point_b.x, standing.points[i].point_b.y), 0.5f, 1e-5f);
    }
    const Manifold lying =
        collide(floor_box, {}, cylinder, {Vec3(0, 0, 1.495f), turn(Vec3(0, 1, 0), 1.5707963268)}, 0.02f);
    ASSERT_EQ(lying.count, 2);
    expect_normal(lying, Vec3(0, 0, 1));
    EXPECT_NEAR(lying.points[0].separation, -0.005f, 1e-6f);
    // Tilted onto its rim: one point, the deepest of the rim and not a corner of the polygon inside it.
    const double tilt = 0.3;
    const Vec3 axis(0.31f, 0.77f, 0.0f);
    const double drop = std::cos(tilt) + 0.5 * std::sin(tilt);
    const Manifold rim =
        collide(floor_box, {}, cylinder, {Vec3(0, 0, float(1.0 + drop - 0.002)), turn(axis, tilt)}, 0.004f);
    ASSERT_GE(rim.count, 1);
    EXPECT_NEAR(deepest(rim), -0.002f, 1e-5f);
}

TEST(Manifold, CylinderOnCylinder) {
    const Shape cylinder = oracle::make(Cylinder{0.5f, 1.0f});
    const Manifold stacked = collide(cylinder, {}, cylinder, {Vec3(0.1f, 0, 1.99f)}, 0.02f);
    EXPECT_EQ(stacked.count, 4);
    expect_normal(stacked, Vec3(0, 0, 1));
    const Manifold side = collide(cylinder, {}, cylinder, {Vec3(0.99f, 0, 0.3f)}, 0.02f);
    EXPECT_EQ(side.count, 2);
    expect_normal(side, Vec3(1, 0, 0), 1e-3f);
}

TEST(Manifold, ConeOnItsBaseAndOnItsSide) {
    const Shape cone = oracle::make(Cone{0.5f, 1.0f});
    const Manifold standing = collide(floor_box, {}, cone, {Vec3(0, 0, 1.245f)}, 0.02f);
    EXPECT_EQ(standing.count, 4);
    expect_normal(standing, Vec3(0, 0, 1));
    EXPECT_NEAR(deepest(standing), -0.005f, 1e-6f);
    // Lying: the side line is horizontal when the axis is tilted so that the side's normal points down.
    const double side_angle = std::atan2(0.5, 1.0); // of the side's normal above the horizontal
    const Quat lying = turn(Vec3(0, 1, 0), 1.5707963268 + side_angle);
    double lowest = 1e9;
    lowest = -oracle::extent(cone, {Vec3(0), lying}, DVec3(0, 0, -1));
    const Manifold m = collide(floor_box, {}, cone, {Vec3(0, 0, float(1.0 - lowest - 0.005)), lying}, 0.02f);
    EXPECT_EQ(m.count, 2);
    expect_normal(m, Vec3(0, 0, 1));
    EXPECT_NEAR(deepest(m), -0.005f, 1e-5f);
}

TEST(Manifold, DiamondOnItsFacet) {
    const Shape diamond = oracle::make(Diamond{1.0f});
    // Onto its table, the widest facet.
    std::size_t largest = 0;
    for (std::size_t f = 0; f < diamond.hull->planes.size(); ++f) {
        if (diamond.hull->planes[f].normal.z > diamond.hull->planes[largest].normal.z) {
            largest = f;
        }
    }
    const float height = diamond.hull->planes[largest].offset;
    const Transform flipped{Vec3(0, 0, 1.0f + height - 0.003f), turn(Vec3(1, 0, 0), 3.14159265358979)};
    const Manifold m = collide(floor_box, {}, diamond, flipped, 0.01f);
    ASSERT_EQ(m.count, 4);
    expect_normal(m, Vec3(0, 0, 1), 1e-5f);
    EXPECT_NEAR(deepest(m), -0.003f, 1e-5f);
}

TEST(Manifold, SphereAgainstEverything) {
    const Shape sphere = oracle::make(Sphere{0.5f});
    const std::vector<Shape> others{oracle::unit_box,
                                    oracle::make(Capsule{0.5f, 1.0f}),
                                    oracle::make(Cylinder{1.0f, 1.0f}),
                                    oracle::make(Cone{1.0f, 2.0f}),
                                    oracle::make(Diamond{1.0f}),
                                    sphere};
    for (const Shape& other : others) {
        const double top = oracle::extent(other, {}, DVec3(0, 0, 1));
        const Manifold m = collide(other, {}, sphere, {Vec3(0, 0, float(top + 0.5 - 0.004))}, 0.01f);
        ASSERT_EQ(m.count, 1);
        expect_normal(m, Vec3(0, 0, 1), 1e-5f);
        EXPECT_NEAR(m.points[0].separation, -0.004f, 1e-5f);
        EXPECT_NEAR(m.points[0].point_b.z, float(top - 0.004), 1e-5f);
    }
}

// A stack's contact must not change its features while it trembles.
TEST(Manifold, FeaturesSurviveSmallMotion) {
    Random random(7);
    const std::vector<Shape> shapes{oracle::unit_box, oracle::make(Diamond{1.0f}), oracle::make(Cylinder{0.5f, 1.0f}),
                                    oracle::make(Capsule{0.5f, 1.0f})};
    for (const Shape& shape : shapes) {
        for (int trial = 0; trial < 20; ++trial) {
            const bool lie = shape.kind == ShapeKind::capsule;
            const Quat spin = turn(Vec3(0, 0, 1), random.between(0, 6.28));
            Quat rest = lie ? spin * turn(Vec3(0, 1, 0), 1.5707963268) : spin;
            if (shape.kind == ShapeKind::hull) {
                rest = spin * turn(Vec3(1, 0, 0), 3.14159265358979);
            }
            const double low = -oracle::extent(shape, {Vec3(0), rest}, DVec3(0, 0, -1));
            const Vec3 place(float(random.between(-5, 5)), float(random.between(-5, 5)), float(1.0 - low - 1e-3));
            std::set<std::uint32_t> first;
            for (int step = 0; step < 20; ++step) {
                const Quat tremble = turn(Vec3(random.direction()), 2e-5);
                const Transform pose{place + Vec3(random.direction() * 2e-5), normalized(tremble * rest)};
                const Manifold m = collide(floor_box, {}, shape, pose, 0.01f);
                if (step == 0) {
                    first = features(m);
                    ASSERT_EQ(m.count, lie ? 2 : 4);
                } else {
                    ASSERT_EQ(features(m), first) << int(shape.kind) << " trial " << trial << " step " << step;
                }
                expect_normal(m, Vec3(0, 0, 1), 1e-4f);
            }
        }
    }
}

TEST(Manifold, BoxOnBoxFeaturesSurviveWhicheverFaceIsTheReference) {
    Random random(8);
    std::set<std::uint32_t> first;
    for (int step = 0; step < 200; ++step) {
        const Transform a{Vec3(0.0f), turn(Vec3(random.direction()), 1e-5)};
        const Transform b{Vec3(0.3f, 0.2f, 1.999f) + Vec3(random.direction() * 1e-5),
                          turn(Vec3(random.direction()), 1e-5)};
        const Manifold m = step % 2 == 0 ? collide(oracle::unit_box, a, oracle::unit_box, b, 0.01f)
                                         : collide(oracle::unit_box, a, oracle::unit_box, b, 0.01f, nullptr);
        ASSERT_EQ(m.count, 4);
        if (step == 0) {
            first = features(m);
        }
        ASSERT_EQ(features(m), first);
    }
}

TEST(Manifold, ReductionKeepsTheDeepest) {
    Random random(9);
    int reduced = 0;
    for (int i = 0; i < oracle::count(2000); ++i) {
        // Turned boxes slightly tilted: up to eight points of different depth.
        const Quat tilt = turn(Vec3(random.direction()), random.between(0.0, 0.01));
        const Transform b{Vec3(float(random.between(-0.5, 0.5)), float(random.between(-0.5, 0.5)), 1.97f),
                          normalized(tilt * turn(Vec3(0, 0, 1), random.between(0, 6.28)))};
        const Manifold m = collide(oracle::unit_box, {}, oracle::unit_box, b, 0.05f);
        ASSERT_GE(m.count, 3);
        reduced += m.count == 4;
        const double depth = double(deepest(m));
        const double slab = oracle::separation_along(oracle::unit_box, {}, oracle::unit_box, b, DVec3(m.normal));
        // The deepest point over the other's face: not deeper than the slabs, and close to them where the corner that
        // makes the slab lies over the face.
        ASSERT_GE(depth, slab - 1e-5);
        const DistanceResult d = signed_distance(oracle::unit_box, {}, oracle::unit_box, b);
        ASSERT_NEAR(depth, double(d.distance), 3e-3);
    }
    EXPECT_GT(reduced, 1000);
}

} // namespace
} // namespace cairn::physics
