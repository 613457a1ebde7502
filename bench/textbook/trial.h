// A test of the textbook: what theory says, and what an engine does.
#pragma once

#include "bench/peers/engine.h"
#include "physics/world/body_def.h"
#include "physics/world/joint_def.h"

#include <functional>
#include <string>
#include <vector>

namespace cairn::bench {

using MakeEngine = std::unique_ptr<Engine> (*)(const physics::FrameState& start);

struct Trial {
    std::string name;
    std::string theory; // what would be right, in the unit of the numbers
    const char* format; // of a number, as printf takes it
    // Infinite: it never stands, or it falls; not a number: bodies are lost. Throws Unsupported.
    std::function<double(MakeEngine)> measure;
};

std::vector<Trial> statics_trials();
std::vector<Trial> impact_trials();
std::vector<Trial> motion_trials();

// One engine with its bodies, from where they begin. 60 Hz and default settings if none are given; nothing sleeps.
class Course {
  public:
    Course(MakeEngine make, const std::vector<physics::BodyDef>& bodies, const physics::Settings& settings = {},
           const std::vector<physics::JointDef>& joints = {}); // joints name bodies by their index

    // Steps, and reads the bodies after each of them if `after_step` is there, else after the last one.
    void run(int steps, const std::function<void()>& after_step = {});

    const BodyMotionState& body(std::size_t i) const { return bodies_[i]; }
    const physics::BodyModel& model(std::size_t i) const { return *start_.models[i]; }
    const physics::FrameState& start() const { return start_; }

    // From the start; m, infinite once a body is not a number.
    double drift() const;               // greatest horizontal distance
    double sag() const;                 // greatest vertical distance
    double energy(std::size_t i) const; // kinetic and potential from z = 0, J
    double energy() const;
    double kinetic_energy() const;
    double depth() const; // m, deepest overlap as Cairn's queries see it

  private:
    double kinetic_energy(std::size_t i) const;
    double farthest(bool vertical) const;

    physics::FrameState start_;
    std::unique_ptr<Engine> engine_;
    std::vector<BodyMotionState> bodies_;
};

physics::BodyDef body_of(physics::Geometry geometry, const physics::Vec3& position, float friction);
// 200 m wide, top face at z = 0.
physics::BodyDef floor_of(float friction);

// Where between two values something begins to stand, by bisection to a 256th; `good` is the end at which it should.
// Infinite if it does not even there, `bad` if it stands there, too.
double limit_of_standing(double bad, double good, const std::function<bool(float)>& stands);

} // namespace cairn::bench
