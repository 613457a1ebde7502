#include "frame.glsl"
#include "lighting.glsl"

in vec3 v_world;
in vec3 v_normal;
in vec3 v_shadow;
in vec3 v_local_normal;
in vec3 v_pattern;
flat in vec4 v_colour;
flat in float v_layer;

out vec4 out_colour; // a: share of the ambient light

uniform sampler2D ground_texture;

const float texture_size = 6.0; // m per tile

// How much of a pixel the lines at every multiple of `spacing` cover, per axis, 0 .. 1. `at` and its footprint `width_of_pixel`
// are in metres. A line thinner than a pixel is drawn one pixel wide and that much fainter; where a pixel spans much of a
// cell, the lines melt into their mean, so nothing flickers or beats.
vec2 line_cover(vec2 at, vec2 width_of_pixel, float spacing, float line_width) {
    vec2 pixel = max(width_of_pixel, 1e-6);
    vec2 drawn = max(vec2(line_width), pixel);
    vec2 distance_to_line = abs(at - spacing * round(at / spacing));
    vec2 cover = clamp((0.5 * drawn - distance_to_line) / pixel + 0.5, 0.0, 1.0);
    cover *= line_width / drawn;
    vec2 mean = vec2(line_width / spacing);
    return mix(cover, mean, smoothstep(0.25, 0.75, pixel / spacing));
}

float any_of(vec2 cover) { return cover.x + cover.y - cover.x * cover.y; }

void main() {
    vec3 normal = normalize(gl_FrontFacing ? v_normal : -v_normal);
    vec3 albedo = v_colour.rgb;
#ifdef TEXTURED
    albedo *= texture(ground_texture, v_world.xy / texture_size).rgb;
#endif
    // The grid belongs to the floor's upper side.
    float level = options.x * smoothstep(0.5, 0.9, normal.z);
    vec2 at = v_world.xy;
    vec2 pixel = vec2(length(vec2(dFdx(at.x), dFdy(at.x))), length(vec2(dFdx(at.y), dFdy(at.y))));
    float away = is_orthographic() ? depth_range.w : length(eye.xyz - v_world);
    float fine = any_of(line_cover(at, pixel, 1.0, 0.02)) * 0.30 * exp(-away / 45.0);
    float coarse = any_of(line_cover(at, pixel, 10.0, 0.035)) * 0.45 * exp(-away / 140.0);
    albedo *= 1.0 - level * max(fine, coarse);
    // The axes: x reddish, y greenish.
    vec2 axis_distance = abs(at);
    vec2 axis_width = max(vec2(0.05), pixel);
    vec2 axis = clamp((0.5 * axis_width - axis_distance) / max(pixel, 1e-6) + 0.5, 0.0, 1.0) * (0.05 / axis_width);
    axis *= level * 0.55 * exp(-away / 140.0);
    albedo = mix(albedo, vec3(0.62, 0.16, 0.12), axis.y); // the line y = 0 is the x axis
    albedo = mix(albedo, vec3(0.16, 0.45, 0.18), axis.x);

    vec4 shaded = lit(albedo, normal, v_world, v_shadow, 0.25);
    out_colour = vec4(tone_map(shaded.rgb), shaded.a);
}
