// A world that is loaded from its image goes on with the same bits, and an image that cannot be is rejected.
#include "physics/world/state_image.h"

#include "app/core/scene/scene.h"
#include "tests/core/capture/test_scenes.h"
#include "tests/sanitized.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <random>
#include <type_traits>

namespace cairn::core {
namespace {

using namespace physics;

std::vector<std::filesystem::path> all_scenes() {
    std::vector<std::filesystem::path> scenes;
    for (const auto& entry : std::filesystem::directory_iterator(data_folder() / "scenes")) {
        if (entry.path().extension() == ".json" && entry.path().filename() != "scene.schema.json") {
            scenes.push_back(entry.path());
        }
    }
    std::sort(scenes.begin(), scenes.end());
    return scenes;
}

std::string test_name(const ::testing::TestParamInfo<std::filesystem::path>& info) {
    return info.param.stem().string();
}

class StateImageOf : public ::testing::TestWithParam<std::filesystem::path> {};

// Loads the image into another world and takes both on; the steps after which the hashes differ, 0 = none.
int first_difference(World& world, const Scene& scene, int steps) {
    World other = make_world(scene);
    const std::string problem = other.load(world.image());
    EXPECT_EQ(problem, "");
    EXPECT_EQ(other.hash(), world.hash()) << "at step " << world.step_count();
    EXPECT_EQ(other.digest(), world.digest()) << "at step " << world.step_count();
    for (int i = 1; i <= steps; ++i) {
        world.step();
        other.step();
        if (world.hash() != other.hash()) {
            return i;
        }
    }
    return 0;
}

TEST_P(StateImageOf, GoesOnWithTheSameBits) {
    const Scene scene = read_scene(GetParam());
    World world = make_world(scene);
    constexpr int rounds = sanitized ? 4 : 12;
    for (int round = 0; round < rounds; ++round) {
        const std::uint64_t from = world.step_count();
        ASSERT_EQ(first_difference(world, scene, 37), 0) << "loaded at step " << from;
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, StateImageOf, ::testing::ValuesIn(all_scenes()), test_name);

// Bodies come and go, are pushed, put elsewhere, held and changed; slots and generations are used again.
TEST(StateImage, GoesOnAfterAnyCommands) {
    const Scene scene = read_scene(data_folder() / "scenes" / "sandbox.json");
    World world = make_world(scene);
    std::mt19937 random(3);
    const auto number = [&](float low, float high) {
        return low + (high - low) * (static_cast<float>(random() >> 8) / 16777216.0f);
    };
    constexpr int rounds = sanitized ? 15 : 60;
    for (int round = 0; round < rounds; ++round) {
        const std::vector<BodyId> bodies = world.body_ids();
        for (int i = 0; i < 4; ++i) {
            const BodyId one = bodies[random() % bodies.size()];
            const BodyId other = bodies[random() % bodies.size()];
            switch (random() % 7) {
            case 0:
                world.apply(DestroyBody{one});
                break;
            case 1: {
                BodyDef box;
                box.name = "new " + std::to_string(round);
                const float x = number(-4.0f, 4.0f);
                box.pose.position = {x, number(-4.0f, 4.0f), 5.0f};
                box.shapes = {{Box{{0.3f, 0.2f, 0.4f}}, {}}, {Sphere{0.3f}, {{0.4f, 0.0f, 0.0f}, {}}}};
                world.apply(CreateBody{box});
                break;
            }
            case 2:
                world.apply(ApplyImpulse{one, {number(-3e3f, 3e3f), 0.0f, number(0.0f, 5e3f)}, std::nullopt});
                break;
            case 3: {
                SetBody change;
                change.body = one;
                change.mass = number(10.0f, 2000.0f);
                change.friction = number(0.0f, 1.0f);
                world.apply(change);
                break;
            }
            case 4: {
                Grab grab;
                grab.body = one;
                grab.target = {0.0f, 0.0f, 4.0f};
                world.apply(grab);
                break;
            }
            case 5: {
                JointDef joint;
                joint.body_a = one;
                joint.body_b = other;
                joint.frame_a.position = {0.5f, 0.0f, 0.0f};
                joint.frame_b.position = {-0.5f, 0.0f, 0.0f};
                world.apply(CreateJoint{joint});
                break;
            }
            default: {
                Settings settings = world.settings();
                settings.sleeping = random() % 3 != 0;
                world.apply(SetSettings{settings});
                break;
            }
            }
        }
        world.step();
        const std::uint64_t from = world.step_count();
        ASSERT_EQ(first_difference(world, scene, static_cast<int>(random() % 30)), 0) << "loaded at step " << from;
    }
}

TEST(StateImage, RejectsWhatCannotBe) {
    const Scene scene = read_scene(data_folder() / "scenes" / "bridge.json");
    World world = make_world(scene);
    for (int i = 0; i < 40; ++i) {
        world.step();
    }
    const StateImage good = world.image();
    ASSERT_FALSE(good.pairs.shape_a.empty());
    ASSERT_FALSE(good.joint_defs.empty());
    const std::vector<std::pair<const char*, std::function<void(StateImage&)>>> damages = {
        {"kind", [](StateImage& i) { i.bodies.kind[0] = 100000; }},
        {"freed", [](StateImage& i) { i.bodies.kind[3] = StateImage::none; }},
        {"length", [](StateImage& i) { i.bodies.lift.pop_back(); }},
        {"number", [](StateImage& i) { i.bodies.position[2].x = std::numeric_limits<float>::quiet_NaN(); }},
        {"far", [](StateImage& i) { i.bodies.position[2].x = 1e30f; }},
        {"orientation", [](StateImage& i) { i.bodies.orientation[2] = Quat(2, 0, 0, 0); }},
        {"shape", [](StateImage& i) { i.bodies.first_shape[1] = 0; }},
        {"bounds", [](StateImage& i) { std::swap(i.shapes.reach[1].lower, i.shapes.reach[1].upper); }},
        {"free", [](StateImage& i) { i.free_bodies.push_back(0); }},
        {"order", [](StateImage& i) { std::swap(i.pairs.shape_a.front(), i.pairs.shape_b.front()); }},
        {"place", [](StateImage& i) { i.pairs.place_a[0] = 1000; }},
        {"points", [](StateImage& i) { i.pairs.points[0] = 9; }},
        {"joint", [](StateImage& i) { i.joint_defs[0].body_b.index = 9999; }},
        {"joint place", [](StateImage& i) { i.joints.place_b[0] = 77; }},
        {"settings", [](StateImage& i) { i.settings.hz = 0.0f; }},
        {"load",
         [](StateImage& i) {
             i.column_pairs.push_back(1u << 30);
             i.column_levels.push_back(1);
         }},
    };
    const std::uint64_t hash = world.hash();
    for (const auto& [what, damage] : damages) {
        StateImage bad = good;
        damage(bad);
        EXPECT_NE(world.load(bad), "") << what;
        EXPECT_EQ(world.hash(), hash) << what;
    }
    EXPECT_EQ(world.load(good), "");
    EXPECT_EQ(world.hash(), hash);
}

// Any bits anywhere: rejected with a reason, or a world that can be stepped.
TEST(StateImage, AnyDamageIsRejectedOrStepped) {
    const Scene scene = read_scene(data_folder() / "scenes" / "bridge.json");
    World world = make_world(scene);
    for (int i = 0; i < 60; ++i) {
        world.step();
    }
    const StateImage good = world.image();
    std::mt19937 random(11);
    int rejected = 0, stepped = 0;
    for (int round = 0; round < 1500; ++round) {
        StateImage bad = good;
        const auto chosen = random() % 72;
        std::uint32_t column_number = 0;
        for_each_column(bad, [&](const char*, auto& column) {
            if (column_number++ == chosen && !column.empty()) {
                using Element = std::remove_reference_t<decltype(column[0])>;
                auto* bytes = reinterpret_cast<unsigned char*>(&column[random() % column.size()]);
                for (int i = 0; i < 2; ++i) {
                    bytes[random() % sizeof(Element)] = static_cast<unsigned char>(random());
                }
            }
        });
        World other = make_world(scene);
        if (!other.load(bad).empty()) {
            ++rejected;
            continue;
        }
        ++stepped;
        other.step();
        other.step();
    }
    EXPECT_GT(rejected, 100);
    EXPECT_GT(stepped, 100);
}

} // namespace
} // namespace cairn::core
