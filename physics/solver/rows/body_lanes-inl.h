// The bodies of each lane: what rows gather of them and scatter back.
#if defined(CAIRN_SOLVER_BODY_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_SOLVER_BODY_LANES_INL
#undef CAIRN_SOLVER_BODY_LANES_INL
#else
#define CAIRN_SOLVER_BODY_LANES_INL
#endif

#include "physics/solver/rows/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

// The velocities of both bodies: loaded once, stored once per pass.
template <class F>
struct Pair {
    V3<F> va, wa, vb, wb;
    F mass_a, mass_b, rest_a, rest_b; // what else lies in the same words
};

template <class F>
HWY_INLINE Pair<F> load_pair(const std::uint32_t* a, const std::uint32_t* b, const BodyMotion* motions) {
    constexpr std::size_t stride = sizeof(BodyMotion);
    const Four<F> va = gather<F>(&motions->linear_velocity, stride, a);
    const Four<F> wa = gather<F>(&motions->angular_velocity, stride, a);
    const Four<F> vb = gather<F>(&motions->linear_velocity, stride, b);
    const Four<F> wb = gather<F>(&motions->angular_velocity, stride, b);
    return {{va.a, va.b, va.c}, {wa.a, wa.b, wa.c}, {vb.a, vb.b, vb.c}, {wb.a, wb.b, wb.c}, va.d, vb.d, wa.d, wb.d};
}

template <class F>
HWY_INLINE void save_pair(const Pair<F>& pair, const std::uint32_t* a, const std::uint32_t* b, BodyMotion* motions) {
    constexpr std::size_t stride = sizeof(BodyMotion);
    scatter<F>({pair.va.x, pair.va.y, pair.va.z, pair.mass_a}, &motions->linear_velocity, stride, a);
    scatter<F>({pair.wa.x, pair.wa.y, pair.wa.z, pair.rest_a}, &motions->angular_velocity, stride, a);
    scatter<F>({pair.vb.x, pair.vb.y, pair.vb.z, pair.mass_b}, &motions->linear_velocity, stride, b);
    scatter<F>({pair.wb.x, pair.wb.y, pair.wb.z, pair.rest_b}, &motions->angular_velocity, stride, b);
}

// How far both bodies have come since the start of the step.
template <class F>
struct Ways {
    V3<F> between; // of B less that of A, m
    Q4<F> turn_a, turn_b;
};

template <class F>
HWY_INLINE Ways<F> load_ways(const std::uint32_t* a, const std::uint32_t* b, const BodyMotion* motions) {
    constexpr std::size_t stride = sizeof(BodyMotion);
    const Four<F> pa = gather<F>(&motions->delta_position, stride, a);
    const Four<F> pb = gather<F>(&motions->delta_position, stride, b);
    const Four<F> qa = gather<F>(&motions->delta_rotation, stride, a);
    const Four<F> qb = gather<F>(&motions->delta_rotation, stride, b);
    return {{pb.a - pa.a, pb.b - pa.b, pb.c - pa.c}, {qa.a, qa.b, qa.c, qa.d}, {qb.a, qb.b, qb.c, qb.d}};
}

template <class F>
HWY_INLINE S3<F> gather_inertia(const BodyInertia* inertias, const std::uint32_t* index, F& gravity_scale,
                                F& own_inverse_mass) {
    const char* base = reinterpret_cast<const char*>(inertias);
    const Four<F> first = gather<F>(base, sizeof(BodyInertia), index);
    const Four<F> second = gather<F>(base + 4 * sizeof(float), sizeof(BodyInertia), index);
    gravity_scale = second.c;
    own_inverse_mass = second.d;
    return {first.a, first.b, first.c, first.d, second.a, second.b};
}

template <class F>
HWY_INLINE S3<F> gather_inertia(const BodyInertia* inertias, const std::uint32_t* index, F& gravity_scale) {
    F own_inverse_mass;
    return gather_inertia<F>(inertias, index, gravity_scale, own_inverse_mass);
}

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
