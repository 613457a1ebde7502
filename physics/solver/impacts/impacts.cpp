#include "physics/solver/impacts/impacts.h"

#include "physics/base/executor_loop.h"
#include "physics/solver/impacts/impact_rows-inl.h"

#include <algorithm>
#include <utility>

namespace cairn::physics {

namespace {

constexpr std::size_t place_block = 256;
// Passes over the contacts of a round: those that share no body need one, and friction one more; between joints, more.
constexpr int most_passes = 16, most_jointed_passes = 100;
constexpr float tolerance = 1e-4f, jointed_tolerance = 1e-3f; // m/s
constexpr int most_temperings = 8; // how often the contacts of a round may be asked to part more slowly
// By how much the greatest error may grow until the contacts of a round give up, which the soft pass answers then. So
// it is with blows to links that joints hold together, where nothing gives way and each answers what the last one did.
constexpr float most_growth = 100.0f;
// Bodies of mechanisms that may be held within a plain substep, counted as often as they are, and as a share of that
// within a finer one.
constexpr std::size_t most_held = 40000;

std::size_t most_held_in(const ContactSolverSettings& settings) {
    return static_cast<std::size_t>(static_cast<float>(most_held) * settings.plain_substeps);
}

float settled_within(bool between_joints) {
    return between_joints ? jointed_tolerance : tolerance;
}

enum Found : std::uint8_t { nothing, now, later };

} // namespace

bool ImpactPass::run(Executor& executor, std::span<const RowPlace> places, std::span<RowBlocks> blocks,
                     std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics,
                     std::span<BodyInertia> inertias, const ContactSolverSettings& settings,
                     std::span<const BodyTraits> traits, const ImpactJoints* joints) {
    ImpactWork work{motions.data(), dynamics.data(), inertias.data(), settings, traits, nullptr, nullptr, {}, {}};
    std::vector<std::uint32_t> to_hold; // components
    mechanisms_.clear();
    free_.clear();
    // Mechanisms are held once they may be hit.
    const auto list_mechanisms = [&](const RowPlace& place) {
        for (const std::uint32_t motion : {place.motion_a, place.motion_b}) {
            const std::uint32_t of = joints->solver.component_of(motion);
            if (of != JointSolver::none && mechanism_of(motion, joints) == nullptr) {
                to_hold.push_back(of);
            }
        }
    };
    const auto hold_listed = [&] {
        if (!to_hold.empty()) {
            for (const std::uint32_t of : to_hold) {
                mechanisms_.push_back({of, JointSolver::none});
            }
            to_hold.clear();
            hold_joints(motions, *joints);
            work.reactions = reactions_.data();
        }
    };
    if (joints != nullptr) {
        work.joints = joints;
        for (const RowPlace& place : places) {
            if ((traits[place.motion_a].jointed || traits[place.motion_b].jointed) &&
                at(blocks, place, [&](const auto& rows, auto balls) { return closes<balls()>(rows, work); })) {
                list_mechanisms(place);
            }
        }
        hold_listed();
    }
    const auto will_hit = [&](const RowPlace& place, Impact& impact) {
        return at(blocks, place, [&](const auto& rows, auto balls) { return foresee<balls()>(rows, work, impact); });
    };
    hit_.assign(places.size(), nothing);
    first_.resize(motions.size());
    last_.assign(motions.size(), 0.0f);
    work.last = last_;
    changed_.assign(motions.size(), 0);
    noted_.assign(motions.size(), 0);
    starts_.clear();
    stamps_.resize(motions.size());
    held_ = 0;
    for (int round = 0; round < most_rounds && held_ <= most_held_in(settings); ++round) {
        parallel_for(executor, places.size(), place_block, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const RowPlace& place = places[i];
                const std::uint8_t before = std::exchange(hit_[i], std::uint8_t{nothing});
                if (round == 0 || before == later || changed_[place.motion_a] != 0 || changed_[place.motion_b] != 0) {
                    Impact impact;
                    hit_[i] = will_hit(place, impact) ? now : nothing;
                }
            }
        });
        active_.clear();
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (hit_[i] == now) {
                active_.push_back({static_cast<std::uint32_t>(i), {}});
                will_hit(places[i], active_.back().impact);
            }
        }
        if (active_.empty()) {
            if (!mechanisms_.empty()) {
                release_joints(motions, dynamics, *joints);
            }
            return round > 0;
        }
        // Of the blows to one body those that come first; what follows meets it with its new velocity.
        for (const Active& one : active_) {
            first_[places[one.place].motion_a] = first_[places[one.place].motion_b] = settings.h;
        }
        for (const Active& one : active_) {
            for (const std::uint32_t body : {places[one.place].motion_a, places[one.place].motion_b}) {
                first_[body] =
                    motions[body].inverse_mass > 0.0f ? std::min(first_[body], one.impact.first) : settings.h;
            }
        }
        const float grace = simultaneous * settings.h;
        std::erase_if(active_, [&](const Active& one) {
            const RowPlace& place = places[one.place];
            const bool late =
                one.impact.first > first_[place.motion_a] + grace || one.impact.first > first_[place.motion_b] + grace;
            hit_[one.place] = late ? later : now;
            return late;
        });
        if (joints != nullptr) { // a blow may have come to one that nothing was about to hit
            for (const Active& one : active_) {
                list_mechanisms(places[one.place]);
            }
            hold_listed();
        }
        for (Active& one : active_) {
            at(blocks, places[one.place],
               [&](const auto& rows, auto balls) { cairn::physics::begin<balls()>(rows, work, one.impact); });
        }
        if (!mechanisms_.empty()) {
            note_hits(places, motions, *joints);
            work.at_once = at_once_;
        }
        for (Active& one : active_) {
            at(blocks, places[one.place],
               [&](const auto& rows, auto balls) { know_joints<balls()>(rows, work, one.impact); });
        }
        const bool between_joints =
            std::any_of(mechanisms_.begin(), mechanisms_.end(), [](const Mechanism& one) { return one.hit_now; });
        const bool answered = answer_round(places, blocks, work, between_joints);
        std::fill(changed_.begin(), changed_.end(), std::uint8_t{0});
        if (between_joints) {
            set_back(motions, dynamics, inertias, *joints);
        }
        for (const Active& one : active_) {
            const RowPlace& place = places[one.place];
            at(blocks, place, [&](const auto& rows, auto balls) { finish<balls()>(rows, work, one.impact); });
            for (const std::uint32_t motion : {place.motion_a, place.motion_b}) {
                last_[motion] = motions[motion].inverse_mass > 0.0f ? std::max(last_[motion], one.impact.first) : 0.0f;
            }
            changed_[place.motion_a] = motions[place.motion_a].inverse_mass > 0.0f ? 1 : 0;
            changed_[place.motion_b] = motions[place.motion_b].inverse_mass > 0.0f ? 1 : 0;
        }
        if (!answered) {
            break;
        }
    }
    if (!mechanisms_.empty()) {
        release_joints(motions, dynamics, *joints);
    }
    return true;
}

bool ImpactPass::answer_round(std::span<const RowPlace> places, std::span<RowBlocks> blocks, const ImpactWork& work,
                              bool between_joints) {
    if (!solve_round(places, blocks, work, between_joints) || (between_joints && gains_energy(places, work))) {
        take_back(places, blocks, work);
        return false;
    }
    return true;
}

bool ImpactPass::solve_round(std::span<const RowPlace> places, std::span<RowBlocks> blocks, const ImpactWork& work,
                             bool between_joints) {
    for (const auto& [motion, velocities] : starts_) {
        noted_[motion] = 0;
    }
    starts_.clear();
    const auto note_start = [&](std::uint32_t motion) {
        const BodyMotion& body = work.motions[motion];
        if (body.inverse_mass > 0.0f && !work.hangs(motion) && noted_[motion] == 0) { // others are in before_
            noted_[motion] = 1;
            starts_.push_back({motion, {body.linear_velocity, body.angular_velocity}});
        }
    };
    for (const Active& one : active_) {
        note_start(places[one.place].motion_a);
        note_start(places[one.place].motion_b);
    }
    // The first foot of a table that lands bears all of the blow until the others have been asked. Friction bounded by
    // that would throw the table aside, so among joints it waits until the normal rows agree.
    bool friction = !between_joints;
    const float settled = settled_within(between_joints);
    for (int i = 0; i < most_temperings; ++i) {
        if (!settle(places, blocks, work, between_joints, friction)) {
            return false;
        }
        bool tempered = false;
        for (Active& one : active_) {
            const RowPlace& place = places[one.place];
            // What joints still owe would be taken for a gain. Without them impulses do what they do, however far from
            // their end the passes have stopped: a rod that lands aslant asks for more of them than there are.
            const bool known = one.error < settled || !(work.hangs(place.motion_a) || work.hangs(place.motion_b));
            if (known && at(blocks, place,
                            [&](const auto& rows, auto balls) { return temper<balls()>(rows, work, one.impact); })) {
                one.error = look_again;
                tempered = true;
            }
        }
        if (!tempered || held_ > most_held_in(work.settings)) {
            break;
        }
    }
    return true;
}

// Passes over the contacts of the round until none is wrong any more. A contact that is right looks again only when one
// of its bodies has been pushed, so that it makes no difference to what does not hang together who else is hit.
bool ImpactPass::settle(std::span<const RowPlace> places, std::span<RowBlocks> blocks, const ImpactWork& work,
                        bool between_joints, bool& friction) {
    float first_error = work.settings.restitution_threshold; // m/s, the greatest in the first pass, or this
    const float settled = settled_within(between_joints);
    const int most = between_joints ? most_jointed_passes : most_passes;
    // What moves together has one stamp, which moves when it is changed.
    component_stamps_.resize(work.at_once.size());
    const auto stamp_of = [&](std::uint32_t motion) -> std::uint32_t& {
        const std::uint32_t component = work.component_of(motion);
        return component != JointSolver::none ? component_stamps_[component] : stamps_[motion];
    };
    const auto free = [&](std::uint32_t motion) { return work.motions[motion].inverse_mass > 0.0f; };
    for (int pass = 0; pass < most; ++pass) {
        bool done = true;
        for (Active& one : active_) {
            const RowPlace& place = places[one.place];
            std::uint32_t &a = stamp_of(place.motion_a), &b = stamp_of(place.motion_b);
            if (one.error < settled && (one.seen_a == a || !free(place.motion_a)) &&
                (one.seen_b == b || !free(place.motion_b))) {
                continue;
            }
            const bool first = one.error == look_again;
            one.error = at(blocks, place, [&](const auto& rows, auto balls) {
                return answer<balls()>(rows, work, one.impact, friction);
            });
            first_error = pass == 0 ? std::max(first_error, one.error) : first_error;
            if (between_joints && !(one.error < most_growth * first_error)) {
                return false;
            }
            const std::size_t answers = friction && one.impact.jointed ? 2 : 1;
            for_components(work, place.motion_a, place.motion_b, [&](std::uint32_t component) {
                held_ += work.at_once[component] != 0 ? answers * work.joints->solver.bodies_of(component).size() : 0;
            });
            if (one.error >= settled || first) {
                done = false;
                ++a;
                b += &a != &b ? 1 : 0;
            }
            one.seen_a = a;
            one.seen_b = b;
        }
        for (const Mechanism& one : mechanisms_) {
            if (one.hit_now && work.at_once[one.component] == 0) {
                work.joints->solver.hold_velocities(one.component, work.all(), work.joints->settings);
                held_ += work.joints->solver.bodies_of(one.component).size();
                done = done && pass > 0;
                ++component_stamps_[one.component];
            }
        }
        if (held_ > most_held_in(work.settings)) {
            break;
        }
        if (!friction && (done || pass + 1 == most_passes)) {
            friction = true;
            for (Active& one : active_) {
                one.error = look_again;
            }
        } else if (done) {
            break;
        }
    }
    return true;
}

// The round has not been.
void ImpactPass::take_back(std::span<const RowPlace> places, std::span<RowBlocks> blocks, const ImpactWork& work) {
    for (const auto& [motion, velocities] : starts_) {
        work.motions[motion].linear_velocity = velocities.linear;
        work.motions[motion].angular_velocity = velocities.angular;
    }
    for (const Mechanism& one : mechanisms_) {
        const std::span<const std::uint32_t> bodies = work.joints->solver.bodies_of(one.component);
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            work.motions[bodies[i]].linear_velocity = before_[one.first + i].linear;
            work.motions[bodies[i]].angular_velocity = before_[one.first + i].angular;
        }
    }
    for (const Active& one : active_) {
        at(blocks, places[one.place], [](const auto& rows, auto) {
            for (int i = 0; i < count_of(rows); ++i) {
                for (LaneFloats* impulse : {&rows.point(i).normal_impulse, &rows.point(i).tangent_impulse_1,
                                            &rows.point(i).tangent_impulse_2}) {
                    impulse->x[rows.lane] = 0.0f;
                }
            }
        });
    }
}

} // namespace cairn::physics
