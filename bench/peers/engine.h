// One face for all engines: made from the same bodies, stepped alike, asked the same questions.
#pragma once

#include "physics/world/frame_state.h"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace cairn::bench {

// Where a body is and how it moves: position of the centre of mass (m), m/s, rad/s; world axes.
struct BodyMotionState {
    physics::Transform pose;
    physics::Vec3 linear_velocity{0.0f}, angular_velocity{0.0f};
};

struct EngineContacts {
    std::size_t pairs = 0, points = 0; // that touch or overlap
    double depth = 0.0;                // m, the deepest, as the engine itself sees it; >= 0
};

class Engine {
  public:
    virtual ~Engine() = default;
    virtual const char* name() const = 0;
    virtual void step() = 0; // by 1 / hz, on the calling thread; throws Broken
    // In the scene's order, as long as `bodies` of the start.
    virtual void read(std::vector<BodyMotionState>& bodies) const = 0;
    virtual EngineContacts contacts() const = 0; // of the last step
};

// What an engine cannot represent, said instead of run.
class Unsupported : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// An engine that gave up in the middle of a step.
class Broken : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// `start` is Cairn's own account of the scene before the first step: poses, shapes, masses and inertia tensors are
// taken from it, so that no engine computes its own. Nothing ever sleeps. Each throws Unsupported. Of joints the others
// are given plain ball joints, and MuJoCo neither joints nor kinematic bodies.
std::unique_ptr<Engine> make_cairn_engine(const physics::FrameState& start);
std::unique_ptr<Engine> make_bullet_engine(const physics::FrameState& start);
std::unique_ptr<Engine> make_ode_engine(const physics::FrameState& start);
std::unique_ptr<Engine> make_mujoco_engine(const physics::FrameState& start);

// The features that only Cairn has in common with the scene format: throws Unsupported if the scene uses one.
void require_plain_bodies(const physics::FrameState& start, const char* engine);

// Index of a body in FrameState::bodies; none for a joint's missing body, which is the world.
std::optional<std::size_t> index_of(const physics::FrameState& start, physics::BodyId id);

} // namespace cairn::bench
