#include "app/ui/view/picture.h"

#include "app/core/base/error.h"
#include "app/ui/view/labels/labels.h"
#include "app/ui/view/mesh_registry.h"
#include "app/ui/view/scene_view.h"
#include "render/offscreen.h"

namespace cairn::ui {

ViewOptions view_of(const PictureOptions& options) {
    ViewOptions view;
    view.seconds = -1.0f;
    view.colours = options.colours;
    view.selected = options.marked;
    view.zones = options.zones;
    view.labels = options.labels;
    if (!options.layers.empty()) {
        view.layers = {};
    } else {
        view.layers["joints"] = true; // in a picture nobody can select them
    }
    if (const auto unknown = set_layers(view.layers, options.layers)) {
        throw core::InputError("unknown layer '" + *unknown + "'; choose from " + layer_names());
    }
    return view;
}

render::RendererOptions renderer_options_of(const PictureOptions& options) {
    const auto in_range = [](int pixels) { return pixels >= 16 && pixels <= 8192; };
    if (!in_range(options.width) || !in_range(options.height)) {
        throw core::InputError("a picture of " + std::to_string(options.width) + "x" + std::to_string(options.height) +
                               " pixels is not possible; choose sizes from 16 to 8192");
    }
    render::RendererOptions renderer;
    renderer.textures = core::data_folder() / "assets" / "textures";
    renderer.msaa_samples = options.draw.msaa;
    renderer.shadow_map_size = options.draw.shadow_map;
    renderer.shadow_cascades = options.draw.shadow_cascades;
    renderer.ambient_occlusion = options.draw.occlusion;
    return renderer;
}

physics::FrameDetails details_for(const PictureOptions& options) {
    return details_for(view_of(options));
}

render::Image draw_picture(const physics::FrameState& frame, const core::SceneCamera& camera,
                           const PictureOptions& options) {
    const ViewOptions view = view_of(options);
    const render::RendererOptions renderer_options = renderer_options_of(options);
    try {
        const render::OffscreenContext context;
        render::Renderer renderer(renderer_options);
        MeshRegistry meshes(renderer);
        SceneView scene;
        render::DrawList list;
        scene.build(list, frame, frame, camera_of(camera), meshes, view);
        render::Image image = renderer.draw_to_image(list, {options.width, options.height, 1.0f});
        LabelPainter(1.0f).paint(image, list.labels.all(), list.camera);
        return image;
    } catch (const render::RenderError& error) {
        throw core::MachineError(std::string("this machine cannot draw the picture: ") + error.what());
    }
}

std::vector<std::uint8_t> draw_png(const physics::FrameState& frame, const core::SceneCamera& camera,
                                   const PictureOptions& options) {
    return render::encode_png(draw_picture(frame, camera, options));
}

} // namespace cairn::ui
