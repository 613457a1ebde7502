#include "app/ui/screen/layout.h"

#include "app/ui/context/context.h"
#include "app/ui/settings/archive/settings_archive.h"

namespace cairn::ui {

void Layout::remember(Context& ctx, SettingsArchive& a) {
    a.enter("panels"); // whether all of them were hidden is not remembered: who begins shall see them
    a.value("left", left);
    bool stays = right && !right_for_selection;
    a.value("right", stays);
    if (a.reading()) {
        right = stays;
    }
    a.value("text_size", text_size, least_text, largest_text);
    a.value("sections", ctx.widgets.sections());
    a.leave();
}

} // namespace cairn::ui
