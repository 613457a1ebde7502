#include "frame.glsl"
#include "depth.glsl"

// Takes the ambient light away where it does not reach, and encodes for the screen. A picture of fewer pixels is stretched.
in vec2 v_clip;
out vec4 out_colour; // sRGB

uniform sampler2D scene_colour; // linear when read; a: share of the ambient light in the colour
uniform sampler2D occlusion;    // r: openness; g: depth, m; half size

// Between the four nearest half-size texels, those on the surface of this pixel count.
float openness(ivec2 here) {
    float depth = linear_depth(texelFetch(scene_depth, here, 0).r);
    vec2 at = 0.5 * (vec2(here) + 0.5) - 0.5;
    ivec2 base = ivec2(floor(at));
    vec2 f = at - vec2(base);
    ivec2 last = textureSize(occlusion, 0) - 1;
    vec2 sum = vec2(0.0);
    for (int i = 0; i < 4; ++i) {
        ivec2 corner = ivec2(i & 1, i >> 1);
        vec2 tap = texelFetch(occlusion, clamp(base + corner, ivec2(0), last), 0).rg;
        vec2 weight = mix(1.0 - f, f, vec2(corner));
        float same = max(1.0 - abs(tap.g - depth) / surface_depth(depth), 0.0) + 1e-4;
        sum += vec2(tap.r, 1.0) * (weight.x * weight.y * same);
    }
    return sum.x / sum.y;
}

vec3 srgb(vec3 linear) {
    vec3 curve = 1.055 * pow(max(linear, 0.0), vec3(1.0 / 2.4)) - 0.055;
    return mix(curve, 12.92 * linear, lessThan(linear, vec3(0.0031308)));
}

void main() {
    vec2 at = gl_FragCoord.xy * options.y;
    vec4 colour = options.y < 1.0 ? texture(scene_colour, at / vec2(textureSize(scene_colour, 0)))
                                  : texelFetch(scene_colour, ivec2(at), 0);
#ifdef OCCLUSION
    colour.rgb *= 1.0 - colour.a * (1.0 - openness(ivec2(at)));
#endif
    out_colour = vec4(srgb(colour.rgb), 1.0);
}
