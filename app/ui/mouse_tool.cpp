#include "app/ui/mouse_tool.h"

#include "app/ui/actions.h"
#include "app/ui/picking.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

namespace {
constexpr float drag_threshold = 4.0f; // window units at scale 1; below it a press is a click
}

std::optional<physics::Vec3> MouseTool::hold_target(const App& app, const glm::vec2& at) const {
    const CameraAxes axes = axes_of(app.camera.camera());
    return meet_plane(cursor_ray(app.camera.camera(), at, app.window_size()),
                      app.camera.camera().eye + hold_->depth * axes.forward, axes.forward);
}

void MouseTool::press(App& app, MouseButton button, const glm::vec2& at, bool shift) {
    if (gesture_ != Gesture::none) {
        return; // one gesture at a time
    }
    app.cursor = at;
    button_ = button;
    pressed_at_ = last_ = at;
    const auto hit = app.pick(app.cursor_ray());

    if (button == MouseButton::left) {
        if (app.placing) {
            if (const auto point = point_under_cursor(app)) {
                spawn_at(app, *point);
            }
            app.placing = false;
            return;
        }
        gesture_ = Gesture::select;
        if (!hit) {
            return;
        }
        if (shift) {
            toggle_selected(app, hit->body);
            gesture_ = Gesture::none;
            return;
        }
        const auto slot = find_body(app.frame(), hit->body);
        if (slot && app.frame().bodies[*slot].type == physics::BodyType::dynamic) {
            const CameraAxes axes = axes_of(app.camera.camera());
            Hold hold;
            hold.body = hit->body;
            hold.world = app.world_number;
            const physics::Transform pose = app.view.drawn_pose(hit->body).value_or(app.frame().bodies[*slot].pose);
            hold.local_point = physics::to_local(pose, hit->hit.point);
            hold.depth = glm::dot(hit->hit.point - app.camera.camera().eye, axes.forward);
            hold_ = hold;
        }
        select(app, hit->body);
        return;
    }
    // The camera turns about what is under the cursor; in the void, about the point that it looks at.
    pivot_ = hit ? hit->hit.point : app.camera.camera().target;
    gesture_ = button == MouseButton::middle || shift ? Gesture::pan : Gesture::orbit;
}

void MouseTool::move(App& app, const glm::vec2& at) {
    const glm::vec2 drag = at - last_;
    last_ = at;
    if (gesture_ == Gesture::orbit) {
        app.camera.orbit(pivot_, drag, app.window_size().y);
    } else if (gesture_ == Gesture::pan) {
        app.camera.pan(pivot_, drag, app.window_size().y);
    } else if (gesture_ == Gesture::select && hold_ && !hold_->grabbed &&
               glm::length(at - pressed_at_) > drag_threshold * app.window.scale) {
        if (app.simulation.replaying()) {
            app.log.info("A replay cannot be changed: stop it first");
            hold_.reset();
            return;
        }
        if (const auto target = hold_target(app, at)) {
            physics::Grab grab;
            grab.body = hold_->body;
            grab.local_point = hold_->local_point;
            grab.target = hold_->sent = *target;
            hold_->grabbed = true;
            app.submit(grab);
        }
    }
}

void MouseTool::release(App& app, MouseButton button, const glm::vec2& at) {
    if (gesture_ == Gesture::none || button != button_) {
        return;
    }
    move(app, at);
    if (gesture_ == Gesture::select && !hold_ && glm::length(at - pressed_at_) <= drag_threshold * app.window.scale) {
        if (!app.pick(cursor_ray(app.camera.camera(), at, app.window_size()))) {
            select(app, {}); // a click into the void
        }
    }
    if (holds_in(app)) {
        app.submit(physics::ReleaseGrab{});
    }
    hold_.reset();
    gesture_ = Gesture::none;
}

void MouseTool::scroll(App& app, float steps, const glm::vec2& at) {
    if (hold_ && hold_->grabbed) {
        hold_->depth = std::clamp(hold_->depth * std::pow(1.1f, steps), 0.5f, 500.0f);
        return;
    }
    app.cursor = at;
    // Into the void, zoom goes towards the plane of the target.
    const physics::Ray ray = app.cursor_ray();
    const CameraAxes axes = axes_of(app.camera.camera());
    auto focus = point_under_cursor(app);
    if (!focus) {
        focus = meet_plane(ray, app.camera.camera().target, axes.forward);
    }
    app.camera.zoom(focus.value_or(app.camera.camera().target), steps);
}

void MouseTool::update(App& app) {
    if (hold_ && hold_->world != app.world_number) {
        hold_.reset();
    }
    if (holds_in(app)) {
        if (!find_body(app.frame(), hold_->body)) {
            hold_.reset();
        } else if (const auto target = hold_target(app, last_); target && *target != hold_->sent) {
            hold_->sent = *target;
            app.submit(physics::MoveGrab{*target});
        }
    }
    app.hovered = {};
    if (gesture_ == Gesture::none && app.cursor_inside && !app.cursor_over_ui) {
        if (const auto hit = app.pick(app.cursor_ray())) {
            const auto slot = find_body(app.frame(), hit->body);
            if (slot && app.frame().bodies[*slot].type != physics::BodyType::fixed) {
                app.hovered = hit->body;
            }
        }
    }
}

void MouseTool::cancel(App& app) {
    if (holds_in(app)) {
        app.submit(physics::ReleaseGrab{});
    }
    hold_.reset();
    gesture_ = Gesture::none;
}

} // namespace cairn::ui
