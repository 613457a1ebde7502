#include "frame.glsl"

in vec2 v_clip;
out vec4 out_colour; // a: no ambient light to be hidden

// Linear colours as shown, not lit: a studio wall that is brightest a little above the horizon.
const vec3 zenith = vec3(0.44, 0.51, 0.60);
const vec3 horizon = vec3(0.80, 0.82, 0.83);
const vec3 nadir = vec3(0.50, 0.51, 0.52);

// Noise of mean 0 and amplitude 1/2 from the pixel's place: breaks the bands of an 8-bit gradient.
float dither(vec2 pixel) { return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5; }

void main() {
    vec4 far = world_from_clip * vec4(v_clip, 1.0, 1.0);
    float height = normalize(far.xyz / far.w * eye.w - eye.xyz).z; // sine of the elevation
    vec3 colour = height > 0.0 ? mix(horizon, zenith, 1.0 - pow(1.0 - height, 2.5))
                               : mix(horizon, nadir, 1.0 - pow(1.0 + height, 4.0));
    // One step of the 8-bit sRGB output is about 1/140 of a light linear value.
    out_colour = vec4(colour + dither(gl_FragCoord.xy) / 140.0, 0.0);
}
