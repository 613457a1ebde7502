// Scenes and commands that use every member there is, for tests that must not forget one.
#pragma once

#include "app/core/scene/scene.h"
#include "app/core/scene/values/scene_keys.h"
#include "physics/world/command.h"
#include "tests/core/temporary_folder.h"

#include <memory>
#include <string>
#include <vector>

namespace cairn::core::testing {

// A number whose decimal form is long, to catch any detour through text.
inline float odd_number(int i) {
    return 0.1f + static_cast<float>(i) / 7.0f;
}

inline physics::PointSet octahedron(float radius) {
    using physics::Vec3;
    return {std::make_shared<const std::vector<Vec3>>(std::vector<Vec3>{
        {radius, 0, 0}, {-radius, 0, 0}, {0, radius, 0}, {0, -radius, 0}, {0, 0, radius}, {0, 0, -radius}})};
}

inline physics::BodyDef full_body() {
    using namespace physics;
    BodyDef body;
    body.name = "every member \"quoted\" \xc3\xa9";
    body.type = BodyType::kinematic;
    body.pose.position = {odd_number(1), -odd_number(2), 1e-38f};
    body.pose.orientation = normalized(Quat(0.3f, -0.1f, 0.7f, 0.2f));
    body.linear_velocity = {odd_number(3), -0.0f, odd_number(4)};
    body.angular_velocity = {odd_number(5), odd_number(6), 1e-45f}; // a denormal
    const Transform offset{{0.1f, 0.2f, 0.3f}, normalized(Quat(1, 2, 3, 4))};
    body.shapes = {{Sphere{odd_number(7)}, offset},
                   {Box{{0.1f, 0.2f, 0.3f}}, {}},
                   {Capsule{odd_number(8), odd_number(9)}, offset},
                   {Cylinder{odd_number(10), odd_number(11)}, {}},
                   {Cone{odd_number(12), odd_number(13)}, {}},
                   {Diamond{odd_number(14)}, offset},
                   {octahedron(odd_number(15)), {}}};
    body.mass = odd_number(16);
    body.density = odd_number(17);
    body.inertia = physics::Vec3(odd_number(22), odd_number(23), odd_number(24));
    body.material = {odd_number(18), 0.3f, 0.7f};
    body.linear_damping = odd_number(19);
    body.angular_damping = odd_number(20);
    body.gravity_scale = -odd_number(21);
    body.can_sleep = false;
    body.filter = {31, 0x80000001u};
    body.locks = 0x2a;
    body.colour = physics::Colour{1, 128, 255};
    return body;
}

inline physics::Settings full_settings() {
    physics::Settings s;
    s.gravity = {0.1f, 0.2f, -3.3f};
    s.hz = 61.3f;
    s.substeps = 7;
    s.sleeping = false;
    s.continuous = false;
    s.warm_starting = false;
    s.contact_hertz = 31.7f;
    s.contact_damping_ratio = 9.1f;
    s.max_push_speed = 2.9f;
    s.restitution_threshold = 0.7f;
    s.joint_hertz = 61.7f;
    s.joint_damping_ratio = 2.3f;
    s.linear_slop = 0.0051f;
    s.speculative_distance = 0.021f;
    s.sleep_speed = 0.053f;
    s.sleep_time = 0.57f;
    return s;
}

inline physics::JointDef full_joint(physics::JointKind kind) {
    using namespace physics;
    JointDef joint;
    joint.name = "a \"joint\"";
    joint.kind = kind;
    joint.body_b = {1, 0};
    joint.frame_a = {{odd_number(30), -0.0f, odd_number(31)}, normalized(Quat(1, 2, 3, 4))};
    joint.frame_b = {{odd_number(32), odd_number(33), 1e-38f}, normalized(Quat(4, 3, 2, 1))};
    const bool has_ratio = kind == JointKind::gear || kind == JointKind::rack || kind == JointKind::pulley;
    const bool has_free_axis = kind != JointKind::weld && kind != JointKind::universal && kind != JointKind::gear &&
                               kind != JointKind::rack && kind != JointKind::six_dof;
    if (kind == JointKind::six_dof) { // each mode; what a mode does not use stays as it is
        using Mode = JointAxis::Mode;
        joint.axes.resize(joint_axes);
        joint.axes[1].mode = Mode::free;
        joint.axes[2].mode = joint.axes[5].mode = Mode::limited;
        joint.axes[2].limits = joint.axes[5].limits = {-odd_number(3), odd_number(2)};
        joint.axes[3].mode = Mode::motor;
        joint.axes[3].motor = {-odd_number(35), odd_number(36)};
        joint.axes[4].mode = Mode::spring;
        joint.axes[4].spring = {odd_number(37), odd_number(38), odd_number(2), odd_number(39)};
    }
    joint.collide = !has_ratio;
    joint.ignore_within = has_ratio ? 7 : 1;
    joint.break_force = odd_number(40);
    joint.break_torque = odd_number(41);
    if (kind == JointKind::ball || kind == JointKind::universal) {
        joint.cone = odd_number(1);
    }
    if (has_free_axis) {
        joint.limits = JointLimits{odd_number(1), kind == JointKind::ball ? odd_number(2) : odd_number(7)};
        joint.motor = JointMotor{-odd_number(35), odd_number(36)};
    }
    if (kind == JointKind::distance || kind == JointKind::pulley) {
        joint.length = odd_number(34);
    }
    if (has_ratio) {
        joint.ratio = odd_number(42);
    }
    if (kind == JointKind::pulley) {
        joint.ground_a = {odd_number(43), -0.0f, odd_number(44)};
        joint.ground_b = {odd_number(45), odd_number(46), 1e-38f};
    }
    if (!has_free_axis && kind != JointKind::weld) {
        return joint;
    }
    joint.spring = JointSpring{odd_number(37), odd_number(38), 0.0f, odd_number(39)};
    if (kind == JointKind::hinge) {
        joint.spring->target = odd_number(2);
        joint.spring->max_force.reset();
    }
    return joint;
}

inline Scene full_scene() {
    Scene scene;
    scene.name = "Everything";
    scene.description = "two\nlines";
    scene.settings = full_settings();
    scene.camera = {{1.1f, 2.2f, 3.3f}, {4.4f, 5.5f, 6.6f}};
    scene.bodies = {full_body(), full_body()};
    scene.bodies[1].shapes.back() = scene.bodies[0].shapes.back(); // a shared point set
    scene.bodies[1].mass.reset();
    scene.bodies[1].inertia.reset();
    scene.bodies[1].type = physics::BodyType::fixed;
    scene.bodies.push_back(full_body());
    scene.bodies[2].type = physics::BodyType::dynamic;
    for (std::size_t i = 0; i < joint_kinds.size(); ++i) {
        const auto kind = static_cast<physics::JointKind>(i);
        physics::JointDef& joint = scene.joints.emplace_back(full_joint(kind));
        joint.body_b = {2, 0};
        if (kind == physics::JointKind::weld || joint.ratio != 1.0f) {
            joint.body_a = {0, 0};
        }
    }
    return scene;
}

inline std::vector<physics::Command> full_commands() {
    using namespace physics;
    SetBody all;
    all.body = {3, 4};
    all.name = "renamed";
    all.type = BodyType::fixed;
    all.position = Vec3(odd_number(1), 2, 3);
    all.orientation = normalized(Quat(4, 3, 2, 1));
    all.linear_velocity = Vec3(odd_number(2));
    all.angular_velocity = Vec3(odd_number(3));
    all.mass = odd_number(4);
    all.inertia = Vec3(odd_number(10), odd_number(11), odd_number(12));
    all.friction = odd_number(5);
    all.restitution = 0.25f;
    all.rolling_resistance = odd_number(6);
    all.linear_damping = odd_number(7);
    all.angular_damping = odd_number(8);
    all.gravity_scale = odd_number(9);
    all.can_sleep = true;
    all.filter = CollisionFilter{17, 5};
    all.locks = std::uint8_t{5};
    SetBody one;
    one.body = {0xfffffffe, 0xffffffff};
    one.gravity_scale = 0.0f;
    return {CreateBody{full_body()},
            DestroyBody{{7, 8}},
            all,
            one,
            ApplyImpulse{{1, 2}, {odd_number(1), 0, -1}, Vec3(odd_number(2), 3, 4)},
            ApplyImpulse{{1, 2}, {0, 0, 5}, std::nullopt},
            CreateBodies{{full_body(), full_body()}, {full_joint(JointKind::hinge)}, {full_joint(JointKind::pulley)}},
            ApplyForce{{1, 2}, {odd_number(1), 0, -1}, {odd_number(5), 6, 7}, Vec3(odd_number(2), 3, 4)},
            ApplyForce{{1, 2}, {0, 0, 5}, {}, std::nullopt},
            MoveKinematic{{2, 3}, {{odd_number(1), -0.0f, 2}, normalized(Quat(1, 2, 3, 4))}},
            Explode{{odd_number(3), 4, 5}, odd_number(6), -odd_number(7), 0x80000005u},
            AddShape{{1, 2}, {Sphere{odd_number(1)}, {{1, odd_number(2), 3}, {}}, true, {}}, 3u},
            AddShape{{1, 2}, {Sphere{1.0f}, {}, false, {odd_number(1), {}, 0.25f}}, {}},
            RemoveShape{{3, 4}, 5},
            SetColour{{5, 6}, Colour{255, 2, 1}},
            SetColour{{5, 6}, {}},
            SetShapeMaterial{{5, 6}, 7, {odd_number(1), {}, {}}, {}},
            SetShapeMaterial{{5, 6}, 0, {}, {{}, {{}, 0.25f, odd_number(2), Colour{1, 2, 255}}}},
            SetMeshMaterials{{5, 6}, 7, {}},
            SetMeshMaterials{{5, 6},
                             1,
                             {"ice", "", "grip"},
                             {{}, {{}, 0.25f, odd_number(2), Colour{1, 2, 255}}, {}},
                             {{0, 1, 2}, {0xfffffff0u, 7, 0xfffe}}},
            SetHeights{{5, 6}, 7, {1, 2, 3, 2}, {odd_number(1), -0.0f, odd_number(2), 1e4f, -1e4f, odd_number(3)}},
            Grab{{5, 6}, {0.1f, 0.2f, 0.3f}, {1, 2, odd_number(3)}, 4.4f, 0.9f, 123.4f},
            MoveGrab{{odd_number(1), odd_number(2), odd_number(3)}},
            ReleaseGrab{},
            CreateJoint{full_joint(JointKind::hinge)},
            DestroyJoint{{9, 10}},
            SetJoint{{11, 12}, full_joint(JointKind::ball)},
            SetSettings{full_settings()}};
}

// Boxes that fall onto a floor and stay awake for the length of a test.
inline Scene falling_boxes(int count = 6) {
    using namespace physics;
    Scene scene;
    scene.name = "Falling boxes";
    BodyDef floor;
    floor.name = "floor";
    floor.type = BodyType::fixed;
    floor.pose.position = {0, 0, -0.5f};
    floor.shapes = {{Box{{20, 20, 0.5f}}, {}}};
    scene.bodies.push_back(floor);
    for (int i = 0; i < count; ++i) {
        BodyDef box;
        box.name = "box " + std::to_string(i);
        box.pose.position = {0.3f * static_cast<float>(i % 3), 0.1f * static_cast<float>(i),
                             1.0f + 1.3f * static_cast<float>(i)};
        box.angular_velocity = {0.5f, 0.2f * static_cast<float>(i), 0};
        box.shapes = {{Box{{0.5f, 0.4f, 0.3f}}, {}}};
        scene.bodies.push_back(box);
    }
    return scene;
}

} // namespace cairn::core::testing
