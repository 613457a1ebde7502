#include "app/core/base/error.h"
#include "app/core/export/gltf.h"
#include "app/core/scene/show/camera_path.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <functional>

namespace cairn::core {
namespace {

using namespace cairn::physics;
using Json = nlohmann::json;

GltfRun run_of(World& world, int steps, const std::function<void(int)>& before) {
    MotionTracks tracks(0.001f);
    FrameState frame;
    world.publish(frame);
    tracks.add(frame);
    for (int step = 1; step <= steps; ++step) {
        before(step);
        world.step();
        world.publish(frame);
        tracks.add(frame);
    }
    return {"a run", {}, tracks.first_time(), tracks.last_time(), tracks.finish()};
}

std::vector<float> floats(const Json& json, const std::string& data, const Json& index) {
    const Json& accessor = json.at("accessors").at(index.get<std::size_t>());
    const Json& view = json.at("bufferViews").at(accessor.at("bufferView").get<std::size_t>());
    std::vector<float> out(view.at("byteLength").get<std::size_t>() / 4);
    std::memcpy(out.data(), data.data() + view.at("byteOffset").get<std::size_t>(), out.size() * 4);
    return out;
}

TEST(Gltf, BodiesThatComeAndGoAreScaledToNothing) {
    World world = make_world(read_scene(find_scene("duel")));
    FrameState start;
    world.publish(start);
    const GltfRun run = run_of(world, 9, [&](int step) {
        if (step == 4) {
            ASSERT_TRUE(world.apply(DestroyBody{start.bodies.at(0).id}).ok());
        } else if (step == 7) {
            BodyDef def;
            def.name = "newcomer";
            def.shapes.push_back({Sphere{}, {}});
            def.pose.position = Vec3(0, 0, 90);
            ASSERT_TRUE(world.apply(CreateBody{def}).ok());
        }
    });
    const std::string bytes = glb_of(run);
    std::uint32_t text = 0;
    std::memcpy(&text, bytes.data() + 12, 4);
    const Json json = Json::parse(bytes.substr(20, text));
    const std::string data = bytes.substr(28 + text);
    std::size_t scaled = 0;
    const float dt = 1.0f / static_cast<float>(world.settings().hz);
    for (const Json& channel : json.at("animations").at(0).at("channels")) {
        if (channel.at("target").at("path") != "scale") {
            continue;
        }
        ++scaled;
        const Json& sampler = json.at("animations").at(0).at("samplers").at(channel.at("sampler").get<std::size_t>());
        EXPECT_EQ(sampler.at("interpolation"), "STEP");
        const std::vector<float> times = floats(json, data, sampler.at("input"));
        const std::vector<float> scales = floats(json, data, sampler.at("output"));
        ASSERT_EQ(times.size(), 2u);
        const bool newcomer =
            json.at("nodes").at(channel.at("target").at("node").get<std::size_t>()).at("name") == "newcomer";
        EXPECT_EQ(times[0], 0.0f);
        EXPECT_EQ(scales[0], newcomer ? 0.0f : 1.0f);
        EXPECT_EQ(scales[3], newcomer ? 1.0f : 0.0f);
        EXPECT_NEAR(times[1], (newcomer ? 7.0f : 3.0f) * dt, 1e-5f);
    }
    EXPECT_EQ(scaled, 2u);
}

// Of the channels that move the camera, the output of the one of that name.
std::vector<float> camera_channel(const GltfRun& run, const std::string& path) {
    const std::string bytes = glb_of(run);
    std::uint32_t text = 0;
    std::memcpy(&text, bytes.data() + 12, 4);
    const Json json = Json::parse(bytes.substr(20, text));
    if (!json.contains("animations")) {
        return {};
    }
    for (const Json& channel : json.at("animations").at(0).at("channels")) {
        const Json& target = channel.at("target");
        if (json.at("nodes").at(target.at("node").get<std::size_t>()).at("name") == "Camera" &&
            target.at("path") == path) {
            const Json& sampler =
                json.at("animations").at(0).at("samplers").at(channel.at("sampler").get<std::size_t>());
            return floats(json, bytes.substr(28 + text), sampler.at("output"));
        }
    }
    return {};
}

TEST(Gltf, CameraGoesAlongThePathOfTheScene) {
    World world = make_world(read_scene(find_scene("duel")));
    GltfRun run = run_of(world, 60, [](int) {});
    EXPECT_TRUE(camera_channel(run, "translation").empty()) << "it stands still";
    run.path = {{0.0f, {0, -10, 2}, {0, 0, 2}}, {0.5f, {10, 0, 2}, {0, 0, 2}}, {0.75f, {0, 10, 4}, {0, 0, 2}}};
    const std::vector<float> places = camera_channel(run, "translation"), turns = camera_channel(run, "rotation");
    ASSERT_EQ(places.size(), 3u * 31u);
    ASSERT_EQ(turns.size(), 4u * 31u);
    for (std::size_t i = 0; i <= 30; ++i) {
        const CameraKey pose = camera_at(run.path, run.first + (run.last - run.first) * static_cast<double>(i) / 30.0);
        EXPECT_NEAR(places[3 * i], pose.eye.x, 1e-5f);
        EXPECT_NEAR(places[3 * i + 1], pose.eye.y, 1e-5f);
        const Quat turn(turns[4 * i + 3], turns[4 * i], turns[4 * i + 1], turns[4 * i + 2]);
        const Vec3 ahead = rotate(turn, Vec3(0, 0, -1)), wanted = glm::normalize(pose.target - pose.eye);
        EXPECT_NEAR(glm::length(ahead - wanted), 0.0f, 1e-4f) << i;
        if (i > 0) {
            const Quat before(turns[4 * i - 1], turns[4 * i - 4], turns[4 * i - 3], turns[4 * i - 2]);
            EXPECT_GT(glm::dot(turn, before), 0.0f) << "the short way round";
        }
    }
}

TEST(Gltf, EqualShapesAreWrittenOnce) {
    World world = make_world(read_scene(find_scene("pyramid")));
    const GltfRun run = run_of(world, 2, [](int) {});
    const Json json = Json::parse(gltf_of(run));
    std::vector<Json> positions;
    for (const Json& mesh : json.at("meshes")) {
        const Json& at = mesh.at("primitives").at(0).at("attributes").at("POSITION");
        if (std::find(positions.begin(), positions.end(), at) == positions.end()) {
            positions.push_back(at);
        }
    }
    EXPECT_EQ(positions.size(), 2u);          // the ground's box and that of the bricks
    EXPECT_LE(json.at("meshes").size(), 41u); // by colour: eight hues in five shades, and the ground's
}

TEST(Gltf, OwnColoursAreMaterialsOfTheirOwn) {
    Scene scene = read_scene(find_scene("tower"));
    const auto moving = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                     [](const BodyDef& body) { return body.type == BodyType::dynamic; });
    ASSERT_NE(moving, scene.bodies.end());
    moving->colour = Colour{255, 0, 128};
    World world = make_world(scene);
    const Json json = Json::parse(gltf_of(run_of(world, 1, [](int) {})));
    std::size_t found = 0;
    for (const Json& material : json.at("materials")) {
        if (material.at("name") == "colour #ff0080") {
            ++found;
            const Json& rgb = material.at("pbrMetallicRoughness").at("baseColorFactor");
            EXPECT_NEAR(rgb.at(0).get<float>(), 1.0f, 1e-6f);
            EXPECT_NEAR(rgb.at(1).get<float>(), 0.0f, 1e-6f);
            EXPECT_NEAR(rgb.at(2).get<float>(), 0.21586f, 1e-4f) << "linear";
        }
    }
    EXPECT_EQ(found, 1u);
}

// The text form holds its data in itself; both forms hold the same.
TEST(Gltf, TextAndBinaryAreTheSame) {
    World world = make_world(read_scene(find_scene("tower")));
    const GltfRun run = run_of(world, 5, [](int) {});
    const std::string bytes = glb_of(run);
    std::uint32_t text = 0;
    std::memcpy(&text, bytes.data() + 12, 4);
    const std::string data = bytes.substr(28 + text);
    const Json json = Json::parse(gltf_of(run));
    const std::string uri = json.at("buffers").at(0).at("uri"), head = "data:application/octet-stream;base64,";
    ASSERT_EQ(uri.substr(0, head.size()), head);
    std::string decoded;
    std::uint32_t group = 0;
    int bits = 0;
    for (const char c : uri.substr(head.size())) {
        const auto digit = std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").find(c);
        if (digit == std::string_view::npos) {
            ASSERT_EQ(c, '=');
            break;
        }
        group = group << 6 | static_cast<std::uint32_t>(digit);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            decoded += static_cast<char>(group >> bits & 0xff);
        }
    }
    EXPECT_TRUE(decoded == data);
}

TEST(Gltf, WallsStandAndGroundsLie) {
    Scene scene;
    const auto add = [&](const Vec3& half, const Vec3& position) {
        BodyDef& body = scene.bodies.emplace_back();
        body.type = BodyType::fixed;
        body.shapes.push_back({Box{half}, {}});
        body.pose.position = position;
    };
    add(Vec3(10, 10, 0.5f), Vec3(0));
    add(Vec3(0.2f, 4, 2), Vec3(10, 0, 3));
    add(Vec3(0.2f, 3, 2), Vec3(-10, 0, 3)); // no longer than what plays in front of it
    add(Vec3(0.5f), Vec3(0, 0, 1));
    World world = make_world(scene);
    const Json json = Json::parse(gltf_of(run_of(world, 1, [](int) {})));
    std::vector<std::string> names;
    for (const Json& material : json.at("materials")) {
        names.push_back(material.at("name"));
    }
    EXPECT_EQ(names, (std::vector<std::string>{"ground", "wall", "fixed"}));
}

TEST(Gltf, AnEmptyWorldIsAFileToo) {
    World world = make_world(Scene{});
    const Json json = Json::parse(gltf_of(run_of(world, 1, [](int) {})));
    EXPECT_FALSE(json.contains("meshes"));
    EXPECT_FALSE(json.contains("animations"));
}

} // namespace
} // namespace cairn::core
