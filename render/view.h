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
    // (world, one metre deep along the view). In an orthographic view that is where its line of sight starts, from the
    // eye.
    glm::vec3 ray_corner{0.0f}, ray_right{0.0f}, ray_up{0.0f};
    glm::vec4 depth{0.0f};      // metres along the view, from the eye: its product with (point, 1)
    float height_at_one = 1.0f; // m, that the picture is high where clip space has w = 1
    bool orthographic = false;
    Frustum frustum;
};

View view_of(const Camera& camera, float aspect);

// A shadow map of the directional light: a box aligned with the light, whose corner is a whole number of texels from
// the world's origin, so that shadow edges do not shimmer while the box moves.
struct ShadowBox {
    glm::vec3 right{1.0f, 0.0f, 0.0f};    // unit, world
    glm::vec3 up{0.0f, 1.0f, 0.0f};       // unit, world
    glm::vec3 forward{0.0f, 0.0f, -1.0f}; // unit, direction in which light travels, world
    glm::vec3 centre{0.0f};               // m, in (right, up, forward) coordinates
    float half_width = 1.0f;              // m
    float half_depth = 1.0f;              // m
    glm::mat4 clip_from_world{1.0f};

    // Whether a sphere can throw a shadow into the box: it may be anywhere up the light.
    bool may_cast(const glm::vec3& sphere_centre, float radius) const {
        const float x = glm::dot(right, sphere_centre) - centre.x;
        const float y = glm::dot(up, sphere_centre) - centre.y;
        const float z = glm::dot(forward, sphere_centre) - centre.z;
        const float reach = half_width + radius;
        return x >= -reach && x <= reach && y >= -reach && y <= reach && z <= half_depth + radius;
    }
};

ShadowBox shadow_box_of(const glm::vec3& light_direction, const glm::vec3& centre, float half_width, int map_size);

inline constexpr int max_cascades = 4;

// Shadow maps of one size that cover more and more of the world, finest first. Each is twice as wide as the one before,
// and widths are powers of two of a metre: when the camera comes nearer, a place goes over to a finer map, but no map
// changes its width, at which all its edges would jump. A single map is fitted closer, in quarters of an octave.
//
// Each box is the one before, enlarged about the eye. As long as the eye is inside the finest, it holds that one, so
// what throws shadows into a map throws them into all coarser ones.
struct ShadowCascades {
    std::array<ShadowBox, max_cascades> boxes;
    int count = 0; // 0 = no shadows

    // The finest map into which a sphere can throw a shadow; `count`: into none.
    int finest_cast(const glm::vec3& centre, float radius) const {
        int i = 0;
        while (i < count && !boxes[static_cast<std::size_t>(i)].may_cast(centre, radius)) {
            ++i;
        }
        return i;
    }
};

ShadowCascades shadow_cascades_of(const Light& light, const glm::vec3& eye, int map_size, int count);

} // namespace cairn::render
