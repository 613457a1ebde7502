// A picture of a world without a window: what `cairn render` writes.
#pragma once

#include "app/core/scene/scene.h"
#include "physics/world/frame_state.h"

#include <filesystem>
#include <string>
#include <vector>

namespace cairn::ui {

struct PictureOptions {
    int width = 1280, height = 720;  // pixels
    std::vector<std::string> layers; // names of debug layers to show (scene_view.h); none: usual_layers()
    int msaa = 4;                    // samples, 0 or 1 = off
};

// Draws the frame as seen from `camera` through an offscreen context and writes a PNG. Throws core::InputError for an
// unknown layer (the message lists those that exist), a size outside 16..8192 or an unwritable file, core::MachineError
// where the machine has no OpenGL.
void render_picture(const physics::FrameState& frame, const core::SceneCamera& camera, const std::filesystem::path& out,
                    const PictureOptions& options);

} // namespace cairn::ui
