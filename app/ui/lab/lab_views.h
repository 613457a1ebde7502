// The lab's pictures: its marks in the world, the views of its panel, and the pictures that it saves.
#pragma once

#include "app/ui/lab/picture/lab_export.h"
#include "app/ui/lab/picture/lab_look.h"
#include "render/view_texture.h"

#include <array>
#include <cstdint>
#include <memory>

namespace cairn::ui {

struct Context;
struct LabView;

class LabViews {
  public:
    // Adds the marks of the shown step, if the pair is in the world.
    void mark_world(const Context& ctx, render::DrawList& list, render::Renderer& renderer);
    // The panel's views, of which only those that have changed. Needs the window's context, and leaves its framebuffer
    // bound.
    void draw(Context& ctx);

  private:
    struct Key {
        std::uint64_t version = 0;
        std::size_t step = 0;
        int width = 0, height = 0;
        float yaw = 0.0f, pitch = 0.0f, zoom = 0.0f;
        bool operator==(const Key&) const = default;
    };
    struct Kept {
        std::unique_ptr<LabDrawing> drawing;
        std::unique_ptr<render::ViewTexture> target;
        Key key;
    };
    void save_pictures(Context& ctx);
    void draw_view(Context& ctx, LabView& view, Kept& kept);

    std::unique_ptr<LabExport> export_;
    std::unique_ptr<render::Renderer> renderer_; // made when the lab is first opened
    std::array<Kept, 4> kept_;
    std::unique_ptr<LabDrawing> in_world_;
};

} // namespace cairn::ui
