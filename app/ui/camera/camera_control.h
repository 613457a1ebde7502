// How the mouse and the keys move the camera. Pure: no window, no clock of its own.
#pragma once

#include "physics/geometry/aabb.h"
#include "physics/world/body_def.h"
#include "render/draw_list.h"

#include <glm/glm.hpp>
#include <optional>

namespace cairn::ui {

// Directions of flight, each -1..1.
struct FlyInput {
    float forward = 0.0f, right = 0.0f, up = 0.0f;
    bool fast = false;
    float speed = 1.0f; // times the usual one
};

class CameraControl {
  public:
    explicit CameraControl(const render::Camera& camera = {}) : camera_(camera) {}

    const render::Camera& camera() const { return camera_; }
    void set(const render::Camera& camera);
    // Along a path that the scene gives, for as long as nothing else moves the camera.
    void go_to(const glm::vec3& eye, const glm::vec3& target);
    bool on_path = false;
    void set_orthographic(bool orthographic) { // what is at the target stays
        camera_.orthographic = glide_goal_.orthographic = orthographic;
    }

    // Turns about `pivot`: a positive x swings the eye to the left (the scene follows the cursor to the right), a
    // positive y (cursor down) lifts it. `drag` in window units; half a turn per window height. The view stays upright
    // and stops short of the poles.
    void orbit(const glm::vec3& pivot, const glm::vec2& drag, float window_height);

    // Moves sideways so that a point at the pivot's depth stays under the cursor.
    void pan(const glm::vec3& pivot, const glm::vec2& drag, float window_height);

    // Moves towards (steps > 0) or away from `focus`, a tenth of the distance per step, so that what is under the
    // cursor stays there. Never through it: the distance stays within 0.2 .. 1500 m. In an orthographic view the
    // distance is that of the target, by which the picture's scale goes.
    void zoom(const glm::vec3& focus, float steps);

    // Moves the eye and what it looks at for `seconds`; speed grows with the distance to the target, 3..40 m/s, and
    // trebles when fast. Where an orthographic view would stay as it is, flying forward brings the eye to the target.
    void fly(const FlyInput& input, float seconds);

    // Keeps the direction and moves so that `bounds` fill the view of width / height `aspect`. Glides there: advance()
    // carries it out.
    void frame(const physics::Aabb& bounds, float aspect, bool at_once = false);
    void glide_to(const render::Camera& goal);
    void advance(float seconds);
    // Moves along with a point: by as much as it has moved since the last call. nullopt: from the next one on.
    void go_along(const std::optional<glm::vec3>& point);
    physics::BodyId followed; // the body whose centre that is, or none
    // What matters is to be brought into the part of the window that panels leave free, once that is known.
    enum class Fit { no, at_once, glide } fit = Fit::no;
    bool gliding() const { return glide_left_ > 0.0f; }
    const render::Camera& goal() const { return gliding() ? glide_goal_ : camera_; } // where it is, or will be

  private:
    render::Camera camera_;
    render::Camera glide_goal_;
    float glide_left_ = 0.0f; // s
    std::optional<glm::vec3> along_;
};

} // namespace cairn::ui
