#include "physics/geometry/height_grid.h"

#include "physics/base/bytes.h"

#include <limits>
#include <utility>

namespace cairn::physics {

HeightGrid::HeightGrid(std::shared_ptr<const HeightData> data) : data_(std::move(data)) {
    const std::uint32_t columns = data_->columns - 1, rows = data_->rows - 1; // of cells
    middle_x_ = 0.5f * static_cast<float>(columns);
    middle_y_ = 0.5f * static_cast<float>(rows);
    blocks_across_ = (columns + block - 1) / block;
    const std::uint32_t blocks_along = (rows + block - 1) / block;
    constexpr float nothing = std::numeric_limits<float>::infinity();
    blocks_.assign(std::size_t{blocks_across_} * blocks_along, {nothing, -nothing});
    for (std::uint32_t j = 0; j < rows; ++j) {
        for (std::uint32_t i = 0; i < columns; ++i) {
            if (is_hole(i, j)) {
                continue;
            }
            Block& of = blocks_[j / block * blocks_across_ + i / block];
            for (const std::size_t k : {0u, 1u}) {
                const float* pair = &data_->heights[(j + k) * data_->columns + i];
                of.low = std::min({of.low, pair[0], pair[1]});
                of.high = std::max({of.high, pair[0], pair[1]});
            }
        }
    }
    for (std::uint32_t bj = 0; bj < blocks_along; ++bj) {
        for (std::uint32_t bi = 0; bi < blocks_across_; ++bi) {
            const Block& of = blocks_[bj * blocks_across_ + bi];
            if (of.low <= of.high) {
                Vec3 lower = sample(bi * block, bj * block);
                Vec3 upper = sample(std::min((bi + 1) * block, columns), std::min((bj + 1) * block, rows));
                lower.z = of.low;
                upper.z = of.high;
                bounds_ = united(bounds_, {lower, upper});
            }
        }
    }
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
    return bytes_of(blocks_);
}

} // namespace cairn::physics
