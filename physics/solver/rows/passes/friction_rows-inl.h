// Friction and resistance to rolling, for lanes.
#if defined(CAIRN_SOLVER_FRICTION_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_SOLVER_FRICTION_ROWS_INL
#undef CAIRN_SOLVER_FRICTION_ROWS_INL
#else
#define CAIRN_SOLVER_FRICTION_ROWS_INL
#endif

#include "physics/solver/rows/arms/row_arms-inl.h"

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

// Over-relaxation of the pass that relaxes, 1..2: it aims at velocities beyond none, of the other sign. What is long,
// like the lean of a pile, it takes away several times as fast, and that carries stiffer springs (docs/how/solver.md).
inline constexpr float normal_relaxation = 1.8f, friction_relaxation = 1.5f;

// What passes call while they work on a block, for what will be read after it to be asked for bit by bit: requests all
// at once are more than the processor keeps, and the work waits for them. This one asks for nothing.
struct NothingAhead {
    HWY_INLINE void next() const {} // some of it
    HWY_INLINE void rest() const {} // all that is left
};

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
//
// `unloaded`: lanes whose impulses are none and stay as they are.
// `lead`: s, until the end of the substep, where no point of a cone may slip; 0 in the pass with bias.
template <class F, int P, class Ahead>
HWY_INLINE void solve_friction(const Rows<F, P>& rows, Pair<F>& pair, const RowValues<F, P>& pressure,
                               const Mask<F>& unloaded, float most_beyond, const V3<F>& chord, float lead,
                               Ahead&& ahead) {
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
    V3<F> slip = velocity + chord;
    if constexpr (P == 2) {
        for (int i = 0; rows.on_cone() && lead > 0.0f && i < P; ++i) {
            slip = select(rows.cone_lanes(), slip + share[i] * slip_ahead(rows, i, pair, lead), slip);
        }
    }
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
        next_1 = select(unloaded, old_1, scale * next_1);
        next_2 = select(unloaded, old_2, scale * next_2);
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

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
