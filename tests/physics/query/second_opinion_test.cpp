// The same pairs by programs of other authors: libccd, Bullet and, for the Minkowski difference itself, Qhull. Where
// one of them disagrees the proof by directions decides, and must decide for us.
//
// What is allowed for, because it is known of them:
// - libccd answers yes or no well, in doubles; with an absolute tolerance, so pairs are scaled to a size of 1 m. Its
// EPA
//   stops early: shallow depths are wrong by up to a half and are not asked for. Its portal refinement (MPR) finds some
//   direction that separates, not the best: its depth is an upper bound.
// - Bullet computes in floats, with absolute tolerances of about a millimetre, so pairs are scaled to a size of 10 m;
// its
//   GJK stops at a relative 1e-3 of the distance. Margins, which would round its boxes' corners, are set to zero.
// - Qhull merges facets that are coplanar within its rounding.
#include "physics/query/distance.h"
#include "tests/physics/query/direction_search.h"
#include "tests/physics/query/pair_generator.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <ccd/ccd.h>
extern "C" {
#include <libqhull_r/qhull_ra.h>
}
#include <gtest/gtest.h>

#include <cstdio>
#include <optional>
#include <stdexcept>

namespace cairn::physics {
namespace {

using oracle::DVec3;
using oracle::Kind;
using oracle::Pair;
using oracle::Random;

double proven(const Pair& c) {
    const oracle::Bounds b = oracle::bounded_distance(c.a, c.pose_a, c.b, c.pose_b, 1e-6, 1e-8 * c.size);
    return 0.5 * (b.lower + b.upper);
}

bool is_right(double got, double truth, double size) {
    return std::abs(got - truth) <= (truth < 0.0 ? -1e-4 * truth + 1.5e-7 * size : 1e-5 * size + 1.2e-7 * truth);
}

template <typename Visit>
void for_all_pairs(std::uint64_t seed, int count, Visit visit) {
    for (const Kind a : oracle::all_kinds) {
        for (const Kind b : oracle::all_kinds) {
            Random random(seed + 10 * std::uint64_t(a) + std::uint64_t(b));
            for (int i = 0; i < count; ++i) {
                visit(oracle::random_pair(a, b, random));
            }
        }
    }
}

// --- libccd

struct CcdBody {
    const Shape* shape;
    const Transform* pose;
    DVec3 position; // scaled
    double scale;
};

void ccd_support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* point) {
    const CcdBody& body = *static_cast<const CcdBody*>(object);
    const DVec3 d(direction->v[0], direction->v[1], direction->v[2]);
    const double length = glm::length(d);
    const DVec3 unit = length > 0.0 ? d / length : DVec3(0.0, 0.0, 1.0);
    const DVec3 p = body.position + oracle::farthest(*body.shape, body.pose->orientation, unit) * body.scale;
    ccdVec3Set(point, p.x, p.y, p.z);
}

void ccd_centre(const void* object, ccd_vec3_t* centre) {
    const CcdBody& body = *static_cast<const CcdBody*>(object);
    ccdVec3Set(centre, body.position.x, body.position.y, body.position.z);
}

struct CcdAnswer {
    bool meet = false;
    std::optional<double> depth; // m, some direction's
};

CcdAnswer ask_libccd(const Pair& c) {
    const double scale = 1.0 / c.size;
    const CcdBody a{&c.a, &c.pose_a, DVec3(0.0), scale};
    const CcdBody b{&c.b, &c.pose_b, (DVec3(c.pose_b.position) - DVec3(c.pose_a.position)) * scale, scale};
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = ccd_support;
    ccd.center1 = ccd.center2 = ccd_centre;
    ccd.max_iterations = 1000;
    CcdAnswer answer;
    answer.meet = ccdGJKIntersect(&a, &b, &ccd) != 0;
    ccd_real_t depth = 0.0;
    ccd_vec3_t direction, position;
    if (ccdMPRPenetration(&a, &b, &ccd, &depth, &direction, &position) == 0) {
        answer.depth = depth / scale;
    }
    return answer;
}

TEST(SecondOpinion, LibccdSaysWhetherPairsMeet) {
    int separated = 0, overlapping = 0, disagree = 0, wrong = 0, shallower = 0;
    for_all_pairs(5000, oracle::count(20), [&](const Pair& c) {
        const double d = double(signed_distance(c.a, c.pose_a, c.b, c.pose_b).distance);
        if (std::abs(d) < 1e-5 * c.size) {
            return;
        }
        const CcdAnswer other = ask_libccd(c);
        (d < 0.0 ? overlapping : separated) += 1;
        EXPECT_EQ(overlap(c.a, c.pose_a, c.b, c.pose_b), d < 0.0);
        if (other.meet != (d < 0.0)) {
            ++disagree;
            const double truth = proven(c);
            if ((truth < 0.0) != (d < 0.0)) {
                ++wrong;
                ADD_FAILURE() << describe(c) << " got " << d << " proven " << truth;
            }
        }
        // Its tolerance for depths is 1e-4 of the size.
        if (d < 0.0 && other.depth && *other.depth < -d - 2e-4 * c.size) {
            ++shallower;
            const double truth = proven(c);
            EXPECT_TRUE(is_right(d, truth, c.size)) << describe(c) << " got " << d << " proven " << truth;
        }
    });
    std::printf("libccd: %d separated, %d overlapping, %d other answers (%d of them right), %d depths less than ours\n",
                separated, overlapping, disagree, wrong, shallower);
    EXPECT_GT(separated, 100);
    EXPECT_GT(overlapping, 100);
    EXPECT_LT(disagree * 50, separated + overlapping); // else it is no second opinion
    EXPECT_LT(shallower * 50, overlapping);
}

// --- Bullet

std::unique_ptr<btConvexShape> bullet_shape(const Shape& s, double scale, DVec3& offset) {
    const auto f = [&](float x) { return btScalar(double(x) * scale); };
    std::unique_ptr<btConvexShape> shape;
    offset = DVec3(0.0);
    switch (s.kind) {
    case ShapeKind::sphere:
        return std::make_unique<btSphereShape>(f(s.radius)); // its margin is its radius
    case ShapeKind::capsule:
        return std::make_unique<btCapsuleShapeZ>(f(s.radius), f(2.0f * s.half_extents.z)); // likewise
    case ShapeKind::box:
        shape = std::make_unique<btBoxShape>(btVector3(f(s.half_extents.x), f(s.half_extents.y), f(s.half_extents.z)));
        break;
    case ShapeKind::cylinder:
        shape = std::make_unique<btCylinderShapeZ>(btVector3(f(s.radius), f(s.radius), f(s.half_extents.z)));
        break;
    case ShapeKind::cone:
        shape = std::make_unique<btConeShapeZ>(f(s.radius), f(2.0f * s.half_extents.z));
        offset = DVec3(0.0, 0.0, 0.5 * double(s.half_extents.z) * scale); // its origin is at half the height
        break;
    case ShapeKind::mesh:
        throw std::logic_error("a mesh is not convex");
    case ShapeKind::hull: {
        auto hull = std::make_unique<btConvexHullShape>();
        for (const Vec3& v : s.hull->vertices) {
            hull->addPoint(btVector3(f(v.x), f(v.y), f(v.z)), false);
        }
        hull->recalcLocalAabb();
        shape = std::move(hull);
        break;
    }
    }
    shape->setMargin(0.0f);
    return shape;
}

struct BulletResult : btDiscreteCollisionDetectorInterface::Result {
    std::optional<double> distance;
    void setShapeIdentifiersA(int, int) override {}
    void setShapeIdentifiersB(int, int) override {}
    void addContactPoint(const btVector3&, const btVector3&, btScalar depth) override { distance = double(depth); }
};

std::optional<double> ask_bullet(const Pair& c) {
    const double scale = 10.0 / c.size;
    DVec3 offset_a, offset_b;
    const auto a = bullet_shape(c.a, scale, offset_a);
    const auto b = bullet_shape(c.b, scale, offset_b);
    const auto transform = [](const Quat& q, const DVec3& position, const DVec3& offset) {
        const glm::dquat unit = glm::normalize(glm::dquat(double(q.w), double(q.x), double(q.y), double(q.z)));
        const DVec3 p = position + unit * offset;
        return btTransform(btQuaternion(btScalar(unit.x), btScalar(unit.y), btScalar(unit.z), btScalar(unit.w)),
                           btVector3(btScalar(p.x), btScalar(p.y), btScalar(p.z)));
    };
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver epa;
    btGjkPairDetector detector(a.get(), b.get(), &simplex, &epa);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = transform(c.pose_a.orientation, DVec3(0.0), offset_a);
    input.m_transformB =
        transform(c.pose_b.orientation, (DVec3(c.pose_b.position) - DVec3(c.pose_a.position)) * scale, offset_b);
    BulletResult result;
    detector.getClosestPoints(input, result, nullptr);
    if (result.distance) {
        *result.distance /= scale;
    }
    return result.distance;
}

TEST(SecondOpinion, BulletFindsTheSameDistances) {
    int separated = 0, overlapping = 0, none = 0, disagree_apart = 0, disagree_inside = 0;
    for_all_pairs(6000, oracle::count(20), [&](const Pair& c) {
        const double d = double(signed_distance(c.a, c.pose_a, c.b, c.pose_b).distance);
        if (std::abs(d) < 1e-3 * c.size) {
            return; // its absolute tolerances
        }
        const std::optional<double> other = ask_bullet(c);
        (d < 0.0 ? overlapping : separated) += 1;
        const double allowed = d < 0.0 ? -0.02 * d + 1e-3 * c.size : 1e-3 * d + 1e-4 * c.size;
        none += !other;
        if (!other || std::abs(*other - d) > allowed) {
            (d < 0.0 ? disagree_inside : disagree_apart) += 1;
            const double truth = proven(c);
            EXPECT_TRUE(is_right(d, truth, c.size))
                << describe(c) << " got " << d << " proven " << truth << " Bullet " << other.value_or(0.0);
        }
    });
    std::printf("Bullet: %d separated, other answers %d; %d overlapping, other answers %d; no answer %d\n", separated,
                disagree_apart, overlapping, disagree_inside, none);
    EXPECT_GT(separated, 100);
    EXPECT_GT(overlapping, 100);
    EXPECT_LT(disagree_apart * 20, separated); // else it is no second opinion
    EXPECT_LT(disagree_inside * 5, overlapping);
}

// --- Qhull

// Signed distance of the origin from the hull of all differences of vertices: less than zero inside, where it is the
// depth; outside only a lower bound of the distance.
double ask_qhull(const Pair& c) {
    const oracle::Solid a = oracle::solid(c.a, c.pose_a);
    const oracle::Solid b = oracle::solid(c.b, c.pose_b);
    std::vector<coordT> points;
    for (const DVec3& p : a.vertices) {
        for (const DVec3& q : b.vertices) {
            const DVec3 w = (p - q) / c.size;
            points.insert(points.end(), {w.x, w.y, w.z});
        }
    }
    qhT state;
    qhT* qh = &state;
    qh_zero(qh, stderr);
    std::array<char, 16> options{"qhull Qt Pp"};
    const int failed =
        qh_new_qhull(qh, 3, int(points.size() / 3), points.data(), False, options.data(), nullptr, stderr);
    double most = -std::numeric_limits<double>::max();
    if (failed == 0) {
        for (const facetT* f = qh->facet_list; f && f->next; f = f->next) {
            most = std::max(most, double(f->offset));
        }
    }
    qh_freeqhull(qh, !qh_ALL);
    int still_used = 0, blocks = 0;
    qh_memfreeshort(qh, &still_used, &blocks);
    if (failed != 0) {
        throw std::runtime_error("Qhull gave up");
    }
    return most * c.size - a.radius - b.radius;
}

TEST(SecondOpinion, QhullOfTheMinkowskiDifferenceHasTheSameDepth) {
    constexpr std::array kinds{Kind::box, Kind::hull, Kind::diamond, Kind::capsule};
    int separated = 0, overlapping = 0;
    double worst = 0.0;
    for (const Kind ka : kinds) {
        for (const Kind kb : {Kind::box, Kind::hull, Kind::sphere}) {
            Random random(8000 + 10 * std::uint64_t(ka) + std::uint64_t(kb));
            if (ka == Kind::capsule && kb == Kind::sphere) {
                continue; // no volume
            }
            for (int i = 0; i < oracle::count(20); ++i) {
                const Pair c = oracle::random_pair(ka, kb, random);
                const double margin =
                    (kb == Kind::sphere ? double(c.b.radius) : 0.0) + (ka == Kind::capsule ? double(c.a.radius) : 0.0);
                const double d = double(signed_distance(c.a, c.pose_a, c.b, c.pose_b).distance);
                const double other = ask_qhull(c);
                if (d > -margin) {
                    ++separated; // of the cores
                    EXPECT_LE(other, d + 1e-6 * (c.size + std::abs(d))) << describe(c);
                } else {
                    ++overlapping;
                    worst = std::max(worst, std::abs(other - d) / c.size);
                    EXPECT_NEAR(other, d, 1e-6 * c.size) << describe(c);
                }
            }
        }
    }
    std::printf("Qhull: %d separated, %d overlapping, worst difference of depth %.1e of the size\n", separated,
                overlapping, worst);
    EXPECT_GT(separated, 40);
    EXPECT_GT(overlapping, 40);
}

} // namespace
} // namespace cairn::physics
