// Draw lists that the picture tests share.
#pragma once

#include "render/draw_list.h"

namespace cairn::render::tests {

// Linear colours of the hues that bodies take: equal lightness, modest chroma.
inline constexpr glm::vec3 hues[8] = {{0.527f, 0.237f, 0.239f}, {0.499f, 0.264f, 0.133f}, {0.398f, 0.319f, 0.097f},
                                      {0.235f, 0.373f, 0.166f}, {0.104f, 0.388f, 0.332f}, {0.102f, 0.362f, 0.506f},
                                      {0.241f, 0.302f, 0.565f}, {0.424f, 0.246f, 0.452f}};

inline Instance body(MeshId mesh, glm::vec3 position, glm::vec3 scale, int hue) {
    Instance instance;
    instance.mesh = mesh;
    instance.position = position;
    instance.scale = scale;
    instance.colour = glm::vec4(hues[hue % 8], 1.0f);
    return instance;
}

inline Instance floor_slab(glm::vec3 half_extents = {50.0f, 25.0f, 0.5f}) {
    Instance instance;
    instance.position = {0.0f, 0.0f, -half_extents.z};
    instance.scale = half_extents;
    instance.colour = {0.6f, 0.6f, 0.6f, 1.0f};
    instance.flags = instance_ground;
    return instance;
}

// The floor and one body of each built-in kind, a capsule among them.
inline DrawList studio() {
    DrawList list;
    list.camera.eye = {1.5f, -11.0f, 5.0f};
    list.camera.target = {0.0f, 0.0f, 0.7f};
    list.camera.vertical_fov = 0.6f;
    list.light.shadow_radius = 12.0f;
    list.instances.push_back(floor_slab());
    list.instances.push_back(body(unit_box, {-4.0f, 0.5f, 0.8f}, {0.8f, 0.8f, 0.8f}, 0));
    list.instances.push_back(body(unit_sphere, {-1.8f, -0.6f, 0.9f}, glm::vec3(0.9f), 5));
    list.instances.push_back(body(unit_cylinder, {0.4f, 0.6f, 1.0f}, {0.7f, 0.7f, 1.0f}, 2));
    list.instances.push_back(body(unit_cone, {2.4f, -0.4f, 0.45f}, {0.9f, 0.9f, 0.9f}, 3));
    Instance capsule = body(unit_sphere, {4.2f, 0.6f, 1.3f}, glm::vec3(0.5f), 7);
    capsule.extrude_z = 0.8f;
    list.instances.push_back(capsule);
    return list;
}

} // namespace cairn::render::tests
