#include "bench/queries/measure.h"

#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <array>

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

// All contact points of a pair.
struct Contacts : btDiscreteCollisionDetectorInterface::Result {
    struct Point {
        btVector3 normal, position; // normal from B to A
        btScalar depth = 0.0f;      // negative in penetration
    };
    std::array<Point, 16> points; // its clipping makes at most 8
    std::size_t count = 0;

    void setShapeIdentifiersA(int, int) override {}
    void setShapeIdentifiersB(int, int) override {}
    void addContactPoint(const btVector3& normal, const btVector3& position, btScalar depth) override {
        points.at(count++) = {normal, position, depth};
    }
};

// The special case for two boxes: separating axes and clipping. Of separated boxes it says no more than that they are.
void add_boxes(std::vector<Method>& methods, const std::shared_ptr<const Scene>& scene) {
    const std::size_t count = scene->inputs.size();
    const auto ask = [=](std::size_t i) {
        btBoxBoxDetector detector(static_cast<const btBoxShape*>(scene->a.get()),
                                  static_cast<const btBoxShape*>(scene->b.get()));
        Contacts contacts;
        detector.getClosestPoints(scene->inputs[i], contacts, nullptr);
        return contacts;
    };
    methods.push_back({"Bullet box-box manifold", Kind::special, false, passes(count, ask), count, [=](std::size_t i) {
                           const Contacts contacts = ask(i);
                           Answer answer;
                           answer.overlapping = contacts.count > 0;
                           for (std::size_t p = 0; p < contacts.count; ++p) {
                               const Contacts::Point& point = contacts.points[p];
                               if (!answer.distance || static_cast<double>(point.depth) < *answer.distance) {
                                   answer.distance = static_cast<double>(point.depth);
                                   answer.normal = -glm::normalize(
                                       glm::dvec3(point.normal.x(), point.normal.y(), point.normal.z()));
                               }
                           }
                           return answer;
                       }});
}

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
    if (c->shapes->a.kind == ShapeKind::box && c->shapes->b.kind == ShapeKind::box) {
        add_boxes(methods, scene);
    }
}

} // namespace cairn::bench
