#include "app/ui/tools/sketch.h"

#include "app/ui/camera/picking.h"
#include "app/ui/widgets/palette.h"
#include "physics/base/math.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui::sketch {

namespace {
constexpr float two_pi = 6.28318531f;
}

void thick_line(render::DrawList& list, const glm::vec3& from, const glm::vec3& to, const glm::vec4& colour,
                float metres_per_unit, int width) {
    const glm::vec3 to_eye = towards_eye(list.camera, 0.5f * (from + to));
    const glm::vec3 side =
        physics::normalized_or(glm::cross(to - from, to_eye), physics::any_perpendicular(glm::vec3(0, 0, 1)));
    for (int i = 0; i < width; ++i) {
        const glm::vec3 offset =
            (static_cast<float>(i) - 0.5f * static_cast<float>(width - 1)) * metres_per_unit * side;
        list.lines.push_back({from + offset, to + offset, colour, true});
    }
}

void ring(render::DrawList& list, const glm::vec3& centre, const glm::vec3& normal, float radius,
          const glm::vec4& colour, bool on_top) {
    constexpr int segments = 48;
    const glm::vec3 u = radius * physics::any_perpendicular(normal), v = glm::cross(normal, u);
    glm::vec3 last = centre + u;
    for (int i = 1; i <= segments; ++i) {
        const float angle = two_pi * static_cast<float>(i) / segments;
        const glm::vec3 next = centre + std::cos(angle) * u + std::sin(angle) * v;
        list.lines.push_back({last, next, colour, on_top});
        last = next;
    }
}

void arrow_head(render::DrawList& list, const glm::vec3& tip, const glm::vec3& direction, float length,
                const glm::vec4& colour) {
    constexpr int ribs = 16;
    const glm::vec3 u = 0.35f * length * physics::any_perpendicular(direction), v = glm::cross(direction, u);
    for (int i = 0; i < ribs; ++i) {
        const float angle = two_pi * static_cast<float>(i) / ribs;
        const glm::vec3 rim = tip - length * direction + std::cos(angle) * u + std::sin(angle) * v;
        list.lines.push_back({tip, rim, colour, true});
    }
}

void spring(render::DrawList& list, const glm::vec3& from, const glm::vec3& to, float metres_per_unit) {
    const glm::vec4 colour(colours::accent(), 1.0f);
    const glm::vec3 to_eye = towards_eye(list.camera, to);
    list.points.push_back({from, colour, 7.0f});
    list.points.push_back({to, colour, 7.0f});
    ring(list, to, to_eye, 9.0f * metres_per_unit, colour);
    const glm::vec3 along = to - from;
    const float length = glm::length(along);
    if (!(length > metres_per_unit)) {
        return; // less than a pixel
    }
    // As many turns and as wide whatever its length: pulled apart it is seen to be longer, not larger.
    constexpr int turns = 10, points_per_turn = 12;
    const glm::vec3 direction = along / length;
    const float radius = 7.0f * metres_per_unit;
    const glm::vec3 u = radius * physics::any_perpendicular(direction), v = glm::cross(direction, u);
    glm::vec3 last = from;
    for (int i = 1; i <= turns * points_per_turn; ++i) {
        const float share = static_cast<float>(i) / (turns * points_per_turn);
        const float angle = two_pi * static_cast<float>(i) / points_per_turn;
        const float reach = std::min({1.0f, 10.0f * share, 10.0f * (1.0f - share)}); // straight at both ends
        const glm::vec3 next = from + share * along + reach * (std::cos(angle) * u + std::sin(angle) * v);
        // Light in front and dark behind: the turns are told apart, before a body of any colour.
        const bool behind = glm::dot(std::cos(angle) * u + std::sin(angle) * v, to_eye) < 0.0f;
        thick_line(list, last, next, glm::vec4(behind ? glm::vec3(0.03f) : glm::vec3(1.0f), 1.0f),
                   0.8f * metres_per_unit, behind ? 3 : 2);
        last = next;
    }
}

} // namespace cairn::ui::sketch
