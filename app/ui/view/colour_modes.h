// What the colours of bodies mean.
#pragma once

#include "physics/world/frame_state.h"

#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::ui {

enum class ColourMode : std::uint8_t {
    palette,
    touching,
    sleeping,
    islands,
    speed,
    groups,
    friction,
    elasticity,
    density,
};

struct ColourModeInfo {
    ColourMode mode;
    const char* name; // in options and reports
    const char* title;
    const char* description;
};
const std::vector<ColourModeInfo>& colour_modes(); // in the order of the enumeration

const ColourModeInfo& info_of(ColourMode mode);
std::optional<ColourMode> colour_mode_of(std::string_view name);
std::string colour_mode_names(); // comma-separated, for messages
ColourMode next_mode(ColourMode mode, int steps = 1);

// A number as a place on the scale of colours.
struct ColourScale {
    float low = 0.0f, high = 1.0f; // what the ends of the scale stand for; beyond them its ends
    bool logarithmic = false;
    struct Tick {
        float value;
        const char* text; // the highest with the unit
    };
    std::vector<Tick> ticks;

    float share(float value) const; // 0..1
};
// nullptr for modes whose colours are no numbers.
const ColourScale* scale_of(ColourMode mode);

// Colours of the scale, from dark blue over green to light yellow: lightness grows evenly, so that it reads without
// hue.
inline constexpr int ramp_steps = 64;
glm::vec3 ramp_colour(float share); // linear; one of ramp_steps

// What a mode shows of a body as a number, in the scale's unit.
float shown_number(ColourMode mode, const physics::BodyState& body, const physics::BodyModel& model);

// Of modes that know a few cases.
struct ColourCase {
    glm::vec3 colour; // linear
    const char* text;
};
const std::vector<ColourCase>& cases_of(ColourMode mode);

namespace colours { // linear
glm::vec3 touching(float shade);
glm::vec3 apart(float shade);
glm::vec3 awake(float shade);
glm::vec3 asleep(float shade);
glm::vec3 pale();                           // bodies whose contacts are coloured instead
const glm::vec3& group(std::uint8_t which); // of contacts; FrameState::no_colour: those that were not solved
} // namespace colours

} // namespace cairn::ui
