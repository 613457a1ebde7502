// Contact events, the contact filter and user data.
#include "physics/world/state_image.h"
#include "tests/physics/world/world_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <utility>
#include <vector>

using namespace cairn::physics;
using namespace cairn::physics::testing;

namespace {

bool are(const ContactEvent& event, BodyId a, BodyId b) {
    return (event.body_a == a && event.body_b == b) || (event.body_a == b && event.body_b == a);
}

// Every event of so many steps.
struct Heard {
    std::vector<ContactEvent> begun, ended;
    std::vector<HitEvent> hits;
};
Heard listen(World& world, int steps) {
    Heard heard;
    for (int i = 0; i < steps; ++i) {
        world.step();
        const ContactEvents& events = world.contact_events();
        heard.begun.insert(heard.begun.end(), events.begun.begin(), events.begun.end());
        heard.ended.insert(heard.ended.end(), events.ended.begin(), events.ended.end());
        heard.hits.insert(heard.hits.end(), events.hits.begin(), events.hits.end());
    }
    return heard;
}

} // namespace

TEST(ContactEvents, TellWhatBeginsAndEnds) {
    World world;
    const BodyId floor = add(world, make_floor());
    const BodyId box = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 2.0f)));
    EXPECT_TRUE(listen(world, 3).begun.empty());
    world.watch_contacts({true, 1.0f});
    const Heard fall = listen(world, 300);
    ASSERT_FALSE(fall.begun.empty());
    EXPECT_TRUE(are(fall.begun.front(), floor, box));
    EXPECT_EQ(fall.begun.size(), fall.ended.size() + 1) << "it lies there in the end";
    ASSERT_FALSE(fall.hits.empty());
    EXPECT_TRUE(are(fall.hits.front().of, floor, box));
    EXPECT_NEAR(fall.hits.front().approach_speed, std::sqrt(2.0f * 9.81f * 1.5f), 0.3f);
    EXPECT_GT(fall.hits.front().normal.z, 0.99f);
    EXPECT_NEAR(fall.hits.front().point.z, 0.0f, 0.05f);
    ASSERT_TRUE(state_of(world, box).sleeping);
    EXPECT_TRUE(listen(world, 30).ended.empty()) << "what sleeps goes on touching";
    // A push that lifts it.
    ASSERT_TRUE(world.apply(ApplyImpulse{box, Vec3(0, 0, 3.0f * world.model(box)->mass), {}}).ok());
    const Heard lifted = listen(world, 10);
    ASSERT_EQ(lifted.ended.size(), 1u);
    EXPECT_TRUE(lifted.begun.empty());
}

// A step that is taken as several short ones: what begins and ends in it has begun before it ended, and all that has
// begun without an end is what touches now.
TEST(ContactEvents, CanBePairedWhereAStepIsTakenAsSeveral) {
    World world(weightless());
    for (const auto& [half, place] :
         {std::pair(Vec3(2, 2, 1), Vec3(0, 0, -1)), std::pair(Vec3(2, 2, 1), Vec3(0, 0, 2)),
          std::pair(Vec3(0.1f, 2, 3), Vec3(1.1f, 0, 0)), std::pair(Vec3(0.1f, 2, 3), Vec3(-1.1f, 0, 0)),
          std::pair(Vec3(2, 0.1f, 3), Vec3(0, 1.1f, 0)), std::pair(Vec3(2, 0.1f, 3), Vec3(0, -1.1f, 0))}) {
        add(world, make_static(Box{half}, place));
    }
    std::mt19937 random(3);
    const auto speed = [&random] { return 50.0f * (static_cast<float>(random() % 1001) / 1000.0f - 0.5f); };
    for (int i = 0; i < 150; ++i) {
        BodyDef rod = make_body(Capsule{0.015f, 0.06f}, Vec3(0.15f * static_cast<float>(i % 10) - 0.7f,
                                                             0.15f * static_cast<float>(i / 10 % 10) - 0.7f,
                                                             0.3f + 0.3f * static_cast<float>(i / 100)));
        rod.material.restitution = 0.5f;
        rod.linear_velocity = Vec3{speed(), speed(), speed()};
        add(world, rod);
    }
    world.watch_contacts({true, 1.0f});
    using Key = std::array<std::uint32_t, 2>;
    const auto key = [](const ContactEvent& event) { return Key{event.body_a.index, event.body_b.index}; };
    std::set<Key> touching;
    int in_both = 0;
    bool several = false;
    for (int i = 0; i < 120; ++i) {
        world.step();
        const ContactEvents& events = world.contact_events();
        for (const ContactEvent& event : events.begun) {
            ASSERT_TRUE(touching.insert(key(event)).second) << "begun twice, at step " << i;
        }
        for (const ContactEvent& event : events.ended) {
            ASSERT_EQ(touching.erase(key(event)), 1u) << "ended without having begun, at step " << i;
            const auto same = [&](const ContactEvent& one) { return key(one) == key(event); };
            in_both += std::ranges::any_of(events.begun, same) ? 1 : 0;
        }
        several = several || published(world).stats.short_steps > 1;
    }
    EXPECT_TRUE(several);
    EXPECT_GT(in_both, 0);
}

TEST(ContactEvents, EndWithTheBodyAndNameItsParts) {
    World world(without_sleep());
    const BodyId floor = add(world, make_floor());
    BodyDef dumb_bell = make_body(Sphere{0.5f}, Vec3(0, 0, 0.5f));
    dumb_bell.shapes[0].pose.position = Vec3(-1, 0, 0);
    dumb_bell.shapes.push_back({Sphere{0.5f}, {Vec3(1, 0, 0), identity_orientation}});
    const BodyId body = add(world, dumb_bell);
    world.watch_contacts({true, 1.0f});
    const Heard heard = listen(world, 60);
    ASSERT_EQ(heard.begun.size(), 2u);
    for (std::uint32_t part = 0; part < 2; ++part) {
        const ContactEvent& event = heard.begun[part];
        EXPECT_TRUE(are(event, floor, body));
        EXPECT_EQ(event.body_a == body ? event.shape_a : event.shape_b, part);
    }
    ASSERT_TRUE(world.apply(DestroyBody{body}).ok());
    const BodyId next = add(world, dumb_bell);
    ASSERT_EQ(next.index, body.index);
    const Heard after = listen(world, 30);
    ASSERT_EQ(after.ended.size(), 2u);
    EXPECT_TRUE(are(after.ended[0], floor, body));
    ASSERT_EQ(after.begun.size(), 2u);
    EXPECT_TRUE(are(after.begun[0], floor, next));
}

// The slots of the shapes that a body has given up are taken by the next one at once.
TEST(ContactEvents, OfARemovedShapeAndOfABodyInItsPlace) {
    World world(without_sleep());
    const BodyId floor = add(world, make_floor());
    BodyDef row = make_body(Sphere{0.5f}, Vec3(0, 0, 0.5f));
    row.shapes[0].pose.position = Vec3(-1.1f, 0, 0);
    row.shapes.push_back({Sphere{0.5f}, {}});
    row.shapes.push_back({Sphere{0.5f}, {Vec3(1.1f, 0, 0), identity_orientation}});
    const BodyId body = add(world, row);
    world.watch_contacts({true, 1.0f});
    ASSERT_EQ(listen(world, 60).begun.size(), 3u);
    ASSERT_TRUE(world.apply(RemoveShape{body, 1}).ok());
    row.pose.position.y = 3.0f;
    const BodyId next = add(world, row);
    const Heard heard = listen(world, 60);
    ASSERT_EQ(heard.ended.size(), 1u);
    EXPECT_TRUE(are(heard.ended[0], floor, body));
    ASSERT_EQ(heard.begun.size(), 3u);
    for (const ContactEvent& event : heard.begun) {
        EXPECT_TRUE(are(event, floor, next));
    }
}

TEST(ContactEvents, AreNoneForWhatWasThereBefore) {
    World world;
    add(world, make_floor());
    for (int i = 0; i < 4; ++i) {
        add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f + static_cast<float>(i))));
    }
    run(world, 300); // it sleeps
    const auto resting = world.snapshot();
    world.watch_contacts({true, 1.0f});
    const std::uint64_t hash = world.hash();
    EXPECT_TRUE(listen(world, 5).begun.empty());
    const StateImage image = world.image();
    world.restore(*resting);
    EXPECT_TRUE(listen(world, 5).begun.empty());
    ASSERT_EQ(world.load(image), "");
    EXPECT_TRUE(listen(world, 5).begun.empty());
    World silent;
    silent.restore(*resting);
    EXPECT_EQ(silent.hash(), hash);
    run(world, 20);
    run(silent, 30);
    EXPECT_EQ(world.step_count() - silent.step_count(), 0u);
    EXPECT_EQ(world.hash(), silent.hash()) << "watching changes nothing";
}

TEST(ContactFilter, HasTheLastWord) {
    World world(without_sleep());
    add(world, make_floor());
    const BodyId box = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f)));
    const BodyId ghost = add(world, make_body(Box{Vec3(0.5f)}, Vec3(5, 0, 0.5f)));
    BodyDef fast = make_body(Sphere{0.1f}, Vec3(9, 0, 0.5f));
    fast.linear_velocity = Vec3(-200, 0, 0);
    world.set_contact_filter([ghost](BodyId a, BodyId b) { return a != ghost && b != ghost; });
    const BodyId bullet = add(world, fast);
    run(world, 5);
    EXPECT_LT(state_of(world, bullet).pose.position.x, 4.0f) << "nothing stops it at the ghost";
    run(world, 55);
    EXPECT_NEAR(state_of(world, box).pose.position.z, 0.5f, 0.01f);
    EXPECT_LT(state_of(world, ghost).pose.position.z, -2.0f);
    // Kept over a snapshot of another world, whose contacts go on as they are.
    World other(without_sleep());
    other.set_contact_filter([](BodyId, BodyId) { return false; });
    other.restore(*world.snapshot());
    const BodyId late = add(other, make_body(Box{Vec3(0.5f)}, Vec3(-5, 0, 0.5f)));
    run(other, 60);
    EXPECT_NEAR(state_of(other, box).pose.position.z, 0.5f, 0.01f);
    EXPECT_LT(state_of(other, late).pose.position.z, -2.0f);
    // Ends contacts that are there, and can be taken back.
    world.set_contact_filter([](BodyId, BodyId) { return false; });
    run(world, 60);
    EXPECT_LT(state_of(world, box).pose.position.z, -2.0f);
    world.set_contact_filter({});
    SetBody up;
    up.body = box;
    up.position = Vec3(0, 0, 1);
    up.linear_velocity = Vec3(0.0f);
    ASSERT_TRUE(world.apply(up).ok());
    run(world, 120);
    EXPECT_NEAR(state_of(world, box).pose.position.z, 0.5f, 0.05f);
}

TEST(UserData, StaysWithTheBody) {
    World world;
    const BodyId box = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0.0f)));
    EXPECT_EQ(world.user_data(box), 0u);
    const std::uint64_t hash = world.hash();
    world.set_user_data(box, 0x123456789abcdefu);
    EXPECT_EQ(world.hash(), hash);
    SetBody rename;
    rename.body = box;
    rename.name = "another";
    ASSERT_TRUE(world.apply(rename).ok());
    EXPECT_EQ(world.user_data(box), 0x123456789abcdefu);
    World other;
    other.restore(*world.snapshot());
    EXPECT_EQ(other.user_data(box), 0x123456789abcdefu);
    ASSERT_TRUE(world.apply(DestroyBody{box}).ok());
    EXPECT_EQ(world.user_data(box), 0u);
    world.set_user_data(box, 5);
    const BodyId next = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0.0f)));
    ASSERT_EQ(next.index, box.index);
    EXPECT_EQ(world.user_data(next), 0u);
}
