#include "app/ui/screen/remembered.h"

#include "app/ui/settings/archive/settings_archive.h"
#include "app/ui/text/paths.h"

#include <algorithm>

namespace cairn::ui {

void Remembered::remember(Context&, SettingsArchive& a) {
    a.enter("window");
    a.value("width", width, 0, 16384);
    a.value("height", height, 0, 16384);
    a.leave();
    a.value("recent", recent);
    a.value("tour_seen", tour_seen);
}

void remember_file(Remembered& remembered, const std::filesystem::path& path) {
    const std::string text = whole_path(path).string();
    std::vector<std::string>& recent = remembered.recent;
    recent.erase(std::remove(recent.begin(), recent.end(), text), recent.end());
    recent.insert(recent.begin(), text);
    if (recent.size() > most_recent) {
        recent.resize(most_recent);
    }
}

} // namespace cairn::ui
