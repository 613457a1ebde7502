// What the mouse does in the world: selecting, holding bodies on a spring, moving the camera.
#pragma once

#include "app/ui/app.h"

#include <optional>

namespace cairn::ui {

enum class MouseButton { left, right, middle };

class MouseTool {
  public:
    // `at` = cursor position at the moment of the event, window units.
    void press(App& app, MouseButton button, const glm::vec2& at, bool shift);
    void release(App& app, MouseButton button, const glm::vec2& at);
    void move(App& app, const glm::vec2& at);
    void scroll(App& app, float steps, const glm::vec2& at);

    // Once a frame, after the camera moved: the held point follows cursor and camera; finds what is hovered.
    void update(App& app);
    // Lets go of everything, as when the window loses the mouse or the scene is another one.
    void cancel(App& app);

    bool holding() const { return hold_.has_value(); }

  private:
    enum class Gesture { none, select, orbit, pan };

    struct Hold { // of a body, on a plane that faces the camera
        physics::BodyId body;
        std::uint64_t world = 0; // App::world_number when it was taken
        physics::Vec3 local_point{0.0f};
        float depth = 0.0f; // m along the line of sight
        bool grabbed = false;
        physics::Vec3 sent{0.0f};
    };

    bool holds_in(const App& app) const { return hold_ && hold_->grabbed && hold_->world == app.world_number; }
    std::optional<physics::Vec3> hold_target(const App& app, const glm::vec2& at) const;

    Gesture gesture_ = Gesture::none;
    MouseButton button_ = MouseButton::left;
    glm::vec2 pressed_at_{0.0f}, last_{0.0f};
    physics::Vec3 pivot_{0.0f};
    std::optional<Hold> hold_;
};

} // namespace cairn::ui
