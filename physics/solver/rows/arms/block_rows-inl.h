// Some lanes of a block of rows: what it says of them, by name.
#if defined(CAIRN_SOLVER_BLOCK_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_SOLVER_BLOCK_ROWS_INL
#undef CAIRN_SOLVER_BLOCK_ROWS_INL
#else
#define CAIRN_SOLVER_BLOCK_ROWS_INL
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
        return (start_arm_a(i) + get(block.b_to_a)) + start_gap(i) * start_normal();
    }
    HWY_INLINE V3<F> start_normal() const { return on_curve() ? get(curved_rows().normal) : get(block.normal); }
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
    HWY_INLINE bool rolls_on() const { return on_rim() || on_curve() || on_cone(); }
    HWY_INLINE bool on_curve() const { return block.curved != block.none; }
    HWY_INLINE CurvedRows& curved_rows() const { return all.curved[block.curved]; }
    HWY_INLINE bool on_cone() const { return P == 2 && block.cone != block.none; }
    HWY_INLINE ConeRows& cone_rows() const { return all.cones[block.cone]; }
    HWY_INLINE Mask<F> cone_lanes() const { // of a block that has some
        const F a = get(cone_rows().wider_a), b = get(cone_rows().wider_b), none = zero<F>();
        return either(either(a > none, none > a), either(b > none, none > b));
    }
    // m, what the arms of a point have of something round, as in Contact.
    HWY_INLINE F round_a(int i) const {
        const F radius = get(block.round_a);
        return i == 1 && on_cone() ? radius + get(cone_rows().wider_a) : radius;
    }
    HWY_INLINE F round_b(int i) const {
        const F radius = get(block.round_b);
        return i == 1 && on_cone() ? radius + get(cone_rows().wider_b) : radius;
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

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
