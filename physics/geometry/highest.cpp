#include "physics/geometry/highest.h"

#include <bit>

// Highway compiles this file once for every vector width and picks one when the program runs.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "physics/geometry/highest.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

std::uint32_t highest_lane(const double* x, std::size_t stride, double dx, double dy, double dz) {
    // At most Lanes::block at a time: the padding reaches no farther.
    const hn::CappedTag<double, Lanes::block> tag;
    const std::size_t width = hn::Lanes(tag);
    const double* y = x + stride;
    const double* z = y + stride;
    const auto vx = hn::Set(tag, dx);
    const auto vy = hn::Set(tag, dy);
    const auto vz = hn::Set(tag, dz);
    const auto height = [&](std::size_t i) HWY_ATTR {
        const auto xy = hn::Add(hn::Mul(hn::Load(tag, x + i), vx), hn::Mul(hn::Load(tag, y + i), vy));
        return hn::Add(xy, hn::Mul(hn::Load(tag, z + i), vz));
    };
    // First the greatest height, of which no order of comparing changes anything, then the first point that has it.
    constexpr std::size_t few = 64;
    if (stride <= few) {
        // One bit for every point: nothing branches on where the winner lies.
        HWY_ALIGN double heights[few];
        auto most = height(0);
        hn::Store(most, tag, heights);
        for (std::size_t i = width; i < stride; i += width) {
            const auto h = height(i);
            hn::Store(h, tag, heights + i);
            most = hn::Max(most, h);
        }
        const auto greatest = hn::MaxOfLanes(tag, most);
        std::uint64_t winners = 0;
        for (std::size_t i = 0; i < stride; i += width) {
            std::uint8_t bits[8] = {};
            hn::StoreMaskBits(tag, hn::Eq(hn::Load(tag, heights + i), greatest), bits);
            winners |= std::uint64_t{bits[0]} << i;
        }
        return winners != 0 ? static_cast<std::uint32_t>(std::countr_zero(winners)) : 0;
    }
    auto most = height(0);
    for (std::size_t i = width; i < stride; i += width) {
        most = hn::Max(most, height(i));
    }
    const auto greatest = hn::MaxOfLanes(tag, most);
    for (std::size_t i = 0; i < stride; i += width) {
        const std::intptr_t lane = hn::FindFirstTrue(tag, hn::Eq(height(i), greatest));
        if (lane >= 0) {
            return static_cast<std::uint32_t>(i + static_cast<std::size_t>(lane));
        }
    }
    return 0; // a direction that is not a number
}

} // namespace cairn::physics::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::physics::detail {

HWY_EXPORT(highest_lane);

void Lanes::assign(const std::vector<Vec3>& points) {
    count = static_cast<std::uint32_t>(points.size());
    stride = static_cast<std::uint32_t>((points.size() + block - 1) / block * block);
    blocks.resize(3 * std::size_t{stride} / block);
    for (std::size_t i = 0; i < stride; ++i) {
        const glm::dvec3 p(points[i < count ? i : count - 1]);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::size_t at = i + axis * stride;
            blocks[at / block].values[at % block] = p[static_cast<int>(axis)];
        }
    }
}

std::uint32_t highest(const Lanes& points, const glm::dvec3& direction) {
    return HWY_DYNAMIC_DISPATCH(highest_lane)(points.blocks.front().values.data(), points.stride, direction.x,
                                              direction.y, direction.z);
}

} // namespace cairn::physics::detail
#endif
