#include "physics/solver/solver.h"

#include "physics/base/executor_loop.h"
#include "physics/solver/integrate.h"

#include <algorithm>

namespace cairn::physics {

namespace {

constexpr std::size_t body_block = 256;
constexpr std::size_t row_block = 64;

ContactSolverSettings contact_settings(const SolverInput& input) {
    ContactSolverSettings settings;
    settings.h = input.step / static_cast<float>(input.substeps);
    // Rows are solved one after the other, each as if it were alone. Springs that take back most of an error within one
    // substep then overshoot together: beyond a fifth of the substep rate small stacks begin to chatter
    // (docs/solver.md).
    const float hertz = std::min(input.contact_hertz, 0.2f / settings.h);
    settings.softness = make_soft(hertz, input.contact_damping_ratio, settings.h);
    settings.max_push_speed = input.max_push_speed;
    settings.restitution_threshold = input.restitution_threshold;
    settings.warm_starting = input.warm_starting;
    settings.gravity = input.gravity;
    return settings;
}

} // namespace

// Calls work(rows) for every contact: colours one after the other, the contacts of a colour side by side.
template <typename Work>
void Solver::for_each_colour(Executor& executor, Work&& work) {
    for (std::size_t colour = 0; colour < Colouring::colour_count; ++colour) {
        const std::size_t first = colouring_.begin(colour);
        const std::size_t count = colouring_.end(colour) - first;
        const std::size_t grain = colour == Colouring::overflow ? std::max<std::size_t>(count, 1) : row_block;
        parallel_for(executor, count, grain, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                work(rows_[first + i]);
            }
        });
    }
}

void Solver::run(Executor& executor, const SolverInput& input, std::span<BodyMotion> motions,
                 std::span<const BodyDynamics> dynamics, std::span<const TouchingContact> touching,
                 ContactPool& contacts, GrabRows& grab) {
    const ContactSolverSettings settings = contact_settings(input);
    row_bodies_.resize(touching.size());
    for (std::size_t i = 0; i < touching.size(); ++i) {
        // A body without mass is never written, so rows may share it.
        const RowBodies& bodies = touching[i].bodies;
        row_bodies_[i] = {motions[bodies.a].inverse_mass > 0.0f ? bodies.a : 0u,
                          motions[bodies.b].inverse_mass > 0.0f ? bodies.b : 0u};
    }
    colouring_.assign(row_bodies_, motions.size());
    rows_.resize(touching.size());
    const std::span<const std::uint32_t> order = colouring_.order();
    parallel_for(executor, order.size(), row_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const TouchingContact& from = touching[order[i]];
            prepare(rows_[i], contacts[from.slot], from.slot, from.bodies.a, from.bodies.b, motions, dynamics,
                    settings);
        }
    });

    // Two passes over all rows in each substep are spared where nothing gives back any speed.
    const bool bouncy =
        std::any_of(rows_.begin(), rows_.end(), [](const ContactRows& rows) { return rows.restitution > 0.0f; });

    const auto for_bodies = [&](auto&& work) {
        parallel_for(executor, motions.size() - 1, body_block, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin + 1; i < end + 1; ++i) {
                work(i);
            }
        });
    };
    const float max_turn = std::min(max_substep_turn, max_step_turn / static_cast<float>(input.substeps));
    too_fast_.assign(motions.size(), 0);
    for (int substep = 0; substep < input.substeps; ++substep) {
        for_bodies([&](std::size_t i) {
            integrate_velocity(motions[i], dynamics[i], input.gravity, settings.h);
            if (limit_spin(motions[i], dynamics[i], max_turn, settings.h)) {
                too_fast_[i] = 1;
            }
        });
        if (bouncy) {
            for_each_colour(executor, [&](ContactRows& rows) {
                turn_arms(rows, motions, settings);
                note_impacts(rows, motions, settings);
            });
        }
        if (settings.warm_starting || substep > 0) {
            warm_start(grab, motions, dynamics);
            for_each_colour(executor, [&](ContactRows& rows) {
                if (!bouncy) {
                    turn_arms(rows, motions, settings);
                }
                warm_start(rows, motions);
            });
        }
        solve(grab, motions, dynamics, settings.h);
        for_each_colour(executor, [&](ContactRows& rows) { solve(rows, motions, settings, true); });
        for_bodies([&](std::size_t i) {
            if (limit_spin(motions[i], dynamics[i], max_turn, settings.h)) {
                too_fast_[i] = 1;
            }
            integrate_position(motions[i], dynamics[i], settings.h);
        });
        for_each_colour(executor, [&](ContactRows& rows) {
            turn_arms(rows, motions, settings);
            solve(rows, motions, settings, false);
            accumulate(rows);
        });
        if (bouncy) {
            for_each_colour(executor, [&](ContactRows& rows) { bounce(rows, motions, settings); });
        }
    }
    spin_limited_ = static_cast<std::uint32_t>(std::count(too_fast_.begin(), too_fast_.end(), 1));
    parallel_for(executor, rows_.size(), row_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            store(rows_[i], contacts[rows_[i].contact]);
        }
    });
}

} // namespace cairn::physics
