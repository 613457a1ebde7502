#include "frame.glsl"
#include "lighting.glsl"
#include "rotate.glsl"

in vec3 v_world;
in vec3 v_normal;
in vec3 v_shadow;
in vec3 v_local_normal;
in vec3 v_pattern;
flat in vec4 v_colour;
flat in float v_layer;
in vec3 v_local;
flat in vec3 v_half;
flat in vec4 v_orientation;
flat in vec3 v_edges;
in vec3 v_corner;

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

// Boxes have their edges broken, as made things have: a narrow band along each edge leans towards the next face and is a
// little darker, so that boxes of one hue that touch stay two. Returns the lean (body's axes), and in w how much of the pixel
// lies in the band.
vec4 bevel() {
    float smallest = min(v_half.x, min(v_half.y, v_half.z));
    vec3 to_edge = v_half - abs(v_local); // m, per axis
    // Along the face's own axis there is no edge.
    to_edge = mix(to_edge, vec3(1e6), step(0.5, abs(v_local_normal)));
    vec2 nearest = to_edge.x < min(to_edge.y, to_edge.z) ? vec2(to_edge.x, 0.0)
                   : to_edge.y < to_edge.z               ? vec2(to_edge.y, 1.0)
                                                         : vec2(to_edge.z, 2.0);
    float width = min(0.1 * smallest, 0.05); // m
    float pixel = length(vec2(length(dFdx(v_local)), length(dFdy(v_local)))) * 0.7;
    // A band thinner than a pixel is drawn a pixel wide and that much fainter; far away it is gone.
    float drawn = max(width, pixel);
    float cover = clamp((drawn - nearest.x) / pixel + 0.5, 0.0, 1.0) * min(1.6 * width / drawn, 1.0);
    cover *= 1.0 - smoothstep(0.15, 0.5, pixel / smallest);
    vec3 lean = vec3(equal(ivec3(0, 1, 2), ivec3(int(nearest.y)))) * sign(v_local);
    return vec4(lean, cover);
}

// Edges of hulls, cylinders and cones as fine dark lines of one width on the screen: how much of the pixel they cover.
float crease() {
    const float half_width = 0.7; // points; the neighbouring triangle draws the other half
    vec3 per_pixel = max(sqrt(dFdx(v_corner) * dFdx(v_corner) + dFdy(v_corner) * dFdy(v_corner)), 1e-6);
    vec3 cover = clamp(half_width * viewport.z + 0.5 - v_corner / per_pixel, 0.0, 1.0) * v_edges;
    // Where a triangle is but a few pixels high, its edges would be all that is seen.
    cover *= 1.0 - smoothstep(0.10, 0.35, per_pixel);
    return max(cover.x, max(cover.y, cover.z));
}

void main() {
    vec3 albedo = v_colour.rgb;
    vec3 normal = normalize(gl_FrontFacing ? v_normal : -v_normal);
#ifdef TEXTURED
    albedo *= pattern();
#endif
    albedo *= 1.0 - 0.3 * crease();
    if (v_half.x > 0.0) {
        vec4 edge = bevel();
        albedo *= 1.0 - 0.22 * edge.w;
        normal = normalize(normal + rotate(v_orientation, edge.xyz) * (0.7 * edge.w));
    }
    vec4 shaded = lit(albedo, normal, v_world, v_shadow, 1.0);
    // Blended bodies need their opacity there, and take the share of what is behind them away by it.
    out_colour = vec4(tone_map(shaded.rgb), v_colour.a < 1.0 ? v_colour.a : shaded.a);
}
