#include "bench/peers/engine.h"
#include "physics/world/world.h"

namespace cairn::bench {
namespace {

class CairnEngine : public Engine {
  public:
    explicit CairnEngine(const physics::FrameState& start) {
        physics::Settings settings = start.settings;
        settings.sleeping = false;
        world_ = physics::World(settings);
        for (std::size_t i = 0; i < start.bodies.size(); ++i) {
            physics::BodyDef def = start.models[i]->def; // what bodies made alike share: all but where they are
            def.pose = start.bodies[i].pose;
            def.linear_velocity = start.bodies[i].linear_velocity;
            def.angular_velocity = start.bodies[i].angular_velocity;
            made_.push_back(created(physics::CreateBody{def}));
        }
        for (const physics::JointState& joint : start.joints) {
            physics::JointDef def = *joint.def;
            const auto a = index_of(start, def.body_a), b = index_of(start, def.body_b);
            def.body_a = a ? made_[*a] : physics::BodyId{};
            def.body_b = b ? made_[*b] : physics::BodyId{};
            created(physics::CreateJoint{def});
        }
    }

    const char* name() const override { return "Cairn"; }
    void step() override { world_.step(); }

    void read(std::vector<BodyMotionState>& bodies) const override {
        world_.publish(frame_);
        bodies.resize(frame_.bodies.size());
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const physics::BodyState& from = frame_.bodies[i];
            bodies[i] = {from.pose, from.linear_velocity, from.angular_velocity};
        }
    }

    EngineContacts contacts() const override {
        world_.publish(frame_);
        EngineContacts out;
        out.depth = static_cast<double>(frame_.stats.max_penetration);
        out.pairs = frame_.stats.contacts;
        out.points = frame_.stats.contact_points;
        return out;
    }

  private:
    template <typename Create>
    physics::BodyId created(Create command) {
        const physics::CommandResult result = world_.apply(std::move(command));
        if (!result.ok()) {
            throw Unsupported(result.error);
        }
        return result.created;
    }

    physics::World world_;
    std::vector<physics::BodyId> made_; // by index in the start
    mutable physics::FrameState frame_; // kept for its memory
};

} // namespace

std::unique_ptr<Engine> make_cairn_engine(const physics::FrameState& start) {
    return std::make_unique<CairnEngine>(start);
}

void require_plain_bodies(const physics::FrameState& start, const char* engine) {
    const auto reject = [engine](std::size_t i, const char* what) {
        throw Unsupported("body " + std::to_string(i) + ": " + engine + " is not given " + what);
    };
    for (std::size_t i = 0; i < start.bodies.size(); ++i) {
        const physics::BodyDef& def = start.models[i]->def;
        if (def.material.rolling_resistance > 0.0f) {
            reject(i, "rolling resistance");
        }
        if (def.linear_damping > 0.0f || def.angular_damping > 0.0f) {
            reject(i, "damping");
        }
        if (def.gravity_scale != 1.0f) {
            reject(i, "gravity of a body's own");
        }
    }
    for (const physics::JointState& joint : start.joints) {
        const physics::JointDef& def = *joint.def;
        if (def.kind != physics::JointKind::ball || def.limits || def.motor || def.spring || def.cone) {
            throw Unsupported(std::string(engine) + " is given plain ball joints only");
        }
    }
}

std::optional<std::size_t> index_of(const physics::FrameState& start, physics::BodyId id) {
    for (std::size_t i = 0; i < start.bodies.size(); ++i) {
        if (start.bodies[i].id == id) {
            return i;
        }
    }
    return std::nullopt;
}

} // namespace cairn::bench
