#include "app/ui/view/colour_modes.h"

#include "app/core/base/joined_words.h"
#include "app/ui/widgets/palette.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::ui {

namespace {

constexpr float degree = 0.01745329252f;

} // namespace

const std::vector<ColourModeInfo>& colour_modes() {
    static const std::vector<ColourModeInfo> modes = {
        {ColourMode::palette, "palette", "Palette",
         "A body's own colour, or else one of eight hues; sleeping bodies are greyer."},
        {ColourMode::touching, "touching", "Touching",
         "Warm and chequered: touches another body. Cool and wooden: touches nothing."},
        {ColourMode::sleeping, "sleeping", "Sleeping", "Which bodies are awake and which sleep."},
        {ColourMode::islands, "islands", "Islands",
         "One hue per island: bodies that touch or are joined, and sleep together."},
        {ColourMode::speed, "speed", "Speed", "Speed of each centre of mass."},
        {ColourMode::groups, "groups", "Contact groups",
         "Contacts of one colour are solved in parallel: no two of them act on the same dynamic body."},
        {ColourMode::friction, "friction", "Friction", "The friction coefficient of each body."},
        {ColourMode::elasticity, "elasticity", "Elasticity", "The coefficient of restitution of each body."},
        {ColourMode::density, "density", "Density", "Mass per volume."},
    };
    return modes;
}

const ColourModeInfo& info_of(ColourMode mode) {
    return colour_modes()[static_cast<std::size_t>(mode)];
}

std::optional<ColourMode> colour_mode_of(std::string_view name) {
    const auto found = std::ranges::find(colour_modes(), name, &ColourModeInfo::name);
    return found == colour_modes().end() ? std::nullopt : std::optional(found->mode);
}

std::string colour_mode_names() {
    return core::joined_words(colour_modes(), &ColourModeInfo::name);
}

ColourMode next_mode(ColourMode mode, int steps) {
    const int count = static_cast<int>(colour_modes().size());
    return static_cast<ColourMode>(((static_cast<int>(mode) + steps) % count + count) % count);
}

float ColourScale::share(float value) const {
    const float x =
        logarithmic ? std::log(std::max(value, low) / low) / std::log(high / low) : (value - low) / (high - low);
    return std::clamp(x, 0.0f, 1.0f);
}

const ColourScale* scale_of(ColourMode mode) {
    static const ColourScale speed{
        0.1f, 100.0f, true, {{0.1f, "≤ 0.1"}, {1.0f, "1"}, {10.0f, "10"}, {100.0f, "100 m/s"}}};
    static const ColourScale friction{0.0f, 1.0f, false, {{0.0f, "0"}, {0.5f, "0.5"}, {1.0f, "≥ 1"}}};
    static const ColourScale elasticity{0.0f, 1.0f, false, {{0.0f, "0"}, {0.5f, "0.5"}, {1.0f, "1"}}};
    static const ColourScale density{
        10.0f, 10000.0f, true, {{10.0f, "10"}, {100.0f, "100"}, {1000.0f, "1000"}, {10000.0f, "10000 kg/m³"}}};
    switch (mode) {
    case ColourMode::speed:
        return &speed;
    case ColourMode::friction:
        return &friction;
    case ColourMode::elasticity:
        return &elasticity;
    case ColourMode::density:
        return &density;
    default:
        return nullptr;
    }
}

glm::vec3 ramp_colour(float share) {
    static const std::array<glm::vec3, ramp_steps> colours = [] {
        std::array<glm::vec3, ramp_steps> table;
        for (int i = 0; i < ramp_steps; ++i) {
            const float x = static_cast<float>(i) / static_cast<float>(ramp_steps - 1);
            table[static_cast<std::size_t>(i)] =
                linear_from_oklch(0.40f + 0.50f * x, 0.11f + 0.05f * x, (285.0f - 185.0f * x) * degree);
        }
        return table;
    }();
    const float place = std::clamp(share, 0.0f, 1.0f) * static_cast<float>(ramp_steps - 1);
    return colours[static_cast<std::size_t>(place + 0.5f)];
}

float shown_number(ColourMode mode, const physics::BodyState& body, const physics::BodyModel& model) {
    switch (mode) {
    case ColourMode::speed:
        return glm::length(body.linear_velocity);
    case ColourMode::friction:
        return model.def.material.friction;
    case ColourMode::elasticity:
        return model.def.material.restitution;
    case ColourMode::density: {
        float volume = 0.0f;
        for (const physics::BodyModel::Part& part : model.parts) {
            volume += part.shape && model.is_solid(part) ? part.shape->volume : 0.0f;
        }
        return volume > 0.0f ? model.mass / volume : 0.0f;
    }
    default:
        return 0.0f;
    }
}

const std::vector<ColourCase>& cases_of(ColourMode mode) {
    static const std::vector<ColourCase> touching = {{colours::touching(0.0f), "touches another"},
                                                     {colours::apart(0.0f), "free"}};
    static const std::vector<ColourCase> sleeping = {{colours::awake(0.0f), "awake"},
                                                     {colours::asleep(0.0f), "asleep"}};
    static const std::vector<ColourCase> none;
    return mode == ColourMode::touching ? touching : mode == ColourMode::sleeping ? sleeping : none;
}

namespace colours {

namespace {
constexpr float shade_reach = 0.04f; // of lightness: heaps of one colour stay readable
}

glm::vec3 touching(float shade) {
    return linear_from_oklch(0.68f + shade_reach * shade, 0.14f, 40.0f * degree);
}
glm::vec3 apart(float shade) {
    return linear_from_oklch(0.74f + shade_reach * shade, 0.06f, 246.0f * degree);
}
glm::vec3 awake(float shade) {
    return linear_from_oklch(0.76f + shade_reach * shade, 0.13f, 85.0f * degree);
}
glm::vec3 asleep(float shade) {
    return linear_from_oklch(0.50f + shade_reach * shade, 0.08f, 280.0f * degree);
}
glm::vec3 pale() {
    return linear_from_oklch(0.86f, 0.012f, 255.0f * degree);
}

const glm::vec3& group(std::uint8_t which) {
    // Neighbours in number are far apart in hue: the golden angle never comes back to a hue that it has used.
    constexpr std::size_t groups = 32;
    static const std::array<glm::vec3, groups + 1> table = [] {
        std::array<glm::vec3, groups + 1> colours;
        for (std::size_t i = 0; i < groups; ++i) {
            const float lightness = i % 3 == 0 ? 0.66f : i % 3 == 1 ? 0.78f : 0.54f;
            colours[i] = linear_from_oklch(lightness, 0.17f, (25.0f + 137.508f * static_cast<float>(i)) * degree);
        }
        colours[groups - 1] = glm::vec3(0.01f); // those that found no free colour and are solved one by one
        colours[groups] = linear_from_oklch(0.62f, 0.01f, 255.0f * degree);
        return colours;
    }();
    return table[std::min<std::size_t>(which, groups)];
}

} // namespace colours

} // namespace cairn::ui
