#include "app/ui/sound/sounds.h"

#include "app/ui/camera/picking.h"
#include "app/ui/context/context.h"
#include "app/ui/settings/archive/settings_archive.h"

#include <algorithm>

namespace cairn::ui {

void Sounds::update(Context& ctx) {
    const std::vector<core::Touch>& touches = ctx.events.touches;
    if (settings.on && !device_) {
        device_ = std::make_unique<AudioDevice>();
    }
    const bool listens = settings.on && works();
    if (listens != listening_) {
        ctx.simulation.listen(listens);
        listening_ = listens;
    }
    strikes_ += touches.size();
    if (!listens) {
        return;
    }
    device_->set_volume(settings.volume);
    const render::Camera& camera = ctx.camera.camera();
    const CameraAxes axes = axes_of(camera);
    // What one looks at is as loud as it is, however far the camera stands from it.
    device_->set_listener({camera.eye, axes.forward, axes.up, std::max(glm::length(camera.target - camera.eye), 1.0f)});
    const std::vector<Voice>& voices = picker_.pick(touches, ctx.frame(), ctx.log.time());
    if (!voices.empty()) {
        loudest_ = voices.front().gain;
    }
    for (const Voice& voice : voices) {
        device_->play(voice);
    }
}

void Sounds::click() {
    if (settings.on && works()) {
        device_->play_click(0.5f);
    }
}

void Sounds::remember(Context&, SettingsArchive& a) {
    a.enter("sound");
    a.value("on", settings.on);
    a.value("volume", settings.volume, 0.0f, 1.0f);
    a.leave();
}

} // namespace cairn::ui
