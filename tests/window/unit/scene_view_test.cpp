#include "app/ui/widgets/palette.h"
#include "tests/window/unit/stage.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {
namespace {

using physics::Vec3;
using stage::body;
using stage::CountingMeshes;
using stage::Stage;

TEST(SceneView, KindsOfShapesBecomeInstances) {
    Stage s;
    s.build();
    ASSERT_EQ(s.list.instances.size(), 5u);
    EXPECT_EQ(s.list.instances[0].flags & render::instance_ground, render::instance_ground);
    EXPECT_EQ(s.list.instances[2].mesh, render::unit_sphere);
    EXPECT_EQ(s.list.instances[2].scale, Vec3(0.5f));
    EXPECT_EQ(s.list.instances[3].mesh, render::unit_sphere);
    EXPECT_FLOAT_EQ(s.list.instances[3].extrude_z, 0.7f);
    EXPECT_EQ(s.list.instances[4].mesh, 100u);
    EXPECT_EQ(s.meshes.asked.size(), 1u);
}

TEST(SceneView, AWallBetweenEyeAndInsideIsGlassTheOthersAreNot) {
    Stage s;
    s.camera.eye = {40, 0, 8};
    s.build();
    EXPECT_LT(s.list.instances[1].colour.a, 0.3f);
    EXPECT_TRUE(s.view.is_glass(s.frame.bodies[1].id));
    EXPECT_FALSE(s.view.is_glass(s.frame.bodies[0].id));
    EXPECT_EQ(s.list.instances[1].flags & render::instance_ground, 0u);
    s.camera.eye = {-40, 0, 8};
    s.build();
    EXPECT_EQ(s.list.instances[1].colour.a, 1.0f);
    EXPECT_FALSE(s.view.is_glass(s.frame.bodies[1].id));
    EXPECT_EQ(s.list.instances[0].colour.a, 1.0f);
    // Without perspective one looks from outside, wherever the eye is.
    s.camera.eye = {6, 0, 8};
    s.camera.target = {0, 0, 1};
    s.build();
    EXPECT_FALSE(s.view.is_glass(s.frame.bodies[1].id));
    s.camera.orthographic = true;
    s.build();
    EXPECT_TRUE(s.view.is_glass(s.frame.bodies[1].id));
}

TEST(SceneView, SleepingFadesToGreyAndWakingBringsBack) {
    Stage s;
    const auto chroma = [&] {
        const glm::vec4 c = s.list.instances[2].colour;
        return std::max({c.r, c.g, c.b}) - std::min({c.r, c.g, c.b});
    };
    s.build();
    const float awake = chroma();
    s.options.seconds = 0.05f;
    s.frame.bodies[2].sleeping = true;
    s.build();
    const float fading = chroma();
    EXPECT_LT(fading, awake);
    for (int i = 0; i < 60; ++i) {
        s.build();
    }
    EXPECT_LT(chroma(), 0.5f * fading);
    s.frame.bodies[2].sleeping = false;
    for (int i = 0; i < 60; ++i) {
        s.build();
    }
    EXPECT_FLOAT_EQ(chroma(), awake);
}

TEST(SceneView, SelectionAndHoverAreFlagged) {
    Stage s;
    const std::vector<physics::BodyId> selected = {s.frame.bodies[1].id, s.frame.bodies[3].id};
    s.options.selected = selected;
    s.options.hovered = s.frame.bodies[4].id;
    s.build();
    EXPECT_NE(s.list.instances[1].flags & render::instance_selected, 0u);
    EXPECT_NE(s.list.instances[3].flags & render::instance_selected, 0u);
    EXPECT_NE(s.list.instances[4].flags & render::instance_hovered, 0u);
    EXPECT_EQ(s.list.instances[2].flags, 0u);
}

TEST(SceneView, DrawsBetweenTwoStatesMatchedByBody) {
    Stage s;
    physics::FrameState before = s.frame;
    before.bodies.erase(before.bodies.begin() + 2); // the sphere is new
    before.models.erase(before.models.begin() + 2);
    before.bodies[2].pose.position -= Vec3(0, 0, 1); // the capsule came from below
    s.options.interpolation = 0.25f;
    s.view.build(s.list, before, s.frame, s.camera, s.meshes, s.options);
    EXPECT_EQ(s.list.instances[2].position, Vec3(0, 0, 3));
    EXPECT_NEAR(s.list.instances[3].position.z, 2.25f, 1e-6f);
    EXPECT_NEAR(s.view.drawn_pose(s.frame.bodies[3].id)->position.z, 2.25f, 1e-6f);
    EXPECT_FALSE(s.view.drawn_pose({3, 77}));
}

TEST(SceneView, InterpolatesTheShortWayRound) {
    const physics::Transform a{Vec3(0), physics::Quat(1, 0, 0, 0)};
    const physics::Transform b{Vec3(2, 0, 0), physics::Quat(-0.99995f, 0, 0, -0.0099998f)}; // 0.02 rad about z
    const physics::Transform middle = interpolated(a, b, 0.5f);
    EXPECT_NEAR(middle.position.x, 1.0f, 1e-6f);
    EXPECT_NEAR(std::abs(middle.orientation.w), 1.0f, 1e-4f);
    EXPECT_NEAR(middle.orientation.z / middle.orientation.w, 0.005f, 1e-4f);
}

// Shares of an orientation add up to it but for rounding, each time another: what rests would never look the same
// twice.
TEST(SceneView, WhatDoesNotMoveHasOnePose) {
    const physics::Transform pose{Vec3(0.1f, 0.2f, 0.3f), physics::normalized(physics::Quat(0.3f, 0.5f, -0.7f, 0.1f))};
    for (float share = 0.0f; share <= 1.0f; share += 0.01f) {
        const physics::Transform between = interpolated(pose, pose, share);
        EXPECT_EQ(between.position, pose.position) << share;
        EXPECT_EQ(between.orientation, pose.orientation) << share;
    }
}

TEST(SceneView, LayersDrawWhatTheySay) {
    Stage s;
    physics::ContactState contact;
    contact.point = {1, 2, 3};
    contact.normal_impulse = 4.0f;
    contact.normal = {0, 0, 1};
    s.frame.contacts = {contact};
    s.build();
    EXPECT_TRUE(s.list.points.empty());
    EXPECT_TRUE(s.list.lines.empty());
    physics::JointDef rope;
    rope.kind = physics::JointKind::distance;
    rope.body_b = s.frame.bodies[2].id;
    s.frame.joints.resize(1);
    s.frame.joints[0].def = std::make_shared<const physics::JointDef>(rope);
    s.frame.bodies[2].sleeping = true;
    s.frame.sweeps = {{s.frame.bodies[2].id, {}}};
    s.frame.tree = {{{Vec3(0), Vec3(1)}, 0, true, true}};
    const core::Zone zones[] = {{"box", Vec3(1.0f), 0.0f, {}}, {"ball", Vec3(0.0f), 2.0f, {{5, 0, 1}, {}}}};
    s.options.zones = zones;
    const std::vector<WorldLabel> labels{{"a text", {}, {}}};
    s.options.labels = labels;
    s.options.layers = {};
    s.build();
    EXPECT_TRUE(s.list.lines.empty());
    EXPECT_TRUE(s.list.labels.empty());
    for (const DebugLayer& layer : debug_layers()) {
        s.options.layers = {};
        s.options.layers[layer] = true;
        s.frame.bodies[2].linear_velocity = {0, 0, -5};
        s.build();
        EXPECT_GT(s.list.points.size() + s.list.lines.size() + s.list.labels.size(), 0u) << layer.name;
    }
}

TEST(SceneView, JointsAreDrawnWhereSelectedOrAskedFor) {
    Stage s;
    physics::JointDef slider;
    slider.kind = physics::JointKind::slider;
    slider.body_a = s.frame.bodies[2].id;
    slider.body_b = s.frame.bodies[3].id;
    slider.frame_a = {{0, 0, 1}, physics::Quat(std::sqrt(0.5f), 0, std::sqrt(0.5f), 0)}; // axis along +x
    slider.frame_b = {{0, 0, 1}, slider.frame_a.orientation};
    const auto result = s.world.apply(physics::CreateJoint{slider});
    ASSERT_TRUE(result.ok()) << result.error;
    s.publish();
    ASSERT_EQ(s.frame.joints.size(), 1u);

    // Shown where a body of the joint is selected, or with the layer on.
    s.build();
    EXPECT_TRUE(s.list.lines.empty());
    const std::vector<physics::BodyId> other{s.frame.bodies[0].id}, one{s.frame.bodies[3].id};
    s.options.selected = other;
    s.build();
    EXPECT_TRUE(s.list.lines.empty());
    s.options.selected = one;
    s.build();
    EXPECT_FALSE(s.list.lines.empty());
    s.options.selected = {};
    s.options.layers["joints"] = true;

    // Between two steps, anchors go with the bodies as these are drawn.
    physics::FrameState before = s.frame;
    before.bodies[2].pose.position.y -= 2;
    s.options.interpolation = 0.5f;
    s.view.build(s.list, before, s.frame, s.camera, s.meshes, s.options);
    const auto drawn = [&](const Vec3& from, const Vec3& to) {
        return std::any_of(s.list.lines.begin(), s.list.lines.end(), [&](const render::Line& line) {
            return glm::length(line.from - from) < 1e-5f && glm::length(line.to - to) < 1e-5f &&
                   glm::vec3(line.colour) == colours::joints();
        });
    };
    EXPECT_TRUE(drawn({0, -1, 3}, {0, -1, 4})) << "from the centre of A to its anchor";
    EXPECT_TRUE(drawn({2, 0, 3}, {2, 0, 4})) << "from the centre of B to its anchor";
    EXPECT_TRUE(drawn({0, -1, 4}, {2, 0, 4})) << "from anchor to anchor";
    EXPECT_TRUE(drawn({0, -1, 4}, {0.6f, -1, 4})) << "the axis, in its positive sense";

    s.options.layers["joints"] = false;
    s.build();
    EXPECT_TRUE(s.list.lines.empty());
}

TEST(SceneView, LabelsGoWithTheirBodies) {
    Stage s;
    const std::vector<WorldLabel> labels{
        {"ball", s.frame.bodies[2].id, {0, 0, 1}}, {"here", {}, {5, 6, 7}}, {"gone", physics::BodyId{99, 0}, {}}};
    s.options.labels = labels;
    s.build();
    const auto written = s.list.labels.all();
    ASSERT_EQ(written.size(), 2u);
    EXPECT_EQ(written[0].text, "ball");
    EXPECT_EQ(written[0].position, s.frame.bodies[2].pose.position + Vec3(0, 0, 1));
    EXPECT_EQ(written[1].position, Vec3(5, 6, 7));
    s.options.layers["labels"] = false;
    s.build();
    EXPECT_TRUE(s.list.labels.all().empty());
}

TEST(SceneView, TheHeldPointShowsItsSpring) {
    Stage s;
    s.frame.grab = {true, s.frame.bodies[2].id, {0, 0, 3}, {1, 0, 4}};
    s.build();
    ASSERT_EQ(s.list.lines.size(), 1u);
    EXPECT_EQ(s.list.lines[0].to, Vec3(1, 0, 4));
}

TEST(SceneView, LooksFollowTheModels) {
    Stage s;
    s.build();
    EXPECT_TRUE(s.view.models_changed());
    s.build();
    EXPECT_FALSE(s.view.models_changed());
    // A newcomer at the end, one that goes from the middle, and one that becomes another.
    s.add(body(physics::Box{{1, 2, 3}}, {0, 5, 3}));
    s.publish();
    s.build();
    EXPECT_TRUE(s.view.models_changed());
    ASSERT_EQ(s.list.instances.size(), 6u);
    EXPECT_EQ(s.list.instances[5].scale, Vec3(1, 2, 3));
    ASSERT_TRUE(s.world.apply(physics::DestroyBody{s.frame.bodies[3].id}).ok());
    physics::SetBody set;
    set.body = s.frame.bodies[2].id;
    set.type = physics::BodyType::fixed;
    ASSERT_TRUE(s.world.apply(set).ok());
    s.publish();
    s.build();
    EXPECT_TRUE(s.view.models_changed());
    ASSERT_EQ(s.list.instances.size(), 5u);
    EXPECT_EQ(glm::vec3(s.list.instances[2].colour), colours::neutral());
    EXPECT_EQ(s.list.instances[3].mesh, 100u) << "the diamond moved up";
    EXPECT_EQ(s.list.instances[4].scale, Vec3(1, 2, 3));
    EXPECT_EQ(s.list.instances[0].flags & render::instance_ground, render::instance_ground);
    s.build();
    EXPECT_FALSE(s.view.models_changed());
}

TEST(SceneView, OwnColoursAreDrawnAndGreyWithSleep) {
    Stage s;
    s.build();
    const glm::vec4 automatic = s.list.instances[2].colour;
    ASSERT_TRUE(s.world.apply(physics::SetColour{s.frame.bodies[2].id, physics::Colour{255, 0, 0}}).ok());
    ASSERT_TRUE(s.world.apply(physics::SetColour{s.frame.bodies[0].id, physics::Colour{0, 0, 255}}).ok());
    s.publish();
    s.build();
    EXPECT_EQ(s.list.instances[2].colour, glm::vec4(1, 0, 0, 1));
    EXPECT_EQ(s.list.instances[0].colour, glm::vec4(0, 0, 1, 1)) << "the ground";
    s.options.seconds = -1.0f; // fades are complete
    s.frame.bodies[2].sleeping = true;
    s.build();
    const glm::vec4 asleep = s.list.instances[2].colour;
    EXPECT_LT(asleep.r, 0.9f);
    EXPECT_GT(asleep.g, 0.05f);
    EXPECT_GT(asleep.r, asleep.g + 0.3f) << "still red";
    s.frame.bodies[2].sleeping = false;
    s.options.colours = ColourMode::touching;
    s.build();
    EXPECT_NE(s.list.instances[2].colour, glm::vec4(1, 0, 0, 1));
    EXPECT_EQ(glm::vec3(s.list.instances[0].colour), colours::ground());
    s.options.colours = ColourMode::palette;
    ASSERT_TRUE(s.world.apply(physics::SetColour{s.frame.bodies[2].id, {}}).ok());
    s.publish();
    s.build();
    EXPECT_EQ(s.list.instances[2].colour, automatic);
}

TEST(SceneView, ShapesAndTrianglesAreDrawnAsTheyAreMade) {
    Stage s;
    physics::MeshData data{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}, {0, 1, 3}}};
    data.materials = {"ice", "wood", "unused", "plain"};
    data.triangle_materials = {0, 1, 3};
    physics::BodyDef mesh =
        body(physics::Mesh{std::make_shared<const physics::MeshData>(data)}, {0, 0, 9}, physics::BodyType::fixed);
    mesh.material = {0.5f, 0.0f, 0.0f};
    mesh.shapes[0].mesh_materials = {
        {0.0f, {}, {}, physics::Colour{0, 0, 255}}, {{}, 1.0f, {}, physics::Colour{255, 0, 0}}, {}, {}};
    s.add(mesh);
    physics::BodyDef pair = body(physics::Sphere{0.3f}, {4, 0, 9});
    pair.shapes.push_back({physics::Box{Vec3(0.3f)}, {{1, 0, 0}, {}}, false, {{}, {}, {}, physics::Colour{0, 255, 0}}});
    s.add(pair);
    s.publish();
    s.build();
    ASSERT_EQ(s.list.instances.size(), 10u);
    EXPECT_EQ(s.list.instances[5].mesh, 200u);
    EXPECT_EQ(s.list.instances[5].colour, glm::vec4(0, 0, 1, 1));
    EXPECT_EQ(s.list.instances[6].colour, glm::vec4(1, 0, 0, 1));
    EXPECT_EQ(s.list.instances[7].mesh, 203u);
    EXPECT_EQ(glm::vec3(s.list.instances[7].colour), colours::neutral());
    EXPECT_EQ(s.list.instances[9].colour, glm::vec4(0, 1, 0, 1));
    EXPECT_NE(s.list.instances[8].colour, s.list.instances[9].colour);
    const auto shown = [&](std::size_t instance) { return glm::vec3(s.list.instances[instance].colour); };
    s.options.colours = ColourMode::friction;
    s.build();
    EXPECT_EQ(shown(5), ramp_colour(0.0f));
    EXPECT_EQ(shown(6), ramp_colour(0.5f));
    EXPECT_EQ(shown(7), ramp_colour(0.5f));
    s.options.colours = ColourMode::elasticity;
    s.build();
    EXPECT_EQ(shown(5), ramp_colour(0.0f));
    EXPECT_EQ(shown(6), ramp_colour(1.0f));
    s.options.colours = ColourMode::touching;
    s.build();
    EXPECT_EQ(shown(5), colours::neutral());
    // The pick says which triangle, and so which material.
    const auto hit = s.view.pick(s.frame, {{0.8f, 0.3f, 20}, {0, 0, -1}, 100.0f});
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->body, s.frame.bodies[5].id);
    EXPECT_EQ(physics::touched_material(*s.frame.models[5], *hit).name, "ice");
    const auto second = s.view.pick(s.frame, {{4.4f, 0, 20}, {0, 0, -1}, 100.0f});
    ASSERT_TRUE(second);
    EXPECT_EQ(second->shape, 1u);
}

TEST(SceneView, TheOpenShapeIsOutlinedApart) {
    Stage s;
    physics::BodyDef pair = body(physics::Sphere{0.3f}, {4, 0, 9});
    pair.shapes.push_back({physics::Box{Vec3(0.3f)}, {{1, 0, 0}, {}}});
    s.add(pair);
    s.publish();
    const std::vector<physics::BodyId> selection{s.frame.bodies[5].id};
    s.options.selected = selection;
    s.options.open_shape = physics::WorldShape{selection[0], 1};
    s.build();
    ASSERT_EQ(s.list.instances.size(), 7u);
    EXPECT_EQ(s.list.instances[5].flags, render::instance_hovered);
    EXPECT_EQ(s.list.instances[6].flags, render::instance_selected);
    s.options.open_shape.reset();
    s.build();
    EXPECT_EQ(s.list.instances[5].flags, render::instance_selected);
    // A single shape is the body.
    const std::vector<physics::BodyId> single{s.frame.bodies[2].id};
    s.options.selected = single;
    s.options.open_shape = physics::WorldShape{single[0], 0};
    s.build();
    EXPECT_EQ(s.list.instances[2].flags, render::instance_selected);
}

TEST(SceneView, TouchingColoursComeAndGo) {
    Stage s;
    s.build();
    const glm::vec4 plain = s.list.instances[2].colour;
    s.options.colours = ColourMode::touching;
    s.build();
    const glm::vec4 apart = s.list.instances[2].colour;
    EXPECT_NE(apart, plain);
    s.frame.bodies[2].touching = true;
    s.build();
    EXPECT_NE(s.list.instances[2].colour, apart);
    s.frame.bodies[2].touching = false;
    s.build();
    EXPECT_EQ(s.list.instances[2].colour, apart);
    s.options.colours = ColourMode::palette;
    s.build();
    EXPECT_EQ(s.list.instances[2].colour, plain);
}

TEST(SceneView, LayersAreFoundByName) {
    DebugLayers layers;
    EXPECT_EQ(set_layers(layers, {"contacts", "velocities"}), std::nullopt);
    EXPECT_TRUE(layers["contacts"] && layers["velocities"] && !layers["bounds"]);
    EXPECT_EQ(set_layers(layers, {"bounds", "nonsense"}), "nonsense");
    EXPECT_NE(layer_names().find("impulses"), std::string::npos);
}

TEST(SceneView, HandlesOfTheDeadFindNothing) {
    Stage s;
    const physics::BodyId id = s.frame.bodies[2].id;
    EXPECT_EQ(find_body(s.frame, id), 2u);
    EXPECT_FALSE(find_body(s.frame, {id.index, id.generation + 1}));
    EXPECT_FALSE(find_body(s.frame, {}));
}

} // namespace
} // namespace cairn::ui
