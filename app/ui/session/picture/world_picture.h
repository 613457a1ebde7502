// What the window shows of the world.
#pragma once

#include "app/ui/context/context.h"
#include "app/ui/lab/lab_views.h"
#include "app/ui/view/mesh_registry.h"
#include "app/ui/view/quality.h"
#include "render/renderer.h"

namespace cairn::ui {

class WorldPicture {
  public:
    // With a GL context current. Throws core::MachineError where the machine cannot draw.
    explicit WorldPicture(const WindowOptions& options);

    render::Renderer& renderer() { return renderer_; }
    MeshRegistry& meshes() { return meshes_; }

    // Fills the draw list of this frame, and sets the renderer as the panels say. `seconds`: since the last one.
    void list(Context& ctx, LabViews& lab, float seconds);

    void draw(Context& ctx, const render::Viewport& viewport);

  private:
    render::Renderer renderer_;
    MeshRegistry meshes_;
    DrawSettings drawn_with_ = never_drawn();
};

} // namespace cairn::ui
