#include "render/outline_area.h"

#include <cmath>

namespace cairn::render {

namespace {

// The part of the picture in which an instance lies; all of it for one that reaches behind the eye.
PixelBox pixels_of(const View& view, const Viewport& viewport, const Instance& instance, const glm::vec3& centre,
                   const glm::vec3& half_extents) {
    const glm::vec2 size(viewport.width, viewport.height);
    const glm::vec3 half =
        half_extents * glm::abs(instance.scale) + glm::vec3(0.0f, 0.0f, std::abs(instance.extrude_z));
    PixelBox box{size, glm::vec2(0.0f)};
    for (int corner = 0; corner < 8; ++corner) {
        const glm::vec3 side((corner & 1) != 0 ? 1.0f : -1.0f, (corner & 2) != 0 ? 1.0f : -1.0f,
                             (corner & 4) != 0 ? 1.0f : -1.0f);
        const glm::vec3 at = instance.position + instance.orientation * (centre * instance.scale + side * half);
        const glm::vec4 clip = view.clip_from_world * glm::vec4(at, 1.0f);
        if (!(clip.w > 1e-3f)) {
            return {glm::vec2(0.0f), size};
        }
        const glm::vec2 pixel = (glm::vec2(clip) / clip.w * 0.5f + 0.5f) * size;
        box.low = glm::min(box.low, pixel);
        box.high = glm::max(box.high, pixel);
    }
    return box;
}

} // namespace

PixelBox outline_area(const DrawList& list, std::span<const BatchMesh> meshes, const View& view,
                      const Viewport& viewport) {
    glm::vec2 low(static_cast<float>(viewport.width), static_cast<float>(viewport.height)), high(0.0f);
    for (const Instance& instance : list.instances) {
        if ((instance.flags & (instance_selected | instance_hovered)) != 0) {
            const MeshBounds& bounds = meshes[instance.mesh].bounds;
            const PixelBox box = pixels_of(view, viewport, instance, bounds.centre, bounds.half_extents);
            low = glm::min(low, box.low);
            high = glm::max(high, box.high);
        }
    }
    const float margin = 4.0f * viewport.pixel_ratio + 2.0f; // the widest outline, in points, and its feather
    low = glm::max(glm::floor(low - margin), glm::vec2(0.0f));
    high = glm::min(glm::ceil(high + margin), glm::vec2(viewport.width, viewport.height));
    return {low, high};
}

} // namespace cairn::render
