// Contacts on the rim of a circle: which point of it is lowest, for lanes.
#if defined(CAIRN_SOLVER_RIMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_SOLVER_RIMS_INL
#undef CAIRN_SOLVER_RIMS_INL
#else
#define CAIRN_SOLVER_RIMS_INL
#endif

#include "physics/solver/rows/arms/block_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

// All passes of a substep must push at one point, or what rolls gains energy: the one amid the substep, half of it
// ahead where the substep begins and behind where it is over. The points of rims and of what is round wander that far.
template <class F>
struct Lead {
    V3<F> a = zero3<F>(), b = zero3<F>(); // rad
    V3<F> between = zero3<F>();           // m, of B against A

    HWY_INLINE Lead() = default;
    HWY_INLINE Lead(const Pair<F>& pair, float seconds)
        : a(constant<F>(seconds) * pair.wa),
          b(constant<F>(seconds) * pair.wb),
          between(constant<F>(seconds) * (pair.vb - pair.va)) {}
};

// A circle touches where it is lowest: at its centre plus the radius times the direction in its plane that is nearest
// to the one outwards.
template <class F>
struct Rim {
    V3<F> outwards, axis; // unit
    F radius, reach;      // m
    F along, sine;        // the axis along `outwards`; the length of what `outwards` has in the circle's plane
    Mask<F> of_a, of_b;   // whose it is; neither in lanes without

    template <int P>
    HWY_INLINE explicit Rim(const Rows<F, P>& rows) : axis(rows.get(rows.rim_rows().axis)) {
        const F signed_radius = rows.get(rows.rim_rows().radius);
        of_a = signed_radius > zero<F>();
        of_b = zero<F>() > signed_radius;
        radius = max_of(signed_radius, zero<F>() - signed_radius);
        reach = rows.get(rows.rim_rows().reach);
        const V3<F> n = rows.get(rows.block.normal);
        outwards = select(of_a, n, zero3<F>() - n);
        along = dot(axis, outwards);
        sine = sine_of(along);
    }
    static HWY_INLINE F sine_of(const F& along) {
        return sqrt_of(max_of(constant<F>(1.0f) - along * along, constant<F>(1e-4f)));
    }
    HWY_INLINE V3<F> lowest() const { return (radius / sine) * (outwards - along * axis); }
    // m, from the point of the body that touched at the start of the step to the one that is lowest once the body has
    // turned on by `ahead` (rad).
    HWY_INLINE V3<F> rolled(const Q4<F>& turn, const V3<F>& ahead) const {
        const V3<F> turned = rotate(turn, axis), moved = turned + cross(ahead, turned);
        const V3<F> axis_now = (constant<F>(1.0f) / sqrt_of(max_of(dot(moved, moved), constant<F>(0.5f)))) * moved;
        const F along_now = dot(axis_now, outwards);
        const V3<F> way = (radius / sine_of(along_now)) * (outwards - along_now * axis_now) - rotate(turn, lowest());
        return share_within_reach(way) * way;
    }
    // m, what `rolled` adds to the separation: the same along `outwards`, less, without the difference of large
    // numbers. `back`: `outwards` turned back with the body, less `outwards`.
    HWY_INLINE F nearer(const V3<F>& back) const {
        const F change = dot(axis, back), along_now = along + change, sine_now = sine_of(along_now);
        const F longer = zero<F>() - change * (along + along_now) / (sine + sine_now);
        const V3<F> way = (radius / sine_now) * ((outwards + back) - along_now * axis) - lowest();
        return share_within_reach(way) * (dot(lowest(), back) - radius * longer);
    }
    HWY_INLINE F share_within_reach(const V3<F>& way) const {
        const F length = sqrt_of(dot(way, way));
        return select(length > reach, reach / length, constant<F>(1.0f));
    }
};

// Moves the arm of the body whose rim touches on to where that is lowest.
template <class F, int P>
HWY_INLINE void roll_rim(const Rows<F, P>& rows, const Ways<F>& ways, const Lead<F>& lead, V3<F>& arm_a, V3<F>& arm_b) {
    const Rim<F> rim(rows);
    const Q4<F> turn{select(rim.of_a, ways.turn_a.x, ways.turn_b.x), select(rim.of_a, ways.turn_a.y, ways.turn_b.y),
                     select(rim.of_a, ways.turn_a.z, ways.turn_b.z), select(rim.of_a, ways.turn_a.w, ways.turn_b.w)};
    const V3<F> on = rim.rolled(turn, select(rim.of_a, lead.a, lead.b));
    arm_a = select(rim.of_a, arm_a + on, arm_a);
    arm_b = select(rim.of_b, arm_b + on, arm_b);
}

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
