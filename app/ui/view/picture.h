// A picture of a world without a window: what `cairn render` writes.
#pragma once

#include "app/core/scene/scene.h"
#include "app/ui/view/colour_modes.h"
#include "app/ui/view/quality.h"
#include "app/ui/view/scene_view.h"
#include "physics/world/frame_state.h"
#include "render/renderer.h"

#include <string>
#include <vector>

namespace cairn::ui {

struct PictureOptions {
    int width = 1280, height = 720;  // pixels
    std::vector<std::string> layers; // names of debug layers to show (scene_view.h); none: usual_layers()
    ColourMode colours = ColourMode::palette;
    DrawSettings draw;
    std::vector<physics::BodyId> marked; // outlined, by slot
    std::vector<core::Zone> zones;       // for the layer of that name
    std::vector<WorldLabel> labels;      // likewise
};

// What that comes to. Both throw core::InputError, as draw_picture does.
ViewOptions view_of(const PictureOptions& options);
render::RendererOptions renderer_options_of(const PictureOptions& options);

// What the frame must hold (World::watch). Throws core::InputError for a layer that does not exist.
physics::FrameDetails details_for(const PictureOptions& options);

// Draws the frame as seen from `camera` through an offscreen context. Throws core::InputError for an unknown layer (the
// message lists those that exist) or a size outside 16..8192, core::MachineError where the machine has no OpenGL.
render::Image draw_picture(const physics::FrameState& frame, const core::SceneCamera& camera,
                           const PictureOptions& options);
// The same as the bytes of a PNG.
std::vector<std::uint8_t> draw_png(const physics::FrameState& frame, const core::SceneCamera& camera,
                                   const PictureOptions& options);

} // namespace cairn::ui
