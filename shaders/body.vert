#include "frame.glsl"
#include "instance.glsl"

// Layers from this one on hold patterns that fit the mesh, whatever its scale (balls); those below repeat in metres.
const float first_fitted_layer = 4.0;

out vec3 v_world;  // m
out vec3 v_normal; // world
out vec3 v_shadow; // shadow map space
out vec3 v_local_normal;
out vec3 v_pattern; // m, or mesh units for fitted layers
flat out vec4 v_colour;
flat out float v_layer;

void main() {
    v_world = world_position();
    v_local_normal = local_normal();
    v_normal = rotate(orientation, v_local_normal);
    v_shadow = (shadow_texture_from_world * vec4(v_world, 1.0)).xyz;
    v_pattern = local_position();
    if (scale_texture.w >= first_fitted_layer) {
        v_pattern /= scale_texture.xyz;
    }
    v_colour = colour;
    v_layer = scale_texture.w;
    gl_Position = clip_from_world * vec4(v_world, 1.0);
}
