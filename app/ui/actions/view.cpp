#include "app/ui/actions.h"

#include "app/ui/picking.h"

#include <algorithm>
#include <cmath>

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

void look_along(App& app, const glm::vec3& direction) {
    render::Camera goal = app.camera.camera();
    const float distance = glm::length(goal.target - goal.eye);
    // Straight down has no "up" on the screen: a little from the front.
    const glm::vec3 from =
        -direction + (std::abs(direction.z) > 0.99f ? glm::vec3(0.0f, -0.02f, 0.0f) : glm::vec3(0.0f));
    goal.eye = goal.target + distance * glm::normalize(from);
    app.camera.glide_to(goal);
}

namespace {

// As it is drawn: between two steps.
std::optional<glm::vec3> shown_centre(const App& app, physics::BodyId body) {
    const auto now = find_body(app.simulation.current(), body), before = find_body(app.simulation.previous(), body);
    if (!now) {
        return std::nullopt;
    }
    const glm::vec3 to = app.simulation.current().bodies[*now].pose.position;
    const bool between = before && app.draw.interpolate && !app.simulation.paused && !app.options.frames;
    return between ? glm::mix(app.simulation.previous().bodies[*before].pose.position, to,
                              static_cast<float>(app.simulation.interpolation()))
                   : to;
}

} // namespace

void toggle_follow(App& app) {
    const bool ends = app.camera.followed && (!app.selected || app.selected == app.camera.followed);
    if (!ends && !app.selected) {
        app.log.info("Select a body for the camera to follow");
        return;
    }
    app.camera.followed = ends ? physics::BodyId{} : app.selected;
    app.camera.go_along({});
    app.log.info(ends ? "The camera stays where it is" : "The camera follows; " + key_of(Action::follow) + " ends it");
}

void follow_with_camera(App& app) {
    if (app.camera.followed) {
        const std::optional<glm::vec3> centre = shown_centre(app, app.camera.followed);
        app.camera.go_along(centre);
        if (!centre) {
            app.camera.followed = {};
        }
    }
}

void film(App& app) {
    (app.film.running ? app.film.given_up : app.film.wanted) = true;
}

} // namespace cairn::ui
