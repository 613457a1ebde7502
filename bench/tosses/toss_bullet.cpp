#include "bench/tosses/toss_bullet.h"

#include <btBulletDynamicsCommon.h>
#include <cmath>

namespace cairn::bench {

namespace {

using physics::Quat;
using physics::Vec3;

btVector3 to_bullet(const Vec3& v) {
    return {v.x, v.y, v.z};
}

Vec3 from_bullet(const btVector3& v) {
    return {v.x(), v.y(), v.z()};
}

btRigidBody::btRigidBodyConstructionInfo body_info(const TossSetup& setup, float mass, btCollisionShape& shape,
                                                   const Vec3& position, const Quat& q) {
    const float moment = mass > 0.0f ? setup.inertia : 0.0f;
    const btVector3 inertia(moment, moment, moment);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
    info.m_startWorldTransform = btTransform(btQuaternion(q.x, q.y, q.z, q.w), to_bullet(position));
    // A pair gets the product of both.
    info.m_friction = std::sqrt(setup.friction);
    info.m_restitution = std::sqrt(setup.restitution);
    return info;
}

} // namespace

std::vector<TossRow> simulate_with_bullet(const Toss& toss, const TossSetup& setup) {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity(to_bullet(setup.settings.gravity));

    btBoxShape board_shape({50, 50, 0.5f});
    btRigidBody board(body_info(setup, 0.0f, board_shape, Vec3(0.0f, 0.0f, -0.5f), physics::identity_orientation));
    const float half = 0.5f * setup.side;
    btBoxShape cube_shape({half, half, half});
    const TossRow& release = toss.rows.front();
    btRigidBody cube(body_info(setup, setup.mass, cube_shape, release.pose.position, release.pose.orientation));
    cube.setLinearVelocity(to_bullet(release.linear_velocity));
    cube.setAngularVelocity(to_bullet(release.angular_velocity));
    world.addRigidBody(&board);
    world.addRigidBody(&cube);

    std::vector<TossRow> rows;
    rows.reserve(toss.rows.size());
    rows.push_back(release);
    const float h = setup.settings.dt() / static_cast<float>(setup.settings.substeps);
    while (rows.size() < toss.rows.size()) {
        for (int i = 0; i < setup.settings.substeps; ++i) {
            world.stepSimulation(h, 0, h);
        }
        const btTransform& pose = cube.getWorldTransform();
        const btQuaternion q = pose.getRotation();
        rows.push_back({{from_bullet(pose.getOrigin()), Quat(q.w(), q.x(), q.y(), q.z())},
                        from_bullet(cube.getLinearVelocity()),
                        from_bullet(cube.getAngularVelocity())});
    }
    world.removeRigidBody(&cube);
    world.removeRigidBody(&board);
    return rows;
}

} // namespace cairn::bench
