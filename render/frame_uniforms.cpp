#include "render/frame_uniforms.h"

#include <algorithm>
#include <array>

namespace cairn::render {

namespace {

// The uniform block of shaders/frame.glsl, std140.
struct FrameBlock {
    glm::mat4 clip_from_world;
    glm::mat4 world_from_clip;
    std::array<glm::mat4, max_cascades> shadow_clip_from_world;
    std::array<glm::vec4, max_cascades> shadow_place;
    glm::vec4 eye;
    glm::vec4 to_light;
    glm::vec4 key_colour;
    glm::vec4 shadow_right;
    glm::vec4 shadow_up;
    glm::vec4 viewport;
    glm::vec4 options;
    glm::vec4 ray_corner;
    glm::vec4 ray_right;
    glm::vec4 ray_up;
    glm::vec4 depth_range;
};

} // namespace

FrameUniforms::FrameUniforms() : buffer_(GlBuffer::create()) {
    glBindBuffer(GL_UNIFORM_BUFFER, buffer_.name());
    glBufferData(GL_UNIFORM_BUFFER, sizeof(FrameBlock), nullptr, GL_DYNAMIC_DRAW);
    glBindBuffer(GL_UNIFORM_BUFFER, 0);
}

void FrameUniforms::set(const DrawList& list, const Viewport& picture, const View& view, const ShadowCascades& shadows,
                        int shadow_map_size, float resolution) const {
    FrameBlock block{};
    const ShadowBox& shadow = shadows.boxes[0]; // its axes are those of all
    const float map_shape = shadow.half_width / shadow.half_depth;
    for (int i = 0; i < shadows.count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const ShadowBox& box = shadows.boxes[at];
        const float scale = 0.5f / box.half_width;
        block.shadow_clip_from_world[at] = box.clip_from_world;
        block.shadow_place[at] = glm::vec4(0.5f - box.centre.x * scale, 0.5f - box.centre.y * scale,
                                           0.5f - box.centre.z * scale * map_shape, scale);
    }
    block.clip_from_world = view.clip_from_world;
    block.world_from_clip = view.world_from_clip;
    const glm::vec3 sight = list.camera.target - list.camera.eye;
    block.eye = view.orthographic ? glm::vec4(-glm::normalize(sight), 0.0f) : glm::vec4(list.camera.eye, 1.0f);
    block.to_light =
        glm::vec4(-glm::normalize(list.light.direction), std::clamp(list.light.shadow_strength, 0.0f, 1.0f));
    block.key_colour = glm::vec4(list.light.colour, 1.0f);
    block.shadow_right = glm::vec4(shadow.right, map_shape);
    block.shadow_up = glm::vec4(shadow.up, static_cast<float>(shadow_map_size));
    block.viewport = {static_cast<float>(picture.width), static_cast<float>(picture.height), picture.pixel_ratio,
                      static_cast<float>(shadows.count)};
    block.options = {list.grid ? 1.0f : 0.0f, resolution, 0.0f, 0.0f};
    block.ray_corner = glm::vec4(view.ray_corner, 0.0f);
    block.ray_right = glm::vec4(view.ray_right, 0.0f);
    block.ray_up = glm::vec4(view.ray_up, 0.0f);
    block.depth_range = {view.orthographic ? -orthographic_behind : list.camera.near_distance, list.camera.far_distance,
                         static_cast<float>(picture.height) / glm::length(view.ray_up),
                         view.orthographic ? glm::length(sight) : 0.0f};
    glBindBuffer(GL_UNIFORM_BUFFER, buffer_.name());
    glBufferData(GL_UNIFORM_BUFFER, sizeof block, &block, GL_STREAM_DRAW);
    bind();
}

void FrameUniforms::bind() const {
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer_.name());
}

} // namespace cairn::render
