// Height fields out of grey pictures.
#pragma once

#include "physics/geometry/geometry.h"

#include <filesystem>

namespace cairn::core {

// A grey PNG of 8 or 16 bits, seen from above, its upper edge towards +Y: black is `low` and white is `high`, m. Where
// it is wholly transparent there is no ground: the cells around such a sample are holes. The spacing is left to the
// caller. Throws InputError naming the file for what is no such picture, or has other than 2 to 4096 samples along a
// side.
physics::HeightData read_height_image(const std::filesystem::path& path, float low, float high);

} // namespace cairn::core
