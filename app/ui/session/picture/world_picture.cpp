#include "app/ui/session/picture/world_picture.h"

#include "app/core/base/error.h"
#include "app/ui/context/selection.h"
#include "app/ui/panels/body/contacts_panel.h"
#include "app/ui/screen/drawing.h"
#include "app/ui/screen/frame_metrics.h"
#include "app/ui/screen/scene/scene_shown.h"
#include "app/ui/timeline/ghosts.h"
#include "app/ui/tools/tool_box.h"

#include <GLFW/glfw3.h>
#include <string>
#include <utility>

namespace cairn::ui {

namespace {

render::Renderer make_renderer(const WindowOptions& options) {
    try {
        render::load_gl([](const char* name) { return reinterpret_cast<void*>(glfwGetProcAddress(name)); });
        render::RendererOptions r;
        r.textures = core::data_folder() / "assets" / "textures";
        r.shader_override = options.shader_override;
        r.msaa_samples = options.msaa.value_or(1); // the first frame sets what the panel shows
        return render::Renderer(r);
    } catch (const render::RenderError& error) {
        throw core::MachineError(std::string("this machine cannot draw: ") + error.what());
    }
}

} // namespace

WorldPicture::WorldPicture(const WindowOptions& options) : renderer_(make_renderer(options)), meshes_(renderer_) {
}

void WorldPicture::list(Context& ctx, LabViews& lab, float seconds) {
    Drawing& drawing = ctx.get<Drawing>();
    const DrawSettings& settings = drawing.settings;
    if (settings.msaa != drawn_with_.msaa) {
        renderer_.set_msaa(settings.msaa);
    }
    if (settings.shadow_map != drawn_with_.shadow_map || settings.shadow_cascades != drawn_with_.shadow_cascades) {
        renderer_.set_shadows(settings.shadow_map, settings.shadow_cascades);
    }
    if (settings.resolution != drawn_with_.resolution) {
        renderer_.set_resolution(settings.resolution);
    }
    renderer_.set_ambient_occlusion(settings.occlusion);
    drawn_with_ = settings;
    if (const std::string trouble = renderer_.reload_changed_shaders(); !trouble.empty()) {
        ctx.log.error(trouble);
    }
    core::Simulation& simulation = ctx.simulation;
    ViewOptions& view = ctx.view_options;
    simulation.watched = details_for(view);
    view.selected = ctx.selection;
    view.zones = simulation.expected().zones;
    view.labels = ctx.get<SceneShown>().labels;
    view.hidden = ctx.get<HiddenBodies>().bodies;
    view.hovered = ctx.hovered;
    view.open_shape = std::exchange(ctx.open_shape, {});
    view.seconds = seconds;
    const bool whole_steps = simulation.paused || !settings.interpolate || ctx.options.frames.has_value();
    view.interpolation = whole_steps ? 1.0f : static_cast<float>(simulation.interpolation());
    Lap lap;
    ctx.view.build(drawing.list, simulation.previous(), simulation.current(), ctx.camera.camera(), meshes_, view);
    ctx.get<Ghosts>().draw(ctx, drawing.list, meshes_);
    ctx.get<ToolBox>().draw(ctx, drawing.list, meshes_);
    lap.end(ctx.get<FrameMetrics>().draw_list_ms);
    mark_pointed_contact(ctx, drawing.list);
    lab.mark_world(ctx, drawing.list, renderer_);
}

void WorldPicture::draw(Context& ctx, const render::Viewport& viewport) {
    Drawing& drawing = ctx.get<Drawing>();
    renderer_.refresh(drawing.list, viewport);
    drawing.stats = renderer_.stats();
    if (!drawing.stats.shown_again) {
        FrameMetrics& metrics = ctx.get<FrameMetrics>();
        ++metrics.pictures;
        metrics.cull_ms.add(static_cast<float>(1e3 * drawing.stats.cull_seconds));
        metrics.fill_ms.add(static_cast<float>(1e3 * drawing.stats.fill_seconds));
    }
}

} // namespace cairn::ui
