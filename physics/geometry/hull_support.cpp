#include "physics/geometry/hull_support.h"

#include <algorithm>

namespace cairn::physics::detail {

namespace {

std::uint32_t scan(const ConvexHull& hull, const Vec3& direction) {
    std::uint32_t best = 0;
    float best_height = glm::dot(hull.vertices[0], direction);
    for (std::uint32_t i = 1; i < hull.vertices.size(); ++i) {
        const float height = glm::dot(hull.vertices[i], direction);
        if (height > best_height) {
            best_height = height;
            best = i;
        }
    }
    return best;
}

// Cells of the cube map: faces +x -x +y -y +z -z, each cells x cells.
std::uint32_t start_cell(const Vec3& direction, std::uint32_t cells) {
    const Vec3 a = glm::abs(direction);
    const int axis = a.x >= a.y && a.x >= a.z ? 0 : (a.y >= a.z ? 1 : 2);
    const float major = a[axis];
    const auto face = static_cast<std::uint32_t>(2 * axis + (direction[axis] < 0.0f ? 1 : 0));
    if (!(major > 0.0f)) {
        return 0;
    }
    const auto cell = [&](float minor) {
        const float position = (minor / major + 1.0f) * 0.5f * static_cast<float>(cells);
        return std::min(static_cast<std::uint32_t>(position), cells - 1);
    };
    return (face * cells + cell(direction[(axis + 1) % 3])) * cells + cell(direction[(axis + 2) % 3]);
}

Vec3 cell_middle(std::uint32_t face, std::uint32_t u, std::uint32_t v, std::uint32_t cells) {
    const int axis = static_cast<int>(face / 2);
    const float size = 2.0f / static_cast<float>(cells);
    Vec3 direction(0.0f);
    direction[axis] = face % 2 == 0 ? 1.0f : -1.0f;
    direction[(axis + 1) % 3] = (static_cast<float>(u) + 0.5f) * size - 1.0f;
    direction[(axis + 2) % 3] = (static_cast<float>(v) + 0.5f) * size - 1.0f;
    return direction;
}

} // namespace

void fill_support_starts(ConvexHull& hull) {
    if (hull.vertices.size() <= scan_limit) {
        return;
    }
    hull.start_cells = hull.vertices.size() <= 256 ? 4 : 8;
    for (std::uint32_t face = 0; face < 6; ++face) {
        for (std::uint32_t u = 0; u < hull.start_cells; ++u) {
            for (std::uint32_t v = 0; v < hull.start_cells; ++v) {
                const Vec3 direction = cell_middle(face, u, v, hull.start_cells);
                hull.start_vertices.push_back(static_cast<std::uint16_t>(scan(hull, direction)));
            }
        }
    }
}

std::uint32_t support_vertex(const ConvexHull& hull, const Vec3& direction) {
    if (hull.start_cells == 0) {
        return scan(hull, direction);
    }
    std::uint32_t current = hull.start_vertices[start_cell(direction, hull.start_cells)];
    // On a convex polyhedron a vertex that is not the highest has a neighbour that is strictly higher, so a plateau
    // below the top cannot stop the climb. The rise is taken from differences of vertices: its rounding is then
    // relative to the edge, not to the hull, and short edges do not drown in it.
    for (std::size_t step = 0; step < hull.vertices.size(); ++step) {
        std::uint32_t best = current;
        float best_rise = 0.0f;
        for (std::uint32_t n = hull.neighbour_start[current]; n < hull.neighbour_start[current + 1]; ++n) {
            const std::uint32_t other = hull.neighbours[n];
            const float rise = glm::dot(hull.vertices[other] - hull.vertices[current], direction);
            if (rise > best_rise) {
                best_rise = rise;
                best = other;
            }
        }
        if (best == current) {
            break;
        }
        current = best;
    }
    return current;
}

} // namespace cairn::physics::detail
