// What impacts ask of mechanisms that are solved exactly.
#include "physics/solver/joints/joint_solver.h"

#include <algorithm>
#include <utility>

namespace cairn::physics {

std::span<const std::uint32_t> JointSolver::bodies_of(std::uint32_t component) const {
    return graph_.bodies_of(graph_.components()[direct_[component]]);
}

bool JointSolver::any_stiff(std::uint32_t component) const {
    const std::span<const std::uint32_t> bodies = bodies_of(component);
    return std::any_of(bodies.begin(), bodies.end(), [&](std::uint32_t motion) { return stiff_[motion] != 0; });
}

// A blow takes no time in which pulls could hold a body: joints have its own inertia against them, as contacts have.
// With another one they would answer more than they are asked, and both pump each other up.
void JointSolver::begin_impacts(std::uint32_t component, std::span<const BodyMotion> motions) {
    aside_.resize(rows_.size());
    for (const std::uint32_t i : graph_.joints_of(graph_.components()[direct_[component]])) {
        aside_[i] = std::exchange(rows_[i].impulses, JointImpulses());
    }
    if (any_stiff(component)) {
        for (const std::uint32_t motion : bodies_of(component)) {
            stiff_inertias_[motion] = std::exchange(bodies_[motion].inverse_inertia, free_[motion].inverse);
        }
        take_inertias(component, motions);
    }
}

void JointSolver::take_inertias(std::uint32_t component, std::span<const BodyMotion> motions) {
    for (const std::uint32_t motion : bodies_of(component)) {
        take_inertia(motion);
    }
    for (const std::uint32_t i : graph_.joints_of(graph_.components()[direct_[component]])) {
        rows_[i].axis_load = rows_[i].cone_load = 0.0f; // to be found anew
        rows_[i].row_load.fill(0.0f);
    }
    refresh_component(component, motions);
}

void JointSolver::move_impacts(std::uint32_t component, std::span<const BodyMotion> motions,
                               std::span<const BodyDynamics> dynamics) {
    for (const std::uint32_t motion : bodies_of(component)) {
        const PreciseInertia& free = free_[motion] = precise_inertia(motions[motion], dynamics[motion]);
        bodies_[motion] = {free.orientation, free.inverse, 0.0};
        take_inertia(motion);
    }
    refresh_component(component, motions);
}

void JointSolver::hold_velocities(std::uint32_t component, std::span<BodyMotion> motions,
                                  const JointSolverSettings& settings) {
    const JointGraph::Component& part = graph_.components()[direct_[component]];
    const auto solve_rigid = [&] { system_.solve(component, graph_.bodies_of(part), rows_, motions, settings, false); };
    solve_rigid();
    Solved solved(*this, component, motions, settings);
    bool any = false;
    for (const std::uint32_t i : graph_.joints_of(part)) {
        if (rows_[i].has_limits || rows_[i].has_cone) {
            any = hold_stops(rows_[i], motions, settings, &solved) || any;
        }
    }
    if (any) {
        solve_rigid();
    }
}

void JointSolver::end_impacts(std::uint32_t component, std::span<const BodyMotion> motions, bool any) {
    for (const std::uint32_t i : graph_.joints_of(graph_.components()[direct_[component]])) {
        if (any) {
            cairn::physics::accumulate(std::span(rows_).subspan(i, 1));
        }
        rows_[i].impulses = aside_[i];
    }
    if (any_stiff(component)) {
        for (const std::uint32_t motion : bodies_of(component)) {
            bodies_[motion].inverse_inertia = stiff_inertias_[motion];
        }
        take_inertias(component, motions);
    }
}

void JointSolver::begin_trial(std::uint32_t component, std::span<const BodyMotion> motions) {
    for (const std::uint32_t motion : bodies_of(component)) {
        ends_[motion] = motions[motion];
    }
}

void JointSolver::try_velocities(std::uint32_t component, std::span<BodyMotion> motions,
                                 const JointSolverSettings& settings) {
    system_.find_impulses(component, rows_, motions, settings, false);
    system_.apply(component, bodies_of(component), rows_, motions);
}

void JointSolver::end_trial(std::uint32_t component, std::span<BodyMotion> motions) const {
    for (const std::uint32_t motion : bodies_of(component)) {
        motions[motion] = ends_[motion];
    }
}

} // namespace cairn::physics
