#include "rotate.glsl"

// One vertex of a mesh, placed by its instance. See render/draw_list.h for the rule.
layout(location = 0) in vec3 vertex_position;
layout(location = 1) in vec3 vertex_normal;
layout(location = 2) in vec4 position_extrude; // xyz: m, world; w: m, along local z away from z = 0
layout(location = 3) in vec4 orientation;      // unit quaternion x, y, z, w: local to world
layout(location = 4) in vec4 scale_texture;    // xyz: factor; w: layer of the body textures, 0 = plain
layout(location = 5) in vec4 colour;           // linear
layout(location = 6) in float has_box_edges;   // 1: the mesh is the unit box, whose edges are drawn bevelled
layout(location = 8) in vec3 edge_strength;    // of the edges opposite to the corners of the triangle, 0 .. 1

// m, in the body's axes
vec3 local_position() {
    return vertex_position * scale_texture.xyz + vec3(0.0, 0.0, sign(vertex_position.z) * position_extrude.w);
}

vec3 world_position() { return position_extrude.xyz + rotate(orientation, local_position()); }

// Normals go with the inverse of the scale.
vec3 local_normal() { return normalize(vertex_normal / scale_texture.xyz); }
