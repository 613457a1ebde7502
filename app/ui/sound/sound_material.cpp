#include "app/ui/sound/sound_material.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

Sounding sounding_of(const physics::BodyModel& model) {
    float volume = 0.0f; // m^3; parts that overlap count twice, as they do in the mass
    for (const physics::BodyModel::Part& part : model.parts) {
        volume += model.is_solid(part) ? part.shape->volume : 0.0f;
    }
    Sounding sounding;
    sounding.size = std::cbrt(std::max(volume, 1e-9f));
    sounding.mass = model.mass;
    if (model.mass <= 0.0f) {
        return sounding;
    }
    // kg/m^3: oak 700, plastics and rubber 900 to 1500, stone and glass 2000 to 3000, iron 7800.
    const float density = model.mass / std::max(volume, 1e-9f);
    if (density >= 4500.0f) {
        sounding.material = SoundMaterial::metal;
    } else if (density >= 1800.0f) {
        sounding.material = SoundMaterial::stone;
    } else if (model.def.material.restitution >= 0.7f) {
        sounding.material = SoundMaterial::rubber;
    } else if (density >= 1050.0f) {
        sounding.material = SoundMaterial::plastic;
    } else {
        sounding.material = SoundMaterial::wood;
    }
    return sounding;
}

} // namespace cairn::ui
