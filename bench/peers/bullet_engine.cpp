// Bullet at its defaults: ten iterations, a dynamic tree as broadphase, one step per frame, margins of its own.
#include "bench/peers/engine.h"

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>

namespace cairn::bench {
namespace {

using physics::Quat;
using physics::Shape;
using physics::ShapeKind;
using physics::Transform;
using physics::Vec3;

btVector3 to_bullet(const Vec3& v) {
    return {v.x, v.y, v.z};
}

btTransform to_bullet(const Transform& pose) {
    const Quat& q = pose.orientation;
    return btTransform(btQuaternion(q.x, q.y, q.z, q.w), to_bullet(pose.position));
}

Vec3 from_bullet(const btVector3& v) {
    return {v.x(), v.y(), v.z()};
}

std::unique_ptr<btCollisionShape> make_shape(const Shape& shape) {
    const Vec3& half = shape.half_extents;
    switch (shape.kind) {
    case ShapeKind::sphere:
        return std::make_unique<btSphereShape>(shape.radius);
    case ShapeKind::box:
        return std::make_unique<btBoxShape>(to_bullet(half));
    case ShapeKind::capsule:
        return std::make_unique<btCapsuleShapeZ>(shape.radius, 2.0f * half.z);
    case ShapeKind::cylinder:
        return std::make_unique<btCylinderShapeZ>(btVector3(shape.radius, shape.radius, half.z));
    case ShapeKind::cone:
        throw Unsupported("Bullet's cone is centred elsewhere");
    case ShapeKind::mesh:
        throw Unsupported("meshes are not compared");
    case ShapeKind::hull: {
        auto hull = std::make_unique<btConvexHullShape>();
        for (const Vec3& vertex : shape.hull->vertices) {
            hull->addPoint(to_bullet(vertex), false);
        }
        hull->recalcLocalAabb();
        return hull;
    }
    }
    throw Unsupported("a shape that Bullet does not know");
}

// Cairn's rules for a pair of materials, so that the same scene is the same scene.
btScalar combined_friction(const btCollisionObject* a, const btCollisionObject* b) {
    return std::sqrt(a->getFriction() * b->getFriction());
}

btScalar combined_restitution(const btCollisionObject* a, const btCollisionObject* b) {
    return std::max(a->getRestitution(), b->getRestitution());
}

class BulletEngine : public Engine {
  public:
    explicit BulletEngine(const physics::FrameState& start)
        : dispatcher_(&configuration_),
          world_(&dispatcher_, &broadphase_, &solver_, &configuration_),
          dt_(start.settings.dt()) {
        require_plain_bodies(start, "Bullet");
        gCalculateCombinedFrictionCallback = &combined_friction;
        gCalculateCombinedRestitutionCallback = &combined_restitution;
        world_.setGravity(to_bullet(start.settings.gravity));
        for (std::size_t i = 0; i < start.bodies.size(); ++i) {
            add(start.bodies[i], *start.models[i]);
        }
        for (const physics::JointState& joint : start.joints) {
            add(start, *joint.def);
        }
    }

    ~BulletEngine() override {
        for (const auto& joint : joints_) {
            world_.removeConstraint(joint.get());
        }
        for (const auto& body : bodies_) {
            world_.removeRigidBody(body.get());
        }
    }

    const char* name() const override { return "Bullet"; }

    void step() override {
        for (const auto& body : bodies_) {
            if (body->isKinematicObject()) { // Bullet takes its velocity from where it is put
                btTransform next;
                btTransformUtil::integrateTransform(body->getWorldTransform(), body->getLinearVelocity(),
                                                    body->getAngularVelocity(), dt_, next);
                body->setWorldTransform(next);
            }
        }
        world_.stepSimulation(dt_, 0, dt_);
    }

    void read(std::vector<BodyMotionState>& bodies) const override {
        bodies.resize(bodies_.size());
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            const btRigidBody& from = *bodies_[i];
            const btTransform pose = from.getWorldTransform() * principal_[i].inverse();
            const btQuaternion q = pose.getRotation();
            bodies[i] = {{from_bullet(pose.getOrigin()), Quat(q.w(), q.x(), q.y(), q.z())},
                         from_bullet(from.getLinearVelocity()),
                         from_bullet(from.getAngularVelocity())};
        }
    }

    EngineContacts contacts() const override {
        EngineContacts out;
        for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
            const btPersistentManifold& manifold = *dispatcher_.getManifoldByIndexInternal(i);
            bool touching = false;
            for (int k = 0; k < manifold.getNumContacts(); ++k) {
                const double depth = -static_cast<double>(manifold.getContactPoint(k).getDistance());
                out.depth = std::max(out.depth, depth);
                out.points += depth >= 0.0 ? 1 : 0;
                touching = touching || depth >= 0.0;
            }
            out.pairs += touching ? 1 : 0;
        }
        return out;
    }

  private:
    btCollisionShape* shape_of(const physics::BodyModel& model, const btTransform& principal) {
        // Bodies of one geometry share it, as they do in Cairn.
        const Shape* key = model.parts.front().shape.get();
        const bool plain =
            model.parts.size() == 1 && model.parts[0].pose == Transform{} && principal == btTransform::getIdentity();
        if (plain) {
            for (const auto& [shape, made] : shared_) {
                if (shape == key) {
                    return made;
                }
            }
            shapes_.push_back(make_shape(*key));
            shared_.emplace_back(key, shapes_.back().get());
            return shapes_.back().get();
        }
        auto compound = std::make_unique<btCompoundShape>();
        for (const physics::BodyModel::Part& part : model.parts) {
            shapes_.push_back(make_shape(*part.shape));
            compound->addChildShape(principal.inverse() * to_bullet(part.pose), shapes_.back().get());
        }
        shapes_.push_back(std::move(compound));
        return shapes_.back().get();
    }

    void add(const physics::BodyState& state, const physics::BodyModel& model) {
        // Bullet takes a body's axes for its principal ones.
        const physics::Mat3& t = model.inertia;
        btMatrix3x3 tensor(t[0][0], t[1][0], t[2][0], t[0][1], t[1][1], t[2][1], t[0][2], t[1][2], t[2][2]);
        btMatrix3x3 principal = btMatrix3x3::getIdentity();
        const float skew = std::max({std::abs(t[1][0]), std::abs(t[2][0]), std::abs(t[2][1])});
        if (skew > 1e-4f * (t[0][0] + t[1][1] + t[2][2])) {
            tensor.diagonalize(principal, 1e-6f, 50);
        }
        principal_.push_back(btTransform(principal));
        btRigidBody::btRigidBodyConstructionInfo info(model.mass, nullptr, shape_of(model, principal_.back()),
                                                      {tensor[0][0], tensor[1][1], tensor[2][2]});
        info.m_startWorldTransform = to_bullet(state.pose) * principal_.back();
        info.m_friction = model.def.material.friction;
        info.m_restitution = model.def.material.restitution;
        bodies_.push_back(std::make_unique<btRigidBody>(info));
        btRigidBody& body = *bodies_.back();
        body.setLinearVelocity(to_bullet(state.linear_velocity));
        body.setAngularVelocity(to_bullet(state.angular_velocity));
        if (state.type == physics::BodyType::kinematic) {
            body.setCollisionFlags(body.getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
        }
        if (state.type != physics::BodyType::fixed) {
            body.setActivationState(DISABLE_DEACTIVATION);
        }
        world_.addRigidBody(&body);
    }

    void add(const physics::FrameState& start, const physics::JointDef& def) {
        const auto a = index_of(start, def.body_a);
        const std::size_t ib = index_of(start, def.body_b).value();
        btRigidBody& b = *bodies_[ib];
        const auto local = [&](std::size_t i, const Vec3& p) { return principal_[i].inverse() * to_bullet(p); };
        const btVector3 at = local(ib, def.frame_b.position);
        if (a) {
            joints_.push_back(
                std::make_unique<btPoint2PointConstraint>(*bodies_[*a], b, local(*a, def.frame_a.position), at));
        } else {
            joints_.push_back(std::make_unique<btPoint2PointConstraint>(b, at));
        }
        world_.addConstraint(joints_.back().get(), !def.collide);
    }

    btDefaultCollisionConfiguration configuration_;
    btCollisionDispatcher dispatcher_;
    btDbvtBroadphase broadphase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_;
    float dt_;
    std::vector<std::unique_ptr<btCollisionShape>> shapes_;
    std::vector<std::pair<const Shape*, btCollisionShape*>> shared_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    std::vector<btTransform> principal_; // by body: from Bullet's axes of it to its own
    std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

} // namespace

std::unique_ptr<Engine> make_bullet_engine(const physics::FrameState& start) {
    return std::make_unique<BulletEngine>(start);
}

} // namespace cairn::bench
