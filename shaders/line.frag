#include "frame.glsl"

in float v_across;
flat in vec4 v_colour;
out vec4 out_colour;

void main() {
    float half_width = 0.8 * viewport.z;
    float cover = clamp(half_width + 0.5 - abs(v_across), 0.0, 1.0);
    out_colour = vec4(v_colour.rgb, v_colour.a * cover);
}
