// A frame that is written again and again, by what has changed, equals one that is written anew.
#include "tests/physics/world/world_builder.h"

#include <random>
#include <utility>
#include <vector>

namespace cairn::physics::testing {
namespace {

void expect_equal(const FrameState& a, const FrameState& b) {
    ASSERT_EQ(a.hash, b.hash);
    ASSERT_EQ(a.bodies.size(), b.bodies.size());
    ASSERT_EQ(a.models, b.models);
    for (std::size_t i = 0; i < a.bodies.size(); ++i) {
        const BodyState& x = a.bodies[i];
        const BodyState& y = b.bodies[i];
        ASSERT_EQ(x.id, y.id);
        ASSERT_EQ(x.pose, y.pose) << "body " << i;
        ASSERT_EQ(x.linear_velocity, y.linear_velocity) << "body " << i;
        ASSERT_EQ(x.angular_velocity, y.angular_velocity) << "body " << i;
        ASSERT_EQ(x.type, y.type) << "body " << i;
        ASSERT_EQ(x.sleeping, y.sleeping) << "body " << i;
        ASSERT_EQ(x.touching, y.touching) << "body " << i;
        ASSERT_EQ(x.hash, y.hash) << "body " << i;
    }
    ASSERT_EQ(a.contacts.size(), b.contacts.size());
    for (std::size_t i = 0; i < a.contacts.size(); ++i) {
        const ContactState& x = a.contacts[i];
        const ContactState& y = b.contacts[i];
        ASSERT_EQ(x.body_a, y.body_a);
        ASSERT_EQ(x.body_b, y.body_b);
        ASSERT_EQ(x.point, y.point);
        ASSERT_EQ(x.normal, y.normal);
        ASSERT_EQ(x.separation, y.separation);
        ASSERT_EQ(x.normal_impulse, y.normal_impulse);
        ASSERT_EQ(x.friction_impulse, y.friction_impulse);
        ASSERT_EQ(x.feature, y.feature);
        ASSERT_EQ(x.age, y.age);
    }
    ASSERT_EQ(a.stats.bodies, b.stats.bodies);
    ASSERT_EQ(a.stats.contacts, b.stats.contacts);
    ASSERT_EQ(a.stats.contact_points, b.stats.contact_points);
    ASSERT_EQ(a.stats.max_penetration, b.stats.max_penetration);
    ASSERT_EQ(a.stats.kinetic_energy, b.stats.kinetic_energy);
    ASSERT_EQ(a.stats.potential_energy, b.stats.potential_energy);
}

// Two frames in turn, as the window keeps them, while heaps fall asleep, are woken, made, destroyed, changed and taken
// back.
TEST(Publish, AFrameWrittenAgainEqualsANewOne) {
    std::mt19937 generator(21);
    World world;
    add(world, make_floor());
    std::vector<BodyId> bodies;
    for (int i = 0; i < 30; ++i) {
        const Vec3 at(2.0f * static_cast<float>(i / 3 % 5), 2.0f * static_cast<float>(i / 15),
                      0.5f + 0.9f * static_cast<float>(i % 3));
        bodies.push_back(
            add(world, make_body(i % 2 == 0 ? Geometry(Box{Vec3(0.4f)}) : Geometry(Cylinder{0.4f, 0.4f}), at)));
    }
    FrameState here, there;
    std::shared_ptr<const Snapshot> kept = world.snapshot();
    int kept_step = 0, sleepers = 0, beside_sleepers = 0;
    for (int step = 0; step < 600; ++step) {
        const std::uint32_t edit = step % 7 == 0 && step > 80 ? static_cast<std::uint32_t>(generator()) % 9 : 99;
        const std::size_t which = generator() % bodies.size();
        SetBody change;
        change.body = bodies[which];
        Settings settings = world.settings();
        switch (edit) {
        case 0:
        case 1:
        case 2:
            world.apply(ApplyImpulse{bodies[which], Vec3(0, 0, 300), {}});
            break;
        case 3:
            world.apply(DestroyBody{bodies[which]});
            bodies[which] = add(world, make_body(Sphere{0.3f}, Vec3(4, 1, 4)));
            break;
        case 4:
            change.position = Vec3(3, 1, 3);
            world.apply(change);
            break;
        case 5:
            settings.gravity.z = settings.gravity.z < -9.0f ? -8.0f : -9.81f;
            world.apply(SetSettings{settings});
            break;
        case 6:
            if (step - kept_step > 40) {
                world.restore(*kept);
                bodies = world.body_ids();
                bodies.erase(bodies.begin()); // the floor
            } else {
                kept = world.snapshot();
                kept_step = step;
            }
            break;
        default:
            break;
        }
        if (edit != 99) { // also between a command and the next step
            world.publish(here);
            expect_equal(here, published(world));
        }
        world.step();
        std::swap(here, there);
        world.publish(here);
        expect_equal(here, published(world));
        if (HasFatalFailure()) {
            FAIL() << "step " << step;
        }
        sleepers += here.stats.awake < 30 ? 1 : 0;
        beside_sleepers += here.stats.awake > 0 && here.stats.awake < 20 ? 1 : 0;
    }
    EXPECT_GT(sleepers, 100);
    EXPECT_GT(beside_sleepers, 50);
}

// The same frame serves one world after another.
TEST(Publish, AFrameIsHashedForThoseWhoAsk) {
    World world;
    add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 5)));
    world.step();
    FrameState frame;
    world.publish(frame);
    EXPECT_EQ(frame.hash, world.hash());
    FrameDetails plain;
    plain.hash = false;
    world.watch(plain);
    world.publish(frame);
    EXPECT_EQ(frame.hash, 0u);
    world.watch({});
    world.publish(frame);
    EXPECT_EQ(frame.hash, world.hash());
}

TEST(Publish, AFrameOfAnotherWorldIsWrittenInFull) {
    FrameState frame;
    for (int i = 0; i < 3; ++i) {
        World world;
        add(world, make_floor());
        add(world, make_body(Box{Vec3(0.5f)}, Vec3(static_cast<float>(i), 0, 0.5f)));
        run(world, 60);
        world.publish(frame);
        expect_equal(frame, published(world));
    }
}

} // namespace
} // namespace cairn::physics::testing
