// How the world is drawn, and what was drawn last.
#pragma once

#include "app/ui/context/parts.h"
#include "app/ui/view/quality.h"
#include "render/draw_list.h"
#include "render/renderer.h"

namespace cairn::ui {

struct Drawing : Part {
    DrawSettings settings;
    render::DrawList list;
    render::RenderStats stats;
    int max_msaa = 4;
    bool software_driver = false; // the processor draws: finery is off until it is asked for

    void remember(Context& ctx, SettingsArchive& archive) override; // with what the view shows
};

} // namespace cairn::ui
