// The shader programs of all passes.
#pragma once

#include "render/shader.h"

namespace cairn::render {

struct Programs {
    Program shadow, body, body_textured, ground, ground_textured, backdrop, line, point, mask, outline, occlusion,
        occlusion_blur, present, present_occluded;
};

// Whether shadow maps of this size, texels, are read with the wide kernel, which is compiled into the programs.
bool reads_wide_kernel(int shadow_map_size);

// Throws RenderError "FILE:LINE: message" for what does not compile or link.
Programs build_programs(const ShaderFolder& folder, bool wide_kernel);

} // namespace cairn::render
