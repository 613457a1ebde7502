// Includes, repeats, meshes and the meaning of members.
#include "app/core/base/error.h"
#include "app/core/scene/scene.h"
#include "app/core/scene/shapes/mesh_points.h"
#include "physics/geometry/shape.h"
#include "tests/core/temporary_folder.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::core {
namespace {

using testing::TemporaryFolder;

using physics::Vec3;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Scene parsed(const std::string& text, const std::filesystem::path& folder = ".") {
    return parse_scene(text, "scene.json", folder);
}

template <typename Function>
std::string error_thrown_by(const Function& function) {
    try {
        function();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

const std::string ball_text = R"("shape": {"sphere": {"radius": 1}})";

TEST(SceneMeaning, EveryMemberArrives) {
    const Scene scene = parsed(R"({
  "cairn": 1, "$schema": "scene.schema.json", "name": "All", "description": "Every member", // comment
  "gravity": [1, 2, -3], "step": {"hz": 120, "substeps": 8, "max_substeps": 20, "max_short_steps": 2},
  "solver": {"sleeping": false, "continuous": false, "warm_starting": false, "contact_hertz": 20,
             "contact_damping_ratio": 5, "max_push_speed": 2, "restitution_threshold": 0.5, "joint_hertz": 70,
             "joint_damping_ratio": 3, "linear_slop": 0.01,
             "speculative_distance": 0.03, "sleep_speed": 0.1, "sleep_time": 1},
  "camera": {"eye": [1, 2, 3], "target": [4, 5, 6]},
  "bodies": [{"name": "b", "type": "kinematic", "shape": {"capsule": {"radius": 0.25, "half_height": 0.75}},
    "position": [1, 2, 3], "orientation": [0, 0, 2, 0], "linear_velocity": [4, 5, 6], "angular_velocity": [7, 8, 9],
    "mass": 3, "inertia": [2, 3, 4], "friction": 0.1, "restitution": 0.2, "rolling_resistance": 0.3, "linear_damping": 0.4,
    "angular_damping": 0.5, "gravity_scale": 0.6, "can_sleep": false,
    "group": 3, "mask": [0, 31], "lock": ["z", "rx"], "colour": "#0aF0ff"},
   {"type": "static", "density": 500, "shapes": [
    {"shape": {"box": {"half_extents": [1, 2, 3]}}, "position": [1, 0, 0], "orientation": [0, 1, 0, 0]},
    {"shape": {"cylinder": {"radius": 0.5, "half_height": 1.5}}}, {"shape": {"cone": {"radius": 0.5, "height": 2}}},
    {"shape": {"diamond": {}}}, {"shape": {"hull": {"points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "scale": 2}}}]}]})");
    Scene expected;
    expected.name = "All";
    expected.description = "Every member";
    expected.settings = {{1, 2, -3}, 120, 8, 20, false, false, false, 20, 5, 2, 0.5f, 70, 3, 0.01f, 0.03f, 0.1f, 1, 2};
    expected.camera = {{1, 2, 3}, {4, 5, 6}};
    physics::BodyDef& b = expected.bodies.emplace_back();
    b.name = "b";
    b.type = physics::BodyType::kinematic;
    b.shapes = {{physics::Capsule{0.25f, 0.75f}, {}}};
    b.pose = {{1, 2, 3}, physics::Quat(0, 0, 1, 0)};
    b.linear_velocity = {4, 5, 6};
    b.angular_velocity = {7, 8, 9};
    b.mass = 3.0f;
    b.inertia = Vec3(2, 3, 4);
    b.material = {0.1f, 0.2f, 0.3f};
    b.linear_damping = 0.4f;
    b.angular_damping = 0.5f;
    b.gravity_scale = 0.6f;
    b.can_sleep = false;
    b.filter = {3, 0x80000001u};
    b.locks = 12;
    b.colour = physics::Colour{10, 240, 255};
    physics::BodyDef& c = expected.bodies.emplace_back();
    c.type = physics::BodyType::fixed;
    c.density = 500.0f;
    c.shapes = {{physics::Box{{1, 2, 3}}, {{1, 0, 0}, physics::Quat(0, 1, 0, 0)}},
                {physics::Cylinder{0.5f, 1.5f}, {}},
                {physics::Cone{0.5f, 2.0f}, {}},
                {physics::Diamond{1.0f}, {}},
                {physics::PointSet{std::make_shared<const std::vector<Vec3>>(
                     std::vector<Vec3>{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}})},
                 {}}};
    EXPECT_TRUE(scene == expected) << write_scene(scene) << write_scene(expected);
    // A new setting needs a key in the format (scene_keys.h, the schema and the document); this reminds of it.
    static_assert(sizeof(physics::Settings) == 72);
}

TEST(SceneMeaning, EachAxisOfSixIsStated) {
    const Scene scene = parsed(R"({"cairn": 1, "bodies": [{)" + ball_text + R"(}], "joints": [
        {"type": "six_dof", "b": 0, "anchor": [0, 0, 0], "axes": {"y": "free", "z": {"limits": [-1, 2]},
         "rx": {"motor": {"speed": 3, "max_force": 4}}, "ry": {"spring": {"hertz": 5, "target": 1, "max_force": 6}},
         "rz": "locked"}}]})");
    using Mode = physics::JointAxis::Mode;
    ASSERT_EQ(scene.joints.size(), 1u);
    const std::vector<physics::JointAxis>& axes = scene.joints[0].axes;
    ASSERT_EQ(axes.size(), 6u);
    EXPECT_EQ(axes[0].mode, Mode::locked);
    EXPECT_EQ(axes[1].mode, Mode::free);
    EXPECT_EQ(axes[2].mode, Mode::limited);
    EXPECT_EQ(axes[2].limits, (physics::JointLimits{-1, 2}));
    EXPECT_EQ(axes[3].mode, Mode::motor);
    EXPECT_EQ(axes[3].motor, (physics::JointMotor{3, 4}));
    EXPECT_EQ(axes[4].mode, Mode::spring);
    EXPECT_EQ(axes[4].spring, (physics::JointSpring{5, 0, 1, 6.0f}));
    EXPECT_EQ(axes[5].mode, Mode::locked);
}

TEST(SceneMeaning, JointsAreStatedInTheWorldOrInTheBodies) {
    const Scene scene = parsed(R"({"cairn": 1, "bodies": [
        {"name": "post", "type": "static", "shape": {"box": {"half_extents": [1, 1, 1]}}, "position": [1, 2, 3]},
        {"name": "wing", "shape": {"box": {"half_extents": [1, 1, 1]}}, "position": [4, 2, 3], "orientation": [0, 0, 0, 1],
         "repeat": {"count": [1, 1, 2], "spacing": [0, 0, 5]}}], "joints": [
        {"type": "hinge", "name": "h", "a": "post", "b": "wing[1]", "anchor": [2, 2, 8], "axis": [0, 0, -2],
         "limits": [-1, 2], "motor": {"speed": 3, "max_force": 4}, "spring": {"hertz": 5, "damping_ratio": 6, "target": 7},
         "collide": true},
        {"type": "distance", "b": 1, "anchor_a": [4, 2, 0]},
        {"type": "weld", "a": 0, "b": 1, "anchor_a": [1, 0, 0], "frame_b": [1, 0, 0, 0]}]})");
    ASSERT_EQ(scene.joints.size(), 3u);
    const physics::JointDef& hinge = scene.joints[0];
    EXPECT_EQ(hinge.name, "h");
    EXPECT_EQ(hinge.body_a, (physics::BodyId{0, 0}));
    EXPECT_EQ(hinge.body_b, (physics::BodyId{2, 0}));
    EXPECT_EQ(hinge.frame_a.position, Vec3(1, 0, 5));
    EXPECT_EQ(hinge.frame_b.position, Vec3(2, 0, 0));
    EXPECT_EQ(physics::rotate(hinge.frame_a.orientation, Vec3(0, 0, 1)), Vec3(0, 0, -1));
    EXPECT_EQ(hinge.limits, (physics::JointLimits{-1, 2}));
    EXPECT_EQ(hinge.motor, (physics::JointMotor{3, 4}));
    EXPECT_EQ(hinge.spring, (physics::JointSpring{5, 6, 7, {}}));
    EXPECT_TRUE(hinge.collide);
    EXPECT_FALSE(scene.joints[1].body_a);
    EXPECT_EQ(scene.joints[1].length, 3.0f);
    EXPECT_EQ(scene.joints[2].frame_b.position, Vec3(2, 0, 0));
    EXPECT_EQ(physics::rotate(scene.joints[2].frame_a.orientation, Vec3(1, 0, 0)), Vec3(-1, 0, 0));
    // As the bodies stand, every joint holds.
    physics::FrameState frame;
    make_world(scene).publish(frame);
    ASSERT_EQ(frame.joints.size(), 3u);
    EXPECT_EQ(frame.joints[0].anchor_a, frame.joints[0].anchor_b);
    EXPECT_EQ(frame.joints[0].position, 0.0f);
    EXPECT_EQ(frame.joints[2].anchor_a, frame.joints[2].anchor_b);
    // Saved from the world it is the same scene again.
    const Scene again = scene_from(frame, scene.name, scene.camera);
    EXPECT_TRUE(again == scene);
    EXPECT_TRUE(parse_scene(write_scene(scene), "again.json", ".") == scene) << write_scene(scene);
}

TEST(SceneMeaning, IncludedJointsKeepTheirBodies) {
    const TemporaryFolder folder;
    folder.write("part.json", R"({"cairn": 1, "bodies": [{"name": "x", "shape": {"sphere": {"radius": 1}}},
        {"name": "y", "shape": {"sphere": {"radius": 1}}}], "joints": [{"type": "distance", "a": 0, "b": "y"}]})");
    const Scene scene = parse_scene(R"({"cairn": 1, "include": ["part.json", "part.json"],
        "bodies": [{"name": "z", "shape": {"sphere": {"radius": 1}}}], "joints": [{"type": "distance", "a": 3, "b": "z"}]})",
                                    "s.json", folder.path());
    ASSERT_EQ(scene.joints.size(), 3u);
    EXPECT_EQ(scene.joints[0].body_b.index, 1u);
    EXPECT_EQ(scene.joints[1].body_a.index, 2u);
    EXPECT_EQ(scene.joints[1].body_b.index, 3u);
    EXPECT_EQ(scene.joints[2].body_a.index, 3u);
    EXPECT_EQ(scene.joints[2].body_b.index, 4u);
}

TEST(SceneMeaning, NothingButTheVersionIsNeeded) {
    EXPECT_TRUE(parsed("{\"cairn\": 1}") == Scene{});
}

TEST(SceneMeaning, OrientationsAreNormalisedOnlyWhereNeeded) {
    const auto orientation = [](const std::string& list) {
        return parsed("{\"cairn\": 1, \"bodies\": [{" + ball_text + ", \"orientation\": " + list + "}]}")
            .bodies.at(0)
            .pose.orientation;
    };
    EXPECT_EQ(orientation("[2, 0, 0, 0]"), physics::identity_orientation);
    EXPECT_EQ(orientation("[1e-38, 0, 0, 0]"), physics::identity_orientation);
    EXPECT_EQ(orientation("[0, 0, 3e38, 0]"), physics::Quat(0, 0, 1, 0));
    const physics::Quat q = orientation("[0.7071, 0, 0.7071, 0]");
    EXPECT_FLOAT_EQ(q.w, std::sqrt(0.5f));
    EXPECT_FLOAT_EQ(q.y, std::sqrt(0.5f));
    // Off by one unit in the last place: kept to the bit.
    EXPECT_EQ(orientation("[0.99999994, 0, 0, 0]").w, 0.99999994f);
}

TEST(SceneMeaning, NegativeZeroSurvives) {
    const Vec3 p = parsed("{\"cairn\": 1, \"bodies\": [{" + ball_text + R"(, "position": [-0, -0.0, 0]}]})")
                       .bodies.at(0)
                       .pose.position;
    EXPECT_TRUE(std::signbit(p.x));
    EXPECT_TRUE(std::signbit(p.y));
    EXPECT_FALSE(std::signbit(p.z));
}

TEST(SceneMeaning, NamesAreUtf8AndNeedNotDiffer) {
    const Scene scene =
        parsed("{\"cairn\": 1, \"name\": \"W\\u00fcrfel \\ud83c\\udfb2\", \"bodies\": [{\"name\": \"石\", " +
               ball_text + "}, {\"name\": \"石\", " + ball_text + "}]}");
    EXPECT_EQ(scene.name, "Würfel 🎲");
    EXPECT_EQ(scene.bodies.at(1).name, "石");
}

TEST(SceneRepeat, OrderIsXFastestFromThePosition) {
    const Scene scene =
        parsed("{\"cairn\": 1, \"bodies\": [{\"name\": \"b\", " + ball_text +
               R"(, "position": [10, 20, 30], "repeat": {"count": [2, 3, 4], "spacing": [1, -2, 3]}}]})");
    ASSERT_EQ(scene.bodies.size(), 24u);
    for (std::size_t i = 0; i < 24; ++i) {
        const Vec3 cell(static_cast<float>(i % 2), static_cast<float>(i / 2 % 3), static_cast<float>(i / 6));
        EXPECT_EQ(scene.bodies[i].pose.position, Vec3(10, 20, 30) + cell * Vec3(1, -2, 3));
        EXPECT_EQ(scene.bodies[i].name, "b[" + std::to_string(i) + "]");
    }
}

TEST(SceneRepeat, JitterIsBoundedPinnedAndSeeded) {
    const auto jittered = [](const std::string& more) {
        return parsed("{\"cairn\": 1, \"bodies\": [{" + ball_text +
                      R"(, "repeat": {"count": [10, 10, 10], "spacing": [0, 0, 0], )" + more + "}}]}");
    };
    const Scene a = jittered("\"jitter\": 0.25");
    Vec3 lowest(1.0f), highest(-1.0f), sum(0.0f);
    for (const physics::BodyDef& body : a.bodies) {
        lowest = glm::min(lowest, body.pose.position);
        highest = glm::max(highest, body.pose.position);
        sum += body.pose.position;
    }
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_GE(lowest[axis], -0.25f);
        EXPECT_LT(lowest[axis], -0.24f);
        EXPECT_LE(highest[axis], 0.25f);
        EXPECT_GT(highest[axis], 0.24f);
        EXPECT_NEAR(sum[axis] / 1000.0f, 0.0f, 0.02f);
    }
    EXPECT_TRUE(a == jittered("\"jitter\": 0.25, \"seed\": 0"));
    EXPECT_FALSE(a == jittered("\"jitter\": 0.25, \"seed\": 1"));
    // Scenes mean these very numbers: the first three outputs of SplitMix64 from 0, as published, are
    // e220a8397b1dcdaf, 6e789e6aa1b965f4 and 06c45d188009454f.
    const auto draw = [](double bits) {
        return 0.25f * (2.0f * (std::floor(static_cast<float>(bits)) * 0x1p-24f) - 1.0f);
    };
    EXPECT_EQ(a.bodies[0].pose.position, Vec3(draw(0xe220a8), draw(0x6e789e), draw(0x06c45d)));
    // One number for each axis, or one for all.
    const Scene flat = jittered("\"jitter\": [0.25, 0.25, 0]");
    EXPECT_EQ(flat.bodies[5].pose.position.x, a.bodies[5].pose.position.x);
    EXPECT_EQ(flat.bodies[5].pose.position.z, 0.0f);
}

TEST(SceneRepeat, SpinTurnsEachBodyItsOwnWay) {
    const Scene scene = parsed("{\"cairn\": 1, \"bodies\": [{" + ball_text +
                               R"(, "repeat": {"count": [1000, 1, 1], "spacing": [3, 0, 0], "spin": true}}]})");
    Vec3 mean_axis(0.0f);
    float mean_w2 = 0.0f;
    for (const physics::BodyDef& body : scene.bodies) {
        const physics::Quat& q = body.pose.orientation;
        EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1.0f, 1e-6f);
        mean_axis += physics::rotate(q, Vec3(0, 0, 1)) / 1000.0f;
        mean_w2 += q.w * q.w / 1000.0f;
    }
    EXPECT_LT(glm::length(mean_axis), 0.1f);
    EXPECT_NEAR(mean_w2, 0.25f, 0.03f); // uniform over the 3-sphere: each square has mean 1/4
    EXPECT_TRUE(parse_scene(write_scene(scene), "again", ".") == scene);
}

TEST(SceneRepeat, HullsShareTheirPoints) {
    const Scene scene =
        parsed(R"({"cairn": 1, "bodies": [{"shape": {"hull": {"points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}},
        "repeat": {"count": [3, 1, 1], "spacing": [2, 0, 0]}}]})");
    const auto set = [&](std::size_t i) {
        return std::get<physics::PointSet>(scene.bodies.at(i).shapes.at(0).geometry).points;
    };
    EXPECT_EQ(set(0), set(2));
}

TEST(SceneInclude, BodiesComeFirstInOrderAndSettingsStayBehind) {
    const TemporaryFolder folder;
    folder.write("parts/floor.json",
                 "{\"cairn\": 1, \"name\": \"Floor\", \"gravity\": [0, 0, 0], \"bodies\": [{\"name\": \"floor\", " +
                     ball_text + "}]}");
    folder.write("parts/room.json",
                 "{\"cairn\": 1, \"include\": [\"floor.json\"], \"camera\": {\"eye\": [9, 9, 9]}, \"bodies\": "
                 "[{\"name\": \"wall\", " +
                     ball_text + "}]}");
    const auto path = folder.write("main.json", "{\"cairn\": 1, \"bodies\": [{\"name\": \"own\", " + ball_text +
                                                    "}], \"include\": [\"parts/room.json\", \"parts/floor.json\"]}");
    const Scene scene = read_scene(path);
    ASSERT_EQ(scene.bodies.size(), 4u);
    EXPECT_EQ(scene.bodies[0].name, "floor");
    EXPECT_EQ(scene.bodies[1].name, "wall");
    EXPECT_EQ(scene.bodies[2].name, "floor");
    EXPECT_EQ(scene.bodies[3].name, "own");
    EXPECT_EQ(scene.name, "");
    EXPECT_TRUE(scene.settings == physics::Settings{});
    EXPECT_TRUE(scene.camera == SceneCamera{});
}

TEST(SceneInclude, CyclesAreNamed) {
    const TemporaryFolder folder;
    const auto a = folder.write("a.json", "{\"cairn\": 1, \"include\": [\"b.json\"]}");
    folder.write("b.json",
                 "{\"cairn\": 1,\n \"include\": [\"./../" + folder.path().filename().string() + "/a.json\"]}");
    const std::string error = error_thrown_by([&] { read_scene(a); });
    EXPECT_THAT(error, HasSubstr("b.json:2:14: the file includes itself: a.json -> b.json -> a.json"));
    const auto self = folder.write("self.json", "{\"cairn\": 1, \"include\": [\"self.json\"]}");
    EXPECT_THAT(error_thrown_by([&] { read_scene(self); }), HasSubstr("self.json:1:26: the file includes itself"));
}

TEST(SceneInclude, ErrorsPointIntoTheIncludedFile) {
    const TemporaryFolder folder;
    folder.write("part.json", "{\"cairn\": 1,\n\n  \"bodys\": []}");
    const auto path = folder.write("main.json", "{\"cairn\": 1, \"include\": [\"part.json\"]}");
    EXPECT_EQ(error_thrown_by([&] { read_scene(path); }),
              (folder.path() / "part.json").string() +
                  ":3:3: unknown key \"bodys\" in the scene; did you mean \"bodies\"?");
}

TEST(SceneInclude, DepthAndNumberAreLimited) {
    const TemporaryFolder folder;
    for (int i = 0; i < 40; ++i) {
        const std::string next = std::to_string(i + 1) + ".json";
        folder.write("chain/" + std::to_string(i) + ".json", "{\"cairn\": 1, \"include\": [\"" + next + "\"]}");
        // Each file twice: without a limit this would open 2^40 files.
        folder.write("fan/" + std::to_string(i) + ".json",
                     "{\"cairn\": 1, \"include\": [\"" + next + "\", \"" + next + "\"]}");
    }
    for (int i : {12, 40}) {
        folder.write("fan/" + std::to_string(i) + ".json", "{\"cairn\": 1}");
    }
    EXPECT_THAT(error_thrown_by([&] { read_scene(folder.path() / "chain/0.json"); }),
                HasSubstr("nested more than 16 deep"));
    EXPECT_THAT(error_thrown_by([&] { read_scene(folder.path() / "fan/0.json"); }), HasSubstr("more than 1000 files"));
    EXPECT_EQ(error_thrown_by([&] { read_scene(folder.path() / "fan/6.json"); }), "no error");
}

TEST(SceneMesh, PointsAreReadSharedAndScaled) {
    const TemporaryFolder folder;
    folder.write("m/tetra.obj", "# a tetrahedron\r\no tetra\r\nv 0 0 0\r\nv 1e0 0 0 1.0\r\nv 0 +1 0\r\n  v\t0 0 "
                                "0.1\r\nvn 0 0 1\r\nf 1 2 3\r\nf 1//1 "
                                "2//1 -1//1\r\n");
    const auto path = folder.write("main.json", R"({"cairn": 1, "bodies": [
        {"shape": {"hull": {"mesh": "m/tetra.obj"}}}, {"shape": {"hull": {"mesh": "./m/tetra.obj"}}},
        {"shape": {"hull": {"mesh": "m/tetra.obj", "scale": 3}}}]})");
    const Scene scene = read_scene(path);
    const auto set = [&](std::size_t i) {
        return std::get<physics::PointSet>(scene.bodies.at(i).shapes.at(0).geometry).points;
    };
    EXPECT_EQ(*set(0), (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0.1f}}));
    EXPECT_EQ(set(0), set(1));
    EXPECT_EQ(set(2)->at(3), Vec3(0, 0, 0.1f) * 3.0f);
}

TEST(SceneMesh, FaultsAreLocatedInTheMesh) {
    const auto error = [](const std::string& text) {
        return error_thrown_by([&] { parse_obj_points(text, "m.obj"); });
    };
    EXPECT_THAT(error("# nothing\n"), StartsWith("m.obj: the mesh has no vertices"));
    EXPECT_EQ(error("v 0 0 0\n  v 1 2\n"), "m.obj:2:8: a vertex needs three coordinates: v x y z");
    EXPECT_EQ(error("v 0 0 0\nv 1 abc 2\n"), "m.obj:2:5: \"abc\" is not a number");
    EXPECT_EQ(error("v 0 0 0\nv 1 2.5m 2\n"), "m.obj:2:5: \"2.5m\" is not a number");
    EXPECT_THAT(error("v 0 0 0\nv 1 1e99 2\n"), StartsWith("m.obj:2:5: the coordinate 1e99 is too large"));
    EXPECT_THAT(error("v 0 0 0\nv nan 0 2\n"), StartsWith("m.obj:2:3: the coordinate nan is not within"));
    EXPECT_THAT(error("v 0 0 0\nv 0 0 1e7\n"), StartsWith("m.obj:2:7: the coordinate 1e7 is not within"));
    EXPECT_EQ(error("v 0 0 1e-60\nv 0 0 1\n"), "no error");
    EXPECT_THAT(error(std::string("v 0 0 0\nv 0\0 0 1\n", 18)), StartsWith("m.obj:2:4: there is a zero byte"));
    EXPECT_THAT(error("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"), HasSubstr("a face names vertex 9 but there are 3"));
    EXPECT_THAT(error("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"), StartsWith("m.obj:4:7: "));
    EXPECT_THAT(error("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 0 2\n"), StartsWith("m.obj:4:5: a face names vertex 0"));
    EXPECT_THAT(error("v 0 0 0\nv 1 0 0\nf -1 -2 -3\nv 0 1 0\n"), StartsWith("m.obj:3:9: a face names vertex -3"));
    EXPECT_THAT(error("v 0 0 0\nf 1 1 99999999999999999999\n"), StartsWith("m.obj:2:7: a face names vertex 999"));
    EXPECT_THAT(error("v 0 0 0\nf 1 1/2/3 b\n"), StartsWith("m.obj:2:11: \"b\" is not a vertex of a face"));
    EXPECT_THAT(error("v 0 0 0\nf 1 1\n"), StartsWith("m.obj:2:6: a face needs at least three vertices"));
    EXPECT_EQ(error("v 0 0 0\nV 1 0 0\n"), "m.obj:2:1: \"V\" begins no statement of a Wavefront mesh");
    EXPECT_EQ(error("v 0 0 0\nv \x1b[1m 0 0\n"), "m.obj:2:3: \"\\x1B[1m\" is not a number");
    EXPECT_EQ(error("v 0 0 \\\n 1e-999\nv 0 \\\r\n z 0\n"), "m.obj:4:2: \"z\" is not a number") << "joined lines";
    EXPECT_THAT(error("v 0 0 0\nv 0 0 1e999\n"), StartsWith("m.obj:2:7: the coordinate 1e999 is too large"));
}

TEST(SceneMesh, WhatExportersWriteIsRead) {
    const auto points =
        parse_obj_points("\xEF\xBB\xBF# a mark in front\r\nmtllib a.mtl\r\no A\r\nv 0 0 0\r\nv +1 0 0 1.0\r\n"
                         "v 0 1 0 0.5 0.5 0.5 # coloured\r\nvn 0 0 1\r\nvt 0 0\r\ng b c\r\nusemtl x\r\ns off\r\n"
                         "f 1//1 2//1 4//1\r\nf -1/1/1 -2/1/1 \\\r\n -3/1/1\r\nl 1 2\r\nv 0 0 1",
                         "m.obj");
    EXPECT_EQ(points, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}))
        << "faces may name later vertices";
    EXPECT_EQ(parse_obj_points("\xEF\xBB\xBFv 1 2 3", "m.obj").at(0), Vec3(1, 2, 3));
    // Faces: a square as two triangles, corners counted from the end, and one that names a vertex still to come.
    const physics::MeshData mesh =
        parse_obj_mesh("v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2/1 3//2 4\nv 0 1 0\nf -4 -3 -1\n", "m.obj");
    EXPECT_EQ(mesh.vertices.size(), 4u);
    const std::vector<std::array<std::uint32_t, 3>> triangles{{0, 1, 2}, {0, 2, 3}, {0, 1, 3}};
    EXPECT_EQ(mesh.triangles, triangles);
    EXPECT_EQ(error_thrown_by([] { parse_obj_mesh("v 0 0 0\nv 1 0 0\nv 1 1 0\n", "m.obj"); }),
              "m.obj: the mesh has no faces; lines of the form \"f 1 2 3\" are needed");
}

TEST(SceneMesh, AHullThatIsNoneIsLocatedInTheScene) {
    const TemporaryFolder folder;
    folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\n");
    EXPECT_THAT(error_thrown_by([&] {
                    parsed("{\"cairn\": 1, \"bodies\": [\n {\"shape\": {\"hull\": {\"mesh\": \"flat.obj\"}}}]}",
                           folder.path());
                }),
                StartsWith("scene.json:2:21: \"hull\" is not a usable shape: "));
}

TEST(SceneMesh, ShippedMeshesAreClosedAndOfTheStatedSize) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(CAIRN_SOURCE_DIR "/assets/meshes")) {
        if (entry.path().extension() != ".obj") {
            continue;
        }
        ++count;
        auto points = std::make_shared<const std::vector<Vec3>>(read_mesh_points(entry.path()));
        const auto built = physics::build_shape(physics::PointSet{points});
        const auto* shape = std::get_if<physics::Shape>(&built);
        ASSERT_NE(shape, nullptr) << entry.path() << std::get<physics::ShapeError>(built).reason;
        EXPECT_EQ(shape->hull->vertices.size(), points->size()) << entry.path(); // every vertex is a corner
        EXPECT_GT(shape->bounding_radius, 0.3f);
        EXPECT_LT(shape->bounding_radius, 0.8f);
    }
    EXPECT_GE(count, 5);
}

} // namespace
} // namespace cairn::core
