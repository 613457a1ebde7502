#include "app/ui/sound/synthesis.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

namespace cairn::ui {

namespace {

struct Mode {
    float ratio;  // of its frequency to the lowest
    float weight; // amplitude
};

struct Recipe {
    float lowest_hz;        // of a body of 1 m
    float decay;            // s in which the lowest mode falls to 1/e, for a body of 1 m
    float damping_by_pitch; // higher modes die sooner: by ratio to this power
    float knock;            // amplitude of the noise of the strike
    float knock_seconds;    // in which it falls to 1/e
    std::span<const Mode> modes;
};

// Ratios as of free bars and plates, which are not harmonic; that is what distinguishes a struck solid from a string.
constexpr Mode bar[] = {{1.0f, 1.0f}, {2.76f, 0.55f}, {5.40f, 0.3f}, {8.93f, 0.16f}};
constexpr Mode block[] = {{1.0f, 1.0f}, {1.58f, 0.7f}, {2.24f, 0.5f}, {2.92f, 0.35f}, {3.6f, 0.25f}, {4.4f, 0.15f}};
constexpr Mode plate[] = {{1.0f, 1.0f},  {1.73f, 0.75f}, {2.33f, 0.6f}, {3.91f, 0.5f},
                          {4.11f, 0.4f}, {6.3f, 0.3f},   {7.7f, 0.2f},  {9.4f, 0.12f}};

Recipe recipe_of(SoundMaterial material) {
    switch (material) {
    case SoundMaterial::wood:
        return {210.0f, 0.075f, 0.8f, 0.5f, 0.004f, bar};
    case SoundMaterial::plastic:
        return {260.0f, 0.045f, 0.6f, 0.6f, 0.003f, block};
    case SoundMaterial::rubber:
        return {75.0f, 0.09f, 1.2f, 0.15f, 0.008f, block};
    case SoundMaterial::stone:
        return {330.0f, 0.035f, 0.5f, 0.9f, 0.005f, block};
    case SoundMaterial::metal:
        return {390.0f, 0.55f, 0.7f, 0.35f, 0.002f, plate};
    }
    return {};
}

// White noise from a counter: the same in every run.
float noise(std::uint32_t n) {
    n = (n ^ 61u ^ (n >> 16)) * 9u;
    n = (n ^ (n >> 4)) * 0x27d4eb2du;
    n ^= n >> 15;
    return static_cast<float>(n) / 2147483648.0f - 1.0f;
}

std::vector<std::int16_t> rendered(const std::vector<float>& wave) {
    float peak = 1e-6f;
    for (const float sample : wave) {
        peak = std::max(peak, std::abs(sample));
    }
    // The last hundredth of a second fades to nothing: a sound that stops anywhere else ends in a click.
    const auto fade = static_cast<std::size_t>(sound_rate / 100);
    std::vector<std::int16_t> samples(wave.size());
    for (std::size_t i = 0; i < wave.size(); ++i) {
        const std::size_t left = wave.size() - 1 - i;
        const float share = left < fade ? static_cast<float>(left) / static_cast<float>(fade) : 1.0f;
        samples[i] = static_cast<std::int16_t>(std::lround(wave[i] / peak * share * 30000.0f));
    }
    return samples;
}

} // namespace

std::vector<std::int16_t> struck_sound(SoundMaterial material, float size) {
    const Recipe recipe = recipe_of(material);
    const float bounded = std::clamp(size, 0.02f, 20.0f);
    const float lowest = recipe.lowest_hz / bounded;
    const float decay = recipe.decay * std::sqrt(bounded);
    const float seconds = std::clamp(6.0f * decay, 0.08f, 2.5f);
    std::vector<float> wave(static_cast<std::size_t>(seconds * static_cast<float>(sound_rate)));

    for (const Mode& mode : recipe.modes) {
        const float hz = lowest * mode.ratio;
        if (hz > 16000.0f || hz < 20.0f) {
            continue; // beyond hearing
        }
        const float mode_decay = decay / std::pow(mode.ratio, recipe.damping_by_pitch);
        const double turn = 2.0 * std::numbers::pi * static_cast<double>(hz) / sound_rate;
        const double fall = std::exp(-1.0 / (static_cast<double>(mode_decay) * sound_rate));
        // A damped sine by its recurrence, x(n) = 2 r cos(w) x(n - 1) - r^2 x(n - 2): no sine per sample.
        const double next = 2.0 * fall * std::cos(turn), after = -fall * fall;
        double last = 0.0, now = static_cast<double>(mode.weight) * fall * std::sin(turn);
        for (std::size_t i = 1; i < wave.size(); ++i) {
            wave[i] += static_cast<float>(now);
            last = std::exchange(now, next * now + after * last);
        }
    }
    const float fall = std::exp(-1.0f / (recipe.knock_seconds * static_cast<float>(sound_rate)));
    float amplitude = recipe.knock, soft = 0.0f;
    for (std::size_t i = 0; i < wave.size() && amplitude > 1e-4f; ++i, amplitude *= fall) {
        soft += 0.35f * (noise(static_cast<std::uint32_t>(i)) - soft); // without its hiss
        wave[i] += 2.0f * amplitude * soft;
    }
    return rendered(wave);
}

std::vector<std::int16_t> click_sound() {
    std::vector<float> wave(static_cast<std::size_t>(sound_rate / 20));
    const float turn = 2.0f * std::numbers::pi_v<float> * 1900.0f / static_cast<float>(sound_rate);
    for (std::size_t i = 0; i < wave.size(); ++i) {
        const float time = static_cast<float>(i) / static_cast<float>(sound_rate);
        wave[i] = std::exp(-time / 0.004f) * std::sin(turn * static_cast<float>(i)) +
                  0.6f * std::exp(-time / 0.001f) * noise(static_cast<std::uint32_t>(i));
    }
    return rendered(wave);
}

} // namespace cairn::ui
