#include "physics/geometry/height_grid.h"

#include "physics/base/bytes.h"

#include <limits>
#include <utility>

namespace cairn::physics {

HeightRegion changed_samples(const HeightData& a, const HeightData& b) {
    std::uint32_t left = a.columns, right = 0, low = a.rows, high = 0;
    for (std::size_t k = 0; k < a.heights.blocks().size(); ++k) {
        if (a.heights.blocks()[k] == b.heights.blocks()[k]) {
            continue;
        }
        const std::span<const float> one = a.heights.block(k), other = b.heights.block(k);
        for (std::size_t i = 0; i < one.size(); ++i) {
            if (one[i] == other[i]) {
                continue;
            }
            const std::size_t at = k * Heights::block_size + i;
            const auto column = static_cast<std::uint32_t>(at % a.columns),
                       row = static_cast<std::uint32_t>(at / a.columns);
            left = std::min(left, column);
            right = std::max(right, column + 1);
            low = std::min(low, row);
            high = std::max(high, row + 1);
        }
    }
    return right > left ? HeightRegion{left, low, right - left, high - low} : HeightRegion{};
}

HeightGrid::HeightGrid(std::shared_ptr<const HeightData> data) : data_(std::move(data)) {
    const std::uint32_t columns = data_->columns - 1, rows = data_->rows - 1; // of cells
    middle_x_ = 0.5f * static_cast<float>(columns);
    middle_y_ = 0.5f * static_cast<float>(rows);
    blocks_across_ = (columns + block - 1) / block;
    const std::uint32_t blocks_along = (rows + block - 1) / block;
    blocks_.resize(std::size_t{blocks_across_} * blocks_along);
    reaches_.resize(blocks_.size());
    fit_blocks({0, blocks_across_}, {0, blocks_along});
    fit_bounds();
}

HeightGrid::HeightGrid(const HeightGrid& before, std::shared_ptr<const HeightData> data, const HeightRegion& changed)
    : HeightGrid(before) {
    data_ = std::move(data);
    // A sample on a seam is a corner of the cells on both sides.
    const auto span = [](std::uint32_t first, std::uint32_t count, std::uint32_t cells) {
        return Span{(first > 0 ? first - 1 : 0) / block, (std::min(first + count, cells) - 1) / block + 1};
    };
    fit_blocks(span(changed.column, changed.columns, data_->columns - 1),
               span(changed.row, changed.rows, data_->rows - 1));
    fit_bounds();
}

void HeightGrid::fit_blocks(Span across, Span along) {
    const std::uint32_t columns = data_->columns - 1, rows = data_->rows - 1;
    constexpr float nothing = std::numeric_limits<float>::infinity();
    for (std::uint32_t bj = along.first; bj < along.end; ++bj) {
        for (std::uint32_t bi = across.first; bi < across.end; ++bi) {
            Block of{nothing, -nothing};
            float reach = 0.0f;
            const std::uint32_t end_i = std::min((bi + 1) * block, columns), end_j = std::min((bj + 1) * block, rows);
            for (std::uint32_t j = bj * block; j <= end_j; ++j) {
                for (std::uint32_t i = bi * block; i <= end_i; ++i) {
                    reach = std::max(reach, glm::length(sample(i, j)));
                    if (i == end_i || j == end_j || is_hole(i, j)) {
                        continue;
                    }
                    for (const std::uint32_t k : {0u, 1u}) {
                        const float left = sample(i, j + k).z, right = sample(i + 1, j + k).z;
                        of.low = std::min({of.low, left, right});
                        of.high = std::max({of.high, left, right});
                    }
                }
            }
            blocks_[bj * blocks_across_ + bi] = of;
            reaches_[bj * blocks_across_ + bi] = reach;
        }
    }
}

void HeightGrid::fit_bounds() {
    const std::uint32_t columns = data_->columns - 1, rows = data_->rows - 1;
    bounds_ = Aabb();
    radius_ = 0.0f;
    for (std::uint32_t at = 0; at < blocks_.size(); ++at) {
        const Block& of = blocks_[at];
        radius_ = std::max(radius_, reaches_[at]);
        if (of.low <= of.high) {
            const std::uint32_t i = at % blocks_across_ * block, j = at / blocks_across_ * block;
            Vec3 lower = sample(i, j);
            Vec3 upper = sample(std::min(i + block, columns), std::min(j + block, rows));
            lower.z = of.low;
            upper.z = of.high;
            bounds_ = united(bounds_, {lower, upper});
        }
    }
}

std::optional<float> HeightGrid::height_at(float x, float y) const {
    const double u = in_cells(double(x), middle_x_), v = in_cells(double(y), middle_y_);
    const double columns = double(data_->columns - 1), rows = double(data_->rows - 1);
    if (!(u >= -rounding && v >= -rounding && u <= columns + rounding && v <= rows + rounding)) {
        return std::nullopt;
    }
    const auto i = static_cast<std::uint32_t>(std::clamp(u, 0.0, columns - 1.0));
    const auto j = static_cast<std::uint32_t>(std::clamp(v, 0.0, rows - 1.0));
    if (is_hole(i, j)) {
        return std::nullopt;
    }
    const auto at = [this](std::uint32_t column, std::uint32_t row) {
        return double(data_->heights[std::size_t{row} * data_->columns + column]);
    };
    const double a = u - double(i), b = v - double(j), low = at(i, j), high = at(i + 1, j + 1);
    const double height = a >= b ? low + a * (at(i + 1, j) - low) + b * (high - at(i + 1, j))
                                 : low + b * (at(i, j + 1) - low) + a * (high - at(i, j + 1));
    return static_cast<float>(height);
}

Aabb HeightGrid::bounds_around(const HeightRegion& samples) const {
    const std::uint32_t first_i = samples.column > 0 ? samples.column - 1 : 0;
    const std::uint32_t first_j = samples.row > 0 ? samples.row - 1 : 0;
    const std::uint32_t last_i = std::min(samples.column + samples.columns, data_->columns - 1);
    const std::uint32_t last_j = std::min(samples.row + samples.rows, data_->rows - 1);
    Aabb box;
    for (std::uint32_t j = first_j; j <= last_j; ++j) {
        for (std::uint32_t i = first_i; i <= last_i; ++i) {
            const Vec3 at = sample(i, j);
            box = united(box, {at, at});
        }
    }
    return box;
}

MeshTriangle HeightGrid::triangle(std::uint32_t t) const {
    const std::uint32_t columns = data_->columns, v = t / 2, i = v % columns, j = v / columns;
    const auto cell = [&](bool there, std::uint32_t ci, std::uint32_t cj, std::uint32_t half) {
        return there && !is_hole(ci, cj) ? first_triangle_of(ci, cj) + half : MeshTriangle::none;
    };
    if (t % 2 == 0) { // (i, j), (i + 1, j), (i + 1, j + 1)
        return {{v, v + 1, v + columns + 1}, {cell(j > 0, i, j - 1, 1), cell(i + 2 < columns, i + 1, j, 1), t + 1}};
    }
    return {{v, v + columns + 1, v + columns},
            {t - 1, cell(j + 2 < data_->rows, i, j + 1, 0), cell(i > 0, i - 1, j, 0)}};
}

std::optional<Vec3> HeightGrid::opposite(std::uint32_t t, int k) const {
    const std::uint32_t i = t / 2 % data_->columns, j = t / 2 / data_->columns;
    if (k == (t % 2 == 0 ? 2 : 0)) { // the other half of the cell
        return t % 2 == 0 ? sample(i, j + 1) : sample(i + 1, j);
    }
    if (t % 2 == 0) {
        return k == 0 ? (j > 0 && !is_hole(i, j - 1) ? std::optional(sample(i, j - 1)) : std::nullopt)
                      : (i + 2 < data_->columns && !is_hole(i + 1, j) ? std::optional(sample(i + 2, j + 1))
                                                                      : std::nullopt);
    }
    return k == 1 ? (j + 2 < data_->rows && !is_hole(i, j + 1) ? std::optional(sample(i + 1, j + 2)) : std::nullopt)
                  : (i > 0 && !is_hole(i - 1, j) ? std::optional(sample(i - 1, j)) : std::nullopt);
}

std::size_t HeightGrid::memory_bytes() const {
    return bytes_of(blocks_) + bytes_of(reaches_);
}

} // namespace cairn::physics
