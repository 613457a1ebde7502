// Contacts on the sides of cones: how their points move on as the cone rolls, for lanes.
#if defined(CAIRN_SOLVER_CONES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_SOLVER_CONES_INL
#undef CAIRN_SOLVER_CONES_INL
#else
#define CAIRN_SOLVER_CONES_INL
#endif

#include "physics/solver/rows/arms/curves-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

template <class F>
HWY_INLINE Mask<F> has_turned(const Q4<F>& q, float by = noticeable_turn) {
    const F sine2 = q.x * q.x + q.y * q.y + q.z * q.z; // of half the angle
    return sine2 > constant<F>(0.25f * by * by);
}

// Where a cone rolls on its side, of a block that has some: not where nothing turns, as in heaps at rest.
template <class F, int P>
HWY_INLINE Mask<F> rolls_on_cone(const Rows<F, P>& rows, const Ways<F>& ways, const Lead<F>& lead) {
    const F most2 = constant<F>(hardly_rolls * hardly_rolls);
    const Mask<F> has = either(has_turned(ways.turn_a, hardly_rolls), has_turned(ways.turn_b, hardly_rolls));
    const Mask<F> will = either(dot(lead.a, lead.a) > most2, dot(lead.b, lead.b) > most2);
    return both(rows.cone_lanes(), either(has, will));
}

// From the centres of mass to where the axis of a cone is along the normal of a point, m. The axis turns with the body;
// what is left of the arm does not.
template <class F>
HWY_INLINE V3<F> core_a(const Rows<F, 2>& rows, int i, const V3<F>& arm_a) {
    return arm_a - rows.round_a(i) * rows.start_normal();
}
template <class F>
HWY_INLINE V3<F> core_b(const Rows<F, 2>& rows, int i, const V3<F>& arm_b) {
    return arm_b + rows.round_b(i) * rows.start_normal();
}

// Moves the arms of a point, as the bodies lie, to where they are amid the substep. `between`: of B against A, m.
template <class F>
HWY_INLINE void roll_on_cone(const Rows<F, 2>& rows, int i, const Lead<F>& lead, V3<F>& arm_a, V3<F>& arm_b,
                             V3<F>& between) {
    const Mask<F> cone = rows.cone_lanes();
    arm_a = select(cone, arm_a + cross(lead.a, core_a(rows, i, arm_a)), arm_a);
    arm_b = select(cone, arm_b + cross(lead.b, core_b(rows, i, arm_b)), arm_b);
    between = select(cone, between + lead.between, between);
}

// rad/s^2, of a body that nothing pushes: its angular momentum stays, and its tensor turns.
template <class F>
HWY_INLINE V3<F> free_turning(const S3<F>& inverse_inertia, const V3<F>& spin) {
    return inverse_inertia * cross(inverse_of(inverse_inertia) * spin, spin);
}

// m/s, what the bodies move against each other at a point when half of the substep, `seconds`, has gone by, less what
// they do now. Impulses act amid the substep, and at its end nothing may slip or sink: asked for amid it as well, a
// motion that turns by the angle f in a substep would lose f^2 of its energy in each. What free rotation has added to
// the spins counts by half, since it comes between two pushes of which the first has done nearly all.
template <class F>
HWY_INLINE V3<F> slip_ahead(const Rows<F, 2>& rows, int i, const Pair<F>& pair, float seconds) {
    const V3<F> arm_a = rows.arm_a(i), arm_b = rows.arm_b(i);
    const V3<F> turn_a = cross(pair.wa, cross(pair.wa, core_a(rows, i, arm_a)));
    const V3<F> turn_b = cross(pair.wb, cross(pair.wb, core_b(rows, i, arm_b)));
    const V3<F> free_a = cross(free_turning(rows.get(rows.block.inverse_inertia_a), pair.wa), arm_a);
    const V3<F> free_b = cross(free_turning(rows.get(rows.block.inverse_inertia_b), pair.wb), arm_b);
    return constant<F>(seconds) * ((turn_b - free_b) - (turn_a - free_a));
}

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
