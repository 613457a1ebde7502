// Contacts of round bodies, whose normal and place turn within the step, for lanes.
#if defined(CAIRN_SOLVER_CURVES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_SOLVER_CURVES_INL
#undef CAIRN_SOLVER_CURVES_INL
#else
#define CAIRN_SOLVER_CURVES_INL
#endif

#include "physics/solver/rows/arms/rims-inl.h"

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

// A contact whose normal turns within the step. Let the cores be what is left of the surfaces without their rounding:
// a point of a ball, a line of a capsule, a face. The normal is the direction from core to core at right angles to all
// that is flat, and the contact is where both are nearest: exact for any turn, as far as cores are straight.
template <class F, int P>
class CurvedContact {
  public:
    // `ways` at the poses for which arms are wanted, `ahead` what the bodies do until the normal is wanted.
    HWY_INLINE CurvedContact(const Rows<F, P>& rows, const Ways<F>& ways, const Lead<F>& ahead)
        : start_(rows.start_normal()),
          radius_a_(rows.get(rows.block.round_a)),
          radius_b_(rows.get(rows.block.round_b)),
          between_(ways.between - rows.get(rows.block.b_to_a)) {
        find_cores(rows, ways, ahead);
        find_normal(rows, ways, ahead);
        find_nearest(rows);
    }
    Mask<F> turns; // lanes that are such a contact, of bodies that have not gone past each other
    V3<F> normal;  // unit
    // m, what the separation of a point is greater by than along the normal of the start.
    HWY_INLINE F further(int i) const { return dot(normal - start_, apart_[index(i)]); }
    // m, from A's and B's centres of mass to where both touch, halfway between the surfaces.
    HWY_INLINE void place(int i, V3<F>& arm_a, V3<F>& arm_b) const {
        const V3<F> now = between_ + (core_b_[index(i)] - core_a_[index(i)]);
        const F half_gap = constant<F>(0.5f) * (dot(normal, now) - (radius_a_ + radius_b_));
        const V3<F> on_a = core_a_[index(i)] + (along_a_[index(i)] + (radius_a_ + half_gap) * normal);
        const V3<F> on_b = core_b_[index(i)] - (radius_b_ + half_gap) * normal;
        arm_a = select(by_b_, on_b + between_, on_a);
        arm_b = select(by_b_, on_b, on_a - between_);
    }

  private:
    static HWY_INLINE constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }

    HWY_INLINE void find_cores(const Rows<F, P>& rows, const Ways<F>& ways, const Lead<F>& ahead) {
        for (int i = 0; i < P; ++i) {
            V3<F>&a = core_a_[index(i)], &b = core_b_[index(i)];
            a = rotate(ways.turn_a, rows.start_arm_a(i) - radius_a_ * start_);
            b = rotate(ways.turn_b, rows.start_arm_b(i) + radius_b_ * start_);
            apart_[index(i)] = (between_ + ahead.between) + ((b + cross(ahead.b, b)) - (a + cross(ahead.a, a)));
        }
    }
    HWY_INLINE void find_normal(const Rows<F, P>& rows, const Ways<F>& ways, const Lead<F>& ahead) {
        const CurvedRows& curved = rows.curved_rows();
        const F half = constant<F>(0.5f), none = zero<F>();
        of_a_1_ = rows.get(curved.of_a_1) > half;
        of_a_2_ = rows.get(curved.of_a_2) > half;
        const V3<F> flat_1 = rows.get(curved.flat_1), flat_2 = rows.get(curved.flat_2);
        two_ = dot(flat_2, flat_2) > half;
        const auto turned = [&](const V3<F>& direction, const Mask<F>& of_a) {
            const V3<F> now = select(of_a, rotate(ways.turn_a, direction), rotate(ways.turn_b, direction));
            return now + cross(select(of_a, ahead.a, ahead.b), now);
        };
        along_1_ = turned(flat_1, of_a_1_);
        along_2_ = turned(flat_2, of_a_2_);
        V3<F> middle = apart_[0];
        if constexpr (P == 2) {
            middle = constant<F>(0.5f) * (apart_[0] + apart_[1]);
        }
        const F length2 = dot(along_1_, along_1_);
        const F share = select(length2 > half, dot(middle, along_1_) / length2, none);
        const V3<F> across = select(two_, cross(along_1_, along_2_), middle - share * along_1_);
        const F across2 = dot(across, across), radii = radius_a_ + radius_b_;
        normal = (constant<F>(1.0f) / sqrt_of(max_of(across2, constant<F>(1e-30f)))) * across;
        // Not where cores all but meet, where one is past the other, or where something spins too fast to look ahead.
        constexpr float least_apart = 0.1f, most_turn = 0.5f;
        const F most2 = constant<F>(most_turn * most_turn);
        const Mask<F> looks_ahead = both(most2 > dot(ahead.a, ahead.a), most2 > dot(ahead.b, ahead.b));
        const Mask<F> clear = either(two_, across2 > constant<F>(least_apart * least_apart) * (radii * radii));
        turns = both(both(rows.get(curved.turns) > half, looks_ahead), both(clear, dot(normal, start_) > half));
        normal = select(turns, normal, start_);
    }
    // Where along the flat directions the cores are nearest. Beyond the reach of what is flat the contact stays on its
    // border, and the normal turns by as much less.
    HWY_INLINE void find_nearest(const Rows<F, P>& rows) {
        const CurvedRows& curved = rows.curved_rows();
        const F one = constant<F>(1.0f), none = zero<F>();
        by_b_ = both(two_, both(of_a_1_, of_a_2_));
        const V3<F> other = select(two_, along_2_, cross(normal, along_1_));
        const F area = dot(cross(along_1_, other), normal);
        const F per_area = select(area > constant<F>(0.01f), one / area, none);
        F farthest2 = none;
        for (std::size_t i = 0; i < std::size_t{P}; ++i) {
            const V3<F> way_1 = (per_area * dot(cross(apart_[i], other), normal)) * along_1_;
            const V3<F> way_2 =
                select(two_, (per_area * dot(cross(along_1_, apart_[i]), normal)) * along_2_, zero3<F>());
            along_a_[i] = select(of_a_1_, way_1, zero3<F>()) + select(of_a_2_, way_2, zero3<F>());
            farthest2 = max_of(farthest2, dot(way_1 + way_2, way_1 + way_2));
        }
        const F reach = rows.get(curved.reach);
        const F within = select(farthest2 > reach * reach, reach / sqrt_of(farthest2), one);
        for (V3<F>& way : along_a_) {
            way = within * way;
        }
        const V3<F> bounded = start_ + within * (normal - start_);
        normal = select(turns, (one / sqrt_of(max_of(dot(bounded, bounded), constant<F>(0.25f)))) * bounded, start_);
    }

    V3<F> start_; // unit, the normal at the start of the step
    F radius_a_, radius_b_;
    V3<F> between_;                        // m, from A's centre of mass to B's
    std::array<V3<F>, P> core_a_, core_b_; // m, from the centres of mass
    std::array<V3<F>, P> apart_;           // m, from A's core to B's, ahead
    std::array<V3<F>, P> along_a_;         // m, from A's core to where it is nearest to B's
    V3<F> along_1_, along_2_;              // the flat directions
    Mask<F> of_a_1_, of_a_2_, two_;        // whose they are; whether there are two
    Mask<F> by_b_;                         // the place follows from B's core alone: A is a face
};

inline constexpr float hardly_rolls = 1e-4f; // radians, or of the radii

// Where a contact is taken along a curve: not where nothing turns by a ten thousandth of a radian or moves by as much
// of the radii, as in heaps at rest.
template <class F, int P>
HWY_INLINE Mask<F> moves_on_curve(const Rows<F, P>& rows, const Ways<F>& ways, const Lead<F>& lead) {
    constexpr float hardly2 = hardly_rolls * hardly_rolls;
    const V3<F> turn_a{ways.turn_a.x, ways.turn_a.y, ways.turn_a.z}; // of half the angle
    const V3<F> turn_b{ways.turn_b.x, ways.turn_b.y, ways.turn_b.z};
    const V3<F> way = ways.between + lead.between;
    const F radii = rows.get(rows.block.round_a) + rows.get(rows.block.round_b);
    const auto far = [](const V3<F>& v, const F& most2) { return dot(v, v) > most2; };
    const F half2 = constant<F>(0.25f * hardly2), whole2 = constant<F>(hardly2);
    const Mask<F> moves =
        either(either(either(far(turn_a, half2), far(turn_b, half2)), either(far(lead.a, whole2), far(lead.b, whole2))),
               far(way, whole2 * (radii * radii)));
    return both(rows.get(rows.curved_rows().turns) > constant<F>(0.5f), moves);
}

// Moves the arms of a contact whose normal turns to where it is amid the substep, and turns the normal.
template <class F, int P>
HWY_INLINE void roll_on_curve(const Rows<F, P>& rows, const Ways<F>& ways, const Lead<F>& lead, const Mask<F>& wanted) {
    RowBlock<P>& block = rows.block;
    const CurvedContact<F, P> contact(rows, ways, lead);
    const Mask<F> turns = both(wanted, contact.turns);
    TurnedArms<P>& arms = rows.turned_arms();
    for (int i = 0; i < P; ++i) {
        V3<F> arm_a, arm_b;
        contact.place(i, arm_a, arm_b);
        rows.set(arms.a[rows.index(i)], select(turns, arm_a, rows.get(arms.a[rows.index(i)])));
        rows.set(arms.b[rows.index(i)], select(turns, arm_b, rows.get(arms.b[rows.index(i)])));
    }
    const V3<F> tangent = rows.get(rows.curved_rows().tangent_1);
    const V3<F> flat = tangent - dot(tangent, contact.normal) * contact.normal; // at least half as long: see `turns`
    const V3<F> tangent_1 = (constant<F>(1.0f) / sqrt_of(max_of(dot(flat, flat), constant<F>(1e-4f)))) * flat;
    // Where it does not turn any more, both are those of the start again.
    const Mask<F> set = both(wanted, rows.get(rows.curved_rows().turns) > constant<F>(0.5f));
    rows.set(block.normal, select(set, contact.normal, rows.get(block.normal)));
    rows.set(block.tangent_1, select(set, tangent_1, rows.get(block.tangent_1)));
}

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
