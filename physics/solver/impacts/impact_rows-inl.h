// The impact of one contact, as functions of its rows: foreseen, answered, tempered, finished. For impacts.cpp alone.
#pragma once

#include "physics/solver/impacts/impacts.h"
#include "physics/solver/integrate.h"
#include "physics/solver/rows/row_math-inl.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace cairn::physics {

// All that the functions below need.
struct ImpactWork {
    BodyMotion* motions = nullptr;
    const BodyDynamics* dynamics = nullptr;
    BodyInertia* inertias = nullptr;
    ContactSolverSettings settings;
    std::span<const BodyTraits> traits;    // by motion
    const BodyMotion* reactions = nullptr; // by motion, as in ImpactPass; none without joints
    const ImpactJoints* joints = nullptr;  // none without joints

    bool has_joints(std::uint32_t motion) const { return traits[motion].jointed; }
    std::uint32_t component_of(std::uint32_t motion) const {
        return joints != nullptr ? joints->solver.component_of(motion) : JointSolver::none;
    }
    // Whether its pose is set back with those that it hangs together with.
    bool hangs(std::uint32_t motion) const { return component_of(motion) != JointSolver::none; }
    std::span<BodyMotion> all() const { return {motions, traits.size()}; }
    std::span<const std::uint8_t> at_once; // by component: whether its joints answer each contact before the next looks
};

namespace {

using namespace HWY_NAMESPACE; // single contacts, as lanes of one

constexpr std::size_t place_block = 256;
// Passes over the contacts of a round: those that share no body need one, and friction one more; between joints, more.
constexpr int most_passes = 16, most_jointed_passes = 100;
constexpr float tolerance = 1e-4f, jointed_tolerance = 1e-3f; // m/s
// By how much the greatest error may grow until the contacts of a round give up, which the soft pass answers then. So
// it is with blows to links that joints hold together, where nothing gives way and each answers what the last one did.
constexpr float most_growth = 100.0f;
// Bodies of mechanisms that may be held within a plain substep, counted as often as they are, and as a share of that
// within a finer one; and for how many of one mechanism, times its contacts, its joints answer each contact at once.
// Beyond that they answer all contacts of a pass together, which comes nearer in every pass as well, and more slowly.
constexpr std::size_t most_held = 40000, most_held_at_once = 1000;

std::size_t most_held_in(const ContactSolverSettings& settings) {
    return static_cast<std::size_t>(static_cast<float>(most_held) * settings.plain_substeps);
}

// Blows to one body that come no further apart, as a share of the substep, count as simultaneous.
constexpr float simultaneous = 0.05f;

enum Found : std::uint8_t { nothing, now, later };

// Calls visit(component) for what the two bodies hang together with, each once.
template <class Visit>
void for_components(const ImpactWork& work, std::uint32_t motion_a, std::uint32_t motion_b, Visit&& visit) {
    const std::uint32_t a = work.component_of(motion_a), b = work.component_of(motion_b);
    if (a != JointSolver::none) {
        visit(a);
    }
    if (b != JointSolver::none && b != a) {
        visit(b);
    }
}

template <int P>
int count_of(const Rows<float, P>& rows) {
    return P == 4 ? static_cast<int>(rows.get(rows.block.count)) : P;
}

// What comes so much after the substep, as a share of it, counts to it. Rounding may put an impact at the very end
// behind it here, and before the next one where the poses have been reached: nobody would answer it, and the relaxing
// pass take all of its speed.
constexpr float end_of_substep = 1e-4f;

// When two balls meet that lie `between` apart and move with `velocity` against each other, s; `never` if they pass.
// The line of their centres turns while they come nearer: by it alone, what is hit just before a substep ends came too
// late.
float meeting_time(const V3<float>& between, const V3<float>& velocity, float radii, float never) {
    const float towards = -dot(between, velocity), speed2 = dot(velocity, velocity);
    const float distance = std::sqrt(dot(between, between));
    const float outside = (distance - radii) * (distance + radii);
    const float root = towards * towards - speed2 * outside;
    if (outside <= 0.0f || towards <= 0.0f || root < 0.0f) {
        return outside <= 0.0f ? 0.0f : never;
    }
    return outside / (towards + std::sqrt(root));
}

// Whether any point comes nearer faster than the threshold.
template <bool Balls, int P>
bool closes(const Rows<float, P>& rows, const ImpactWork& work) {
    const RowValues<float, P> speed = normal_speeds<Balls>(rows, rows.pair(work.motions));
    bool any = false;
    for (int i = 0; i < count_of(rows); ++i) {
        any = any || speed[i] < -work.settings.restitution_threshold;
    }
    return any;
}

// Whether any point of the contact will be hit. `impact` is set only then.
template <bool Balls, int P>
bool foresee(const Rows<float, P>& rows, const ImpactWork& work, Impact& impact) {
    const ContactSolverSettings& settings = work.settings;
    const float restitution = rows.get(rows.block.restitution);
    const RowValues<float, P> speed = normal_speeds<Balls>(rows, rows.pair(work.motions));
    const int count = count_of(rows);
    if (!closes<Balls>(rows, work)) {
        return false;
    }
    const RowValues<float, P> separation = separations<Balls>(rows, rows.ways(work.motions));
    float first = settings.h, last = -1.0f; // times of hits
    impact = Impact{};
    const bool hangs = work.has_joints(*rows.motion_a()) || work.has_joints(*rows.motion_b());
    float a = rows.get(rows.block.free_acceleration);
    if (work.reactions != nullptr) { // at the first point, of a body that hardly turns within a substep
        a += normal_speeds<Balls>(rows, rows.pair(work.reactions))[0] / settings.h;
    }
    impact.acceleration = a;
    impact.lead = hangs ? 0.5f * settings.h : settings.h;
    float meeting = 2.0f * settings.h; // of balls, s
    if constexpr (Balls) {
        const Pair<float> pair = rows.pair(work.motions);
        const V3<float> b_to_a = rows.get(rows.block.b_to_a);
        const float radii = std::sqrt(dot(b_to_a, b_to_a)) - rows.get(rows.point(0).separation);
        meeting = meeting_time(rows.ways(work.motions).between - b_to_a, pair.vb - pair.va, radii, 2.0f * settings.h);
    }
    const auto reaches = [&](int i, float grace) {
        const float way = settings.h * ((impact.lead - 0.5f * settings.h) * a - speed[i]);
        return speed[i] < -settings.restitution_threshold &&
               (separation[i] <= way + grace * way || meeting <= settings.h + grace * settings.h);
    };
    bool any_hit = false;
    for (int i = 0; i < count; ++i) {
        any_hit = any_hit || reaches(i, end_of_substep);
    }
    // A face that lands flat lands with all of its corners, on whichever side of the substep's end they come.
    for (int i = 0; any_hit && i < count; ++i) {
        if (reaches(i, simultaneous)) {
            const float gap = std::max(separation[i], 0.0f);
            const float start = speed[i] - impact.lead * a;
            const float end = std::sqrt(std::max(start * start - 2.0f * a * gap, 0.0f));
            // The way is the time times the mean of both speeds.
            const float time =
                std::min(meeting < 2.0f * settings.h
                             ? meeting
                             : 2.0f * gap / std::max(end - start, settings.restitution_threshold + 1e-6f),
                         settings.h);
            impact.hit[i] = true;
            impact.time[i] = time;
            impact.wanted[i] = restitution * end + a * (impact.lead - time);
            first = std::min(first, time);
            last = std::max(last, time);
        }
    }
    if (last < 0.0f) {
        return false;
    }
    impact.first = first;
    for (int i = 0; i < count; ++i) {
        if (!impact.hit[i]) {
            impact.carried[i] = rows.get(rows.point(i).normal_impulse) > 0.0f;
            impact.time[i] = last;
        }
    }
    return true;
}

Vec3 to_glm(const V3<float>& v) {
    return {v.x, v.y, v.z};
}

// How fast the point of B moves against that of A, m/s.
template <class F, int P>
V3<F> velocity_at(const Rows<F, P>& rows, const Pair<F>& pair, int i) {
    return (pair.vb + cross(pair.wb, rows.arm_b(i))) - (pair.va + cross(pair.wa, rows.arm_a(i)));
}

float exchanged(LaneFloats& in, std::size_t lane, float value) {
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
    const V3<float> n = rows.get(rows.block.normal);
    const V3<float> round_a = -rows.get(rows.block.round_a) * n, round_b = rows.get(rows.block.round_b) * n;
    const int count = count_of(rows);
    for (int i = 0; i < count; ++i) {
        RowPoint& point = rows.point(i);
        const V3<float> slipped = ways.between + impact.time[i] * (pair.vb - pair.va);
        if constexpr (Balls) {
            point_at(rows, slipped - rows.get(rows.block.b_to_a), true);
        } else if (free) {
            V3<float> arm_a = turned_arm(rows.start_arm_a(i), round_a, ways.turn_a);
            V3<float> arm_b = turned_arm(rows.start_arm_b(i), round_b, ways.turn_b);
            arm_a = arm_a + impact.time[i] * cross(pair.wa, arm_a + round_a);
            arm_b = arm_b + impact.time[i] * cross(pair.wb, arm_b + round_b);
            if constexpr (P == 1) {
                if (rows.on_rim()) {
                    roll_rim(rows, ways, {}, arm_a, arm_b);
                }
            }
            meet(rows, arm_a, arm_b, slipped);
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
            if (work.dynamics[motion].principal != nullptr) {
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
            work.joints->solver.try_velocities(one, work.joints->rows, work.all(), work.joints->settings);
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

// One pass over the rows of the impact: all normal rows together, then friction, which answers to the blow as well.
// Returns the greatest speed in m/s by which a row was still wrong before it.
template <bool Balls, int P>
float answer(const Rows<float, P>& rows, const ImpactWork& work, const Impact& impact) {
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
    apply_normal<Balls, float, P>(rows, pair, solve_bounded<float, P>(matrix, softening, right, least, idle, true),
                                  pressure);
    solve_friction<float, P>(rows, pair, pressure, 0.0f, zero3<float>(), NothingAhead());
    rows.save(pair, work.motions);
    for_components(work, *rows.motion_a(), *rows.motion_b(), [&](std::uint32_t one) {
        if (work.at_once[one] != 0) {
            work.joints->solver.hold_velocities(one, work.joints->rows, work.all(), work.joints->settings);
        }
    });
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
void turn_by(BodyMotion& motion, BodyInertia& inertia, const BodyDynamics& dynamics, const Vec3& wanted) {
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
    const float after = glm::dot(momentum, motion.angular_velocity);
    if (after > most_gain * energy) {
        motion.angular_velocity *= std::sqrt(most_gain * std::max(energy, 0.0f) / after);
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
        block.sums[rows.index(i)].normal.x[lane] += normal;
        block.sums[rows.index(i)].tangent_1.x[lane] += along_1;
        block.sums[rows.index(i)].tangent_2.x[lane] += along_2;
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
