// Heights over a level grid as triangles, which are made where they are asked for.
#pragma once

#include "physics/geometry/aabb.h"
#include "physics/geometry/geometry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cairn::physics {

using DVec3 = glm::dvec3;

inline constexpr std::uint32_t max_height_samples = 4096; // along each side
inline constexpr float max_height = 1e4f;                 // m, up and down

// The cell that begins at sample (i, j), which there is, becomes a hole.
inline void add_hole(HeightData& data, std::uint32_t i, std::uint32_t j) {
    const std::size_t samples = std::size_t{data.columns} * data.rows, bit = std::size_t{j} * data.columns + i;
    data.holes.resize((samples + 63) / 64, 0);
    data.holes[bit / 64] |= std::uint64_t{1} << (bit % 64);
}

// A rectangle of samples.
struct HeightRegion {
    std::uint32_t column = 0, row = 0; // of the first one
    std::uint32_t columns = 0, rows = 0;
    friend bool operator==(const HeightRegion&, const HeightRegion&) = default;
};

inline HeightRegion united(const HeightRegion& a, const HeightRegion& b) {
    const std::uint32_t column = std::min(a.column, b.column), row = std::min(a.row, b.row);
    return {column, row, std::max(a.column + a.columns, b.column + b.columns) - column,
            std::max(a.row + a.rows, b.row + b.rows) - row};
}

// Of fields of the same samples: where their heights differ; no columns if nowhere. Blocks that they share are not
// looked at.
HeightRegion changed_samples(const HeightData& a, const HeightData& b);

// Three places in a list of vertices, counter-clockwise seen from the front, and the triangles across the edges from
// each to the next.
struct MeshTriangle {
    static constexpr std::uint32_t none = 0xffffffffu; // beside a border

    std::array<std::uint32_t, 3> vertex;
    std::array<std::uint32_t, 3> beside;
};

// Vertex j * columns + i is sample (i, j). The cell that begins there has two triangles, 2 v and 2 v + 1; a hole has
// none. Kept beside the heights are only the lowest and the highest of each block of cells and how far it reaches, 12
// bytes for 256.
class HeightGrid {
  public:
    static constexpr std::uint32_t block = 16; // cells along each side

    explicit HeightGrid(std::shared_ptr<const HeightData> data);
    // The same as of `data` alone, which is what `before` has but for the samples within `changed`: looks at the blocks
    // around these only.
    HeightGrid(const HeightGrid& before, std::shared_ptr<const HeightData> data, const HeightRegion& changed);

    const HeightData& data() const { return *data_; }
    const std::shared_ptr<const HeightData>& shared_data() const { return data_; }
    std::uint32_t vertex_count() const { return data_->columns * data_->rows; }
    std::uint32_t first_triangle_of(std::uint32_t i, std::uint32_t j) const { return 2 * (j * data_->columns + i); }
    bool is_hole(std::uint32_t i, std::uint32_t j) const {
        const std::size_t bit = std::size_t{j} * data_->columns + i;
        return !data_->holes.empty() && (data_->holes[bit / 64] >> (bit % 64) & 1u) != 0;
    }
    Vec3 vertex(std::uint32_t v) const { return sample(v % data_->columns, v / data_->columns); }
    Vec3 sample(std::uint32_t i, std::uint32_t j) const {
        return {(static_cast<float>(i) - middle_x_) * data_->spacing,
                (static_cast<float>(j) - middle_y_) * data_->spacing,
                data_->heights[std::size_t{j} * data_->columns + i]};
    }
    MeshTriangle triangle(std::uint32_t t) const;
    // The corners of triangle(t), of whose vertices each would be divided into row and column again.
    std::array<Vec3, 3> corners(std::uint32_t t) const {
        const std::uint32_t i = t / 2 % data_->columns, j = t / 2 / data_->columns;
        return t % 2 == 0 ? std::array<Vec3, 3>{sample(i, j), sample(i + 1, j), sample(i + 1, j + 1)}
                          : std::array<Vec3, 3>{sample(i, j), sample(i + 1, j + 1), sample(i, j + 1)};
    }
    // The corner of the triangle across the edge from corner k to the next that is not on that edge; none where no
    // triangle is.
    std::optional<Vec3> opposite(std::uint32_t t, int k) const;
    const Aabb& bounds() const { return bounds_; } // of what is no hole
    float radius() const { return radius_; }       // m, of the farthest sample from the origin
    // Of the ground over (x, y), m; nothing beside the field and over holes.
    std::optional<float> height_at(float x, float y) const;
    // Of all triangles that have a corner among these samples.
    Aabb bounds_around(const HeightRegion& samples) const;

    // Calls visit(triangle), in ascending order, for all whose bounds overlap the region.
    template <typename Visit>
    void query(const Aabb& region, Visit&& visit) const {
        const Span across = cells(region.lower.x, region.upper.x, middle_x_, data_->columns - 1);
        const Span along = cells(region.lower.y, region.upper.y, middle_y_, data_->rows - 1);
        for (std::uint32_t j = along.first; j < along.end; ++j) {
            for (std::uint32_t i = across.first; i < across.end;) {
                const Block& near = block_of(i, j);
                if (near.low > region.upper.z || near.high < region.lower.z) {
                    i = (i / block + 1) * block;
                    continue;
                }
                if (!is_hole(i, j)) {
                    visit_cell(i, j, region, visit);
                }
                ++i;
            }
        }
    }

    // Calls visit(triangle) for all that the ray can meet within `until` times its direction, and some beside it;
    // `until` may shrink meanwhile.
    template <typename Visit>
    void along_ray(const DVec3& origin, const DVec3& direction, const double& until, Visit&& visit) const {
        const Ray ray{origin, direction};
        Part whole{0.0, until};
        if (!ray.within(2, double(bounds_.lower.z), double(bounds_.upper.z), whole)) {
            return;
        }
        const std::uint32_t rows = data_->rows - 1, columns = data_->columns - 1;
        for_each_strip(ray, 1, whole, rows, block, [&](std::uint32_t block_row, const Part& in_row) {
            for_each_strip(ray, 0, in_row, columns, block, [&](std::uint32_t block_column, const Part& in_block) {
                const Block& near = blocks_[block_row * blocks_across_ + block_column];
                Part part = in_block;
                if (part.from > until || !ray.within(2, double(near.low), double(near.high), part)) {
                    return;
                }
                for_each_strip(
                    ray, 1, part, rows, 1,
                    [&](std::uint32_t j, const Part& in_cells) {
                        for_each_strip(
                            ray, 0, in_cells, columns, 1,
                            [&](std::uint32_t i, const Part&) {
                                if (!is_hole(i, j)) {
                                    visit(first_triangle_of(i, j));
                                    visit(first_triangle_of(i, j) + 1);
                                }
                            },
                            block_column);
                    },
                    block_row);
            });
        });
    }

    std::size_t memory_bytes() const; // beside the heights, which are shared with whoever made them

  private:
    struct Block {
        float low, high;
    };
    struct Span {
        std::uint32_t first, end;
    };
    void fit_blocks(Span across, Span along); // of blocks
    void fit_bounds();
    struct Part { // of a ray, as multiples of its direction
        double from, to;
    };
    struct Ray {
        DVec3 origin, direction;

        // Cuts the part to where the coordinate lies within; false if nothing is left.
        bool within(int axis, double low, double high, Part& part) const {
            const double slack = 1e-9 * (1.0 + std::abs(low) + std::abs(high));
            low -= slack;
            high += slack;
            if (direction[axis] == 0.0) {
                return origin[axis] >= low && origin[axis] <= high;
            }
            const double a = (low - origin[axis]) / direction[axis], b = (high - origin[axis]) / direction[axis];
            part.from = std::max(part.from, std::min(a, b));
            part.to = std::min(part.to, std::max(a, b));
            return part.from <= part.to;
        }
    };

    // Where samples are rounded, a coordinate may be off by this share of a cell.
    static constexpr double rounding = 2e-3;

    double in_cells(double coordinate, float middle) const {
        return coordinate / double(data_->spacing) + double(middle);
    }
    Span cells(float lower, float upper, float middle, std::uint32_t count) const {
        const double most = double(count);
        const auto within = [most](double x) { return std::min(most, std::max(0.0, x)); }; // what is no number is 0
        const double first = within(std::floor(in_cells(double(lower), middle) - rounding));
        const double end = within(std::floor(in_cells(double(upper), middle) + rounding) + 1.0);
        return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end)};
    }
    const Block& block_of(std::uint32_t i, std::uint32_t j) const {
        return blocks_[j / block * blocks_across_ + i / block];
    }
    Aabb bounds_of_half(std::uint32_t i, std::uint32_t j, bool second) const {
        const Vec3 a = sample(i, j), b = second ? sample(i, j + 1) : sample(i + 1, j), c = sample(i + 1, j + 1);
        return {glm::min(a, glm::min(b, c)), glm::max(a, glm::max(b, c))};
    }
    template <typename Visit>
    void visit_cell(std::uint32_t i, std::uint32_t j, const Aabb& region, Visit& visit) const {
        for (const bool second : {false, true}) {
            if (overlaps(bounds_of_half(i, j, second), region)) {
                visit(first_triangle_of(i, j) + (second ? 1 : 0));
            }
        }
    }

    // The strips of `width` cells across the axis that the part of the ray runs through, in its direction, each with
    // the part within it; `of_block`: those of that block alone.
    template <typename Strip>
    void for_each_strip(const Ray& ray, int axis, const Part& part, std::uint32_t count, std::uint32_t width,
                        Strip&& strip, std::uint32_t of_block = MeshTriangle::none) const {
        const float middle = axis == 0 ? middle_x_ : middle_y_;
        const double at_from = in_cells(ray.origin[axis] + ray.direction[axis] * part.from, middle);
        const double at_to = in_cells(ray.origin[axis] + ray.direction[axis] * part.to, middle);
        double low = 0.0, high = double(count);
        if (of_block != MeshTriangle::none) {
            low = double(of_block * block);
            high = std::min(low + double(block), high);
        }
        low = std::max(low, std::floor(std::min(at_from, at_to) - rounding));
        high = std::min(high, std::floor(std::max(at_from, at_to) + rounding) + 1.0);
        if (!(low < high)) {
            return;
        }
        const auto first = static_cast<std::int64_t>(low) / width, last = (static_cast<std::int64_t>(high) - 1) / width;
        const bool forward = ray.direction[axis] >= 0.0;
        for (std::int64_t k = forward ? first : last; k >= first && k <= last; k += forward ? 1 : -1) {
            const auto place = [&](std::int64_t cell, double beyond) {
                return (double(cell) + beyond - double(middle)) * double(data_->spacing);
            };
            Part within = part;
            if (ray.within(axis, place(k * width, -rounding), place((k + 1) * width, rounding), within)) {
                strip(static_cast<std::uint32_t>(k), within);
            }
        }
    }

    std::shared_ptr<const HeightData> data_;
    float middle_x_ = 0.0f, middle_y_ = 0.0f; // in cells
    std::uint32_t blocks_across_ = 0;
    std::vector<Block> blocks_;
    std::vector<float> reaches_; // m, by block: how far its samples are from the origin at most
    Aabb bounds_;
    float radius_ = 0.0f;
};

} // namespace cairn::physics
