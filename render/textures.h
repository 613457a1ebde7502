// The pictures on bodies and ground.
#pragma once

#include "render/gl.h"

#include <filesystem>

namespace cairn::render {

struct Textures {
    GlTexture bodies; // array; layer 0 is white, so that plain and patterned bodies share one program
    GlTexture ground;
    int body_layers = 1; // with layer 0
};

// File names of the body layers 1, 2, ... in the textures folder.
inline constexpr const char* body_texture_files[] = {"plaster.png", "brushed.png", "wood.png", "ball.png",
                                                     "checker.png"};
inline constexpr const char* ground_texture_file = "ground.png";

// Throws RenderError naming the file that is missing, broken, or of another size than the first layer.
Textures load_textures(const std::filesystem::path& folder);

} // namespace cairn::render
