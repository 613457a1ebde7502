#include "app/core/look/surroundings.h"

#include <algorithm>
#include <cmath>

namespace cairn::core {

using namespace cairn::physics;

std::optional<BoxAxes> box_of(const BodyModel& model, const Transform& pose) {
    if (model.parts.size() != 1 || model.parts[0].sensor || !model.parts[0].shape ||
        model.parts[0].shape->kind != ShapeKind::box) {
        return std::nullopt;
    }
    const Transform world = compose(pose, model.parts[0].pose);
    BoxAxes box;
    box.half = model.parts[0].shape->half_extents;
    box.centre = world.position;
    for (int i = 0; i < 3; ++i) {
        Vec3 axis(0.0f);
        axis[i] = 1.0f;
        box.axis[static_cast<std::size_t>(i)] = rotate(world.orientation, axis);
    }
    return box;
}

std::optional<int> wall_axis(const BoxAxes& box) {
    int thin = 0;
    for (int i = 1; i < 3; ++i) {
        if (box.half[i] < box.half[thin]) {
            thin = i;
        }
    }
    const float longest = std::max({box.half.x, box.half.y, box.half.z});
    const bool level = std::abs(box.axis[static_cast<std::size_t>(thin)].z) < 0.3f;
    return level && longest >= 4.0f * box.half[thin] && longest >= 4.0f ? std::optional<int>(thin) : std::nullopt;
}

} // namespace cairn::core
