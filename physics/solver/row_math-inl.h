// Contacts as rows: non-penetration, friction and rolling resistance, for lanes.
#if defined(CAIRN_SOLVER_ROW_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_SOLVER_ROW_MATH_INL
#undef CAIRN_SOLVER_ROW_MATH_INL
#else
#define CAIRN_SOLVER_ROW_MATH_INL
#endif

#include "physics/narrowphase/preload.h"
#include "physics/solver/body_lanes-inl.h"
#include "physics/solver/integrate.h"
#include "physics/solver/normal_rows-inl.h"

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
    V3<F> outwards, axis;  // unit
    F radius, along, sine; // m; the axis along `outwards`; the length of what `outwards` has in the circle's plane
    Mask<F> of_a, of_b;    // whose it is; neither in lanes without

    template <int P>
    HWY_INLINE explicit Rim(const Rows<F, P>& rows) : axis(rows.get(rows.rim_rows().axis)) {
        const F signed_radius = rows.get(rows.rim_rows().radius);
        of_a = signed_radius > zero<F>();
        of_b = zero<F>() > signed_radius;
        radius = max_of(signed_radius, zero<F>() - signed_radius);
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
        return (radius / sine_of(along_now)) * (outwards - along_now * axis_now) - rotate(turn, lowest());
    }
    // m, what `rolled` adds to the separation: the same along `outwards`, less, without the difference of large
    // numbers. `back`: `outwards` turned back with the body, less `outwards`.
    HWY_INLINE F nearer(const V3<F>& back) const {
        const F change = dot(axis, back), along_now = along + change;
        const F longer = zero<F>() - change * (along + along_now) / (sine + sine_of(along_now));
        return dot(lowest(), back) - radius * longer;
    }
};

// Brings both arms of a point to one place. The points of the bodies that met at the start of the step slip apart;
// impulses that act on each body at its own point would be a couple and feed angular momentum to the pair. What is
// fixed has no momentum to keep, and the moving body's own point is the right one. What is round touches where it is
// lowest; the other body is touched there. Two of a kind meet halfway. `between` is what B has slipped when the
// impulses act.
template <class F, int P>
HWY_INLINE void meet(const Rows<F, P>& rows, V3<F>& arm_a, V3<F>& arm_b, const V3<F>& between) {
    const V3<F> apart = (between - rows.get(rows.block.b_to_a)) + (arm_b - arm_a);
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
            const F radius = rows.get(rows.rim_rows().radius);
            parted = either(parted, either(radius > zero<F>(), zero<F>() > radius));
        }
    }
    return either(parted, either(has_turned(ways.turn_a), has_turned(ways.turn_b)));
}

// Turns the arms with the bodies where these have turned so far since the start of the step that a lever has changed (a
// corner that comes down turning would be hit beside itself), or slid so far past each other that their arms end in
// different places.
template <bool Balls, class F, int P>
HWY_INLINE void turn_arms(const Rows<F, P>& rows, const Ways<F>& ways, const BodyInertia* inertias,
                          const Lead<F>& lead = {}) {
    const Mask<F> wanted = arms_turn(rows, ways);
    if (any(wanted)) {
        set_arms<Balls>(rows, ways, inertias, wanted, lead);
    }
}

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
// change that touch.
template <class F, int P>
HWY_INLINE V3<F> chord_slip(const Rows<F, P>& rows, const Pair<F>& pair, const Ways<F>& ways, float ahead) {
    constexpr float hardly = 2e-3f; // rad/s, by which nothing creeps in an hour
    constexpr float hardly2 = hardly * hardly;
    if (!any(both(dot(pair.wa, pair.wa) > constant<F>(hardly2), dot(pair.wb, pair.wb) > constant<F>(hardly2)))) {
        return zero3<F>(); // mostly: what both share is no more than either has
    }
    const V3<F> n = rows.get(rows.block.normal), t1 = rows.get(rows.block.tangent_1), t2 = cross(n, t1);
    const V3<F> rate = shared_part(pair.wa, pair.wb, n, t1, t2);
    const Mask<F> turning = dot(rate, rate) > constant<F>(hardly2);
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

// With `UseBias`, penetration is pushed out softly; without, the pass relaxes the velocity that the push has added
// (Catto, "Solver2D", 2024). `pressure` holds the normal impulses, before and after.
template <bool UseBias, bool Balls, class F, int P, class Ahead>
HWY_INLINE void solve_normals(const Rows<F, P>& rows, Pair<F>& pair, const RowValues<F, P>& separation,
                              const V3<F>& chord, RowValues<F, P>& pressure, const ContactSolverSettings& settings,
                              Ahead&& ahead) {
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
            const F soft = k * constant<F>(settings.softening);
            // The limit is on the speed at which the bodies part, not on the load that the spring carries.
            const F bias = constant<F>(settings.bias_rate) * (separation[i] - preload);
            const F asked = none - (bias + soft * pressure[i]);
            const F to_lift = constant<F>(settings.bias_rate) * (constant<F>(greatest_lift) - separation[i]);
            const F most = min_of(to_lift, constant<F>(settings.max_push_speed));
            rigid = either(gap, either(asked > most, speed[i] > most));
            softening[i] = select(rigid, hard, soft);
            right[i] = select(gap, over_gap, min_of(asked, most) - speed[i]);
        } else {
            // Relaxing leaves alone what the substep did not reach: that is for the next one, which must see the whole
            // speed of an impact.
            idle[i] = both(gap, pressure[i] == none);
            if (block.bouncy) { // nor what has only just been reached: it would never bounce
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
        const F relative = constant<F>(UseBias ? settings.softening : block_regularisation);
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
    solve_normals<UseBias, Balls, F, P>(rows, pair, separations<Balls>(rows, ways), chord, pressure, settings, ahead);
    // Friction last, because its limit must come from the normal impulse that stays: in the relaxing pass the normal
    // rows undo what the soft rows gave way, and a limit taken before that would be too small (by an eighth on a plain
    // slope).
    if (rows.rolling()) {
        solve_rolling<F, P>(rows, pair, pressure);
    }
    solve_friction<F, P>(rows, pair, pressure, UseBias ? 0.0f : settings.most_beyond, chord, ahead);
}

// Adds the substep's impulses to the step's sums.
template <class F, int P>
HWY_INLINE void accumulate(const Rows<F, P>& rows) {
    for (int i = 0; i < P; ++i) {
        const RowPoint& point = rows.point(i);
        RowSums& sums = rows.sums(i);
        rows.set(sums.normal, rows.get(sums.normal) + rows.get(point.normal_impulse));
        rows.set(sums.tangent_1, rows.get(sums.tangent_1) + rows.get(point.tangent_impulse_1));
        rows.set(sums.tangent_2, rows.get(sums.tangent_2) + rows.get(point.tangent_impulse_2));
    }
}

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
