#include "frame.glsl"
#include "depth.glsl"

// How open the surroundings of a surface point are to light from all sides, from the depth buffer at half size. Each sample
// is a nearby visible point; one that stands high above the tangent plane hides a part of the hemisphere. What the picture
// does not show cannot darken anything: the result errs on the bright side.
in vec2 v_clip;
out vec2 out_openness; // x: 0 .. 1; y: depth, m

const int samples = 10;
const float reach = 0.9;           // m: how far an occluder matters
const float largest_on_screen = 0.12; // of the picture's height, so that close-ups stay affordable and noise-free
const float turns = 3.0;           // of the sample spiral; coprime to the number of samples
const float strength = 3.2; // the corner of two wide walls then comes out half open, as it is

void main() {
    vec2 at = 0.5 * v_clip + 0.5;
    ivec2 size = textureSize(scene_depth, 0);
    ivec2 here = min(ivec2(at * vec2(size)), size - 1);
    vec2 pixel = 1.0 / vec2(size);
    at = (vec2(here) + 0.5) * pixel;
    float stored = texelFetch(scene_depth, here, 0).r;
    float depth = linear_depth(stored);
    if (stored >= 1.0) {
        out_openness = vec2(1.0, depth);
        return;
    }
    vec3 p = place(at, depth);

    // The normal from the nearer of the two neighbours per axis, so that it does not bend at silhouettes.
    float l = linear_depth(texelFetch(scene_depth, max(here - ivec2(1, 0), ivec2(0)), 0).r);
    float r = linear_depth(texelFetch(scene_depth, min(here + ivec2(1, 0), size - 1), 0).r);
    float b = linear_depth(texelFetch(scene_depth, max(here - ivec2(0, 1), ivec2(0)), 0).r);
    float t = linear_depth(texelFetch(scene_depth, min(here + ivec2(0, 1), size - 1), 0).r);
    vec3 dx = abs(r - depth) < abs(l - depth) ? place(at + vec2(pixel.x, 0.0), r) - p : p - place(at - vec2(pixel.x, 0.0), l);
    vec3 dy = abs(t - depth) < abs(b - depth) ? place(at + vec2(0.0, pixel.y), t) - p : p - place(at - vec2(0.0, pixel.y), b);
    vec3 normal = normalize(cross(dx, dy));

    float radius = min(reach * depth_range.z / scale_depth(depth), largest_on_screen * viewport.y); // pixels
    float reach_here = radius * scale_depth(depth) / depth_range.z; // m
    // Four by four starting angles that the blur averages.
    ivec2 tile = ivec2(gl_FragCoord.xy) & 3;
    float start = float((tile.x * 5 + tile.y * 2 + 4 * ((tile.x ^ tile.y) & 1)) & 15) / 16.0;
    float hidden = 0.0;
    for (int i = 0; i < samples; ++i) {
        float along = (float(i) + 0.5) / float(samples);
        float angle = 6.2831853 * (along * turns + start);
        vec2 there = at + vec2(cos(angle), sin(angle)) * (radius * along) * pixel;
        ivec2 texel = clamp(ivec2(there * vec2(size)), ivec2(0), size - 1);
        vec3 v = place((vec2(texel) + 0.5) * pixel, linear_depth(texelFetch(scene_depth, texel, 0).r)) - p;
        float squared = dot(v, v);
        float near = max(1.0 - squared / (reach_here * reach_here), 0.0);
        // Height over the plane against distance is the sine of the elevation; a little height is only depth noise.
        float sine = (dot(v, normal) - 0.002 * (is_orthographic() ? depth_range.w : depth)) * inversesqrt(squared + 1e-6);
        hidden += near * max(sine, 0.0);
    }
    out_openness = vec2(max(1.0 - strength * hidden / float(samples), 0.0), depth);
}
