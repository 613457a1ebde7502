#include "bench/peers/quality.h"
#include "bench/textbook/trial.h"
#include "physics/world/world.h"

#include <cmath>
#include <limits>

namespace cairn::bench {

using physics::BodyDef;
using physics::Vec3;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

physics::BodyId created(const physics::CommandResult& result) {
    if (!result.ok()) {
        throw std::logic_error("a trial's body is not accepted: " + result.error);
    }
    return result.created;
}

} // namespace

Course::Course(MakeEngine make, const std::vector<BodyDef>& bodies, const physics::Settings& settings,
               const std::vector<physics::JointDef>& joints) {
    physics::World world(settings);
    std::vector<physics::BodyId> ids;
    for (const BodyDef& def : bodies) {
        ids.push_back(created(world.apply(physics::CreateBody{def})));
    }
    for (physics::JointDef def : joints) {
        def.body_a = def.body_a ? ids.at(def.body_a.index) : physics::BodyId{};
        def.body_b = ids.at(def.body_b.index);
        if (const physics::CommandResult result = world.apply(physics::CreateJoint{def}); !result.ok()) {
            throw std::logic_error("a trial's joint is not accepted: " + result.error);
        }
    }
    world.publish(start_);
    engine_ = make(start_);
    engine_->read(bodies_);
}

void Course::run(int steps, const std::function<void()>& after_step) {
    try {
        for (int step = 0; step < steps; ++step) {
            engine_->step();
            if (after_step) {
                engine_->read(bodies_);
                after_step();
            }
        }
        engine_->read(bodies_);
    } catch (const Broken&) {
        for (BodyMotionState& body : bodies_) {
            body.pose.position = body.linear_velocity = Vec3(std::numeric_limits<float>::quiet_NaN());
        }
    }
}

double Course::farthest(bool vertical) const {
    double most = 0.0;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        const glm::dvec3 moved = glm::dvec3(bodies_[i].pose.position) - glm::dvec3(start_.bodies[i].pose.position);
        const double distance = vertical ? std::abs(moved.z) : std::hypot(moved.x, moved.y);
        most = distance >= 0.0 ? std::max(most, distance) : infinite;
    }
    return most;
}

double Course::drift() const {
    return farthest(false);
}

double Course::sag() const {
    return farthest(true);
}

double Course::kinetic_energy(std::size_t i) const {
    return bench::kinetic_energy(model(i), bodies_[i]);
}

double Course::energy(std::size_t i) const {
    const glm::dvec3 gravity(start_.settings.gravity), position(bodies_[i].pose.position);
    return kinetic_energy(i) - static_cast<double>(model(i).mass) * glm::dot(gravity, position);
}

double Course::energy() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        sum += energy(i);
    }
    return sum;
}

double Course::kinetic_energy() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
        sum += kinetic_energy(i);
    }
    return sum;
}

double Course::depth() const {
    return quality_of(start_, bodies_).depth.value_or(infinite);
}

BodyDef body_of(physics::Geometry geometry, const Vec3& position, float friction) {
    BodyDef def;
    def.shapes.push_back({std::move(geometry), {}});
    def.pose.position = position;
    def.material.friction = friction;
    return def;
}

BodyDef floor_of(float friction) {
    BodyDef def = body_of(physics::Box{Vec3(100, 100, 1)}, Vec3(0, 0, -1), friction);
    def.type = physics::BodyType::fixed;
    return def;
}

double limit_of_standing(double bad, double good, const std::function<bool(float)>& stands) {
    if (!stands(static_cast<float>(good))) {
        return infinite;
    }
    if (stands(static_cast<float>(bad))) {
        return bad;
    }
    for (int halving = 0; halving < 8; ++halving) {
        const double middle = 0.5 * (bad + good);
        (stands(static_cast<float>(middle)) ? good : bad) = middle;
    }
    return good;
}

} // namespace cairn::bench
