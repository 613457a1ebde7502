#include "frame.glsl"
#include "lighting.glsl"

in vec3 v_world;
in vec3 v_normal;
in vec3 v_shadow;
in vec3 v_local_normal;
in vec3 v_pattern;
flat in vec4 v_colour;
flat in float v_layer;

out vec4 out_colour;

uniform sampler2DArray body_textures;

// Box mapping: the pattern is projected along the axis that the surface faces most. The gradients are those of the whole
// position, so that they do not jump (and blur) where the axis changes.
vec3 pattern() {
    const float tiles_per_unit = 0.5;
    vec3 p = v_pattern * tiles_per_unit + 0.5;
    vec3 dx = dFdx(p);
    vec3 dy = dFdy(p);
    vec3 facing = abs(v_local_normal);
    if (facing.z >= max(facing.x, facing.y)) {
        return textureGrad(body_textures, vec3(p.xy, v_layer), dx.xy, dy.xy).rgb;
    }
    if (facing.y >= facing.x) {
        return textureGrad(body_textures, vec3(p.xz, v_layer), dx.xz, dy.xz).rgb;
    }
    return textureGrad(body_textures, vec3(p.yz, v_layer), dx.yz, dy.yz).rgb;
}

void main() {
    vec3 albedo = v_colour.rgb;
#ifdef TEXTURED
    albedo *= pattern();
#endif
    out_colour = vec4(tone_map(lit(albedo, normalize(v_normal), v_world, v_shadow, 1.0)), v_colour.a);
}
