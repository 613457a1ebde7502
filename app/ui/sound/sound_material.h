// What a body sounds like when it is struck. A scene says nothing of that: it follows from how heavy, how springy and
// how large the body is.
#pragma once

#include "physics/world/frame_state.h"

#include <array>

namespace cairn::ui {

enum class SoundMaterial { wood, plastic, rubber, stone, metal };
inline constexpr std::array<SoundMaterial, 5> sound_materials = {
    SoundMaterial::wood, SoundMaterial::plastic, SoundMaterial::rubber, SoundMaterial::stone, SoundMaterial::metal};

struct Sounding {
    SoundMaterial material = SoundMaterial::stone;
    float size = 1.0f; // m, edge of a cube of the body's volume
    float mass = 0.0f; // kg, 0 = does not move
};

// What does not move is stone, like the room.
Sounding sounding_of(const physics::BodyModel& model);

} // namespace cairn::ui
