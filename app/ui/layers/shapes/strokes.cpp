#include "app/ui/layers/shapes/strokes.h"

#include <algorithm>
#include <array>

namespace cairn::ui {

void add_line(render::DrawList& list, const glm::vec3& from, const glm::vec3& to, const glm::vec4& colour,
              bool on_top) {
    list.lines.push_back({from, to, colour, on_top});
}

void add_arrow(render::DrawList& list, const glm::vec3& from, const glm::vec3& vector, const glm::vec4& colour) {
    const float length = glm::length(vector);
    if (!(length > 1e-4f)) {
        return;
    }
    const glm::vec3 along = vector / length;
    const glm::vec3 side = physics::any_perpendicular(along);
    const float head = std::min(0.25f * length, 0.25f);
    const glm::vec3 tip = from + vector;
    add_line(list, from, tip, colour);
    add_line(list, tip, tip - head * along + 0.5f * head * side, colour);
    add_line(list, tip, tip - head * along - 0.5f * head * side, colour);
}

void add_cross(render::DrawList& list, const glm::vec3& middle, const glm::vec4& colour) {
    constexpr float reach = 0.12f; // m
    for (int axis = 0; axis < 3; ++axis) {
        glm::vec3 arm(0.0f);
        arm[axis] = reach;
        add_line(list, middle - arm, middle + arm, colour);
    }
}

void add_box_edges(render::DrawList& list, const physics::Aabb& box, const glm::vec4& colour, bool on_top,
                   const physics::Transform& frame) {
    std::array<glm::vec3, 8> corners;
    for (unsigned i = 0; i < 8; ++i) {
        const glm::vec3 local((i & 1) != 0 ? box.upper.x : box.lower.x, (i & 2) != 0 ? box.upper.y : box.lower.y,
                              (i & 4) != 0 ? box.upper.z : box.lower.z);
        corners[i] = frame.position + physics::rotate(frame.orientation, local);
    }
    for (unsigned i = 0; i < 8; ++i) {
        for (unsigned bit = 1; bit < 8; bit *= 2) {
            if ((i & bit) == 0) {
                add_line(list, corners[i], corners[i | bit], colour, on_top);
            }
        }
    }
}

} // namespace cairn::ui
