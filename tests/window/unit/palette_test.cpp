// Colours that people with two kinds of cones tell apart.
#include "app/ui/widgets/palette.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace cairn::ui {
namespace {

// What a dichromat sees of a linear colour, in a plane of two primaries (Vienot, Brettel and Mollon 1999).
glm::vec3 without_red_cones(const glm::vec3& c) {
    const float both = 0.11238f * c.r + 0.88762f * c.g;
    return {both, both, 0.00401f * c.r - 0.00401f * c.g + c.b};
}
glm::vec3 without_green_cones(const glm::vec3& c) {
    const float both = 0.29275f * c.r + 0.70725f * c.g;
    return {both, both, -0.02234f * c.r + 0.02234f * c.g + c.b};
}

// Of the two hues that are hardest to tell apart, in OKLab.
float least_difference(glm::vec3 (*seen)(const glm::vec3&)) {
    const auto lab = [&](int hue) {
        const glm::vec3 c = glm::max(seen(colours::of_body(hue, 1.0f)), glm::vec3(0.0f));
        const float l = std::cbrt(0.41222147f * c.r + 0.53633254f * c.g + 0.05144599f * c.b);
        const float m = std::cbrt(0.21190350f * c.r + 0.68069955f * c.g + 0.10739696f * c.b);
        const float s = std::cbrt(0.08830246f * c.r + 0.28171884f * c.g + 0.62997870f * c.b);
        return glm::vec3(0.21045426f * l + 0.79361779f * m - 0.00407205f * s,
                         1.97799850f * l - 2.42859221f * m + 0.45059371f * s,
                         0.02590404f * l + 0.78277177f * m - 0.80867577f * s);
    };
    float least = 1e9f;
    for (int a = 0; a < body_hue_count; ++a) {
        for (int b = a + 1; b < body_hue_count; ++b) {
            least = std::min(least, glm::length(lab(a) - lab(b)));
        }
    }
    return least;
}

TEST(SafeColours, StayApartWithAnyKindOfColourVision) {
    ASSERT_FALSE(colours::safe());
    for (glm::vec3 (*seen)(const glm::vec3&) : {without_red_cones, without_green_cones}) {
        colours::set_safe(false);
        const float usual = least_difference(seen);
        colours::set_safe(true);
        const float safe = least_difference(seen);
        colours::set_safe(false);
        EXPECT_LT(usual, 0.04f) << "the usual hues differ in nothing but hue";
        EXPECT_GT(safe, 0.07f);
    }
}

} // namespace
} // namespace cairn::ui
