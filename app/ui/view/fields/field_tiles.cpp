#include "app/ui/view/fields/field_tiles.h"

#include <algorithm>

namespace cairn::ui {

namespace {

// With both ends of the tile's cells.
std::span<const std::uint32_t> part_of_line(const std::vector<std::uint32_t>& samples, std::uint32_t tile) {
    const std::size_t first = std::size_t{tile} * FieldTiles::tile_cells;
    return std::span(samples).subspan(first, std::min<std::size_t>(FieldTiles::tile_cells + 1, samples.size() - first));
}

// Normals follow from the samples on both sides.
bool reaches(std::span<const std::uint32_t> samples, std::uint32_t first, std::uint32_t count) {
    return first <= samples.back() + 1 && first + count + 1 > samples.front();
}

} // namespace

std::span<const std::uint32_t> FieldTiles::across(std::uint32_t tile) const {
    return part_of_line(samples_.across, tile % columns());
}

std::span<const std::uint32_t> FieldTiles::along(std::uint32_t tile) const {
    return part_of_line(samples_.along, tile / columns());
}

bool FieldTiles::depends_on(std::uint32_t tile, const physics::HeightRegion& region) const {
    return reaches(across(tile), region.column, region.columns) && reaches(along(tile), region.row, region.rows);
}

bool FieldTiles::drawn(const physics::HeightGrid& grid, std::int64_t a, std::int64_t b) const {
    const auto cells_across = static_cast<std::int64_t>(samples_.across.size()) - 1;
    const auto cells_along = static_cast<std::int64_t>(samples_.along.size()) - 1;
    if (a < 0 || b < 0 || a >= cells_across || b >= cells_along) {
        return false;
    }
    if (grid.data().holes.empty()) {
        return true;
    }
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    for (std::uint32_t row = samples_.along[j]; row < samples_.along[j + 1]; ++row) {
        for (std::uint32_t column = samples_.across[i]; column < samples_.across[i + 1]; ++column) {
            if (grid.is_hole(column, row)) {
                return false;
            }
        }
    }
    return true;
}

render::Mesh FieldTiles::mesh(const physics::HeightGrid& grid, std::uint32_t tile) const {
    const std::span<const std::uint32_t> across = this->across(tile), along = this->along(tile);
    render::Mesh out;
    out.open = true; // who looks from below sees the ground, too
    out.positions.reserve(across.size() * along.size());
    out.normals.reserve(across.size() * along.size());
    for (const std::uint32_t j : along) {
        for (const std::uint32_t i : across) {
            out.positions.push_back(grid.sample(i, j));
            out.normals.push_back(physics::drawn_normal(grid, i, j));
        }
    }
    const auto width = static_cast<std::uint32_t>(across.size());
    const std::int64_t first_a = tile % columns() * tile_cells, first_b = tile / columns() * tile_cells;
    for (std::uint32_t b = 0; b + 1 < along.size(); ++b) {
        for (std::uint32_t a = 0; a + 1 < width; ++a) {
            const std::int64_t cell_a = first_a + a, cell_b = first_b + b;
            if (!drawn(grid, cell_a, cell_b)) {
                continue;
            }
            const std::uint32_t v = b * width + a;
            out.triangles.insert(out.triangles.end(), {v, v + 1, v + width + 1, v, v + width + 1, v + width});
            const auto ends = [&](std::int64_t da, std::int64_t db) {
                return drawn(grid, cell_a + da, cell_b + db) ? 0.0f : 1.0f;
            };
            // Opposite to each corner; the diagonal is none.
            out.creases.emplace_back(ends(1, 0), 0.0f, ends(0, -1));
            out.creases.emplace_back(ends(0, 1), ends(-1, 0), 0.0f);
        }
    }
    return out;
}

} // namespace cairn::ui
