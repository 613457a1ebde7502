#include "render/view.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

namespace cairn::render {

View view_of(const Camera& camera, float aspect) {
    glm::vec3 up = camera.up;
    const glm::vec3 forward = camera.target - camera.eye;
    // Looking along `up` leaves the roll open; any other axis gives a picture instead of NaN.
    if (glm::length(glm::cross(forward, up)) <= 1e-6f * glm::length(forward) * glm::length(up)) {
        up = std::abs(forward.z) > std::abs(forward.y) ? glm::vec3(0.0f, 1.0f, 0.0f) : glm::vec3(0.0f, 0.0f, 1.0f);
    }
    View view;
    view.orthographic = camera.orthographic;
    const float half_height =
        std::tan(0.5f * camera.vertical_fov) * (camera.orthographic ? glm::length(forward) : 1.0f);
    const glm::mat4 projection =
        camera.orthographic ? glm::ortho(-half_height * aspect, half_height * aspect, -half_height, half_height,
                                         -orthographic_behind, camera.far_distance)
                            : glm::perspective(camera.vertical_fov, aspect, camera.near_distance, camera.far_distance);
    view.clip_from_world = projection * glm::lookAt(camera.eye, camera.target, up);
    view.world_from_clip = glm::inverse(view.clip_from_world);
    const glm::vec3 ahead = glm::normalize(forward);
    const glm::vec3 right = glm::normalize(glm::cross(ahead, up));
    view.height_at_one = 2.0f * half_height;
    view.ray_right = 2.0f * half_height * aspect * right;
    view.ray_up = 2.0f * half_height * glm::cross(right, ahead);
    view.ray_corner = (camera.orthographic ? glm::vec3(0.0f) : ahead) - 0.5f * (view.ray_right + view.ray_up);
    // A point is inside when -w <= x, y, z <= w; each inequality is linear in the world point, with the matrix rows as
    // coefficients.
    const glm::mat4 rows = glm::transpose(view.clip_from_world);
    for (int axis = 0; axis < 3; ++axis) {
        view.frustum.planes[static_cast<std::size_t>(2 * axis)] = rows[3] + rows[axis];
        view.frustum.planes[static_cast<std::size_t>(2 * axis + 1)] = rows[3] - rows[axis];
    }
    view.depth = camera.orthographic ? glm::vec4(ahead, -glm::dot(ahead, camera.eye)) : rows[3];
    for (glm::vec4& plane : view.frustum.planes) {
        plane /= glm::length(glm::vec3(plane));
    }
    return view;
}

ShadowBox shadow_box_of(const glm::vec3& light_direction, const glm::vec3& centre, float half_width, int map_size) {
    ShadowBox box;
    box.forward = glm::normalize(light_direction);
    const glm::vec3 helper =
        std::abs(box.forward.z) < 0.99f ? glm::vec3(0.0f, 0.0f, 1.0f) : glm::vec3(0.0f, 1.0f, 0.0f);
    box.right = glm::normalize(glm::cross(box.forward, helper));
    box.up = glm::cross(box.right, box.forward);
    box.half_width = half_width;
    // Casters nearer to the light are clamped onto the near plane, so depth only has to span the receivers.
    box.half_depth = 1.5f * box.half_width;
    const float texel = 2.0f * box.half_width / static_cast<float>(std::max(map_size, 1));
    const auto snap = [texel](float value) { return std::floor(value / texel + 0.5f) * texel; };
    box.centre = {snap(glm::dot(box.right, centre)), snap(glm::dot(box.up, centre)),
                  snap(glm::dot(box.forward, centre))};
    glm::mat4 light_from_world{1.0f};
    for (int column = 0; column < 3; ++column) {
        light_from_world[column] = glm::vec4(box.right[column] / box.half_width, box.up[column] / box.half_width,
                                             box.forward[column] / box.half_depth, 0.0f);
    }
    light_from_world[3] =
        glm::vec4(-box.centre.x / box.half_width, -box.centre.y / box.half_width, -box.centre.z / box.half_depth, 1.0f);
    box.clip_from_world = light_from_world;
    return box;
}

ShadowCascades shadow_cascades_of(const Light& light, const glm::vec3& eye, int map_size, int count) {
    ShadowCascades cascades;
    cascades.count = std::clamp(count, 0, max_cascades);
    const float steps = count > 1 ? 1.0f : 4.0f; // of an octave
    const float whole = std::exp2(std::ceil(steps * std::log2(std::max(light.shadow_radius, 1e-3f))) / steps);
    for (int i = 0; i < cascades.count; ++i) {
        const float share = count > 1 ? std::exp2(static_cast<float>(i - 1)) : 1.0f;
        cascades.boxes[static_cast<std::size_t>(i)] =
            shadow_box_of(light.direction, eye + share * (light.shadow_centre - eye), share * whole, map_size);
    }
    return cascades;
}

} // namespace cairn::render
