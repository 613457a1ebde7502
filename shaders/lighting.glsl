// The studio: one warm key light with a soft shadow, a cool sky above, a warm floor below, and a dim cool fill opposite to
// the key so that no two facets look alike. All functions take and return linear colours.

const vec3 sky_light = vec3(0.40, 0.45, 0.52);   // irradiance / pi on a surface that faces straight up
const vec3 floor_light = vec3(0.21, 0.20, 0.19); // the same for one that faces straight down
const vec3 fill_light = vec3(0.07, 0.08, 0.10);  // added facing away from the key, taken away facing it
const float key_strength = 1.15;                 // irradiance / pi that falls straight on
const float shininess = 26.0;                    // Blinn-Phong exponent: a broad, satin highlight
const float facing_reflectance = 0.04;           // of plastics, wood, stone

uniform sampler2DArrayShadow shadow_map;

// Fraction of the key light that reaches a point of one map, 0 .. 1.
//
// The kernel is the bilinear one of the hardware, or a tent of 6 x 6 texels with WIDE_KERNEL. For a point at fraction f
// between two texel centres, its six weights along an axis are 1-f, 2-f, 3-f, 2+f, 1+f, f (sum 9). Two neighbours of
// weights a, b are one bilinear fetch of weight a + b placed b / (a + b) of the way: three fetches per axis.
//
// Each fetch compares with the depth that the receiver's own plane has there, so the wide kernel causes no acne on slopes
// and the bias can stay at about a texel's worth: shadows keep touching what throws them.
float reaching_in(int map, vec3 at, vec3 normal) {
    float texels = shadow_up.w;
    float facing = max(dot(normal, to_light.xyz), 0.2);
    vec2 slope = vec2(dot(normal, shadow_right.xyz), dot(normal, shadow_up.xyz)) * (shadow_right.w / (facing * texels));
    float bias = 0.75 * (abs(slope.x) + abs(slope.y)) + 0.4 * shadow_right.w / texels;
#ifdef WIDE_KERNEL
    vec2 grid = at.xy * texels - 0.5;
    vec2 base = floor(grid);
    vec2 f = grid - base;
    const int taps = 3;
    vec2 weight[taps] = vec2[taps](3.0 - 2.0 * f, vec2(5.0), 1.0 + 2.0 * f);
    vec2 offset[taps] = vec2[taps]((2.0 - f) / weight[0] - 2.0, (2.0 + f) / 5.0, f / weight[2] + 2.0);
    float sum = 0.0;
    for (int y = 0; y < taps; ++y) {
        for (int x = 0; x < taps; ++x) {
            vec2 o = vec2(offset[x].x, offset[y].y);
            vec3 probe = vec3((base + 0.5 + o) / texels, at.z + dot(o - f, slope) - bias);
            sum += weight[x].x * weight[y].y * texture(shadow_map, vec4(probe.xy, float(map), probe.z));
        }
    }
    return sum / 81.0;
#else
    return texture(shadow_map, vec4(at.xy, float(map), at.z - bias));
#endif
}

// Fraction of the key light that reaches a surface point, 0 .. 1; `along_light` in metres along the light's axes. The finest
// map that holds the point counts. Near its rim the next one comes in, behind the last one light, so that no rim shows.
float light_reaching(vec3 along_light, vec3 normal) {
    int maps = int(viewport.w);
    for (int i = 0; i < maps; ++i) {
        vec3 at = along_light * (shadow_place[i].w * vec3(1.0, 1.0, shadow_right.w)) + shadow_place[i].xyz;
        vec2 from_centre = abs(2.0 * at.xy - 1.0);
        float rim = smoothstep(0.85, 0.98, max(from_centre.x, from_centre.y));
        if (rim < 1.0) {
            float reaching = reaching_in(i, at, normal);
            if (rim > 0.0) {
                float beyond = 1.0;
                if (i + 1 < maps) {
                    vec3 next = along_light * (shadow_place[i + 1].w * vec3(1.0, 1.0, shadow_right.w)) + shadow_place[i + 1].xyz;
                    beyond = reaching_in(i + 1, next, normal);
                }
                reaching = mix(reaching, beyond, rim);
            }
            return 1.0 - to_light.w * (1.0 - reaching);
        }
    }
    return 1.0;
}

// Light that comes from everywhere but the key, divided by pi.
vec3 ambient_light(vec3 normal) {
    return mix(floor_light, sky_light, 0.5 + 0.5 * normal.z) - fill_light * dot(normal, to_light.xyz);
}

// rgb: the colour; a: the share of the ambient light in it, which ambient occlusion may take away later
vec4 lit(vec3 albedo, vec3 normal, vec3 world, vec3 shadow_at, float gloss) {
    vec3 to_eye = normalize(eye.xyz - eye.w * world);
    float facing_light = max(dot(normal, to_light.xyz), 0.0);
    float reaching = light_reaching(shadow_at, normal);
    vec3 key = key_colour.rgb * (key_strength * reaching);

    vec3 half_way = normalize(to_light.xyz + to_eye);
    float facing_eye = clamp(dot(normal, to_eye), 0.0, 1.0);
    float grazing = 1.0 - facing_eye;
    float grazing2 = grazing * grazing;
    float fresnel = facing_reflectance + (1.0 - facing_reflectance) * 0.35 * grazing2 * grazing2 * grazing;
    // (n + 8) / 8 keeps the reflected energy when the exponent changes.
    float highlight = pow(max(dot(normal, half_way), 0.0), shininess) * (shininess + 8.0) / 8.0;
    vec3 reflected = key * (facing_light * highlight * facing_reflectance) + sky_light * (fresnel * (0.6 + 0.4 * normal.z));

    vec3 ambient = albedo * ambient_light(normal);
    vec3 colour = ambient + albedo * key * facing_light + gloss * reflected;
    return vec4(colour, dot(ambient, vec3(1.0)) / max(dot(colour, vec3(1.0)), 1e-6));
}

// Keeps colours as they are up to the knee and bends what is brighter smoothly towards 1, so that tints stay true.
vec3 tone_map(vec3 colour) {
    const float knee = 0.7;
    vec3 above = max(colour - knee, 0.0);
    return min(colour, knee) + (1.0 - knee) * (1.0 - exp(-above / (1.0 - knee)));
}
