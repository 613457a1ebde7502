#include "app/ui/actions.h"

#include "app/ui/picking.h"

namespace cairn::ui {

std::optional<physics::Vec3> point_under_cursor(const App& app) {
    const physics::Ray ray = app.cursor_ray();
    if (const auto hit = app.pick(ray)) {
        return hit->hit.point;
    }
    const auto ground = meet_plane(ray, glm::vec3(0.0f), glm::vec3(0.0f, 0.0f, 1.0f));
    return ground && glm::length(*ground - ray.origin) < 200.0f ? ground : std::nullopt;
}

void frame_selected(App& app) {
    physics::Aabb bounds;
    const physics::FrameState& frame = app.frame();
    const std::vector<std::size_t> places = selected_places(app);
    for (const std::size_t place : places) {
        bounds = physics::united(bounds, body_bounds(*frame.models[place], frame.bodies[place].pose));
    }
    if (places.empty()) {
        frame_all(app);
    } else {
        app.camera.frame(bounds, app.window_size().x / app.window_size().y);
    }
}

void frame_all(App& app) {
    app.camera.frame(scene_bounds(app.frame()), app.window_size().x / app.window_size().y);
}

void film(App& app) {
    (app.film.running ? app.film.given_up : app.film.wanted) = true;
}

} // namespace cairn::ui
