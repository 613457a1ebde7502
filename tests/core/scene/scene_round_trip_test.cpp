// What Cairn writes, Cairn reads back: the same scene to the last bit.
#include "app/core/base/random.h"
#include "app/core/scene/scene.h"
#include "app/core/scene/values/value_reader.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace cairn::core {
namespace {

using physics::BodyDef;
using physics::Quat;
using physics::Vec3;

class SceneMaker {
  public:
    explicit SceneMaker(std::uint64_t seed) : random_(seed) {}

    Scene scene() {
        Scene scene;
        scene.name = text();
        scene.description = text();
        if (chance()) {
            scene.settings.gravity = vector(20.0f);
            scene.settings.hz = between(10.0f, 1000.0f);
            scene.settings.substeps = 1 + pick(64);
        }
        if (chance()) {
            scene.settings.sleeping = chance();
            scene.settings.continuous = chance();
            scene.settings.warm_starting = chance();
            scene.settings.contact_hertz = between(1.0f, 240.0f);
            scene.settings.contact_damping_ratio = between(0.1f, 100.0f);
            scene.settings.max_push_speed = between(0.0f, 100.0f);
            scene.settings.restitution_threshold = between(0.0f, 100.0f);
            scene.settings.linear_slop = between(0.0f, 0.1f);
            scene.settings.speculative_distance = between(0.0f, 1.0f);
            scene.settings.sleep_speed = between(0.0f, 10.0f);
            scene.settings.sleep_time = between(0.0f, 60.0f);
        }
        if (chance()) {
            scene.camera.eye = vector(100.0f) + Vec3(300.0f, 0.0f, 0.0f);
            scene.camera.target = vector(100.0f);
        }
        const int count = pick(12);
        for (int i = 0; i < count; ++i) {
            scene.bodies.push_back(body());
        }
        return scene;
    }

  private:
    int pick(int n) { return static_cast<int>(random_.bits() % static_cast<std::uint64_t>(n)); }
    bool chance() { return pick(2) == 0; }
    float between(float a, float b) { return std::min(b, a + (b - a) * random_.unit()); }
    // Over many orders of magnitude, with zeros of both signs and whole numbers among them.
    float number(float largest) {
        switch (pick(6)) {
        case 0:
            return 0.0f;
        case 1:
            return -0.0f;
        case 2:
            return std::round(largest * random_.signed_unit());
        case 3:
            return std::ldexp(random_.signed_unit(), -pick(148));
        default:
            return largest * random_.signed_unit();
        }
    }
    Vec3 vector(float largest) {
        const float x = number(largest), y = number(largest), z = number(largest);
        return {x, y, z};
    }
    Quat orientation() {
        if (chance()) {
            return physics::identity_orientation;
        }
        const float w = random_.signed_unit(), x = random_.signed_unit(), y = random_.signed_unit();
        return physics::normalized(Quat(w, x, y, chance() ? -0.0f : random_.signed_unit()));
    }
    std::string text() {
        static const char* const parts[] = {"ball", "Kügelchen", "日本",  "\"", "\\", "\n",
                                            "\t",   "\x01",      "/* */", "🎲",  " "};
        std::string result;
        for (int i = pick(4); i > 0; --i) {
            result += parts[pick(11)];
        }
        return result;
    }
    physics::Geometry geometry() {
        const auto size = [this] { return between(0.01f, 10.0f); };
        const float a = size(), b = size(), c = size();
        switch (pick(7)) {
        case 0:
            return physics::Sphere{a};
        case 1:
            return physics::Box{{a, b, c}};
        case 2:
            return physics::Capsule{a, b};
        case 3:
            return physics::Cylinder{a, b};
        case 4:
            return physics::Cone{a, b};
        case 5:
            return physics::Diamond{a};
        default:
            if (hull_ == nullptr || chance()) {
                auto points = std::make_shared<std::vector<Vec3>>();
                *points = {{a, 0, 0}, {0, b, 0}, {0, 0, c}, {-a, -b, -c}};
                for (int i = pick(30); i > 0; --i) {
                    points->push_back(vector(5.0f));
                }
                hull_ = points;
            }
            return physics::PointSet{hull_};
        }
    }
    BodyDef body() {
        BodyDef body;
        body.name = text();
        body.type = static_cast<physics::BodyType>(pick(3));
        body.pose = {vector(1000.0f), orientation()};
        if (body.type != physics::BodyType::fixed && chance()) {
            body.linear_velocity = vector(100.0f);
            body.angular_velocity = vector(100.0f);
        }
        const int shapes = chance() ? 1 : 1 + pick(4);
        for (int i = 0; i < shapes; ++i) {
            body.shapes.push_back({geometry(), {}});
            if (chance()) {
                body.shapes.back().pose = {vector(3.0f), orientation()};
            }
        }
        if (chance()) {
            body.mass = between(0.001f, 1e6f);
        } else if (chance()) {
            body.density = between(0.1f, 1e5f);
        }
        if (chance()) {
            const float a = between(0.1f, 1e3f);
            const float b = between(0.1f, 1e3f);
            body.inertia = Vec3(a, b, std::max(a, b));
        }
        if (chance()) {
            body.material = {between(0.0f, 2.0f), random_.unit(), random_.unit()};
            body.linear_damping = between(0.0f, 5.0f);
            body.angular_damping = between(0.0f, 5.0f);
            body.gravity_scale = number(3.0f);
            body.can_sleep = chance();
            body.filter.mask = chance() ? 0xffffffffu : 0x12u;
        }
        if (chance()) {
            const std::uint64_t bits = random_.bits();
            body.colour = physics::Colour{static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8),
                                          static_cast<std::uint8_t>(bits >> 16)};
        }
        return body;
    }

    Random random_;
    std::shared_ptr<const std::vector<Vec3>> hull_;
};

TEST(SceneRoundTrip, RandomScenesComeBackEqual) {
    std::size_t bodies = 0, shared = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Scene scene = SceneMaker(seed).scene();
        const std::string text = write_scene(scene);
        Scene again;
        ASSERT_NO_THROW(again = parse_scene(text, "written", ".")) << text;
        ASSERT_TRUE(again == scene) << "seed " << seed << "\n" << text;
        // Equality takes -0 for 0; the text does not.
        ASSERT_EQ(write_scene(again), text) << "seed " << seed;
        bodies += scene.bodies.size();
        shared += text.find("point_sets") != std::string::npos ? 1 : 0;
    }
    EXPECT_GT(bodies, 1000u);
    EXPECT_GT(shared, 20u);
}

TEST(SceneRoundTrip, FloatsAreShortestAndExact) {
    EXPECT_EQ(float_text(0.1f), "0.1");
    EXPECT_EQ(float_text(-9.81f), "-9.81");
    EXPECT_EQ(float_text(0.0f), "0");
    EXPECT_EQ(float_text(-0.0f), "-0.0");
    EXPECT_EQ(float_text(1e30f), "1e+30");
    Random random(7);
    int tested = 0;
    for (int i = 0; i < 20000; ++i) {
        const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random.bits()));
        if (!std::isfinite(value)) {
            continue;
        }
        const std::string text = float_text(value);
        float back = 0.0f;
        std::from_chars(text.data(), text.data() + text.size(), back);
        ASSERT_EQ(std::bit_cast<std::uint32_t>(back), std::bit_cast<std::uint32_t>(value)) << text;
        ++tested;
    }
    EXPECT_GT(tested, 19000);
}

// Decimals that fall on the wrong side when they go through double precision first: the classic double rounding.
TEST(SceneRoundTrip, NumbersAreRoundedOnce) {
    const char* const decimals[] = {"1.00000005960464477540",
                                    "1.00000017881393432617187499",
                                    "16777217.0000001",
                                    "16777217",
                                    "0.1",
                                    "3.4028234663852886e38",
                                    "1e-45"};
    for (const char* decimal : decimals) {
        float expected = 0.0f;
        std::from_chars(decimal, decimal + std::string_view(decimal).size(), expected);
        const std::string text = std::string(R"({"cairn": 1, "bodies": [{"shape": {"hull": {"points": [[0,0,0],[1,0,0],
            [0,1,0],[0,0,1]]}}, "gravity_scale": )") +
                                 decimal + "}]}";
        if (std::abs(expected) > 1000.0f) {
            continue; // out of the range of every member; the sizes below cover it
        }
        EXPECT_EQ(parse_scene(text, "t", ".").bodies.at(0).gravity_scale, expected) << decimal;
    }
}

TEST(SceneRoundTrip, DefaultsAreLeftOut) {
    EXPECT_EQ(write_scene({}), "{\n  \"cairn\": 1,\n  \"bodies\": []\n}\n");
    Scene scene;
    scene.name = "One";
    scene.bodies.emplace_back();
    scene.bodies[0].shapes.push_back({physics::Sphere{0.5f}, {}});
    EXPECT_EQ(write_scene(scene), "{\n  \"cairn\": 1,\n  \"name\": \"One\",\n  \"bodies\": [\n"
                                  "    {\"shape\": {\"sphere\": {\"radius\": 0.5}}}\n  ]\n}\n");
}

TEST(SceneRoundTrip, LinesStayReadable) {
    const std::string text = write_scene(SceneMaker(3).scene());
    std::size_t longest = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        longest = std::max(longest, end - begin);
        begin = end + 1;
    }
    EXPECT_LE(longest, 160u);
}

TEST(SceneRoundTrip, SharedHullsStayShared) {
    auto points =
        std::make_shared<const std::vector<Vec3>>(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    Scene scene;
    for (int i = 0; i < 3; ++i) {
        scene.bodies.emplace_back().shapes.push_back({physics::PointSet{points}, {}});
    }
    const Scene again = parse_scene(write_scene(scene), "t", ".");
    const auto set = [&](std::size_t i) {
        return std::get<physics::PointSet>(again.bodies[i].shapes[0].geometry).points;
    };
    EXPECT_EQ(set(0), set(1));
    EXPECT_EQ(set(0), set(2));
    EXPECT_TRUE(again == scene);
}

TEST(SceneRoundTrip, MeshesComeBack) {
    Scene scene;
    for (const bool two_sided : {false, true}) {
        BodyDef& body = scene.bodies.emplace_back();
        body.type = physics::BodyType::fixed;
        body.shapes.push_back(
            {physics::Mesh{std::make_shared<const physics::MeshData>(physics::MeshData{
                 {{0, 0, 0.1f}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0.3f}}, {{0, 1, 2}, {1, 3, 2}}, two_sided})},
             {}});
    }
    EXPECT_TRUE(parse_scene(write_scene(scene), "t", ".") == scene);
}

TEST(SceneRoundTrip, HeightFieldsComeBack) {
    Scene scene;
    for (const std::vector<std::uint64_t>& holes :
         {std::vector<std::uint64_t>{}, std::vector<std::uint64_t>{0b010001}}) {
        BodyDef& body = scene.bodies.emplace_back();
        body.type = physics::BodyType::fixed;
        body.shapes.push_back({physics::HeightField{std::make_shared<const physics::HeightData>(
                                   physics::HeightData{3, 3, 0.7f, {0, 0.1f, 2, 3, -4, 5, 6, 7, 1e-7f}, holes})},
                               {}});
    }
    EXPECT_TRUE(parse_scene(write_scene(scene), "t", ".") == scene);
}

TEST(SceneRoundTrip, WhatCannotBeWrittenIsRejected) {
    Scene scene;
    scene.settings.gravity.x = std::numeric_limits<float>::quiet_NaN();
    EXPECT_ANY_THROW(write_scene(scene));
    scene = {};
    scene.name = "\xC0\x80";
    EXPECT_ANY_THROW(write_scene(scene));
}

} // namespace
} // namespace cairn::core
