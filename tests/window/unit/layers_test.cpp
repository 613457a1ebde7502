// What debug layers are worked out from.
#include "app/ui/layers/debug_layers.h"
#include "app/ui/view/labels/labels.h"
#include "app/ui/view/scene_view.h"
#include "physics/world/world.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace cairn::ui {
namespace {

using physics::Vec3;

physics::BodyId add_box(physics::World& world, const Vec3& at, physics::BodyType type = physics::BodyType::dynamic,
                        const Vec3& half = Vec3(0.5f)) {
    physics::BodyDef def;
    def.type = type;
    def.pose.position = at;
    def.shapes = {{physics::Box{half}, {}}};
    return world.apply(physics::CreateBody{def}).created;
}

TEST(InertiaBox, IsTheBoxThatItWasTakenFrom) {
    const Vec3 half(0.3f, 0.5f, 1.2f);
    const float mass = 7.0f;
    const physics::Mat3 own(Vec3(mass / 3.0f * (half.y * half.y + half.z * half.z), 0, 0),
                            Vec3(0, mass / 3.0f * (half.x * half.x + half.z * half.z), 0),
                            Vec3(0, 0, mass / 3.0f * (half.x * half.x + half.y * half.y)));
    for (const physics::Quat& turn : {physics::identity_orientation, physics::normalized({0.9f, 0.2f, -0.3f, 0.4f}),
                                      physics::normalized({0.1f, 0.7f, 0.7f, 0.1f})}) {
        const physics::Mat3 r = physics::rotation_matrix(turn);
        const InertiaBox box = inertia_box(r * own * glm::transpose(r), mass);
        std::array<float, 3> lengths{box.half_extents.x, box.half_extents.y, box.half_extents.z};
        std::sort(lengths.begin(), lengths.end());
        EXPECT_NEAR(lengths[0], half.x, 1e-4f);
        EXPECT_NEAR(lengths[1], half.y, 1e-4f);
        EXPECT_NEAR(lengths[2], half.z, 1e-4f);
        // The longest axis of the box is the body's z, either way round.
        for (int axis = 0; axis < 3; ++axis) {
            Vec3 unit(0.0f);
            unit[axis] = 1.0f;
            if (box.half_extents[axis] > 1.0f) {
                EXPECT_NEAR(std::abs(glm::dot(physics::rotate(box.axes, unit), r[2])), 1.0f, 1e-4f);
            }
        }
    }
}

TEST(Islands, AreTheEnginesOwn) {
    physics::World world;
    add_box(world, {0, 0, -0.5f}, physics::BodyType::fixed, {20, 20, 0.5f});
    for (int i = 0; i < 3; ++i) { // two stand on each other, one apart, one in the air
        add_box(world, {0, 0, 0.5f + 1.0f * static_cast<float>(i == 2 ? 8 : i)});
    }
    add_box(world, {4, 0, 0.5f});
    add_box(world, {6, 0, 0.5f}); // tied to the last
    physics::FrameState frame;
    world.publish(frame);
    physics::JointDef rope;
    rope.kind = physics::JointKind::distance;
    rope.body_a = frame.bodies[4].id;
    rope.body_b = frame.bodies[5].id;
    ASSERT_TRUE(world.apply(physics::CreateJoint{rope}).ok());
    for (int i = 0; i < 5; ++i) {
        world.step();
    }
    world.publish(frame);
    Islands islands;
    islands.update(frame);
    EXPECT_EQ(islands.of(0), Islands::none);
    EXPECT_EQ(islands.of(1), 1u);
    EXPECT_EQ(islands.of(2), 1u);
    EXPECT_EQ(islands.of(3), 3u);
    EXPECT_EQ(islands.of(4), 4u);
    EXPECT_EQ(islands.of(5), 4u);
    std::set<std::uint32_t> all;
    for (std::size_t slot = 1; slot < islands.size(); ++slot) {
        all.insert(islands.of(slot));
    }
    EXPECT_EQ(all.size(), frame.stats.islands);
}

TEST(Layers, AskForNoMoreThanTheyNeed) {
    ViewOptions options;
    EXPECT_EQ(details_for(options), physics::FrameDetails{});
    options.layers["sweeps"] = true;
    EXPECT_TRUE(details_for(options).sweeps);
    EXPECT_FALSE(details_for(options).tree || details_for(options).colours);
    options.layers["tree"] = true;
    options.colours = ColourMode::groups;
    EXPECT_TRUE(details_for(options).tree && details_for(options).colours);
}

TEST(ColourModes, HaveNamesAndScales) {
    for (const ColourModeInfo& info : colour_modes()) {
        EXPECT_EQ(colour_mode_of(info.name), info.mode);
        EXPECT_EQ(&info_of(info.mode), &info);
        if (const ColourScale* scale = scale_of(info.mode)) {
            EXPECT_EQ(scale->share(scale->low), 0.0f);
            EXPECT_NEAR(scale->share(scale->high), 1.0f, 1e-6f);
            EXPECT_EQ(scale->share(-1.0f), 0.0f);
            EXPECT_GE(scale->ticks.size(), 3u);
        }
    }
    EXPECT_FALSE(colour_mode_of("nonsense"));
    EXPECT_EQ(next_mode(ColourMode::density), ColourMode::palette);
    EXPECT_EQ(next_mode(ColourMode::palette, -1), ColourMode::density);
    EXPECT_NEAR(scale_of(ColourMode::speed)->share(1.0f), 1.0f / 3.0f, 1e-6f);
    // Lightness alone tells where on the scale a colour is.
    const auto luminance = [](const glm::vec3& c) { return 0.2126f * c.r + 0.7152f * c.g + 0.0722f * c.b; };
    for (int i = 1; i < ramp_steps; ++i) {
        const auto at = [](int step) { return ramp_colour(static_cast<float>(step) / (ramp_steps - 1)); };
        EXPECT_GT(luminance(at(i)), luminance(at(i - 1))) << i;
    }
}

TEST(LabelLayout, TheNearerOneStaysAndWhatMustStaysToo) {
    std::vector<render::Label> labels(4);
    labels[0] = {{0, 0, 0}, glm::vec4(1), "far", true};
    labels[1] = {{0, -5, 0}, glm::vec4(1), "near", true};
    labels[2] = {{0, 2, 0}, glm::vec4(1), "needed", false};
    labels[3] = {{0, -40, 0}, glm::vec4(1), "behind", true};
    render::Camera camera;
    camera.eye = {0, -20, 0};
    camera.target = {0, 0, 0};
    const auto size_of = [](const std::string& text) { return glm::vec2(8.0f * static_cast<float>(text.size()), 14); };
    LabelLayout layout;
    const auto names = [&] {
        std::set<std::string> out;
        for (const LabelLayout::Placed& placed : layout.place(labels, camera, {800, 600}, size_of)) {
            out.insert(placed.label->text);
        }
        return out;
    };
    EXPECT_EQ(names(), std::set<std::string>{"needed"});
    labels[2].position = {4, 2, 0};
    EXPECT_EQ(names(), (std::set<std::string>{"needed", "near"}));
    labels[0].position = {-4, 0, 0};
    EXPECT_EQ(names(), (std::set<std::string>{"needed", "near", "far"}));
}

} // namespace
} // namespace cairn::ui
