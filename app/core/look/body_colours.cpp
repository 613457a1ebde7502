#include "app/core/look/body_colours.h"

#include <array>
#include <cmath>
#include <utility>

namespace cairn::core {

namespace {

constexpr float tau = 6.28318530718f;

// Light enough to read as matte paint under the key light, dark enough to stand off the pale backdrop.
constexpr float body_lightness = 0.70f;
constexpr float body_chroma = 0.115f;
constexpr float resting_chroma = 0.054f;
constexpr float shade_lightness = 0.03f;

glm::vec3 hue_degrees(float lightness, float chroma, float degrees) {
    return linear_from_oklch(lightness, chroma, degrees * tau / 360.0f);
}

// The finaliser of MurmurHash3: every input bit flips every output bit with probability near one half.
std::uint32_t scatter(std::uint32_t x) {
    x = (x ^ (x >> 16)) * 0x85ebca6bu;
    x = (x ^ (x >> 13)) * 0xc2b2ae35u;
    return x ^ (x >> 16);
}

} // namespace

glm::vec3 linear_from_oklch(float lightness, float chroma, float hue) {
    const float a = chroma * std::cos(hue);
    const float b = chroma * std::sin(hue);
    // Ottosson's OKLab inverse: cone responses are cubes of a linear map of (L, a, b).
    const float l = lightness + 0.3963377774f * a + 0.2158037573f * b;
    const float m = lightness - 0.1055613458f * a - 0.0638541728f * b;
    const float s = lightness - 0.0894841775f * a - 1.2914855480f * b;
    const float l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
    const glm::vec3 rgb(4.0767416621f * l3 - 3.3077115913f * m3 + 0.2309699292f * s3,
                        -1.2684380046f * l3 + 2.6097574011f * m3 - 0.3413193965f * s3,
                        -0.0041960863f * l3 - 0.7034186147f * m3 + 1.7076147010f * s3);
    return glm::clamp(rgb, glm::vec3(0.0f), glm::vec3(1.0f));
}

glm::vec3 srgb_from_linear(const glm::vec3& linear) {
    glm::vec3 out(0.0f);
    for (int i = 0; i < 3; ++i) {
        const float c = linear[i];
        out[i] = c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1.0f / 2.4f) - 0.055f;
    }
    return out;
}

glm::vec3 linear_from_srgb(const glm::vec3& srgb) {
    glm::vec3 out(0.0f);
    for (int i = 0; i < 3; ++i) {
        const float c = srgb[i];
        out[i] = c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f);
    }
    return out;
}

glm::vec3 body_colour(int hue, float awake, float shade) {
    const float share = std::fmin(std::fmax(awake, 0.0f), 1.0f);
    const float chroma = resting_chroma + (body_chroma - resting_chroma) * share;
    return linear_from_oklch(body_lightness + shade_lightness * shade, chroma,
                             (static_cast<float>(hue) + 0.5f) * tau / static_cast<float>(body_hue_count));
}

glm::vec3 body_colour(const physics::Colour& own, float awake) {
    const glm::vec3 full = linear_from_srgb(glm::vec3(own.r, own.g, own.b) / 255.0f);
    if (awake >= 1.0f) {
        return full;
    }
    // To OKLab, where less chroma leaves hue and lightness as they are.
    const float l = std::cbrt(0.4122214708f * full.r + 0.5363325363f * full.g + 0.0514459929f * full.b);
    const float m = std::cbrt(0.2119034982f * full.r + 0.6806995451f * full.g + 0.1073969566f * full.b);
    const float s = std::cbrt(0.0883024619f * full.r + 0.2817188376f * full.g + 0.6299787005f * full.b);
    const float lightness = 0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s;
    const float a = 1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s;
    const float b = 0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s;
    constexpr float resting_share = resting_chroma / body_chroma;
    const float share = resting_share + (1.0f - resting_share) * std::fmax(awake, 0.0f);
    return linear_from_oklch(lightness, share * std::sqrt(a * a + b * b), std::atan2(b, a));
}

int hue_of_slot(std::uint32_t slot) {
    // Eight slots in a row share out the eight hues, in an order shuffled anew for every eight (Fisher and Yates): no
    // hue is rare, and no row length makes stripes.
    std::array<int, body_hue_count> hues{0, 1, 2, 3, 4, 5, 6, 7};
    std::uint32_t random = scatter(slot / body_hue_count + 1);
    for (std::size_t last = hues.size() - 1; last > 0; --last) {
        std::swap(hues[last], hues[random % (last + 1)]);
        random = scatter(random);
    }
    return hues[slot % body_hue_count];
}

float shade_of_slot(std::uint32_t slot) {
    return static_cast<float>(scatter(slot + 0x9e3779b9u) >> 8) * (2.0f / 16777216.0f) - 1.0f;
}

glm::vec3 neutral_colour() {
    return hue_degrees(0.70f, 0.012f, 255.0f);
}

glm::vec3 ground_colour() {
    return hue_degrees(0.815f, 0.012f, 82.0f);
}

} // namespace cairn::core
