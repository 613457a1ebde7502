#include "physics/solver/row_passes.h"

// Highway compiles this file once for every vector width and picks one when the program runs. Widths that differ in
// instructions alone would gain nothing here.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "physics/solver/row_passes.cpp"
#include <hwy/foreach_target.h>
// After the line above.
#include "physics/solver/row_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

template <class F, int P>
HWY_INLINE void prepare(const Rows<F, P>& rows, const RowWork& work) {
    RowBlock<P>& block = rows.block;
    const ContactSolverSettings& settings = work.settings;
    const auto mass = [&](const std::uint32_t* index)
                          HWY_ATTR { return gather<F>(&work.motions->linear_velocity, sizeof(BodyMotion), index).d; };
    rows.set(block.inverse_mass_a, mass(rows.motion_a()));
    rows.set(block.inverse_mass_b, mass(rows.motion_b()));
    const S3<F> inertia_a = gather_inertia<F>(work.inertias, rows.motion_a());
    const S3<F> inertia_b = gather_inertia<F>(work.inertias, rows.motion_b());
    rows.set(block.inverse_inertia_a, inertia_a);
    rows.set(block.inverse_inertia_b, inertia_b);
    const F none = zero<F>();
    const F share = constant<F>(settings.warm_starting ? settings.plain_substeps : 0.0f);
    if (block.rolling) {
        const S3<F> inverse = inverse_of(inertia_a + inertia_b);
        const F rolls = select(rows.get(block.rolling_arm) > none, constant<F>(1.0f), none);
        rows.set(block.rolling_mass, S3<F>{rolls * inverse.xx, rolls * inverse.yy, rolls * inverse.zz,
                                           rolls * inverse.xy, rolls * inverse.xz, rolls * inverse.yz});
        rows.set(block.rolling_impulse, (rolls * share) * rows.get(block.rolling_impulse));
    }
    const V3<F> n = rows.get(block.normal);
    const V3<F> t1 = perpendicular(n);
    const V3<F> t2 = cross(n, t1);
    rows.set(block.tangent_1, t1);
    rows.set(block.tangent_2, t2);
    for (int i = 0; i < P; ++i) {
        RowPoint& point = rows.point(i);
        // The anchors lie halfway between the surfaces. Apart, each arm must end on its own surface: that is what turns
        // with the body, and what the other meets when the gap is closed.
        const F separation = rows.get(point.base_separation);
        const F gap = max_of(separation, none);
        const V3<F> half_gap = (constant<F>(0.5f) * gap) * n;
        const V3<F> arm_a = rows.get(point.start_arm_a) - half_gap;
        const V3<F> arm_b = rows.get(point.start_arm_b) + half_gap;
        rows.set(point.start_gap, gap);
        rows.set(point.start_arm_a, arm_a);
        rows.set(point.start_arm_b, arm_b);
        rows.set(point.base_separation, separation - dot(arm_b - arm_a, n));
        const V3<F> friction{rows.get(point.step_normal_impulse), rows.get(point.step_tangent_impulse_1),
                             rows.get(point.step_tangent_impulse_2)};
        rows.set(point.normal_impulse, share * rows.get(point.normal_impulse));
        rows.set(point.tangent_impulse_1, share * dot(friction, t1));
        rows.set(point.tangent_impulse_2, share * dot(friction, t2));
        rows.set(point.step_normal_impulse, none);
        rows.set(point.step_tangent_impulse_1, none);
        rows.set(point.step_tangent_impulse_2, none);
    }
    set_levers<F, P>(rows, settings);
}

template <RowPass Pass, bool Balls, class F, int P>
HWY_INLINE void pass_over(const Rows<F, P>& rows, const RowWork& work) {
    if constexpr (Pass == RowPass::prepare) {
        prepare(rows, work);
        return;
    }
    if constexpr (Pass == RowPass::turn) {
        turn_arms<Balls>(rows, rows.ways(work.motions), work.inertias, work.settings);
        return;
    }
    if constexpr (Pass == RowPass::warm_start) {
        Pair<F> pair = rows.pair(work.motions);
        warm_start(rows, pair);
        rows.save(pair, work.motions);
    }
    if constexpr (Pass == RowPass::push || Pass == RowPass::relax) {
        const Ways<F> ways = rows.ways(work.motions);
        if constexpr (Pass == RowPass::relax) {
            turn_arms<Balls>(rows, ways, work.inertias, work.settings);
        }
        Pair<F> pair = rows.pair(work.motions);
        solve_rows<Pass == RowPass::push, Balls>(rows, pair, ways, work.settings);
        rows.save(pair, work.motions);
        if constexpr (Pass == RowPass::relax) {
            accumulate(rows);
        }
    }
}

template <RowPass Pass, bool Balls, int P>
void pass_over_blocks(std::vector<RowBlock<P>>& blocks, std::size_t begin, std::size_t end, const RowWork& work) {
    constexpr std::size_t width = lanes_of<Wide>;
    for (std::size_t i = begin; i < end; ++i) {
        for (std::size_t lane = 0; lane < blocks[i].used; lane += width) {
            pass_over<Pass, Balls>(Rows<Wide, P>{blocks[i], lane}, work);
        }
    }
}

template <RowPass Pass>
void pass_over_kind(RowKind kind, std::size_t begin, std::size_t end, const RowWork& work) {
    RowBlocks& blocks = *work.blocks;
    switch (kind) {
    case RowKind::balls:
        pass_over_blocks<Pass, true>(blocks.balls, begin, end, work);
        break;
    case RowKind::one:
        pass_over_blocks<Pass, false>(blocks.one, begin, end, work);
        break;
    case RowKind::two:
        pass_over_blocks<Pass, false>(blocks.two, begin, end, work);
        break;
    case RowKind::four:
        pass_over_blocks<Pass, false>(blocks.four, begin, end, work);
        break;
    }
}

void run_rows(RowPass pass, RowKind kind, std::size_t begin, std::size_t end, const RowWork& work) {
    switch (pass) {
    case RowPass::prepare:
        pass_over_kind<RowPass::prepare>(kind, begin, end, work);
        break;
    case RowPass::turn:
        pass_over_kind<RowPass::turn>(kind, begin, end, work);
        break;
    case RowPass::warm_start:
        pass_over_kind<RowPass::warm_start>(kind, begin, end, work);
        break;
    case RowPass::push:
        pass_over_kind<RowPass::push>(kind, begin, end, work);
        break;
    case RowPass::relax:
        pass_over_kind<RowPass::relax>(kind, begin, end, work);
        break;
    }
}

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::physics {

HWY_EXPORT(run_rows);

void run_rows(RowPass pass, RowKind kind, std::size_t begin, std::size_t end, const RowWork& work) {
    HWY_DYNAMIC_DISPATCH(run_rows)(pass, kind, begin, end, work);
}

} // namespace cairn::physics
#endif
