#include "physics/geometry/highest.h"

// Highway compiles this file once for every vector width and picks one when the program runs.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "physics/geometry/hull/highest.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::detail::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// At most Lanes::block at a time: the padding reaches no farther.
using Tag = hn::CappedTag<double, Lanes::block>;

// The first lane with the greatest height; `height(i)` gives those from lane i on. Every place of the vector keeps the
// first height that nothing after it exceeds, and where it stood, as a double: a whole number far below 2^53. Two
// halves of the points are gone through side by side, since each comparison waits for the one before.
template <typename Height>
HWY_ATTR std::uint32_t first_highest(std::size_t stride, const Height& height) {
    const Tag tag;
    const std::size_t width = hn::Lanes(tag);
    const auto step = hn::Set(tag, static_cast<double>(width));
    const std::size_t half = stride / (2 * width) * width;
    auto low = height(0), high = height(half);
    auto at = hn::Iota(tag, 0.0);
    const auto split = hn::Set(tag, static_cast<double>(half));
    auto low_at = at, high_at = hn::Add(at, split);
    for (std::size_t i = width; i < half; i += width) {
        at = hn::Add(at, step);
        const auto h = height(i);
        const auto higher = hn::Gt(h, low);
        low = hn::IfThenElse(higher, h, low);
        low_at = hn::IfThenElse(higher, at, low_at);
        const auto g = height(half + i);
        const auto also = hn::Gt(g, high);
        high = hn::IfThenElse(also, g, high);
        high_at = hn::IfThenElse(also, hn::Add(at, split), high_at);
    }
    for (std::size_t i = 2 * half; i < stride; i += width) { // of an odd number of vectors the last one
        const auto g = height(i);
        const auto higher = hn::Gt(g, high);
        high = hn::IfThenElse(higher, g, high);
        high_at = hn::IfThenElse(higher, hn::Iota(tag, static_cast<double>(i)), high_at);
    }
    const auto higher = hn::Gt(high, low);
    const auto most = hn::IfThenElse(higher, high, low);
    const auto most_at = hn::IfThenElse(higher, high_at, low_at);
    // The first of those that are as high as the highest; none is if the direction is not a number.
    const auto far = hn::Set(tag, static_cast<double>(stride));
    const auto first = hn::MinOfLanes(tag, hn::IfThenElse(hn::Eq(most, hn::MaxOfLanes(tag, most)), most_at, far));
    const double found = hn::GetLane(first);
    return found < static_cast<double>(stride) ? static_cast<std::uint32_t>(found) : 0;
}

std::uint32_t highest_lane(const double* x, std::size_t stride, double dx, double dy, double dz) {
    const Tag tag;
    const double* y = x + stride;
    const double* z = y + stride;
    const auto vx = hn::Set(tag, dx);
    const auto vy = hn::Set(tag, dy);
    const auto vz = hn::Set(tag, dz);
    return first_highest(stride, [&](std::size_t i) HWY_ATTR {
        const auto xy = hn::Add(hn::Mul(hn::Load(tag, x + i), vx), hn::Mul(hn::Load(tag, y + i), vy));
        return hn::Add(xy, hn::Mul(hn::Load(tag, z + i), vz));
    });
}

std::uint32_t highest_plane(const double* x, std::size_t stride, double px, double py, double pz) {
    const Tag tag;
    const double* y = x + stride;
    const double* z = y + stride;
    const double* offset = z + stride;
    const auto vx = hn::Set(tag, px);
    const auto vy = hn::Set(tag, py);
    const auto vz = hn::Set(tag, pz);
    return first_highest(stride, [&](std::size_t i) HWY_ATTR {
        const auto xy = hn::Add(hn::Mul(hn::Load(tag, x + i), vx), hn::Mul(hn::Load(tag, y + i), vy));
        return hn::Sub(hn::Add(xy, hn::Mul(hn::Load(tag, z + i), vz)), hn::Load(tag, offset + i));
    });
}

} // namespace cairn::physics::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::physics::detail {

HWY_EXPORT(highest_lane);

HWY_EXPORT(highest_plane);

namespace {

// Row `row` of the lanes from value(i) of the points.
template <typename Value>
void fill_row(Lanes& lanes, std::size_t row, const Value& value) {
    for (std::size_t i = 0; i < lanes.stride; ++i) {
        const std::size_t at = i + row * lanes.stride;
        lanes.blocks[at / Lanes::block].values[at % Lanes::block] = value(i < lanes.count ? i : lanes.count - 1);
    }
}

void fill_points(Lanes& lanes, const std::vector<Vec3>& points, std::size_t rows) {
    lanes.count = static_cast<std::uint32_t>(points.size());
    lanes.stride = static_cast<std::uint32_t>((points.size() + Lanes::block - 1) / Lanes::block * Lanes::block);
    lanes.blocks.resize(rows * std::size_t{lanes.stride} / Lanes::block);
    for (int axis = 0; axis < 3; ++axis) {
        fill_row(lanes, static_cast<std::size_t>(axis), [&](std::size_t i) { return double(points[i][axis]); });
    }
}

} // namespace

void Lanes::assign(const std::vector<Vec3>& points) {
    fill_points(*this, points, 3);
}

void Lanes::assign(const std::vector<Vec3>& normals, const std::vector<float>& offsets) {
    fill_points(*this, normals, 4);
    fill_row(*this, 3, [&](std::size_t i) { return double(offsets[i]); });
}

std::uint32_t highest(const Lanes& points, const glm::dvec3& direction) {
    return HWY_DYNAMIC_DISPATCH(highest_lane)(points.blocks.front().values.data(), points.stride, direction.x,
                                              direction.y, direction.z);
}

std::uint32_t highest_over(const Lanes& planes, const glm::dvec3& point) {
    return HWY_DYNAMIC_DISPATCH(highest_plane)(planes.blocks.front().values.data(), planes.stride, point.x, point.y,
                                               point.z);
}

} // namespace cairn::physics::detail
#endif
