#include "physics/solver/joint_solver.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"
#include "physics/solver/geometric_stiffness.h"
#include "physics/solver/integrate.h"

#include <algorithm>

namespace cairn::physics {

namespace {

// Every joint gives way by this share of its own compliance in the pass with bias. Of its compliance as a
// matrix: row by row, what a thin rod gives along its easiest axis would let it turn about the others. Joints that
// close a loop hold each other more often than needed: their matrix alone has no inverse, and errors of position that
// contradict each other would be answered by unbounded forces. The share decides how stiff that is; it costs a chain of
// fifty links with a weight of 50,000 two millimetres a link (docs/how/joints.md).
constexpr double least_give = 2e-5;

} // namespace

void JointSolver::begin(Executor& executor, std::span<JointRows> joints, std::span<const BodyMotion> motions,
                        std::span<const BodyDynamics> dynamics, std::span<const BodyInertia> inertias, float h) {
    inertias_.assign(inertias.begin(), inertias.end());
    spin_changes_.assign(inertias.size(), Vec3(0.0f));
    free_.resize(inertias.size());
    bodies_.resize(inertias.size());
    keep_.resize(inertias.size());
    stiff_.assign(inertias.size(), 0);
    if (graph_.update(joints, inertias.size())) {
        system_.begin(joints.size(), inertias.size());
        direct_.clear();
        nets_.clear();
        std::size_t work = 0;
        for (std::uint32_t i = 0; i < graph_.components().size(); ++i) {
            if (system_.add(graph_, graph_.components()[i])) {
                work += system_.work(direct_.size()) + 1000 * graph_.components()[i].joints;
                direct_.push_back(i);
            } else {
                nets_.push_back(i);
            }
        }
        constexpr std::size_t worth_while = 100000; // multiplications: tens of microseconds
        grain_ = direct_.empty() ? 1 : std::max<std::size_t>(worth_while * direct_.size() / work, 1);
        net_.plan(graph_, nets_);
    }
    if (net_.empty()) {
        return;
    }
    for_net_bodies(executor,
                   [&](std::uint32_t motion) { stiffen(motion, joints, motions[motion], dynamics[motion], h); });
    net_.load(executor, joints);
}

void JointSolver::end(Executor& executor, std::span<JointRows> joints) {
    if (!net_.empty()) {
        net_.store(executor, joints);
    }
}

template <class Task>
void JointSolver::for_direct(Executor& executor, const Task& task) {
    parallel_for(executor, direct_.size(), grain_, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            task(i, graph_.components()[direct_[i]]);
        }
    });
}

template <class Task>
void JointSolver::for_net_bodies(Executor& executor, const Task& task) {
    for (const std::uint32_t number : nets_) {
        const std::span<const std::uint32_t> bodies = graph_.bodies_of(graph_.components()[number]);
        parallel_for(executor, bodies.size(), 512, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                task(bodies[i]);
            }
        });
    }
}

// What the body has against its joints, with what pulls on them.
void JointSolver::stiffen(std::uint32_t motion, std::span<const JointRows> joints, const BodyMotion& body,
                          const BodyDynamics& dynamics, float h) {
    GeometricStiffness stiffness;
    for (const std::uint32_t i : graph_.joints_at(motion)) {
        const JointRows& joint = joints[i];
        if (graph_.ties()[i].a == motion) {
            stiffness.add(joint.start_arm_a, -pull_of(joint), h);
        } else {
            stiffness.add(joint.start_arm_b, pull_of(joint), h);
        }
    }
    const PreciseInertia& free = free_[motion] = precise_inertia(body, dynamics);
    stiff_[motion] = stiffness.matters(free.inverse) ? 1 : 0;
    bodies_[motion] = {free.orientation, free.inverse};
    if (stiff_[motion] != 0) {
        const GeometricStiffness::Stiffened result = stiffness.stiffened(free.inverse);
        bodies_[motion].inverse_inertia = result.inverse_inertia;
        keep_[motion] = Mat3(result.keep);
    }
    inertias_[motion].inverse = symmetric(Mat3(bodies_[motion].inverse_inertia));
}

void JointSolver::refresh(Executor& executor, std::span<JointRows> joints, std::span<BodyMotion> motions,
                          std::span<const BodyDynamics> dynamics, std::span<const BodyInertia> inertias, float h) {
    for_direct(executor, [&](std::size_t number, const JointGraph::Component& component) {
        for (const std::uint32_t motion : graph_.bodies_of(component)) {
            stiffen(motion, joints, motions[motion], dynamics[motion], h);
        }
        for (const std::uint32_t i : graph_.joints_of(component)) {
            cairn::physics::refresh(joints[i], motions, inertias_);
        }
        system_.factorise(number, joints, bodies_, least_give);
    });
    if (net_.empty()) {
        return;
    }
    for_net_bodies(executor, [&](std::uint32_t motion) { // pulls are those of the start of the step
        if (stiff_[motion] == 0) {
            inertias_[motion] = inertias[motion];
        }
    });
    net_.refresh(executor, joints, motions, inertias_);
}

void JointSolver::begin_substep(std::span<BodyMotion> motions) const {
    for (const JointGraph::Component& component : graph_.components()) {
        for (const std::uint32_t motion : graph_.bodies_of(component)) {
            if (stiff_[motion] != 0) {
                motions[motion].angular_velocity = keep_[motion] * motions[motion].angular_velocity;
            }
        }
    }
}

void JointSolver::warm_start(Executor& executor, std::span<JointRows> joints, std::span<BodyMotion> motions) {
    for_direct(executor, [&](std::size_t number, const JointGraph::Component& component) {
        system_.warm_start(number, graph_.bodies_of(component), joints, motions);
        for (const std::uint32_t i : graph_.joints_of(component)) {
            warm_start_free_rows(joints.subspan(i, 1), motions);
        }
    });
    if (!net_.empty()) {
        net_.warm_start(executor, joints, motions);
    }
}

void JointSolver::solve(Executor& executor, std::span<JointRows> joints, std::span<BodyMotion> motions,
                        const JointSolverSettings& settings, bool use_bias) {
    for_direct(executor, [&](std::size_t number, const JointGraph::Component&) {
        solve_component(number, joints, motions, settings, use_bias);
    });
    if (!net_.empty()) {
        net_.solve(executor, joints, motions, settings, use_bias);
    }
}

void JointSolver::solve_component(std::size_t number, std::span<JointRows> joints, std::span<BodyMotion> motions,
                                  const JointSolverSettings& settings, bool use_bias) {
    const JointGraph::Component& component = graph_.components()[direct_[number]];
    const std::span<const std::uint32_t> list = graph_.joints_of(component);
    const std::span<const std::uint32_t> bodies = graph_.bodies_of(component);
    const auto solve_rigid = [&](bool biased) {
        system_.solve(number, bodies, joints, motions, least_give, settings, biased);
    };
    const auto note_bends = [&] {
        for (const std::uint32_t motion : bodies) {
            const glm::dvec3 spin(motions[motion].angular_velocity);
            const PreciseInertia& free = free_[motion];
            spin_changes_[motion] = Vec3(free.inverse * glm::cross(free.inertia * spin, spin));
        }
        for (const std::uint32_t i : list) {
            note_arcs(joints.subspan(i, 1), motions, spin_changes_, settings.h);
        }
    };
    // Arcs and free rows are stated for joints whose rigid rows hold: these come before and after.
    const bool any_free =
        std::any_of(list.begin(), list.end(), [&](std::uint32_t i) { return has_free_rows(joints[i]); });
    if (any_free || use_bias) {
        solve_rigid(false);
    }
    if (use_bias) {
        note_bends();
    }
    if (any_free) {
        for (const std::uint32_t i : list) {
            if (has_free_rows(joints[i])) {
                solve_free_rows(joints[i], motions, settings, use_bias);
            }
        }
    }
    solve_rigid(use_bias);
    if (use_bias) { // the arcs of the velocities that they lead to
        note_bends();
        solve_rigid(true);
    }
}

void JointSolver::hold(Executor& executor, std::span<JointRows> joints, std::span<BodyMotion> motions,
                       const JointSolverSettings& settings) {
    for_direct(executor, [&](std::size_t number, const JointGraph::Component& component) {
        system_.solve(number, graph_.bodies_of(component), joints, motions, least_give, settings, true);
    });
}

void JointSolver::accumulate(Executor& executor, std::span<JointRows> joints) {
    for_direct(executor, [&](std::size_t, const JointGraph::Component& component) {
        for (const std::uint32_t i : graph_.joints_of(component)) {
            cairn::physics::accumulate(joints.subspan(i, 1));
        }
    });
    if (!net_.empty()) {
        net_.accumulate(executor, joints);
    }
}

std::size_t JointSolver::memory_bytes() const {
    return graph_.memory_bytes() + system_.memory_bytes() + net_.memory_bytes() + bytes_of(direct_) + bytes_of(nets_) +
           bytes_of(inertias_) + bytes_of(keep_) + bytes_of(stiff_) + bytes_of(free_) + bytes_of(bodies_) +
           bytes_of(spin_changes_);
}

} // namespace cairn::physics
