// How far apart the points of a contact are at the poses that the bodies have reached, for lanes.
#if defined(CAIRN_SOLVER_SEPARATIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_SOLVER_SEPARATIONS_INL
#undef CAIRN_SOLVER_SEPARATIONS_INL
#else
#define CAIRN_SOLVER_SEPARATIONS_INL
#endif

#include "physics/solver/rows/arms/row_arms-inl.h"

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

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
        const V3<F> n = rows.start_normal();
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
        if constexpr (P == 2) {
            if (rows.on_cone()) {
                const ConeRows& cone = rows.cone_rows();
                const F kept = rows.get(cone.wider_a) * dot(change_a, n) + rows.get(cone.wider_b) * along_b;
                out[1] = select(rows.cone_lanes(), out[1] + kept, out[1]);
            }
        }
        if constexpr (P <= 2) {
            if (rows.on_curve()) {
                const Mask<F> moves = moves_on_curve(rows, ways, Lead<F>{});
                if (any(moves)) {
                    const CurvedContact<F, P> contact(rows, ways, Lead<F>{});
                    const Mask<F> turns = both(moves, contact.turns);
                    for (int i = 0; i < P; ++i) {
                        out[i] = select(turns, out[i] + contact.further(i), out[i]);
                    }
                }
            }
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

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
