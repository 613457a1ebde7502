#include "app/ui/context/context.h"

#include "app/ui/camera/picking.h"

#include <utility>

namespace cairn::ui {

physics::Ray Context::cursor_ray() const {
    return ui::cursor_ray(camera.camera(), cursor, window_size());
}

std::optional<physics::WorldRayHit> Context::pick(const physics::Ray& ray) const {
    return view.pick(frame(), ray);
}

bool Context::can_edit() {
    if (simulation.replaying()) {
        log.info("A replay cannot be changed: stop it first");
        return false;
    }
    return true;
}

void Context::submit(std::vector<core::ReplaceShape> changes, std::string what) {
    if (can_edit()) {
        const std::uint64_t own = gesture == 0 ? new_gesture() : gesture;
        simulation.submit(std::move(changes), {std::move(what), own});
    }
}

void Context::play(physics::Command command, std::string what) {
    if (can_edit()) {
        simulation.submit(std::move(command), {std::move(what), gesture, true});
    }
}

void Context::world_replaced(WorldChange change) {
    selected = {};
    selection.clear();
    events.clear();
    hovered = {};
    camera.followed = {};
    camera.go_along({});
    parts.visit([&](Part& part) { part.world_replaced(*this, change); });
    ++world_number;
}

} // namespace cairn::ui
