// What is forgotten, what is to be saved, and any edits there and back.
#include "tests/core/edits/edit_bench.h"

#include <gtest/gtest.h>

#include <random>

namespace cairn::core {
namespace {

using namespace physics;
using namespace testing;

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
