in vec2 v_offset;
flat in float v_radius;
flat in vec4 v_colour;
out vec4 out_colour;

void main() {
    float from_middle = length(v_offset);
    float cover = clamp(v_radius + 0.5 - from_middle, 0.0, 1.0);
    // A darker rim keeps the dot readable on a surface of its own colour.
    float rim = smoothstep(0.55 * v_radius, 0.95 * v_radius, from_middle);
    out_colour = vec4(v_colour.rgb * (1.0 - 0.55 * rim), v_colour.a * cover);
}
