// Camera and light as matrices and volumes. Clip space is GL's: x, y, z in -w .. w.
#pragma once

#include "render/draw_list.h"

#include <array>

namespace cairn::render {

// Six planes whose normals (xyz, unit) point inwards; w is the offset in metres.
struct Frustum {
    std::array<glm::vec4, 6> planes;

    // False for spheres that are certainly outside, and for those that are not finite.
    bool may_see(const glm::vec3& centre, float radius) const {
        for (const glm::vec4& plane : planes) {
            if (!(glm::dot(glm::vec3(plane), centre) + plane.w >= -radius)) {
                return false;
            }
        }
        return true;
    }
};

struct View {
    glm::mat4 clip_from_world{1.0f};
    glm::mat4 world_from_clip{1.0f};
    // A point of the picture at (x, y), 0 .. 1 from the lower left, is seen along ray_corner + x ray_right + y ray_up
    // (world, one metre deep along the view).
    glm::vec3 ray_corner{0.0f}, ray_right{0.0f}, ray_up{0.0f};
    Frustum frustum;
};

View view_of(const Camera& camera, float aspect);

// The directional light's shadow map: a box round the shadow centre, aligned with the light, whose corner is a whole
// number of texels from the world's origin so that shadow edges do not shimmer while the centre moves.
struct ShadowBox {
    glm::vec3 right{1.0f, 0.0f, 0.0f};    // unit, world
    glm::vec3 up{0.0f, 1.0f, 0.0f};       // unit, world
    glm::vec3 forward{0.0f, 0.0f, -1.0f}; // unit, direction in which light travels, world
    glm::vec3 centre{0.0f};               // m, in (right, up, forward) coordinates
    float half_width = 1.0f;              // m
    float half_depth = 1.0f;              // m
    glm::mat4 clip_from_world{1.0f};
    glm::mat4 texture_from_world{1.0f}; // 0 .. 1 in the map and in depth

    // Whether a sphere can throw a shadow into the box: it may be anywhere up the light.
    bool may_cast(const glm::vec3& sphere_centre, float radius) const {
        const float x = glm::dot(right, sphere_centre) - centre.x;
        const float y = glm::dot(up, sphere_centre) - centre.y;
        const float z = glm::dot(forward, sphere_centre) - centre.z;
        const float reach = half_width + radius;
        return x >= -reach && x <= reach && y >= -reach && y <= reach && z <= half_depth + radius;
    }
};

ShadowBox shadow_box_of(const Light& light, int map_size);

} // namespace cairn::render
