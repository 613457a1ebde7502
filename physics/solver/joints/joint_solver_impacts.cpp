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

bool JointSolver::any_held(std::uint32_t component) const {
    const std::span<const std::uint32_t> joints = graph_.joints_of(graph_.components()[direct_[component]]);
    return std::any_of(joints.begin(), joints.end(), [&](std::uint32_t i) { return rows_[i].held_count > 0; });
}

// A blow takes no time in which pulls could hold a body: joints have its own inertia against them, as contacts have.
// With another one they would answer more than they are asked, and both pump each other up.
void JointSolver::begin_impacts(std::uint32_t component, std::span<const BodyMotion> motions) {
    aside_.resize(rows_.size());
    const bool held = any_held(component), stiff = any_stiff(component);
    for (const std::uint32_t i : graph_.joints_of(graph_.components()[direct_[component]])) {
        aside_[i] = std::exchange(rows_[i].impulses, JointImpulses());
    }
    if (stiff) {
        for (const std::uint32_t motion : bodies_of(component)) {
            stiff_inertias_[motion] = std::exchange(bodies_[motion].inverse_inertia, free_[motion].inverse);
        }
        take_inertias(component, motions, {});
    } else if (held) {
        hold_rows(component, {});
        factorise(component);
    }
}

void JointSolver::take_inertias(std::uint32_t component, std::span<const BodyMotion> motions, std::optional<float> h) {
    for (const std::uint32_t motion : bodies_of(component)) {
        take_inertia(motion);
    }
    for (const std::uint32_t i : graph_.joints_of(graph_.components()[direct_[component]])) {
        rows_[i].axis_load = rows_[i].cone_load = 0.0f; // to be found anew
    }
    refresh_component(component, motions, h);
}

void JointSolver::move_impacts(std::uint32_t component, std::span<const BodyMotion> motions,
                               std::span<const BodyDynamics> dynamics) {
    for (const std::uint32_t motion : bodies_of(component)) {
        const PreciseInertia& free = free_[motion] = precise_inertia(motions[motion], dynamics[motion]);
        bodies_[motion] = {free.orientation, free.inverse, 0.0};
        take_inertia(motion);
    }
    refresh_component(component, motions, {});
}

float JointSolver::Solved::load_on(const JointRows& joint, const JointRow& row, float own_mass) {
    constexpr double few_passes = 12.0; // which find what is less
    constexpr double most = 1e4;        // of what rigid rows hold altogether only rounding and their give are left
    const double compliance = solver_.system_.compliance(number_, joint, row);
    const double load = 1.0 / std::max(static_cast<double>(own_mass) * compliance, 1.0 / most);
    return load > few_passes ? static_cast<float>(load) : 1.0f;
}

void JointSolver::Solved::answer() {
    const JointGraph::Component& component = solver_.graph_.components()[solver_.direct_[number_]];
    solver_.system_.solve(number_, solver_.graph_.bodies_of(component), solver_.rows_, motions_, settings_, false);
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
            any = hold_stops(rows_[i], motions, settings, solved) || any;
        }
    }
    if (any) {
        solve_rigid();
    }
}

double JointSolver::kinetic_energy(std::uint32_t component, std::span<const BodyMotion> motions) const {
    return work_.kinetic_energy(component, bodies_of(component), motions, free_);
}

void JointSolver::end_impacts(std::uint32_t component, std::span<const BodyMotion> motions,
                              std::span<const BodyDynamics> dynamics, bool hit, float h) {
    for (const std::uint32_t i : graph_.joints_of(graph_.components()[direct_[component]])) {
        if (hit) {
            cairn::physics::accumulate(std::span(rows_).subspan(i, 1));
        }
        rows_[i].impulses = aside_[i];
    }
    if (hit) {
        work_.forget_start(component);
        refresh_bodies(component, motions, dynamics, h);
    } else if (any_stiff(component)) {
        for (const std::uint32_t motion : bodies_of(component)) {
            bodies_[motion].inverse_inertia = stiff_inertias_[motion];
        }
        take_inertias(component, motions, h);
    } else if (hold_rows(component, h)) {
        factorise(component);
    }
}

void JointSolver::begin_trial(std::uint32_t component, std::span<const BodyMotion> motions) {
    for (const std::uint32_t motion : bodies_of(component)) {
        kept_[motion] = motions[motion];
    }
}

void JointSolver::try_velocities(std::uint32_t component, std::span<BodyMotion> motions,
                                 const JointSolverSettings& settings) {
    system_.find_impulses(component, rows_, motions, settings, false);
    system_.apply(component, bodies_of(component), motions);
}

void JointSolver::end_trial(std::uint32_t component, std::span<BodyMotion> motions) const {
    for (const std::uint32_t motion : bodies_of(component)) {
        motions[motion] = kept_[motion];
    }
}

} // namespace cairn::physics
