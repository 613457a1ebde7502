// The impact of one contact, as functions of its rows: begun, answered, tempered, finished. For impacts.cpp alone.
#pragma once

#include "physics/solver/impacts/impact_foresight-inl.h"
#include "physics/solver/motion/integrate.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace cairn::physics {

namespace {

inline Vec3 to_glm(const V3<float>& v) {
    return {v.x, v.y, v.z};
}

// How fast the point of B moves against that of A, m/s.
template <class F, int P>
V3<F> velocity_at(const Rows<F, P>& rows, const Pair<F>& pair, int i) {
    return (pair.vb + cross(pair.wb, rows.arm_b(i))) - (pair.va + cross(pair.wa, rows.arm_a(i)));
}

inline float exchanged(LaneFloats& in, std::size_t lane, float value) {
    return std::exchange(in.x[lane], value);
}

// Puts the contact's accumulated impulses aside; those of the impact take their place until it is over.
template <bool Balls, int P>
void begin(const Rows<float, P>& rows, const ImpactWork& work, Impact& impact) {
    const Pair<float> pair = rows.pair(work.motions);
    const Ways<float> ways = rows.ways(work.motions);
    const bool free = rows.free();
    if (Balls || free) {
        keep_arms(rows);
    }
    const int count = count_of(rows);
    for (int i = 0; i < count; ++i) {
        RowPoint& point = rows.point(i);
        const V3<float> slipped = ways.between + impact.time[i] * (pair.vb - pair.va);
        if constexpr (Balls) {
            point_at(rows, slipped - rows.get(rows.block.b_to_a), true);
        } else if (free) {
            V3<float> arm_a, arm_b;
            arms_at(rows, ways, pair, i, impact.time[i], arm_a, arm_b);
            meet(rows, i, arm_a, arm_b, slipped);
            rows.set(rows.turned_arms().a[rows.index(i)], arm_a);
            rows.set(rows.turned_arms().b[rows.index(i)], arm_b);
        }
        impact.normal_impulse[i] = exchanged(point.normal_impulse, rows.lane, 0.0f);
        impact.tangent_impulse_1[i] = exchanged(point.tangent_impulse_1, rows.lane, 0.0f);
        impact.tangent_impulse_2[i] = exchanged(point.tangent_impulse_2, rows.lane, 0.0f);
    }
    const std::uint32_t motion_a = *rows.motion_a(), motion_b = *rows.motion_b();
    if (work.hangs(motion_a) || work.hangs(motion_b)) {
        // To the last degree of turn, as the joints have it: contacts and joints that do not agree on what a thin body
        // has against them would pump each other up.
        for (const std::uint32_t motion : {motion_a, motion_b}) {
            if (work.dynamics[motion].principal != nullptr || work.dynamics[motion].precesses) {
                work.inertias[motion].inverse = inverse_inertia_now(work.motions[motion], work.dynamics[motion]);
            }
        }
        float pull;
        rows.set(rows.block.inverse_inertia_a, gather_inertia<float>(work.inertias, rows.motion_a(), pull));
        rows.set(rows.block.inverse_inertia_b, gather_inertia<float>(work.inertias, rows.motion_b(), pull));
        set_levers<Balls, float, P>(rows);
    }
    for (int i = 0; i < count; ++i) {
        impact.before[i] = to_glm(velocity_at(rows, pair, i));
    }
    if (!free) {
        return;
    }
    const float restitution = rows.get(rows.block.restitution);
    const RowValues<float, P> speeds = normal_speeds<Balls>(rows, pair);
    for (int i = 0; i < count; ++i) {
        if (impact.hit[i]) { // by the speed of the place where the impulse acts
            const float until_end = impact.acceleration * (impact.lead - impact.time[i]);
            impact.wanted[i] = restitution * std::max(until_end - speeds[i], 0.0f) + until_end;
        }
    }
    set_levers<Balls, float, P>(rows);
}

// Bodies on joints give way less than they would alone: finds what unit impulses along the normal add to the points'
// speeds. Stops are left out; where they hold, it is less still, and the passes come nearer more slowly.
template <bool Balls, int P>
void know_joints(const Rows<float, P>& rows, const ImpactWork& work, Impact& impact) {
    const std::uint32_t motion_a = *rows.motion_a(), motion_b = *rows.motion_b();
    bool hangs = false, at_once = true;
    for_components(work, motion_a, motion_b, [&](std::uint32_t one) {
        hangs = true;
        at_once = at_once && work.at_once[one] != 0;
    });
    impact.jointed = hangs && at_once;
    if (!impact.jointed) {
        return;
    }
    const RowMatrix<float, P> alone = rows.matrix(rows.block.compliance);
    RowMatrix<float, P> out = alone;
    const Pair<float> pair = rows.pair(work.motions);
    // The points' speeds once the joints have answered these impulses.
    const auto answered = [&](const RowValues<float, P>& impulses) {
        for_components(work, motion_a, motion_b,
                       [&](std::uint32_t one) { work.joints->solver.begin_trial(one, work.all()); });
        Pair<float> pushed = pair;
        push_apart<Balls, float, P>(rows, pushed, impulses);
        rows.save(pushed, work.motions);
        for_components(work, motion_a, motion_b, [&](std::uint32_t one) {
            work.joints->solver.try_velocities(one, work.all(), work.joints->settings);
        });
        const RowValues<float, P> speeds = normal_speeds<Balls>(rows, rows.pair(work.motions));
        rows.save(pair, work.motions);
        for_components(work, motion_a, motion_b,
                       [&](std::uint32_t one) { work.joints->solver.end_trial(one, work.all()); });
        return speeds;
    };
    // Without a push as well: of links in one line the joints never hold the velocities quite.
    const RowValues<float, P> before = answered({});
    for (int i = 0; i < count_of(rows); ++i) {
        const float impulse = 1.0f / alone[row_start(i) + i]; // 1 m/s, but for the joints
        RowValues<float, P> change{};
        change[i] = impulse;
        const RowValues<float, P> after = answered(change);
        // What is left of the whole by rounding alone would ask for any impulse.
        constexpr float least = 1e-4f;
        out[row_start(i) + i] = std::max((after[i] - before[i]) / impulse, least * alone[row_start(i) + i]);
        for (int j = 0; j < i; ++j) {
            const float most = std::sqrt(out[row_start(i) + i] * out[row_start(j) + j]);
            out[row_start(i) + j] = std::clamp((after[j] - before[j]) / impulse, -most, most);
        }
    }
    std::copy(out.begin(), out.end(), impact.compliance.begin());
}

// One pass over the rows of the impact: all normal rows together, then `friction`, which answers to the blow as well.
// Returns the greatest speed in m/s by which a row was still wrong before it.
template <bool Balls, int P>
float answer(const Rows<float, P>& rows, const ImpactWork& work, const Impact& impact, bool friction) {
    Pair<float> pair = rows.pair(work.motions);
    RowValues<float, P> pressure = pressures(rows);
    const RowValues<float, P> speed = normal_speeds<Balls>(rows, pair);
    RowValues<float, P> right{}, least{}, softening{};
    RowFlags<float, P> idle{};
    float error = 0.0f;
    RowMatrix<float, P> matrix = rows.matrix(rows.block.compliance);
    if (impact.jointed) {
        std::copy_n(impact.compliance.begin(), matrix.size(), matrix.begin());
    }
    for (int i = 0; i < P; ++i) {
        idle[i] = !rows.live(i) || (!impact.hit[i] && !impact.carried[i]);
        right[i] = idle[i] ? 0.0f : impact.wanted[i] - speed[i];
        least[i] = -pressure[i];
        softening[i] = P > 1 ? matrix[row_start(i) + i] * 1e-3f : 0.0f;
        if (!idle[i]) {
            error = std::max(error, pressure[i] > 0.0f ? std::abs(right[i]) : right[i]);
        }
    }
    const auto hold = [&] {
        rows.save(pair, work.motions);
        for_components(work, *rows.motion_a(), *rows.motion_b(), [&](std::uint32_t one) {
            if (work.at_once[one] != 0) {
                work.joints->solver.hold_velocities(one, work.all(), work.joints->settings);
            }
        });
    };
    apply_normal<Balls, float, P>(rows, pair, solve_bounded<float, P>(matrix, softening, right, least, idle, true),
                                  pressure);
    if (friction) {
        if (impact.jointed) { // what has been pushed flies as if it were alone until the joints have answered
            hold();
            pair = rows.pair(work.motions);
        }
        solve_friction<float, P>(rows, pair, pressure, false, 0.0f, zero3<float>(), 0.0f, NothingAhead());
    }
    hold();
    return error;
}

// Newton's law and friction can together put energy into bodies that friction turns and that rise by their turning (T.
// Kane and D. Levinson, "Dynamics", 1985). What impulses that act together do is half of each times the sum of the
// speeds at its place before and after; where the sum of a contact is a gain, it is asked to part more slowly, at the
// least not at all. True if so.
template <bool Balls, int P>
bool temper(const Rows<float, P>& rows, const ImpactWork& work, Impact& impact) {
    constexpr float ignored = 1e-3f; // of the energy that goes into the normal direction
    const Pair<float> pair = rows.pair(work.motions);
    const V3<float> n = rows.get(rows.block.normal), t1 = rows.get(rows.block.tangent_1), t2 = cross(n, t1);
    float gain = 0.0f, spent = 0.0f, pressure = 0.0f; // J, twice; N s
    for (int i = 0; i < count_of(rows); ++i) {
        const RowPoint& point = rows.point(i);
        const float normal = rows.get(point.normal_impulse);
        const Vec3 slip = to_glm(rows.get(point.tangent_impulse_1) * t1 + rows.get(point.tangent_impulse_2) * t2);
        const Vec3 after = to_glm(velocity_at(rows, pair, i)), along = to_glm(n);
        const float until_end = impact.acceleration * (impact.lead - impact.time[i]);
        const float in = glm::dot(along, impact.before[i]) - until_end, out = glm::dot(along, after) - until_end;
        gain += normal * (in + out) + glm::dot(slip, impact.before[i] + after);
        spent += normal * std::abs(in);
        if (impact.hit[i] && impact.wanted[i] > until_end) {
            pressure += normal;
        }
    }
    if (gain <= ignored * spent || pressure <= 0.0f) {
        return false;
    }
    for (int i = 0; i < count_of(rows); ++i) {
        const float until_end = impact.acceleration * (impact.lead - impact.time[i]);
        if (impact.hit[i]) {
            impact.wanted[i] = std::max(impact.wanted[i] - gain / pressure, std::min(impact.wanted[i], until_end));
        }
    }
    return true;
}

// Turns the body by the vector `turn`, radians, at most so far that it still stands for a short piece of a way, and
// leaves it its angular momentum. A beam that is hit at its end by something heavy would be asked for many turns; a
// momentum across it would come to lie along it, where a hundredth of the inertia makes a hundred times the energy of
// it.
inline void turn_by(BodyMotion& motion, BodyInertia& inertia, const BodyDynamics& dynamics, const Vec3& wanted) {
    constexpr float most = 0.1f;
    const float angle = glm::length(wanted);
    const Vec3 turn = angle > most ? (most / angle) * wanted : wanted;
    if (dynamics.principal == nullptr) {
        motion.delta_rotation = turned(motion.delta_rotation, turn, 1.0f);
        return;
    }
    const Vec3 momentum =
        rotated(dynamics.inertia_local, motion.delta_rotation * dynamics.start_orientation) * motion.angular_velocity;
    motion.delta_rotation = turned(motion.delta_rotation, turn, 1.0f);
    const float energy = glm::dot(momentum, motion.angular_velocity);
    inertia.inverse = inverse_inertia_now(motion, dynamics);
    motion.angular_velocity = inertia.inverse * momentum;
    // A path of free rotation would keep the energy as well; this one is a chord of it.
    constexpr float most_gain = 1.01f;
    if (glm::dot(momentum, motion.angular_velocity) > most_gain * energy) {
        const Quat now = motion.delta_rotation * dynamics.start_orientation;
        const float share = 1.0f / dynamics.load_scale; // the principal moments are its own
        motion.angular_velocity =
            spin_of_energy(*dynamics.principal, now, share * momentum, share * most_gain * energy);
    }
}

// Sets the poses back and the impulses aside right again.
template <bool Balls, int P>
void finish(const Rows<float, P>& rows, const ImpactWork& work, const Impact& impact) {
    RowBlock<P>& block = rows.block;
    V3<float> moment = zero3<float>(); // impulses times their times
    V3<float> moment_a = moment, moment_b = moment;
    const V3<float> n = rows.get(block.normal), t1 = rows.get(block.tangent_1), t2 = cross(n, t1);
    const std::size_t lane = rows.lane;
    for (int i = 0; i < count_of(rows); ++i) {
        RowPoint& point = rows.point(i);
        const float normal = point.normal_impulse.x[lane];
        const float along_1 = point.tangent_impulse_1.x[lane], along_2 = point.tangent_impulse_2.x[lane];
        const V3<float> impulse = impact.time[i] * (normal * n + along_1 * t1 + along_2 * t2);
        moment = moment + impulse;
        moment_a = moment_a + cross(rows.arm_a(i), impulse);
        moment_b = moment_b + cross(rows.arm_b(i), impulse);
        rows.set(rows.sums(i).impulse, rows.get(rows.sums(i).impulse) + impulse_of<Balls>(rows, i));
        // What was hit flies: the soft pass has nothing to start from.
        const bool flies = impact.hit[i];
        point.normal_impulse.x[lane] = flies ? 0.0f : impact.normal_impulse[i];
        point.tangent_impulse_1.x[lane] = flies ? 0.0f : impact.tangent_impulse_1[i];
        point.tangent_impulse_2.x[lane] = flies ? 0.0f : impact.tangent_impulse_2[i];
    }
    const float mass_a = rows.get(block.inverse_mass_a), mass_b = rows.get(block.inverse_mass_b);
    if (const std::uint32_t a = *rows.motion_a(); mass_a > 0.0f && !work.hangs(a)) {
        work.motions[a].delta_position += to_glm(mass_a * moment);
        turn_by(work.motions[a], work.inertias[a], work.dynamics[a],
                to_glm(rows.get(block.inverse_inertia_a) * moment_a));
    }
    if (const std::uint32_t b = *rows.motion_b(); mass_b > 0.0f && !work.hangs(b)) {
        work.motions[b].delta_position -= to_glm(mass_b * moment);
        turn_by(work.motions[b], work.inertias[b], work.dynamics[b],
                -to_glm(rows.get(block.inverse_inertia_b) * moment_b));
    }
    if (mass_a > 0.0f && mass_b > 0.0f) {
        set_arms<Balls>(rows, rows.ways(work.motions), work.inertias, true, {});
    }
}

// Calls visit(rows, balls) with the type of rows that the place has.
template <class Visit>
auto at(std::span<RowBlocks> parts, const RowPlace& place, Visit&& visit) {
    RowBlocks& blocks = parts[place.part];
    switch (place.kind) {
    case RowKind::balls:
        return visit(Rows<float, 1>{blocks.balls[place.block], place.lane, blocks}, std::true_type{});
    case RowKind::one:
        return visit(Rows<float, 1>{blocks.one[place.block], place.lane, blocks}, std::false_type{});
    case RowKind::two:
        return visit(Rows<float, 2>{blocks.two[place.block], place.lane, blocks}, std::false_type{});
    case RowKind::four:
        break;
    }
    return visit(Rows<float, 4>{blocks.four[place.block], place.lane, blocks}, std::false_type{});
}

} // namespace

} // namespace cairn::physics
