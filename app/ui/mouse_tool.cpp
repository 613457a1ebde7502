#include "app/ui/mouse_tool.h"

#include "app/ui/actions.h"
#include "app/ui/picking.h"

namespace cairn::ui {

void MouseTool::press(App& app, MouseButton button, const glm::vec2& at) {
    if (gesture_ != Gesture::none) {
        return; // one gesture at a time
    }
    app.cursor = last_ = at;
    app.cursor_inside = true; // whoever clicks is there
    app.cursor_over_ui = false;
    button_ = button;
    if (button == MouseButton::left) {
        gesture_ = Gesture::tool;
        app.tools.holding = true;
        app.tools.tool().press(app, at);
        return;
    }
    // The camera turns about what is under the cursor; in the void, about the point that it looks at.
    const auto hit = app.pick(app.cursor_ray());
    pivot_ = hit ? hit->hit.point : app.camera.camera().target;
    gesture_ = button == MouseButton::middle || app.tools.shift ? Gesture::pan : Gesture::orbit;
}

void MouseTool::move(App& app, const glm::vec2& at) {
    const glm::vec2 drag = at - last_;
    last_ = at;
    if (gesture_ == Gesture::orbit) {
        app.camera.orbit(pivot_, drag, app.window_size().y);
    } else if (gesture_ == Gesture::pan) {
        app.camera.pan(pivot_, drag, app.window_size().y);
    } else if (gesture_ == Gesture::tool) {
        app.tools.tool().move(app, at);
    }
}

void MouseTool::release(App& app, MouseButton button, const glm::vec2& at) {
    if (gesture_ == Gesture::none || button != button_) {
        return;
    }
    move(app, at);
    if (gesture_ == Gesture::tool) {
        app.tools.tool().release(app, at);
        app.tools.holding = false;
    }
    gesture_ = Gesture::none;
}

void MouseTool::scroll(App& app, float steps, const glm::vec2& at) {
    app.cursor = at;
    if (app.tools.tool().scroll(app, steps)) {
        return;
    }
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
    app.tools.update(app);
    app.hovered = {};
    const bool points_at_bodies = app.tools.active() != ToolKind::blast && app.tools.active() != ToolKind::place &&
                                  app.tools.active() != ToolKind::wand;
    if (gesture_ == Gesture::none && app.cursor_inside && !app.cursor_over_ui && points_at_bodies) {
        if (const auto hit = app.pick(app.cursor_ray())) {
            const auto slot = find_body(app.frame(), hit->body);
            if (slot && app.frame().bodies[*slot].type != physics::BodyType::fixed) {
                app.hovered = hit->body;
            }
        }
    }
}

void MouseTool::cancel(App& app) {
    app.tools.cancel(app);
    app.tools.holding = false;
    gesture_ = Gesture::none;
}

} // namespace cairn::ui
