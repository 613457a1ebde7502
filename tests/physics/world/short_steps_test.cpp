// Steps that are taken as several short ones, where a crowd would hold itself up.
#include "physics/world/state_image.h"
#include "physics/world/substeps/short_steps.h"
#include "tests/physics/world/two_threads.h"
#include "tests/physics/world/way.h"
#include "tests/physics/world/world_builder.h"
#include "tests/sanitized.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

namespace cairn::physics::testing {
namespace {

// Thin rods in a closed drum that turns at `speed` rad/s.
BodyId add_drum_of_rods(World& world, float speed, int rods) {
    constexpr float half = 0.6f, wall = 0.05f; // m
    BodyDef drum;
    drum.type = BodyType::kinematic;
    drum.angular_velocity = Vec3(0, speed, 0);
    for (const float side : {-1.0f, 1.0f}) {
        drum.shapes.push_back({Box{Vec3(wall, half + wall, half + wall)}, Transform{Vec3(side * (half + wall), 0, 0)}});
        drum.shapes.push_back({Box{Vec3(half + wall, wall, half + wall)}, Transform{Vec3(0, side * (half + wall), 0)}});
        drum.shapes.push_back({Box{Vec3(half + wall, half + wall, wall)}, Transform{Vec3(0, 0, side * (half + wall))}});
    }
    const BodyId id = add(world, drum);
    for (int i = 0; i < rods; ++i) {
        BodyDef rod = make_body(Capsule{0.015f, 0.15f},
                                Vec3(0.1f * static_cast<float>(i % 7 - 3), 0.1f * static_cast<float>(i / 7 % 7 - 3),
                                     -0.35f + 0.1f * static_cast<float>(i / 49)));
        rod.pose.orientation =
            glm::angleAxis(1.57f + 0.1f * static_cast<float>(i % 3), glm::normalize(Vec3(1, i % 2, 0)));
        add(world, rod);
    }
    return id;
}

Settings with_short_steps(int most) {
    Settings settings = without_sleep();
    settings.max_short_steps = most;
    return settings;
}

// Layers of sticks, across those below in many directions, which fall on a floor.
TEST(ShortSteps, LetSticksMoveAsFastAsTheirVelocitiesSay) {
    const auto least = [](int most) {
        World world(with_short_steps(most));
        add(world, make_floor());
        for (int i = 0; i < 150; ++i) {
            const int layer = i / 10;
            const float across = 0.12f * (static_cast<float>(i % 10) - 4.5f),
                        z = 1.0f + 0.06f * static_cast<float>(layer);
            const bool along_x = layer % 2 == 0;
            BodyDef stick = make_body(Capsule{0.02f, 0.58f}, along_x ? Vec3(0, across, z) : Vec3(across, 0, z));
            const float aside = 0.3f * static_cast<float>(i % 5 - 2);
            stick.pose.orientation = glm::angleAxis(aside, Vec3(0, 0, 1)) *
                                     glm::angleAxis(1.57079633f, along_x ? Vec3(0, 1, 0) : Vec3(1, 0, 0));
            add(world, stick);
        }
        return least_share_of_way(world, 2);
    };
    EXPECT_GE(least(8), 0.98);
    EXPECT_LT(least(1), 0.5) << "they do without, and this shows nothing";
}

TEST(ShortSteps, AreTakenWhereACrowdMovesAndNoLonger) {
    World world(without_sleep());
    const BodyId drum = add_drum_of_rods(world, 5.0f, 100);
    EXPECT_EQ(published(world).stats.short_steps, 1u);
    std::uint32_t most = 1;
    for (int i = 0; i < 60; ++i) {
        world.step();
        most = std::max(most, published(world).stats.short_steps);
    }
    EXPECT_GT(most, 1u);
    SetBody stop;
    stop.body = drum;
    stop.angular_velocity = Vec3(0.0f);
    ASSERT_TRUE(world.apply(stop).ok());
    run(world, 240);
    EXPECT_EQ(published(world).stats.short_steps, 1u);
}

TEST(ShortSteps, AreNoMoreThanTheSettingsSay) {
    World world(with_short_steps(3)); // two
    add_drum_of_rods(world, 5.0f, 100);
    std::set<std::uint32_t> counts;
    for (int i = 0; i < 60; ++i) {
        world.step();
        counts.insert(published(world).stats.short_steps);
    }
    EXPECT_EQ(counts, (std::set<std::uint32_t>{1, 2}));
    Settings fewer = world.settings();
    fewer.max_short_steps = 1;
    ASSERT_TRUE(world.apply(SetSettings{fewer}).ok());
    run(world, 2);
    EXPECT_EQ(published(world).stats.short_steps, 1u);
    EXPECT_EQ(world.settings(), fewer);
}

TEST(ShortSteps, GoOnWithTheSameBitsFromASnapshotAnImageAndOnTwoThreads) {
    World world(without_sleep());
    add_drum_of_rods(world, 5.0f, 100);
    TwoThreads threads;
    World other(without_sleep(), &threads);
    add_drum_of_rods(other, 5.0f, 100);
    run(world, 40);
    run(other, 40);
    ASSERT_EQ(world.hash(), other.hash());
    ASSERT_GT(published(world).stats.short_steps, 1u);
    World restored(without_sleep()), loaded(without_sleep());
    restored.restore(*world.snapshot());
    ASSERT_EQ(loaded.load(world.image()), "");
    ASSERT_EQ(loaded.hash(), world.hash());
    for (int i = 0; i < 40; ++i) {
        for (World* each : {&world, &other, &restored, &loaded}) {
            each->step();
        }
        ASSERT_EQ(other.hash(), world.hash()) << i;
        ASSERT_EQ(restored.hash(), world.hash()) << i;
        ASSERT_EQ(loaded.hash(), world.hash()) << i;
    }
}

TEST(ShortSteps, OfAnImageAreChecked) {
    World world(without_sleep());
    add_drum_of_rods(world, 5.0f, 50);
    StateImage image = world.image();
    for (const std::vector<std::uint8_t>& wrong : {std::vector<std::uint8_t>{3, 0}, {16, 0}, {0, 0}, {2}, {2, 0, 0}}) {
        image.short_steps = wrong;
        EXPECT_NE(world.load(image), "");
    }
    image.short_steps = {4, 0};
    EXPECT_EQ(world.load(image), "");
}

// Beside a crowd that makes the steps short: what is pushed, what rests, and what falls.
TEST(ShortSteps, MakeNoDifferenceToWhatIsNotInTheCrowd) {
    World world(without_sleep());
    add_drum_of_rods(world, 5.0f, 100);
    add(world, make_static(Box{Vec3(2, 2, 0.5f)}, Vec3(10, 0, -0.5f)));
    BodyDef resting_def = make_body(Box{Vec3(0.5f)}, Vec3(10, 0, 0.5f));
    resting_def.mass = 8.0f;
    const BodyId resting = add(world, resting_def);
    BodyDef pushed_def = make_body(Sphere{0.5f}, Vec3(0, 20, 0));
    pushed_def.gravity_scale = 0.0f;
    pushed_def.mass = 2.0f;
    const BodyId pushed = add(world, pushed_def);
    BodyDef hanging_def = make_body(Sphere{0.5f}, Vec3(20, 0, 10));
    hanging_def.mass = 5.0f;
    JointDef pin;
    pin.kind = JointKind::ball;
    pin.body_b = add(world, hanging_def);
    pin.frame_a.position = Vec3(20, 0, 10);
    ASSERT_TRUE(world.apply(CreateJoint{pin}).ok());
    const BodyId falling = add(world, make_body(Sphere{0.5f}, Vec3(0, -20, 100)));
    run(world, 30);
    const BodyState from = state_of(world, pushed);
    const Settings& settings = world.settings();
    constexpr int steps = 60;
    int divided = 0;
    for (int i = 0; i < steps; ++i) {
        ASSERT_TRUE(world.apply(ApplyForce{pushed, Vec3(3, 0, 0), Vec3(0), {}}).ok());
        world.step();
        const FrameState frame = published(world);
        divided += frame.stats.short_steps > 1 ? 1 : 0;
        float impulse = 0.0f;
        for (const ContactState& contact : frame.contacts) {
            impulse += contact.body_a == resting || contact.body_b == resting ? contact.normal_impulse : 0.0f;
        }
        EXPECT_NEAR(impulse, 8.0f * 9.81f * settings.dt(), 0.01f * impulse) << i;
        ASSERT_EQ(frame.joints.size(), 1u);
        EXPECT_NEAR(frame.joints[0].force.z, 5.0f * 9.81f, 0.01f * 5.0f * 9.81f) << i;
    }
    EXPECT_GT(divided, steps / 2);
    EXPECT_NEAR(state_of(world, pushed).linear_velocity.x - from.linear_velocity.x, 3.0f / 2.0f * steps / settings.hz,
                1e-4f);
    const float time = 90.0f / settings.hz;
    EXPECT_NEAR(state_of(world, falling).linear_velocity.z, -9.81f * time, 1e-3f);
    EXPECT_NEAR(state_of(world, falling).pose.position.z, 100.0f - 0.5f * 9.81f * time * time, 1e-3f);
    EXPECT_NEAR(published(world).time, static_cast<double>(time), 1e-6);
}

// Its springs were another fifth stiffer in short steps, and its columns were taken to be several times as stiff.
TEST(ShortSteps, LeaveATowerAsItStands) {
    World world(without_sleep());
    add_drum_of_rods(world, 5.0f, 100);
    add(world, make_static(Box{Vec3(2, 2, 0.5f)}, Vec3(10, 0, -0.5f)));
    constexpr int boxes = 30;
    BodyId top;
    for (int i = 0; i < boxes; ++i) {
        top = add(world, make_body(Box{Vec3(0.5f)}, Vec3(10, 0, 0.5f + static_cast<float>(i))));
    }
    int divided = 0;
    for (int i = 0; i < (sanitized ? 60 : 300); ++i) {
        world.step();
        divided += published(world).stats.short_steps > 1 ? 1 : 0;
    }
    EXPECT_GT(divided, sanitized ? 20 : 100);
    const BodyState state = state_of(world, top);
    EXPECT_LT(glm::length(state.linear_velocity), 1e-3f); // it shook at 2.5 mm/s
    EXPECT_LT(state.pose.position.z, 0.5f + static_cast<float>(boxes - 1));
    EXPECT_GT(state.pose.position.z, 0.48f + static_cast<float>(boxes - 1));
    EXPECT_NEAR(state.pose.position.x, 10.0f, 1e-4f);
}

// What an island may take is shared by the short steps: chains that hang to the floor took 64 substeps in each of
// eight.
TEST(ShortSteps, OfMechanismsThatTouchWhatTheyWereSpawnedOnAreNotFinerThanTheirWorkAllows) {
    World world(without_sleep());
    add(world, make_floor());
    constexpr int chains = 80, links = 25;
    for (int i = 0; i < chains; ++i) {
        JointDef joint;
        joint.kind = JointKind::ball;
        for (int k = 0; k < links; ++k) {
            const float x = 0.1f * static_cast<float>(i), upper = 0.16f * static_cast<float>(links - k);
            joint.body_a = joint.body_b;
            joint.body_b = add(world, make_body(Capsule{0.03f, 0.05f}, Vec3(x, 0, upper - 0.08f)));
            joint.frame_a.position = k == 0 ? Vec3(x, 0, upper) : Vec3(0, 0, -0.08f);
            joint.frame_b.position = Vec3(0, 0, 0.08f);
            ASSERT_TRUE(world.apply(CreateJoint{joint}).ok());
        }
    }
    world.step();
    EXPECT_LE(published(world).stats.finest_substeps, 2u * static_cast<unsigned>(world.settings().substeps));
}

TEST(ShortSteps, ReportImpactsAndEventsOfAll) {
    World world(without_sleep());
    ContactWatch watch;
    watch.events = true;
    world.watch_contacts(watch);
    FrameDetails details;
    details.sweeps = true;
    world.watch(details);
    add_drum_of_rods(world, 8.0f, 150);
    using Touch = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
    const auto touch_of = [](const ContactEvent& event) {
        return Touch(event.body_a.index, event.shape_a, event.body_b.index, event.shape_b);
    };
    std::set<Touch> touching;
    std::size_t late = 0;
    for (int i = 0; i < 90; ++i) {
        world.step();
        const FrameState frame = published(world);
        const ContactEvents& events = world.contact_events();
        // Within a step a pair may begin, end and begin again.
        std::multiset<Touch> all(touching.begin(), touching.end());
        for (const ContactEvent& event : events.begun) {
            all.insert(touch_of(event));
        }
        for (const ContactEvent& event : events.ended) {
            const auto found = all.find(touch_of(event));
            ASSERT_NE(found, all.end()) << "ended without having begun";
            all.erase(found);
        }
        touching = std::set<Touch>(all.begin(), all.end());
        ASSERT_EQ(touching.size(), all.size()) << "began twice";
        float last = 0.0f;
        for (const ImpactState& impact : frame.impacts) {
            EXPECT_GE(impact.time, last);
            EXPECT_LE(impact.time, world.settings().dt());
            last = impact.time;
            late += frame.stats.short_steps > 1 && impact.time > 0.5f * world.settings().dt() ? 1 : 0;
        }
        for (std::size_t k = 1; k < frame.sweeps.size(); ++k) {
            EXPECT_LT(frame.sweeps[k - 1].body.index, frame.sweeps[k].body.index) << "each body once";
        }
    }
    EXPECT_GT(touching.size(), 50u);
    EXPECT_GT(late, 0u) << "none were reported of the second half of a step";
}

TEST(ShortSteps, AdaptToWhatIsGivenUp) {
    const Settings settings; // 60 Hz
    ShortSteps steps;
    EXPECT_FALSE(steps.adapt(0.004 * 100 / 60.0, 0, 100, settings)) << "a little is left as it is";
    EXPECT_EQ(steps, ShortSteps{});
    EXPECT_TRUE(steps.adapt(0.006 * 100 / 60.0, 0, 100, settings));
    EXPECT_EQ(steps.count, 2);
    EXPECT_FALSE(steps.adapt(0.0, 2 * 24, 100, settings))
        << "in each of the two a little less than a fourth of the bodies have met unforeseen";
    ShortSteps gas;
    EXPECT_FALSE(gas.adapt(0.0, 24, 100, settings));
    EXPECT_TRUE(gas.adapt(0.0, 26, 100, settings)) << "more than a fourth have";
    EXPECT_EQ(gas.count, 2);
    ShortSteps jam;
    EXPECT_TRUE(jam.adapt(0.3 * 100 / 60.0, 0, 100, settings));
    EXPECT_EQ(jam.count, 8) << "as much as will do, at once";
    for (int i = 0; i < 7; ++i) {
        EXPECT_FALSE(steps.adapt(0.0, 0, 100, settings));
    }
    EXPECT_TRUE(steps.adapt(0.0, 0, 100, settings));
    EXPECT_EQ(steps, ShortSteps{});
}

} // namespace
} // namespace cairn::physics::testing
