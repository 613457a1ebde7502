#include "physics/solver/joints/joint_blocks.h"

#include "physics/solver/rows/row_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "physics/solver/joints/joint_blocks.cpp"
#include <hwy/foreach_target.h>
// After the line above.
#include "physics/solver/rows/body_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

template <class F>
HWY_INLINE void apply(const BallBlock& block, std::size_t lane, const V3<F>& impulse, Pair<F>& pair) {
    pair.va = pair.va - load<F>(block.inverse_mass_a, lane) * impulse;
    pair.vb = pair.vb + load<F>(block.inverse_mass_b, lane) * impulse;
    pair.wa = pair.wa - load<F>(block.inverse_inertia_a, lane) * cross(load<F>(block.arm_a, lane), impulse);
    pair.wb = pair.wb + load<F>(block.inverse_inertia_b, lane) * cross(load<F>(block.arm_b, lane), impulse);
}

// The compliance of an arm: -[r] I^-1 [r], the velocity of its end by a unit impulse there, but for that of the centre.
template <class F>
HWY_INLINE S3<F> arm_compliance(const S3<F>& m, const V3<F>& r) {
    // Columns of I^-1 [r], of which [r] is turned back.
    const V3<F> x = m * V3<F>{zero<F>(), r.z, zero<F>() - r.y};
    const V3<F> y = m * V3<F>{zero<F>() - r.z, zero<F>(), r.x};
    const V3<F> z = m * V3<F>{r.y, zero<F>() - r.x, zero<F>()};
    return {x.y * r.z - x.z * r.y, y.z * r.x - y.x * r.z, z.x * r.y - z.y * r.x,
            y.y * r.z - y.z * r.y, z.y * r.z - z.z * r.y, z.z * r.x - z.x * r.z};
}

template <class F>
HWY_INLINE void refresh(BallBlock& block, std::size_t lane, const BallWork& work) {
    const std::uint32_t* a = block.motion_a.data() + lane;
    const std::uint32_t* b = block.motion_b.data() + lane;
    const V3<F> start_a = load<F>(block.start_arm_a, lane), start_b = load<F>(block.start_arm_b, lane);
    const Ways<F> ways = load_ways<F>(a, b, work.motions);
    const V3<F> arm_a = rotate(ways.turn_a, start_a);
    const V3<F> arm_b = rotate(ways.turn_b, start_b);
    store(arm_a, block.arm_a, lane);
    store(arm_b, block.arm_b, lane);
    store(load<F>(block.start_offset, lane) + ways.between + ((arm_b - start_b) - (arm_a - start_a)), block.error,
          lane);
    F gravity_scale; // not needed
    const S3<F> inertia_a = gather_inertia<F>(work.inertias, a, gravity_scale);
    const S3<F> inertia_b = gather_inertia<F>(work.inertias, b, gravity_scale);
    store(inertia_a, block.inverse_inertia_a, lane);
    store(inertia_b, block.inverse_inertia_b, lane);
    S3<F> k = arm_compliance(inertia_a, arm_a) + arm_compliance(inertia_b, arm_b);
    const F masses = load<F>(block.inverse_mass_a, lane) + load<F>(block.inverse_mass_b, lane);
    k.xx = k.xx + masses;
    k.yy = k.yy + masses;
    k.zz = k.zz + masses;
    const F one = constant<F>(1.0f);
    const F d_x = one / k.xx;
    const F l_xy = k.xy * d_x, l_xz = k.xz * d_x;
    const F d_y = one / (k.yy - l_xy * k.xy);
    const F l_yz = (k.yz - l_xz * k.xy) * d_y;
    const F d_z = one / ((k.zz - l_xz * k.xz) - l_yz * (k.yz - l_xz * k.xy));
    store(S3<F>{d_x, d_y, d_z, l_xy, l_xz, l_yz}, block.factors, lane);
}

template <class F>
HWY_INLINE V3<F> solved(const S3<F>& f, V3<F> v) {
    v.y = v.y - f.xy * v.x;
    v.z = (v.z - f.xz * v.x) - f.yz * v.y;
    v.z = f.zz * v.z;
    v.y = f.yy * v.y - f.yz * v.z;
    v.x = (f.xx * v.x - f.xy * v.y) - f.xz * v.z;
    return v;
}

template <class F>
HWY_INLINE void warm_start(BallBlock& block, std::size_t lane, const BallWork& work) {
    Pair<F> pair = load_pair<F>(block.motion_a.data() + lane, block.motion_b.data() + lane, work.motions);
    apply(block, lane, load<F>(block.impulse, lane), pair);
    save_pair(pair, block.write_a.data() + lane, block.write_b.data() + lane, work.motions);
}

template <class F>
HWY_INLINE void solve(BallBlock& block, std::size_t lane, const BallWork& work, bool use_bias) {
    Pair<F> pair = load_pair<F>(block.motion_a.data() + lane, block.motion_b.data() + lane, work.motions);
    const V3<F> point_a = pair.va + cross(pair.wa, load<F>(block.arm_a, lane));
    const V3<F> point_b = pair.vb + cross(pair.wb, load<F>(block.arm_b, lane));
    V3<F> speed = point_b - point_a;
    const V3<F> before = load<F>(block.impulse, lane);
    if (use_bias) {
        const V3<F> back = constant<F>(work.bias_rate) * load<F>(block.error, lane);
        const F most = constant<F>(work.most_taken_back);
        const F size2 = dot(back, back);
        const F within = select(size2 > most * most, most / sqrt_of(max_of(size2, most * most)), constant<F>(1.0f));
        speed = speed + within * back;
    }
    V3<F> impulse = constant<F>(-1.0f) * solved(load<F>(block.factors, lane), speed);
    if (use_bias) {
        impulse = constant<F>(work.mass_scale) * impulse - constant<F>(work.impulse_scale) * before;
    }
    store(before + impulse, block.impulse, lane);
    apply(block, lane, impulse, pair);
    save_pair(pair, block.write_a.data() + lane, block.write_b.data() + lane, work.motions);
}

template <class F>
HWY_INLINE void add_up(BallBlock& block, std::size_t lane) {
    store(load<F>(block.sum, lane) + load<F>(block.impulse, lane), block.sum, lane);
}

void run_balls(BallPass pass, std::size_t begin, std::size_t end, const BallWork& work) {
    for (std::size_t i = begin; i < end; ++i) {
        BallBlock& block = work.blocks[i];
        for (std::size_t lane = 0; lane < block_lanes; lane += lanes_of<Wide>) {
            switch (pass) {
            case BallPass::refresh:
                refresh<Wide>(block, lane, work);
                break;
            case BallPass::warm_start:
                warm_start<Wide>(block, lane, work);
                break;
            case BallPass::push:
                solve<Wide>(block, lane, work, true);
                break;
            case BallPass::relax:
                solve<Wide>(block, lane, work, false);
                break;
            case BallPass::add_up:
                add_up<Wide>(block, lane);
                break;
            }
        }
    }
}

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::physics {

HWY_EXPORT(run_balls);

void run_balls(BallPass pass, std::size_t begin, std::size_t end, const BallWork& work) {
    HWY_DYNAMIC_DISPATCH(run_balls)(pass, begin, end, work);
}

} // namespace cairn::physics
#endif
