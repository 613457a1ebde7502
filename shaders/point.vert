#include "frame.glsl"

// A round dot of constant size in pixels.
layout(location = 0) in vec4 position_size; // xyz: m, world; w: diameter, points
layout(location = 1) in vec4 colour;

out vec2 v_offset; // pixels from the middle
flat out float v_radius; // pixels
flat out vec4 v_colour;

void main() {
    vec4 middle = clip_from_world * vec4(position_size.xyz, 1.0);
    vec2 corner = vec2((gl_VertexID & 1) == 0 ? -1.0 : 1.0, gl_VertexID < 2 ? -1.0 : 1.0);
    v_radius = 0.5 * position_size.w * viewport.z;
    v_offset = corner * (v_radius + 1.0);
    v_colour = colour;
    gl_Position = middle + vec4(v_offset / (0.5 * viewport.xy) * middle.w, 0.0, 0.0);
}
