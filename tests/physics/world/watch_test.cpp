// What frames hold on request, and that asking for it changes nothing.
#include "tests/physics/world/world_builder.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace cairn::physics::testing {
namespace {

// A heap that falls, and a fast ball at it.
World heap() {
    World world;
    add(world, make_floor());
    for (int i = 0; i < 48; ++i) {
        const Vec3 at(0.95f * static_cast<float>(i % 4), 0.95f * static_cast<float>(i / 4 % 4),
                      0.5f + 1.05f * static_cast<float>(i / 16));
        add(world, make_body(i % 3 == 0 ? Geometry(Sphere{0.5f}) : Geometry(Box{Vec3(0.45f)}), at));
    }
    BodyDef ball = make_body(Sphere{0.2f}, {-20, 0.95f, 1.6f});
    ball.linear_velocity = {200, 0, 0};
    add(world, ball);
    return world;
}

TEST(Watch, ChangesNoHash) {
    World plain = heap(), watched = heap();
    FrameState frame;
    for (int step = 0; step < 60; ++step) {
        // Switched on and off all the time, one by one.
        watched.watch({step % 2 == 0, step % 3 != 0, step % 5 < 3});
        plain.step();
        watched.step();
        watched.publish(frame);
        ASSERT_EQ(plain.hash(), watched.hash()) << "step " << step;
        ASSERT_EQ(frame.hash, plain.hash());
        EXPECT_EQ(frame.tree.empty(), step % 2 != 0);
        EXPECT_EQ(frame.contact_colours.size(), step % 5 < 3 ? frame.contacts.size() : 0u);
    }
}

TEST(Watch, TreeBoxesHoldWhatIsBelowThem) {
    World world = heap();
    world.watch({true, false, false});
    world.step();
    FrameState frame;
    world.publish(frame);
    std::size_t leaves = 0;
    int deepest = 0;
    std::vector<Aabb> above; // by depth
    for (const TreeBoxState& box : frame.tree) {
        deepest = std::max<int>(deepest, box.depth);
        leaves += box.leaf ? 1 : 0;
        above.resize(box.depth + std::size_t{1});
        above[box.depth] = box.bounds;
        if (box.depth > 0) {
            EXPECT_TRUE(contains(above[box.depth - std::size_t{1}], box.bounds));
        }
    }
    EXPECT_EQ(leaves, frame.bodies.size()) << "each body has one shape here";
    EXPECT_GT(deepest, 3);
}

TEST(Watch, ContactsOfOneColourShareNoDynamicBody) {
    World world = heap();
    world.watch({false, false, true});
    FrameState frame;
    std::size_t coloured = 0;
    for (int step = 0; step < 40; ++step) {
        world.step();
        world.publish(frame);
        std::map<int, std::set<std::uint32_t>> bodies;
        for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
            const ContactState& contact = frame.contacts[i];
            const int colour = frame.contact_colours[i];
            if (!contact.opens) {
                EXPECT_EQ(colour, frame.contact_colours[i - 1]) << "one manifold, one colour";
                continue;
            }
            if (colour == FrameState::no_colour || colour == 31) {
                continue; // at rest, or of those that are solved one by one
            }
            ++coloured;
            for (const BodyId id : {contact.body_a, contact.body_b}) {
                if (frame.bodies[id.index].type == BodyType::dynamic) {
                    EXPECT_TRUE(bodies[colour].insert(id.index).second) << "step " << step;
                }
            }
        }
    }
    EXPECT_GT(coloured, 1000u);
}

TEST(Watch, SweepsLeadFromWhereTheBodyStoodOverItsImpacts) {
    World world = heap();
    world.watch({false, true, false});
    FrameState before, frame;
    world.publish(before);
    const BodyId ball = before.bodies.back().id;
    int sweeps = 0, impacts = 0;
    for (int step = 0; step < 12; ++step) {
        world.step();
        world.publish(frame);
        for (const SweepState& sweep : frame.sweeps) {
            EXPECT_EQ(sweep.start, before.bodies[sweep.body.index].pose);
            sweeps += sweep.body == ball ? 1 : 0;
        }
        for (const ImpactState& impact : frame.impacts) {
            const bool is_a = impact.body_a == ball;
            if (is_a || impact.body_b == ball) {
                // The centre is a radius away from what it hit.
                EXPECT_NEAR(glm::length((is_a ? impact.centre_a : impact.centre_b) - impact.point), 0.2f, 0.03f);
                ++impacts;
            }
        }
        std::swap(before, frame);
    }
    EXPECT_GE(sweeps, 5);
    EXPECT_GE(impacts, 1);
}

} // namespace
} // namespace cairn::physics::testing
