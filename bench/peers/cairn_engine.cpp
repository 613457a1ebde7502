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
            const physics::CommandResult result = world_.apply(physics::CreateBody{def});
            if (!result.ok()) {
                throw Unsupported(result.error);
            }
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
    physics::World world_;
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
        if (start.bodies[i].type == physics::BodyType::kinematic) {
            reject(i, "kinematic bodies");
        }
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
}

} // namespace cairn::bench
