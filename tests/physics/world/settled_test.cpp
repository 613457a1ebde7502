// What a world at rest costs, and that resting changes nothing but the cost.
#include "tests/physics/world/allocation_counter.h"
#include "tests/physics/world/world_builder.h"

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace cairn::physics::testing {
namespace {

// Bodies of all shapes dropped into a square pit.
std::vector<BodyId> fill_pit(World& world, int count, float rolling_resistance = 0.05f) {
    std::mt19937 generator(9);
    const auto uniform = [&] { return static_cast<float>(generator() % 10000u) * 1e-4f - 0.5f; };
    const float half = 2.0f;
    add(world, make_floor());
    for (const float side : {-1.0f, 1.0f}) {
        add(world, make_static(Box{Vec3(0.5f, half + 1.0f, 20)}, Vec3(side * (half + 0.5f), 0, 20)));
        add(world, make_static(Box{Vec3(half + 1.0f, 0.5f, 20)}, Vec3(0, side * (half + 0.5f), 20)));
    }
    const std::array<Geometry, 6> kinds{Box{Vec3(0.4f, 0.3f, 0.35f)}, Sphere{0.4f},   Capsule{0.25f, 0.25f},
                                        Cylinder{0.35f, 0.35f},       Diamond{0.45f}, Box{Vec3(0.45f)}};
    std::vector<BodyId> bodies;
    for (int i = 0; i < count; ++i) {
        const float dx = uniform();
        const float dy = uniform();
        const float dz = uniform();
        const Vec3 cell(static_cast<float>(i % 3 - 1), static_cast<float>(i / 3 % 3 - 1), static_cast<float>(i / 9));
        BodyDef def = make_body(kinds[static_cast<std::size_t>(i) % kinds.size()],
                                1.2f * cell + Vec3(0.1f * dx, 0.1f * dy, 0.8f));
        def.pose.orientation = glm::normalize(Quat(0.6f, dx, dy, dz));
        def.material.rolling_resistance = rolling_resistance;
        bodies.push_back(add(world, def));
    }
    return bodies;
}

int asleep(const World& world, const std::vector<BodyId>& bodies) {
    int count = 0;
    for (const BodyId id : bodies) {
        count += state_of(world, id).sleeping ? 1 : 0;
    }
    return count;
}

std::size_t allocations_of(World& world, int steps) {
    const std::size_t before = allocations();
    run(world, steps);
    return allocations() - before;
}

TEST(Settled, APileAllocatesNothingAwakeOrAsleep) {
    const std::size_t start = allocations();
    Settings sleepless;
    sleepless.sleeping = false;
    World awake(sleepless);
    fill_pit(awake, 60);
    EXPECT_GT(allocations() - start, 100u) << "the counter does not count";
    EXPECT_GT(allocations_of(awake, 1), 0u) << "nor what a first step needs";
    run(awake, 500);
    EXPECT_EQ(allocations_of(awake, 100), 0u);

    World sleeping;
    const std::vector<BodyId> bodies = fill_pit(sleeping, 60);
    for (int i = 0; i < 900 && asleep(sleeping, bodies) != 60; ++i) {
        sleeping.step();
    }
    ASSERT_EQ(asleep(sleeping, bodies), 60);
    EXPECT_EQ(allocations_of(sleeping, 100), 0u);

    FrameState frame;
    sleeping.publish(frame);
    const std::size_t before = allocations();
    for (int i = 0; i < 10; ++i) {
        sleeping.step();
        sleeping.publish(frame);
    }
    EXPECT_EQ(allocations() - before, 0u) << "a frame that is written again";
}

// What moves through a world at rest finds memory from earlier meetings: pairs come and go, none is new to the heap.
TEST(Settled, ABodyThatGoesToAndFroAmongSleepersAllocatesNothingOnceItKnowsItsWay) {
    World world;
    add(world, make_floor());
    for (int i = 0; i < 12; ++i) {
        for (const float side : {-1.0f, 1.0f}) {
            add(world, make_body(Box{Vec3(0.4f)}, Vec3(static_cast<float>(i), side, 0.4f)));
        }
    }
    BodyDef ball = make_body(Sphere{0.3f}, Vec3(0, 0, 0.5f));
    ball.gravity_scale = 0.0f;
    ball.linear_velocity = Vec3(5, 0, 0);
    ball.material = {0.0f, 1.0f, 0.0f};
    ball.can_sleep = false;
    for (const float x : {-1.5f, 12.5f}) {
        BodyDef end = make_static(Box{Vec3(0.5f, 2, 2)}, Vec3(x, 0, 0));
        end.material = {0.0f, 1.0f, 0.0f};
        add(world, end);
    }
    const BodyId goes = add(world, ball);
    run(world, 700);
    EXPECT_EQ(published(world).stats.awake, 1u);
    const float before = state_of(world, goes).pose.position.x;
    const std::uint32_t pairs = published(world).stats.pairs;
    std::size_t count = 0;
    bool pairs_changed = false;
    float farthest = 0.0f;
    for (int i = 0; i < 400; ++i) {
        count += allocations_of(world, 1);
        pairs_changed = pairs_changed || published(world).stats.pairs != pairs;
        farthest = std::max(farthest, std::abs(state_of(world, goes).pose.position.x - before));
    }
    EXPECT_EQ(count, 0u);
    EXPECT_TRUE(pairs_changed);
    EXPECT_GT(farthest, 5.0f);
}

// Everything that depends on the number of bodies or contacts goes through the executor if there are enough of them.
class CountingExecutor final : public Executor {
  public:
    void parallel_for(std::size_t count, std::size_t grain, const Block& block) override {
        items += count;
        serial_.parallel_for(count, grain, block);
    }
    int thread_count() const override { return 1; }
    std::size_t items = 0;

  private:
    SerialExecutor serial_;
};

// Small islands are solved in batches of different sizes, one after the other on the same memory.
TEST(Settled, ManySmallIslandsAllocateNothing) {
    Settings sleepless;
    sleepless.sleeping = false;
    World world(sleepless);
    add(world, make_static(Box{Vec3(200, 200, 1)}, Vec3(0, 0, -1)));
    for (int tower = 0; tower < 750; ++tower) {
        for (int floor = 0; floor < 2 + tower % 3; ++floor) {
            add(world, make_body(Box{Vec3(0.4f)}, Vec3(2.0f * static_cast<float>(tower % 30) - 30.0f,
                                                       2.0f * static_cast<float>(tower / 30) - 30.0f,
                                                       0.4f + 0.8f * static_cast<float>(floor))));
        }
    }
    run(world, 80);
    ASSERT_GT(published(world).stats.batches, 1u);
    EXPECT_EQ(allocations_of(world, 20), 0u);
}

TEST(Settled, SleepersAreGivenNoWork) {
    CountingExecutor executor;
    World world({}, &executor);
    add(world, make_floor());
    for (int i = 0; i < 2000; ++i) {
        add(world, make_body(Sphere{0.3f}, Vec3(static_cast<float>(i % 50), static_cast<float>(i / 50), 0.3f)));
    }
    world.step();
    EXPECT_GT(executor.items, 10000u);
    run(world, 40);
    ASSERT_EQ(published(world).stats.awake, 0u);
    executor.items = 0;
    run(world, 100);
    EXPECT_EQ(executor.items, 0u);
}

// The hash covers the settings: with the same ones on both sides it tells everything else, except how long bodies have
// been quiet for, because both are woken.
std::uint64_t hash_but_for_settings(const World& world, World& scratch) {
    scratch.restore(*world.snapshot());
    Settings settings;
    settings.gravity = Vec3(1, 2, 3); // unlike either, so that both change
    EXPECT_TRUE(scratch.apply(SetSettings{settings}).ok());
    return scratch.hash();
}

TEST(Settled, SleepingOnOrOffGivesTheSameHashUntilTheFirstSleep) {
    Settings off;
    off.sleeping = false;
    World with, without(off), scratch;
    const std::vector<BodyId> bodies = fill_pit(with, 40);
    fill_pit(without, 40);
    int compared = 0;
    for (; compared < 900; ++compared) {
        with.step();
        without.step();
        if (asleep(with, bodies) != 0) {
            break;
        }
        ASSERT_EQ(hash_but_for_settings(with, scratch), hash_but_for_settings(without, scratch)) << "step " << compared;
        for (const BodyId id : bodies) { // and with the time that each has been quiet for
            ASSERT_EQ(state_of(with, id).hash, state_of(without, id).hash) << "step " << compared;
        }
    }
    EXPECT_GT(compared, 100);
    EXPECT_GT(asleep(with, bodies), 0) << "it never came to the first sleep";
}

// Stacks that have nothing to do with each other: those that are still awake do not notice that others sleep.
TEST(Settled, AnIslandThatFallsAsleepChangesNoBitOfAnother) {
    Settings off;
    off.sleeping = false;
    World with, without(off);
    std::vector<BodyId> bodies;
    for (World* world : {&with, &without}) {
        add(*world, make_floor());
        bodies.clear();
        for (int i = 0; i < 24; ++i) {
            const auto stack = static_cast<float>(i / 3);
            BodyDef def = make_body(i % 2 == 0 ? Geometry(Box{Vec3(0.4f)}) : Geometry(Diamond{0.5f}),
                                    Vec3(20.0f * (stack - 4.0f), 0, 0.6f + stack + 1.1f * static_cast<float>(i % 3)));
            def.material.restitution = i % 5 == 0 ? 0.4f : 0.0f;
            bodies.push_back(add(*world, def));
        }
    }
    int beside_sleepers = 0;
    std::array<bool, 8> slept{}; // one that has slept has been stopped, and so is no longer the same
    for (int step = 0; step < 600; ++step) {
        with.step();
        without.step();
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            slept[i / 3] = slept[i / 3] || state_of(with, bodies[i]).sleeping;
        }
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (!slept[i / 3]) {
                ASSERT_EQ(state_of(with, bodies[i]).hash, state_of(without, bodies[i]).hash)
                    << "body " << i << ", step " << step;
                beside_sleepers += asleep(with, bodies) != 0 ? 1 : 0;
            }
        }
    }
    EXPECT_GT(beside_sleepers, 300);
    EXPECT_EQ(asleep(with, bodies), 24);
}

// A tap wakes the whole heap; it must not be unsettled by having slept, and sleeps again when the sleep time is over.
TEST(Settled, AHeapWokenByATapSleepsAgainWhereItLay) {
    World world;
    const std::vector<BodyId> bodies = fill_pit(world, 60);
    int step = 0;
    for (; step < 900 && asleep(world, bodies) != 60; ++step) {
        world.step();
    }
    ASSERT_EQ(asleep(world, bodies), 60);
    std::vector<Vec3> lay;
    for (const BodyId id : bodies) {
        lay.push_back(state_of(world, id).pose.position);
    }
    ASSERT_TRUE(world.apply(ApplyImpulse{bodies[30], Vec3(0.01f, 0, 0), {}}).ok());
    int most_awake = 0, wakes = 0, before = 60;
    for (step = 0; step < 120; ++step) {
        world.step();
        const int now = asleep(world, bodies);
        most_awake = std::max(most_awake, 60 - now);
        wakes += now < before ? 1 : 0;
        before = now;
    }
    EXPECT_GT(most_awake, 40);
    EXPECT_EQ(before, 60);
    EXPECT_EQ(wakes, 1);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        EXPECT_LT(glm::distance(state_of(world, bodies[i]).pose.position, lay[i]), 2e-3f) << "body " << i;
    }
}

// A pile comes to rest once: what sleeps is not woken by what still settles beside it, again and again.
TEST(Settled, APileFallsAsleepOnceAndStaysAsleep) {
    World world;
    const std::vector<BodyId> bodies = fill_pit(world, 60);
    std::vector<bool> slept(bodies.size(), false);
    int sleeps = 0, wakes = 0, alarms = 0; // steps in which some of it wakes
    for (int step = 0; step < 1800; ++step) {
        world.step();
        const int woken = wakes;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const bool now = state_of(world, bodies[i]).sleeping;
            sleeps += now && !slept[i] ? 1 : 0;
            wakes += !now && slept[i] ? 1 : 0;
            slept[i] = now;
        }
        alarms += wakes > woken ? 1 : 0;
    }
    EXPECT_EQ(asleep(world, bodies), 60);
    EXPECT_LE(alarms, 1) << "what still rolls may knock against it once";
    EXPECT_EQ(sleeps - wakes, 60);
}

} // namespace
} // namespace cairn::physics::testing
