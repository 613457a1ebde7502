#include "tests/core/edits/edit_bench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace cairn::core {
namespace {

using namespace physics;
using testing::Bench;

BodyDef named_ball(const Vec3& at, const std::string& name = "ball") {
    BodyDef def;
    def.name = name;
    def.pose.position = at;
    def.shapes = {{Sphere{0.4f}, {}}};
    return def;
}

// All that an author can see of a world but for its handles: bodies by name, joints by name.
struct Seen {
    std::vector<BodyDef> bodies;
    std::vector<JointDef> joints;
    std::vector<std::pair<std::string, std::string>> joined;
    Settings settings;
};

Seen look(const World& world) {
    Seen seen;
    FrameState frame;
    world.publish(frame);
    const auto name = [&](BodyId id) { return id ? world.model(id)->def.name : std::string("world"); };
    for (const BodyState& body : frame.bodies) {
        BodyDef def = world.model(body.id)->def;
        def.pose = body.pose;
        def.linear_velocity = body.linear_velocity;
        def.angular_velocity = body.angular_velocity;
        def.mass = world.model(body.id)->mass; // whether stated or from the shapes
        seen.bodies.push_back(def);
    }
    for (const JointState& joint : frame.joints) {
        JointDef def = *joint.def;
        def.name += "|" + name(def.body_a) + "|" + name(def.body_b);
        def.body_a = def.body_b = BodyId{};
        seen.joints.push_back(def);
    }
    std::sort(seen.bodies.begin(), seen.bodies.end(), [](auto& a, auto& b) { return a.name < b.name; });
    std::sort(seen.joints.begin(), seen.joints.end(), [](auto& a, auto& b) { return a.name < b.name; });
    seen.settings = world.settings();
    return seen;
}

void expect_same(const Seen& a, const Seen& b, const std::string& when) {
    ASSERT_EQ(a.bodies.size(), b.bodies.size()) << when;
    for (std::size_t i = 0; i < a.bodies.size(); ++i) {
        EXPECT_TRUE(a.bodies[i] == b.bodies[i]) << when << ": " << a.bodies[i].name;
    }
    EXPECT_TRUE(a.joints == b.joints) << when;
    EXPECT_TRUE(a.settings == b.settings) << when;
}

TEST(EditHistory, NothingToUndo) {
    Bench bench;
    EXPECT_FALSE(bench.history.can_undo());
    EXPECT_FALSE(bench.history.can_redo());
    EXPECT_EQ(bench.history.undo(bench.world).what, "");
    EXPECT_TRUE(bench.history.redo(bench.world).applied.empty());
}

TEST(EditHistory, WhatWasMadeGoesAndComesBack) {
    Bench bench;
    bench.edit(CreateBody{named_ball({0, 0, 1})});
    EXPECT_EQ(bench.history.undo_what(), "Create ball");
    bench.undo();
    EXPECT_EQ(bench.world.body_count(), 0u);
    EXPECT_EQ(bench.history.redo_what(), "Create ball");
    bench.redo();
    EXPECT_EQ(bench.world.body_count(), 1u);
    bench.undo();
    bench.redo();
    EXPECT_EQ(bench.world.body_count(), 1u);
}

TEST(EditHistory, StepsAreListedTheNextOnesFirst) {
    Bench bench;
    for (const char* what : {"one", "two", "three"}) {
        const std::uint64_t before = bench.history.revision();
        bench.edit(CreateBody{named_ball({0, 0, 1})}, {what});
        EXPECT_GT(bench.history.revision(), before);
    }
    using Names = std::vector<std::string>;
    EXPECT_EQ(bench.history.names(10), (EditNames{Names{"three", "two", "one"}, {}}));
    const std::uint64_t before = bench.history.revision();
    bench.undo();
    bench.undo();
    EXPECT_GT(bench.history.revision(), before);
    EXPECT_EQ(bench.history.names(10), (EditNames{Names{"one"}, Names{"two", "three"}}));
    EXPECT_EQ(bench.history.names(1), (EditNames{Names{"one"}, Names{"two"}}));
    bench.redo();
    EXPECT_EQ(bench.history.names(10), (EditNames{Names{"two", "one"}, Names{"three"}}));
    bench.history.begin();
    EXPECT_EQ(bench.history.names(10), EditNames{});
}

// Edits of a body reach it under the handle that it has after it has gone and come back.
TEST(EditHistory, HandlesFollowABodyThatIsMadeAnew) {
    Bench bench;
    const BodyId made = bench.edit(CreateBody{named_ball({0, 0, 1})}).created;
    SetBody set;
    set.body = made;
    set.position = Vec3(3, 0, 1);
    bench.edit(set);
    bench.undo();
    bench.undo();
    bench.redo();
    bench.redo();
    ASSERT_EQ(bench.world.body_ids().size(), 1u);
    const BodyId now = bench.world.body_ids().front();
    EXPECT_FALSE(now == made);
    EXPECT_EQ(bench.world.state(now)->pose.position, Vec3(3, 0, 1));
    // An edit made under the new handle, taken back after the body has gone and come again.
    set.body = now;
    set.position = Vec3(5, 0, 1);
    bench.edit(set);
    for (int i = 0; i < 3; ++i) {
        bench.undo();
    }
    for (int i = 0; i < 3; ++i) {
        bench.redo();
    }
    EXPECT_EQ(bench.world.state(bench.world.body_ids().front())->pose.position, Vec3(5, 0, 1));
    EXPECT_FALSE(bench.history.can_redo());
}

TEST(EditHistory, DeletedBodyComesBackWithItsJointsWhereItWas) {
    Bench bench;
    const BodyId a = bench.edit(CreateBody{named_ball({0, 0, 5}, "a")}).created;
    const BodyId b = bench.edit(CreateBody{named_ball({1, 0, 5}, "b")}).created;
    JointDef hinge;
    hinge.name = "link";
    hinge.body_a = a;
    hinge.body_b = b;
    hinge.frame_a.position = Vec3(0.5f, 0, 0);
    hinge.frame_b.position = Vec3(-0.5f, 0, 0);
    bench.edit(CreateJoint{hinge});
    for (int i = 0; i < 10; ++i) {
        bench.world.step();
    }
    const Seen before = look(bench.world);
    bench.edit(DestroyBody{a});
    EXPECT_EQ(look(bench.world).joints.size(), 0u);
    bench.undo();
    expect_same(look(bench.world), before, "undone");
    bench.redo();
    EXPECT_EQ(bench.world.body_count(), 1u);
    bench.undo();
    expect_same(look(bench.world), before, "undone again");
    bench.undo(); // the joint
    EXPECT_EQ(look(bench.world).joints.size(), 0u);
}

TEST(EditHistory, EditsOfOneGestureAreOne) {
    Bench bench;
    for (int i = 0; i < 4; ++i) {
        bench.edit(CreateBody{named_ball({float(i), 0, 1}, "ball " + std::to_string(i))}, {"Spawn 4 balls", 7});
    }
    EXPECT_EQ(bench.history.undo_what(), "Spawn 4 balls");
    Settings settings = bench.world.settings();
    for (int i = 0; i < 50; ++i) { // a slider
        settings.gravity.z = -float(i);
        bench.edit(SetSettings{settings}, {"Gravity", 8});
    }
    const std::size_t bytes = bench.history.bytes();
    settings.gravity.z = 1.0f;
    bench.edit(SetSettings{settings}, {"Gravity", 8});
    EXPECT_EQ(bench.history.bytes(), bytes) << "dragging on must not take memory";
    bench.undo();
    EXPECT_EQ(bench.world.settings().gravity.z, Settings{}.gravity.z);
    EXPECT_EQ(bench.world.body_count(), 4u);
    bench.undo();
    EXPECT_EQ(bench.world.body_count(), 0u);
    bench.redo();
    bench.redo();
    EXPECT_EQ(bench.world.body_count(), 4u);
    EXPECT_EQ(bench.world.settings().gravity.z, 1.0f);
}

TEST(EditHistory, WhatIsGivenUpIsNoEdit) {
    Bench bench;
    bench.edit(CreateBody{named_ball({0, 0, 1}, "ball")}, {"Spawn", 1});
    Settings settings = bench.world.settings();
    settings.gravity.z = -1.0f;
    bench.edit(SetSettings{settings}, {"Gravity", 2});
    EXPECT_TRUE(bench.history.give_up(bench.world, 1).applied.empty()) << "not the last one";
    EXPECT_TRUE(bench.history.give_up(bench.world, 0).applied.empty());
    EXPECT_EQ(bench.history.undo_what(), "Gravity");
    EXPECT_EQ(bench.history.give_up(bench.world, 2).applied.size(), 1u);
    EXPECT_EQ(bench.world.settings().gravity.z, Settings{}.gravity.z);
    EXPECT_EQ(bench.history.undo_what(), "Spawn");
    EXPECT_FALSE(bench.history.can_redo());
}

TEST(EditHistory, SeveralBodiesMovedInTurnAreKeptOnce) {
    Bench bench;
    const BodyId a = bench.edit(CreateBody{named_ball({0, 0, 1}, "a")}).created;
    const BodyId b = bench.edit(CreateBody{named_ball({5, 0, 1}, "b")}).created;
    const Seen before = look(bench.world);
    std::size_t bytes = 0;
    for (int i = 0; i < 200; ++i) {
        for (const BodyId body : {a, b}) {
            SetBody set;
            set.body = body;
            set.position = Vec3(static_cast<float>(body.index), 0.1f * static_cast<float>(i), 2.0f);
            bench.edit(set, {"Move 2 bodies", 9});
        }
        if (i == 0) {
            bytes = bench.history.bytes();
        }
        EXPECT_EQ(bench.history.bytes(), bytes);
    }
    const Seen after = look(bench.world);
    bench.undo();
    expect_same(look(bench.world), before, "undone");
    bench.redo();
    expect_same(look(bench.world), after, "done again");
}

TEST(EditHistory, PushesInARowAreOneMomentum) {
    Bench bench;
    const BodyId a = bench.edit(CreateBody{named_ball({0, 0, 1}, "a")}).created;
    const BodyId b = bench.edit(CreateBody{named_ball({5, 0, 1}, "b")}).created;
    const Seen before = look(bench.world);
    std::size_t bytes = 0;
    for (int i = 0; i < 8; ++i) {
        for (const BodyId body : {a, b}) {
            bench.edit(ApplyImpulse{body, Vec3(16.0f, 0.0f, 8.0f), std::nullopt}, {"Push", 4});
        }
        if (i == 0) {
            bytes = bench.history.bytes();
        }
        EXPECT_EQ(bench.history.bytes(), bytes);
    }
    const Vec3 reached = bench.world.state(b)->linear_velocity;
    EXPECT_GT(reached.x, 0.0f);
    bench.undo();
    expect_same(look(bench.world), before, "undone");
    bench.redo();
    EXPECT_LT(glm::length(bench.world.state(b)->linear_velocity - reached), 1e-5f);
    // One at a point turns the body as well: it stays an edit's step of its own.
    bench.edit(ApplyImpulse{a, Vec3(1.0f, 0.0f, 0.0f), Vec3(0.0f, 0.0f, 1.3f)}, {"Push", 5});
    bench.edit(ApplyImpulse{a, Vec3(1.0f, 0.0f, 0.0f), Vec3(0.0f, 0.0f, 0.7f)}, {"Push", 5});
    const Seen pushed = look(bench.world);
    bench.undo();
    bench.redo();
    expect_same(look(bench.world), pushed, "both, at their points");
}

TEST(EditHistory, DragIsOneEditFromWhereItBegan) {
    Bench bench;
    Settings weightless;
    weightless.gravity = Vec3(0.0f);
    bench.world.apply(SetSettings{weightless});
    const BodyId id = bench.world.apply(CreateBody{named_ball({0, 0, 1})}).created;
    Grab grab;
    grab.body = id;
    grab.target = Vec3(0, 0, 1);
    bench.edit(grab);
    for (int i = 0; i < 60; ++i) {
        bench.edit(MoveGrab{Vec3(0.05f * float(i), 0, 1)});
        bench.world.step();
    }
    bench.edit(ReleaseGrab{});
    const Vec3 end = bench.world.state(id)->pose.position;
    EXPECT_GT(end.x, 1.0f);
    EXPECT_EQ(bench.history.undo_what(), "Drag ball");
    bench.undo();
    EXPECT_EQ(bench.world.state(id)->pose.position, Vec3(0, 0, 1));
    EXPECT_EQ(bench.world.state(id)->linear_velocity, Vec3(0));
    EXPECT_FALSE(bench.history.can_undo());
    bench.redo();
    EXPECT_EQ(bench.world.state(id)->pose.position, end);

    // Undone while it is held: it is let go of and goes back.
    bench.edit(grab);
    bench.edit(MoveGrab{Vec3(9, 0, 1)});
    bench.world.step();
    bench.undo();
    FrameState frame;
    bench.world.publish(frame);
    EXPECT_FALSE(frame.grab.active);
    EXPECT_EQ(bench.world.state(id)->pose.position, end);
}

TEST(EditHistory, ManyBodiesAtOnceAreOneEdit) {
    Bench bench;
    const BodyId hook = bench.edit(CreateBody{named_ball({0, 0, 9}, "hook")}).created;
    CreateBodies many;
    many.bodies = {named_ball({0, 0, 5}, "one"), named_ball({2, 0, 5}, "two")};
    JointDef joint;
    joint.name = "between";
    joint.body_a = {0, 0};
    joint.body_b = {1, 0};
    JointDef tie;
    tie.name = "tie";
    tie.body_a = hook;
    tie.body_b = {1, 0};
    many.joints = {joint};
    many.ties = {tie};
    const Seen before = look(bench.world);
    bench.edit(many);
    const Seen after = look(bench.world);
    ASSERT_EQ(after.joints.size(), 2u);
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(bench.history.undo_what(), "Create 2 bodies");
        bench.undo();
        expect_same(look(bench.world), before, "undone");
        bench.redo();
        expect_same(look(bench.world), after, "done again");
    }
}

TEST(EditHistory, ForcesExplosionsAndDrivenBodiesAreTakenBack) {
    Bench bench;
    Settings weightless; // nothing moves but what is pushed
    weightless.gravity = Vec3(0.0f);
    bench.edit(SetSettings{weightless});
    const BodyId ball = bench.edit(CreateBody{named_ball({0, 0, 5})}).created;
    BodyDef lift = named_ball({0, 0, 2}, "lift");
    lift.type = BodyType::kinematic;
    const BodyId lifted = bench.edit(CreateBody{lift}).created;
    const std::uint64_t built = bench.history.version();
    const Seen before = look(bench.world);
    const float mass = bench.world.model(ball)->mass;
    for (const Command& push : std::vector<Command>{ApplyForce{ball, Vec3(60 * mass, 0, 0), Vec3(0.0f), {}},
                                                    Explode{Vec3(0, 0, 4), 3.0f, mass, 0xffffffffu},
                                                    MoveKinematic{lifted, {Vec3(0, 0, 2.1f), identity_orientation}}}) {
        bench.edit(push);
        bench.world.step();
        EXPECT_FALSE(look(bench.world).bodies == before.bodies);
        bench.undo();
        expect_same(look(bench.world), before, "command " + std::to_string(push.index()));
    }
    EXPECT_EQ(bench.history.version(), built) << "nothing was built";
}

TEST(EditHistory, ColoursAreTakenBackAndLiveThroughADeletion) {
    Bench bench;
    BodyDef def = named_ball({0, 0, 5});
    def.colour = Colour{1, 2, 3};
    const BodyId body = bench.edit(CreateBody{def}).created;
    const std::uint64_t built = bench.history.version();
    const std::size_t bytes = bench.history.bytes();
    std::size_t bytes_of_one = 0;
    for (std::uint8_t red = 10; red < 20; ++red) { // as while a picker is dragged
        bench.edit(SetColour{body, Colour{red, 0, 0}}, {"", 7});
        bytes_of_one = red == 10 ? bench.history.bytes() : bytes_of_one;
    }
    EXPECT_EQ(bench.history.bytes(), bytes_of_one) << "a drag grows the history";
    EXPECT_GT(bytes_of_one, bytes);
    EXPECT_EQ(bench.history.names(1).undo.at(0), "Colour ball");
    EXPECT_NE(bench.history.version(), built) << "there is something to save";
    const auto colour = [&] {
        FrameState frame;
        bench.world.publish(frame);
        return frame.models.at(0)->def.colour;
    };
    bench.undo();
    EXPECT_EQ(colour(), (Colour{1, 2, 3}));
    bench.redo();
    EXPECT_EQ(colour(), (Colour{19, 0, 0}));
    bench.edit(SetColour{body, {}});
    EXPECT_EQ(colour(), std::nullopt);
    bench.undo();
    bench.edit(DestroyBody{body});
    bench.undo(); // another handle
    EXPECT_EQ(colour(), (Colour{19, 0, 0}));
    bench.undo();
    EXPECT_EQ(colour(), (Colour{1, 2, 3}));
}

TEST(EditHistory, MaterialsOfShapesAreTakenBack) {
    Bench bench;
    BodyDef def = named_ball({0, 0, 5});
    def.shapes.push_back({Box{Vec3(0.3f)}, {Vec3(1, 0, 0), identity_orientation}, false, {}});
    const BodyId body = bench.edit(CreateBody{def}).created;
    const std::shared_ptr<const BodyModel> before = bench.world.model(body);
    const std::uint64_t built = bench.history.version();
    std::size_t bytes_of_one = 0;
    for (int i = 1; i <= 5; ++i) { // as while a field is dragged
        bench.edit(SetShapeMaterial{body, 1, {0.1f * static_cast<float>(i), {}, {}}, {}}, {"", 7});
        bytes_of_one = i == 1 ? bench.history.bytes() : bytes_of_one;
    }
    EXPECT_EQ(bench.history.bytes(), bytes_of_one) << "a drag grows the history";
    EXPECT_NE(bench.history.version(), built) << "there is something to save";
    EXPECT_EQ(bench.history.names(1).undo.at(0), "Change the material of ball");
    EXPECT_EQ(bench.world.model(body)->def.shapes[1].material.friction, 0.5f);
    EXPECT_EQ(bench.world.model(body)->def.shapes[0].material.friction, std::nullopt);
    // Another shape in the same gesture is not the same.
    bench.edit(SetShapeMaterial{body, 0, {{}, {}, {}, Colour{1, 2, 3}}, {}}, {"", 7});
    const std::shared_ptr<const BodyModel> after = bench.world.model(body);
    bench.undo();
    EXPECT_EQ(bench.world.model(body), before);
    bench.redo();
    EXPECT_EQ(bench.world.model(body), after);
    bench.edit(DestroyBody{body});
    bench.undo(); // another handle
    bench.undo();
    FrameState frame;
    bench.world.publish(frame);
    EXPECT_EQ(frame.models.at(0), before);
}

TEST(EditHistory, ShapesComeAndGo) {
    Bench bench;
    const BodyId body = bench.edit(CreateBody{named_ball({0, 0, 5})}).created;
    const std::shared_ptr<const BodyModel> before = bench.world.model(body);
    const ShapeDef shape{Box{Vec3(0.5f)}, {Vec3(2, 0, 0), identity_orientation}, true, {0.25f, {}, {}}};
    bench.edit(AddShape{body, shape, 0u});
    const std::shared_ptr<const BodyModel> both = bench.world.model(body);
    ASSERT_EQ(both->def.shapes.size(), 2u);
    EXPECT_EQ(bench.history.names(1).undo.at(0), "Add a shape to " + before->def.name);
    bench.edit(RemoveShape{body, 0});
    EXPECT_EQ(bench.world.model(body), before);
    bench.undo();
    EXPECT_EQ(bench.world.model(body), both);
    bench.undo();
    EXPECT_EQ(bench.world.model(body), before);
    bench.redo();
    EXPECT_EQ(bench.world.model(body), both);
    bench.edit(AddShape{body, shape, {}});
    bench.undo();
    EXPECT_EQ(bench.world.model(body), both);
}

TEST(EditHistory, AShapeIsReplacedAsOneEdit) {
    Bench bench;
    BodyDef def = named_ball({0, 0, 5});
    def.shapes.push_back({Box{Vec3(0.3f)}, {Vec3(1, 0, 0), identity_orientation}, false, {}});
    def.shapes.push_back({Capsule{0.2f, 0.3f}, {Vec3(0, 1, 0), identity_orientation}, false, {}});
    const BodyId body = bench.edit(CreateBody{def}).created;
    const std::shared_ptr<const BodyModel> before = bench.world.model(body);
    const std::size_t bytes = bench.history.bytes();
    std::size_t bytes_of_one = 0;
    for (int i = 1; i <= 5; ++i) { // as while a field is dragged
        std::vector<Command> applied;
        const ShapeDef wider{Box{Vec3(0.3f + 0.1f * static_cast<float>(i))}, def.shapes[1].pose, false, {0.9f, {}, {}}};
        EXPECT_TRUE(bench.history.apply(bench.world, ReplaceShape{body, 1, wider}, {"", 7}, applied).ok());
        ASSERT_EQ(applied.size(), 2u);
        EXPECT_EQ(applied[0], Command(AddShape{body, wider, 1u}));
        EXPECT_EQ(applied[1], Command(RemoveShape{body, 2}));
        EXPECT_EQ(bench.world.model(body)->def.shapes[1], wider);
        bytes_of_one = i == 1 ? bench.history.bytes() : bytes_of_one;
    }
    EXPECT_EQ(bench.history.bytes(), bytes_of_one) << "a drag grows the history";
    EXPECT_GT(bytes_of_one, bytes);
    const std::shared_ptr<const BodyModel> after = bench.world.model(body);
    EXPECT_GT(after->mass, before->mass);
    EXPECT_EQ(after->def.shapes[2], def.shapes[2]);
    EXPECT_EQ(bench.history.names(1).undo.at(0), "Change a shape of ball");
    bench.undo();
    EXPECT_EQ(bench.world.model(body), before);
    bench.redo();
    EXPECT_EQ(bench.world.model(body), after);
    bench.undo();
    EXPECT_EQ(bench.world.model(body), before);
    // Another place in the same gesture is not the same shape.
    std::vector<Command> applied;
    const ShapeDef ball{Sphere{0.1f}, {}};
    for (const std::uint32_t place : {0u, 2u}) {
        EXPECT_TRUE(bench.history.apply(bench.world, ReplaceShape{body, place, ball}, {"", 8}, applied).ok());
    }
    bench.undo();
    EXPECT_EQ(bench.world.model(body), before);
}

TEST(EditHistory, ShapesOfSeveralBodiesAreReplacedAsOneEdit) {
    Bench bench;
    std::vector<BodyId> bodies;
    std::vector<std::shared_ptr<const BodyModel>> before;
    for (int i = 0; i < 3; ++i) {
        bodies.push_back(bench.edit(CreateBody{named_ball({3.0f * static_cast<float>(i), 0, 5})}).created);
        before.push_back(bench.world.model(bodies.back()));
    }
    std::size_t bytes_of_one = 0;
    for (int i = 1; i <= 5; ++i) { // as while a field is dragged
        for (const BodyId body : bodies) {
            std::vector<Command> applied;
            const ShapeDef ball{Sphere{0.1f * static_cast<float>(i)}, {}};
            EXPECT_TRUE(bench.history.apply(bench.world, ReplaceShape{body, 0, ball}, {"Change", 7}, applied).ok());
        }
        bytes_of_one = i == 1 ? bench.history.bytes() : bytes_of_one;
    }
    EXPECT_EQ(bench.history.bytes(), bytes_of_one) << "a drag grows the history";
    bench.undo();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        EXPECT_EQ(bench.world.model(bodies[i]), before[i]);
    }
    bench.redo();
    for (const BodyId body : bodies) {
        EXPECT_EQ(bench.world.model(body)->def.shapes[0].geometry, Geometry(Sphere{0.5f}));
    }
}

TEST(EditHistory, AShapeThatIsRejectedLeavesTheOldOne) {
    Bench bench;
    BodyDef def = named_ball({0, 0, 5});
    def.shapes.push_back({Box{Vec3(0.3f)}, {Vec3(1, 0, 0), identity_orientation}, true, {}});
    const BodyId body = bench.edit(CreateBody{def}).created;
    const std::shared_ptr<const BodyModel> before = bench.world.model(body);
    const auto error_of = [&](const ReplaceShape& change, std::size_t commands) {
        std::vector<Command> applied;
        const CommandResult result = bench.history.apply(bench.world, change, {}, applied);
        EXPECT_EQ(applied.size(), commands);
        EXPECT_EQ(bench.world.model(body), before) << result.error;
        EXPECT_EQ(bench.history.names(1).undo.at(0), "Create ball") << result.error;
        return result.error;
    };
    EXPECT_NE(error_of({body, 0, {Sphere{-1.0f}, {}}}, 0).find("shape 0: the radius"), std::string::npos);
    EXPECT_NE(error_of({body, 2, {Sphere{1.0f}, {}}}, 0).find("no shape 2"), std::string::npos);
    EXPECT_NE(error_of({{9, 9}, 0, {Sphere{1.0f}, {}}}, 0), "");
    // Only without the old one it is wrong: nothing solid is left.
    EXPECT_NE(error_of({body, 0, {Sphere{0.4f}, {}, true, {}}}, 2).find("state its mass"), std::string::npos);
}

TEST(EditHistory, NewEditForgetsWhatWasUndone) {
    Bench bench;
    bench.edit(CreateBody{named_ball({0, 0, 1})});
    bench.undo();
    bench.edit(CreateBody{named_ball({1, 0, 1})});
    EXPECT_FALSE(bench.history.can_redo());
    EXPECT_TRUE(bench.history.redo(bench.world).what.empty());
}

TEST(EditHistory, RejectedCommandsAreNoEdits) {
    Bench bench;
    EXPECT_FALSE(bench.history.apply(bench.world, DestroyBody{BodyId{3, 1}}, {}).ok());
    BodyDef bad = named_ball({0, 0, 1});
    bad.mass = -1.0f;
    EXPECT_FALSE(bench.history.apply(bench.world, CreateBody{bad}, {}).ok());
    EXPECT_FALSE(bench.history.can_undo());
    EXPECT_EQ(bench.history.bytes(), 0u);
}

TEST(EditHistory, OldestAreForgottenForMemory) {
    Bench bench;
    bench.history = EditHistory(20000);
    for (int i = 0; i < 500; ++i) {
        bench.edit(CreateBody{named_ball({float(i % 20) * 2.0f, float(i / 20) * 2.0f, 1})});
        ASSERT_LE(bench.history.bytes(), 20000u);
    }
    int undone = 0;
    while (bench.history.can_undo()) {
        bench.undo();
        ++undone;
    }
    EXPECT_GT(undone, 5);
    EXPECT_LT(undone, 100);
    EXPECT_EQ(bench.world.body_count(), 500u - std::size_t(undone));
}

// A tensor that was given cannot be taken away by setting another: the body is made anew, as it is now.
TEST(EditHistory, TensorGivenIsTakenAway) {
    Bench bench;
    const BodyId id = bench.world.apply(CreateBody{named_ball({0, 0, 1})}).created;
    const Seen before = look(bench.world);
    SetBody set;
    set.body = id;
    set.inertia = Vec3(30, 40, 50);
    bench.edit(set);
    bench.undo();
    expect_same(look(bench.world), before, "undone");
    EXPECT_FALSE(bench.world.model(bench.world.body_ids().front())->def.inertia.has_value());
    bench.redo();
    EXPECT_EQ(bench.world.model(bench.world.body_ids().front())->def.inertia, Vec3(30, 40, 50));
}

// Any edits in any order, taken back one by one and done again: at each point the world is what it was there.
TEST(EditHistory, AnyEditsThereAndBack) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        std::mt19937 random(seed);
        const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
        const auto number = [&] { return static_cast<float>(below(1000)) * 0.01f; };
        const auto place = [&] {
            const float x = number();
            const float y = number();
            return Vec3(x, y, number());
        };
        Bench bench;
        int made = 0;
        std::vector<Seen> seen{look(bench.world)};
        while (seen.size() < 40) {
            const std::vector<BodyId> ids = bench.world.body_ids();
            FrameState frame;
            bench.world.publish(frame);
            const std::size_t kind = ids.size() < 2 ? 0 : below(9);
            Command command;
            if (kind <= 1) {
                command = CreateBody{named_ball(place(), "ball " + std::to_string(made++))};
            } else if (kind == 2) {
                command = DestroyBody{ids[below(ids.size())]};
            } else if (kind <= 4) {
                SetBody set;
                set.body = ids[below(ids.size())];
                if (below(2) == 0) {
                    set.position = place();
                }
                if (below(2) == 0) {
                    set.linear_velocity = place();
                }
                if (below(4) == 0) {
                    set.mass = 1.0f + number();
                }
                if (below(6) == 0) {
                    set.inertia = Vec3(5.0f + number());
                }
                if (below(4) == 0) {
                    set.type = static_cast<BodyType>(below(3));
                }
                if (below(4) == 0) {
                    set.friction = 0.1f * number();
                }
                command = set;
            } else if (kind == 5) {
                ApplyImpulse push;
                push.body = ids[below(ids.size())];
                push.impulse = place();
                command = push;
            } else if (kind == 6) {
                Settings settings = bench.world.settings();
                settings.gravity = place();
                command = SetSettings{settings};
            } else if (kind == 7 || frame.joints.empty()) {
                JointDef joint;
                joint.name = "joint " + std::to_string(made++);
                const std::size_t a = below(ids.size());
                joint.body_a = ids[a];
                joint.body_b = ids[(a + 1 + below(ids.size() - 1)) % ids.size()];
                command = CreateJoint{joint};
            } else {
                command = DestroyJoint{frame.joints[below(frame.joints.size())].id};
            }
            if (bench.history.apply(bench.world, command, {}).ok()) {
                seen.push_back(look(bench.world));
            }
        }
        std::size_t at = seen.size() - 1;
        for (int n = 0; n < 200; ++n) { // to and fro, ending where it began
            const bool back = n >= 160 || below(5) < 3;
            if (back && at > 0) {
                bench.undo();
                --at;
            } else if (!back && at + 1 < seen.size()) {
                bench.redo();
                ++at;
            }
            expect_same(look(bench.world), seen[at],
                        "seed " + std::to_string(seed) + ", after edit " + std::to_string(at));
            if (HasFailure()) {
                return;
            }
        }
        EXPECT_EQ(at, 0u);
        EXPECT_FALSE(bench.history.can_undo());
    }
}

TEST(EditHistory, TheVersionTellsWhatIsToBeSaved) {
    World world;
    EditHistory edits;
    EXPECT_EQ(edits.version(), 0u);
    const BodyId first = edits.apply(world, CreateBody{named_ball({0, 0, 1})}, {}).created;
    const std::uint64_t one = edits.version();
    EXPECT_NE(one, 0u);
    // What plays with what is there is nothing to save.
    ASSERT_TRUE(edits.apply(world, ApplyImpulse{first, {0, 0, 1}, std::nullopt}, {}).ok());
    EditMark play;
    play.play = true;
    ASSERT_TRUE(edits.apply(world, CreateBody{named_ball({3, 0, 1})}, play).ok());
    EXPECT_EQ(edits.version(), one);
    ASSERT_TRUE(edits.apply(world, CreateBody{named_ball({6, 0, 1})}, {}).ok());
    const std::uint64_t two = edits.version();
    EXPECT_NE(two, one);
    edits.undo(world);
    EXPECT_EQ(edits.version(), one);
    edits.redo(world);
    EXPECT_EQ(edits.version(), two);
    edits.undo(world);
    // Another edit in its place is another version, though as many were made.
    ASSERT_TRUE(edits.apply(world, CreateBody{named_ball({9, 0, 1})}, {}).ok());
    EXPECT_NE(edits.version(), two);
    EXPECT_NE(edits.version(), one);
    const std::uint64_t three = edits.version();
    edits.clear(); // the world went to another step: what was built stays to be saved
    EXPECT_EQ(edits.version(), three);
    edits.begin();
    EXPECT_EQ(edits.version(), 0u);
}

// A gesture that goes on is another version each time, or a save in its middle would hide the rest.
TEST(EditHistory, AGestureThatGoesOnIsAnotherVersion) {
    World world;
    EditHistory edits;
    ASSERT_TRUE(edits.apply(world, CreateBody{named_ball({0, 0, 1})}, {"Spawn", 7}).ok());
    const std::uint64_t one = edits.version();
    ASSERT_TRUE(edits.apply(world, CreateBody{named_ball({3, 0, 1})}, {"Spawn", 7}).ok());
    EXPECT_NE(edits.version(), one);
    edits.undo(world);
    EXPECT_EQ(edits.version(), 0u);
}

} // namespace
} // namespace cairn::core
