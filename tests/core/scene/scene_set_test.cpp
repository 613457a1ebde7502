// --set PATH=VALUE: as if the file had said so.
#include "app/core/base/error.h"
#include "app/core/scene/scene.h"
#include "app/core/scene/scene_camera.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::core {
namespace {

using ::testing::HasSubstr;

Scene sample_to_set() {
    return parse_scene(R"({"cairn": 1, "name": "S", "bodies": [
        {"name": "ball", "shape": {"sphere": {"radius": 0.5}}, "position": [1, 2, 3], "density": 500},
        {"name": "hammer", "shapes": [{"shape": {"box": {"half_extents": [1, 1, 1]}}},
                                      {"shape": {"cylinder": {"radius": 0.1, "half_height": 1}}, "position": [0, 0, 2]}]},
        {"name": "twin", "shape": {"diamond": {"scale": 1}}, "mass": 2}, {"name": "twin", "shape": {"sphere": {"radius": 1}}}]})",
                       "sample", ".");
}

Scene with(std::initializer_list<const char*> assignments) {
    Scene scene = sample_to_set();
    for (const char* assignment : assignments) {
        set_value(scene, assignment);
    }
    return scene;
}

std::string error_of_setting(const char* assignment) {
    Scene scene = sample_to_set();
    try {
        set_value(scene, assignment);
    } catch (const InputError& error) {
        EXPECT_TRUE(scene == sample_to_set()) << "a refused value must change nothing";
        return error.what();
    }
    return "no error";
}

TEST(SceneSet, ChangesTheNamedValueAndNothingElse) {
    Scene expected = sample_to_set();
    expected.settings.gravity.z = -3.7f;
    EXPECT_TRUE(with({"gravity.2=-3.7"}) == expected);
    expected.settings.gravity = {0, 1, 2};
    EXPECT_TRUE(with({"gravity=[0, 1, 2]"}) == expected);
    expected = sample_to_set();
    expected.settings.substeps = 8;
    expected.settings.hz = 120.0f;
    EXPECT_TRUE(with({"step.substeps=8", "step.hz=120"}) == expected);
    expected = sample_to_set();
    expected.settings.sleeping = false;
    expected.settings.contact_hertz = 60.0f;
    EXPECT_TRUE(with({"solver.sleeping=false", "solver.contact_hertz=60"}) == expected);
    expected = sample_to_set();
    expected.name = "Tall tower";
    expected.camera.eye.x = 5.0f;
    EXPECT_TRUE(with({"name=Tall tower", "camera.eye.0=5"}) == expected);
    expected = sample_to_set();
    expected.bodies[0].colour = physics::Colour{0, 255, 16};
    EXPECT_TRUE(with({"bodies.ball.colour=#00ff10"}) == expected);
    EXPECT_TRUE(with({"bodies.ball.colour=#00ff10", "bodies.*.colour=automatic"}) == sample_to_set());
}

TEST(SceneSet, ACameraThatIsSetStandsStill) {
    Scene scene = sample_to_set();
    scene.show.path = {{0.0f, {0, -10, 2}, {0, 0, 2}}, {1.0f, {8, -10, 2}, {0, 0, 1}}};
    EXPECT_EQ(camera_of_scene(scene, 1.0).eye, (physics::Vec3{8, -10, 2}));
    set_value(scene, "gravity.2=-1");
    EXPECT_EQ(camera_of_scene(scene, 0.0).eye, (physics::Vec3{0, -10, 2}));
    set_value(scene, "camera.eye=[1, 2, 3]");
    EXPECT_EQ(camera_of_scene(scene, 1.0).eye, (physics::Vec3{1, 2, 3}));
}

TEST(SceneSet, CommentsInTheValueStayOut) {
    EXPECT_EQ(with({"step.hz= /* fast */ 120 // x"}).settings.hz, 120.0f);
}

TEST(SceneSet, ReachesBodiesByIndexAndName) {
    Scene expected = sample_to_set();
    expected.bodies[2].material.friction = 0.1f;
    EXPECT_TRUE(with({"bodies.2.friction=0.1"}) == expected);
    expected = sample_to_set();
    expected.bodies[0].pose.position.y = 7.0f;
    expected.bodies[0].type = physics::BodyType::kinematic;
    EXPECT_TRUE(with({"bodies.ball.position.1=7", "bodies.ball.type=kinematic"}) == expected);
    expected = sample_to_set();
    expected.bodies[0].shapes[0].geometry = physics::Sphere{0.75f};
    EXPECT_TRUE(with({"bodies.0.shape.sphere.radius=0.75"}) == expected);
    expected = sample_to_set();
    expected.bodies[1].shapes[1].pose.position.z = 3.0f;
    EXPECT_TRUE(with({"bodies.hammer.shapes.1.position.2=3"}) == expected);
    expected = sample_to_set();
    expected.bodies[2] = {};
    expected.bodies[2].shapes = {{physics::Box{{1, 2, 3}}, {}}};
    EXPECT_TRUE(with({R"(bodies.2={"shape": {"box": {"half_extents": [1, 2, 3]}}})"}) == expected);
}

TEST(SceneSet, MassAndDensityTakeEachOthersPlace) {
    EXPECT_EQ(with({"bodies.0.mass=3"}).bodies[0].mass, 3.0f);
    const Scene scene = with({"bodies.2.density=70"});
    EXPECT_FALSE(scene.bodies[2].mass.has_value());
    EXPECT_EQ(scene.bodies[2].density, 70.0f);
    const Scene single = with({R"(bodies.1.shape={"sphere": {"radius": 2}})"});
    ASSERT_EQ(single.bodies[1].shapes.size(), 1u);
    EXPECT_TRUE(single.bodies[1].shapes[0].geometry == physics::Geometry(physics::Sphere{2.0f}));
}

TEST(SceneSet, OtherHullsStayShared) {
    auto points = std::make_shared<const std::vector<physics::Vec3>>(
        std::vector<physics::Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    Scene scene;
    scene.bodies.resize(2);
    for (physics::BodyDef& body : scene.bodies) {
        body.shapes.push_back({physics::PointSet{points}, {}});
    }
    set_value(scene, "bodies.0.friction=0.25");
    EXPECT_EQ(std::get<physics::PointSet>(scene.bodies[0].shapes[0].geometry).points, points);
}

TEST(SceneSet, RejectsWithTheAssignmentInFront) {
    EXPECT_EQ(error_of_setting("gravity.9=1"),
              "--set gravity.9=1: \"gravity\" is a list of 3; \"9\" is none of its indices 0 .. 2");
    EXPECT_EQ(error_of_setting("step.substeps=65"),
              "--set step.substeps=65: \"substeps\" must be a whole number within 1 .. 64, not 65");
    EXPECT_THAT(error_of_setting("step.substep=5"),
                HasSubstr("unknown key \"substep\" in \"step\"; did you mean \"substeps\"?"));
    EXPECT_THAT(error_of_setting("stp.hz=5"), HasSubstr("the scene has no member \"stp\"; did you mean \"step\"?"));
    EXPECT_THAT(error_of_setting("gravty=[0,0,1]"), HasSubstr("did you mean \"gravity\"?"));
    EXPECT_THAT(error_of_setting("gravity.2.x=1"), HasSubstr("\"gravity.2\" is a number and has no member \"x\""));
    EXPECT_THAT(error_of_setting("gravity.2=-1e9"), HasSubstr("within -10000 .. 10000 m/s^2"));
    EXPECT_THAT(error_of_setting("gravity.2=NaN"), HasSubstr("NaN"));
    EXPECT_THAT(error_of_setting("gravity.2="), HasSubstr("--set gravity.2=: "));
    EXPECT_THAT(error_of_setting("gravity.2"), HasSubstr("write PATH=VALUE"));
    EXPECT_THAT(error_of_setting("=1"), HasSubstr("empty part"));
    EXPECT_THAT(error_of_setting("gravity..2=1"), HasSubstr("empty part"));
    EXPECT_THAT(error_of_setting("bodies=[]"), HasSubstr("name one body"));
    EXPECT_THAT(error_of_setting("bodies.4.friction=1"),
                HasSubstr("there is no body 4; the scene has 4, counted from 0"));
    EXPECT_THAT(error_of_setting("bodies.bal.friction=1"), HasSubstr("no body named \"bal\""));
    EXPECT_THAT(error_of_setting("bodies.twin.friction=1"), HasSubstr("several bodies are named \"twin\""));
    EXPECT_THAT(error_of_setting("bodies.0.frictoin=1"), HasSubstr("did you mean \"friction\"?"));
    EXPECT_THAT(error_of_setting("bodies.0.friction=high"), HasSubstr("\"friction\" must be a number, not a string"));
    EXPECT_THAT(error_of_setting("bodies.0.shape.sphere.radius=-1"), HasSubstr("within 0.0001 .. 10000 m, not -1"));
    EXPECT_THAT(error_of_setting("bodies.0.repeat={\"count\": [2,1,1]}"), HasSubstr("makes more bodies"));
    EXPECT_THAT(error_of_setting("include=[\"a.json\"]"), HasSubstr("cannot be set"));
    EXPECT_THAT(error_of_setting("cairn=1"), HasSubstr("cannot be set"));
    // A value must not smuggle in more than a value.
    EXPECT_THAT(error_of_setting("gravity.2=1], \"name\": [2"), HasSubstr("--set"));
}

} // namespace
} // namespace cairn::core
