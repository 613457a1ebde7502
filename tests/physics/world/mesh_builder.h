// Surfaces of triangles for the tests.
#pragma once

#include "physics/geometry/geometry.h"

#include <cmath>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace cairn::physics::testing {

// A square of `cells` x `cells` pairs of triangles about the origin, `height(x, y)` high. Its inner corners are moved
// aside at random by up to `jitter` of a cell, so that no edge of it is like another.
template <typename Height>
Mesh make_terrain(int cells, float cell, float jitter, Height&& height) {
    auto data = std::make_shared<MeshData>();
    std::mt19937 random(7);
    const auto aside = [&] { return jitter * cell * (static_cast<float>(random() % 2001) / 1000.0f - 1.0f); };
    const float half = 0.5f * cell * static_cast<float>(cells);
    for (int j = 0; j <= cells; ++j) {
        for (int i = 0; i <= cells; ++i) {
            const bool border = i == 0 || j == 0 || i == cells || j == cells;
            const float x = cell * static_cast<float>(i) - half + (border ? 0.0f : aside());
            const float y = cell * static_cast<float>(j) - half + (border ? 0.0f : aside());
            data->vertices.emplace_back(x, y, height(x, y));
        }
    }
    const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(j * (cells + 1) + i); };
    for (int j = 0; j < cells; ++j) {
        for (int i = 0; i < cells; ++i) {
            const std::uint32_t a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
            if (random() % 2 == 0) {
                data->triangles.push_back({a, b, c});
                data->triangles.push_back({a, c, d});
            } else {
                data->triangles.push_back({a, b, d});
                data->triangles.push_back({b, c, d});
            }
        }
    }
    return {std::move(data)};
}

inline Mesh from_both_sides(const Mesh& mesh) {
    auto data = std::make_shared<MeshData>(*mesh.data);
    data->two_sided = true;
    return {std::move(data)};
}

inline Mesh make_plane(int cells, float cell) {
    return make_terrain(cells, cell, 0.3f, [](float, float) { return 0.0f; });
}

// Hills and hollows, 1 m high or deep, about 12 m apart.
inline float hills(float x, float y) {
    return std::sin(0.5f * x) * std::cos(0.5f * y);
}

} // namespace cairn::physics::testing
