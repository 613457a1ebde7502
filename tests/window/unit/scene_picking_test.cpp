#include "tests/window/unit/stage.h"

namespace cairn::ui {
namespace {

using physics::Vec3;
using stage::body;
using stage::CountingMeshes;
using stage::Stage;

TEST(SceneView, WhatIsHiddenIsNeitherDrawnNorPicked) {
    Stage s;
    s.build();
    const std::size_t all = s.list.instances.size();
    const physics::Ray ray{Vec3(0, -20, 3), Vec3(0, 1, 0), 100.0f};
    ASSERT_TRUE(s.view.pick(s.frame, ray));
    const std::vector<physics::BodyId> hidden{s.view.pick(s.frame, ray)->body};
    s.options.hidden = hidden;
    s.build();
    EXPECT_EQ(s.list.instances.size(), all - 1);
    const auto behind = s.view.pick(s.frame, ray);
    EXPECT_TRUE(!behind || behind->body != hidden[0]);
    s.options.hidden = {};
    s.build();
    EXPECT_EQ(s.list.instances.size(), all);
}

TEST(SceneView, SensorsAreTranslucentAndPickedLast) {
    Stage s;
    physics::BodyDef zone = body(physics::Box{{3, 3, 3}}, {0, 0, 3}, physics::BodyType::fixed);
    zone.shapes[0].sensor = true;
    s.add(zone);
    s.publish();
    s.build();
    ASSERT_EQ(s.list.instances.size(), 6u);
    const float empty = s.list.instances[5].colour.a;
    EXPECT_LT(empty, 0.5f);
    EXPECT_EQ(s.list.instances[2].colour.a, 1.0f);
    s.world.step();
    s.publish();
    s.build();
    EXPECT_GT(s.list.instances[5].colour.a, empty) << "something is inside";
    const auto along_y = [&](float x) { return s.view.pick(s.frame, {Vec3(x, -20, 3), Vec3(0, 1, 0), 100.0f}); };
    ASSERT_TRUE(along_y(0.0f) && along_y(1.0f));
    EXPECT_EQ(along_y(0.0f)->body, s.frame.bodies[2].id) << "through the sensor";
    EXPECT_EQ(along_y(1.0f)->body, s.frame.bodies[5].id) << "nothing else is there";
}

TEST(SceneView, PicksFromFarAwayAsFromNear) {
    Stage s;
    s.build();
    for (int i = 0; i < 100; ++i) { // close to the silhouette of the ball
        const Vec3 start(0.49f + 0.00009f * static_cast<float>(i), -500.0f - 0.37f * static_cast<float>(i), 3);
        const auto hit = s.view.pick(s.frame, {start, Vec3(0, 1, 0), 2000.0f});
        ASSERT_TRUE(hit) << i;
        EXPECT_EQ(hit->body, s.frame.bodies[2].id);
    }
}

TEST(SceneView, PicksWhatIsSeenWhereItIsSeen) {
    Stage s;
    physics::FrameState before = s.frame;
    before.bodies[2].pose.position.z -= 2; // the sphere came from below
    s.options.interpolation = 0.5f;
    s.camera.eye = {40, 0, 8}; // behind the wall
    s.view.build(s.list, before, s.frame, s.camera, s.meshes, s.options);
    const auto along_y = [&](float x, float z) {
        return s.view.pick(s.frame, {Vec3(x, -20, z), Vec3(0, 1, 0), 100.0f});
    };
    const auto seen = along_y(0, 2);
    ASSERT_TRUE(seen) << "halfway";
    EXPECT_EQ(seen->body, s.frame.bodies[2].id);
    EXPECT_NEAR(seen->hit.distance, 19.5f, 1e-4f);
    EXPECT_NEAR(seen->hit.point.y, -0.5f, 1e-4f);
    EXPECT_FALSE(along_y(0, 3)) << "it is there by now, but not to be seen";
    EXPECT_FALSE(along_y(0, 2.51f)) << "just beside";

    // From the eye: the wall is glass, and the nearest of what stands behind it counts.
    const auto through = s.view.pick(s.frame, {Vec3(40, 0, 3), Vec3(-1, 0, 0), 1000.0f});
    ASSERT_TRUE(through);
    EXPECT_EQ(through->body, s.frame.bodies[3].id);
    EXPECT_FALSE(s.view.pick(s.frame, {Vec3(40, 0, 3), Vec3(-1, 0, 0), 30.0f})) << "farther than the ray goes";
    EXPECT_FALSE(s.view.pick(s.frame, {Vec3(40, 0, 3), Vec3(1, 0, 0), 1000.0f})) << "behind its start";
    s.camera.eye = {-40, 0, 3};
    s.build();
    EXPECT_EQ(s.view.pick(s.frame, {Vec3(40, 0, 3), Vec3(-1, 0, 0), 1000.0f})->body, s.frame.bodies[1].id);
}

TEST(SceneView, PicksAsTheWorldDoes) {
    physics::World world;
    std::uint32_t state = 7;
    const auto unit = [&state] {
        state = state * 1664525u + 1013904223u;
        return static_cast<float>(state >> 8) * 0x1p-24f;
    };
    const auto place = [&unit] {
        Vec3 at;
        at.x = 10.0f * unit() - 5.0f;
        at.y = 10.0f * unit() - 5.0f;
        at.z = 10.0f * unit() - 5.0f;
        return at;
    };
    for (int i = 0; i < 60; ++i) {
        physics::BodyDef def = body(physics::Diamond{0.6f}, place());
        if (i % 3 == 1) {
            def = body(physics::Box{{0.2f, 0.5f, 0.9f}}, place());
        } else if (i % 3 == 2) {
            def = body(physics::Sphere{0.4f}, place());
            def.shapes.push_back({physics::Capsule{0.2f, 0.6f}, {Vec3(0.7f, 0.0f, 0.0f), def.pose.orientation}});
        }
        ASSERT_TRUE(world.apply(physics::CreateBody{def}).ok());
    }
    physics::FrameState frame;
    world.publish(frame);
    SceneView view;
    CountingMeshes meshes;
    render::DrawList list;
    view.build(list, frame, frame, {}, meshes, {});
    int hits = 0, misses = 0;
    for (int i = 0; i < 2000; ++i) {
        physics::Ray ray;
        ray.origin = 3.0f * place();
        ray.direction = glm::normalize(place() - ray.origin);
        ray.max_distance = 20.0f * unit();
        const auto expected = world.ray_cast(ray), found = view.pick(frame, ray);
        ASSERT_EQ(found.has_value(), expected.has_value()) << i;
        if (found) {
            ++hits;
            EXPECT_EQ(found->body, expected->body) << i;
            EXPECT_EQ(found->hit.distance, expected->hit.distance) << i;
        } else {
            ++misses;
        }
    }
    EXPECT_GT(hits, 300);
    EXPECT_GT(misses, 300);
}

} // namespace
} // namespace cairn::ui
