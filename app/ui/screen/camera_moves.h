// Where the camera goes by itself, and what the cursor points at.
#pragma once

#include "app/ui/context/context.h"

namespace cairn::ui {

// Where the cursor meets the world: a body, else the ground plane z = 0 within 200 m.
std::optional<physics::Vec3> point_under_cursor(const Context& ctx);
// The same; nullopt while the cursor is over a panel or outside the window.
std::optional<physics::Vec3> point_in_view(const Context& ctx);
// Keeps the direction of view; the bounds fill what the panels leave free.
void bring_into_view(Context& ctx, const physics::Aabb& bounds);
void frame_selected(Context& ctx);
void frame_all(Context& ctx);
// At what is looked at now, along a unit vector; against it if the view goes along it already.
void look_along(Context& ctx, const glm::vec3& direction);
void toggle_orthographic(Context& ctx);
void toggle_follow(Context& ctx);      // of the shown body by the camera
void follow_with_camera(Context& ctx); // once a frame
// The camera path of the scene: the camera leaves it as soon as a person moves it.
void toggle_camera_path(Context& ctx);
void add_camera_key(Context& ctx); // the view, at this time of the world
void clear_camera_path(Context& ctx);
void follow_camera_path(Context& ctx);  // once a frame
void set_camera_of_scene(Context& ctx); // after it was loaded
// After a scene was opened: its camera, what that follows, how fast time goes.
void open_as_shown(Context& ctx);

} // namespace cairn::ui
