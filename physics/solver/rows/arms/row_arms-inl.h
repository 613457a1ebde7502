// Where the rows of a contact act, for lanes: its points on both bodies, and how they move as these turn.
#if defined(CAIRN_SOLVER_ROW_ARMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_SOLVER_ROW_ARMS_INL
#undef CAIRN_SOLVER_ROW_ARMS_INL
#else
#define CAIRN_SOLVER_ROW_ARMS_INL
#endif

#include "physics/solver/rows/arms/cones-inl.h"

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

// All that follows from where the impulses act. Those between balls act along the line of their centres and turn none.
template <bool Balls, class F, int P>
HWY_INLINE void set_levers(const Rows<F, P>& rows) {
    RowBlock<P>& block = rows.block;
    const F masses = rows.get(block.inverse_mass_a) + rows.get(block.inverse_mass_b);
    if constexpr (Balls) {
        rows.set(block.compliance[0], masses);
        return;
    }
    const V3<F> n = rows.get(block.normal);
    const S3<F> inertia_a = rows.get(block.inverse_inertia_a), inertia_b = rows.get(block.inverse_inertia_b);
    std::array<V3<F>, P> turn_a, turn_b; // change of angular velocity by a unit of impulse, 1/(kg m)
    RowMatrix<F, P> compliance;
    for (int i = 0; i < P; ++i) {
        const V3<F> moment_a = cross(rows.arm_a(i), n);
        const V3<F> moment_b = cross(rows.arm_b(i), n);
        turn_a[i] = inertia_a * moment_a;
        turn_b[i] = inertia_b * moment_b;
        for (int j = 0; j <= i; ++j) {
            F k = masses + (dot(moment_a, turn_a[j]) + dot(moment_b, turn_b[j]));
            if (P == 4 && i == 3) {
                k = select(rows.live(i), k, constant<F>(i == j ? 1.0f : 0.0f));
            }
            compliance[row_start(i) + j] = k;
            rows.set(block.compliance[static_cast<std::size_t>(row_start(i) + j)], k);
        }
    }
}

// Balls touch on the line of their centres, however far they have moved: B lies at `centre_b` from A.
template <class F>
HWY_INLINE void point_at(const Rows<F, 1>& rows, const V3<F>& centre_b, Mask<F> wanted) {
    RowBlock<1>& block = rows.block;
    const F distance = sqrt_of(dot(centre_b, centre_b));
    wanted = both(wanted, distance > zero<F>());
    const V3<F> normal = (constant<F>(1.0f) / distance) * centre_b;
    const V3<F> tangent = rows.get(block.tangent_1);
    const V3<F> flat = tangent - dot(tangent, normal) * normal;
    const F flat2 = dot(flat, flat);
    const V3<F> tangent_1 =
        select(flat2 > constant<F>(0.25f), (constant<F>(1.0f) / sqrt_of(flat2)) * flat, perpendicular(normal));
    const V3<F> start = zero3<F>() - rows.get(block.b_to_a);
    const F start_distance = sqrt_of(dot(start, start));
    const F share = dot(rows.start_arm_a(0), start) / (start_distance * (start_distance - rows.start_gap(0)));
    rows.set(block.normal, select(wanted, normal, rows.get(block.normal)));
    rows.set(block.tangent_1, select(wanted, tangent_1, tangent));
    TurnedArms<1>& arms = rows.turned_arms();
    rows.set(arms.a[0], select(wanted, share * centre_b, rows.get(arms.a[0])));
    rows.set(arms.b[0], select(wanted, (share - constant<F>(1.0f)) * centre_b, rows.get(arms.b[0])));
}

// What an arm has of a ball does not turn with the body: the point of a rolling ball that touches is always the lowest
// one. `round` is that part, from the point back to the ball's centre.
template <class F>
HWY_INLINE V3<F> turned_arm(const V3<F>& arm, const V3<F>& round, const Q4<F>& turn) {
    return rotate(turn, arm + round) - round;
}

// By how much the points of a contact may be apart and its bodies still touch there, m^2: about as far as both are
// long.
template <class F>
HWY_INLINE F most_apart2(const V3<F>& arm_a, const V3<F>& arm_b) {
    return constant<F>(2.0f) * (dot(arm_a, arm_a) + dot(arm_b, arm_b));
}

// Brings both arms of a point to one place. The points of the bodies that met at the start of the step slip apart;
// impulses that act on each body at its own point would be a couple and feed angular momentum to the pair. What is
// fixed has no momentum to keep, and the moving body's own point is the right one. What is round touches where it is
// lowest; the other body is touched there. Two of a kind meet halfway. `between` is what B has slipped when the
// impulses act.
template <class F, int P>
HWY_INLINE void meet(const Rows<F, P>& rows, int i, V3<F>& arm_a, V3<F>& arm_b, const V3<F>& between) {
    V3<F> apart = (between - rows.get(rows.block.b_to_a)) + (arm_b - arm_a);
    // Where they have come further apart than they are long, they do not touch any more, or not yet: levers of many
    // times the size of a body would make it spin without bound.
    const F apart2 = dot(apart, apart), most2 = most_apart2(arm_a, arm_b);
    apart = select(apart2 > most2, sqrt_of(most2 / apart2), constant<F>(1.0f)) * apart;
    Mask<F> round_a = rows.round_a(i) > zero<F>();
    Mask<F> round_b = rows.round_b(i) > zero<F>();
    if (P == 1 && rows.on_rim()) {
        const F radius = rows.get(rows.rim_rows().radius);
        round_a = either(round_a, radius > zero<F>());
        round_b = either(round_b, zero<F>() > radius);
    }
    const F one = constant<F>(1.0f);
    const F share = select(first_without(round_a, round_b), zero<F>(),
                           select(first_without(round_b, round_a), one, constant<F>(0.5f)));
    const Mask<F> free = rows.free();
    arm_a = select(free, arm_a + share * apart, arm_a);
    arm_b = select(free, arm_b - (one - share) * apart, arm_b);
}

// The arms must be kept apart from those of the start before single lanes of a block are turned.
template <class F, int P>
HWY_INLINE void keep_arms(const Rows<F, P>& rows) {
    RowBlock<P>& block = rows.block;
    if (rows.turned()) {
        return;
    }
    const std::uint32_t place = rows.all.template turned<P>().add();
    for (std::size_t lane = 0; lane < block_lanes; lane += lanes_of<F>) {
        const Rows<F, P> part{block, lane, rows.all};
        TurnedArms<P>& arms = rows.all.template turned<P>()[place];
        for (int i = 0; i < P; ++i) {
            part.set(arms.a[part.index(i)], part.start_arm_a(i));
            part.set(arms.b[part.index(i)], part.start_arm_b(i));
        }
    }
    block.turned = place;
}

// Arms and tensors as the bodies lie now, in the lanes of `wanted`.
template <bool Balls, class F, int P>
HWY_NOINLINE void set_arms(const Rows<F, P>& rows, const Ways<F>& ways, const BodyInertia* inertias,
                           const Mask<F>& wanted, const Lead<F>& lead) {
    RowBlock<P>& block = rows.block;
    keep_arms(rows);
    // The tensors have turned as well; with those of the start of the step, impulses would not add what they are to the
    // angular momentum.
    F pull;
    rows.set(block.inverse_inertia_a,
             select(wanted, gather_inertia<F>(inertias, rows.motion_a(), pull), rows.get(block.inverse_inertia_a)));
    rows.set(block.inverse_inertia_b,
             select(wanted, gather_inertia<F>(inertias, rows.motion_b(), pull), rows.get(block.inverse_inertia_b)));
    if constexpr (Balls) {
        point_at(rows, ways.between - rows.get(block.b_to_a), wanted);
    } else {
        const V3<F> n = rows.start_normal();
        V3<F> round_a = (zero<F>() - rows.round_a(0)) * n, round_b = rows.round_b(0) * n;
        TurnedArms<P>& arms = rows.turned_arms();

        for (int i = 0; i < P; ++i) {
            if (i == 1 && rows.on_cone()) {
                round_a = (zero<F>() - rows.round_a(i)) * n;
                round_b = rows.round_b(i) * n;
            }
            V3<F> arm_a = turned_arm(rows.start_arm_a(i), round_a, ways.turn_a);
            V3<F> arm_b = turned_arm(rows.start_arm_b(i), round_b, ways.turn_b);
            V3<F> between = ways.between;
            if constexpr (P == 1) {
                if (rows.on_rim()) {
                    roll_rim(rows, ways, lead, arm_a, arm_b);
                }
            }
            if constexpr (P == 2) {
                if (rows.on_cone()) {
                    roll_on_cone(rows, i, lead, arm_a, arm_b, between);
                }
            }
            meet(rows, i, arm_a, arm_b, between);
            rows.set(arms.a[rows.index(i)], select(wanted, arm_a, rows.get(arms.a[rows.index(i)])));
            rows.set(arms.b[rows.index(i)], select(wanted, arm_b, rows.get(arms.b[rows.index(i)])));
        }
        if constexpr (P <= 2) {
            if (rows.on_curve()) {
                roll_on_curve(rows, ways, lead, wanted);
            }
        }
    }
    set_levers<Balls, F, P>(rows);
}

// Where the arms of a contact are turned: see turn_arms.
template <class F, int P>
HWY_INLINE Mask<F> arms_turn(const Rows<F, P>& rows, const Ways<F>& ways) {
    const V3<F> arm = rows.start_arm_a(0);
    const F far2 = constant<F>(noticeable_turn * noticeable_turn) * dot(arm, arm);
    Mask<F> parted = both(rows.free(), dot(ways.between, ways.between) > far2);
    if constexpr (P == 1) {
        if (rows.on_rim()) { // its point runs ahead of the turn that it is due to
            parted = either(parted, rows.rim_lanes());
        }
    }
    if constexpr (P <= 2) {
        if (rows.on_curve()) {
            parted = either(parted, moves_on_curve(rows, ways, Lead<F>{}));
        }
    }
    if constexpr (P == 2) {
        if (rows.on_cone()) {
            parted = either(parted, rolls_on_cone(rows, ways, Lead<F>{}));
        }
    }
    return either(parted, either(has_turned(ways.turn_a), has_turned(ways.turn_b)));
}

// Turns the arms with the bodies where these have turned so far since the start of the step that a lever has changed (a
// corner that comes down turning would be hit beside itself), or slid so far past each other that their arms end in
// different places.
// `but_rolling`: leaves what rolls as it looks ahead.
template <bool Balls, class F, int P>
HWY_INLINE void turn_arms(const Rows<F, P>& rows, const Ways<F>& ways, const BodyInertia* inertias,
                          bool but_rolling = false) {
    Mask<F> wanted = arms_turn(rows, ways);
    if constexpr (P == 1) {
        if (but_rolling && rows.on_rim()) {
            wanted = first_without(wanted, rows.rim_lanes());
        }
    }
    if constexpr (P <= 2) {
        if (but_rolling && rows.on_cone()) {
            wanted = first_without(wanted, rows.cone_lanes());
        }
        if (but_rolling && rows.on_curve()) {
            wanted = first_without(wanted, rows.get(rows.curved_rows().turns) > constant<F>(0.5f));
        }
    }
    if (any(wanted)) {
        set_arms<Balls>(rows, ways, inertias, wanted, Lead<F>{});
    }
}

// The same of a block in which contacts roll on a rim, a curve or a cone: those are taken `seconds` ahead, and moved
// even where nothing has turned yet. `others`: whether those that do not roll are turned as well.
template <class F, int P>
HWY_INLINE void turn_rolling(const Rows<F, P>& rows, const Ways<F>& ways, const BodyMotion* motions,
                             const BodyInertia* inertias, float seconds, bool others) {
    const Lead<F> lead(rows.pair(motions), seconds);
    Mask<F> wanted = others ? arms_turn(rows, ways) : Make<F>::mask(false);
    if constexpr (P == 1) {
        if (rows.on_rim()) {
            wanted = either(wanted, rows.rim_lanes());
        }
    }
    if (rows.on_curve()) {
        wanted = either(wanted, moves_on_curve(rows, ways, lead));
    }
    if (rows.on_cone()) {
        wanted = either(wanted, rolls_on_cone(rows, ways, lead));
    }
    if (any(wanted)) {
        set_arms<false>(rows, ways, inertias, wanted, lead);
    }
}

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
