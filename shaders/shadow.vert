#include "frame.glsl"
#include "instance.glsl"

void main() { gl_Position = shadow_clip_from_world * vec4(world_position(), 1.0); }
