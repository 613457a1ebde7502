#include "app/ui/screen/drawing.h"

#include "app/ui/context/context.h"
#include "app/ui/settings/archive/settings_archive.h"
#include "app/ui/text/frame_text.h"
#include "app/ui/widgets/palette.h"

namespace cairn::ui {

void Drawing::remember(Context& ctx, SettingsArchive& a) {
    ViewOptions& v = ctx.view_options;
    a.enter("view");
    a.enter("layers");
    for (const DebugLayer& layer : debug_layers()) {
        a.value(layer.name, v.layers[layer]);
    }
    a.leave();
    a.value("grid", v.grid);
    a.value("textures", v.textures);
    FrameList<std::string_view> colours;
    for (const ColourModeInfo& info : colour_modes()) {
        colours.emplace_back(info.name);
    }
    int mode = static_cast<int>(v.colours);
    a.word("colours", mode, colours);
    v.colours = colour_modes()[static_cast<std::size_t>(mode)].mode;
    bool safe = colours::safe();
    a.value("safe_colours", safe);
    colours::set_safe(safe);
    a.value("smooth", settings.interpolate);
    a.value("occlusion", settings.occlusion);
    a.value("shadow_map", settings.shadow_map, 0, 16384);
    a.value("shadow_cascades", settings.shadow_cascades, 1, 4);
    a.value("msaa", settings.msaa, 1, 32);
    a.value("resolution", settings.resolution, 10, 100);
    a.leave();
}

} // namespace cairn::ui
