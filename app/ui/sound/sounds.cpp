#include "app/ui/sound/sounds.h"

#include "app/ui/settings/archive/settings_archive.h"

namespace cairn::ui {

void Sounds::update(core::Simulation& simulation, const std::vector<core::Touch>& touches, const Listener& listener,
                    double now) {
    if (settings.on && !device_) {
        device_ = std::make_unique<AudioDevice>();
    }
    const bool listens = settings.on && works();
    if (listens != listening_) {
        simulation.listen(listens);
        listening_ = listens;
    }
    strikes_ += touches.size();
    if (!listens) {
        return;
    }
    device_->set_volume(settings.volume);
    device_->set_listener(listener);
    const std::vector<Voice>& voices = picker_.pick(touches, simulation.current(), now);
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

void Sounds::forget() {
    picker_.forget();
}

void Sounds::remember(Context&, SettingsArchive& a) {
    a.enter("sound");
    a.value("on", settings.on);
    a.value("volume", settings.volume, 0.0f, 1.0f);
    a.leave();
}

} // namespace cairn::ui
