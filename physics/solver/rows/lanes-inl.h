// Lanes: the arithmetic of one contact for as many at a time as a vector register holds, and the same for one.
//
// Code that is written for a number type F runs as F = float for a single contact and as F = Wide for a register full
// of them. Both round alike: +, -, *, / and sqrt are exact to the last bit in IEEE 754, and nothing else is used, fused
// multiply-add least of all. Highway compiles this file once for every vector width.
#if defined(CAIRN_SOLVER_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_SOLVER_LANES_INL
#undef CAIRN_SOLVER_LANES_INL
#else
#define CAIRN_SOLVER_LANES_INL
#endif

#include "physics/solver/rows/row_blocks.h"

#include <cmath>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class F>
struct MaskOf {
    using Type = bool;
};

// Number of contacts in an F.
template <class F>
inline constexpr std::size_t lanes_of = 1;

#if HWY_TARGET == HWY_SCALAR
using Wide = float;
#else
using WideTag = hn::CappedTag<float, block_lanes>;
struct Wide {
    hn::Vec<WideTag> v;
};
struct WideMask {
    hn::Mask<WideTag> m;
};
template <>
struct MaskOf<Wide> {
    using Type = WideMask;
};
template <>
inline constexpr std::size_t lanes_of<Wide> = HWY_MAX_BYTES / sizeof(float);
#endif

template <class F>
using Mask = typename MaskOf<F>::Type;

#if HWY_TARGET != HWY_SCALAR
HWY_INLINE Wide operator+(Wide a, Wide b) {
    return {hn::Add(a.v, b.v)};
}
HWY_INLINE Wide operator-(Wide a, Wide b) {
    return {hn::Sub(a.v, b.v)};
}
HWY_INLINE Wide operator*(Wide a, Wide b) {
    return {hn::Mul(a.v, b.v)};
}
HWY_INLINE Wide operator/(Wide a, Wide b) {
    return {hn::Div(a.v, b.v)};
}
HWY_INLINE WideMask operator<(Wide a, Wide b) {
    return {hn::Lt(a.v, b.v)};
}
HWY_INLINE WideMask operator>(Wide a, Wide b) {
    return {hn::Gt(a.v, b.v)};
}
HWY_INLINE WideMask operator<=(Wide a, Wide b) {
    return {hn::Le(a.v, b.v)};
}
HWY_INLINE WideMask operator>=(Wide a, Wide b) {
    return {hn::Ge(a.v, b.v)};
}
HWY_INLINE WideMask operator==(Wide a, Wide b) {
    return {hn::Eq(a.v, b.v)};
}

HWY_INLINE WideMask both(WideMask a, WideMask b) {
    return {hn::And(a.m, b.m)};
}
HWY_INLINE WideMask either(WideMask a, WideMask b) {
    return {hn::Or(a.m, b.m)};
}
HWY_INLINE WideMask neither(WideMask a) {
    return {hn::Not(a.m)};
}
HWY_INLINE WideMask first_without(WideMask a, WideMask b) { // a and not b
    return {hn::And(a.m, hn::Not(b.m))};
}
HWY_INLINE bool any(WideMask a) {
    return !hn::AllFalse(WideTag(), a.m);
}
HWY_INLINE Wide select(WideMask m, Wide yes, Wide no) {
    return {hn::IfThenElse(m.m, yes.v, no.v)};
}
HWY_INLINE Wide sqrt_of(Wide a) {
    return {hn::Sqrt(a.v)};
}
HWY_INLINE Wide max_of(Wide a, Wide b) {
    return select(a > b, a, b);
}
HWY_INLINE Wide min_of(Wide a, Wide b) {
    return select(a < b, a, b);
}

#endif

// What float has by nature and lanes need by name.
HWY_INLINE bool both(bool a, bool b) {
    return a && b;
}
HWY_INLINE bool either(bool a, bool b) {
    return a || b;
}
HWY_INLINE bool neither(bool a) {
    return !a;
}
HWY_INLINE bool first_without(bool a, bool b) {
    return a && !b;
}
HWY_INLINE bool any(bool a) {
    return a;
}
HWY_INLINE float select(bool m, float yes, float no) {
    return m ? yes : no;
}
HWY_INLINE float sqrt_of(float a) {
    return std::sqrt(a);
}
HWY_INLINE float max_of(float a, float b) {
    return a > b ? a : b;
}
HWY_INLINE float min_of(float a, float b) {
    return a < b ? a : b;
}

template <class F>
struct Make;
template <>
struct Make<float> {
    static HWY_INLINE float constant(float x) { return x; }
    static HWY_INLINE float load(const float* from) { return *from; }
    static HWY_INLINE void store(float x, float* to) { *to = x; }
    static HWY_INLINE bool mask(bool x) { return x; }
};
#if HWY_TARGET != HWY_SCALAR
template <>
struct Make<Wide> {
    static HWY_INLINE Wide constant(float x) { return {hn::Set(WideTag(), x)}; }
    static HWY_INLINE Wide load(const float* from) { return {hn::Load(WideTag(), from)}; }
    static HWY_INLINE void store(Wide x, float* to) { hn::Store(x.v, WideTag(), to); }
    static HWY_INLINE WideMask mask(bool x) {
        return {x ? hn::Eq(hn::Zero(WideTag()), hn::Zero(WideTag()))
                  : hn::Lt(hn::Zero(WideTag()), hn::Zero(WideTag()))};
    }
};
#endif

template <class F>
HWY_INLINE F constant(float x) {
    return Make<F>::constant(x);
}
template <class F>
HWY_INLINE F zero() {
    return Make<F>::constant(0.0f);
}

template <class F>
struct V3 {
    F x, y, z;
};

template <class F>
HWY_INLINE V3<F> operator+(const V3<F>& a, const V3<F>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class F>
HWY_INLINE V3<F> operator-(const V3<F>& a, const V3<F>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class F>
HWY_INLINE V3<F> operator*(F s, const V3<F>& a) {
    return {s * a.x, s * a.y, s * a.z};
}
template <class F>
HWY_INLINE F dot(const V3<F>& a, const V3<F>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class F>
HWY_INLINE V3<F> cross(const V3<F>& a, const V3<F>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class F>
HWY_INLINE V3<F> select(const Mask<F>& m, const V3<F>& yes, const V3<F>& no) {
    return {select(m, yes.x, no.x), select(m, yes.y, no.y), select(m, yes.z, no.z)};
}
template <class F>
HWY_INLINE V3<F> zero3() {
    return {zero<F>(), zero<F>(), zero<F>()};
}

// Symmetric.
template <class F>
struct S3 {
    F xx, yy, zz, xy, xz, yz;
};
template <class F>
HWY_INLINE V3<F> operator*(const S3<F>& m, const V3<F>& v) {
    return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
            m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
template <class F>
HWY_INLINE S3<F> operator+(const S3<F>& a, const S3<F>& b) {
    return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}

template <class F>
HWY_INLINE S3<F> select(const Mask<F>& m, const S3<F>& yes, const S3<F>& no) {
    return {select(m, yes.xx, no.xx), select(m, yes.yy, no.yy), select(m, yes.zz, no.zz),
            select(m, yes.xy, no.xy), select(m, yes.xz, no.xz), select(m, yes.yz, no.yz)};
}

template <class F>
struct Q4 {
    F x, y, z, w;
};
template <class F>
HWY_INLINE V3<F> rotate(const Q4<F>& q, const V3<F>& v) {
    const V3<F> u{q.x, q.y, q.z};
    const V3<F> t = constant<F>(2.0f) * cross(u, v);
    return v + q.w * t + cross(u, t);
}
// What the inverse rotation adds to v. Small where q turns little, and so are its errors.
template <class F>
HWY_INLINE V3<F> turned_back_by(const Q4<F>& q, const V3<F>& v) {
    const V3<F> u{q.x, q.y, q.z};
    const V3<F> t = constant<F>(2.0f) * cross(u, v);
    return cross(u, t) - q.w * t;
}

template <class F>
HWY_INLINE F load(const LaneFloats& from, std::size_t lane) {
    return Make<F>::load(from.x.data() + lane);
}
template <class F>
HWY_INLINE V3<F> load(const LaneVec3& from, std::size_t lane) {
    return {load<F>(from.x, lane), load<F>(from.y, lane), load<F>(from.z, lane)};
}
template <class F>
HWY_INLINE S3<F> load(const LaneSymmetric& from, std::size_t lane) {
    return {load<F>(from.xx, lane), load<F>(from.yy, lane), load<F>(from.zz, lane),
            load<F>(from.xy, lane), load<F>(from.xz, lane), load<F>(from.yz, lane)};
}
template <class F>
HWY_INLINE void store(F value, LaneFloats& to, std::size_t lane) {
    Make<F>::store(value, to.x.data() + lane);
}
template <class F>
HWY_INLINE void store(const V3<F>& value, LaneVec3& to, std::size_t lane) {
    store(value.x, to.x, lane);
    store(value.y, to.y, lane);
    store(value.z, to.z, lane);
}
template <class F>
HWY_INLINE void store(const S3<F>& value, LaneSymmetric& to, std::size_t lane) {
    store(value.xx, to.xx, lane);
    store(value.yy, to.yy, lane);
    store(value.zz, to.zz, lane);
    store(value.xy, to.xy, lane);
    store(value.xz, to.xz, lane);
    store(value.yz, to.yz, lane);
}

// Four floats of each of several records that lie anywhere, as four vectors by component, and back. Blocks of 128 bits
// hold one record each; transposed four by four, component k of record 4 b + r comes to lane r of block b.
template <class F>
struct Four {
    F a, b, c, d;
};

#if HWY_TARGET != HWY_SCALAR
HWY_INLINE Four<Wide> transposed(const Four<Wide>& m) {
    const WideTag tag;
    const hn::Repartition<double, WideTag> pairs;
    const auto ab_low = hn::BitCast(pairs, hn::InterleaveLower(tag, m.a.v, m.b.v));
    const auto ab_high = hn::BitCast(pairs, hn::InterleaveUpper(tag, m.a.v, m.b.v));
    const auto cd_low = hn::BitCast(pairs, hn::InterleaveLower(tag, m.c.v, m.d.v));
    const auto cd_high = hn::BitCast(pairs, hn::InterleaveUpper(tag, m.c.v, m.d.v));
    return {{hn::BitCast(tag, hn::InterleaveLower(pairs, ab_low, cd_low))},
            {hn::BitCast(tag, hn::InterleaveUpper(pairs, ab_low, cd_low))},
            {hn::BitCast(tag, hn::InterleaveLower(pairs, ab_high, cd_high))},
            {hn::BitCast(tag, hn::InterleaveUpper(pairs, ab_high, cd_high))}};
}

// The 128 bits at `base + index[r] * stride`, r, r + 4, ... in the blocks of one vector.
HWY_INLINE Wide gather_row(const char* base, std::size_t stride, const std::uint32_t* index, std::size_t r) {
    const hn::Full128<float> one;
    const auto at = [&](std::size_t i)
                        HWY_ATTR { return hn::LoadU(one, reinterpret_cast<const float*>(base + stride * index[i])); };
#if HWY_MAX_BYTES == 16
    return {at(r)};
#elif HWY_MAX_BYTES == 32
    return {hn::Combine(WideTag(), at(r + 4), at(r))};
#else
    const hn::CappedTag<float, 8> half;
    return {hn::Combine(WideTag(), hn::Combine(half, at(r + 12), at(r + 8)), hn::Combine(half, at(r + 4), at(r)))};
#endif
}

HWY_INLINE Four<Wide> gather_four(const char* base, std::size_t stride, const std::uint32_t* index) {
    return transposed({gather_row(base, stride, index, 0), gather_row(base, stride, index, 1),
                       gather_row(base, stride, index, 2), gather_row(base, stride, index, 3)});
}

// Index 0 is written nowhere.
HWY_INLINE void scatter_row(Wide row, char* base, std::size_t stride, const std::uint32_t* index, std::size_t r) {
    const hn::Full128<float> one;
    HWY_ALIGN float out[lanes_of<Wide>];
    hn::Store(row.v, WideTag(), out);
    for (std::size_t block = 0; block < lanes_of<Wide> / 4; ++block) {
        const std::uint32_t i = index[r + 4 * block];
        if (i != 0) {
            hn::Store(hn::Load(one, out + 4 * block), one, reinterpret_cast<float*>(base + stride * i));
        }
    }
}

HWY_INLINE void scatter_four(const Four<Wide>& values, char* base, std::size_t stride, const std::uint32_t* index) {
    const Four<Wide> rows = transposed(values);
    scatter_row(rows.a, base, stride, index, 0);
    scatter_row(rows.b, base, stride, index, 1);
    scatter_row(rows.c, base, stride, index, 2);
    scatter_row(rows.d, base, stride, index, 3);
}

#endif

HWY_INLINE Four<float> gather_one(const char* base, std::size_t stride, const std::uint32_t* index) {
    const float* from = reinterpret_cast<const float*>(base + stride * index[0]);
    return {from[0], from[1], from[2], from[3]};
}
HWY_INLINE void scatter_one(const Four<float>& values, char* base, std::size_t stride, const std::uint32_t* index) {
    if (index[0] != 0) {
        float* to = reinterpret_cast<float*>(base + stride * index[0]);
        to[0] = values.a;
        to[1] = values.b;
        to[2] = values.c;
        to[3] = values.d;
    }
}

template <class F>
HWY_INLINE Four<F> gather(const void* base, std::size_t stride, const std::uint32_t* index) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (lanes_of<F> != 1) {
        return gather_four(static_cast<const char*>(base), stride, index);
    } else
#endif
    {
        return gather_one(static_cast<const char*>(base), stride, index);
    }
}
template <class F>
HWY_INLINE void scatter(const Four<F>& values, void* base, std::size_t stride, const std::uint32_t* index) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (lanes_of<F> != 1) {
        scatter_four(values, static_cast<char*>(base), stride, index);
    } else
#endif
    {
        scatter_one(values, static_cast<char*>(base), stride, index);
    }
}

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
