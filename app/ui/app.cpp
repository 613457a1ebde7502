#include "app/ui/app.h"

#include "app/ui/picking.h"

#include <algorithm>

namespace cairn::ui {

physics::Ray App::cursor_ray() const {
    return ui::cursor_ray(camera.camera(), cursor, window_size());
}

std::optional<physics::WorldRayHit> App::pick(const physics::Ray& ray) const {
    return view.pick(frame(), ray);
}

bool App::can_edit() {
    if (simulation.replaying()) {
        log.info("A replay cannot be changed: stop it first");
        return false;
    }
    return true;
}

void App::submit(physics::Command command, std::string what) {
    if (can_edit()) {
        simulation.submit(std::move(command), {std::move(what), gesture});
    }
}

void App::play(physics::Command command, std::string what) {
    if (can_edit()) {
        simulation.submit(std::move(command), {std::move(what), gesture, true});
    }
}

void History::add(float value) {
    values_[static_cast<std::size_t>(next_)] = value;
    next_ = (next_ + 1) % static_cast<int>(values_.size());
    count_ = std::min(count_ + 1, static_cast<int>(values_.size()));
}

float History::mean() const {
    float sum = 0.0f;
    for (const float value : values_) {
        sum += value;
    }
    return count_ > 0 ? sum / static_cast<float>(count_) : 0.0f;
}

float History::median() const {
    std::array<float, 240> sorted = values_;
    const auto middle = sorted.begin() + count_ / 2, end = sorted.begin() + count_;
    std::nth_element(sorted.begin(), middle, end);
    return count_ > 0 ? *middle : 0.0f;
}

float History::largest() const {
    return *std::max_element(values_.begin(), values_.end());
}

} // namespace cairn::ui
