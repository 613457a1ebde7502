#include "app/ui/tools/select_tool.h"

#include "app/ui/actions.h"
#include "app/ui/app.h"
#include "app/ui/picking.h"
#include "app/ui/settings/settings_archive.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

namespace {
constexpr float drag_threshold = 4.0f; // window units at scale 1; below it a press is a click
}

bool SelectTool::holds_in(const App& app) const {
    return hold_ && hold_->grabbed && hold_->world == app.world_number;
}

std::optional<physics::Vec3> SelectTool::hold_target(const App& app, const glm::vec2& at) const {
    const CameraAxes axes = axes_of(app.camera.camera());
    return meet_plane(cursor_ray(app.camera.camera(), at, app.window_size()),
                      app.camera.camera().eye + hold_->depth * axes.forward, axes.forward);
}

bool SelectTool::far_enough(const App& app, const glm::vec2& at) const {
    return glm::length(at - pressed_at_) > drag_threshold * app.window.scale;
}

void SelectTool::press(App& app, const glm::vec2& at) {
    pressed_at_ = last_ = at;
    adding_ = app.tools.shift;
    const auto hit = app.pick(app.cursor_ray());
    pressed_on_ = hit ? hit->body : physics::BodyId{};
    const auto slot = find_body(app.frame(), pressed_on_);
    if (!slot || app.frame().bodies[*slot].type == physics::BodyType::fixed || adding_) {
        gesture_ = Gesture::frame; // a click, if the cursor stays
        return;
    }
    gesture_ = Gesture::hold;
    if (!is_selected(app, hit->body)) {
        select(app, hit->body);
    }
    if (app.frame().bodies[*slot].type == physics::BodyType::dynamic) {
        const CameraAxes axes = axes_of(app.camera.camera());
        Hold hold;
        hold.body = hit->body;
        hold.world = app.world_number;
        const physics::Transform pose = app.view.drawn_pose(hit->body).value_or(app.frame().bodies[*slot].pose);
        hold.local_point = physics::to_local(pose, hit->hit.point);
        hold.depth = glm::dot(hit->hit.point - app.camera.camera().eye, axes.forward);
        hold_ = hold;
    }
}

void SelectTool::move(App& app, const glm::vec2& at) {
    last_ = at;
    if (gesture_ != Gesture::hold || !hold_ || hold_->grabbed || !far_enough(app, at)) {
        return;
    }
    if (!app.can_edit()) {
        hold_.reset();
        return;
    }
    if (const auto target = hold_target(app, at)) {
        physics::Grab grab;
        grab.body = hold_->body;
        grab.local_point = hold_->local_point;
        grab.target = hold_->sent = *target;
        grab.hertz = hertz_;
        grab.damping_ratio = damping_ratio;
        hold_->grabbed = true;
        app.submit(grab);
    }
}

void SelectTool::select_framed(App& app, const glm::vec2& at) const {
    const glm::vec2 low = glm::min(at, pressed_at_), high = glm::max(at, pressed_at_);
    std::vector<physics::BodyId> bodies;
    if (adding_) {
        bodies = app.selection;
    }
    for (const physics::BodyState& body : app.frame().bodies) {
        const auto pose = app.view.drawn_pose(body.id);
        if (body.type == physics::BodyType::fixed || !pose) {
            continue;
        }
        const auto middle = window_position(app.camera.camera(), pose->position, app.window_size());
        if (middle && middle->x >= low.x && middle->y >= low.y && middle->x <= high.x && middle->y <= high.y) {
            bodies.push_back(body.id);
        }
    }
    select_bodies(app, std::move(bodies));
}

void SelectTool::release(App& app, const glm::vec2& at) {
    move(app, at);
    const Gesture gesture = gesture_;
    gesture_ = Gesture::none;
    const bool clicked = !far_enough(app, at);
    if (gesture == Gesture::frame && !clicked) {
        select_framed(app, at);
    } else if (clicked && adding_) {
        toggle_selected(app, pressed_on_);
    } else if (clicked) {
        select(app, pressed_on_); // nothing, after a click into the void
    }
    if (holds_in(app)) {
        app.submit(physics::ReleaseGrab{});
    }
    hold_.reset();
}

bool SelectTool::scroll(App&, float steps) {
    if (!hold_ || !hold_->grabbed) {
        return false;
    }
    hold_->depth = std::clamp(hold_->depth * std::pow(1.1f, steps), 0.5f, 500.0f);
    return true;
}

void SelectTool::update(App& app) {
    if (hold_ && hold_->world != app.world_number) {
        hold_.reset();
    }
    if (!holds_in(app)) {
        return;
    }
    if (!find_body(app.frame(), hold_->body)) {
        hold_.reset();
    } else if (const auto target = hold_target(app, last_); target && *target != hold_->sent) {
        hold_->sent = *target;
        app.submit(physics::MoveGrab{*target});
    }
}

void SelectTool::write(const App& app, ToolOverlay& overlay) const {
    if (gesture_ == Gesture::frame && far_enough(app, last_)) {
        const glm::vec2 low = glm::min(last_, pressed_at_), size = glm::abs(last_ - pressed_at_);
        overlay.frame = Rectangle{low.x, low.y, size.x, size.y};
    }
}

void SelectTool::settings(App& app) {
    app.widgets.number("tool.spring", "Drag spring", hertz_,
                       {"Hz", 0.5f, 20.0f, 0.02f, "%.1f",
                        "Stiffness of the spring that drags a body, as the frequency at which it would oscillate, "
                        "independent of the body's mass.",
                        true},
                       usual_hertz);
}

void SelectTool::remember(SettingsArchive& a) {
    a.value("spring", hertz_, 0.5f, 20.0f);
}

bool SelectTool::cancel(App& app) {
    const bool busy = gesture_ != Gesture::none;
    if (holds_in(app)) {
        app.submit(physics::ReleaseGrab{});
    }
    hold_.reset();
    gesture_ = Gesture::none;
    return busy;
}

} // namespace cairn::ui
