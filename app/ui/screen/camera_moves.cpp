#include "app/ui/screen/camera_moves.h"

#include "app/core/scene/show/camera_path.h"
#include "app/ui/camera/picking.h"
#include "app/ui/camera/view_fit.h"
#include "app/ui/context/selection.h"
#include "app/ui/input/actions.h"
#include "app/ui/screen/drawing.h"
#include "app/ui/screen/layout.h"
#include "app/ui/screen/scene/scene_shown.h"
#include "app/ui/text/frame_text.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace cairn::ui {

std::optional<physics::Vec3> point_under_cursor(const Context& ctx) {
    const physics::Ray ray = ctx.cursor_ray();
    if (const auto hit = ctx.pick(ray)) {
        return hit->hit.point;
    }
    const auto ground = meet_plane(ray, glm::vec3(0.0f), glm::vec3(0.0f, 0.0f, 1.0f));
    return ground && glm::length(*ground - ctx.camera.camera().eye) < 200.0f ? ground : std::nullopt;
}

std::optional<physics::Vec3> point_in_view(const Context& ctx) {
    return ctx.cursor_in_view() ? point_under_cursor(ctx) : std::nullopt;
}

void bring_into_view(Context& ctx, const physics::Aabb& bounds) {
    const Rectangle& free = ctx.get<Layout>().free;
    if (free.width <= 0.0f || free.height <= 0.0f) { // no panel has been drawn yet
        ctx.camera.frame(bounds, ctx.window_size().x / ctx.window_size().y);
        return;
    }
    ctx.camera.glide_to(framed(ctx.camera.camera(), bounds, ctx.window_size(), free));
}

void frame_selected(Context& ctx) {
    physics::Aabb bounds;
    const physics::FrameState& frame = ctx.frame();
    const std::vector<std::size_t> places = selected_places(ctx);
    for (const std::size_t place : places) {
        bounds = physics::united(bounds, body_bounds(*frame.models[place], frame.bodies[place].pose));
    }
    if (places.empty()) {
        frame_all(ctx);
        ctx.log.info(frame.bodies.empty() ? "There is no body to frame yet"
                                          : "Nothing is selected: the view shows all that moves");
    } else {
        bring_into_view(ctx, bounds);
    }
}

void frame_all(Context& ctx) {
    bring_into_view(ctx, scene_bounds(ctx.frame()));
}

void look_along(Context& ctx, const glm::vec3& axis) {
    render::Camera goal = ctx.camera.goal();
    constexpr float same = 0.999f; // within 2.5 degrees
    const glm::vec3 direction = glm::dot(axes_of(goal).forward, axis) > same ? -axis : axis;
    const float distance = glm::length(goal.target - goal.eye);
    // Straight down has no "up" on the screen: a little from the front, so little that nobody sees it where
    // perspective does not hide it.
    const float tilt = goal.orthographic ? 0.001f : 0.02f;
    const glm::vec3 from =
        -direction + (std::abs(direction.z) > 0.99f ? glm::vec3(0.0f, -tilt, 0.0f) : glm::vec3(0.0f));
    goal.eye = goal.target + distance * glm::normalize(from);
    ctx.camera.glide_to(goal);
}

void toggle_orthographic(Context& ctx) {
    const bool on = !ctx.camera.camera().orthographic;
    ctx.camera.set_orthographic(on);
    ctx.log.info(on ? "Orthographic view; " + ctx.key_of("orthographic") + " ends it" : "View in perspective");
}

namespace {

bool between_steps(const Context& ctx) {
    return ctx.get<Drawing>().settings.interpolate && !ctx.simulation.paused && !ctx.options.frames;
}

// As it is drawn: between two steps.
std::optional<glm::vec3> shown_centre(const Context& ctx, physics::BodyId body) {
    const auto now = find_body(ctx.simulation.current(), body), before = find_body(ctx.simulation.previous(), body);
    if (!now) {
        return std::nullopt;
    }
    const glm::vec3 to = ctx.simulation.current().bodies[*now].pose.position;
    return before && between_steps(ctx) ? glm::mix(ctx.simulation.previous().bodies[*before].pose.position, to,
                                                   static_cast<float>(ctx.simulation.interpolation()))
                                        : to;
}

} // namespace

void toggle_follow(Context& ctx) {
    const bool ends = ctx.camera.followed && (!ctx.selected || ctx.selected == ctx.camera.followed);
    if (!ends && !ctx.selected) {
        ctx.log.info("Select a body for the camera to follow");
        return;
    }
    ctx.camera.followed = ends ? physics::BodyId{} : ctx.selected;
    ctx.camera.on_path = false;
    ctx.camera.go_along({});
    ctx.log.info(ends ? "The camera stays where it is" : "The camera follows; " + ctx.key_of("follow") + " ends it");
}

void follow_with_camera(Context& ctx) {
    if (ctx.camera.followed) {
        const std::optional<glm::vec3> centre = shown_centre(ctx, ctx.camera.followed);
        ctx.camera.go_along(centre);
        if (!centre) {
            ctx.camera.followed = {};
        }
    }
}

namespace {

constexpr const char* going_along = "The camera goes along its path; it is yours as soon as you move it";

// A pose of a path is meant for a picture that is a third wider than it is high, or more; where the panels leave
// less, the camera stands back by so much that as much is seen from side to side.
float standing_back(const Context& ctx) {
    constexpr float meant = 4.0f / 3.0f;
    const Rectangle& free = ctx.get<Layout>().free;
    return free.width > 0.0f ? std::max(meant * free.height / free.width, 1.0f) : 1.0f;
}

double drawn_time(const Context& ctx) {
    const double to = ctx.simulation.current().time, from = ctx.simulation.previous().time;
    return between_steps(ctx) ? from + ctx.simulation.interpolation() * (to - from) : to;
}

} // namespace

void toggle_camera_path(Context& ctx) {
    if (ctx.get<SceneShown>().path.empty()) {
        ctx.log.info("There is no camera path; " + ctx.key_of("camera_key") + " makes this view a key pose of one");
        return;
    }
    ctx.camera.on_path = !ctx.camera.on_path;
    ctx.camera.followed = {};
    ctx.log.info(ctx.camera.on_path ? going_along : "The camera stays where it is");
}

void add_camera_key(Context& ctx) {
    SceneShown& shown = ctx.get<SceneShown>();
    const render::Camera view = without_panels(ctx.camera.camera(), ctx.window_size(), ctx.get<Layout>().free);
    const auto time = static_cast<float>(ctx.simulation.current().time);
    const auto place = std::ranges::lower_bound(shown.path, time, {}, &core::CameraKey::time);
    const core::CameraKey key{time, view.target + (view.eye - view.target) / standing_back(ctx), view.target};
    if (place != shown.path.end() && place->time == time) {
        *place = key;
    } else {
        shown.path.insert(place, key);
    }
    ++shown.path_edits;
    ctx.log.info(std::string(formatted("Key pose at %.2f s; the camera path has %zu; ", static_cast<double>(time),
                                       shown.path.size())) +
                 ctx.key_of("camera_path") + " plays it");
}

void clear_camera_path(Context& ctx) {
    SceneShown& shown = ctx.get<SceneShown>();
    if (!std::exchange(shown.path, {}).empty()) {
        ++shown.path_edits;
        ctx.camera.on_path = false;
        ctx.log.info("The camera path is gone");
    }
}

void follow_camera_path(Context& ctx) {
    const std::vector<core::CameraKey>& path = ctx.get<SceneShown>().path;
    ctx.camera.on_path = ctx.camera.on_path && !path.empty();
    if (ctx.camera.on_path) {
        const core::CameraKey pose = core::camera_at(path, drawn_time(ctx));
        render::Camera camera = ctx.camera.camera();
        camera.eye = pose.target + standing_back(ctx) * (pose.eye - pose.target);
        camera.target = pose.target;
        camera = beside_panels(camera, ctx.window_size(), ctx.get<Layout>().free);
        ctx.camera.go_to(camera.eye, camera.target);
    }
}

void set_camera_of_scene(Context& ctx) {
    ctx.camera.set(camera_of(ctx.simulation.scene().camera));
    ctx.camera.fit = CameraControl::Fit::at_once;
}

void open_as_shown(Context& ctx) {
    set_camera_of_scene(ctx);
    SceneShown& shown = ctx.get<SceneShown>();
    shown.learn(ctx.simulation.scene());
    if (ctx.options.frames) {
        return; // its steps are counted
    }
    const core::SceneShow& show = ctx.simulation.scene().show;
    ctx.camera.followed = shown.follow;
    ctx.camera.go_along({});
    ctx.camera.on_path = !shown.path.empty();
    if (ctx.camera.on_path) {
        ctx.log.info(going_along);
    }
    ctx.simulation.paused = ctx.simulation.paused || show.paused;
    const auto speed = static_cast<double>(show.speed);
    if (speed != 1.0) {
        if (!shown.speed) {
            shown.usual_speed = ctx.simulation.time_scale;
        }
        ctx.simulation.time_scale = speed;
        shown.speed = speed;
        ctx.log.info(std::string(formatted("Slow motion: %.3g times real time; ", speed)) + ctx.key_of("faster") +
                     " is faster");
    } else if (const auto before = std::exchange(shown.speed, std::nullopt);
               before && ctx.simulation.time_scale == *before) {
        ctx.simulation.time_scale = shown.usual_speed; // what nobody has changed ends with its scene
    }
}

} // namespace cairn::ui
