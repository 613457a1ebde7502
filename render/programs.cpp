#include "render/programs.h"

namespace cairn::render {

bool reads_wide_kernel(int shadow_map_size) {
    // Fine maps take the wide kernel: a soft edge is then about as wide in metres as with a coarse map, and smoother.
    return shadow_map_size >= 1536;
}

Programs build_programs(const ShaderFolder& folder, bool wide_kernel) {
    std::vector<const char*> plain;
    if (wide_kernel) {
        plain.push_back("WIDE_KERNEL");
    }
    std::vector<const char*> textured = plain;
    textured.push_back("TEXTURED");
    Programs programs;
    programs.shadow = folder.build({"shadow.vert", "shadow.frag", {}});
    programs.body = folder.build({"body.vert", "body.frag", plain});
    programs.body_textured = folder.build({"body.vert", "body.frag", textured});
    programs.ground = folder.build({"body.vert", "ground.frag", plain});
    programs.ground_textured = folder.build({"body.vert", "ground.frag", textured});
    programs.backdrop = folder.build({"fullscreen.vert", "backdrop.frag", {}});
    programs.line = folder.build({"line.vert", "line.frag", {}});
    programs.point = folder.build({"point.vert", "point.frag", {}});
    programs.mask = folder.build({"mask.vert", "mask.frag", {}});
    programs.outline = folder.build({"fullscreen.vert", "outline.frag", {}});
    programs.occlusion = folder.build({"fullscreen.vert", "occlusion.frag", {}});
    programs.occlusion_blur = folder.build({"fullscreen.vert", "occlusion_blur.frag", {}});
    programs.present = folder.build({"fullscreen.vert", "present.frag", {}});
    programs.present_occluded = folder.build({"fullscreen.vert", "present.frag", {"OCCLUSION"}});
    return programs;
}

} // namespace cairn::render
