// Which contacts will be hit within a substep, and when. For impacts.cpp alone.
#pragma once

#include "physics/solver/impacts/impacts.h"
#include "physics/solver/rows/passes/row_math-inl.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

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
    std::span<const float> last; // s, by motion: its last blow within the substep; before that its path is not its own

    float since(std::uint32_t motion_a, std::uint32_t motion_b) const {
        return std::max(last[motion_a], last[motion_b]);
    }
};

namespace {

using namespace HWY_NAMESPACE; // single contacts, as lanes of one

// Blows to one body that come no further apart, as a share of the substep, count as simultaneous.
constexpr float simultaneous = 0.05f;

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

// When two balls meet that lie `between` apart and move with `velocity` against each other, s, and how fast they come
// nearer then, m/s. The line of their centres turns while they come nearer: by it alone, what is hit just before a
// substep ends came too late, and what goes past was hit.
struct Meeting {
    float time = 3e38f, closing = 0.0f; // never
};

inline Meeting meeting_of(const V3<float>& between, const V3<float>& velocity, float radii) {
    const float towards = -dot(between, velocity), speed2 = dot(velocity, velocity);
    const float distance = std::sqrt(dot(between, between));
    const float outside = (distance - radii) * (distance + radii);
    const float root = towards * towards - speed2 * outside;
    if (towards <= 0.0f || root <= 0.0f) {
        return {};
    }
    if (outside <= 0.0f) {
        return {0.0f, towards / distance};
    }
    return {outside / (towards + std::sqrt(root)), std::sqrt(root) / radii};
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

// Whether two balls will meet. `impact` is set only then; the speed that is wanted is found where they meet, by
// begin().
inline bool foresee_balls(const Rows<float, 1>& rows, const ImpactWork& work, Impact& impact) {
    const Pair<float> pair = rows.pair(work.motions);
    const V3<float> b_to_a = rows.get(rows.block.b_to_a), velocity = pair.vb - pair.va;
    const float radii = std::sqrt(dot(b_to_a, b_to_a)) - rows.get(rows.point(0).separation);
    const float since = work.since(*rows.motion_a(), *rows.motion_b()), h = work.settings.h;
    Meeting meeting = meeting_of(rows.ways(work.motions).between - b_to_a + since * velocity, velocity, radii);
    const bool far = h * h * dot(velocity, velocity) > far_for_balls * far_for_balls * radii * radii;
    if (!far && separations<true>(rows, rows.ways(work.motions))[0] + h * normal_speeds<true>(rows, pair)[0] < 0.0f) {
        meeting.time = std::min(meeting.time, h - since); // the soft pass would not wait for the next substep
    }
    if (meeting.closing <= work.settings.restitution_threshold || since + meeting.time > (1.0f + end_of_substep) * h) {
        return false;
    }
    const bool hangs = work.has_joints(*rows.motion_a()) || work.has_joints(*rows.motion_b());
    impact = Impact{};
    impact.acceleration = rows.get(rows.block.free_acceleration);
    if (work.reactions != nullptr) {
        impact.acceleration += normal_speeds<true>(rows, rows.pair(work.reactions))[0] / h;
    }
    impact.lead = hangs ? 0.5f * h : h;
    impact.hit[0] = true;
    impact.first = impact.time[0] = std::min(since + meeting.time, h);
    return true;
}

// Arms of a point on each body `time` after the start of the substep, m.
template <int P>
void arms_at(const Rows<float, P>& rows, const Ways<float>& ways, const Pair<float>& pair, int i, float time,
             V3<float>& arm_a, V3<float>& arm_b) {
    const auto arm_of = [&](const V3<float>& start, const Q4<float>& turn, const V3<float>& spin, float radius) {
        // From the point back to the centre of what is round, by the normal then and now.
        const V3<float> core = rotate(turn, start + radius * rows.start_normal());
        const V3<float> arm = core - radius * rows.get(rows.block.normal);
        return arm + time * cross(spin, core);
    };
    arm_a = arm_of(rows.start_arm_a(i), ways.turn_a, pair.wa, -rows.round_a(i));
    arm_b = arm_of(rows.start_arm_b(i), ways.turn_b, pair.wb, rows.round_b(i));
    if constexpr (P == 1) {
        if (rows.on_rim()) {
            roll_rim(rows, ways, {}, arm_a, arm_b);
        }
    }
}

// Whether two bodies that can both be pushed are beside each other when they reach the plane of the contact: a blow has
// put one of them out of its way.
template <int P>
bool go_past(const Rows<float, P>& rows, const ImpactWork& work, int i, float time) {
    if (!rows.free()) {
        return false;
    }
    const Ways<float> ways = rows.ways(work.motions);
    const Pair<float> pair = rows.pair(work.motions);
    V3<float> arm_a, arm_b;
    arms_at(rows, ways, pair, i, time, arm_a, arm_b);
    const V3<float> n = rows.get(rows.block.normal);
    const V3<float> apart = (ways.between + time * (pair.vb - pair.va)) - rows.get(rows.block.b_to_a) + (arm_b - arm_a);
    const V3<float> aside = apart - dot(apart, n) * n;
    return dot(aside, aside) > most_apart2(arm_a, arm_b);
}

// Whether any point of the contact will be hit. `impact` is set only then.
template <bool Balls, int P>
bool foresee(const Rows<float, P>& rows, const ImpactWork& work, Impact& impact) {
    if constexpr (Balls) {
        return foresee_balls(rows, work, impact);
    }
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
    const float since = work.since(*rows.motion_a(), *rows.motion_b());
    const auto reaches = [&](int i, float grace) {
        const float way = settings.h * ((impact.lead - 0.5f * settings.h) * a - speed[i]);
        return speed[i] < -settings.restitution_threshold && separation[i] <= way + grace * way;
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
            const float time = std::clamp(2.0f * gap / std::max(end - start, settings.restitution_threshold + 1e-6f),
                                          since, settings.h);
            if (go_past(rows, work, i, time)) {
                continue;
            }
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

} // namespace

} // namespace cairn::physics
