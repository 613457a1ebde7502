#include "app/core/metrics/step_metrics.h"

#include <cmath>
#include <utility>

namespace cairn::core {

using namespace cairn::physics;

void DriftAndMomentum::measure(const FrameState& frame) {
    if (homes_.size() != frame.bodies.size() || revision_ != frame.revision || homes_.empty()) {
        // Bodies have come or gone, or their masses have changed: those that are known keep their homes. Both lists
        // ascend by slot.
        revision_ = frame.revision;
        std::vector<Home> before = std::move(homes_);
        homes_.clear();
        homes_.reserve(frame.bodies.size());
        auto known = before.begin();
        for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
            const BodyState& body = frame.bodies[i];
            while (known != before.end() && known->body.index < body.id.index) {
                ++known;
            }
            const bool same = known != before.end() && known->body == body.id;
            homes_.push_back({body.id, same ? known->at : body.pose.position, frame.models[i]->mass});
        }
    }
    double distance = 0.0;
    std::size_t dynamic = 0;
    glm::dvec3 sum(0.0);
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const BodyState& body = frame.bodies[i];
        if (body.type != BodyType::dynamic) {
            continue;
        }
        const Vec3 displacement = body.pose.position - homes_[i].at;
        distance += static_cast<double>(std::sqrt(displacement.x * displacement.x + displacement.y * displacement.y));
        sum += glm::dvec3(homes_[i].mass * body.linear_velocity);
        ++dynamic;
    }
    drift_ = dynamic > 0 ? static_cast<float>(distance / static_cast<double>(dynamic)) : 0.0f;
    momentum_ = static_cast<float>(glm::length(sum));
}

StepMetrics metrics_of(const FrameState& state, const History& history, DriftAndMomentum& bodies) {
    bodies.measure(state);
    const StepStats& s = state.stats;
    StepMetrics metrics;
    metrics.step = state.step;
    metrics.branch = history.branch_of_step(state.step);
    metrics.time = state.time;
    const auto set = [&](Metric metric, double value) {
        metrics.values[static_cast<std::size_t>(metric)] = static_cast<float>(value);
    };
    set(Metric::kinetic, s.kinetic_energy);
    set(Metric::potential, s.potential_energy);
    set(Metric::energy, s.kinetic_energy + s.potential_energy);
    set(Metric::momentum, static_cast<double>(bodies.momentum()));
    set(Metric::penetration, static_cast<double>(s.max_penetration));
    set(Metric::drift, static_cast<double>(bodies.drift()));
    set(Metric::contacts, s.contacts);
    set(Metric::points, s.contact_points);
    set(Metric::broadphase, s.times.broadphase);
    set(Metric::narrowphase, s.times.narrowphase);
    set(Metric::islands, s.times.islands);
    set(Metric::solver, s.times.solver);
    set(Metric::continuous, s.times.continuous);
    set(Metric::finish, s.times.finish);
    set(Metric::step, s.times.total());
    return metrics;
}

} // namespace cairn::core
