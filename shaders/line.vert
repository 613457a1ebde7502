#include "frame.glsl"

// A line of constant width in pixels: each instance is a strip of four vertices round the segment.
layout(location = 0) in vec3 from; // m, world
layout(location = 1) in vec3 to;   // m, world
layout(location = 2) in vec4 colour;

out float v_across; // pixels from the middle
flat out vec4 v_colour;

const float half_width = 0.8; // points
const float feather = 1.0;    // pixels

// Lines lie on surfaces more often than not: they are drawn this fraction nearer to the eye, so that both can be seen.
const float nearer = 0.002;

vec3 brought_nearer(vec3 at) {
    return is_orthographic() ? at + nearer * depth_range.w * eye.xyz : mix(at, eye.xyz, nearer);
}

void main() {
    vec4 a = clip_from_world * vec4(brought_nearer(from), 1.0);
    vec4 b = clip_from_world * vec4(brought_nearer(to), 1.0);
    // Cut the segment at the near plane, z = -w, before dividing by w.
    float da = a.z + a.w;
    float db = b.z + b.w;
    if (da < 0.0 && db < 0.0) {
        gl_Position = vec4(0.0, 0.0, 2.0, 1.0); // outside
        v_across = 0.0;
        v_colour = colour;
        return;
    }
    vec4 start = da < 0.0 ? mix(a, b, da / (da - db)) : a;
    vec4 end = db < 0.0 ? mix(b, a, db / (db - da)) : b;

    vec2 to_pixels = 0.5 * viewport.xy;
    vec2 along = end.xy / end.w * to_pixels - start.xy / start.w * to_pixels;
    along = dot(along, along) > 1e-8 ? normalize(along) : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);
    float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
    bool at_end = gl_VertexID >= 2;
    float reach = half_width * viewport.z + feather;

    vec4 middle = at_end ? end : start;
    vec2 offset = across * side * reach + along * (at_end ? 0.5 : -0.5);
    gl_Position = middle + vec4(offset / to_pixels * middle.w, 0.0, 0.0);
    v_across = side * reach;
    v_colour = colour;
}
