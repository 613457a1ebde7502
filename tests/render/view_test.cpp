// Camera and shadow volumes: plain computation.
#include "render/view.h"

#include <cmath>
#include <gtest/gtest.h>

namespace cairn::render::tests {

TEST(ViewTest, RaysAndMatrixAgree) {
    Camera camera;
    camera.eye = {3.0f, -7.0f, 4.0f};
    camera.target = {-1.0f, 2.0f, 0.5f};
    const View view = view_of(camera, 1.6f);
    for (const glm::vec2& at : {glm::vec2(0.0f, 0.0f), glm::vec2(1.0f, 0.0f), glm::vec2(0.3f, 0.9f)}) {
        const glm::vec3 point = camera.eye + 12.5f * (view.ray_corner + at.x * view.ray_right + at.y * view.ray_up);
        const glm::vec4 clip = view.clip_from_world * glm::vec4(point, 1.0f);
        EXPECT_NEAR(clip.w, 12.5f, 1e-4f) << "depth along the view";
        EXPECT_NEAR(clip.x / clip.w, 2.0f * at.x - 1.0f, 1e-4f);
        EXPECT_NEAR(clip.y / clip.w, 2.0f * at.y - 1.0f, 1e-4f);
    }
}

TEST(ViewTest, LookingStraightDownGivesAView) {
    Camera camera;
    camera.eye = {0.0f, 0.0f, 10.0f};
    camera.target = {0.0f, 0.0f, 0.0f};
    const View view = view_of(camera, 1.0f);
    EXPECT_TRUE(view.frustum.may_see({0.0f, 0.0f, 0.0f}, 0.1f));
    EXPECT_FALSE(view.frustum.may_see({0.0f, 0.0f, 11.0f}, 0.1f));
    EXPECT_FALSE(view.frustum.may_see({std::nanf(""), 0.0f, 0.0f}, 0.1f));
}

TEST(ShadowBoxTest, MovesInWholeTexels) {
    Light light;
    light.shadow_radius = 16.0f;
    const int size = 1024;
    const float texel = 2.0f * light.shadow_radius / static_cast<float>(size);
    const glm::vec4 fixed{1.234f, -2.345f, 0.567f, 1.0f};
    const ShadowBox first = shadow_box_of(light, size);
    const glm::vec4 at_first = first.texture_from_world * fixed;
    int moved = 0;
    for (int i = 1; i < 40; ++i) {
        light.shadow_centre = glm::vec3(0.013f, 0.007f, 0.003f) * static_cast<float>(i);
        const glm::vec4 at = shadow_box_of(light, size).texture_from_world * fixed;
        for (int axis = 0; axis < 2; ++axis) {
            const float texels = (at[axis] - at_first[axis]) * static_cast<float>(size);
            EXPECT_NEAR(texels, std::round(texels), 0.01f) << "shadows would shimmer by " << texel << " m";
            moved += std::abs(texels) > 0.5f ? 1 : 0;
        }
    }
    EXPECT_GT(moved, 10) << "the box does follow";
}

TEST(ShadowBoxTest, CastersStandAnywhereUpTheLight) {
    Light light;
    light.direction = {0.0f, 0.0f, -2.0f};
    light.shadow_radius = 5.0f;
    const ShadowBox box = shadow_box_of(light, 512);
    EXPECT_TRUE(box.may_cast({0.0f, 0.0f, 1000.0f}, 1.0f));
    EXPECT_FALSE(box.may_cast({0.0f, 0.0f, -1000.0f}, 1.0f));
    EXPECT_TRUE(box.may_cast({5.9f, 0.0f, 0.0f}, 1.0f));
    EXPECT_FALSE(box.may_cast({6.1f, 0.0f, 0.0f}, 1.0f));
}

} // namespace cairn::render::tests
