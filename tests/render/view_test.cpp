// Camera and shadow volumes: plain computation.
#include "render/view.h"

#include <algorithm>
#include <array>
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

TEST(ViewTest, OrthographicRaysAreParallelAndAgreeWithTheMatrix) {
    Camera camera;
    camera.eye = {3.0f, -7.0f, 4.0f};
    camera.target = {-1.0f, 2.0f, 0.5f};
    const glm::vec3 ahead = glm::normalize(camera.target - camera.eye);
    const float distance = glm::length(camera.target - camera.eye);
    const View perspective = view_of(camera, 1.6f);
    camera.orthographic = true;
    const View view = view_of(camera, 1.6f);
    EXPECT_NEAR(glm::length(view.ray_up), 2.0f * distance * std::tan(0.5f * camera.vertical_fov), 1e-4f);
    for (const glm::vec2& at : {glm::vec2(0.0f, 0.0f), glm::vec2(1.0f, 0.0f), glm::vec2(0.3f, 0.9f)}) {
        for (const float depth : {-300.0f, 0.0f, 12.5f, 900.0f}) { // behind the eye, too
            const glm::vec3 point =
                camera.eye + view.ray_corner + at.x * view.ray_right + at.y * view.ray_up + depth * ahead;
            const glm::vec4 clip = view.clip_from_world * glm::vec4(point, 1.0f);
            EXPECT_EQ(clip.w, 1.0f);
            EXPECT_NEAR(clip.x, 2.0f * at.x - 1.0f, 1e-4f);
            EXPECT_NEAR(clip.y, 2.0f * at.y - 1.0f, 1e-4f);
            EXPECT_NEAR(0.5f * (clip.z + 1.0f) * (camera.far_distance + orthographic_behind) - orthographic_behind,
                        depth, 0.01f);
            EXPECT_NEAR(glm::dot(view.depth, glm::vec4(point, 1.0f)), depth, 1e-3f);
            EXPECT_TRUE(view.frustum.may_see(point, 0.1f));
        }
        // The plane of the target is where both views agree.
        const glm::vec3 there =
            camera.eye + distance * (perspective.ray_corner + at.x * perspective.ray_right + at.y * perspective.ray_up);
        const glm::vec4 clip = view.clip_from_world * glm::vec4(there, 1.0f);
        EXPECT_NEAR(clip.x, 2.0f * at.x - 1.0f, 1e-4f);
        EXPECT_NEAR(clip.y, 2.0f * at.y - 1.0f, 1e-4f);
    }
    EXPECT_FALSE(view.frustum.may_see(camera.target + 2.0f * view.ray_up, 0.1f));
    EXPECT_FALSE(view.frustum.may_see(camera.eye - 510.0f * ahead, 0.1f));
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

TEST(ShadowCascadesTest, MoveInWholeTexels) {
    Light light;
    light.shadow_radius = 11.0f;
    const int size = 1024;
    const glm::vec4 fixed{1.234f, -2.345f, 0.567f, 1.0f};
    glm::vec3 eye(-6.0f, -8.0f, 3.0f);
    const ShadowCascades first = shadow_cascades_of(light, eye, size, 4);
    std::array<int, 4> moved{};
    for (int i = 1; i < 60; ++i) { // the camera moves and turns
        light.shadow_centre = glm::vec3(0.033f, 0.017f, 0.003f) * static_cast<float>(i);
        eye += glm::vec3(0.02f, -0.03f, 0.01f);
        const ShadowCascades now = shadow_cascades_of(light, eye, size, 4);
        for (std::size_t map = 0; map < 4; ++map) {
            const glm::vec4 from = first.boxes[map].clip_from_world * fixed;
            const glm::vec4 to = now.boxes[map].clip_from_world * fixed;
            EXPECT_EQ(now.boxes[map].half_width, first.boxes[map].half_width);
            for (int axis = 0; axis < 2; ++axis) {
                const float texels = (to[axis] - from[axis]) * 0.5f * static_cast<float>(size);
                EXPECT_NEAR(texels, std::round(texels), 0.02f) << "shadows would shimmer";
                moved[map] += std::abs(texels) > 0.5f ? 1 : 0;
            }
        }
    }
    for (const int moves : moved) {
        EXPECT_GT(moves, 10) << "the boxes do follow";
    }
}

TEST(ShadowCascadesTest, WidthsArePowersOfTwoAndEachHoldsTheOneBefore) {
    Light light;
    light.shadow_centre = {1.0f, 2.0f, 0.5f};
    for (const float distance : {3.0f, 7.0f, 20.0f, 63.0f}) {
        light.shadow_radius = 1.1f * distance;
        const glm::vec3 eye = light.shadow_centre + distance * glm::normalize(glm::vec3(1.0f, -2.0f, 0.7f));
        const ShadowCascades cascades = shadow_cascades_of(light, eye, 2048, 4);
        ASSERT_EQ(cascades.count, 4);
        for (std::size_t map = 0; map < 4; ++map) {
            const ShadowBox& box = cascades.boxes[map];
            const float octaves = std::log2(box.half_width);
            EXPECT_NEAR(octaves, std::round(octaves), 1e-5f);
            const float texel = 2.0f * box.half_width / 2048.0f;
            if (map > 0) {
                const ShadowBox& inner = cascades.boxes[map - 1];
                EXPECT_EQ(box.half_width, 2.0f * inner.half_width);
                const glm::vec3 apart = glm::abs(box.centre - inner.centre);
                EXPECT_LE(std::max(apart.x, apart.y) + inner.half_width, box.half_width + texel);
            }
        }
        EXPECT_GE(cascades.boxes[1].half_width, light.shadow_radius) << "what is looked at is in the second map";
    }
    EXPECT_EQ(shadow_cascades_of(light, {}, 1024, 1).count, 1);
    EXPECT_LT(shadow_cascades_of(light, {}, 1024, 1).boxes[0].half_width, 1.2f * light.shadow_radius);
    EXPECT_EQ(shadow_cascades_of(light, {}, 1024, 0).finest_cast({}, 1.0f), 0) << "no map: into none";
}

TEST(ShadowBoxTest, CastersStandAnywhereUpTheLight) {
    Light light;
    light.direction = {0.0f, 0.0f, -2.0f};
    const ShadowBox box = shadow_box_of(light.direction, light.shadow_centre, 5.0f, 512);
    EXPECT_TRUE(box.may_cast({0.0f, 0.0f, 1000.0f}, 1.0f));
    EXPECT_FALSE(box.may_cast({0.0f, 0.0f, -1000.0f}, 1.0f));
    EXPECT_TRUE(box.may_cast({5.9f, 0.0f, 0.0f}, 1.0f));
    EXPECT_FALSE(box.may_cast({6.1f, 0.0f, 0.0f}, 1.0f));
}

} // namespace cairn::render::tests
