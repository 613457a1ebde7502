#include "frame.glsl"
#include "depth.glsl"

// Averages the sixteen starting angles of the occlusion pass over a 4 x 4 tile, within one surface.
out vec2 out_openness;

uniform sampler2D occlusion; // r: openness; g: depth, m

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    ivec2 last = textureSize(occlusion, 0) - 1;
    float depth = texelFetch(occlusion, here, 0).g;
    vec2 sum = vec2(0.0);
    for (int y = -2; y < 2; ++y) {
        for (int x = -2; x < 2; ++x) {
            vec2 tap = texelFetch(occlusion, clamp(here + ivec2(x, y), ivec2(0), last), 0).rg;
            float same = max(1.0 - abs(tap.g - depth) / surface_depth(depth), 0.0) + 1e-4;
            sum += vec2(tap.r, 1.0) * same;
        }
    }
    out_openness = vec2(sum.x / sum.y, depth);
}
