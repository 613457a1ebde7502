#include "frame.glsl"
#include "lighting.glsl"

in vec3 v_world;
in vec3 v_normal;
in vec3 v_shadow;
in vec3 v_local_normal;
in vec3 v_pattern;
flat in vec4 v_colour;
flat in float v_layer;

out vec4 out_colour; // a: share of the ambient light, or opacity

uniform sampler2DArray body_textures;

// Box mapping: the pattern is projected along the axis that the surface faces most. The gradients are those of the whole
// position, so that they do not jump (and blur) where the axis changes.
vec3 pattern() {
    const float tiles_per_unit = 0.5;
    vec3 p = v_pattern * tiles_per_unit + 0.5;
    vec3 dx = dFdx(p);
    vec3 dy = dFdy(p);
    vec3 facing = abs(v_local_normal);
    bool along_z = facing.z >= max(facing.x, facing.y);
    bool along_x = facing.x > facing.y;
    // Choose first and fetch once: a branch round the fetch would cost three.
    vec2 at = along_z ? p.xy : along_x ? p.yz : p.xz;
    vec2 at_dx = along_z ? dx.xy : along_x ? dx.yz : dx.xz;
    vec2 at_dy = along_z ? dy.xy : along_x ? dy.yz : dy.xz;
    return textureGrad(body_textures, vec3(at, v_layer), at_dx, at_dy).rgb;
}

void main() {
    vec3 albedo = v_colour.rgb;
#ifdef TEXTURED
    albedo *= pattern();
#endif
    vec4 shaded = lit(albedo, normalize(v_normal), v_world, v_shadow, 1.0);
    // Blended bodies need their opacity there, and take the share of what is behind them away by it.
    out_colour = vec4(tone_map(shaded.rgb), v_colour.a < 1.0 ? v_colour.a : shaded.a);
}
