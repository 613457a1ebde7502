// ODE at its defaults: quick step with 20 iterations, a hash space, up to eight contacts a pair. Double precision, as
// Debian packages it.
#include "bench/peers/engine.h"

#include <ode/ode.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdarg>

namespace cairn::bench {
namespace {

using physics::Quat;
using physics::Shape;
using physics::ShapeKind;
using physics::Vec3;

constexpr int max_contacts = 8; // a pair; two boxes face to face have eight at most

// A convex geometry keeps pointers into these.
struct HullData {
    std::vector<dReal> planes, points;
    std::vector<unsigned int> polygons;
};

HullData hull_data(const physics::ConvexHull& hull) {
    HullData out;
    for (const Vec3& vertex : hull.vertices) {
        for (int axis = 0; axis < 3; ++axis) {
            out.points.push_back(static_cast<double>(vertex[axis]));
        }
    }
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
        const physics::Plane& plane = hull.planes[f];
        for (const float value : {plane.normal.x, plane.normal.y, plane.normal.z, plane.offset}) {
            out.planes.push_back(static_cast<double>(value));
        }
        const auto face = hull.face(f);
        out.polygons.push_back(static_cast<unsigned int>(face.size()));
        out.polygons.insert(out.polygons.end(), face.begin(), face.end());
    }
    return out;
}

// Where ODE goes when one of its assertions fails, which would end the program. No exception passes through it.
std::jmp_buf* way_out = nullptr;

[[noreturn]] void leave(int, const char*, va_list) {
    std::longjmp(*way_out, 1);
}

// For the whole of the run: worlds that it has left behind cannot be closed.
void start_library() {
    static const bool started = dInitODE2(0) != 0 && dAllocateODEDataForThread(dAllocateMaskAll) != 0;
    if (!started) {
        throw Unsupported("ODE does not start");
    }
    dRandSetSeed(0); // quick step shuffles its rows
    dSetDebugHandler(&leave);
}

struct Destroy {
    void operator()(dxWorld* world) const { dWorldDestroy(world); }
    void operator()(dxSpace* space) const { dSpaceDestroy(space); }
    void operator()(dxJointGroup* joints) const { dJointGroupDestroy(joints); }
};

class OdeEngine : public Engine {
  public:
    explicit OdeEngine(const physics::FrameState& start)
        : owned_world_((start_library(), dWorldCreate())),
          owned_space_(dHashSpaceCreate(nullptr)),
          owned_joints_(dJointGroupCreate(0)),
          dt_(static_cast<double>(start.settings.dt())) {
        require_plain_bodies(start, "ODE");
        const Vec3& g = start.settings.gravity;
        dWorldSetGravity(world_, static_cast<double>(g.x), static_cast<double>(g.y), static_cast<double>(g.z));
        dWorldSetQuickStepNumIterations(world_, 20);
        bounce_speed_ = static_cast<double>(start.settings.restitution_threshold);
        materials_.reserve(start.bodies.size());
        for (std::size_t i = 0; i < start.bodies.size(); ++i) {
            add(start.bodies[i], *start.models[i]);
        }
        for (const physics::JointState& joint : start.joints) {
            add(start, *joint.def);
        }
    }

    const char* name() const override { return "ODE"; }

    void step() override {
        contacts_ = EngineContacts{};
        std::jmp_buf back;
        way_out = &back;
        if (setjmp(back) == 0) {
            dSpaceCollide(space_, this, &OdeEngine::near_pair);
            dWorldQuickStep(world_, dt_);
            dJointGroupEmpty(joints_);
        } else { // its objects are in no state to be destroyed
            static_cast<void>(owned_joints_.release());
            static_cast<void>(owned_space_.release());
            static_cast<void>(owned_world_.release());
            throw Broken("ODE has numbers that it cannot go on with");
        }
    }

    void read(std::vector<BodyMotionState>& bodies) const override {
        bodies.resize(bodies_.size());
        const auto vector = [](const dReal* v) {
            return Vec3(static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2]));
        };
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            const dBodyID body = bodies_[i];
            if (body == nullptr) {
                bodies[i] = fixed_[i];
                continue;
            }
            const dReal* q = dBodyGetQuaternion(body);
            bodies[i].pose = {vector(dBodyGetPosition(body)), Quat(static_cast<float>(q[0]), static_cast<float>(q[1]),
                                                                   static_cast<float>(q[2]), static_cast<float>(q[3]))};
            bodies[i].linear_velocity = vector(dBodyGetLinearVel(body));
            bodies[i].angular_velocity = vector(dBodyGetAngularVel(body));
        }
    }

    EngineContacts contacts() const override { return contacts_; }

  private:
    static void near_pair(void* self, dGeomID a, dGeomID b) { static_cast<OdeEngine*>(self)->collide(a, b); }

    void collide(dGeomID a, dGeomID b) {
        const dBodyID body_a = dGeomGetBody(a);
        const dBodyID body_b = dGeomGetBody(b);
        if (body_a == body_b || (body_a != nullptr && body_b != nullptr &&
                                 dAreConnectedExcluding(body_a, body_b, dJointTypeContact) != 0)) {
            return; // both fixed, or of one body, or joined
        }
        dContact contacts[max_contacts];
        const int count = dCollide(a, b, max_contacts, &contacts[0].geom, sizeof(dContact));
        const auto& material_a = *static_cast<const physics::Material*>(dGeomGetData(a));
        const auto& material_b = *static_cast<const physics::Material*>(dGeomGetData(b));
        for (int i = 0; i < count; ++i) {
            dSurfaceParameters& surface = contacts[i].surface;
            surface = dSurfaceParameters{};
            surface.mode = dContactApprox1;
            surface.mu = static_cast<double>(physics::mixed_friction(material_a, material_b));
            const float restitution = physics::mixed_restitution(material_a, material_b);
            if (restitution > 0.0f) {
                surface.mode |= dContactBounce;
                surface.bounce = static_cast<double>(restitution);
                surface.bounce_vel = bounce_speed_;
            }
            dJointAttach(dJointCreateContact(world_, joints_, &contacts[i]), body_a, body_b);
            contacts_.depth = std::max(contacts_.depth, static_cast<double>(contacts[i].geom.depth));
        }
        contacts_.points += static_cast<std::size_t>(count);
        contacts_.pairs += count > 0 ? 1 : 0;
    }

    dGeomID make_geom(const Shape& shape) {
        const double radius = static_cast<double>(shape.radius);
        const glm::dvec3 size = 2.0 * glm::dvec3(shape.half_extents);
        switch (shape.kind) {
        case ShapeKind::sphere:
            return dCreateSphere(space_, radius);
        case ShapeKind::box:
            return dCreateBox(space_, size.x, size.y, size.z);
        case ShapeKind::capsule:
            return dCreateCapsule(space_, radius, size.z);
        case ShapeKind::cylinder:
            return dCreateCylinder(space_, radius, size.z);
        case ShapeKind::cone:
            throw Unsupported("ODE has no cones");
        case ShapeKind::mesh:
            throw Unsupported("meshes are not compared");
        case ShapeKind::hull: {
            for (const auto& [known, data] : hulls_) {
                if (known == shape.hull.get()) {
                    return convex_of(*data);
                }
            }
            hulls_.emplace_back(shape.hull.get(), std::make_unique<HullData>(hull_data(*shape.hull)));
            return convex_of(*hulls_.back().second);
        }
        }
        throw Unsupported("a shape that ODE does not know");
    }

    dGeomID convex_of(const HullData& hull) {
        return dCreateConvex(space_, hull.planes.data(), static_cast<unsigned int>(hull.planes.size() / 4),
                             hull.points.data(), static_cast<unsigned int>(hull.points.size() / 3),
                             hull.polygons.data());
    }

    void add(const physics::BodyState& state, const physics::BodyModel& model) {
        const auto place = [](const physics::Transform& pose, auto&& set_position, auto&& set_rotation) {
            const glm::dvec3 p(pose.position);
            const Quat& q = pose.orientation;
            const dQuaternion rotation{static_cast<double>(q.w), static_cast<double>(q.x), static_cast<double>(q.y),
                                       static_cast<double>(q.z)};
            set_position(p);
            set_rotation(rotation);
        };
        materials_.push_back(model.def.material);
        fixed_.push_back({state.pose, Vec3(0.0f), Vec3(0.0f)});
        dBodyID body = nullptr;
        if (state.type != physics::BodyType::fixed) {
            body = dBodyCreate(world_);
            if (model.mass > 0.0f) {
                dMass mass;
                const glm::dmat3 t(model.inertia);
                dMassSetParameters(&mass, static_cast<double>(model.mass), 0, 0, 0, t[0][0], t[1][1], t[2][2], t[1][0],
                                   t[2][0], t[2][1]);
                dBodySetMass(body, &mass);
            } else {
                dBodySetKinematic(body);
            }
            dBodySetAutoDisableFlag(body, 0);
            place(
                state.pose, [&](const glm::dvec3& p) { dBodySetPosition(body, p.x, p.y, p.z); },
                [&](const dQuaternion& q) { dBodySetQuaternion(body, q); });
            const glm::dvec3 v(state.linear_velocity), w(state.angular_velocity);
            dBodySetLinearVel(body, v.x, v.y, v.z);
            dBodySetAngularVel(body, w.x, w.y, w.z);
        }
        bodies_.push_back(body);
        for (const physics::BodyModel::Part& part : model.parts) {
            const dGeomID geom = make_geom(*part.shape);
            dGeomSetData(geom, &materials_.back());
            if (body != nullptr) {
                dGeomSetBody(geom, body);
                if (!(part.pose == physics::Transform{})) {
                    place(
                        part.pose, [&](const glm::dvec3& p) { dGeomSetOffsetPosition(geom, p.x, p.y, p.z); },
                        [&](const dQuaternion& q) { dGeomSetOffsetQuaternion(geom, q); });
                }
            } else {
                const physics::Transform world{state.pose.position +
                                                   physics::rotate(state.pose.orientation, part.pose.position),
                                               state.pose.orientation * part.pose.orientation};
                place(
                    world, [&](const glm::dvec3& p) { dGeomSetPosition(geom, p.x, p.y, p.z); },
                    [&](const dQuaternion& q) { dGeomSetQuaternion(geom, q); });
            }
        }
    }

    void add(const physics::FrameState& start, const physics::JointDef& def) {
        const auto a = index_of(start, def.body_a);
        const std::size_t b = index_of(start, def.body_b).value();
        const dJointID joint = dJointCreateBall(world_, nullptr);
        dJointAttach(joint, a ? bodies_[*a] : nullptr, bodies_[b]);
        const physics::Transform& pose = start.bodies[b].pose;
        const glm::dvec3 at(pose.position + physics::rotate(pose.orientation, def.frame_b.position));
        dJointSetBallAnchor(joint, at.x, at.y, at.z);
    }

    std::unique_ptr<dxWorld, Destroy> owned_world_;
    std::unique_ptr<dxSpace, Destroy> owned_space_;
    std::unique_ptr<dxJointGroup, Destroy> owned_joints_;
    dWorldID world_ = owned_world_.get();
    dSpaceID space_ = owned_space_.get();
    dJointGroupID joints_ = owned_joints_.get();
    double dt_;
    double bounce_speed_ = 0.0;          // m/s
    std::vector<dBodyID> bodies_;        // none = fixed
    std::vector<BodyMotionState> fixed_; // by body
    std::vector<physics::Material> materials_;
    std::vector<std::pair<const physics::ConvexHull*, std::unique_ptr<HullData>>> hulls_;
    EngineContacts contacts_;
};

} // namespace

std::unique_ptr<Engine> make_ode_engine(const physics::FrameState& start) {
    return std::make_unique<OdeEngine>(start);
}

} // namespace cairn::bench
