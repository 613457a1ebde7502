// Colours of bodies as they are written in scene files and fields.
#pragma once

#include "physics/world/body_def.h"

#include <optional>
#include <string>
#include <string_view>

namespace cairn::core {

inline constexpr std::string_view automatic_colour = "automatic"; // in files: the body has none of its own

std::string colour_text(const physics::Colour& colour); // "#rrggbb"

// Of "#rrggbb" in either case; nullopt for any other text.
std::optional<physics::Colour> colour_of(std::string_view text);

} // namespace cairn::core
