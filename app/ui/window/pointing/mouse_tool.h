// Which of the mouse's buttons does what in the world: the left one belongs to the active tool, the others move the
// camera.
#pragma once

#include "app/ui/context/context.h"

namespace cairn::ui {

enum class MouseButton { left, right, middle };

class MouseTool {
  public:
    // `at` = cursor position at the moment of the event, window units.
    void press(Context& ctx, MouseButton button, const glm::vec2& at);
    void release(Context& ctx, MouseButton button, const glm::vec2& at);
    void move(Context& ctx, const glm::vec2& at);
    void scroll(Context& ctx, float steps, const glm::vec2& at);

    // Once a frame, after the camera moved: the tool follows cursor and camera; finds what is hovered.
    void update(Context& ctx);
    // Lets go of everything, as when the window loses the mouse or the scene is another one.
    void cancel(Context& ctx);

  private:
    enum class Gesture { none, tool, orbit, pan };

    Gesture gesture_ = Gesture::none;
    MouseButton button_ = MouseButton::left;
    glm::vec2 last_{0.0f};
    physics::Vec3 pivot_{0.0f};
};

} // namespace cairn::ui
