// The limits of the open joint as a scale in the world, on which they are shown and dragged.
#pragma once

#include "app/ui/context/context.h"
#include "app/ui/tools/tool.h"

#include <optional>

namespace cairn::ui {

// As it is drawn: of a body's frame, or of the world's.
physics::Transform drawn_frame(const Context& ctx, physics::BodyId body, const physics::Transform& frame);

// Whether `point`, m, is shown where `at` is, window units.
bool near_point(const Context& ctx, const glm::vec3& point, const glm::vec2& at);

// An arc about the joint's axis, or the line along it.
struct LimitScale {
    physics::JointState joint;
    bool turns = false;
    glm::vec3 origin{0.0f}, axis{0.0f}, x{0.0f}, y{0.0f}; // m, unit vectors; an angle goes from x to y

    glm::vec3 at(float position) const;
    // The position whose place is under the cursor, of angles the turn nearest to `last`.
    std::optional<float> under(const Context& ctx, const glm::vec2& cursor, float last) const;
    void draw(render::DrawList& list) const;
    void write(ToolOverlay& overlay) const;
};

// Only joints whose frames say where their limits are; what is drawn follows the bodies as they are drawn.
std::optional<LimitScale> scale_of_open_joint(const Context& ctx);

} // namespace cairn::ui
