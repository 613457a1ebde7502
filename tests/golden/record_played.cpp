// Records tests/captures/played.cairn: ten seconds of the sandbox in which every command that there is comes up, as
// somebody at play would give them. What the shipped scenes alone do not guard.
#include "app/core/base/error.h"
#include "app/core/runner/runner.h"

#include <cstdio>

namespace {

using namespace cairn;
using namespace cairn::physics;

constexpr int steps = 600;

BodyDef hammer(float x) {
    BodyDef body;
    body.name = "hammer";
    body.pose.position = {x, 0.5f, 6.0f};
    body.shapes = {{Cylinder{0.09f, 0.8f}, {}}, {Box{{0.42f, 0.2f, 0.2f}}, {{0.0f, 0.0f, 0.9f}, identity_orientation}}};
    body.material.restitution = 0.2f;
    return body;
}

void play(core::Runner& runner, int step) {
    const auto& bodies = runner.current().bodies;
    const auto moving = [&](std::size_t n) { // the n-th from the end that is dynamic
        for (auto body = bodies.rbegin(); body != bodies.rend(); ++body) {
            if (body->type == BodyType::dynamic && n-- == 0) {
                return body->id;
            }
        }
        return BodyId{};
    };
    const auto at = [&](int when) { return step == when; };
    if (step % 60 == 20) {
        runner.submit(CreateBody{hammer(static_cast<float>(step % 7) - 3.0f)});
    }
    if (at(70)) {
        runner.submit(Grab{moving(0), {0.0f, 0.0f, 0.9f}, {0.0f, 0.0f, 5.0f}});
    }
    if (step > 70 && step < 160) {
        const float share = static_cast<float>(step - 70) / 90.0f;
        runner.submit(MoveGrab{{3.0f * share, -2.0f * share, 5.0f}});
    }
    if (at(160)) {
        runner.submit(ReleaseGrab{});
    }
    if (at(200)) {
        SetBody change;
        change.body = moving(3);
        change.name = "made lighter";
        change.mass = 20.0f;
        change.friction = 0.05f;
        change.restitution = 0.8f;
        change.linear_damping = 0.1f;
        change.position = Vec3(0.0f, 0.0f, 7.0f);
        change.orientation = Quat(0.8f, 0.6f, 0.0f, 0.0f);
        change.angular_velocity = Vec3(1.0f, 2.0f, 3.0f);
        runner.submit(change);
    }
    if (at(230)) {
        for (std::size_t i = 0; i < 6; ++i) {
            runner.submit(DestroyBody{moving(10 + 4 * i)});
        }
    }
    if (at(260)) {
        JointDef hinge;
        hinge.name = "between two";
        hinge.kind = JointKind::hinge;
        hinge.body_a = moving(0);
        hinge.body_b = moving(1);
        hinge.frame_a.position = {0.0f, 0.0f, 0.5f};
        hinge.motor = JointMotor{2.0f, 500.0f};
        runner.submit(CreateJoint{hinge});
    }
    if (at(320) && !runner.current().joints.empty()) {
        const JointState& joint = runner.current().joints.back();
        JointDef changed = *joint.def;
        changed.motor.reset();
        changed.limits = JointLimits{-0.5f, 0.5f};
        runner.submit(SetJoint{joint.id, changed});
    }
    if (at(380) && !runner.current().joints.empty()) {
        runner.submit(DestroyJoint{runner.current().joints.back().id});
    }
    if (step >= 400 && step % 10 == 0 && step < 460) {
        runner.submit(ApplyImpulse{moving(static_cast<std::size_t>(step % 23)), {0.0f, 400.0f, 900.0f}, std::nullopt});
    }
    if (at(470)) {
        Settings settings = runner.current().settings;
        settings.gravity = {1.0f, 0.0f, -4.0f};
        settings.substeps = 6;
        runner.submit(SetSettings{settings});
    }
    if (at(530)) {
        Settings settings = runner.current().settings;
        settings.gravity = {0.0f, 0.0f, -9.81f};
        settings.substeps = 4;
        settings.sleeping = false;
        runner.submit(SetSettings{settings});
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: record_played F.cairn\n");
        return 2;
    }
    try {
        core::Runner runner(core::read_scene(core::data_folder() / "scenes" / "sandbox.json"), nullptr, 0);
        runner.start_recording(argv[1]);
        for (int step = 0; step < steps; ++step) {
            play(runner, step);
            runner.step();
        }
        runner.stop_recording();
        for (const std::string& message : runner.take_messages()) {
            std::fprintf(stderr, "%s\n", message.c_str()); // a rejected command guards nothing
        }
    } catch (const core::InputError& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 2;
    }
    return 0;
}
