// Pictures that follow each other: what has not changed is shown again, and whatever has changed is drawn.
#include "render/picture_texture.h"
#include "render/view_texture.h"
#include "tests/render/picture_compare.h"
#include "tests/render/render_fixture.h"

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace cairn::render::tests {

namespace {

class RefreshTest : public RenderTest {
  protected:
    void SetUp() override { target_.fit(small_viewport.width, small_viewport.height); }

    // Whether it was shown again, not drawn.
    bool refreshed(const DrawList& list, const Viewport& viewport = small_viewport) {
        renderer_.refresh(list, viewport, target_.framebuffer());
        return renderer_.stats().shown_again;
    }
    Image shown() { return read_framebuffer(small_viewport.width, small_viewport.height); }

    Renderer renderer_{small_options()};
    ViewTexture target_;
};

DrawList marked_studio() {
    DrawList list = studio();
    list.instances[1].flags = instance_selected;
    list.lines.push_back({{-3.0f, -2.0f, 0.5f}, {3.0f, -2.0f, 2.0f}, {1.0f, 0.0f, 0.0f, 1.0f}, true});
    list.points.push_back({{0.0f, -2.0f, 2.0f}, {0.0f, 1.0f, 0.0f, 1.0f}});
    return list;
}

} // namespace

TEST_F(RefreshTest, WhatHasNotChangedIsShownAgain) {
    const DrawList list = marked_studio();
    EXPECT_FALSE(renderer_.shows(list, small_viewport));
    EXPECT_FALSE(refreshed(list));
    const Image first = shown();
    const RenderStats counted = renderer_.stats();
    EXPECT_TRUE(renderer_.shows(list, small_viewport));
    for (int again = 0; again < 2; ++again) {
        EXPECT_TRUE(refreshed(list));
        EXPECT_EQ(shown().pixels, first.pixels);
        EXPECT_EQ(renderer_.stats().instances, counted.instances);
        EXPECT_EQ(renderer_.stats().draw_calls, counted.draw_calls);
    }
    // draw() always draws.
    renderer_.draw(list, small_viewport, target_.framebuffer());
    EXPECT_FALSE(renderer_.stats().shown_again);
    EXPECT_EQ(shown().pixels, first.pixels);
}

TEST_F(RefreshTest, EveryChangeOfTheListIsDrawn) {
    const std::vector<std::function<void(DrawList&)>> changes{
        [](DrawList& l) { l.camera.eye.x += 0.5f; },
        [](DrawList& l) { l.camera.orthographic = true; },
        [](DrawList& l) { l.light.direction.x += 0.5f; },
        [](DrawList& l) { l.light.shadow_strength = 0.0f; },
        [](DrawList& l) { l.grid = false; },
        [](DrawList& l) { l.textures = false; },
        [](DrawList& l) { l.instances[2].position.z += 0.3f; },
        [](DrawList& l) { l.instances[1].orientation = glm::angleAxis(0.5f, glm::vec3(0.0f, 0.0f, 1.0f)); },
        [](DrawList& l) { l.instances[3].scale *= 1.2f; },
        [](DrawList& l) { l.instances[3].colour.r += 0.3f; },
        [](DrawList& l) { l.instances[3].mesh = unit_box; },
        [](DrawList& l) { l.instances[2].texture = 4; },
        [](DrawList& l) { l.instances[5].extrude_z = 0.2f; },
        [](DrawList& l) { l.instances[1].flags = instance_hovered; },
        [](DrawList& l) { l.instances.pop_back(); },
        [](DrawList& l) { l.lines[0].to.z = 0.2f; },
        [](DrawList& l) { l.lines.clear(); },
        [](DrawList& l) { l.points[0].size = 20.0f; },
        [](DrawList& l) { l.points.clear(); },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        DrawList list = marked_studio();
        refreshed(list);
        const Image before = shown();
        changes[i](list);
        EXPECT_FALSE(renderer_.shows(list, small_viewport)) << i;
        EXPECT_FALSE(refreshed(list)) << i;
        EXPECT_NE(shown().pixels, before.pixels) << i;
    }
}

TEST_F(RefreshTest, SettingsMeshesAndOtherPicturesComeBetween) {
    const DrawList list = marked_studio();
    MeshId added = 0;
    const std::vector<std::function<void()>> changes{
        [&] { renderer_.set_msaa(1); },
        [&] { renderer_.set_shadows(512, 2); },
        [&] { renderer_.set_ambient_occlusion(false); },
        [&] { renderer_.set_resolution(50); },
        [&] {
            added =
                renderer_.add_mesh({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}, {0, 1, 2}});
        },
        [&] { renderer_.remove_mesh(added); },
        [&] { renderer_.draw_to_image(DrawList{}, small_viewport); },
        [&] {
            renderer_.draw(list, {0, 0, 1.0f}, target_.framebuffer());
        },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        refreshed(list);
        ASSERT_TRUE(refreshed(list)) << i;
        changes[i]();
        EXPECT_FALSE(refreshed(list)) << i;
    }
    // What is set to what it is changes nothing.
    ASSERT_TRUE(refreshed(list));
    renderer_.set_ambient_occlusion(false);
    EXPECT_TRUE(refreshed(list));
    EXPECT_FALSE(refreshed(list, {small_viewport.width / 2, small_viewport.height, 1.0f}));
    EXPECT_FALSE(refreshed(list, {small_viewport.width / 2, small_viewport.height, 2.0f}));
}

TEST_F(RefreshTest, WhatIsNotANumberIsNeverTheSame) {
    DrawList list = marked_studio();
    list.instances[1].position.x = std::nanf("");
    EXPECT_FALSE(refreshed(list));
    EXPECT_FALSE(refreshed(list));
}

TEST_F(RefreshTest, AnEmptyViewportShowsNothing) {
    const DrawList list = marked_studio();
    for (int again = 0; again < 2; ++again) {
        EXPECT_FALSE(refreshed(list, {0, 0, 1.0f}));
        EXPECT_EQ(renderer_.stats().draw_calls, 0);
    }
}

TEST_F(RefreshTest, PicturesAreCounted) {
    const DrawList list = studio();
    std::uint64_t before = pictures_made();
    const auto more = [&before] { return std::exchange(before, pictures_made()) < pictures_made(); };
    refreshed(list);
    EXPECT_TRUE(more());
    refreshed(list);
    EXPECT_FALSE(more());
    const Image image = renderer_.draw_to_image(list, small_viewport);
    EXPECT_TRUE(more());
    const PictureTexture texture(image);
    EXPECT_TRUE(more());
}

} // namespace cairn::render::tests
