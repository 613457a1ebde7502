// What must hold for the manifold of every pair, with and without memory of the step before.
#include "tests/physics/query/manifolds.h"

#include <map>

namespace cairn::physics {
namespace {

using manifolds::deepest;
using manifolds::features;
using manifolds::floor_box;
using manifolds::turn;
using oracle::Random;
using DVec3 = glm::dvec3;

std::vector<Shape> every_shape() {
    Random random(10);
    auto points = std::make_shared<std::vector<Vec3>>();
    for (int i = 0; i < 40; ++i) {
        points->push_back(Vec3(random.direction()));
    }
    return {oracle::make(Sphere{0.7f}),          oracle::unit_box,
            oracle::make(Capsule{0.5f, 0.8f}),   oracle::make(Cylinder{0.6f, 0.7f}),
            oracle::make(Cone{0.8f, 1.5f}),      oracle::make(Diamond{1.0f}),
            oracle::make(PointSet{points}),      oracle::make(Box{Vec3(3.0f, 0.25f, 0.25f)}),
            oracle::make(Box{Vec3(3, 3, 0.05f)})};
}

// What holds for every manifold whatever the shapes.
void expect_consistent(const Manifold& m, const Shape& a, const Transform& pa, const Shape& b, const Transform& pb,
                       float speculative, double size) {
    ASSERT_GE(m.count, 0);
    ASSERT_LE(m.count, 4);
    if (m.count == 0) {
        return;
    }
    ASSERT_NEAR(glm::length(m.normal), 1.0f, 1e-5f);
    ASSERT_EQ(int(features(m).size()), m.count) << "features are not unique";
    for (int i = 0; i < m.count; ++i) {
        const ManifoldPoint& p = m.points[i];
        ASSERT_LE(double(p.separation), double(speculative) + 1e-6 * size);
        const DVec3 d = DVec3(p.point_b) - DVec3(p.point_a);
        ASSERT_NEAR(glm::dot(d, DVec3(m.normal)), double(p.separation), 3e-3 * size) << "point " << i;
        ASSERT_LT(oracle::outside(a, pa, DVec3(p.point_a)), 5e-3 * size + double(speculative));
        ASSERT_LT(oracle::outside(b, pb, DVec3(p.point_b)), 5e-3 * size + double(speculative));
    }
}

Manifold flipped(Manifold m) {
    m.normal = -m.normal;
    for (int i = 0; i < m.count; ++i) {
        std::swap(m.points[i].point_a, m.points[i].point_b);
    }
    return m;
}

// Area of the points as seen along the normal, m^2, whatever their order.
double spread(const Manifold& m) {
    const auto at = [&m](int i) { return DVec3(m.points[static_cast<std::size_t>(i)].point_a); };
    const auto triangle = [&](int i, int j, int k) {
        return 0.5 * std::abs(glm::dot(DVec3(m.normal), glm::cross(at(j) - at(i), at(k) - at(i))));
    };
    if (m.count < 3) {
        return 0.0;
    }
    if (m.count == 3) {
        return triangle(0, 1, 2);
    }
    const double all = triangle(0, 1, 2) + triangle(0, 1, 3) + triangle(0, 2, 3) + triangle(1, 2, 3);
    return 0.5 * all; // of a convex quadrilateral the four triangles are twice its area
}

// Faces that cover each other in up to eight corners, rocking: the four that were kept stay, where a choice made anew
// each time goes back and forth; and they are still good ones.
TEST(Manifold, KeptPointsStayWhereOthersAreHardlyBetter) {
    Random random(77);
    auto prism = std::make_shared<std::vector<Vec3>>();
    for (int corner = 0; corner < 12; ++corner) {
        const double angle = 1.0471975511965976 * (corner % 6);
        prism->push_back({float(std::cos(angle)), float(std::sin(angle)), corner < 6 ? -1.0f : 1.0f});
    }
    const std::vector<std::pair<Shape, Shape>> pairs{{oracle::unit_box, oracle::unit_box},
                                                     {oracle::make(PointSet{prism}), oracle::unit_box}};
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const auto& [a, b] = pairs[p];
        int changes = 0;
        int changes_without = 0;
        for (int n = 0; n < 100; ++n) {
            const double yaw = random.between(0.0, 6.28);
            const double x = random.between(-0.4, 0.4);
            const double y = random.between(-0.4, 0.4);
            const Transform pose_b{{float(x), float(y), 0.0f}, turn({0, 0, 1}, yaw)};
            std::vector<std::uint32_t> kept;
            std::set<std::uint32_t> before;
            std::set<std::uint32_t> before_without;
            for (int rock = 0; rock < 12; ++rock) {
                const Vec3 axis(Vec3(random.direction()));
                const Transform pose_a{{0.0f, 0.0f, 1.99f}, turn(axis, 1e-3)};
                const Manifold m = collide(a, pose_a, b, pose_b, 0.02f, nullptr, kept);
                const Manifold without = collide(a, pose_a, b, pose_b, 0.02f);
                ASSERT_EQ(m.count, without.count);
                changes += rock > 0 && features(m) != before ? 1 : 0;
                changes_without += rock > 0 && features(without) != before_without ? 1 : 0;
                before = features(m);
                before_without = features(without);
                kept.assign(before.begin(), before.end());
                ASSERT_GE(spread(m), 0.6 * spread(without));
                ASSERT_LE(deepest(m), deepest(without) + 1e-3f);
            }
        }
        EXPECT_LT(changes, changes_without / 4) << "pair " << p;
        std::printf("pair %zu: %d changes of 1100, %d without memory\n", p, changes, changes_without);
    }
}

TEST(Manifold, HoldsForEveryPairAndBothOrders) {
    Random random(10);
    const std::vector<Shape> shapes = every_shape();
    int contacts = 0;
    int none = 0;
    std::map<int, int> counts;
    for (int i = 0; i < oracle::count(20000); ++i) {
        const Shape& a = shapes[random.below(int(shapes.size()))];
        const Shape& b = shapes[random.below(int(shapes.size()))];
        const double size = double(a.bounding_radius) + double(b.bounding_radius);
        const Transform pa{Vec3(random.direction() * 10.0), random.orientation()};
        Transform pb{pa.position, random.below(4) == 0 ? pa.orientation : random.orientation()};
        const DVec3 u = random.direction();
        const double now = oracle::separation_along(a, pa, b, pb, u);
        pb.position += Vec3(u * (random.between(-0.3, 0.05) - now));
        const float speculative = 0.03f;
        const Manifold m = collide(a, pa, b, pb, speculative);
        const DistanceResult d = signed_distance(a, pa, b, pb);
        expect_consistent(m, a, pa, b, pb, speculative, size);
        if (HasFatalFailure()) {
            FAIL() << "pair " << i << " kinds " << int(a.kind) << " " << int(b.kind);
        }
        // A contact exactly where the distance says so.
        if (std::abs(d.distance - speculative) > 1e-5f) {
            ASSERT_EQ(m.count > 0, d.distance < speculative) << i << " distance " << d.distance;
        }
        if (m.count == 0) {
            // A bound that is certain, and says more than the speculative distance unless that is a near thing.
            ASSERT_LE(double(m.apart), double(d.distance) + 1e-6 * size) << i;
            ASSERT_TRUE(m.apart > speculative - 2e-5f * float(size)) << i << " " << m.apart;
        } else {
            ASSERT_EQ(m.apart, 0.0f);
        }
        contacts += m.count > 0;
        none += m.count == 0;
        ++counts[m.count];
        if (m.count > 0) {
            const double tolerance = 3e-3 * size + 0.03 * std::abs(double(d.distance));
            ASSERT_NEAR(double(deepest(m)), double(d.distance), tolerance)
                << "pair " << i << " kinds " << int(a.kind) << " " << int(b.kind);
            const Manifold other = flipped(collide(b, pb, a, pa, speculative));
            ASSERT_GT(other.count, 0);
            ASSERT_NEAR(double(deepest(other)), double(deepest(m)), tolerance);
            if (a.kind != b.kind) {
                ASSERT_EQ(other.count, m.count);
                ASSERT_LT(glm::length(other.normal - m.normal), 1e-6f);
            }
        }
    }
    EXPECT_GT(contacts, 5000);
    EXPECT_GT(none, 200);
    for (int k = 1; k <= 4; ++k) {
        EXPECT_GT(counts[k], 100) << k;
    }
}

bool same_bits(const Manifold& a, const Manifold& b) {
    bool same = a.count == b.count && a.normal == b.normal;
    for (int i = 0; same && i < a.count; ++i) {
        const ManifoldPoint& p = a.points[i];
        const ManifoldPoint& q = b.points[i];
        same =
            p.point_a == q.point_a && p.point_b == q.point_b && p.separation == q.separation && p.feature == q.feature;
    }
    return same;
}

// Two answers to one question, of which either may have chosen another of several faces that do equally well.
void expect_equally_good(const Manifold& m, const Shape& a, const Transform& pa, const Shape& b, const Transform& pb,
                         float speculative) {
    const double size = double(a.bounding_radius) + double(b.bounding_radius);
    const double distance = double(signed_distance(a, pa, b, pb).distance);
    expect_consistent(m, a, pa, b, pb, speculative, size);
    if (std::abs(distance - double(speculative)) > 1e-5) {
        ASSERT_EQ(m.count > 0, distance < double(speculative)) << distance;
    }
    if (m.count > 0) {
        ASSERT_NEAR(double(deepest(m)), distance, 3e-3 * size + 0.03 * std::abs(distance));
    }
}

// A cache speeds a query up and never changes the answer, not by a bit: pairs that wander into contact and out of it,
// slowly and in jumps, with the speculative distance changing too. Only polytopes in contact may answer by the face
// that they remember.
TEST(Manifold, CacheDoesNotChangeTheAnswer) {
    Random random(11);
    const std::vector<Shape> shapes = every_shape();
    int apart = 0, kept = 0, touching = 0;
    for (const Shape& a : shapes) {
        for (const Shape& b : shapes) {
            CollideCache cache;
            const double reach = double(a.bounding_radius) + double(b.bounding_radius);
            Transform pose{Vec3(random.direction() * reach * 0.9), random.orientation()};
            for (int i = 0; i < oracle::count(120); ++i) {
                const double jump = i % 10 == 0 ? 0.5 : 0.02;
                pose.position += Vec3(random.direction() * jump * reach) - pose.position * float(0.1 * jump);
                pose.orientation = normalized(turn(Vec3(random.direction()), jump) * pose.orientation);
                const auto speculative = float(random.between(0.0, 0.1) * reach);
                const Vec3 axis = cache.axis;
                const Manifold cold = collide(a, {}, b, pose, speculative);
                const Manifold warm = collide(a, {}, b, pose, speculative, &cache);
                if (is_polytope(a) && is_polytope(b) && cold.count > 0) {
                    expect_equally_good(warm, a, {}, b, pose, speculative);
                    ASSERT_FALSE(HasFatalFailure()) << i;
                } else {
                    ASSERT_TRUE(same_bits(cold, warm)) << i;
                }
                if (cold.count == 0) {
                    const float distance = signed_distance(a, {}, b, pose).distance;
                    ASSERT_LE(double(cold.apart), double(distance) + 1e-6 * reach);
                    ASSERT_LE(double(warm.apart), double(distance) + 1e-6 * reach);
                    ASSERT_GE(double(warm.apart), double(speculative) - 2e-5 * reach);
                }
                touching += cold.count > 0;
                apart += cold.count == 0;
                kept += axis == cache.axis && axis != Vec3(0.0f) && cold.count == 0;
            }
        }
    }
    EXPECT_GT(touching, 500);
    EXPECT_GT(apart, 500);
    EXPECT_GT(kept, 100); // answered by the axis of an earlier pose
}

// Two boxes have a path of their own; hulls of the same corners have not.
TEST(Manifold, BoxesAnswerAsHullsOfTheirCornersDo) {
    Random random(14);
    std::map<int, int> counts;
    int apart = 0, same = 0, all = 0;
    std::vector<std::pair<Shape, Shape>> shapes; // a box and the hull of its corners
    for (const Vec3& half : {Vec3(1.0f), Vec3(3.0f, 0.25f, 0.25f), Vec3(3, 3, 0.05f), Vec3(0.4f, 0.5f, 0.6f)}) {
        auto corners = std::make_shared<std::vector<Vec3>>();
        for (int k = 0; k < 8; ++k) {
            corners->push_back(half * Vec3(k % 2 == 0 ? -1 : 1, k / 2 % 2 == 0 ? -1 : 1, k / 4 == 0 ? -1 : 1));
        }
        shapes.emplace_back(oracle::make(Box{half}), oracle::make(PointSet{corners}));
    }
    for (int i = 0; i < oracle::count(20000); ++i) {
        const auto& [a, hull_a] = shapes[random.below(int(shapes.size()))];
        const auto& [b, hull_b] = shapes[random.below(int(shapes.size()))];
        const double size = double(a.bounding_radius) + double(b.bounding_radius);
        const Transform pa{Vec3(random.direction() * 10.0), random.orientation()};
        const Quat askew = turn(Vec3(random.direction()), std::pow(10.0, random.between(-6.0, 0.0)));
        const bool along = random.below(2) == 0;
        Transform pb{pa.position, normalized(along ? askew * pa.orientation : random.orientation())};
        const DVec3 u = along ? DVec3(rotate(pa.orientation, Vec3(0, 0, 1))) : random.direction();
        const double gap = random.between(-0.05, 0.03);
        pb.position += Vec3(u * (gap - oracle::separation_along(a, pa, b, pb, u)));
        const Manifold m = collide(a, pa, b, pb, 0.02f);
        const Manifold h = collide(hull_a, pa, hull_b, pb, 0.02f);
        expect_equally_good(m, a, pa, b, pb, 0.02f);
        ASSERT_FALSE(HasFatalFailure()) << i;
        if (m.count == 0 || h.count == 0) {
            apart += m.count == 0;
            continue;
        }
        ASSERT_NEAR(double(deepest(m)), double(deepest(h)), 3e-3 * size + 0.03 * std::abs(double(deepest(h)))) << i;
        ++all;
        bool found = m.count == h.count && glm::length(m.normal - h.normal) < 1e-5f;
        for (int k = 0; found && k < m.count; ++k) {
            bool like = false;
            for (int l = 0; l < h.count; ++l) {
                like = like || glm::length(m.points[k].point_a - h.points[l].point_a) < 1e-4f * float(size);
            }
            found = like;
        }
        same += found;
        ++counts[m.count];
    }
    EXPECT_GT(apart, oracle::count(20000) / 10);
    EXPECT_GT(same, all * 9 / 10) << all;
    for (int k = 1; k <= 4; ++k) {
        EXPECT_GT(counts[k], oracle::count(20000) / 100) << k;
    }
}

// Far from the origin only the poses' own rounding is lost.
TEST(Manifold, FarFromTheOrigin) {
    const Vec3 far(8192.0f, -4096.0f, 1024.0f);
    const Manifold m = collide(floor_box, {far}, oracle::unit_box, {far + Vec3(0.25f, 0.5f, 2.0f - 0.0078125f)}, 0.02f);
    ASSERT_EQ(m.count, 4);
    EXPECT_EQ(m.normal, Vec3(0, 0, 1));
    for (int i = 0; i < 4; ++i) {
        EXPECT_NEAR(m.points[i].separation, -0.0078125f, 1e-7f);
    }
}

} // namespace
} // namespace cairn::physics
