#include "frame.glsl"
#include "instance.glsl"

// Layers from this one on hold patterns that fit the mesh, whatever its scale (balls); those below repeat in metres.
const float first_fitted_layer = 4.0;

out vec3 v_world;  // m
out vec3 v_normal; // world
out vec3 v_shadow; // m, along the light's axes
out vec3 v_local_normal;
out vec3 v_pattern; // m, or mesh units for fitted layers
flat out vec4 v_colour;
flat out float v_layer;
out vec3 v_local;      // m, in the body's axes
flat out vec3 v_half;  // half extents of a box, m; 0 for other meshes
flat out vec4 v_orientation;
flat out vec3 v_edges; // strengths; 0: none is drawn
out vec3 v_corner;     // 1 at a corner of the triangle, 0 along the edge opposite to it

void main() {
    v_world = world_position();
    v_local_normal = local_normal();
    v_normal = rotate(orientation, v_local_normal);
    v_shadow = vec3(dot(shadow_right.xyz, v_world), dot(shadow_up.xyz, v_world), -dot(to_light.xyz, v_world));
    v_local = local_position();
    v_half = has_box_edges * scale_texture.xyz;
    v_pattern = v_local;
    if (scale_texture.w >= first_fitted_layer) {
        v_pattern /= scale_texture.xyz;
    }
    v_orientation = orientation;
    v_colour = colour;
    // The unit box draws its own.
    v_edges = has_box_edges > 0.0 ? vec3(0.0) : edge_strength;
    v_corner = vec3(equal(ivec3(0, 1, 2), ivec3(gl_VertexID % 3)));
    v_layer = scale_texture.w;
    gl_Position = clip_from_world * vec4(v_world, 1.0);
}
