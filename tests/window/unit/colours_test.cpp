#include "app/ui/widgets/palette.h"

#include <gtest/gtest.h>

namespace cairn::ui {
namespace {

TEST(Palette, HuesDifferAndKeepTheirLightness) {
    const auto luminance = [](const glm::vec3& c) { return 0.2126f * c.r + 0.7152f * c.g + 0.0722f * c.b; };
    for (int i = 0; i < body_hue_count; ++i) {
        for (int j = 0; j < i; ++j) {
            EXPECT_GT(glm::length(srgb_from_linear(body_colour(i, 1)) - srgb_from_linear(body_colour(j, 1))), 0.06f);
        }
        // Equal OKLCH lightness is not equal luminance, but near it.
        EXPECT_NEAR(luminance(body_colour(i, 1.0f)), luminance(body_colour(0, 1.0f)), 0.07f);
    }
}

TEST(Palette, GreyOfOklchIsTheCubeOfItsLightness) {
    const glm::vec3 grey = linear_from_oklch(0.5f, 0.0f, 1.0f);
    EXPECT_NEAR(grey.r, 0.125f, 1e-4f);
    EXPECT_NEAR(grey.g, 0.125f, 1e-4f);
    EXPECT_NEAR(grey.b, 0.125f, 1e-4f);
    const glm::vec3 red = linear_from_oklch(0.62796f, 0.25768f, 0.51023f); // sRGB red in OKLCH
    EXPECT_NEAR(red.r, 1.0f, 2e-3f);
    EXPECT_NEAR(red.g, 0.0f, 2e-3f);
    EXPECT_NEAR(red.b, 0.0f, 2e-3f);
}

TEST(Palette, RestTakesChromaFromOwnColoursAndNothingElse) {
    const glm::vec3 red(1.0f, 0.0f, 0.0f); // OKLCH 0.62796, 0.25768, 0.51023
    EXPECT_EQ(body_colour(physics::Colour{255, 0, 0}, 1.0f), red);
    EXPECT_LT(glm::length(body_colour(physics::Colour{255, 0, 0}, 0.9999f) - red), 2e-3f) << "no jump";
    const float share = 0.054f / 0.115f; // as of automatic colours
    const glm::vec3 asleep = linear_from_oklch(0.62796f, share * 0.25768f, 0.51023f);
    EXPECT_LT(glm::length(body_colour(physics::Colour{255, 0, 0}, 0.0f) - asleep), 1e-3f);
    const glm::vec3 grey = linear_from_srgb(glm::vec3(128.0f / 255.0f));
    EXPECT_LT(glm::length(body_colour(physics::Colour{128, 128, 128}, 0.0f) - grey), 1e-4f);
}

TEST(Palette, SlotsUseAllHuesAboutEqually) {
    int count[body_hue_count] = {};
    for (std::uint32_t slot = 0; slot < 800; ++slot) {
        ++count[hue_of_slot(slot)];
    }
    for (const int n : count) {
        EXPECT_NEAR(n, 100, 10);
    }
}

} // namespace
} // namespace cairn::ui
