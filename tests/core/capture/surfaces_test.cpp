// A mesh or a height field stands in a capture once, whatever brings it and however often.
#include "app/core/base/error.h"
#include "app/core/capture/capture.h"
#include "app/core/capture/format/frames.h"
#include "app/core/capture/records/command_records.h"
#include "app/core/capture/records/surface_records.h"
#include "app/core/capture/verify/repair.h"
#include "tests/core/capture/test_scenes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace cairn::core {
namespace {

using namespace physics;
using core::testing::TemporaryFolder;
using ::testing::HasSubstr;

// Rough ground of 2 side^2 triangles, always the same and each time another object.
Mesh rough_mesh(std::uint32_t side, float height = 1.0f) {
    auto data = std::make_shared<MeshData>();
    for (std::uint32_t j = 0; j <= side; ++j) {
        for (std::uint32_t i = 0; i <= side; ++i) {
            const auto x = static_cast<float>(i), y = static_cast<float>(j);
            data->vertices.emplace_back(x, y, height * std::sin(12.9898f * x + 78.233f * y));
        }
    }
    for (std::uint32_t j = 0; j < side; ++j) {
        for (std::uint32_t i = 0; i < side; ++i) {
            const std::uint32_t a = j * (side + 1) + i, c = a + side + 2;
            data->triangles.push_back({a, a + 1, c});
            data->triangles.push_back({a, c, c - 1});
        }
    }
    return {std::move(data)};
}

BodyDef fixed_body(Geometry geometry) {
    BodyDef def;
    def.type = BodyType::fixed;
    def.shapes.push_back({std::move(geometry), {}});
    return def;
}

// Runs the world itself and records what it did, with a state every so many steps.
template <typename CommandsOf>
void record_run(const std::filesystem::path& path, const Scene& scene, int steps, CommandsOf&& commands_of) {
    World world = make_world(scene);
    CaptureWriter writer(path, scene, world.hash());
    for (int i = 1; i <= steps; ++i) {
        CaptureStep step;
        step.step = static_cast<std::uint64_t>(i);
        for (const Command& command : std::vector<Command>(commands_of(world, i))) {
            step.commands.push_back(command);
            const CommandResult result = world.apply(command);
            EXPECT_TRUE(result.ok()) << result.error;
        }
        world.step();
        step.hash = world.hash();
        writer.add(step);
        if (i % 5 == 0) {
            writer.add_keyframe(world.image());
        }
    }
    writer.finish();
}

std::vector<Command> spawn(const Mesh& mesh, int step) {
    BodyDef def = fixed_body(mesh);
    def.pose.position.z = -10.0f * static_cast<float>(step);
    return {CreateBody{def}};
}

TEST(CaptureSurfaces, FiftySpawnsOfAMeshAreAboutAsLargeAsOne) {
    const TemporaryFolder folder;
    const std::uint32_t side = 224; // 100,352 triangles
    record_run(folder / "one.cairn", testing::falling_boxes(), 50,
               [&](World&, int step) { return step == 1 ? spawn(rough_mesh(side), step) : std::vector<Command>(); });
    record_run(folder / "fifty.cairn", testing::falling_boxes(), 50,
               [&](World&, int step) { return spawn(rough_mesh(side), step); });
    const auto one = static_cast<double>(std::filesystem::file_size(folder / "one.cairn"));
    const auto fifty = static_cast<double>(std::filesystem::file_size(folder / "fifty.cairn"));
    EXPECT_GT(one, 200e3);
    EXPECT_LT(fifty, 1.05 * one);

    const Capture capture = read_capture(folder / "fifty.cairn");
    EXPECT_FALSE(verify_capture(capture));
    std::set<const MeshData*> copies;
    for (const CaptureStep& step : capture.steps) {
        EXPECT_LT(step.commands.bytes().size(), 1000u);
        for (const Command& command : step.commands) {
            copies.insert(std::get<Mesh>(std::get<CreateBody>(command).body.shapes.at(0).geometry).data.get());
        }
    }
    EXPECT_EQ(copies.size(), 1u);
    // From a keyframe, too.
    ASSERT_EQ(capture.keyframes.size(), 10u);
    EXPECT_EQ(world_at(capture, 43).hash(), capture.steps[42].hash);
}

TEST(CaptureSurfaces, WhateverBringsThem) {
    const TemporaryFolder folder;
    const std::uint32_t side = 60;
    Scene scene = testing::falling_boxes();
    scene.bodies.push_back(fixed_body(rough_mesh(side)));
    record_run(folder / "scene.cairn", scene, 10, [](World&, int) { return std::vector<Command>(); });
    scene.bodies.push_back(fixed_body(rough_mesh(side)));
    record_run(folder / "all.cairn", scene, 10, [&](World& world, int step) -> std::vector<Command> {
        switch (step) {
        case 2:
            return spawn(rough_mesh(side), 2);
        case 3:
            return {CreateBodies{{fixed_body(rough_mesh(side)), fixed_body(rough_mesh(side))}, {}, {}}};
        case 4:
            return {AddShape{world.body_ids().back(), {rough_mesh(side), {}}, {}}};
        default:
            return {};
        }
    });
    const auto plain = static_cast<double>(std::filesystem::file_size(folder / "scene.cairn"));
    EXPECT_LT(static_cast<double>(std::filesystem::file_size(folder / "all.cairn")), 1.1 * plain);
    const Capture capture = read_capture(folder / "all.cairn");
    EXPECT_TRUE(capture.header.scene == scene);
    EXPECT_FALSE(verify_capture(capture));
    EXPECT_EQ(world_at(capture, 7).hash(), capture.steps[6].hash);
}

TEST(CaptureSurfaces, FieldsThatDoNotChangeAreNotWrittenAgain) {
    const TemporaryFolder folder;
    auto data = std::make_shared<HeightData>();
    data->columns = data->rows = 200;
    for (int i = 0; i < 200 * 200; ++i) {
        data->heights.push_back(std::sin(12.9898f * static_cast<float>(i)));
    }
    Scene scene = testing::falling_boxes();
    scene.bodies.push_back(fixed_body(HeightField{data}));
    const auto stroke_at = [](int when) {
        return [when](World& world, int step) -> std::vector<Command> {
            if (step != when) {
                return {};
            }
            return {SetHeights{world.body_ids().back(), 0, {5, 6, 2, 2}, {1, 2, 3, 4}}};
        };
    };
    record_run(folder / "late.cairn", scene, 60, stroke_at(57));
    record_run(folder / "early.cairn", scene, 60, stroke_at(2));
    const auto late = static_cast<double>(std::filesystem::file_size(folder / "late.cairn"));
    EXPECT_LT(static_cast<double>(std::filesystem::file_size(folder / "early.cairn")), 1.1 * late);
    const Capture capture = read_capture(folder / "early.cairn");
    EXPECT_FALSE(verify_capture(capture));
    EXPECT_EQ(world_at(capture, 33).hash(), capture.steps[32].hash);
}

TEST(CaptureSurfaces, OfFieldsOnlyTheBlocksThatChangeAreWrittenAgain) {
    const TemporaryFolder folder;
    auto data = std::make_shared<HeightData>();
    data->columns = data->rows = 500;
    data->spacing = 0.1f;
    for (int i = 0; i < 500 * 500; ++i) {
        data->heights.push_back(std::sin(12.9898f * static_cast<float>(i)));
    }
    Scene scene = testing::falling_boxes();
    scene.bodies.push_back(fixed_body(HeightField{data}));
    // A stroke in each of sixty steps, twelve of which are written as a whole.
    record_run(folder / "strokes.cairn", scene, 60, [](World& world, int step) -> std::vector<Command> {
        const auto at = static_cast<std::uint32_t>(3 * step);
        return {SetHeights{world.body_ids().back(), 0, {at, at, 2, 2}, {1, 2, 3, 4}}};
    });
    record_run(folder / "none.cairn", scene, 60, [](World&, int) { return std::vector<Command>(); });
    const auto none = static_cast<double>(std::filesystem::file_size(folder / "none.cairn"));
    EXPECT_LT(static_cast<double>(std::filesystem::file_size(folder / "strokes.cairn")), 2.0 * none);
    const Capture capture = read_capture(folder / "strokes.cairn");
    ASSERT_EQ(capture.keyframes.size(), 12u);
    EXPECT_FALSE(verify_capture(capture));
    for (const std::uint64_t step : {4, 33, 60}) {
        EXPECT_EQ(world_at(capture, step).hash(), capture.steps[step - 1].hash) << step;
    }
    // A field that a command brings.
    BodyDef other = fixed_body(HeightField{std::make_shared<const HeightData>(*data)});
    record_run(folder / "command.cairn", testing::falling_boxes(), 20,
               [&](World& world, int step) -> std::vector<Command> {
                   if (step == 2) {
                       return {CreateBody{other}};
                   }
                   if (step == 7 || step == 13) {
                       return {SetHeights{world.body_ids().back(), 0, {9, 9, 1, 2}, {5.0f, 6.0f}}};
                   }
                   return {};
               });
    const Capture second = read_capture(folder / "command.cairn");
    EXPECT_FALSE(verify_capture(second));
    EXPECT_EQ(world_at(second, 18).hash(), second.steps[17].hash);
    EXPECT_LT(static_cast<double>(std::filesystem::file_size(folder / "command.cairn")), 1.5 * none);
}

// As captures were before: commands with their meshes in place.
TEST(CaptureSurfaces, CommandsWithAMeshInPlaceAreTheSameCommands) {
    const std::vector<Command> commands{CreateBody{fixed_body(rough_mesh(10))}, ApplyImpulse{{1, 0}, {1, 2, 3}, {}},
                                        AddShape{{1, 0}, {rough_mesh(10), {}}, {}}};
    CborWriter out;
    for (const Command& command : commands) {
        encode(out, command);
    }
    const CommandList list(commands);
    EXPECT_LT(10 * list.bytes().size(), out.bytes().size());
    CborReader in(out.bytes());
    CommandList taken;
    taken.take(in, commands.size());
    EXPECT_TRUE(in.at_end());
    EXPECT_TRUE(taken == list);
    EXPECT_TRUE(std::equal(taken.begin(), taken.end(), commands.begin()));
    EXPECT_EQ(taken.surfaces().all().size(), 1u);
}

std::string surface_refusal(const std::filesystem::path& path) {
    try {
        read_capture(path);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(CaptureSurfaces, WhatIsMissingOrAnotherOneIsDamage) {
    const TemporaryFolder folder;
    record_run(folder / "a.cairn", testing::falling_boxes(), 3,
               [](World&, int step) { return step == 2 ? spawn(rough_mesh(10), step) : std::vector<Command>(); });
    // The frames of the file, of which the one with the mesh is left out, or holds another mesh.
    for (const bool left_out : {true, false}) {
        FrameReader frames(folder / "a.cairn");
        FrameWriter changed(folder / "b.cairn");
        std::vector<std::uint8_t> whole;
        int surfaces = 0;
        while (frames.next([&](std::span<const std::uint8_t> content, std::uint64_t) -> std::size_t {
            whole.assign(content.begin(), content.end());
            return 0;
        })) {
            CborReader in(whole);
            in.array(2);
            if (in.text() != "surface") {
                changed.write(whole);
                continue;
            }
            ++surfaces;
            SurfaceRecord record;
            decode(in, record);
            record.content = rough_mesh(10, 2.0f);
            CborWriter out;
            out.array(2);
            out.text("surface");
            encode(out, record);
            if (!left_out) {
                changed.write(out.bytes());
            }
        }
        changed.close();
        EXPECT_EQ(surfaces, 1);
        EXPECT_THAT(
            surface_refusal(folder / "b.cairn"),
            HasSubstr(left_out ? "there is no surface of this name" : "the surface here is not the one of its name"));
    }
    EXPECT_EQ(surface_refusal(folder / "a.cairn"), "accepted");
}

TEST(CaptureSurfaces, ACutFileIsRepairedWithThem) {
    const TemporaryFolder folder;
    record_run(folder / "a.cairn", testing::falling_boxes(), 200,
               [](World&, int step) { return step % 70 == 2 ? spawn(rough_mesh(10), step) : std::vector<Command>(); });
    std::filesystem::resize_file(folder / "a.cairn", std::filesystem::file_size(folder / "a.cairn") - 100);
    const Repair repaired = repair(folder / "a.cairn", folder / "b.cairn");
    EXPECT_TRUE(repaired.incomplete);
    const Capture capture = read_capture(folder / "b.cairn");
    EXPECT_EQ(capture.steps.size(), repaired.steps);
    EXPECT_GT(repaired.steps, 100u);
    EXPECT_FALSE(verify_capture(capture));
}

} // namespace
} // namespace cairn::core
