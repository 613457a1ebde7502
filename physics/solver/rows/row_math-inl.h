// Contacts as rows: non-penetration, friction and rolling resistance, for lanes.
#if defined(CAIRN_SOLVER_ROW_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_SOLVER_ROW_MATH_INL
#undef CAIRN_SOLVER_ROW_MATH_INL
#else
#define CAIRN_SOLVER_ROW_MATH_INL
#endif

#include "physics/narrowphase/carry/preload.h"
#include "physics/solver/motion/integrate.h"
#include "physics/solver/rows/row_arms-inl.h"

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

// Added to the diagonal of the normal rows, as a fraction of it, where they are not soft: with four points there are
// more rows than ways to move, and the impulses of all solutions that are then left stay near to what they were.
inline constexpr float block_regularisation = 0.1f;

// The same of contacts whose bodies lose the inertia of their loads: the impulses that carried those may throw them
// apart, and a tenth of that speed would be left.
inline constexpr float released_regularisation = 0.01f;

// Over-relaxation of the pass that relaxes, 1..2: it aims at velocities beyond none, of the other sign. What is long,
// like the lean of a pile, it takes away several times as fast, and that carries stiffer springs (docs/how/solver.md).
inline constexpr float normal_relaxation = 1.8f, friction_relaxation = 1.5f;

// What passes call while they work on a block, for what will be read after it to be asked for bit by bit: requests all
// at once are more than the processor keeps, and the work waits for them. This one asks for nothing.
struct NothingAhead {
    HWY_INLINE void next() const {} // some of it
    HWY_INLINE void rest() const {} // all that is left
};

// Applies the accumulated impulses.
template <class F, int P, class Ahead>
HWY_INLINE void warm_start(const Rows<F, P>& rows, Pair<F>& pair, Ahead&& ahead) {
    const RowBlock<P>& block = rows.block;
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
}

template <class F>
HWY_INLINE F shared_part(F a, F b) { // the smaller of two of one sign, or 0
    const F none = zero<F>();
    return max_of(min_of(a, b), none) + min_of(max_of(a, b), none);
}

// What two vectors share along each of three axes at right angles.
template <class F>
HWY_INLINE V3<F> shared_part(const V3<F>& a, const V3<F>& b, const V3<F>& n, const V3<F>& t1, const V3<F>& t2) {
    return shared_part(dot(a, n), dot(b, n)) * n +
           (shared_part(dot(a, t1), dot(b, t1)) * t1 + shared_part(dot(a, t2), dot(b, t2)) * t2);
}

// What two bodies that turn together part by within a substep though their points keep together, m/s, of B less A:
// these move along chords of their circles, and velocities along tangents. Without it all that rides on a turntable
// creeps outward by (w h)^2 / 2 of its radius in every substep. With the rate w that both share and d from A's arm to
// B's, turned by f to the middle of the chord, it is w x ((1 - (w h)^2 / 24) R(f) d - d). `ahead` is half of the
// substep to come or, negative, of the one just made, which the relaxing pass must leave as it was. Arms that are still
// those of the start of the step have turned since. What rolls or spins on what does not has none: there the points
// change that touch. Nor have balls that spin by more than half a radian in half a substep, for which the series does
// not hold.
template <class F, int P>
HWY_INLINE V3<F> chord_slip(const Rows<F, P>& rows, const Pair<F>& pair, const Ways<F>& ways, float ahead) {
    constexpr float hardly = 2e-3f; // rad/s, by which nothing creeps in an hour
    constexpr float hardly2 = hardly * hardly;
    if (!any(both(dot(pair.wa, pair.wa) > constant<F>(hardly2), dot(pair.wb, pair.wb) > constant<F>(hardly2)))) {
        return zero3<F>(); // mostly: what both share is no more than either has
    }
    const V3<F> n = rows.get(rows.block.normal), t1 = rows.get(rows.block.tangent_1), t2 = cross(n, t1);
    const V3<F> rate = shared_part(pair.wa, pair.wb, n, t1, t2);
    const F rate2 = dot(rate, rate);
    const Mask<F> turning = both(rate2 > constant<F>(hardly2), constant<F>(0.25f) > constant<F>(ahead * ahead) * rate2);
    const Q4<F>&a = ways.turn_a, &b = ways.turn_b; // of half the angle
    const V3<F> since = shared_part({a.x, a.y, a.z}, {b.x, b.y, b.z}, n, t1, t2);
    const V3<F> half = constant<F>(ahead) * rate;
    const V3<F> turn = half + select(arms_turn(rows, ways), zero<F>(), constant<F>(2.0f)) * since;
    const V3<F> d = rows.arm_b(0) - rows.arm_a(0); // of every point, since both arms end in one place
    const V3<F> moved = cross(turn, d);
    const F shortened = constant<F>(1.0f / 6.0f) * dot(half, half);
    return select(turning, cross(rate, (moved + constant<F>(0.5f) * cross(turn, moved)) - shortened * d), zero3<F>());
}

// Keeps the impulse of each point within Coulomb's cone: its length at most friction times the normal impulse, in any
// direction. All points take their share of one answer at their centre of pressure:
//
// The points of a contact lie in one plane, so that their slips follow from three numbers: the slip at the centre and
// the twist about the normal. Let point i take the share w_i of an impulse, w_i being (nearly) its share of the
// pressure. By the impulses that all points ask for, their slips then change as the matrix B W B^T diag(w), W being the
// response of the three to impulses of their kind; with the centre of pressure as centre, B^T diag(w) B = diag(1, 1,
// r^2), r^2 being the mean square distance. So one over the greatest eigenvalue is a step that converges from the same
// velocities for all points; over-relaxed it is less than twice that. Points solved in turn give a box that slides
// straight a yaw by their order.
template <class F, int P, class Ahead>
HWY_INLINE void solve_friction(const Rows<F, P>& rows, Pair<F>& pair, const RowValues<F, P>& pressure,
                               float most_beyond, const V3<F>& chord, Ahead&& ahead) {
    RowBlock<P>& block = rows.block;
    const F none = zero<F>(), one = constant<F>(1.0f);
    const V3<F> n = rows.get(block.normal), t1 = rows.get(block.tangent_1), t2 = cross(n, t1);
    const S3<F> inertia_a = rows.get(block.inverse_inertia_a), inertia_b = rows.get(block.inverse_inertia_b);
    const F mass_a = rows.get(block.inverse_mass_a), mass_b = rows.get(block.inverse_mass_b);

    RowValues<F, P> share;
    V3<F> a, b; // m, to the centre of pressure
    if constexpr (P == 1) {
        share[0] = one;
        a = rows.arm_a(0);
        b = rows.arm_b(0);
    } else {
        // A little for points that bear nothing yet, which else would answer a pass late.
        constexpr float even_share = 0.1f;
        constexpr float least_pressure = 1e-30f; // N s
        F total = none;
        for (int i = 0; i < P; ++i) {
            total = total + pressure[i];
        }
        const F even = one / rows.get(block.count);
        // Not what is hardly there: one over it would be more than floats hold, and times nothing not a number.
        const Mask<F> pressed = total > constant<F>(least_pressure);
        const F scale = select(pressed, constant<F>(1.0f - even_share) / total, none);
        const F least = select(pressed, constant<F>(even_share) * even, even);
        a = b = zero3<F>();
        for (int i = 0; i < P; ++i) {
            share[i] = scale * pressure[i] + least;
            if (P == 4 && i == 3) {
                share[i] = select(rows.live(i), share[i], none);
            }
            ahead.next();
            a = a + share[i] * rows.arm_a(i);
            b = b + share[i] * rows.arm_b(i);
        }
    }
    ahead.next();
    const V3<F> turn_a1 = inertia_a * cross(a, t1), turn_a2 = inertia_a * cross(a, t2);
    const V3<F> turn_b1 = inertia_b * cross(b, t1), turn_b2 = inertia_b * cross(b, t2);
    const F k11 = (mass_a + mass_b) + (dot(cross(a, t1), turn_a1) + dot(cross(b, t1), turn_b1));
    const F k12 = dot(cross(a, t1), turn_a2) + dot(cross(b, t1), turn_b2);
    const F k22 = (mass_a + mass_b) + (dot(cross(a, t2), turn_a2) + dot(cross(b, t2), turn_b2));
    const F half_difference = constant<F>(0.5f) * (k11 - k22);
    F greatest = constant<F>(0.5f) * (k11 + k22) + sqrt_of(half_difference * half_difference + k12 * k12);
    RowValues<F, P> offset_1, offset_2; // m, of the points from the centre along the tangents
    if constexpr (P > 1) {
        const Mask<F> by_b = mass_b > none;
        F spread = none;
        for (int i = 0; i < P; ++i) {
            // Where both bodies move, their arms end in one place; else those of the one that moves count.
            const V3<F> offset = select(by_b, rows.arm_b(i) - b, rows.arm_a(i) - a);
            offset_1[i] = dot(offset, t1);
            offset_2[i] = dot(offset, t2);
            ahead.next();
            spread = spread + share[i] * (offset_1[i] * offset_1[i] + offset_2[i] * offset_2[i]);
        }
        const F k33 = dot(n, (inertia_a + inertia_b) * n);
        const F k13 = dot(n, turn_a1 + turn_b1), k23 = dot(n, turn_a2 + turn_b2);
        // The greatest eigenvalue of the slip's block, the twist and what couples them is at most that of their norms.
        const F twist = spread * k33;
        const F half = constant<F>(0.5f) * (greatest - twist);
        greatest = constant<F>(0.5f) * (greatest + twist) + sqrt_of(half * half + spread * (k13 * k13 + k23 * k23));
    } else {
        offset_1[0] = offset_2[0] = none;
    }
    const V3<F> velocity = (pair.vb + cross(pair.wb, b)) - (pair.va + cross(pair.wa, a));
    const V3<F> slip = velocity + chord;
    const F v1 = dot(slip, t1), v2 = dot(slip, t2);
    const F most2 = constant<F>(most_beyond * most_beyond), sum2 = most2 + (v1 * v1 + v2 * v2);
    const F beyond = select(sum2 > none, constant<F>(friction_relaxation - 1.0f) * most2 / sum2, none);
    const F mass = select(greatest > none, (one + beyond) / greatest, none);
    const F friction = rows.get(block.friction);
    F spin = none;
    if constexpr (P > 1) {
        spin = dot(pair.wb - pair.wa, n);
    }
    F sum_1 = none, sum_2 = none, twist = none;
    for (int i = 0; i < P; ++i) {
        RowPoint& point = rows.point(i);
        const F old_1 = rows.get(point.tangent_impulse_1), old_2 = rows.get(point.tangent_impulse_2);
        const F part = share[i] * mass;
        ahead.next();
        F next_1 = old_1 - part * (v1 - spin * offset_2[i]);
        F next_2 = old_2 - part * (v2 + spin * offset_1[i]);
        const F limit = friction * pressure[i];
        const F length2 = next_1 * next_1 + next_2 * next_2;
        const F scale = select(length2 > limit * limit, limit / sqrt_of(length2), one);
        next_1 = scale * next_1;
        next_2 = scale * next_2;
        rows.set(point.tangent_impulse_1, next_1);
        rows.set(point.tangent_impulse_2, next_2);
        sum_1 = sum_1 + (next_1 - old_1);
        sum_2 = sum_2 + (next_2 - old_2);
        if constexpr (P > 1) {
            twist = twist + (offset_1[i] * (next_2 - old_2) - offset_2[i] * (next_1 - old_1));
        }
    }
    ahead.next();
    const V3<F> impulse = sum_1 * t1 + sum_2 * t2;
    V3<F> turn_a = sum_1 * turn_a1 + sum_2 * turn_a2, turn_b = sum_1 * turn_b1 + sum_2 * turn_b2;
    if constexpr (P > 1) {
        const V3<F> couple = twist * n;
        turn_a = turn_a + inertia_a * couple;
        turn_b = turn_b + inertia_b * couple;
    }
    pair.va = pair.va - mass_a * impulse;
    pair.wa = pair.wa - turn_a;
    pair.vb = pair.vb + mass_b * impulse;
    pair.wb = pair.wb + turn_b;
}

// A torque against the relative rotation, at most rolling_arm times the normal impulse.
template <class F, int P>
HWY_INLINE void solve_rolling(const Rows<F, P>& rows, Pair<F>& pair, const RowValues<F, P>& pressure) {
    RowBlock<P>& block = rows.block;
    RollingRows& rolling = rows.rolling_rows();
    F total = zero<F>();
    for (int i = 0; i < P; ++i) {
        total = total + pressure[i];
    }
    const V3<F> old = rows.get(rolling.impulse);
    V3<F> next = old - rows.get(rolling.mass) * (pair.wb - pair.wa);
    const F limit = rows.get(rolling.arm) * total;
    const F length2 = dot(next, next);
    next = select(length2 > limit * limit, limit / sqrt_of(length2), constant<F>(1.0f)) * next;
    rows.set(rolling.impulse, next);
    const V3<F> impulse = next - old;
    // Selected, since the sign of a zero must not tell which lanes stand beside each other.
    const Mask<F> rolls = rows.get(rolling.arm) > zero<F>();
    pair.wa = select(rolls, pair.wa - rows.get(block.inverse_inertia_a) * impulse, pair.wa);
    pair.wb = select(rolls, pair.wb + rows.get(block.inverse_inertia_b) * impulse, pair.wb);
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

// Separations at the poses that the bodies have reached. Only the components of the turned arms along the normal count:
// those of the arms along the normal turned back. What is added to the separation at the start is small where bodies
// have moved little, and so are its errors.
template <bool Balls, class F, int P>
HWY_INLINE RowValues<F, P> separations(const Rows<F, P>& rows, const Ways<F>& ways) {
    RowValues<F, P> out;
    const V3<F> b_to_a = rows.get(rows.block.b_to_a);
    if constexpr (Balls) {
        const V3<F> now = b_to_a - ways.between;
        out[0] = rows.get(rows.point(0).separation) + (sqrt_of(dot(now, now)) - sqrt_of(dot(b_to_a, b_to_a)));
    } else {
        const V3<F> n = rows.get(rows.block.normal);
        const V3<F> change_a = turned_back_by(ways.turn_a, n);
        const V3<F> change_b = turned_back_by(ways.turn_b, n);
        const F along_b = dot(change_b, n);
        F moved = dot(ways.between, n) + dot(change_b, b_to_a);
        if (rows.block.round) {
            // What the balls in the arms keep, turned or not, less what the dot products below count of them.
            moved = moved + (rows.get(rows.block.round_a) * dot(change_a, n) + rows.get(rows.block.round_b) * along_b);
        }
        if constexpr (P == 1) {
            if (rows.on_rim()) {
                const Rim<F> rim(rows);
                const F nearer = rim.nearer(select(rim.of_a, change_a, zero3<F>() - change_b));
                moved = select(either(rim.of_a, rim.of_b), moved + nearer, moved);
            }
        }
        const V3<F> change = change_b - change_a;
        for (int i = 0; i < P; ++i) {
            out[i] = rows.get(rows.point(i).separation) +
                     (moved + (dot(change, rows.start_arm_a(i)) + along_b * rows.start_gap(i)));
        }
    }
    return out;
}

// Whether balls that come far within the substep are apart at its end if nothing pushes them. The line of their centres
// says where they are, not where they meet on their way: along it, balls that go past each other seem to collide, and
// those that have just bounced, whose poses have been set back behind the place where they met, to be on the wrong side
// of each other.
template <class F>
HWY_INLINE Mask<F> fly_past(const Rows<F, 1>& rows, const Pair<F>& pair, const Ways<F>& ways, float h) {
    const V3<F> b_to_a = rows.get(rows.block.b_to_a), way = constant<F>(h) * (pair.vb - pair.va);
    const V3<F> end = (ways.between - b_to_a) + way;
    const F radii = sqrt_of(dot(b_to_a, b_to_a)) - rows.get(rows.point(0).separation), radii2 = radii * radii;
    return both(dot(end, end) > radii2, dot(way, way) > constant<F>(far_for_balls * far_for_balls) * radii2);
}

// Whether two bodies that can both be pushed are beside each other where the row has them meet: they have come further
// against each other since the start of the step than both arms are long, and meet() could not bring these to one
// place.
template <class F, int P>
HWY_INLINE Mask<F> beside(const Rows<F, P>& rows, const Ways<F>& ways, int i) {
    const V3<F> arm_a = rows.arm_a(i), arm_b = rows.arm_b(i);
    const F most2 = most_apart2(arm_a, arm_b);
    const Mask<F> far = both(rows.free(), dot(ways.between, ways.between) > most2);
    if (!any(far)) {
        return far; // mostly
    }
    const V3<F> n = rows.get(rows.block.normal);
    const V3<F> apart = (ways.between - rows.get(rows.block.b_to_a)) + (arm_b - arm_a);
    const V3<F> aside = apart - dot(apart, n) * n;
    return both(far, dot(aside, aside) > constant<F>(0.005f) * most2);
}

// With `UseBias`, penetration is pushed out softly; without, the pass relaxes the velocity that the push has added
// (Catto, "Solver2D", 2024). `pressure` holds the normal impulses, before and after.
template <bool UseBias, bool Balls, class F, int P, class Ahead>
HWY_INLINE void solve_normals(const Rows<F, P>& rows, Pair<F>& pair, const RowValues<F, P>& separation,
                              const V3<F>& chord, RowValues<F, P>& pressure, const ContactSolverSettings& settings,
                              const Ways<F>& ways, Ahead&& ahead) {
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

// One pass of sequential impulses.
template <bool UseBias, bool Balls, class F, int P, class Ahead>
HWY_INLINE void solve_rows(const Rows<F, P>& rows, Pair<F>& pair, const Ways<F>& ways,
                           const ContactSolverSettings& settings, Ahead&& ahead) {
    RowValues<F, P> pressure = pressures(rows);
    ahead.next();
    const V3<F> chord = chord_slip(rows, pair, ways, (UseBias ? 0.5f : -0.5f) * settings.h);
    solve_normals<UseBias, Balls, F, P>(rows, pair, separations<Balls>(rows, ways), chord, pressure, settings, ways,
                                        ahead);
    // Friction last, because its limit must come from the normal impulse that stays: in the relaxing pass the normal
    // rows undo what the soft rows gave way, and a limit taken before that would be too small (by an eighth on a plain
    // slope).
    if (rows.rolling()) {
        solve_rolling<F, P>(rows, pair, pressure);
    }
    solve_friction<F, P>(rows, pair, pressure, UseBias ? 0.0f : settings.most_beyond, chord, ahead);
}

// The impulse of a point in the axes of its block's sums.
template <bool Balls, class F, int P>
HWY_INLINE V3<F> impulse_of(const Rows<F, P>& rows, int i) {
    const RowPoint& point = rows.point(i);
    const V3<F> own{rows.get(point.normal_impulse), rows.get(point.tangent_impulse_1),
                    rows.get(point.tangent_impulse_2)};
    if constexpr (!Balls) {
        return own;
    }
    const V3<F> n = rows.get(rows.block.normal), t1 = rows.get(rows.block.tangent_1);
    return own.x * n + (own.y * t1 + own.z * cross(n, t1));
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
