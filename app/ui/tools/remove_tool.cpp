#include "app/ui/tools/remove_tool.h"

#include "app/ui/app.h"
#include "app/ui/picking.h"

#include <algorithm>
#include <utility>

namespace cairn::ui {

void RemoveTool::press(App& app, const glm::vec2& at) {
    if (!app.can_edit()) {
        return;
    }
    wiping_ = true;
    gesture_ = app.new_gesture();
    gone_.clear();
    remove_at(app, at);
}

void RemoveTool::remove_at(App& app, const glm::vec2& at) {
    const auto hit = app.pick(cursor_ray(app.camera.camera(), at, app.window_size()));
    const auto slot = hit ? find_body(app.frame(), hit->body) : std::nullopt;
    // A click beside a body does not mean the ground.
    if (!slot || (app.frame().bodies[*slot].type == physics::BodyType::fixed && !app.tools.shift) ||
        std::find(gone_.begin(), gone_.end(), hit->body) != gone_.end()) {
        return;
    }
    gone_.push_back(hit->body);
    const GestureScope scope(app, gesture_);
    app.submit(physics::DestroyBody{hit->body});
}

void RemoveTool::move(App& app, const glm::vec2& at) {
    if (wiping_) {
        remove_at(app, at);
    }
}

void RemoveTool::release(App&, const glm::vec2&) {
    wiping_ = false;
}

bool RemoveTool::cancel(App&) {
    return std::exchange(wiping_, false);
}

} // namespace cairn::ui
