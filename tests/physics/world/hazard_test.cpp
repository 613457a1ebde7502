// What must not go wrong whatever the state, the settings or the host.
#include "physics/broadphase/broadphase.h"
#include "physics/narrowphase/pool/contact_pool.h"
#include "physics/solver/solver.h"
#include "physics/world/state_image.h"
#include "physics/world/store/joint_store.h"
#include "tests/physics/world/world_builder.h"

#include <gtest/gtest.h>
#include <xmmintrin.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

using namespace cairn::physics;
using namespace cairn::physics::testing;

namespace {

constexpr float no_number = std::numeric_limits<float>::quiet_NaN();
constexpr float beyond_speed = 3e38f; // finite, but no speed that follows from it is

// A box that rests on the floor, and one that hangs from a ball joint.
World box_and_pendulum(std::optional<JointSpring> spring = {}) {
    World world(without_sleep());
    add(world, make_floor());
    add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f)));
    const BodyId hanging = add(world, make_body(Sphere{0.5f}, Vec3(5, 0, 3)));
    JointDef joint;
    joint.kind = JointKind::ball;
    joint.body_b = hanging;
    joint.frame_a.position = Vec3(5, 0, 4);
    joint.frame_b.position = Vec3(0, 0, 1);
    joint.spring = spring;
    EXPECT_TRUE(world.apply(CreateJoint{joint}).ok());
    run(world, 60);
    return world;
}

// Sets control bits of the processor for as long as it lives, as a host may have done.
class HostFloats {
  public:
    explicit HostFloats(unsigned bits) : before_(_mm_getcsr()) { _mm_setcsr(before_ | bits); }
    ~HostFloats() { _mm_setcsr(before_); }
    HostFloats(const HostFloats&) = delete;
    HostFloats& operator=(const HostFloats&) = delete;

  private:
    unsigned before_;
};
constexpr unsigned flush_to_zero = 0x8040, round_up = 0x4000;

std::uint64_t hash_of_heap() {
    World world;
    add(world, make_floor());
    for (int i = 0; i < 12; ++i) {
        add(world, make_body(Box{Vec3(0.3f)}, Vec3(0.1f * static_cast<float>(i % 3), 0, 0.5f + static_cast<float>(i))));
    }
    run(world, 120);
    return world.hash();
}

} // namespace

// A box on the floor, pinned there softly as well: what its joint does to it comes to its contacts within the step.
TEST(NonFiniteImpulses, OfContactsDoNotOutliveTheStep) {
    World world(without_sleep());
    add(world, make_floor());
    const BodyId box = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f)));
    JointDef pin;
    pin.kind = JointKind::ball;
    pin.body_b = box;
    pin.frame_a.position = Vec3(0, 0, 1.5f);
    pin.frame_b.position = Vec3(0, 0, 1);
    pin.spring = JointSpring{10.0f, 1.0f, 0.0f, std::nullopt};
    ASSERT_TRUE(world.apply(CreateJoint{pin}).ok());
    run(world, 60);
    StateImage image = world.image();
    ASSERT_FALSE(image.points.normal_impulse.empty());
    image.joints.soft_block[0].x = beyond_speed;
    ASSERT_EQ(world.load(image), "");
    world.step();
    ASSERT_FALSE(world.stopped().empty()) << "the impulse was no trouble, so this shows nothing";
    image = world.image();
    for (const float impulse : image.points.normal_impulse) {
        EXPECT_TRUE(std::isfinite(impulse)) << impulse;
    }
    EXPECT_EQ(world.load(image), "");
    world.step();
    EXPECT_TRUE(world.stopped().empty());
    run(world, 60);
    EXPECT_TRUE(world.stopped().empty());
    EXPECT_NEAR(state_of(world, box).pose.position.z, 0.5f, 0.01f);
}

// Rigid rows are solved exactly, whatever impulse they start from.
TEST(NonFiniteImpulses, OfAJointDoNotOutliveTheStep) {
    for (const bool soft : {false, true}) {
        World world =
            box_and_pendulum(soft ? std::optional(JointSpring{10.0f, 1.0f, 0.0f, std::nullopt}) : std::nullopt);
        StateImage image = world.image();
        (soft ? image.joints.soft_block[0].z : image.joints.rigid[0][2]) = beyond_speed;
        ASSERT_EQ(world.load(image), "");
        world.step();
        EXPECT_TRUE(!soft || !world.stopped().empty()) << "the impulse was no trouble, so this shows nothing";
        world.step();
        EXPECT_TRUE(world.stopped().empty());
        run(world, 120);
        EXPECT_TRUE(world.stopped().empty());
        EXPECT_NEAR(published(world).bodies[2].pose.position.z, 3.0f, 0.05f);
    }
}

TEST(NonFiniteImpulses, AreNotLoaded) {
    World world = box_and_pendulum();
    const StateImage image = world.image();
    const std::uint64_t hash = world.hash();
    const auto reason = [&](const auto& spoil) {
        StateImage spoilt = image;
        spoil(spoilt);
        return world.load(spoilt);
    };
    EXPECT_NE(reason([](StateImage& i) { i.points.normal_impulse[0] = no_number; }), "");
    EXPECT_NE(reason([](StateImage& i) { i.points.friction_impulse[0].y = no_number; }), "");
    EXPECT_NE(reason([](StateImage& i) { i.contacts.rolling_impulse[0].x = no_number; }), "");
    EXPECT_NE(reason([](StateImage& i) { i.joints.rigid[0][1] = no_number; }), "");
    EXPECT_NE(reason([](StateImage& i) { i.joints.soft_block[0].z = no_number; }), "");
    EXPECT_EQ(world.hash(), hash);
    EXPECT_EQ(reason([](StateImage&) {}), "");
}

TEST(WorldSettings, ThatAreInvalidAreNotReplaced) {
    Settings settings;
    settings.hz = no_number;
    try {
        const World world(settings);
        FAIL() << "a world of " << world.settings().hz << " Hz";
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what()).find("hz"), std::string::npos) << error.what();
    }
}

TEST(WorldRayCast, TakesDirectionsOfAnyLength) {
    World world;
    add(world, make_floor());
    add(world, make_body(Sphere{1.0f}, Vec3(0, 0, 5)));
    for (const float length : {1.0f, 0.25f, 40.0f}) {
        const auto hit = world.ray_cast({Vec3(0, 0, 20), Vec3(0, 0, -length), 30.0f});
        ASSERT_TRUE(hit) << length;
        EXPECT_NEAR(hit->hit.distance, 14.0f, 1e-4f) << length;
    }
    EXPECT_FALSE(world.ray_cast({Vec3(0, 0, 20), Vec3(0, 0, -40), 13.0f})); // metres, whatever the direction
    EXPECT_FALSE(world.ray_cast({Vec3(0, 0, 20), Vec3(0.0f), 30.0f}));
    EXPECT_FALSE(world.ray_cast({Vec3(0, 0, 20), Vec3(0, no_number, -1), 30.0f}));
}

TEST(HostFloatingPoint, DoesNotChangeTheBits) {
    const std::uint64_t expected = hash_of_heap();
    for (const unsigned bits : {flush_to_zero, round_up}) {
        const HostFloats host(bits);
        EXPECT_EQ(hash_of_heap(), expected) << bits;
        EXPECT_EQ(_mm_getcsr() & bits, bits) << "the host's choice is kept";
    }
}

TEST(DrivenBodies, LeaveTheRestOfAFrameAsItIs) {
    World world;
    add(world, make_floor());
    for (int i = 0; i < 5; ++i) {
        add(world, make_body(Box{Vec3(0.5f)}, Vec3(3.0f * static_cast<float>(i), 0, 0.5f)));
    }
    BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(0, 10, 5));
    def.type = BodyType::kinematic;
    def.linear_velocity = Vec3(0, 1, 0);
    const BodyId lift = add(world, def);
    run(world, 120); // the boxes sleep
    FrameState frame = published(world);
    const std::uint64_t revision = frame.revision, resting = frame.resting.revision;
    ASSERT_NE(frame.resting.source, 0u);
    const auto prototype = world.model(lift);
    for (int i = 0; i < 20; ++i) {
        SetBody drive;
        drive.body = lift;
        drive.linear_velocity = Vec3(0, 1, 0.1f * static_cast<float>(i));
        ASSERT_TRUE(world.apply(drive).ok());
        world.step();
        world.publish(frame);
        const FrameState fresh = published(world);
        ASSERT_EQ(frame.bodies.size(), fresh.bodies.size());
        for (std::size_t k = 0; k < fresh.bodies.size(); ++k) {
            EXPECT_EQ(frame.bodies[k].pose.position, fresh.bodies[k].pose.position);
        }
    }
    EXPECT_EQ(frame.revision, revision);
    EXPECT_EQ(frame.resting.revision, resting);
    EXPECT_EQ(world.model(lift), prototype);
}

TEST(DrivenBodies, ThatStandStillAreWrittenWhereTheyAre) {
    World world;
    const BodyId floor = add(world, make_floor());
    world.step();
    FrameState frame = published(world);
    SetBody move;
    move.body = floor;
    move.position = Vec3(0, 0, -3);
    ASSERT_TRUE(world.apply(move).ok());
    world.step();
    world.publish(frame);
    EXPECT_EQ(frame.bodies[0].pose.position, Vec3(0, 0, -3));
}

// The other world has never created such a body.
TEST(Snapshots, KeepLockedAxesInAnotherWorld) {
    World world(weightless());
    BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(0.0f));
    def.locks = 1; // along X
    const BodyId id = add(world, def);
    World other;
    other.restore(*world.snapshot());
    for (World* one : {&world, &other}) {
        ASSERT_TRUE(one->apply(ApplyImpulse{id, Vec3(500, 300, 0), Vec3(0, 0, 0.5f)}).ok());
        run(*one, 60);
    }
    EXPECT_EQ(world.hash(), other.hash());
}

// Joints act in the order of their slots, whoever else sleeps or wakes: a curtain swings, to the bit, as it does where
// nothing else wakes.
TEST(JointOrder, IsNotChangedByWhatElseWakes) {
    const auto positions = [](bool wakes) {
        World world;
        add(world, make_floor());
        BodyDef far = make_body(Box{Vec3(0.5f)}, Vec3(50, 0, 0.5f));
        std::vector<BodyId> sleepers, mine;
        const auto tie = [&world](BodyId a, BodyId b, const Vec3& from_a, const Vec3& from_b) {
            JointDef joint;
            joint.kind = JointKind::ball;
            joint.body_a = a;
            joint.body_b = b;
            joint.frame_a.position = from_a;
            joint.frame_b.position = from_b;
            ASSERT_TRUE(world.apply(CreateJoint{joint}).ok());
        };
        for (int i = 0; i < 6; ++i) { // their slots, and those of their joints, come first
            far.pose.position.x = 50.0f + static_cast<float>(i);
            sleepers.push_back(add(world, far));
            if (i > 0) {
                tie(sleepers[static_cast<std::size_t>(i) - 1], sleepers.back(), Vec3(0.5f, 0, 0), Vec3(-0.5f, 0, 0));
            }
        }
        run(world, 120);
        EXPECT_TRUE(state_of(world, sleepers[0]).sleeping);
        constexpr int wide = 5;
        for (int i = 0; i < wide * wide; ++i) {
            const Vec3 at(0.5f * static_cast<float>(i % wide), 0.5f * static_cast<float>(i / wide), 6);
            mine.push_back(add(world, make_body(Sphere{0.1f}, at)));
            if (i < wide) {
                tie({}, mine.back(), at, Vec3(0.0f));
            } else {
                tie(mine[static_cast<std::size_t>(i - wide)], mine.back(), Vec3(0, 0.5f, 0), Vec3(0.0f));
            }
            if (i % wide > 0) {
                tie(mine[static_cast<std::size_t>(i) - 1], mine.back(), Vec3(0.5f, 0, 0), Vec3(0.0f));
            }
        }
        for (int step = 0; step < 120; ++step) {
            if (wakes && step % 40 == 20) {
                EXPECT_TRUE(world.apply(ApplyImpulse{sleepers[2], Vec3(0, 0, 900), {}}).ok());
            }
            run(world, 1);
        }
        std::vector<Vec3> found;
        for (const BodyId id : mine) {
            found.push_back(state_of(world, id).pose.position);
        }
        return found;
    };
    EXPECT_EQ(positions(false), positions(true));
}

#ifndef NDEBUG
TEST(AssertionsDeathTest, NameTheCallersMistake) {
    JointStore joints;
    EXPECT_DEATH(joints.remove(0), "slot");
    BodyStore bodies;
    EXPECT_DEATH(bodies.remove(0), "slot");
    ContactPool contacts;
    EXPECT_DEATH(contacts.destroy(0), "slot");
    EXPECT_DEATH(contacts.create(make_pair_key(0, 1), 2, 2), "body");
    Broadphase broadphase;
    EXPECT_DEATH(broadphase.remove(0), "shape");
    SerialExecutor executor;
    EXPECT_DEATH(Solver().run(executor, SolverInput{}, {}, {}, {}, contacts, {}), "motions");
}
#endif
