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
out vec3 v_local;      // m, in the body's axes
flat out vec3 v_half;  // half extents of a box, m; 0 for other meshes
flat out vec4 v_orientation;

void main() {
    v_world = world_position();
    v_local_normal = local_normal();
    v_normal = rotate(orientation, v_local_normal);
    v_shadow = (shadow_texture_from_world * vec4(v_world, 1.0)).xyz;
    v_local = local_position();
    v_half = has_box_edges * scale_texture.xyz;
    v_pattern = v_local;
    if (scale_texture.w >= first_fitted_layer) {
        v_pattern /= scale_texture.xyz;
    }
    v_orientation = orientation;
    v_colour = colour;
    v_layer = scale_texture.w;
    gl_Position = clip_from_world * vec4(v_world, 1.0);
}
