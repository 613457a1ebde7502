// Records tests/captures/played.cairn: ten seconds of the sandbox in which every command that there is comes up, as
// somebody at play would give them. What the shipped scenes alone do not guard.
#include "app/core/base/error.h"
#include "app/core/runner/runner.h"

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

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

// Beside the sandbox, where nothing but what is put there comes: ground, a mesh and a plank that moves.
constexpr Vec3 ground_at{22.0f, 0.0f, 2.0f}, slab_at{22.0f, 9.0f, 2.0f}, plank_at{22.0f, -9.0f, 2.0f};
constexpr std::uint32_t samples = 24, cells = 12; // along each side

BodyDef dune() {
    auto heights = std::make_shared<HeightData>();
    heights->columns = heights->rows = samples;
    heights->spacing = 0.25f;
    for (std::uint32_t i = 0; i < samples * samples; ++i) {
        heights->heights.push_back(0.02f * static_cast<float>(i * 7919 % 11));
    }
    BodyDef body;
    body.name = "dune";
    body.type = BodyType::fixed;
    body.pose.position = ground_at;
    body.shapes = {{HeightField{std::move(heights)}, {}}};
    return body;
}

// Falls towards +x.
BodyDef slab() {
    auto mesh = std::make_shared<MeshData>();
    for (std::uint32_t j = 0; j <= cells; ++j) {
        for (std::uint32_t i = 0; i <= cells; ++i) {
            const float x = 0.5f * static_cast<float>(i) - 3.0f, y = 0.5f * static_cast<float>(j) - 3.0f;
            mesh->vertices.emplace_back(x, y, -0.2f * x);
        }
    }
    for (std::uint32_t j = 0; j < cells; ++j) {
        for (std::uint32_t i = 0; i < cells; ++i) {
            const std::uint32_t a = j * (cells + 1) + i, b = a + 1, c = b + cells + 1, d = c - 1;
            mesh->triangles.push_back({a, b, c});
            mesh->triangles.push_back({a, c, d});
        }
    }
    BodyDef body;
    body.name = "slab";
    body.type = BodyType::fixed;
    body.pose.position = slab_at;
    body.shapes = {{Mesh{std::move(mesh)}, {}}};
    return body;
}

BodyDef crate(const std::string& name, const Vec3& at) {
    BodyDef body;
    body.name = name;
    body.pose.position = at;
    body.shapes = {{Box{Vec3(0.3f)}, {}}};
    return body;
}

BodyDef plank() {
    BodyDef body;
    body.name = "plank";
    body.type = BodyType::kinematic;
    body.pose.position = plank_at;
    body.shapes = {{Box{{2.0f, 1.0f, 0.1f}}, {}}};
    return body;
}

void play_beside(core::Runner& runner, int step) {
    const FrameState& frame = runner.current();
    const auto named = [&](const char* name) {
        for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
            if (frame.models[i]->def.name == name) {
                return frame.bodies[i].id;
            }
        }
        return BodyId{};
    };
    const auto at = [&](int when) { return step == when; };
    if (at(25)) {
        for (const BodyDef& body :
             {dune(), slab(), plank(), crate("rides", plank_at + Vec3(0, 0, 0.45f)),
              crate("stands", ground_at + Vec3(0, 0, 0.6f)), crate("slides", slab_at + Vec3(-2, 0, 0.85f))}) {
            runner.submit(Command(CreateBody{body}));
        }
    }
    if (at(45)) { // a lamp: two bodies, the upper one on a chain from the world
        JointDef between, above;
        between.body_b = {1, 0};
        between.frame_a.position = {0, 0, -0.5f};
        between.frame_b.position = {0, 0, 0.5f};
        above.body_b = {0, 0};
        above.frame_a.position = ground_at + Vec3(0, 0, 5);
        above.frame_b.position = {0, 0, 0.5f};
        runner.submit(Command(
            CreateBodies{{crate("chain", ground_at + Vec3(0, 0, 4.5f)), crate("lamp", ground_at + Vec3(0, 0, 3.5f))},
                         {between},
                         {above}}));
    }
    if (step >= 60 && step < 180) {
        const float angle = 0.05f * static_cast<float>(step - 60);
        runner.submit(Command(MoveKinematic{
            named("plank"), {plank_at + Vec3(0, 1.0f - std::cos(angle), 0), Quat(1.0f, 0.0f, 0.0f, 0.0f)}}));
    }
    if (at(90)) {
        runner.submit(Command(SetHeights{named("dune"), 0, {8, 8, 8, 8}, std::vector<float>(64, 0.5f)}));
    }
    if (at(110)) {
        runner.submit(Command(SetColour{named("stands"), Colour{200, 40, 40}}));
        runner.submit(Command(AddShape{named("stands"), {Sphere{0.3f}, {{0, 0, 0.5f}, identity_orientation}}, {}}));
    }
    if (at(130)) { // the lower half is ice
        runner.submit(Command(SetMeshMaterials{named("slab"), 0, {"felt", "ice"}}));
        std::vector<TriangleRun> runs;
        for (std::uint32_t row = 0; row < cells; ++row) {
            runs.push_back({2 * cells * row + cells, cells, 1});
        }
        runner.submit(Command(
            SetMeshMaterials{named("slab"), 0, {"felt", "ice"}, {{0.9f, {}, {}}, {0.02f, {}, {}}}, std::move(runs)}));
    }
    if (at(170)) {
        runner.submit(Command(SetShapeMaterial{named("slab"), 0, {}, {{0.05f, {}, {}}, {0.02f, {}, {}}}}));
    }
    if (step >= 200 && step < 230) {
        runner.submit(Command(ApplyForce{named("lamp"), {120.0f, 300.0f, 0.0f}, {0, 0, 5}, std::nullopt}));
    }
    if (at(240)) {
        runner.submit(Command(RemoveShape{named("stands"), 0}));
    }
    if (at(330)) {
        runner.submit(Command(Explode{ground_at, 4.0f, 600.0f}));
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
            play_beside(runner, step);
            runner.step();
        }
        runner.stop_recording();
        const std::vector<std::string> messages = runner.take_messages();
        for (const std::string& message : messages) {
            std::fprintf(stderr, "%s\n", message.c_str());
        }
        if (!messages.empty()) { // a rejected command guards nothing
            return 1;
        }
    } catch (const core::InputError& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 2;
    }
    return 0;
}
