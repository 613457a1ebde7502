// Contacts as rows: non-penetration, friction and rolling resistance, for lanes.
#if defined(CAIRN_SOLVER_ROW_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_SOLVER_ROW_MATH_INL
#undef CAIRN_SOLVER_ROW_MATH_INL
#else
#define CAIRN_SOLVER_ROW_MATH_INL
#endif

#include "physics/narrowphase/carry/preload.h"
#include "physics/solver/motion/integrate.h"
#include "physics/solver/rows/arms/separations-inl.h"
#include "physics/solver/rows/passes/friction_rows-inl.h"

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

// Added to the diagonal of the normal rows, as a fraction of it, where they are not soft: with four points there are
// more rows than ways to move, and the impulses of all solutions that are then left stay near to what they were.
inline constexpr float block_regularisation = 0.1f;

// The same of contacts whose bodies lose the inertia of their loads: the impulses that carried those may throw them
// apart, and a tenth of that speed would be left.
inline constexpr float released_regularisation = 0.01f;

// Lanes whose contact bears nothing. Those that hold no contact are among them; what can roll is not, since it is
// seldom without impulses.
template <class F, int P>
HWY_INLINE Mask<F> bearing_nothing(const Rows<F, P>& rows) {
    const F none = zero<F>();
    Mask<F> out = Make<F>::mask(true);
    for (int i = 0; i < P; ++i) {
        const RowPoint& point = rows.point(i);
        out = both(out, both(rows.get(point.normal_impulse) == none, both(rows.get(point.tangent_impulse_1) == none,
                                                                          rows.get(point.tangent_impulse_2) == none)));
    }
    return rows.rolling() ? first_without(out, rows.get(rows.rolling_rows().arm) > none) : out;
}

// What an impulse of nothing adds to a velocity of nothing may be of either sign, and that must not show which lanes
// stand beside each other, of which all or none are left out.
template <class F, int P>
HWY_NOINLINE void leave_bodies(const Rows<F, P>& rows, Pair<F>& pair, const Mask<F>& lanes, const BodyMotion* motions) {
    const Pair<F> before = rows.pair(motions);
    pair.va = select(lanes, before.va, pair.va);
    pair.wa = select(lanes, before.wa, pair.wa);
    pair.vb = select(lanes, before.vb, pair.vb);
    pair.wb = select(lanes, before.wb, pair.wb);
}

// Applies the accumulated impulses.
template <class F, int P, class Ahead>
HWY_INLINE void warm_start(const Rows<F, P>& rows, BodyMotion* motions, Ahead&& ahead) {
    const RowBlock<P>& block = rows.block;
    const Mask<F> unloaded = bearing_nothing(rows);
    if (!any(neither(unloaded))) {
        return;
    }
    Pair<F> pair = rows.pair(motions);
    const V3<F> n = rows.get(block.normal), t1 = rows.get(block.tangent_1), t2 = cross(n, t1);
    V3<F> impulse = zero3<F>(), moment_a = zero3<F>(), moment_b = zero3<F>();
    for (int i = 0; i < P; ++i) {
        const RowPoint& point = rows.point(i);
        const V3<F> one = rows.get(point.normal_impulse) * n + rows.get(point.tangent_impulse_1) * t1 +
                          rows.get(point.tangent_impulse_2) * t2;
        ahead.next();
        impulse = impulse + one;
        moment_a = moment_a + cross(rows.arm_a(i), one);
        moment_b = moment_b + cross(rows.arm_b(i), one);
    }
    if (rows.rolling()) {
        const RollingRows& rolling = rows.rolling_rows();
        const Mask<F> rolls = rows.get(rolling.arm) > zero<F>(); // as in solve_rolling
        moment_a = select(rolls, moment_a + rows.get(rolling.impulse), moment_a);
        moment_b = select(rolls, moment_b + rows.get(rolling.impulse), moment_b);
    }
    ahead.next();
    pair.va = pair.va - rows.get(block.inverse_mass_a) * impulse;
    pair.wa = pair.wa - rows.get(block.inverse_inertia_a) * moment_a;
    ahead.next();
    pair.vb = pair.vb + rows.get(block.inverse_mass_b) * impulse;
    pair.wb = pair.wb + rows.get(block.inverse_inertia_b) * moment_b;
    if (any(unloaded)) {
        leave_bodies(rows, pair, unloaded, motions);
    }
    rows.save(pair, motions);
}

// Pushes the bodies apart by normal impulses at the points, N s.
template <bool Balls, class F, int P>
HWY_INLINE void push_apart(const Rows<F, P>& rows, Pair<F>& pair, const RowValues<F, P>& impulse) {
    F sum = zero<F>();
    V3<F> lever_a = zero3<F>(), lever_b = zero3<F>(); // sums of impulse times arm
    for (int i = 0; i < P; ++i) {
        sum = sum + impulse[i];
        if constexpr (!Balls) {
            lever_a = lever_a + impulse[i] * rows.arm_a(i);
            lever_b = lever_b + impulse[i] * rows.arm_b(i);
        }
    }
    const V3<F> n = rows.get(rows.block.normal);
    pair.va = pair.va - (rows.get(rows.block.inverse_mass_a) * sum) * n;
    pair.vb = pair.vb + (rows.get(rows.block.inverse_mass_b) * sum) * n;
    if constexpr (!Balls) {
        pair.wa = pair.wa - rows.get(rows.block.inverse_inertia_a) * cross(lever_a, n);
        pair.wb = pair.wb + rows.get(rows.block.inverse_inertia_b) * cross(lever_b, n);
    }
}

// Changes of the normal impulses, all at once; `pressure` becomes what they are then.
template <bool Balls, class F, int P>
HWY_INLINE void apply_normal(const Rows<F, P>& rows, Pair<F>& pair, const RowValues<F, P>& change,
                             RowValues<F, P>& pressure) {
    for (int i = 0; i < P; ++i) {
        pressure[i] = pressure[i] + change[i];
        rows.set(rows.point(i).normal_impulse, pressure[i]);
    }
    push_apart<Balls, F, P>(rows, pair, change);
}

template <bool Balls, class F, int P>
HWY_INLINE RowValues<F, P> normal_speeds(const Rows<F, P>& rows, const Pair<F>& pair) {
    const V3<F> n = rows.get(rows.block.normal);
    const F straight = dot(n, pair.vb - pair.va);
    if constexpr (Balls) {
        return {straight};
    }
    // n . (w x r) = r . (n x w)
    const V3<F> about_a = cross(n, pair.wa), about_b = cross(n, pair.wb);
    RowValues<F, P> out;
    for (int i = 0; i < P; ++i) {
        out[i] = straight + (dot(rows.arm_b(i), about_b) - dot(rows.arm_a(i), about_a));
    }
    return out;
}

// With `UseBias`, penetration is pushed out softly; without, the pass relaxes the velocity that the push has added
// (Catto, "Solver2D", 2024). `pressure` holds the normal impulses, before and after. Lanes of `unloaded` bear nothing;
// what is left of these afterwards does not begin to.
template <bool UseBias, bool Balls, class F, int P, class Ahead>
HWY_INLINE void solve_normals(const Rows<F, P>& rows, Pair<F>& pair, const RowValues<F, P>& separation,
                              const V3<F>& chord, RowValues<F, P>& pressure, Mask<F>& unloaded,
                              const ContactSolverSettings& settings, const Ways<F>& ways, Ahead&& ahead) {
    const RowBlock<P>& block = rows.block;
    const F none = zero<F>();
    RowValues<F, P> speed = normal_speeds<Balls>(rows, pair);
    const F turned = dot(rows.get(block.normal), chord);
    for (int i = 0; i < P; ++i) {
        speed[i] = speed[i] + turned;
    }
    const F per_substep = constant<F>(1.0f / settings.h);
    RowValues<F, P> right, least, softening;
    RowFlags<F, P> idle;
    Mask<F> alike = Make<F>::mask(true); // all points are soft, or all are relaxed
    for (int i = 0; i < P; ++i) {
        const RowPoint& point = rows.point(i);
        const F k = rows.get(block.compliance[static_cast<std::size_t>(row_start(i) + i)]);
        least[i] = none - pressure[i];
        ahead.next();
        const F preload = rows.get(point.preload);
        // May be closed within this substep, not more. A preloaded spring reaches beyond the surface.
        const Mask<F> gap = separation[i] > max_of(preload, none);
        const F over_gap = none - (speed[i] + separation[i] * per_substep);
        const F share = UseBias ? rows.get(block.regularisation) : constant<F>(block_regularisation);
        const F hard = P > 1 ? k * share : none;
        Mask<F> rigid = gap;
        if constexpr (UseBias) {
            idle[i] = Make<F>::mask(false);
            const F soft = k * rows.get(block.softening);
            // The limit is on the speed at which the bodies part, not on the load that the spring carries.
            const F bias = constant<F>(settings.bias_rate) * (separation[i] - preload);
            const F asked = none - (bias + soft * pressure[i]);
            const F to_lift = constant<F>(settings.bias_rate) * (constant<F>(greatest_lift) - separation[i]);
            const F most = min_of(to_lift, constant<F>(settings.max_push_speed));
            rigid = either(gap, either(asked > most, speed[i] > most));
            softening[i] = select(rigid, hard, soft);
            right[i] = select(gap, over_gap, min_of(asked, most) - speed[i]);
            if constexpr (Balls) {
                right[i] = select(fly_past(rows, pair, ways, settings.h), min_of(right[i], none), right[i]);
            }
        } else {
            // Relaxing leaves alone what the substep did not reach: that is for the next one, which must see the whole
            // speed of an impact.
            idle[i] = both(gap, pressure[i] == none);
            if (block.impacts) { // nor what has only just been reached: it would never bounce
                const F closing = none - speed[i];
                const Mask<F> met = both(closing > constant<F>(settings.restitution_threshold),
                                         constant<F>(2.0f) * k * pressure[i] < closing);
                const Mask<F> left = both(rows.get(block.restitution) > none, met);
                idle[i] = either(idle[i], left);
                alike = first_without(alike, left);
            }
            softening[i] = hard;
            const F most = constant<F>(settings.most_beyond);
            const F beyond = max_of(min_of(constant<F>(normal_relaxation - 1.0f) * speed[i], most), none - most);
            right[i] = select(gap, over_gap, none - (speed[i] + beyond));
            if constexpr (P == 2) {
                if (rows.on_cone()) { // not over-relaxed: it is no error
                    const F ahead_of = dot(rows.get(block.normal), slip_ahead(rows, i, pair, 0.5f * settings.h));
                    right[i] = select(first_without(rows.cone_lanes(), gap), right[i] - ahead_of, right[i]);
                }
            }
        }
        if (!Balls && rows.turned()) { // with arms as at the start of the step nothing has come far
            right[i] = select(beside(rows, ways, i), min_of(right[i], none), right[i]);
        }
        if (P == 4 && i == 3) {
            const Mask<F> live = rows.live(i);
            alike = first_without(alike, both(rigid, live));
            idle[i] = either(idle[i], neither(live));
            right[i] = select(live, right[i], none);
        } else {
            alike = first_without(alike, rigid);
        }
    }
    // Rows that bear nothing and ask for nothing: no impulses are the solution.
    Mask<F> asks = Make<F>::mask(false);
    for (int i = 0; i < P; ++i) {
        asks = either(asks, first_without(right[i] > none, idle[i]));
    }
    unloaded =
        first_without(unloaded, both(asks, rows.get(block.inverse_mass_a) + rows.get(block.inverse_mass_b) > none));
    if (!any(neither(unloaded))) {
        return;
    }
    ahead.next();
    RowValues<F, P> change;
    if constexpr (P == 1) {
        const F k = rows.get(block.compliance[0]) + softening[0];
        change[0] = select(first_without(k > none, idle[0]), max_of(right[0] / k, least[0]), none);
    } else {
        RowMatrix<F, P> matrix = rows.matrix(block.compliance);
        const F relative = UseBias ? rows.get(block.softening) : constant<F>(block_regularisation);
        for (int i = 0; i < P; ++i) {
            matrix[row_start(i) + i] = matrix[row_start(i) + i] + matrix[row_start(i) + i] * relative;
        }
        change = solve<F, P>(factorise<F, P>(matrix), right);
        Mask<F> within = alike;
        for (int i = 0; i < P; ++i) {
            within = both(within, change[i] >= least[i]);
        }
        const Mask<F> outside = neither(within);
        if (any(outside)) {
            const RowValues<F, P> bounded =
                solve_bounded<F, P>(rows.matrix(block.compliance), softening, right, least, idle, outside);
            for (int i = 0; i < P; ++i) {
                change[i] = select(outside, bounded[i], change[i]);
            }
        }
    }
    ahead.next();
    for (int i = 0; any(unloaded) && i < P; ++i) {
        change[i] = select(unloaded, none, change[i]);
    }
    apply_normal<Balls, F, P>(rows, pair, change, pressure);
}

template <class F, int P>
HWY_INLINE RowValues<F, P> pressures(const Rows<F, P>& rows) {
    RowValues<F, P> out;
    for (int i = 0; i < P; ++i) {
        out[i] = rows.get(rows.point(i).normal_impulse);
    }
    return out;
}

// One pass of sequential impulses. True if any of the lanes bear something.
template <bool UseBias, bool Balls, class F, int P, class Ahead>
HWY_INLINE bool solve_rows(const Rows<F, P>& rows, BodyMotion* motions, const Ways<F>& ways,
                           const ContactSolverSettings& settings, Ahead&& ahead) {
    Pair<F> pair = rows.pair(motions);
    RowValues<F, P> pressure = pressures(rows);
    Mask<F> unloaded = bearing_nothing(rows);
    ahead.next();
    const V3<F> chord = chord_slip(rows, pair, ways, (UseBias ? 0.5f : -0.5f) * settings.h);
    solve_normals<UseBias, Balls, F, P>(rows, pair, separations<Balls>(rows, ways), chord, pressure, unloaded, settings,
                                        ways, ahead);
    if (!any(neither(unloaded))) {
        return false;
    }
    // Friction last, because its limit must come from the normal impulse that stays: in the relaxing pass the normal
    // rows undo what the soft rows gave way, and a limit taken before that would be too small (by an eighth on a plain
    // slope).
    if (rows.rolling()) {
        solve_rolling<F, P>(rows, pair, pressure);
    }
    solve_friction<F, P>(rows, pair, pressure, unloaded, UseBias ? 0.0f : settings.most_beyond, chord,
                         UseBias ? 0.0f : 0.5f * settings.h, ahead);
    if (any(unloaded)) {
        leave_bodies(rows, pair, unloaded, motions);
    }
    rows.save(pair, motions);
    return true;
}

// The impulse of a point in the axes of its block's sums: where its normal turns, of the start of the step.
template <bool Balls, class F, int P>
HWY_INLINE V3<F> impulse_of(const Rows<F, P>& rows, int i) {
    const RowPoint& point = rows.point(i);
    const V3<F> own{rows.get(point.normal_impulse), rows.get(point.tangent_impulse_1),
                    rows.get(point.tangent_impulse_2)};
    if (!Balls && !rows.on_curve()) {
        return own;
    }
    const V3<F> n = rows.get(rows.block.normal), t1 = rows.get(rows.block.tangent_1);
    const V3<F> world = own.x * n + (own.y * t1 + own.z * cross(n, t1));
    if constexpr (Balls) {
        return world;
    }
    const V3<F> start = rows.start_normal(), start_1 = rows.get(rows.curved_rows().tangent_1);
    const V3<F> at_start{dot(world, start), dot(world, start_1), dot(world, cross(start, start_1))};
    return select(rows.get(rows.curved_rows().turns) > constant<F>(0.5f), at_start, own);
}

// Adds the substep's impulses to the step's sums.
template <bool Balls, class F, int P>
HWY_INLINE void accumulate(const Rows<F, P>& rows) {
    for (int i = 0; i < P; ++i) {
        RowSums& sums = rows.sums(i);
        rows.set(sums.impulse, rows.get(sums.impulse) + impulse_of<Balls>(rows, i));
    }
}

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
