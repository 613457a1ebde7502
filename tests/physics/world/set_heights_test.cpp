// Ground that is given another shape while bodies lie on it.
#include "physics/world/state_image.h"
#include "tests/physics/world/ground_bodies.h"
#include "tests/physics/world/height_builder.h"
#include "tests/physics/world/two_threads.h"
#include "tests/physics/world/world_builder.h"
#include "tests/sanitized.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace cairn::physics::testing {
namespace {

SetHeights raised(BodyId ground, const HeightRegion& at, float height) {
    return {ground, 0, at, std::vector<float>(std::size_t{at.columns} * at.rows, height)};
}

TEST(SetHeights, AreRefusedWhereTheyDoNotFit) {
    World world;
    const BodyId ground = add(world, make_static(level_field(5, 1.0f), Vec3(0.0f)));
    const BodyId box = add(world, make_static(Box{Vec3(1)}, Vec3(9, 0, 0)));
    const auto model = world.model(ground);
    const auto error_of = [&](SetHeights command) { return world.apply(command).error; };
    const auto holds = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    EXPECT_TRUE(holds(error_of(raised({7, 0}, {0, 0, 1, 1}, 1)), "no body 7"));
    EXPECT_TRUE(holds(error_of(raised(box, {0, 0, 1, 1}, 1)), "shape 0 of the body is not a height field"));
    SetHeights other = raised(ground, {0, 0, 1, 1}, 1);
    other.shape = 1;
    EXPECT_TRUE(holds(error_of(other), "no shape 1"));
    for (const HeightRegion& at : {HeightRegion{0, 0, 0, 1},
                                   {0, 0, 1, 0},
                                   {5, 0, 1, 1},
                                   {0, 5, 1, 1},
                                   {1, 0, 5, 1},
                                   {0, 4, 1, 2},
                                   {4, 4, 0xffffffffu, 1},
                                   {0xffffffffu, 0, 2, 1}}) {
        SetHeights command{ground, 0, at, std::vector<float>(at.columns < 9 ? at.columns * at.rows : 1)};
        EXPECT_TRUE(holds(error_of(command), "does not lie within the 5 x 5 samples")) << at.column << " " << at.row;
    }
    other = raised(ground, {1, 1, 2, 2}, 1);
    other.heights.pop_back();
    EXPECT_TRUE(holds(error_of(other), "2 x 2 samples has 3 heights"));
    for (const float height : {10001.0f, -10001.0f, std::numeric_limits<float>::quiet_NaN()}) {
        EXPECT_TRUE(holds(error_of(raised(ground, {4, 4, 1, 1}, height)), "not within 10000 m"));
    }
    EXPECT_EQ(world.model(ground), model) << "nothing has changed";
    EXPECT_EQ(error_of(raised(ground, {4, 4, 1, 1}, 1.0f)), "");
    EXPECT_EQ(std::get<HeightField>(world.model(ground)->def.shapes[0].geometry).data->heights.back(), 1.0f);
}

// What lies there wakes and falls; what lies elsewhere sleeps on. Of several shapes of a body the right one changes.
TEST(SetHeights, WakeWhatLiesThere) {
    World world;
    BodyDef def = make_static(level_field(41, 0.5f), Vec3(0, 0, 1));
    def.name = "ground";
    def.shapes.insert(def.shapes.begin(),
                      ShapeDef{Box{Vec3(0.5f)}, {Vec3(0, 0, -20), identity_orientation}, false, {}});
    def.shapes[1].pose.orientation = normalized(Quat(1, 0, 0, 1)); // a quarter of a turn about Z
    const BodyId ground = add(world, def);
    const BodyId near = add(world, make_body(Sphere{0.5f}, Vec3(-4, 3, 1.5f)));
    const BodyId far = add(world, make_body(Sphere{0.5f}, Vec3(4, 3, 1.5f)));
    run(world, 120);
    ASSERT_TRUE(state_of(world, near).sleeping && state_of(world, far).sleeping);
    // The point (-4, 3) of the world is (3, 4) of the field: its sample (26, 28).
    SetHeights lower = raised(ground, {23, 25, 7, 7}, -2.0f);
    lower.shape = 1;
    ASSERT_TRUE(world.apply(lower).ok());
    EXPECT_FALSE(state_of(world, near).sleeping);
    EXPECT_TRUE(state_of(world, far).sleeping);
    EXPECT_EQ(world.model(ground)->def.name, "ground");
    run(world, 120);
    EXPECT_NEAR(state_of(world, near).pose.position.z, -0.5f, 0.01f);
    EXPECT_NEAR(state_of(world, far).pose.position.z, 1.5f, 0.01f);
    EXPECT_TRUE(state_of(world, far).sleeping);
    const auto hit = world.ray_cast({Vec3(-4.2f, 3.9f, 9), Vec3(0, 0, -1), 100.0f});
    ASSERT_TRUE(hit.has_value());
    EXPECT_NEAR(hit->hit.distance, 10.0f, 1e-3f) << "queries see it, too";
}

// By far more than any of them is high, at once.
TEST(SetHeights, GroundThatRisesBuriesNothing) {
    const std::vector<GroundBody> shapes =
        ground_bodies({std::make_shared<std::vector<Vec3>>(std::vector<Vec3>{
                          {0.4f, 0, -0.2f}, {-0.3f, 0.35f, -0.2f}, {-0.3f, -0.35f, -0.2f}, {0, 0, 0.5f}})},
                      0.175f);
    for (const bool lifts : {true, false}) {
        World world;
        const BodyId ground = add(world, make_static(level_field(41, 0.5f), Vec3(0.0f)));
        std::vector<BodyId> bodies;
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            bodies.push_back(add(world, on_ground(shapes[i], Vec3(2.0f * static_cast<float>(i) - 6.0f, 0.3f, 0.0f))));
        }
        const BodyId flying = add(world, make_body(Sphere{0.5f}, Vec3(0, 4, 8)));
        run(world, 60);
        const float high = state_of(world, flying).pose.position.z;
        ASSERT_GT(high, 2.6f);
        if (lifts) {
            ASSERT_TRUE(world.apply(raised(ground, {0, 0, 41, 41}, 2.0f)).ok());
            EXPECT_EQ(state_of(world, flying).pose.position.z, high) << "is still above it";
        } else { // another field in the place of the old one
            auto data = height_data(41, 41, 0.5f, [](float, float) { return 2.0f; });
            ASSERT_TRUE(world.apply(AddShape{ground, {HeightField{data}, {}}, 0u}).ok());
            ASSERT_TRUE(world.apply(RemoveShape{ground, 1}).ok());
        }
        run(world, 120);
        int above = 0;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            above += std::abs(state_of(world, bodies[i]).pose.position.z - 2.0f - shapes[i].rest) < 0.02f ? 1 : 0;
        }
        EXPECT_NEAR(state_of(world, flying).pose.position.z, 2.5f, 0.01f);
        if (lifts) {
            EXPECT_EQ(above, static_cast<int>(bodies.size()));
        } else {
            EXPECT_LT(above, 2) << "without it they fall through";
        }
    }
}

// What stands on what is lifted goes along. Left where it was it overlapped, and ten boxes leapt by 0.75 m.
TEST(SetHeights, GroundThatRisesTakesStacksAlong) {
    for (const int boxes : {2, 6, 10}) {
        for (const float rise : {0.005f, 0.1f}) {
            World world;
            const BodyId ground = add(world, make_static(level_field(41, 0.5f), Vec3(0.0f)));
            std::vector<BodyId> tower;
            for (int i = 0; i < boxes; ++i) {
                tower.push_back(
                    add(world, make_body(Box{Vec3(0.4f)}, Vec3(0, 0, 0.4f + 0.8f * static_cast<float>(i)))));
            }
            const BodyId beside = add(world, make_body(Box{Vec3(0.4f)}, Vec3(5, 0, 3.0f)));
            run(world, 120);
            const float top = state_of(world, tower.back()).pose.position.z;
            ASSERT_TRUE(world.apply(raised(ground, {0, 0, 41, 41}, rise)).ok());
            float highest = 0.0f;
            for (int i = 0; i < 120; ++i) {
                world.step();
                highest = std::max(highest, state_of(world, tower.back()).pose.position.z);
            }
            EXPECT_NEAR(highest, top + rise, 1e-3f) << boxes << ' ' << rise;
            EXPECT_NEAR(state_of(world, beside).pose.position.z, 0.4f + rise, 1e-3f) << boxes << ' ' << rise;
        }
    }
}

// A little at a time under a heap, on any number of threads, and from a field that is built anew half way.
TEST(SetHeights, SameBitsOnThreadsAndAfterLoading) {
    TwoThreads two;
    World alone, together(Settings{}, &two), loaded;
    const HeightField bowl{height_data(49, 41, 0.8f, bumpy_bowl_height)};
    const auto fill = [&](World& world) {
        fill_bowl(world, bowl,
                  ground_bodies({std::make_shared<std::vector<Vec3>>(std::vector<Vec3>{
                                    {0.4f, 0, -0.2f}, {-0.3f, 0.35f, -0.2f}, {-0.3f, -0.35f, -0.2f}, {0, 0, 0.5f}})},
                                0.175f),
                  0.1f);
    };
    fill(alone);
    fill(together);
    const BodyId ground = alone.body_ids()[0];
    const auto dig = [&](World& world, int step) {
        HeightRegion at{20u + static_cast<std::uint32_t>(step) % 7, 15u + static_cast<std::uint32_t>(step) % 5, 6, 5};
        SetHeights set{ground, 0, at, {}};
        const auto data = std::get<HeightField>(world.model(ground)->def.shapes[0].geometry).data;
        for (std::uint32_t j = at.row; j < at.row + at.rows; ++j) {
            for (std::uint32_t i = at.column; i < at.column + at.columns; ++i) {
                set.heights.push_back(data->heights[j * data->columns + i] + (step % 3 == 0 ? -0.03f : 0.05f));
            }
        }
        ASSERT_TRUE(world.apply(set).ok());
    };
    const int half = sanitized ? 20 : 60;
    for (int i = 0; i < half; ++i) {
        dig(alone, i);
        dig(together, i);
        alone.step();
        together.step();
        ASSERT_EQ(alone.hash(), together.hash()) << "step " << i;
    }
    ASSERT_EQ(loaded.load(alone.image()), "");
    for (int i = half; i < 2 * half; ++i) {
        dig(alone, i);
        dig(loaded, i);
        alone.step();
        loaded.step();
        ASSERT_EQ(loaded.hash(), alone.hash()) << "step " << i;
    }
    int below = 0;
    const auto data = std::get<HeightField>(alone.model(ground)->def.shapes[0].geometry);
    const HeightGrid grid(data.data);
    for (const BodyId body : alone.body_ids()) {
        const Vec3 at = state_of(alone, body).pose.position;
        const std::optional<float> height = grid.height_at(at.x, at.y);
        below += body != ground && height && at.z < *height - 0.02f ? 1 : 0;
    }
    EXPECT_EQ(below, 0);
    EXPECT_NE(*data.data, *bowl.data);
}

} // namespace
} // namespace cairn::physics::testing
