// What bodies share, what a world counts, and what it puts off until somebody asks.
#include "physics/world/state_image.h"
#include "physics/world/store/body_kind.h"
#include "tests/physics/joints/joint_builder.h"

#include <memory>
#include <random>
#include <string>
#include <variant>
#include <vector>

namespace cairn::physics::testing {
namespace {

TEST(BodyKinds, BodiesMadeAlikeShareOne) {
    World world;
    BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 1));
    const BodyId first = add(world, def);
    def.pose.position.x = 5.0f;
    def.linear_velocity = Vec3(0, 1, 0);
    const BodyId second = add(world, def);
    def.material.friction = 0.1f;
    const BodyId slippery = add(world, def);
    def.material.friction = 0.5f;
    def.name = "third";
    const BodyId named = add(world, def);
    EXPECT_EQ(world.model(first), world.model(second));
    EXPECT_NE(world.model(first), world.model(slippery));
    EXPECT_NE(world.model(first), world.model(named));
    EXPECT_EQ(world.model(named)->def.name, "third");
    EXPECT_EQ(state_of(world, second).pose.position, Vec3(5, 0, 1)) << "places are their own";
}

TEST(BodyKinds, AChangeOfOneLeavesTheOthers) {
    World world(weightless());
    const BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(0.0f));
    const BodyId changed = add(world, def);
    BodyDef beside = def;
    beside.pose.position.x = 3.0f;
    const BodyId other = add(world, beside);
    SetBody change;
    change.body = changed;
    change.mass = 10.0f;
    ASSERT_TRUE(world.apply(change).ok());
    EXPECT_EQ(world.model(changed)->mass, 10.0f);
    EXPECT_EQ(world.model(other)->mass, 1000.0f);
    change.mass = 1000.0f; // stated now, where the other's follows from its density
    ASSERT_TRUE(world.apply(change).ok());
    EXPECT_NE(world.model(changed), world.model(other));

    // The first to go takes nothing along.
    ASSERT_TRUE(world.apply(DestroyBody{changed}).ok());
    ASSERT_TRUE(world.apply(ApplyImpulse{other, Vec3(1000, 0, 0), {}}).ok());
    EXPECT_EQ(state_of(world, other).linear_velocity, Vec3(1, 0, 0));
}

// Repeats of a scene have names of their own.
TEST(BodyKinds, NamesAreNoReasonNotToShare) {
    constexpr int count = 500;
    const auto kinds_of = [](bool names) {
        World world(weightless());
        for (int i = 0; i < count; ++i) {
            BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(2.0f * static_cast<float>(i), 0, 0));
            def.name = names ? "box " + std::to_string(i) : std::string("box");
            const BodyId body = add(world, def);
            EXPECT_EQ(world.model(body)->def.name, def.name);
        }
        return world.memory_use().kinds;
    };
    BodyKindLibrary library;
    BodyDef one = make_body(Box{Vec3(0.5f)}, Vec3(0.0f)), other = one;
    one.name = "one";
    other.name = "other";
    const auto kind = std::get<std::shared_ptr<const BodyKind>>(library.get(one));
    EXPECT_EQ(kind, std::get<std::shared_ptr<const BodyKind>>(library.get(other)));
    EXPECT_EQ(library.named(kind, "one"), library.named(kind, "one"));
    EXPECT_EQ(library.named(kind, "other")->def.name, "other");
    EXPECT_EQ(library.named(kind, ""), kind);
    // What names cost is less than a kind each.
    EXPECT_LT(kinds_of(true) - kinds_of(false), count * (sizeof(BodyKind) + sizeof(BodyModel::Part)));

    World world(weightless());
    const BodyId first = add(world, one), second = add(world, other);
    SetBody change;
    change.body = first;
    change.friction = 0.1f;
    ASSERT_TRUE(world.apply(change).ok());
    EXPECT_EQ(world.model(first)->def.name, "one");
    change = {};
    change.body = second;
    change.name = "renamed";
    ASSERT_TRUE(world.apply(change).ok());
    EXPECT_EQ(world.model(second)->def.name, "renamed");
    EXPECT_EQ(world.model(first)->def.material.friction, 0.1f);
    World loaded;
    ASSERT_EQ(loaded.load(world.image()), "");
    EXPECT_EQ(loaded.model(first)->def.name, "one");
    EXPECT_EQ(loaded.model(second)->def.name, "renamed");
    EXPECT_EQ(loaded.hash(), world.hash());
}

// A colour is for people: whatever is done with it, the motion and the hashes are as without it.
TEST(BodyKinds, ColoursAreKeptAndChangeNothingElse) {
    constexpr Colour red{255, 0, 0}, blue{1, 2, 250};
    World plain, world;
    BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f));
    for (World* one : {&plain, &world}) {
        add(*one, make_floor());
        const BodyId box = add(*one, def);
        for (int step = 0; step < 120; ++step) {
            one->step();
        }
        ASSERT_TRUE(one->state(box)->sleeping);
        def.colour = red; // of the second world's box
    }
    const BodyId box = world.body_ids().at(1);
    const std::uint64_t hash = plain.hash();
    EXPECT_EQ(world.model(box)->def.colour, red);
    EXPECT_EQ(plain.model(box)->def.colour, std::nullopt);
    EXPECT_EQ(world.hash(), hash);

    const auto kind_before = world.memory_use().kinds;
    ASSERT_TRUE(world.apply(SetColour{box, blue}).ok());
    EXPECT_EQ(world.model(box)->def.colour, blue);
    EXPECT_TRUE(world.state(box)->sleeping) << "a colour wakes nobody";
    EXPECT_EQ(world.hash(), hash);
    EXPECT_LT(world.memory_use().kinds - kind_before, sizeof(BodyKind)) << "the prototype is shared";
    FrameState frame;
    world.publish(frame);
    EXPECT_EQ(frame.models.at(1)->def.colour, blue);
    EXPECT_FALSE(world.apply(SetColour{{77, 0}, blue}).ok());

    // Other commands, snapshots and loading keep it.
    World loaded;
    ASSERT_EQ(loaded.load(world.image()), "");
    EXPECT_EQ(loaded.model(box)->def.colour, blue);
    for (World* one : {&world, &plain}) {
        SetBody change;
        change.body = box;
        change.name = "box";
        change.friction = 0.1f;
        ASSERT_TRUE(one->apply(change).ok());
        ASSERT_TRUE(one->apply(AddShape{box, {Sphere{0.2f}, {Vec3(0, 0, 1), identity_orientation}}, {}}).ok());
        one->step();
    }
    EXPECT_EQ(world.model(box)->def.colour, blue);
    EXPECT_EQ(world.model(box)->def.name, "box");
    EXPECT_EQ(world.hash(), plain.hash());
    ASSERT_TRUE(world.apply(SetColour{box, {}}).ok());
    EXPECT_EQ(world.model(box)->def, plain.model(box)->def);
}

TEST(BodyKinds, ThousandsOfDifferentOnesComeAndGo) {
    World world(weightless());
    const std::size_t empty = world.memory_use().kinds;
    for (int round = 0; round < 20; ++round) {
        std::vector<BodyId> bodies;
        for (int i = 0; i < 100; ++i) {
            const float size = 0.1f + 0.001f * static_cast<float>(100 * round + i);
            bodies.push_back(add(world, make_body(Box{Vec3(size)}, Vec3(10.0f * static_cast<float>(i), 0, 0))));
        }
        for (const BodyId body : bodies) {
            ASSERT_TRUE(world.apply(DestroyBody{body}).ok());
        }
    }
    EXPECT_LT(world.memory_use().kinds - empty, 400u * 200u) << "of two rounds, not of all";
}

TEST(MemoryUse, TellsWhatBodiesTake) {
    World world(without_sleep());
    add(world, make_floor());
    for (int i = 0; i < 1000; ++i) {
        add(world, make_body(Box{Vec3(0.45f)}, Vec3(static_cast<float>(i % 32), static_cast<float>(i / 32), 0.45f)));
    }
    const MemoryUse before = world.memory_use();
    EXPECT_LT(before.kinds, 4000u) << "they are all alike";
    EXPECT_GE(before.bodies, 1000u * sizeof(Transform));
    EXPECT_LT(before.bodies, 1000u * 500u);
    EXPECT_EQ(before.solver, 0u);
    run(world, 2);
    const MemoryUse after = world.memory_use();
    EXPECT_GT(after.contacts, before.contacts);
    EXPECT_GT(after.solver, 1000u * 64u);
    EXPECT_EQ(after.bodies + after.kinds + after.trees + after.contacts + after.joints + after.solver + after.scratch,
              after.total());
}

// What continuous collision needed for a crowd is no use to the few that are fast later, nor to none.
TEST(MemoryUse, WhatACrowdInFlightTookIsGivenBack) {
    for (const bool some_stay_fast : {false, true}) {
        World world(without_sleep());
        add(world, make_floor());
        for (int i = 0; i < 1024; ++i) {
            BodyDef def =
                make_body(Box{Vec3(0.2f)}, Vec3(static_cast<float>(i % 32), static_cast<float>(i / 32), 3.0f));
            def.linear_velocity = Vec3(0, 0, -60);
            add(world, def);
        }
        run(world, 10);
        const std::size_t most = world.memory_use().scratch;
        if (some_stay_fast) {
            for (int i = 0; i < 4; ++i) {
                BodyDef def = make_body(Box{Vec3(0.2f)}, Vec3(5.0f * static_cast<float>(i), -20, 500));
                def.linear_velocity = Vec3(0, 0, 60);
                def.gravity_scale = 0.0f;
                add(world, def);
            }
        }
        run(world, 140);
        EXPECT_LT(world.memory_use().scratch + 1024u * 300u, most) << some_stay_fast;
    }
}

// Contacts are made within the speculative distance. The reach that finds them is laid ahead and kept while a body
// creeps: a wall that comes nearer by 0.3 mm a step is met no later for that.
TEST(KeptReach, ACreepingBodyIsMetInTime) {
    for (const float speed : {0.018f, 0.2f, 2.0f}) {
        World world(weightless());
        BodyDef wall = make_body(Box{Vec3(0.5f)}, Vec3(-1.2f, 0, 0));
        wall.type = BodyType::kinematic;
        wall.linear_velocity = Vec3(speed, 0, 0);
        add(world, wall);
        add(world, make_body(Box{Vec3(0.5f)}, Vec3(0.0f)));
        const float way = speed * world.settings().dt();
        float gap = 0.2f; // at the start of the step
        for (int step = 0; step < 700; ++step) {
            world.step();
            if (!published(world).contacts.empty()) {
                break;
            }
            gap -= way;
            ASSERT_GT(gap, 0.02f - 1e-4f) << speed << " m/s: they are near and have no contact";
        }
        // Each shape reaches ahead by half the distance and by its way.
        EXPECT_LT(gap, 0.02f + 1.1f * way + 1e-4f) << speed << " m/s";
    }
}

// The hash adds up what is at rest once and what moves when it is asked for. Whatever has come and gone, slept and been
// woken, nothing of it may be left.
TEST(LazyHash, NothingIsLeftOfWhatIsGone) {
    std::mt19937 generator(5);
    const auto draw = [&](std::uint32_t below) { return static_cast<std::uint32_t>(generator() % below); };
    Settings settings;
    settings.sleep_time = 0.1f;
    World world(settings);
    std::vector<BodyId> bodies;
    const auto add_one = [&] {
        const float x = static_cast<float>(draw(5));
        const float y = static_cast<float>(draw(5));
        bodies.push_back(add(world, make_body(Box{Vec3(0.4f)}, Vec3(x, y, 0.4f + 0.8f * static_cast<float>(draw(3))))));
    };
    const BodyId floor = add(world, make_floor());
    for (int i = 0; i < 20; ++i) {
        add_one();
    }
    std::vector<JointId> joints;
    std::uint32_t most_asleep = 0;
    for (int step = 0; step < 240; ++step) {
        if (step % 8 == 0) {
            const std::uint32_t victim = draw(static_cast<std::uint32_t>(bodies.size()));
            ASSERT_TRUE(world.apply(DestroyBody{bodies[victim]}).ok());
            bodies.erase(bodies.begin() + victim);
            add_one();
        }
        if (step % 30 == 5) {
            joints.push_back(join(world, joint_at(world, JointKind::ball, bodies[0], bodies[1], Vec3(0, 0, 3))));
        }
        if (step % 60 == 50) {
            static_cast<void>(world.apply(DestroyJoint{joints.back()})); // gone already if a body of it is
        }
        if (step % 50 == 20) {
            ASSERT_TRUE(world.apply(ApplyImpulse{bodies[2], Vec3(0, 0, 1500), {}}).ok());
        }
        const std::uint64_t hash = world.hash();
        ASSERT_EQ(world.hash(), hash);
        World other;
        other.restore(*world.snapshot());
        ASSERT_EQ(other.hash(), hash) << "step " << step;
        world.step();
        std::uint32_t asleep = 0;
        for (const BodyId body : bodies) {
            asleep += state_of(world, body).sleeping ? 1 : 0;
        }
        most_asleep = std::max(most_asleep, asleep);
    }
    EXPECT_GT(most_asleep, 3u);
    for (const BodyId body : bodies) {
        ASSERT_TRUE(world.apply(DestroyBody{body}).ok());
    }
    ASSERT_TRUE(world.apply(DestroyBody{floor}).ok());
    world.step();
    World empty(settings);
    run(empty, static_cast<int>(world.step_count()));
    EXPECT_EQ(world.hash(), empty.hash());
}

} // namespace
} // namespace cairn::physics::testing
