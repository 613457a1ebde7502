// Where the rows of a contact act, for lanes: its block, its points on both bodies, and how they move as these turn.
#if defined(CAIRN_SOLVER_ROW_ARMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_SOLVER_ROW_ARMS_INL
#undef CAIRN_SOLVER_ROW_ARMS_INL
#else
#define CAIRN_SOLVER_ROW_ARMS_INL
#endif

#include "physics/solver/rows/body_lanes-inl.h"
#include "physics/solver/rows/normal_rows-inl.h"

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

// Rows of a block, from a lane on: as many as F holds.
template <class F, int P>
struct Rows {
    RowBlock<P>& block;
    std::size_t lane;
    RowBlocks& all; // of which it is one

    HWY_INLINE F get(const LaneFloats& from) const { return load<F>(from, lane); }
    HWY_INLINE V3<F> get(const LaneVec3& from) const { return load<F>(from, lane); }
    HWY_INLINE S3<F> get(const LaneSymmetric& from) const { return load<F>(from, lane); }
    HWY_INLINE void set(LaneFloats& to, F value) const { store(value, to, lane); }
    HWY_INLINE void set(LaneVec3& to, const V3<F>& value) const { store(value, to, lane); }
    HWY_INLINE void set(LaneSymmetric& to, const S3<F>& value) const { store(value, to, lane); }

    HWY_INLINE const std::uint32_t* motion_a() const { return block.motion_a.data() + lane; }
    HWY_INLINE const std::uint32_t* motion_b() const { return block.motion_b.data() + lane; }
    HWY_INLINE Pair<F> pair(const BodyMotion* motions) const { return load_pair<F>(motion_a(), motion_b(), motions); }
    HWY_INLINE void save(const Pair<F>& pair, BodyMotion* motions) const {
        save_pair<F>(pair, block.write_a.data() + lane, block.write_b.data() + lane, motions);
    }
    HWY_INLINE Ways<F> ways(const BodyMotion* motions) const { return load_ways<F>(motion_a(), motion_b(), motions); }

    // Each ends on its own body's surface: those of a gap do not end in one place.
    HWY_INLINE V3<F> start_arm_a(int i) const { return get(point(i).start_arm_a); }
    HWY_INLINE V3<F> start_arm_b(int i) const {
        return (start_arm_a(i) + get(block.b_to_a)) + start_gap(i) * get(block.normal);
    }
    HWY_INLINE F start_gap(int i) const { return max_of(get(point(i).separation), zero<F>()); }
    HWY_INLINE bool turned() const { return block.turned != block.none; }
    HWY_INLINE TurnedArms<P>& turned_arms() const { return all.turned<P>()[block.turned]; }
    HWY_INLINE bool rolling() const { return block.rolling != block.none; }
    HWY_INLINE bool on_rim() const { return block.rim != block.none; }
    HWY_INLINE RimRows& rim_rows() const { return all.rims[block.rim]; }
    HWY_INLINE Mask<F> rim_lanes() const { // of a block that has some
        const F radius = get(rim_rows().radius);
        return either(radius > zero<F>(), zero<F>() > radius);
    }
    HWY_INLINE RollingRows& rolling_rows() const { return all.rolling[block.rolling]; }
    // Where impulses act.
    HWY_INLINE V3<F> arm_a(int i) const { return turned() ? get(turned_arms().a[index(i)]) : start_arm_a(i); }
    HWY_INLINE V3<F> arm_b(int i) const { return turned() ? get(turned_arms().b[index(i)]) : start_arm_b(i); }
    static HWY_INLINE constexpr std::size_t index(int i) { return static_cast<std::size_t>(i); }
    HWY_INLINE RowPoint& point(int i) const { return block.points[index(i)]; }
    HWY_INLINE RowSums& sums(int i) const { return block.sums[index(i)]; }
    // Whether the point is one of the contact's: blocks of four hold manifolds of three as well.
    HWY_INLINE Mask<F> live(int i) const {
        return P == 4 && i == 3 ? get(block.count) > constant<F>(3.5f) : Make<F>::mask(true);
    }
    HWY_INLINE RowMatrix<F, P> matrix(const std::array<LaneFloats, P*(P + 1) / 2>& from) const {
        RowMatrix<F, P> out;
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = get(from[i]);
        }
        return out;
    }
    HWY_INLINE Mask<F> free() const { // both can be pushed
        return both(get(block.inverse_mass_a) > zero<F>(), get(block.inverse_mass_b) > zero<F>());
    }
};

template <class F>
HWY_INLINE V3<F> perpendicular(const V3<F>& n) {
    const F none = zero<F>();
    const V3<F> a{max_of(n.x, none - n.x), max_of(n.y, none - n.y), max_of(n.z, none - n.z)};
    const Mask<F> by_x = both(a.x <= a.y, a.x <= a.z);
    const Mask<F> by_y = first_without(a.y <= a.z, by_x);
    const F one = constant<F>(1.0f);
    const V3<F> axis{select(by_x, one, none), select(by_y, one, none), select(either(by_x, by_y), none, one)};
    const V3<F> t = cross(n, axis);
    const F length2 = dot(t, t);
    return select(length2 > none, one / sqrt_of(length2), none) * t;
}

template <class F>
HWY_INLINE S3<F> inverse_of(const S3<F>& m) {
    const F cxx = m.yy * m.zz - m.yz * m.yz;
    const F cxy = m.xz * m.yz - m.xy * m.zz;
    const F cxz = m.xy * m.yz - m.xz * m.yy;
    const F determinant = m.xx * cxx + m.xy * cxy + m.xz * cxz;
    const F s = select(determinant > zero<F>(), constant<F>(1.0f) / determinant, zero<F>());
    return {s * cxx, s * (m.xx * m.zz - m.xz * m.xz), s * (m.xx * m.yy - m.xy * m.xy), s * cxy,
            s * cxz, s * (m.xy * m.xz - m.xx * m.yz)};
}

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
HWY_INLINE void meet(const Rows<F, P>& rows, V3<F>& arm_a, V3<F>& arm_b, const V3<F>& between) {
    V3<F> apart = (between - rows.get(rows.block.b_to_a)) + (arm_b - arm_a);
    // Where they have come further apart than they are long, they do not touch any more, or not yet: levers of many
    // times the size of a body would make it spin without bound.
    const F apart2 = dot(apart, apart), most2 = most_apart2(arm_a, arm_b);
    apart = select(apart2 > most2, sqrt_of(most2 / apart2), constant<F>(1.0f)) * apart;
    Mask<F> round_a = rows.get(rows.block.round_a) > zero<F>();
    Mask<F> round_b = rows.get(rows.block.round_b) > zero<F>();
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

// All passes of a substep must push at one point, or what rolls gains energy: the one amid the substep, half of it
// ahead where the substep begins and behind where it is over. The point of a rim wanders that far.
template <class F>
struct Lead {
    V3<F> a = zero3<F>(), b = zero3<F>(); // rad

    HWY_INLINE Lead() = default;
    HWY_INLINE Lead(const Pair<F>& pair, float seconds)
        : a(constant<F>(seconds) * pair.wa), b(constant<F>(seconds) * pair.wb) {}
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
        const V3<F> n = rows.get(block.normal);
        const V3<F> round_a = (zero<F>() - rows.get(block.round_a)) * n;
        const V3<F> round_b = rows.get(block.round_b) * n;
        TurnedArms<P>& arms = rows.turned_arms();
        for (int i = 0; i < P; ++i) {
            V3<F> arm_a = turned_arm(rows.start_arm_a(i), round_a, ways.turn_a);
            V3<F> arm_b = turned_arm(rows.start_arm_b(i), round_b, ways.turn_b);
            if constexpr (P == 1) {
                if (rows.on_rim()) {
                    roll_rim(rows, ways, lead, arm_a, arm_b);
                }
            }
            meet(rows, arm_a, arm_b, ways.between);
            rows.set(arms.a[rows.index(i)], select(wanted, arm_a, rows.get(arms.a[rows.index(i)])));
            rows.set(arms.b[rows.index(i)], select(wanted, arm_b, rows.get(arms.b[rows.index(i)])));
        }
    }
    set_levers<Balls, F, P>(rows);
}

template <class F>
HWY_INLINE Mask<F> has_turned(const Q4<F>& q) {
    const F sine2 = q.x * q.x + q.y * q.y + q.z * q.z; // of half the angle
    return sine2 > constant<F>(0.25f * noticeable_turn * noticeable_turn);
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
    return either(parted, either(has_turned(ways.turn_a), has_turned(ways.turn_b)));
}

// Turns the arms with the bodies where these have turned so far since the start of the step that a lever has changed (a
// corner that comes down turning would be hit beside itself), or slid so far past each other that their arms end in
// different places.
template <bool Balls, class F, int P>
HWY_INLINE void turn_arms(const Rows<F, P>& rows, const Ways<F>& ways, const BodyInertia* inertias) {
    const Mask<F> wanted = arms_turn(rows, ways);
    if (any(wanted)) {
        set_arms<Balls>(rows, ways, inertias, wanted, Lead<F>{});
    }
}

// The same of a block in which contacts are on a rim, in the lanes of `wanted`; their points are taken `seconds` ahead.
template <class F>
HWY_INLINE void turn_rims(const Rows<F, 1>& rows, const Ways<F>& ways, const BodyMotion* motions,
                          const BodyInertia* inertias, const Mask<F>& wanted, float seconds) {
    if (any(wanted)) {
        set_arms<false>(rows, ways, inertias, wanted, Lead<F>(rows.pair(motions), seconds));
    }
}

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
