#include "app/ui/context/context.h"
#include "app/ui/sound/sounds.h"

namespace cairn::ui {

void sound_panel(Context& ctx) {
    Widgets& w = ctx.widgets;
    Sounds& sounds = ctx.get<Sounds>();
    SoundSettings& settings = sounds.settings;
    w.toggle("sound.on", "On", settings.on,
             "Impacts make sound: heavy bodies low, hard impacts loud, each by its material.");
    static const SoundSettings standard;
    float percent = 100.0f * settings.volume;
    if (w.number("sound.volume", "Volume", percent, {"%", 0.0f, 100.0f, 0.5f, "%.0f", "Master volume."},
                 100.0f * standard.volume)) {
        settings.volume = 0.01f * percent;
    }
    if (settings.on && !sounds.trouble().empty()) {
        w.muted(joined("Silent: ", sounds.trouble()));
    }
}

} // namespace cairn::ui
