#include "app/ui/sound/sound_material.h"
#include "app/ui/sound/synthesis.h"
#include "app/ui/sound/voices.h"
#include "physics/world/world.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

namespace cairn::ui {
namespace {

using namespace physics;

BodyDef body(const Geometry& geometry, float density, float restitution = 0.2f) {
    BodyDef def;
    def.shapes = {{geometry, {}}};
    def.density = density;
    def.material.restitution = restitution;
    return def;
}

Sounding sounding(const BodyDef& def) {
    World world;
    return sounding_of(*world.model(world.apply(CreateBody{def}).created));
}

TEST(SoundMaterial, FollowsFromWhatABodyIs) {
    EXPECT_EQ(sounding(body(Box{Vec3(0.5f)}, 600.0f)).material, SoundMaterial::wood);
    EXPECT_EQ(sounding(body(Box{Vec3(0.5f)}, 1200.0f)).material, SoundMaterial::plastic);
    EXPECT_EQ(sounding(body(Sphere{0.5f}, 1100.0f, 0.8f)).material, SoundMaterial::rubber);
    EXPECT_EQ(sounding(body(Box{Vec3(0.5f)}, 2500.0f)).material, SoundMaterial::stone);
    EXPECT_EQ(sounding(body(Box{Vec3(0.5f)}, 7800.0f)).material, SoundMaterial::metal);
    EXPECT_NEAR(sounding(body(Box{{1.0f, 0.5f, 0.25f}}, 600.0f)).size, 1.0f, 1e-5f); // 2 x 1 x 0.5
    BodyDef wall = body(Box{Vec3(5.0f)}, 600.0f);
    wall.type = BodyType::fixed;
    EXPECT_EQ(sounding(wall).material, SoundMaterial::stone);
    EXPECT_EQ(sounding(wall).mass, 0.0f);
}

double loudness(const std::vector<std::int16_t>& samples, std::size_t from, std::size_t to) {
    double sum = 0.0;
    for (std::size_t i = from; i < to; ++i) {
        sum += static_cast<double>(samples[i]) * static_cast<double>(samples[i]);
    }
    return std::sqrt(sum / static_cast<double>(to - from));
}

// Strength of a frequency by its Fourier sum.
double strength(const std::vector<std::int16_t>& samples, double hz) {
    double real = 0.0, imaginary = 0.0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double turn = 2.0 * 3.14159265358979 * hz * static_cast<double>(i) / sound_rate;
        real += samples[i] * std::cos(turn);
        imaginary += samples[i] * std::sin(turn);
    }
    return std::hypot(real, imaginary);
}

TEST(Synthesis, SoundsBeginLoudAndEndInSilence) {
    for (const SoundMaterial material : sound_materials) {
        for (const float size : {0.05f, 0.5f, 4.0f}) {
            const std::vector<std::int16_t> samples = struck_sound(material, size);
            const auto loudest = *std::max_element(samples.begin(), samples.end(),
                                                   [](auto a, auto b) { return std::abs(a) < std::abs(b); });
            EXPECT_GT(std::abs(loudest), 29000);
            const std::size_t tenth = samples.size() / 10;
            EXPECT_GT(loudness(samples, 0, tenth), 4.0 * loudness(samples, samples.size() - tenth, samples.size()));
            EXPECT_LT(std::abs(samples.back()), 40);
            EXPECT_EQ(samples, struck_sound(material, size)) << "the same strike sounds the same";
        }
    }
}

TEST(Synthesis, LargerBodiesSoundLower) {
    const std::vector<std::int16_t> small = struck_sound(SoundMaterial::wood, 0.5f);
    const std::vector<std::int16_t> large = struck_sound(SoundMaterial::wood, 1.0f);
    EXPECT_GT(strength(small, 420.0), 3.0 * strength(small, 210.0));
    EXPECT_GT(strength(large, 210.0), 3.0 * strength(large, 420.0));
}

struct Pair {
    World world;
    FrameState frame;
    BodyId small, large, wall;
    Pair() {
        small = world.apply(CreateBody{body(Sphere{0.1f}, 7800.0f)}).created;
        large = world.apply(CreateBody{body(Box{Vec3(0.5f)}, 600.0f)}).created;
        BodyDef def = body(Box{Vec3(5.0f)}, 2500.0f);
        def.type = BodyType::fixed;
        wall = world.apply(CreateBody{def}).created;
        world.publish(frame);
    }
};

TEST(Voices, LouderStrikesAreLouderWithinBounds) {
    EXPECT_EQ(VoicePicker::gain_of(0.0f), 0.0f);
    EXPECT_EQ(VoicePicker::gain_of(VoicePicker::quietest), 0.0f);
    float last = 0.0f;
    for (float energy = 2e-3f; energy < 1e4f; energy *= 3.0f) {
        const float gain = VoicePicker::gain_of(energy);
        EXPECT_GT(gain, last);
        last = gain;
    }
    EXPECT_EQ(VoicePicker::gain_of(1e9f), 1.0f);
}

TEST(Voices, BothBodiesSoundAndTheRoomDoesNot) {
    Pair pair;
    VoicePicker picker;
    const auto& both = picker.pick({{1, pair.small, pair.large, {1.0f, 2.0f, 3.0f}, 2.0f, 5.0f}}, pair.frame, 0.0);
    ASSERT_EQ(both.size(), 2u);
    EXPECT_EQ(both[0].material, SoundMaterial::metal);
    EXPECT_EQ(both[1].material, SoundMaterial::wood);
    EXPECT_GT(both[0].gain, both[1].gain);
    EXPECT_EQ(both[0].position, Vec3(1.0f, 2.0f, 3.0f));
    const auto& one = picker.pick({{1, pair.wall, pair.large, {}, 2.0f, 5.0f}}, pair.frame, 0.0);
    ASSERT_EQ(one.size(), 1u);
    EXPECT_EQ(one[0].material, SoundMaterial::wood);
}

TEST(Voices, OnePairSoundsOnceForOneStrikeAndTheLoudestComeFirst) {
    Pair pair;
    VoicePicker picker;
    const std::vector<core::Touch> strike = {{1, pair.wall, pair.small, {}, 1.0f, 1.0f},
                                             {1, pair.wall, pair.large, {}, 9.0f, 9.0f}};
    const auto first = picker.pick(strike, pair.frame, 10.0);
    ASSERT_EQ(first.size(), 2u);
    EXPECT_EQ(first[0].material, SoundMaterial::wood);
    EXPECT_TRUE(picker.pick(strike, pair.frame, 10.0 + 0.5 * VoicePicker::silence).empty());
    EXPECT_EQ(picker.pick(strike, pair.frame, 10.0 + 2.0 * VoicePicker::silence).size(), 2u);
}

TEST(Voices, BodiesThatAreGoneAreNotHeard) {
    Pair pair;
    VoicePicker picker;
    pair.world.apply(DestroyBody{pair.small});
    pair.world.publish(pair.frame);
    EXPECT_TRUE(picker.pick({{1, pair.small, pair.large, {}, 2.0f, 5.0f}}, pair.frame, 0.0).empty());
}

} // namespace
} // namespace cairn::ui
