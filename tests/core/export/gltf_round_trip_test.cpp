// A scene written as glTF and read again is the same scene.
#include "app/core/base/error.h"
#include "app/core/export/gltf.h"
#include "app/core/scene/gltf/gltf_scene.h"
#include "tests/shipped_scenes.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace cairn::core {
namespace {

using namespace cairn::physics;
using Json = nlohmann::json;

FrameState frame_of(World& world) {
    FrameState frame;
    world.publish(frame);
    return frame;
}

GltfRun start_of(const Scene& scene, const FrameState& frame) {
    MotionTracks tracks(0.001f);
    tracks.add(frame);
    return {scene.name, scene.camera, tracks.first_time(), tracks.last_time(), tracks.finish(), scene.show.path, frame};
}

Scene read_again(const std::string& bytes) {
    return scene_from_gltf(bytes, "again.glb", ".", {}, {});
}

void expect_near(const Vec3& a, const Vec3& b, float tolerance, const std::string& what) {
    EXPECT_LE(glm::length(a - b), tolerance)
        << what << ": " << a.x << ' ' << a.y << ' ' << a.z << " and " << b.x << ' ' << b.y << ' ' << b.z;
}

float turn_between(const Quat& a, const Quat& b) {
    return 1.0f - std::abs(glm::dot(a, b));
}

void expect_same_parts(const BodyModel& a, const BodyModel& b, const std::string& what) {
    ASSERT_EQ(a.parts.size(), b.parts.size()) << what;
    for (std::size_t i = 0; i < a.parts.size(); ++i) {
        const Shape &one = *a.parts[i].shape, &other = *b.parts[i].shape;
        const std::string part = what + ", shape " + std::to_string(i);
        EXPECT_EQ(one.kind, other.kind) << part;
        EXPECT_EQ(a.parts[i].sensor, b.parts[i].sensor) << part;
        EXPECT_EQ(a.def.shapes[i].geometry.index(), b.def.shapes[i].geometry.index()) << part;
        if (!a.parts[i].sensor) { // which nothing touches
            EXPECT_EQ(a.def.shapes[i].material.over(a.def.material), b.def.shapes[i].material.over(b.def.material))
                << part;
        }
        const float size = one.bounding_radius;
        EXPECT_NEAR(one.bounding_radius, other.bounding_radius, 1e-6f * size) << part;
        EXPECT_NEAR(one.volume, other.volume, 1e-5f * one.volume) << part;
        expect_near(one.half_extents, other.half_extents, 1e-6f * size, part);
        EXPECT_EQ(one.radius, other.radius) << part;
        expect_near(a.parts[i].pose.position, b.parts[i].pose.position, 2e-6f * (1.0f + size), part);
        EXPECT_LE(turn_between(a.parts[i].pose.orientation, b.parts[i].pose.orientation), 1e-6f) << part;
        if (one.hull != nullptr) {
            EXPECT_EQ(one.hull->vertices.size(), other.hull->vertices.size()) << part;
            EXPECT_EQ(one.hull->faces.size(), other.hull->faces.size()) << part;
        }
        if (one.mesh != nullptr) {
            EXPECT_EQ(one.mesh->two_sided, other.mesh->two_sided) << part;
            EXPECT_EQ(one.mesh->grid.has_value(), other.mesh->grid.has_value()) << part;
            EXPECT_EQ(one.mesh->triangles.size(), other.mesh->triangles.size()) << part;
            EXPECT_EQ(one.mesh->vertex_count(), other.mesh->vertex_count()) << part;
        }
    }
}

void expect_same_bodies(const FrameState& a, const FrameState& b) {
    ASSERT_EQ(a.bodies.size(), b.bodies.size());
    for (std::size_t i = 0; i < a.bodies.size(); ++i) {
        const BodyModel &one = *a.models[i], &other = *b.models[i];
        const std::string what = "body " + std::to_string(i) + " (" + one.def.name + ')';
        EXPECT_EQ(one.def.name, other.def.name) << what;
        EXPECT_EQ(a.bodies[i].type, b.bodies[i].type) << what;
        EXPECT_EQ(a.bodies[i].pose, b.bodies[i].pose) << what;
        expect_near(a.bodies[i].linear_velocity, b.bodies[i].linear_velocity,
                    1e-6f * glm::length(a.bodies[i].linear_velocity), what + ", velocity");
        expect_near(a.bodies[i].angular_velocity, b.bodies[i].angular_velocity,
                    1e-6f * glm::length(a.bodies[i].angular_velocity), what + ", spin");
        EXPECT_NEAR(one.mass, other.mass, 1e-5f * one.mass) << what;
        for (int axis = 0; axis < 3; ++axis) {
            expect_near(one.inertia[axis], other.inertia[axis],
                        2e-5f * glm::length(one.inertia[axis]) + 1e-6f * one.mass, what + ", inertia");
        }
        EXPECT_EQ(one.def.mass.has_value(), other.def.mass.has_value()) << what;
        EXPECT_EQ(one.def.linear_damping, other.def.linear_damping) << what;
        EXPECT_EQ(one.def.angular_damping, other.def.angular_damping) << what;
        EXPECT_EQ(one.def.gravity_scale, other.def.gravity_scale) << what;
        EXPECT_EQ(one.def.can_sleep, other.def.can_sleep) << what;
        EXPECT_EQ(one.def.filter, other.def.filter) << what;
        EXPECT_EQ(one.def.locks, other.def.locks) << what;
        EXPECT_EQ(one.def.colour, other.def.colour) << what;
        expect_same_parts(one, other, what);
        if (::testing::Test::HasFailure()) {
            return; // one is enough to see
        }
    }
}

void expect_same_joints(const FrameState& a, const FrameState& b) {
    ASSERT_EQ(a.joints.size(), b.joints.size());
    // In the file they stand in the order of their bodies.
    const auto key = [](const JointState& joint) {
        return std::tuple(joint.def->body_a.index, joint.def->body_b.index, joint.def->kind, joint.def->name);
    };
    const auto sorted = [&](std::vector<JointState> joints) {
        std::stable_sort(joints.begin(), joints.end(), [&](const auto& x, const auto& y) { return key(x) < key(y); });
        return joints;
    };
    const std::vector<JointState> ones = sorted(a.joints), others = sorted(b.joints);
    for (std::size_t i = 0; i < ones.size(); ++i) {
        JointDef one = *ones[i].def;
        const JointDef& other = *others[i].def;
        const std::string what = "joint " + std::to_string(i);
        expect_near(one.frame_a.position, other.frame_a.position, 2e-6f, what);
        expect_near(one.frame_b.position, other.frame_b.position, 2e-6f, what);
        EXPECT_LE(turn_between(one.frame_a.orientation, other.frame_a.orientation), 1e-6f) << what;
        EXPECT_LE(turn_between(one.frame_b.orientation, other.frame_b.orientation), 1e-6f) << what;
        one.frame_a = other.frame_a;
        one.frame_b = other.frame_b;
        EXPECT_EQ(one, other) << what;
    }
}

class GltfRoundTrip : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(GltfRoundTrip, AShippedSceneComesBackTheSame) {
    const Scene scene = read_scene(GetParam());
    World world = make_world(scene);
    for (int step = 0; step < 3; ++step) { // so that there are velocities
        world.step();
    }
    const FrameState before = frame_of(world);
    const std::string bytes = glb_of(start_of(scene, before));
    const Scene again = read_again(bytes);
    EXPECT_EQ(again.description, "");
    EXPECT_EQ(again.name, scene.name);
    EXPECT_EQ(again.settings, before.settings);
    EXPECT_EQ(again.camera, scene.camera);
    World second = make_world(again);
    const FrameState after = frame_of(second);
    expect_same_bodies(before, after);
    expect_same_joints(before, after);
    EXPECT_LE(static_cast<double>(glb_of(start_of(again, after)).size()), 1.01 * static_cast<double>(bytes.size()));
}

INSTANTIATE_TEST_SUITE_P(Scenes, GltfRoundTrip, ::testing::ValuesIn(shipped_scene_files()),
                         [](const auto& info) { return info.param.stem().string(); });

void drop_own_words(Json& json) {
    if (json.is_structured()) {
        if (json.is_object()) {
            json.erase("extras");
        }
        for (Json& member : json) {
            drop_own_words(member);
        }
    }
}

// Two boxes and what joins them.
Scene joined(const std::string& joint) {
    return parse_scene(R"({"cairn": 1, "name": "joined", "bodies": [
        {"name": "a", "shape": {"box": {"half_extents": [0.5, 0.5, 0.5]}}, "position": [0, 0, 5], "mass": 2},
        {"name": "b", "shape": {"capsule": {"radius": 0.2, "half_height": 0.5}}, "position": [0, 2, 5],
         "orientation": [0.8, 0.6, 0, 0], "density": 300}],
        "joints": [{"b": "b", "anchor": [0, 1, 5], )" +
                           joint + "}]}",
                       "joined.json", ".");
}

struct Joined {
    JointDef before, after;
};

Joined through_the_format_alone(const std::string& joint) {
    const Scene scene = joined(joint);
    World world = make_world(scene);
    Json json = Json::parse(gltf_of(start_of(scene, frame_of(world))));
    drop_own_words(json);
    const Scene again = read_again(json.dump());
    EXPECT_EQ(again.description, "") << joint;
    EXPECT_EQ(again.bodies.size(), 2u);
    EXPECT_EQ(again.joints.size(), 1u);
    return {scene.joints.at(0), again.joints.at(0)};
}

// Programs that know nothing of "extras" drop them.
TEST(GltfJoints, ComeBackByTheirLimitsAndDrivesAlone) {
    for (const char* text :
         {R"("type": "weld", "a": "a")", R"("type": "ball", "a": "a")",
          R"("type": "ball", "a": "a", "cone": 0.7, "limits": [-0.25, 0.5])",
          R"("type": "hinge", "a": "a", "axis": [1, 0, 0])",
          R"("type": "hinge", "a": "a", "axis": [1, 0, 0], "limits": [-1.5, 0.75], "collide": true)",
          R"("type": "hinge", "axis": [0, 1, 0], "motor": {"speed": 3.1, "max_force": 40})",
          R"("type": "hinge", "a": "a", "spring": {"hertz": 2.7, "damping_ratio": 0.3, "target": 0.4})",
          R"("type": "slider", "a": "a", "axis": [0, 0, 1], "limits": [-0.5, 2])",
          R"("type": "slider", "axis": [0, 0, 1], "spring": {"hertz": 0.9, "max_force": 12})",
          R"("type": "distance", "a": "a", "length": 1.25)",
          R"("type": "distance", "a": "a", "length": 1.5, "limits": [0.25, 1.5])",
          R"("type": "six_dof", "a": "a", "axes": {"x": {"limits": [-1, 2]}, "y": "free", "rz": {"motor": {"speed": 1,
             "max_force": 5}}, "rx": {"spring": {"hertz": 4, "damping_ratio": 1}}})"}) {
        const auto [before, after] = through_the_format_alone(text);
        EXPECT_EQ(before, after) << text;
    }
}

TEST(GltfJoints, GearsAndTheLikeNeedTheirOwnWords) {
    const Scene scene = joined(R"("type": "gear", "a": "a", "ratio": 2.5)");
    World world = make_world(scene);
    EXPECT_EQ(read_again(glb_of(start_of(scene, frame_of(world)))).joints, scene.joints);
}

// Whoever changes a mass changes it: what Cairn wrote beside it no longer holds.
TEST(GltfRoundTrips, AMassThatIsChangedElsewhereIsTaken) {
    const Scene scene = joined(R"("type": "weld", "a": "a")");
    World world = make_world(scene);
    Json json = Json::parse(gltf_of(start_of(scene, frame_of(world))));
    EXPECT_FALSE(read_again(json.dump()).bodies.at(1).mass);
    EXPECT_EQ(read_again(json.dump()).bodies.at(1).density, 300.0f);
    for (Json& node : json.at("nodes")) {
        if (node.value("name", "") == "b") {
            node["extensions"]["KHR_physics_rigid_bodies"]["motion"]["mass"] = 7.5;
        }
    }
    EXPECT_EQ(read_again(json.dump()).bodies.at(1).mass, 7.5f);
}

// Words that no scene of the collection has.
TEST(GltfRoundTrips, EverythingThatABodyMaySayComesBack) {
    const Scene scene = parse_scene(R"({"cairn": 1, "gravity": [0, 1, -3], "step": {"hz": 120}, "bodies": [
        {"shapes": [{"shape": {"cone": {"radius": 0.3, "height": 0.9}}, "position": [0.5, 0, 0],
                     "orientation": [0.6, 0, 0.8, 0], "friction": 0.1},
                    {"shape": {"cylinder": {"radius": 0.25, "half_height": 0.1}}, "restitution": 1,
                     "rolling_resistance": 0.25},
                    {"shape": {"diamond": {"scale": 0.4}}, "position": [0, 1, 0]},
                    {"shape": {"hull": {"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}, "sensor": true}],
         "linear_damping": 0.2, "angular_damping": 0.1, "can_sleep": false, "gravity_scale": -0.5, "group": 3,
         "mask": [0, 3, 31], "lock": ["x", "rz"], "colour": "#12ab9c", "inertia": [1, 2, 2.5], "mass": 4,
         "linear_velocity": [1, 2, 3], "angular_velocity": [0, 0, 5]},
        {"type": "kinematic", "name": "k", "shape": {"sphere": {"radius": 1}}, "position": [9, 0, 0],
         "angular_velocity": [0, 1, 0], "mask": []},
        {"type": "static", "name": "ground", "position": [0, 0, -9], "orientation": [0.8, 0, 0, 0.6],
         "shape": {"heightfield": {"heights": [[0, 1, 2], [0, 0.5, 0], [1, 1, 1]], "spacing": 2.5, "holes": [[1, 0]]}}},
        {"type": "static", "position": [0, 0, -20],
         "shape": {"mesh": {"vertices": [[0, 0, 0], [4, 0, 0], [0, 4, 0], [4, 4, 1]], "triangles": [[0, 1, 2], [2, 1, 3]],
                   "two_sided": true}}},
        {"type": "static", "position": [0, 0, -30],
         "shape": {"mesh": {"vertices": [[0, 0, 0], [4, 0, 0], [0, 4, 0], [4, 4, 1]], "triangles": [[0, 1, 2], [2, 1, 3]],
                   "two_sided": true, "triangle_materials": [1, 0],
                   "materials": [{"name": "ice", "friction": 0.02, "colour": "#a0c8ff"}, {"restitution": 1, "rolling_resistance": 0.1}]}}},
        {"type": "static", "position": [0, 0, -40],
         "shape": {"mesh": {"vertices": [[0, 0, 0], [4, 0, 0], [0, 4, 0], [4, 0, 1]],
                   "triangles": [[0, 1, 2], [2, 1, 3]]}}}]})",
                                    "all.json", ".");
    World world = make_world(scene);
    const FrameState before = frame_of(world);
    World second = make_world(read_again(glb_of(start_of(scene, before))));
    const FrameState after = frame_of(second);
    EXPECT_EQ(after.settings, before.settings);
    expect_same_bodies(before, after);
    EXPECT_EQ(before.models.at(2)->def.shapes, after.models.at(2)->def.shapes);
    EXPECT_EQ(before.models.at(3)->def.shapes, after.models.at(3)->def.shapes);
    EXPECT_EQ(before.models.at(4)->def.shapes, after.models.at(4)->def.shapes) << "with materials";
    EXPECT_EQ(before.models.at(5)->def.shapes, after.models.at(5)->def.shapes) << "another mesh of the same size";
}

} // namespace
} // namespace cairn::core
