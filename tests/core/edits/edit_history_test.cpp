#include "tests/core/edits/edit_bench.h"

#include <gtest/gtest.h>

namespace cairn::core {
namespace {

using namespace physics;
using namespace testing;

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

} // namespace
} // namespace cairn::core
