#include "frame.glsl"
#include "instance.glsl"

flat out vec4 v_mark; // r: selected, g: hovered

void main() {
    v_mark = colour;
    gl_Position = clip_from_world * vec4(world_position(), 1.0);
}
