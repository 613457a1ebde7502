#include "frame.glsl"

// Draws round the marked bodies: every pixel looks for the nearest marked pixel within the width of the outline.
in vec2 v_clip;
out vec4 out_colour;

uniform sampler2D mask; // r: share of the pixel that selected bodies cover, g: hovered ones

const vec3 amber = vec3(1.0, 0.46, 0.03);
const vec2 width = vec2(2.5, 1.5);     // points: selected, hovered
const vec2 strength = vec2(1.0, 0.55);

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(mask, 0) - 1;
    vec2 inside = texelFetch(mask, here, 0).rg;
    if (inside.r >= 1.0) { // nothing is painted over a selected body
        out_colour = vec4(0.0);
        return;
    }
    vec2 reach = width * viewport.z;
    int radius = int(ceil(reach.x));
    vec2 nearest = vec2(0.0);
    for (int y = -radius; y <= radius; ++y) {
        for (int x = -radius; x <= radius; ++x) {
            vec2 marked = texelFetch(mask, clamp(here + ivec2(x, y), ivec2(0), last), 0).rg;
            // From pixel centre to pixel centre; the marked pixel's edge is half a pixel nearer.
            vec2 cover = clamp(reach + 1.0 - length(vec2(x, y)), 0.0, 1.0);
            nearest = max(nearest, marked * cover);
        }
    }
    vec2 line = nearest * (1.0 - inside) * strength;
    out_colour = vec4(amber, max(line.r, line.g * (1.0 - inside.r)));
}
