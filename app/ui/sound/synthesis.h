// The sounds themselves, made and not recorded: a struck solid rings in a few damped modes after a short knock
// (van den Doel and Pai, "The sounds of physical shapes", Presence 7(4), 1998).
#pragma once

#include "app/ui/sound/sound_material.h"

#include <cstdint>
#include <vector>

namespace cairn::ui {

inline constexpr int sound_rate = 44100; // samples per second

// A body of edge `size` (m) struck once, mono, full scale +-32767, of the same loudness whatever the material; ends in
// silence. Larger bodies sound lower: the frequencies of similar bodies go by 1 / size.
std::vector<std::int16_t> struck_sound(SoundMaterial material, float size);

// The click of a key.
std::vector<std::int16_t> click_sound();

} // namespace cairn::ui
