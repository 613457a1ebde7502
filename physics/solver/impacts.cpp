#include "physics/solver/impacts.h"

#include "physics/base/executor_loop.h"

#include <algorithm>

namespace cairn::physics {

namespace {

constexpr std::size_t row_block = 256;
// Passes over the contacts of a round: those that share no body need one, and friction one more.
constexpr int most_passes = 16;
constexpr float tolerance = 1e-4f; // m/s
// Blows to one body that come no further apart, as a share of the substep, count as simultaneous.
constexpr float simultaneous = 0.05f;

enum Found : std::uint8_t { nothing, now, later };

} // namespace

bool ImpactPass::run(Executor& executor, std::span<ContactRows> rows, std::span<BodyMotion> motions,
                     std::span<const BodyDynamics> dynamics, const ContactSolverSettings& settings) {
    hit_.assign(rows.size(), nothing);
    for (int round = 0; round < most_rounds; ++round) {
        parallel_for(executor, rows.size(), row_block, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const ContactRows& row = rows[i];
                if (row.restitution > 0.0f &&
                    (round == 0 || hit_[i] == later || changed_[row.motion_a] != 0 || changed_[row.motion_b] != 0)) {
                    Impact impact;
                    hit_[i] = foresee(row, motions, settings, impact) ? now : nothing;
                } else {
                    hit_[i] = nothing;
                }
            }
        });
        active_.clear();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (hit_[i] == now) {
                active_.push_back({static_cast<std::uint32_t>(i), {}});
                foresee(rows[i], motions, settings, active_.back().impact);
            }
        }
        if (active_.empty()) {
            return round > 0;
        }
        // Of the blows to one body those that come first; what follows meets it with its new velocity.
        first_.assign(motions.size(), settings.h);
        for (const Active& one : active_) {
            for (const std::uint32_t body : {rows[one.row].motion_a, rows[one.row].motion_b}) {
                first_[body] =
                    motions[body].inverse_mass > 0.0f ? std::min(first_[body], one.impact.first) : settings.h;
            }
        }
        const float grace = simultaneous * settings.h;
        std::erase_if(active_, [&](const Active& one) {
            const ContactRows& row = rows[one.row];
            const bool late =
                one.impact.first > first_[row.motion_a] + grace || one.impact.first > first_[row.motion_b] + grace;
            hit_[one.row] = late ? later : now;
            return late;
        });
        for (Active& one : active_) {
            begin(rows[one.row], one.impact, motions, settings);
        }
        for (int pass = 0; pass < most_passes; ++pass) {
            float error = 0.0f;
            for (const Active& one : active_) {
                error = std::max(error, answer(rows[one.row], one.impact, motions));
            }
            if (pass > 0 && error < tolerance) {
                break;
            }
        }
        changed_.assign(motions.size(), 0);
        for (const Active& one : active_) {
            ContactRows& row = rows[one.row];
            finish(row, one.impact, motions, dynamics, settings);
            changed_[row.motion_a] = row.inverse_mass_a > 0.0f ? 1 : 0;
            changed_[row.motion_b] = row.inverse_mass_b > 0.0f ? 1 : 0;
        }
    }
    return true;
}

} // namespace cairn::physics
