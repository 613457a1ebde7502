#include "app/ui/tools/throw_tool.h"

#include "app/ui/actions.h"
#include "app/ui/app.h"
#include "app/ui/palette.h"
#include "app/ui/picking.h"
#include "app/ui/settings/settings_archive.h"
#include "app/ui/tools/gizmo.h"
#include "app/ui/tools/sketch.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::ui {

using physics::Vec3;

namespace {
constexpr float radians_per_degree = 0.0174532925f;
constexpr float click = 4.0f;         // window units at scale 1
constexpr float path_seconds = 5.0f;  // shown at most
constexpr float path_spacing = 0.05f; // s between two points

// m for a window unit at scale 1, at this place.
float unit_at(const App& app, const Vec3& point) {
    return gizmo::reach_on_screen(app.camera.camera(), point, app.window_size(), app.window.scale);
}
} // namespace

void BallisticPath::advance() {
    velocity_ += step_ * gravity_;
    velocity_ /= 1.0f + step_ * damping_;
    position_ += step_ * velocity_;
}

Vec3 sling_velocity(const glm::vec2& pull, float metres_per_second_per_unit, float elevation, const Vec3& right,
                    const Vec3& forward) {
    const float speed = metres_per_second_per_unit * glm::length(pull);
    const Vec3 level = physics::normalized_or(-pull.x * right + pull.y * forward, Vec3(0.0f));
    return speed * (std::cos(elevation) * level + std::sin(elevation) * Vec3(0.0f, 0.0f, 1.0f));
}

bool ThrowTool::pulled(const App& app) const {
    return glm::length(last_ - pressed_at_) > click * app.window.scale;
}

Vec3 ThrowTool::velocity(const App& app) const {
    const CameraAxes axes = axes_of(app.camera.camera());
    const Vec3 forward = physics::normalized_or(Vec3(axes.forward.x, axes.forward.y, 0.0f), Vec3(0, 1, 0));
    return sling_velocity((last_ - pressed_at_) / app.window.scale, strength_, elevation_ * radians_per_degree,
                          glm::cross(forward, Vec3(0, 0, 1)), forward);
}

void ThrowTool::press(App& app, const glm::vec2& at) {
    if (!app.can_edit()) {
        return;
    }
    pressed_at_ = last_ = at;
    world_ = app.world_number;
    const auto hit = app.pick(app.cursor_ray());
    const auto slot = hit ? find_body(app.frame(), hit->body) : std::nullopt;
    if (slot && app.frame().bodies[*slot].type == physics::BodyType::dynamic) {
        body_ = hit->body;
        select(app, body_);
        aiming_ = true;
        return;
    }
    body_ = {};
    const float room = app.spawn.ball_radius + 0.01f;
    if (hit) {
        from_ = hit->hit.point + room * hit->hit.normal;
        aiming_ = true;
    } else if (const auto point = point_under_cursor(app)) {
        from_ = *point + room * Vec3(0, 0, 1);
        aiming_ = true;
    }
}

void ThrowTool::move(App&, const glm::vec2& at) {
    last_ = at;
}

void ThrowTool::release(App& app, const glm::vec2& at) {
    last_ = at;
    if (aiming_ && world_ == app.world_number && pulled(app)) {
        const Vec3 v = velocity(app);
        if (!body_) {
            physics::BodyDef ball = thrown_ball(app.spawn, {});
            ball.pose.position = from_;
            ball.linear_velocity = v;
            app.play(physics::CreateBody{std::move(ball)}, "Throw a ball");
        } else if (const auto slot = find_body(app.frame(), body_)) {
            const physics::BodyModel& model = *app.frame().models[*slot];
            const Vec3 change = v - app.frame().bodies[*slot].linear_velocity;
            const std::string& name = model.def.name;
            app.submit(physics::ApplyImpulse{body_, model.mass * change, std::nullopt},
                       "Throw " + (name.empty() ? "body " + std::to_string(body_.index) : name));
        }
    }
    aiming_ = false;
    path_.clear();
}

bool ThrowTool::scroll(App&, float steps) {
    if (aiming_) {
        elevation_ = std::clamp(elevation_ + 2.5f * steps, -30.0f, 85.0f);
    }
    return aiming_;
}

void ThrowTool::update(App& app) {
    path_.clear();
    lands_ = false;
    const auto slot = find_body(app.frame(), body_); // none for a new ball
    if (!aiming_ || world_ != app.world_number || (body_ && !slot)) {
        aiming_ = false;
        return;
    }
    float damping = 0.0f, weight = 1.0f;
    if (slot) {
        from_ = app.view.drawn_pose(body_).value_or(app.frame().bodies[*slot].pose).position;
        damping = app.frame().models[*slot]->def.linear_damping;
        weight = app.frame().models[*slot]->def.gravity_scale;
    }
    if (!pulled(app)) {
        return;
    }
    const physics::Settings& settings = app.frame().settings;
    const float step = 1.0f / settings.hz;
    BallisticPath path(from_, velocity(app), weight * settings.gravity, damping, step);
    path_.push_back(from_);
    float since = 0.0f;
    for (float time = 0.0f; time < path_seconds && !lands_; time += step) {
        path.advance();
        since += step;
        if (since < path_spacing) {
            continue;
        }
        since = 0.0f;
        const Vec3 way = path.position() - path_.back();
        const float length = glm::length(way);
        if (!(length > 1e-5f)) {
            break;
        }
        physics::Ray ray;
        ray.origin = path_.back();
        ray.direction = way / length;
        ray.max_distance = length;
        const auto hit = app.view.pick(app.frame(), ray, body_);
        lands_ = hit.has_value();
        path_.push_back(hit ? hit->hit.point : path.position());
    }
}

void ThrowTool::draw(const App& app, render::DrawList& list, MeshSource&) {
    if (!aiming_ || path_.size() < 2) {
        return;
    }
    const glm::vec4 amber(colours::accent(), 1.0f);
    for (std::size_t i = 1; i < path_.size(); ++i) {
        if (i % 3 != 0) { // dashed: it has not happened
            list.lines.push_back({path_[i - 1], path_[i], amber, true});
        }
    }
    const float speed = glm::length(velocity(app));
    const Vec3 direction = physics::normalized_or(velocity(app), Vec3(0, 0, 1));
    const float length = std::clamp(0.08f * speed, 0.3f, 4.0f);
    const float unit = unit_at(app, from_);
    sketch::thick_line(list, from_, from_ + length * direction, amber, unit);
    sketch::arrow_head(list, from_ + length * direction, direction, 14.0f * unit, amber);
    if (lands_) {
        sketch::ring(list, path_.back(), Vec3(0, 0, 1), 10.0f * unit_at(app, path_.back()), amber);
    }
    if (!body_) {
        sketch::ring(list, from_, axes_of(list.camera).forward, app.spawn.ball_radius, amber);
    }
}

void ThrowTool::write(const App& app, ToolOverlay& overlay) const {
    if (aiming_ && !path_.empty()) {
        overlay.write(from_, "%.1f m/s, %.0f°", static_cast<double>(glm::length(velocity(app))),
                      static_cast<double>(elevation_));
        if (lands_) {
            const Vec3 way = path_.back() - from_;
            overlay.write(path_.back(), "%.1f m away", static_cast<double>(std::hypot(way.x, way.y)));
        }
    }
}

void ThrowTool::remember(SettingsArchive& a) {
    a.value("strength", strength_, 0.01f, 2.0f);
    a.value("elevation", elevation_, -30.0f, 85.0f);
}

void ThrowTool::settings(App& app) {
    app.widgets.number("tool.throw_strength", "Strength", strength_,
                       {"m/s", 0.01f, 2.0f, 0.002f, "%.2f", "Launch speed per pixel pulled back.", true}, 0.12f);
    app.widgets.number("tool.throw_elevation", "Elevation", elevation_,
                       {"°", -30.0f, 85.0f, 0.25f, "%.0f", "Launch angle above the horizon."}, 35.0f);
}

bool ThrowTool::cancel(App&) {
    path_.clear();
    return std::exchange(aiming_, false);
}

} // namespace cairn::ui
