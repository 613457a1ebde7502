#include "frame.glsl"
#include "instance.glsl"

layout(location = 7) in float map;

void main() { gl_Position = shadow_clip_from_world[int(map)] * vec4(world_position(), 1.0); }
