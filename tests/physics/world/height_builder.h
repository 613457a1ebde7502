// Height fields for the tests.
#pragma once

#include "physics/geometry/height_grid.h"

#include <functional>
#include <memory>

namespace cairn::physics::testing {

template <typename Height>
std::shared_ptr<HeightData> height_data(std::uint32_t columns, std::uint32_t rows, float spacing, Height&& height) {
    auto data = std::make_shared<HeightData>();
    data->columns = columns;
    data->rows = rows;
    data->spacing = spacing;
    for (std::uint32_t j = 0; j < rows; ++j) {
        for (std::uint32_t i = 0; i < columns; ++i) {
            data->heights.push_back(height((static_cast<float>(i) - 0.5f * static_cast<float>(columns - 1)) * spacing,
                                           (static_cast<float>(j) - 0.5f * static_cast<float>(rows - 1)) * spacing));
        }
    }
    return data;
}

inline HeightField level_field(std::uint32_t samples, float spacing) {
    return {height_data(samples, samples, spacing, [](float, float) { return 0.0f; })};
}

// The same surface as a list of triangles, and in which order the field has them.
inline Mesh as_mesh(const HeightField& field) {
    const HeightGrid grid(field.data);
    auto mesh = std::make_shared<MeshData>();
    for (std::uint32_t v = 0; v < grid.vertex_count(); ++v) {
        mesh->vertices.push_back(grid.vertex(v));
    }
    for (std::uint32_t j = 0; j + 1 < field.data->rows; ++j) {
        for (std::uint32_t i = 0; i + 1 < field.data->columns; ++i) {
            for (std::uint32_t half = 0; half < 2 && !grid.is_hole(i, j); ++half) {
                mesh->triangles.push_back(grid.triangle(grid.first_triangle_of(i, j) + half).vertex);
            }
        }
    }
    return {std::move(mesh)};
}

} // namespace cairn::physics::testing
