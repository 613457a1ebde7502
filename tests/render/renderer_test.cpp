// What the renderer promises beside its pictures: draw calls, culling, shadows that touch, outlines of one width,
// resizing.
#include "tests/render/picture_compare.h"
#include "tests/render/render_fixture.h"

#include <cmath>

namespace cairn::render::tests {

namespace {

// `count` bodies of three kinds, spread through the same volume whatever their number.
DrawList crowd(int count) {
    DrawList list;
    list.camera.eye = {0.0f, -60.0f, 20.0f};
    list.camera.target = {0.0f, 0.0f, 0.0f};
    list.instances.push_back(floor_slab());
    for (int i = 0; i < count; ++i) {
        const auto spread = [i](float step) { return std::fmod(static_cast<float>(i + 1) * step, 1.0f) - 0.5f; };
        const MeshId mesh = i % 3 == 0 ? unit_box : i % 3 == 1 ? unit_sphere : unit_cylinder;
        list.instances.push_back(
            body(mesh, {16.0f * spread(0.754878f), 16.0f * spread(0.569840f), 4.0f + 8.0f * spread(0.438579f)},
                 glm::vec3(0.2f), i));
    }
    return list;
}

} // namespace

using RendererTest = RenderTest;

TEST_F(RendererTest, DrawCallsDoNotGrowWithTheNumberOfBodies) {
    RendererOptions options = small_options();
    options.msaa_samples = 1;
    Renderer renderer(options);
    renderer.draw_to_image(crowd(10), small_viewport);
    const RenderStats few = renderer.stats();
    renderer.draw_to_image(crowd(10000), small_viewport);
    const RenderStats many = renderer.stats();
    EXPECT_EQ(few.instances, 11);
    EXPECT_EQ(many.instances, 10001);
    EXPECT_EQ(few.draw_calls, many.draw_calls);
    // Three kinds in colour and in each of three shadow maps, floor, backdrop, three full-screen passes.
    EXPECT_EQ(few.draw_calls, 3 + 3 * 3 + 1 + 1 + 3);
}

TEST_F(RendererTest, LevelsOfDetailBoundTheDrawCalls) {
    Renderer renderer(small_options());
    DrawList list = crowd(0);
    for (int i = 0; i < 300; ++i) {
        // From right in front of the camera to the far end.
        list.instances.push_back(
            body(unit_sphere, {0.0f, -57.0f + 0.3f * static_cast<float>(i), 18.0f}, glm::vec3(0.5f), i));
    }
    renderer.draw_to_image(list, small_viewport);
    EXPECT_GT(renderer.stats().draw_calls, 2 + 1 + 1 + 3) << "more than one level is used";
    EXPECT_LE(renderer.stats().draw_calls, (1 + 3) * 4 + 1 + 1 + 3);
}

TEST_F(RendererTest, CullsWhatTheCameraCannotSee) {
    RendererOptions options = small_options();
    options.shadow_cascades = 1;
    Renderer renderer(options);
    DrawList list;
    list.camera.eye = {0.0f, -10.0f, 0.0f};
    list.camera.target = {0.0f, 0.0f, 0.0f};
    list.light.direction = {0.0f, 0.0f, -1.0f};
    list.light.shadow_radius = 5.0f;
    list.instances.push_back(body(unit_box, {0.0f, 0.0f, 0.0f}, glm::vec3(0.5f), 0));
    list.instances.push_back(body(unit_box, {0.0f, -20.0f, 0.0f}, glm::vec3(0.5f), 0)); // behind
    list.instances.push_back(body(unit_box, {40.0f, 0.0f, 0.0f}, glm::vec3(0.5f), 0));  // to the right
    // Out of sight above, yet its shadow falls into view.
    list.instances.push_back(body(unit_sphere, {0.0f, 0.0f, 30.0f}, glm::vec3(0.5f), 0));
    // Its centre is outside, a corner is not.
    list.instances.push_back(body(unit_box, {11.0f, 0.0f, 0.0f}, glm::vec3(5.0f, 0.1f, 0.1f), 0));
    renderer.draw_to_image(list, small_viewport);
    EXPECT_EQ(renderer.stats().instances, 2);
    EXPECT_EQ(renderer.stats().culled, 3);
    EXPECT_EQ(renderer.stats().shadow_instances, 2);

    list.instances[0].position.x = std::nanf("");
    renderer.draw_to_image(list, small_viewport);
    EXPECT_EQ(renderer.stats().culled, 4) << "a body that is nowhere is not drawn";
}

TEST_F(RendererTest, EmptyListAndEmptyViewport) {
    Renderer renderer(small_options());
    DrawList list;
    const Image sky = renderer.draw_to_image(list, small_viewport);
    EXPECT_GT(brightness(sky, 160, 60), 150);
    renderer.draw(list, {0, 0, 1.0f});
    EXPECT_EQ(renderer.stats().draw_calls, 0);
    EXPECT_THROW(renderer.draw_to_image(list, {0, 180, 1.0f}), RenderError);
}

TEST_F(RendererTest, FewerPixelsAreStretchedToTheSamePicture) {
    for (const bool occlusion : {false, true}) {
        RendererOptions options = small_options();
        options.ambient_occlusion = occlusion;
        Renderer renderer(options);
        const DrawList list = studio();
        for (const Viewport& viewport : {small_viewport, Viewport{77, 51, 1.5f}}) {
            const Image all = renderer.draw_to_image(list, viewport);
            double before = 0.0;
            for (const int percent : {75, 50, 33}) {
                renderer.set_resolution(percent);
                const Image fewer = renderer.draw_to_image(list, viewport);
                ASSERT_EQ(fewer.width, viewport.width);
                ASSERT_EQ(fewer.height, viewport.height);
                const double now = difference(all, fewer).rms;
                EXPECT_GT(now, before) << percent << " %";
                EXPECT_LT(now, 18.0) << percent << " %";
                before = now;
            }
            renderer.set_resolution(100);
            EXPECT_EQ(renderer.draw_to_image(list, viewport).pixels, all.pixels);
        }
    }
}

TEST_F(RendererTest, SizeAndSampleCountMayChangeAtAnyTime) {
    RendererOptions options = small_options();
    Renderer renderer(options);
    const DrawList list = studio();
    const Image first = renderer.draw_to_image(list, small_viewport);
    for (const int samples : {1, 2, 4, 1000}) {
        renderer.set_msaa(samples);
        EXPECT_LE(renderer.msaa_samples(), renderer.max_msaa_samples());
        const Image odd = renderer.draw_to_image(list, {77, 51, 1.5f});
        EXPECT_EQ(odd.width, 77);
        EXPECT_EQ(odd.height, 51);
    }
    renderer.set_msaa(options.msaa_samples);
    renderer.set_shadows(2048, 4);
    renderer.draw_to_image(list, small_viewport);
    renderer.set_shadows(0, 1);
    renderer.draw_to_image(list, small_viewport);
    renderer.set_shadows(1024, options.shadow_cascades);
    EXPECT_LT(difference(first, renderer.draw_to_image(list, small_viewport)).block, 0.5) << "back where it began";
    EXPECT_THROW(renderer.set_shadows(-1, 1), RenderError);
    EXPECT_THROW(renderer.set_shadows(1 << 24, 1), RenderError);
    EXPECT_THROW(renderer.set_shadows(1024, 0), RenderError);
    EXPECT_THROW(renderer.set_shadows(1024, 5), RenderError);
}

TEST_F(RendererTest, ShadowTouchesTheBodyAndLeavesLitGroundAlone) {
    RendererOptions options = small_options();
    options.ambient_occlusion = false;
    Renderer renderer(options);
    DrawList list;
    list.grid = false;
    list.textures = false;
    list.camera.eye = {0.0f, -0.01f, 20.0f}; // from above: 20 m up, the middle of the picture is the origin
    list.camera.target = {0.0f, 0.0f, 0.0f};
    list.light.direction = {1.0f, 0.0f, -1.0f}; // a shadow as long as the body is high
    list.light.shadow_radius = 10.0f;
    list.instances.push_back(floor_slab());
    const Image bare = renderer.draw_to_image(list, small_viewport);
    list.instances.push_back(body(unit_box, {0.0f, 0.0f, 1.0f}, glm::vec3(1.0f), 0));
    const Image shaded = renderer.draw_to_image(list, small_viewport);

    const float pixels_per_metre = 90.0f / (20.0f * std::tan(0.5f * list.camera.vertical_fov));
    const auto change_at = [&](float x, float y) {
        const int column = 160 + static_cast<int>(std::lround(x * pixels_per_metre));
        const int row = 90 - static_cast<int>(std::lround(y * pixels_per_metre));
        return brightness(bare, column, row) - brightness(shaded, column, row);
    };
    // The box's top, 2 m up, hides the floor as far as 1.11 m from the origin: the shadow must begin right there.
    EXPECT_GT(change_at(1.25f, 0.0f), 30) << "the shadow starts at the foot of the box";
    EXPECT_GT(change_at(2.0f, 0.5f), 30);
    EXPECT_LE(std::abs(change_at(3.4f, 0.0f)), 1) << "and ends where the light comes over the top";
    // No acne: the open floor is as bright as without a body, everywhere.
    for (float x = -8.0f; x < -1.6f; x += 0.37f) {
        for (float y = -4.0f; y < 4.0f; y += 0.41f) {
            EXPECT_LE(std::abs(change_at(x, y)), 1) << x << ' ' << y;
        }
    }
}

// Seen along y, before, beside and behind the eye: only without perspective are they all there, and equally large.
TEST_F(RendererTest, OrthographicBodiesAreAsLargeNearAndFar) {
    Renderer renderer(small_options());
    DrawList list;
    list.grid = false;
    list.textures = false;
    list.light.shadow_strength = 0.0f;
    list.camera.eye = {0.0f, -10.0f, 0.0f};
    list.camera.target = {0.0f, 0.0f, 0.0f};
    const std::array<glm::vec3, 3> places{{{-4.0f, 30.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, {4.0f, -40.0f, 0.0f}}};
    const auto sizes = [&](bool orthographic) { // pixels of each, by thirds of the picture
        list.camera.orthographic = orthographic;
        list.instances.clear();
        const Image bare = renderer.draw_to_image(list, small_viewport);
        for (int i = 0; i < 3; ++i) {
            list.instances.push_back(body(unit_box, places[static_cast<std::size_t>(i)], glm::vec3(1.0f), i));
            list.instances.back().colour = glm::vec4(0.0f, 0.0f, 0.0f, 1.0f);
        }
        const Image image = renderer.draw_to_image(list, small_viewport);
        std::array<int, 3> found{};
        for (int y = 0; y < 180; ++y) {
            for (int x = 0; x < 320; ++x) {
                found[static_cast<std::size_t>(x * 3 / 320)] += brightness(bare, x, y) - brightness(image, x, y) > 30;
            }
        }
        return found;
    };
    const std::array<int, 3> parallel = sizes(true), perspective = sizes(false);
    const float side = 2.0f * 180.0f / (2.0f * 10.0f * std::tan(0.5f * list.camera.vertical_fov)); // pixels, of 2 m
    for (const int size : parallel) {
        EXPECT_NEAR(static_cast<float>(size), side * side, 0.06f * side * side);
    }
    EXPECT_NEAR(static_cast<float>(perspective[1]), side * side, 0.35f * side * side) << "its front face is nearer";
    EXPECT_LT(perspective[0], perspective[1] / 4);
    EXPECT_EQ(perspective[2], 0) << "behind the eye";
}

TEST_F(RendererTest, OrthographicCornersAreDarkAndOpenFloorIsNot) {
    DrawList list;
    list.grid = false;
    list.textures = false;
    list.light.shadow_strength = 0.0f;
    list.camera.orthographic = true;
    list.camera.eye = {0.0f, -8.0f, 8.0f};
    list.camera.target = {0.0f, 0.0f, 0.0f};
    list.instances.push_back(floor_slab());
    list.instances.push_back(body(unit_box, {0.0f, 1.0f, 1.0f}, glm::vec3(1.0f), 0)); // its front face at y = 0
    RendererOptions options = small_options();
    options.ambient_occlusion = true;
    Renderer with(options);
    options.ambient_occlusion = false;
    Renderer without(options);
    const Image dark = with.draw_to_image(list, small_viewport), bright = without.draw_to_image(list, small_viewport);
    const auto darker = [&](int x, int y) { return brightness(bright, x, y) - brightness(dark, x, y); };
    EXPECT_GT(darker(160, 92), 4) << "where floor and box meet";
    for (int x = 20; x < 300; x += 20) {
        EXPECT_LE(std::abs(darker(x, 170)), 2) << x;
    }
}

// The camera looks straight down and moves by whole pixels of the floor, each a fraction of a shadow texel: whatever
// stays in the picture must keep its shadow, pixel by pixel.
TEST_F(RendererTest, ShadowEdgesKeepStillUnderAMovingCamera) {
    RendererOptions options = small_options();
    options.ambient_occlusion = false;
    options.msaa_samples = 1;
    options.shadow_map_size = 512;
    options.shadow_cascades = 1; // of several, a place may go over to another map, softly
    Renderer renderer(options);
    DrawList list;
    list.grid = false;
    list.textures = false;
    list.camera.up = {0.0f, 1.0f, 0.0f};
    list.light.direction = {0.45f, 0.3f, -1.0f};
    list.light.shadow_radius = 10.0f;
    list.instances.push_back(floor_slab());
    // Out of the picture, high up: only their shadows are on the floor.
    for (int i = 0; i < 12; ++i) {
        list.instances.push_back(
            body(unit_box, {-9.0f + 1.1f * static_cast<float>(i % 4), -7.0f + 1.3f * static_cast<float>(i / 4), 14.0f},
                 glm::vec3(0.3f), i));
        list.instances.back().orientation = glm::angleAxis(0.3f * static_cast<float>(i), glm::vec3(0.0f, 0.0f, 1.0f));
    }
    const float height = 8.0f;
    const float metres_per_pixel = 2.0f * height * std::tan(0.5f * list.camera.vertical_fov) / 180.0f;
    const auto seen_from = [&](int column, int row) {
        list.camera.eye = {metres_per_pixel * static_cast<float>(column), metres_per_pixel * static_cast<float>(row),
                           height};
        list.camera.target = {list.camera.eye.x, list.camera.eye.y, 0.0f};
        list.light.shadow_centre = list.camera.target;
        return renderer.draw_to_image(list, small_viewport);
    };
    const Image first = seen_from(0, 0);
    int shaded = 0, compared = 0, worst = 0;
    for (const auto& [dx, dy] : {std::pair{1, 0}, {2, 1}, {3, 5}, {7, 4}, {11, 9}}) {
        const Image moved = seen_from(dx, dy);
        for (int y = 20; y < 160; ++y) {
            for (int x = 20; x < 300; ++x) {
                const int before = brightness(first, x, y), after = brightness(moved, x - dx, y + dy);
                // The highlight moves with the eye.
                worst = std::max(worst, std::abs(before - after));
                shaded += before < brightness(first, 5, 5) - 20 ? 1 : 0;
                ++compared;
            }
        }
    }
    EXPECT_LE(worst, 10) << "a shimmering edge changes by tens";
    EXPECT_GT(shaded, compared / 50) << "there are shadows in the picture";
}

TEST_F(RendererTest, OutlineHasTheSameWidthNearAndFar) {
    Renderer renderer(small_options());
    DrawList list;
    list.camera.eye = {0.0f, -10.0f, 0.0f};
    list.camera.target = {0.0f, 0.0f, 0.0f};
    const auto amber_width = [&](float distance) {
        list.instances.clear();
        list.instances.push_back(body(unit_box, {0.0f, distance - 10.0f, 0.0f}, glm::vec3(0.5f), 5));
        const Image plain = renderer.draw_to_image(list, small_viewport);
        list.instances[0].flags = instance_selected;
        const Image marked = renderer.draw_to_image(list, small_viewport);
        double width = 0.0; // pixels, both sides, along the middle row
        for (int x = 0; x < 320; ++x) {
            const auto at = static_cast<std::size_t>((90 * 320 + x) * 4 + 2);
            // Amber has next to no blue: 0.03. Shares of a pixel add up in linear light.
            const auto linear = [](std::uint8_t value) { return std::pow(value / 255.0, 2.2); };
            const double before = linear(plain.pixels[at]);
            width += std::max(0.0, before - linear(marked.pixels[at])) / (before - 0.03);
        }
        return width;
    };
    const double near = amber_width(5.0f);
    EXPECT_NEAR(near, 2.0 * 2.5, 1.0);
    EXPECT_NEAR(amber_width(40.0f), near, 1.0);
}

TEST_F(RendererTest, SpinIsVisibleOnAPatternedSphere) {
    Renderer renderer(small_options());
    DrawList list = studio();
    for (const std::uint32_t layer : {4u, 5u}) {
        list.instances[2].texture = layer;
        list.instances[2].orientation = {1.0f, 0.0f, 0.0f, 0.0f};
        const Image before = renderer.draw_to_image(list, small_viewport);
        list.instances[2].orientation = glm::angleAxis(0.3f, glm::vec3(0.0f, 0.0f, 1.0f));
        EXPECT_GT(difference(before, renderer.draw_to_image(list, small_viewport)).block, largest_block);
    }
}

} // namespace cairn::render::tests
