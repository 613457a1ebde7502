// A height field as it is drawn: tiles, of which only those are made anew whose heights have changed.
#pragma once

#include "physics/geometry/height_grid.h"
#include "physics/geometry/shape.h"
#include "render/renderer.h"

#include <cstdint>
#include <span>

namespace cairn::ui {

class FieldTiles {
  public:
    static constexpr std::uint32_t tile_cells = 64; // along each side, of those that are drawn

    explicit FieldTiles(const physics::HeightData& data) : samples_(physics::drawn_samples(data)) {}

    std::uint32_t columns() const { return tiles_along(samples_.across.size()); }
    std::uint32_t rows() const { return tiles_along(samples_.along.size()); }
    std::uint32_t count() const { return columns() * rows(); }

    // Without triangles where all is a hole. Its edges are those of the whole: no line shows where tiles meet.
    render::Mesh mesh(const physics::HeightGrid& grid, std::uint32_t tile) const;
    // Whether the tile looks otherwise if samples of the region are others.
    bool depends_on(std::uint32_t tile, const physics::HeightRegion& region) const;

  private:
    static std::uint32_t tiles_along(std::size_t samples) {
        return (static_cast<std::uint32_t>(samples) - 2) / tile_cells + 1;
    }
    std::span<const std::uint32_t> across(std::uint32_t tile) const;
    std::span<const std::uint32_t> along(std::uint32_t tile) const;
    bool drawn(const physics::HeightGrid& grid, std::int64_t a, std::int64_t b) const; // the cell is there, and no hole

    physics::DrawnSamples samples_;
};

} // namespace cairn::ui
