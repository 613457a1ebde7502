#include "app/ui/lab/lab_views.h"

#include "app/lab/tracers/difference.h"
#include "app/ui/context/context.h"
#include "app/ui/lab/lab_state.h"
#include "app/ui/screen/drawing.h"
#include "app/ui/text/paths.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

namespace lab = core::lab;

void LabViews::mark_world(const Context& ctx, render::DrawList& list, render::Renderer& renderer) {
    const LabState& state = ctx.get<LabState>();
    const bool in_world = state.open && state.source == LabSource::bodies && state.has_pair;
    if (!in_world) {
        in_world_.reset();
        return;
    }
    const lab::LabStep* step = state.step_of(0);
    if (step == nullptr) {
        return;
    }
    if (!in_world_) {
        in_world_ = std::make_unique<LabDrawing>(renderer);
    }
    in_world_->begin();
    in_world_->add_figure(list, step->world, lab::size_of(state.pair), state.pair.origin);
}

// One picture a frame. What goes wrong becomes a message.
void LabViews::save_pictures(Context& ctx) {
    LabState& state = ctx.get<LabState>();
    try {
        if (state.save && !export_ && !state.runs.empty()) {
            const lab::LabRun& run = state.runs.front();
            export_ =
                std::make_unique<LabExport>(state.pair, run, user_folder("lab") / dated_name(run.algorithm), 1280, 720);
        }
        state.save = false;
        if (export_) {
            export_->advance();
            state.saving = static_cast<float>(export_->progress());
            if (export_->done()) {
                ctx.log.info("Saved the steps to " + export_->folder().string());
                export_.reset();
            }
        }
    } catch (const std::exception& error) {
        ctx.log.error(std::string("No pictures: ") + error.what());
        export_.reset();
    }
    if (!export_) {
        state.saving = -1.0f;
    }
}

void LabViews::draw(Context& ctx) {
    save_pictures(ctx);
    LabState& state = ctx.get<LabState>();
    if (!state.open) {
        return;
    }
    if (!renderer_) {
        render::RendererOptions options;
        options.shadow_map_size = 0;
        options.ambient_occlusion = false;
        options.msaa_samples = ctx.get<Drawing>().software_driver ? 1 : 4;
        renderer_ = std::make_unique<render::Renderer>(options);
    }
    for (std::size_t i = 0; i < state.views.size(); ++i) {
        LabView& view = state.views[i];
        if (view.wanted && view.run < state.runs.size() && view.width >= 8 && view.height >= 8) {
            draw_view(ctx, view, kept_[i]);
        }
    }
}

void LabViews::draw_view(Context& ctx, LabView& view, Kept& kept) {
    const LabState& state = ctx.get<LabState>();
    const Key key{state.version, state.step, view.width, view.height, state.yaw, state.pitch, state.zoom};
    if (kept.drawing && kept.key == key) {
        return;
    }
    if (!kept.drawing) {
        kept.drawing = std::make_unique<LabDrawing>(*renderer_);
        kept.target = std::make_unique<render::ViewTexture>();
    }
    kept.key = key;
    kept.target->fit(view.width, view.height);
    kept.drawing->begin();
    view.list.clear();
    view.list.grid = false;
    const lab::LabRun& run = state.runs[view.run];
    const glm::vec3 towards(std::cos(state.pitch) * std::cos(state.yaw), std::cos(state.pitch) * std::sin(state.yaw),
                            std::sin(state.pitch));
    const std::vector<glm::dvec3> points =
        view.difference ? points_of_difference(state.pair, run) : points_of_bodies(state.pair, run);
    render::Camera& camera = view.list.camera;
    camera = camera_for(points, towards, static_cast<float>(view.width) / static_cast<float>(view.height));
    camera.eye = camera.target + (camera.eye - camera.target) / state.zoom;
    camera.near_distance /= std::max(state.zoom, 1.0f) * 4.0f;
    if (view.difference) {
        draw_difference(view.list, *kept.drawing, state.pair, *state.step_of(view.run));
    } else {
        draw_bodies(view.list, *kept.drawing, state.pair, *state.step_of(view.run));
    }
    renderer_->draw(view.list, {view.width, view.height, ctx.window.scale * ctx.window.framebuffer_ratio()},
                    kept.target->framebuffer());
    view.texture = kept.target->texture();
}

} // namespace cairn::ui
