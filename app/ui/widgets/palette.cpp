#include "app/ui/widgets/palette.h"

#include "app/ui/widgets/theme.h"

namespace cairn::ui::colours {

namespace {

bool safe_now = false;

// The set of Okabe and Ito (2008), sRGB; a dark grey in place of black.
constexpr float safe_hues[body_hue_count][3] = {{0.90f, 0.62f, 0.00f}, {0.34f, 0.71f, 0.91f}, {0.00f, 0.62f, 0.45f},
                                                {0.94f, 0.89f, 0.26f}, {0.00f, 0.45f, 0.70f}, {0.84f, 0.37f, 0.00f},
                                                {0.80f, 0.47f, 0.65f}, {0.28f, 0.28f, 0.32f}};

} // namespace

void set_safe(bool safe) {
    safe_now = safe;
    theme::good = safe ? ImVec4(0.40f, 0.72f, 0.94f, 1.0f) : ImVec4(0.47f, 0.79f, 0.55f, 1.0f);
    theme::bad = safe ? ImVec4(0.93f, 0.42f, 0.10f, 1.0f) : ImVec4(0.95f, 0.44f, 0.40f, 1.0f);
}

bool safe() {
    return safe_now;
}

glm::vec3 of_body(int hue, float awake, float shade) {
    if (!safe_now) {
        return body_colour(hue, awake, shade);
    }
    const float(&srgb)[3] = safe_hues[hue % body_hue_count];
    const glm::vec3 full = linear_from_srgb({srgb[0], srgb[1], srgb[2]});
    const float light = 0.2126f * full.r + 0.7152f * full.g + 0.0722f * full.b;
    const float share = 0.45f + 0.55f * glm::clamp(awake, 0.0f, 1.0f);
    return (1.0f + 0.06f * shade) * glm::mix(glm::vec3(light), full, share);
}

glm::vec3 Paint::operator()() const {
    return linear_from_oklch(lightness, chroma, glm::radians(degrees));
}

glm::vec3 neutral() {
    return core::neutral_colour();
}
glm::vec3 ground() {
    return core::ground_colour();
}

} // namespace cairn::ui::colours
