#include "app/ui/panels/panels.h"

namespace cairn::ui {

void sound_panel(App& app) {
    Widgets& w = app.widgets;
    if (!w.section("sound", "Sound", false)) {
        return;
    }
    SoundSettings& settings = app.sounds.settings;
    w.toggle("sound.on", "On", settings.on,
             "Bodies that strike each other are heard: heavy ones low, hard strikes loud, each by what it is made of.");
    static const SoundSettings standard;
    float percent = 100.0f * settings.volume;
    if (w.number("sound.volume", "Volume", percent, {"%", 0.0f, 100.0f, 0.5f, "%.0f", "Loudness of everything."},
                 100.0f * standard.volume)) {
        settings.volume = 0.01f * percent;
    }
    if (settings.on && !app.sounds.trouble().empty()) {
        w.muted(joined("Silent: ", app.sounds.trouble()));
    }
}

} // namespace cairn::ui
