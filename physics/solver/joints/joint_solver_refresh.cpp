// What joints know of where their bodies are, brought up to date.
#include "physics/solver/joints/joint_solver.h"
#include "physics/solver/joints/rows/passes/held_rows.h"
#include "physics/solver/motion/geometric_stiffness.h"

#include <algorithm>

namespace cairn::physics {

namespace {

// Every joint gives way by this share of its own compliance in the pass with bias. Joints that close a loop hold each
// other more often than needed: their matrix alone has no inverse, and errors of position that contradict each other
// would be answered by unbounded forces. Of its compliance as a matrix, and with the greatest moment of each body in
// all directions: what a thin rod gives along its easiest axis would let sliders and welds turn about it by degrees.
// The share decides how stiff that is; it costs a chain of fifty links with a weight of 50,000 two millimetres a link
// (docs/how/joints.md).
constexpr double least_give = 2e-5;

} // namespace

// What the body has against its joints, with what pulls on them.
template <class Joint>
void JointSolver::stiffen(std::uint32_t motion, std::span<const Joint> joints, const BodyMotion& body,
                          const BodyDynamics& dynamics, float h) {
    GeometricStiffness stiffness;
    for (const std::uint32_t i : graph_.joints_at(motion)) {
        const Joint& joint = joints[i];
        if (graph_.ties()[i].a == motion) {
            stiffness.add(joint.start_arm_a, -pull_of(joint), h);
        } else {
            stiffness.add(joint.start_arm_b, pull_of(joint), h);
        }
    }
    const PreciseInertia& free = free_[motion] = precise_inertia(body, dynamics);
    // What hangs on a single joint turns with its pull: to take that off would brake a small bob on a long arm.
    stiff_[motion] = graph_.joints_at(motion).size() > 1 && stiffness.matters(free.inverse) ? 1 : 0;
    bodies_[motion] = {free.orientation, free.inverse, 0.0};
    if (stiff_[motion] != 0) {
        const GeometricStiffness::Stiffened result = stiffness.stiffened(free.inverse);
        bodies_[motion].inverse_inertia = result.inverse_inertia;
        keep_[motion] = Mat3(result.keep);
    }
    take_inertia(motion);
}

template void JointSolver::stiffen<JointInput>(std::uint32_t, std::span<const JointInput>, const BodyMotion&,
                                               const BodyDynamics&, float);

void JointSolver::take_inertia(std::uint32_t motion) {
    const glm::dmat3& w = bodies_[motion].inverse_inertia;
    const double minors = w[0][0] * w[1][1] - w[0][1] * w[0][1] + w[0][0] * w[2][2] - w[0][2] * w[0][2] +
                          w[1][1] * w[2][2] - w[1][2] * w[1][2];
    bodies_[motion].slowest_turn = minors > 0.0 ? 2.0 * glm::determinant(w) / minors : 0.0;
    inertias_[motion].inverse = symmetric(Mat3(w));
}

void JointSolver::refresh_component(std::size_t number, std::span<const BodyMotion> motions, std::optional<float> h) {
    for (const std::uint32_t i : graph_.joints_of(graph_.components()[direct_[number]])) {
        cairn::physics::refresh(rows_[i], motions, inertias_);
    }
    if (h) {
        springs_.state(rows_, graph_.joints_of(graph_.components()[direct_[number]]), *h);
    }
    hold_rows(number, h);
    factorise(number);
}

bool JointSolver::hold_rows(std::size_t number, std::optional<float> h) {
    bool any = false;
    for (const std::uint32_t i : graph_.joints_of(graph_.components()[direct_[number]])) {
        rows_[i].held_count = 0;
        if (h) {
            hold_acting_rows(rows_[i], *h);
        }
        any = any || rows_[i].held_count > 0;
    }
    return any;
}

void JointSolver::act_springs(std::size_t number) {
    bool any = false;
    for (const std::uint32_t i : graph_.joints_of(graph_.components()[direct_[number]])) {
        any = hold_springs(rows_[i], h_, false) || any;
    }
    if (any) {
        factorise(number);
    }
}

void JointSolver::refresh_bodies(std::size_t number, std::span<const BodyMotion> motions,
                                 std::span<const BodyDynamics> dynamics, float h) {
    for (const std::uint32_t motion : graph_.bodies_of(graph_.components()[direct_[number]])) {
        stiffen<JointRows>(motion, rows_, motions[motion], dynamics[motion], h);
    }
    refresh_component(number, motions, h);
}

void JointSolver::factorise(std::size_t number) {
    system_.factorise(number, rows_, bodies_, least_give);
}

void JointSolver::refresh(Executor& executor, std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics,
                          std::span<const BodyInertia> inertias, float h) {
    for_direct(executor,
               [&](std::size_t number, const JointGraph::Component&) { refresh_bodies(number, motions, dynamics, h); });
    refresh_nets(executor, motions, inertias);
}

void JointSolver::refresh_nets(Executor& executor, std::span<BodyMotion> motions,
                               std::span<const BodyInertia> inertias) {
    if (net_.empty()) {
        return;
    }
    for_net_bodies(executor, [&](std::uint32_t motion) { // pulls are those of the start of the step
        if (stiff_[motion] == 0) {
            inertias_[motion] = inertias[motion];
        }
    });
    net_.refresh(executor, rows_, motions, inertias_);
    springs_.state(rows_, net_.others(), h_);
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

} // namespace cairn::physics
