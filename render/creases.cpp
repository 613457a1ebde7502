#include "render/creases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace cairn::render {

namespace {

constexpr float smooth_below = 0.10f, sharp_above = 0.52f; // rad, about 6 and 30 degrees

float sharpness(float angle) {
    const float t = std::clamp((angle - smooth_below) / (sharp_above - smooth_below), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

float angle_between(const glm::vec3& a, const glm::vec3& b) {
    return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

using Place = std::array<float, 3>;

Place place_of(const glm::vec3& p) {
    return {p.x + 0.0f, p.y + 0.0f, p.z + 0.0f}; // -0 becomes 0
}

} // namespace

std::vector<glm::vec3> crease_strengths(const Mesh& mesh) {
    const std::size_t triangles = mesh.triangles.size() / 3;
    std::vector<glm::vec3> strengths(triangles, glm::vec3(1.0f));
    // Facets have vertices of their own, so neighbours are known by where their corners are.
    struct Side {
        std::size_t triangle;
        int opposite;
        std::uint32_t from, to; // vertices, the lower place first
    };
    std::map<std::pair<Place, Place>, Side> open;
    for (std::size_t t = 0; t < triangles; ++t) {
        for (int corner = 0; corner < 3; ++corner) {
            const auto vertex = [&](int i) {
                return mesh.triangles[3 * t + static_cast<std::size_t>((corner + i) % 3)];
            };
            Side side{t, corner, vertex(1), vertex(2)};
            auto ends = std::pair(place_of(mesh.positions[side.from]), place_of(mesh.positions[side.to]));
            if (ends.second < ends.first) {
                std::swap(ends.first, ends.second);
                std::swap(side.from, side.to);
            }
            const auto [other, fresh] = open.try_emplace(ends, side);
            if (fresh) {
                continue;
            }
            // The normals of one end alone may differ at the tip of a cone.
            const float angle = std::min(angle_between(mesh.normals[side.from], mesh.normals[other->second.from]),
                                         angle_between(mesh.normals[side.to], mesh.normals[other->second.to]));
            strengths[t][corner] = strengths[other->second.triangle][other->second.opposite] = sharpness(angle);
        }
    }
    return strengths;
}

} // namespace cairn::render
