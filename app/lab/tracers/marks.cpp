#include "app/lab/tracers/tracers.h"

#include <algorithm>

namespace cairn::core::lab {

using physics::SupportPoint;

int Numbering::number_of(const SupportPoint& point) {
    const auto at = std::ranges::find(points_, point.w, &SupportPoint::w);
    if (at != points_.end()) {
        return static_cast<int>(at - points_.begin()) + 1;
    }
    points_.push_back(point);
    return static_cast<int>(points_.size());
}

Figure marks_of(const Surface& surface) {
    constexpr int most_numbered = 24; // more vertices than these are drawn without their numbers
    Figure out;
    std::vector<bool> used;
    for (const auto& face : surface.faces) {
        const auto at = [&](std::size_t i) { return (*surface.vertices)[static_cast<std::size_t>(face[i])]; };
        out.facets.push_back({{at(0), at(1), at(2)}, Role::simplex});
        for (std::size_t i = 0; i < 3; ++i) {
            const auto p = static_cast<std::size_t>(face[i]);
            const auto q = static_cast<std::size_t>(face[(i + 1) % 3]);
            if (p < q) { // each edge once: its other face has it the other way round
                out.strokes.push_back({(*surface.vertices)[p], (*surface.vertices)[q], Role::simplex, false, {}});
            }
            used.resize(std::max(used.size(), p + 1));
            used[p] = true;
        }
    }
    for (std::size_t i = 0; i < used.size(); ++i) {
        if (used[i]) {
            const bool numbered = used.size() <= most_numbered;
            out.dots.push_back(
                {(*surface.vertices)[i], Role::simplex, numbered ? std::to_string(i + 1) : std::string()});
        }
    }
    return out;
}

void mark_vertex(LabStep& step, const Scenery& scenery, const SupportPoint& point, int number, Role role) {
    const std::string name = std::to_string(number);
    step.difference.dots.push_back({scenery.frame.direction(point.w), role, name});
    step.world.dots.push_back({scenery.frame.point(point.a), Role::witness_a, name});
    step.world.dots.push_back({scenery.frame.point(point.b()), Role::witness_b, name});
}

void mark_simplex(LabStep& step, const Scenery& scenery, const std::vector<SupportPoint>& vertices, Role role) {
    const std::size_t count = vertices.size();
    const auto at = [&](std::size_t i) { return scenery.frame.direction(vertices[i].w); };
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = i + 1; k < count; ++k) {
            step.difference.strokes.push_back({at(i), at(k), role, false, {}});
            for (std::size_t l = k + 1; l < count; ++l) {
                step.difference.facets.push_back({{at(i), at(k), at(l)}, role});
            }
        }
    }
}

void mark_plane(LabStep& step, const Scenery& scenery, const DVec3& direction, const DVec3& w, Role role) {
    const DVec3 n = scenery.frame.direction(direction);
    const DVec3 middle = scenery.frame.direction(w);
    const DVec3 axis = std::abs(n.z) < 0.9 ? DVec3(0.0, 0.0, 1.0) : DVec3(1.0, 0.0, 0.0);
    const DVec3 x = glm::normalize(glm::cross(n, axis)) * (0.35 * scenery.size);
    const DVec3 y = glm::cross(n, x);
    const std::array<DVec3, 4> corner{middle + x + y, middle - x + y, middle - x - y, middle + x - y};
    for (std::size_t i = 0; i < 4; ++i) {
        step.difference.strokes.push_back({corner[i], corner[(i + 1) % 4], role, false, {}});
    }
    step.difference.facets.push_back({{corner[0], corner[1], corner[2]}, role});
    step.difference.facets.push_back({{corner[0], corner[2], corner[3]}, role});
}

void mark_answer(LabStep& step, const DVec3& point_a, const DVec3& point_b, const DVec3& normal, double size) {
    step.world.dots.push_back({point_a, Role::witness_a, "a"});
    step.world.dots.push_back({point_b, Role::witness_b, "b"});
    step.world.strokes.push_back({point_a, point_b, Role::nearest, false, {}});
    step.world.strokes.push_back({point_a, point_a + normal * (0.25 * size), Role::normal, true, {}});
}

} // namespace cairn::core::lab
