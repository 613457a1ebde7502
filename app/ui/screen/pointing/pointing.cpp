#include "app/ui/screen/pointing/pointing.h"

#include "app/ui/settings/archive/settings_archive.h"

namespace cairn::ui {

void GamepadSettings::remember(Context&, SettingsArchive& a) {
    a.enter("gamepad");
    a.value("on", on);
    a.value("speed", speed, 0.1f, 5.0f);
    a.value("dead_zone", dead_zone, 0.0f, 0.9f);
    a.leave();
}

} // namespace cairn::ui
