#include "app/core/figures/figures.h"

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
        const Vec3 way = body.pose.position - homes_[i].at;
        distance += static_cast<double>(std::sqrt(way.x * way.x + way.y * way.y));
        sum += glm::dvec3(homes_[i].mass * body.linear_velocity);
        ++dynamic;
    }
    drift_ = dynamic > 0 ? static_cast<float>(distance / static_cast<double>(dynamic)) : 0.0f;
    momentum_ = static_cast<float>(glm::length(sum));
}

StepFigures figures_of(const FrameState& state, const History& history, DriftAndMomentum& bodies) {
    bodies.measure(state);
    const StepStats& s = state.stats;
    StepFigures figures;
    figures.step = state.step;
    figures.branch = history.branch_of_step(state.step);
    figures.time = state.time;
    const auto set = [&](Figure figure, double value) {
        figures.values[static_cast<std::size_t>(figure)] = static_cast<float>(value);
    };
    set(Figure::kinetic, s.kinetic_energy);
    set(Figure::potential, s.potential_energy);
    set(Figure::energy, s.kinetic_energy + s.potential_energy);
    set(Figure::momentum, static_cast<double>(bodies.momentum()));
    set(Figure::penetration, static_cast<double>(s.max_penetration));
    set(Figure::drift, static_cast<double>(bodies.drift()));
    set(Figure::contacts, s.contacts);
    set(Figure::points, s.contact_points);
    set(Figure::broadphase, s.times.broadphase);
    set(Figure::narrowphase, s.times.narrowphase);
    set(Figure::islands, s.times.islands);
    set(Figure::solver, s.times.solver);
    set(Figure::continuous, s.times.continuous);
    set(Figure::finish, s.times.finish);
    set(Figure::step, s.times.total());
    return figures;
}

} // namespace cairn::core
