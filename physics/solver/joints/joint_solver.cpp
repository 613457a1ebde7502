#include "physics/solver/joints/joint_solver.h"

#include "physics/base/bytes.h"
#include "physics/base/large_pages.h"
#include "physics/solver/joints/rows/passes/held_rows.h"
#include "physics/solver/motion/integrate.h"
#include "physics/solver/turns/turn_bodies.h"

#include <algorithm>
#include <cmath>

namespace cairn::physics {

namespace {

// m/s or rad/s: arcs that are known as well as that end a substep within micrometres of the joint.
constexpr float arc_settled = 1e-3f;
// The first round diverges if it changes the arcs by more than so many times what they are, or short_arc (m/s) is.
constexpr float first_growth = 3.0f, short_arc = 0.3f;

} // namespace

void JointSolver::begin(Executor& executor, std::span<const JointInput> inputs, std::span<const BodyMotion> motions,
                        std::span<const BodyDynamics> dynamics, std::span<const BodyInertia> inertias, float h) {
    inertias_.assign(inertias.begin(), inertias.end());
    ends_.resize(inertias.size());
    kept_.resize(inertias.size());
    resize_large(free_, inertias.size());
    resize_large(bodies_, inertias.size());
    for (const JointInput& joint : inputs) { // nothing else is known of these, and motions change their bodies
        for (const std::uint32_t motion : {joint.motion_a, joint.motion_b}) {
            if (motions[motion].inverse_mass == 0.0f) {
                bodies_[motion] = {};
            }
        }
    }
    resize_large(keep_, inertias.size());
    resize_large(stiff_inertias_, inertias.size());
    stiff_.assign(inertias.size(), 0);
    if (graph_.update(executor, inputs, inertias.size())) {
        system_.begin(inputs.size(), inertias.size());
        exact_.assign(inertias.size(), 0);
        direct_.clear();
        nets_.clear();
        component_of_.assign(inertias.size(), none);
        std::size_t work = 0;
        for (std::uint32_t i = 0; i < graph_.components().size(); ++i) {
            if (system_.add(graph_, graph_.components()[i])) {
                work += system_.work(direct_.size()) + 1000 * graph_.components()[i].joints;
                for (const std::uint32_t motion : graph_.bodies_of(graph_.components()[i])) {
                    component_of_[motion] = static_cast<std::uint32_t>(direct_.size());
                }
                direct_.push_back(i);
                for (const std::uint32_t motion : graph_.bodies_of(graph_.components()[i])) {
                    exact_[motion] = 1;
                }
            } else {
                nets_.push_back(i);
            }
        }
        constexpr std::size_t worth_while = 100000; // multiplications: tens of microseconds
        grain_ = direct_.empty() ? 1 : std::max<std::size_t>(worth_while * direct_.size() / work, 1);
        net_.plan(graph_, nets_);
        rows_needed_ = 0;
        const auto needs_row = [this](std::uint32_t i) { rows_needed_ = std::max(rows_needed_, i + std::size_t{1}); };
        for (const std::uint32_t number : direct_) {
            std::ranges::for_each(graph_.joints_of(graph_.components()[number]), needs_row);
        }
        std::ranges::for_each(net_.others(), needs_row);
    }
    work_.begin(direct_.size(), inertias.size());
    springs_.begin(inertias.size());
    h_ = h;
    resize_large(rows_, rows_needed_);
    kept_impulses_.resize(rows_needed_);
    started_impulses_.resize(rows_needed_);
    const auto load = [&](std::uint32_t i) {
        static_cast<JointInput&>(rows_[i]) = inputs[i];
        static_cast<JointWorkspace&>(rows_[i]) = JointWorkspace{};
    };
    for_direct(executor, [&](std::size_t number, const JointGraph::Component& component) {
        for (const std::uint32_t i : graph_.joints_of(component)) {
            load(i);
        }
        work_.state(number, graph_, component, rows_, motions);
    });
    component_of_.resize(inertias.size(), none);
    if (net_.empty()) {
        return;
    }
    for_net_bodies(executor, [&](std::uint32_t motion) {
        stiffen<JointInput>(motion, inputs, motions[motion], dynamics[motion], h);
    });
    net_.load(executor, inputs);
    for (const std::uint32_t i : net_.others()) {
        load(i);
    }
}

void JointSolver::end(Executor& executor, std::span<JointInput> inputs) {
    for_direct(executor, [&](std::size_t, const JointGraph::Component& component) {
        for (const std::uint32_t i : graph_.joints_of(component)) {
            inputs[i] = rows_[i];
        }
    });
    if (!net_.empty()) {
        net_.store(executor, inputs);
        for (const std::uint32_t i : net_.others()) {
            inputs[i] = rows_[i];
        }
    }
}

void JointSolver::note_contact(std::uint32_t motion_a, std::uint32_t motion_b) {
    const std::uint32_t a = component_of_[motion_a], b = component_of_[motion_b];
    if (a != none) {
        work_.note_touch(a, a != b ? motion_b : 0);
    }
    if (b != none && a != b) {
        work_.note_touch(b, motion_a);
    }
}

void JointSolver::begin_passes(Executor& executor, std::span<BodyMotion> motions, const JointSolverSettings& settings) {
    for_direct(executor, [&](std::size_t number, const JointGraph::Component& component) {
        const std::span<const std::uint32_t> bodies = graph_.bodies_of(component);
        if (work_.needs_start(number)) {
            const auto index = static_cast<std::uint32_t>(number);
            begin_trial(index, motions);
            try_velocities(index, motions, settings);
            work_.note_start(number, bodies, motions);
            end_trial(index, motions);
        }
        act_springs(number);
        JointSprings::Work springs;
        for (const std::uint32_t i : graph_.joints_of(component)) {
            started_impulses_[i] = rows_[i].impulses;
            if (work_.is_watched(number)) {
                const JointSprings::Work of_joint = JointSprings::work_of(rows_[i], settings.h);
                springs.stored += of_joint.stored;
                springs.swing = std::max(springs.swing, of_joint.swing);
            }
        }
        work_.begin_passes(number, bodies, motions, springs);
    });
}

void JointSolver::warm_start(Executor& executor, std::span<BodyMotion> motions) {
    for_direct(executor, [&](std::size_t number, const JointGraph::Component& component) {
        work_.watch(number, graph_.bodies_of(component), motions, free_, [&] {
            system_.warm_start(number, graph_.bodies_of(component), rows_, motions);
            for (const std::uint32_t i : graph_.joints_of(component)) {
                warm_start_free_rows(std::span(rows_).subspan(i, 1), motions);
            }
        });
    });
    if (!net_.empty()) {
        net_.warm_start(executor, rows_, motions);
    }
}

void JointSolver::solve(Executor& executor, std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics,
                        const JointSolverSettings& settings, bool use_bias) {
    for_direct(executor, [&](std::size_t number, const JointGraph::Component& component) {
        work_.watch(number, graph_.bodies_of(component), motions, free_,
                    [&] { solve_component(number, motions, dynamics, settings, use_bias); });
        hold_work(number, motions, settings, use_bias);
        if (!use_bias) {
            work_.note_start(number, graph_.bodies_of(component), motions);
        }
    });
    if (!net_.empty()) {
        net_.solve(executor, rows_, motions, settings, use_bias);
    }
}

void JointSolver::solve_together(std::size_t number, std::span<BodyMotion> motions, const JointSolverSettings& settings,
                                 bool use_bias) {
    // All rows that are wrong change at once; where that goes round in circles, the first of them alone for a while
    // (K. Murty, "Note on a Bard-type scheme for solving the complementarity problem", 1974; both in turn as in
    // J. Judice and F. Pires, "A block principal pivoting algorithm for large-scale strictly monotone linear
    // complementarity problems", 1994).
    constexpr int rounds_at_once = 12, rounds_alone = 6, most_rounds = 24;
    const JointGraph::Component& component = graph_.components()[direct_[number]];
    const std::span<const std::uint32_t> joints = graph_.joints_of(component);
    const auto solve = [&] { system_.solve(number, graph_.bodies_of(component), rows_, motions, settings, use_bias); };
    for (int round = 0; round < most_rounds; ++round) {
        solve();
        // Both are judged by the velocities that the solve has led to.
        const auto hold = [&](std::uint32_t i) { return hold_passed_stops(rows_[i], motions, settings, use_bias); };
        const auto release = [&](std::uint32_t i) { return release_beyond_bounds(rows_[i], motions, settings.h); };
        bool changed = false;
        if (round % (rounds_at_once + rounds_alone) < rounds_at_once) {
            for (const std::uint32_t i : joints) {
                changed = hold(i) || changed;
            }
            for (const std::uint32_t i : joints) {
                changed = release(i) || changed;
            }
        } else {
            changed = std::any_of(joints.begin(), joints.end(), [&](std::uint32_t i) {
                const bool held = hold(i);
                return release(i) || held;
            });
        }
        if (!changed) {
            return;
        }
        factorise(number);
    }
    solve(); // as equalities, which gain nothing; the next pass goes on from there
}

void JointSolver::solve_component(std::size_t number, std::span<BodyMotion> motions,
                                  std::span<const BodyDynamics> dynamics, const JointSolverSettings& settings,
                                  bool use_bias) {
    const JointGraph::Component& component = graph_.components()[direct_[number]];
    const std::span<const std::uint32_t> list = graph_.joints_of(component);
    const std::span<const std::uint32_t> bodies = graph_.bodies_of(component);
    const auto note_bends = [&] {
        float change = 0.0f;
        for (const std::uint32_t motion : bodies) {
            ends_[motion] = motions[motion];
            integrate_position(ends_[motion], dynamics[motion], settings.h);
        }
        BodyMotion driven_a, driven_b;
        const auto end_of = [&](std::uint32_t motion, BodyMotion& driven) -> const BodyMotion& {
            if (motions[motion].inverse_mass > 0.0f) {
                return ends_[motion];
            }
            driven = motions[motion]; // of no component
            integrate_position(driven, dynamics[motion], settings.h);
            return driven;
        };
        for (const std::uint32_t i : list) {
            JointRows& joint = rows_[i];
            change = std::max(change, note_arcs(joint, motions, end_of(joint.motion_a, driven_a),
                                                end_of(joint.motion_b, driven_b), settings.h));
        }
        return change;
    };
    // Arcs and free rows are stated for joints whose rigid rows hold: these come before and after.
    const bool any_alone =
        std::any_of(list.begin(), list.end(), [&](std::uint32_t i) { return has_rows_alone(rows_[i], use_bias); });
    if (any_alone || use_bias) {
        system_.solve(number, bodies, rows_, motions, settings, false);
    }
    float last = 0.0f;
    if (use_bias) {
        last = first_growth * std::max(note_bends(), short_arc);
    }
    if (any_alone) {
        for (const std::uint32_t i : list) {
            if (has_rows_alone(rows_[i], use_bias)) {
                solve_free_rows(rows_[i], motions, settings, use_bias, false);
            }
        }
    }
    if (use_bias) {
        note_round(number, motions);
    }
    solve_together(number, motions, settings, use_bias);
    if (!use_bias) {
        return;
    }
    // Once more with the arcs of the velocities that they lead to, and as often as that comes nearer. A round that
    // diverges, as when a blow runs through a taut chain of light links, is taken back.
    constexpr int most_rounds = 6;
    for (int round = 0; round < most_rounds; ++round) {
        const float change = note_bends();
        if (change > last) {
            take_back_round(number, motions);
            break;
        }
        if (round > 0 && change > 0.25f * last) {
            break;
        }
        note_round(number, motions);
        solve_together(number, motions, settings, true);
        if (change < arc_settled) {
            break;
        }
        last = change;
    }
}

void JointSolver::note_round(std::size_t number, std::span<const BodyMotion> motions) {
    const JointGraph::Component& component = graph_.components()[direct_[number]];
    begin_trial(static_cast<std::uint32_t>(number), motions);
    for (const std::uint32_t i : graph_.joints_of(component)) {
        kept_impulses_[i] = rows_[i].impulses;
    }
}

void JointSolver::take_back_round(std::size_t number, std::span<BodyMotion> motions) {
    const JointGraph::Component& component = graph_.components()[direct_[number]];
    end_trial(static_cast<std::uint32_t>(number), motions);
    for (const std::uint32_t i : graph_.joints_of(component)) {
        rows_[i].impulses = kept_impulses_[i];
    }
}

// Velocities and impulses of the whole component alike.
void JointSolver::hold_work(std::size_t number, std::span<BodyMotion> motions, const JointSolverSettings& settings,
                            bool use_bias) {
    const JointGraph::Component& component = graph_.components()[direct_[number]];
    const std::span<const std::uint32_t> joints = graph_.joints_of(component), bodies = graph_.bodies_of(component);
    const JointWork::Left left = work_.left_of_work(number, joints, bodies, rows_, motions, free_, settings, use_bias);
    if (left.share == 1.0f) {
        return;
    }
    const Vec3 mean(left.mean);
    work_.watch(number, bodies, motions, free_, [&] {
        for (const std::uint32_t motion : bodies) {
            BodyMotion& body = motions[motion];
            body.linear_velocity = mean + left.share * (body.linear_velocity - mean);
            body.angular_velocity *= left.share;
        }
    });
    // Of what the substep has changed of the impulses as much is left. Had all of them gone with the velocities, a
    // loaded chain would begin the next substep without its tension, and be thrown about by its load once more.
    for (const std::uint32_t i : joints) {
        rows_[i].impulses = blended(started_impulses_[i], rows_[i].impulses, left.share);
    }
}

void JointSolver::hold(Executor& executor, std::span<BodyMotion> motions, const JointSolverSettings& settings) {
    for_direct(executor, [&](std::size_t number, const JointGraph::Component& component) {
        if (!work_.is_touched(number)) {
            return;
        }
        work_.watch(number, graph_.bodies_of(component), motions, free_,
                    [&] { solve_together(number, motions, settings, true); });
        hold_work(number, motions, settings, true);
    });
}

void JointSolver::accumulate(Executor& executor) {
    for_direct(executor, [&](std::size_t, const JointGraph::Component& component) {
        for (const std::uint32_t i : graph_.joints_of(component)) {
            cairn::physics::accumulate(std::span(rows_).subspan(i, 1));
        }
    });
    if (!net_.empty()) {
        net_.accumulate(executor, rows_);
    }
}

std::size_t JointSolver::memory_bytes() const {
    return graph_.memory_bytes() + system_.memory_bytes() + net_.memory_bytes() + springs_.memory_bytes() +
           bytes_of(direct_) + bytes_of(nets_) + bytes_of(inertias_) + bytes_of(keep_) + bytes_of(stiff_) +
           bytes_of(exact_) + bytes_of(free_) + bytes_of(bodies_) + bytes_of(ends_) + bytes_of(kept_) +
           bytes_of(kept_impulses_) + bytes_of(started_impulses_) + work_.memory_bytes() + bytes_of(rows_) +
           bytes_of(component_of_) + bytes_of(aside_) + bytes_of(stiff_inertias_);
}

} // namespace cairn::physics
