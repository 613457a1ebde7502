#include "bench/queries/measure.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

namespace cairn::bench {

using namespace physics;

namespace {

// Without its margin, which would round the corners off: the same solids as everybody else's.
std::shared_ptr<btConvexShape> make_shape(const Shape& shape) {
    std::shared_ptr<btConvexShape> made;
    if (shape.kind == ShapeKind::box) {
        const Vec3& half = shape.half_extents;
        made = std::make_shared<btBoxShape>(btVector3(half.x, half.y, half.z));
    } else {
        const auto hull = std::make_shared<btConvexHullShape>();
        for (const Vec3& vertex : shape.hull->vertices) {
            hull->addPoint(btVector3(vertex.x, vertex.y, vertex.z), false);
        }
        hull->recalcLocalAabb();
        made = hull;
    }
    made->setMargin(0.0f);
    return made;
}

btTransform make_transform(const Transform& pose) {
    const Quat& q = pose.orientation;
    return btTransform(btQuaternion(q.x, q.y, q.z, q.w), btVector3(pose.position.x, pose.position.y, pose.position.z));
}

struct Scene {
    std::shared_ptr<btConvexShape> a, b;
    std::vector<btDiscreteCollisionDetectorInterface::ClosestPointInput> inputs;

    explicit Scene(const Case& c) : a(make_shape(c.shapes->a)), b(make_shape(c.shapes->b)) {
        inputs.resize(c.poses.size());
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            inputs[i].m_transformA = make_transform(c.poses[i].a);
            inputs[i].m_transformB = make_transform(c.poses[i].b);
        }
    }
};

} // namespace

void add_bullet(std::vector<Method>& methods, const std::shared_ptr<const Case>& c) {
    const auto scene = std::make_shared<const Scene>(*c);
    const std::size_t count = scene->inputs.size();
    const auto simplex = std::make_shared<btVoronoiSimplexSolver>();
    const auto depth = std::make_shared<btGjkEpaPenetrationDepthSolver>();
    // A fresh detector each time, since it remembers its last axis.
    const auto ask = [=](std::size_t i) {
        btGjkPairDetector detector(scene->a.get(), scene->b.get(), simplex.get(), depth.get());
        btPointCollector result;
        detector.getClosestPoints(scene->inputs[i], result, nullptr);
        return result;
    };
    methods.push_back({"Bullet GJK+EPA", Kind::signed_distance, false, passes(count, ask), count, [=](std::size_t i) {
                           const btPointCollector result = ask(i);
                           Answer answer;
                           if (result.m_hasResult) {
                               const btVector3& n = result.m_normalOnBInWorld;
                               answer.overlapping = result.m_distance <= 0.0f;
                               answer.distance = static_cast<double>(result.m_distance);
                               answer.normal = -glm::normalize(glm::dvec3(n.x(), n.y(), n.z()));
                           }
                           return answer;
                       }});
}

} // namespace cairn::bench
