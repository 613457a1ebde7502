// The world as its users see it: commands, handles, hashes, snapshots, sleeping, the grab.
#include "tests/physics/world/world_builder.h"

#include <array>
#include <cmath>
#include <limits>
#include <thread>

namespace cairn::physics::testing {
namespace {

// Blocks on real threads, in any order: what the engine must not notice.
class ThreadedExecutor final : public Executor {
  public:
    explicit ThreadedExecutor(int threads, bool reversed = false) : threads_(threads), reversed_(reversed) {}

    void parallel_for(std::size_t count, std::size_t grain, const Block& block) override {
        std::vector<std::pair<std::size_t, std::size_t>> blocks;
        for (std::size_t begin = 0; begin < count; begin += grain) {
            blocks.emplace_back(begin, std::min(begin + grain, count));
        }
        if (reversed_) {
            std::reverse(blocks.begin(), blocks.end());
        }
        std::vector<std::thread> workers;
        for (int t = 0; t < threads_; ++t) {
            workers.emplace_back([&, t] {
                for (std::size_t i = static_cast<std::size_t>(t); i < blocks.size();
                     i += static_cast<std::size_t>(threads_)) {
                    block(blocks[i].first, blocks[i].second);
                }
            });
        }
        for (std::thread& worker : workers) {
            worker.join();
        }
    }
    int thread_count() const override { return threads_; }

  private:
    int threads_;
    bool reversed_;
};

void fill_heap(World& world, int count) {
    add(world, make_floor());
    for (int i = 0; i < count; ++i) {
        const Vec3 at(0.9f * static_cast<float>(i % 4), 0.9f * static_cast<float>(i / 4 % 4),
                      0.6f + 0.8f * static_cast<float>(i / 16));
        const std::array<Geometry, 5> kinds{Box{Vec3(0.35f)}, Sphere{0.4f}, Diamond{0.4f}, Capsule{0.2f, 0.3f},
                                            Cylinder{0.3f, 0.3f}};
        BodyDef def = make_body(kinds[static_cast<std::size_t>(i) % kinds.size()], at);
        def.pose.orientation =
            glm::normalize(Quat(1.0f, 0.1f * static_cast<float>(i % 7), 0.2f, 0.05f * static_cast<float>(i % 3)));
        add(world, def);
    }
}

TEST(World, SameCommandsGiveTheSameHashAtEveryStepWhateverTheThreads) {
    ThreadedExecutor two(2);
    ThreadedExecutor three_reversed(3, true);
    World serial;
    World parallel({}, &two);
    World reversed({}, &three_reversed);
    for (World* world : {&serial, &parallel, &reversed}) {
        fill_heap(*world, 80);
    }
    for (int i = 0; i < 120; ++i) {
        for (World* world : {&serial, &parallel, &reversed}) {
            world->step();
        }
        ASSERT_EQ(serial.hash(), parallel.hash()) << "step " << i;
        ASSERT_EQ(serial.hash(), reversed.hash()) << "step " << i;
    }
}

TEST(World, HashNoticesASingleChangedBit) {
    World a;
    World b;
    fill_heap(a, 10);
    fill_heap(b, 10);
    EXPECT_EQ(a.hash(), b.hash());
    SetBody nudge;
    nudge.body = a.body_ids().back();
    const Vec3 position = state_of(a, nudge.body).pose.position;
    nudge.position = Vec3(std::nextafter(position.x, 1e9f), position.y, position.z);
    a.apply(nudge);
    EXPECT_NE(a.hash(), b.hash());
}

TEST(World, SnapshotContinuesWithTheSameBits) {
    World world;
    fill_heap(world, 60);
    run(world, 90);
    const auto snapshot = world.snapshot();
    std::vector<std::uint64_t> expected;
    for (int i = 0; i < 60; ++i) {
        world.step();
        expected.push_back(world.hash());
    }
    World other;
    other.restore(*snapshot);
    for (int i = 0; i < 60; ++i) {
        other.step();
        ASSERT_EQ(other.hash(), expected[static_cast<std::size_t>(i)]) << "step " << i;
    }
}

TEST(World, OldHandlesNeverReachNewBodies) {
    World world;
    const BodyId first = add(world, make_body(Sphere{0.5f}, Vec3(0)));
    ASSERT_TRUE(world.apply(DestroyBody{first}).ok());
    const BodyId second = add(world, make_body(Sphere{0.5f}, Vec3(0)));
    EXPECT_EQ(first.index, second.index);
    EXPECT_NE(first.generation, second.generation);
    EXPECT_FALSE(world.apply(DestroyBody{first}).ok());
    EXPECT_FALSE(world.state(first).has_value());
    EXPECT_EQ(world.body_count(), 1u);
}

TEST(World, RefusesInsaneNumbersAndStaysAsItWas) {
    World world;
    fill_heap(world, 5);
    const BodyId body = world.body_ids().back();
    const std::uint64_t before = world.hash();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    std::vector<Command> bad;
    bad.push_back(CreateBody{make_body(Sphere{-1.0f}, Vec3(0))});
    bad.push_back(CreateBody{make_body(Sphere{nan}, Vec3(0))});
    bad.push_back(CreateBody{make_body(Sphere{1.0f}, Vec3(0, 0, infinity))});
    bad.push_back(CreateBody{BodyDef{}});
    BodyDef heavy = make_body(Sphere{1.0f}, Vec3(0));
    heavy.mass = 0.0f;
    bad.push_back(CreateBody{heavy});
    BodyDef skewed = make_body(Sphere{1.0f}, Vec3(0));
    skewed.pose.orientation = Quat(0, 0, 0, 0);
    bad.push_back(CreateBody{skewed});
    SetBody set;
    set.body = body;
    set.position = Vec3(nan, 0, 0);
    bad.push_back(set);
    set.position.reset();
    set.restitution = 1.5f;
    bad.push_back(set);
    bad.push_back(ApplyImpulse{body, Vec3(0, nan, 0), {}});
    bad.push_back(MoveGrab{Vec3(0)});              // nothing is held
    bad.push_back(Grab{world.body_ids().front()}); // the floor
    Settings settings;
    settings.substeps = 0;
    bad.push_back(SetSettings{settings});
    settings = {};
    settings.gravity.x = infinity;
    bad.push_back(SetSettings{settings});
    for (std::size_t i = 0; i < bad.size(); ++i) {
        const CommandResult result = world.apply(bad[i]);
        EXPECT_FALSE(result.ok()) << "command " << i;
        EXPECT_FALSE(result.created) << "command " << i;
        EXPECT_EQ(world.hash(), before) << "command " << i;
    }
}

TEST(World, QuietIslandsSleepAndWakeWhenTouched) {
    World world;
    add(world, make_floor());
    const BodyId lower = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f)));
    const BodyId upper = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 1.5f)));
    const BodyId apart = add(world, make_body(Box{Vec3(0.5f)}, Vec3(9, 0, 0.5f)));
    run(world, 120);
    EXPECT_TRUE(state_of(world, lower).sleeping);
    EXPECT_TRUE(state_of(world, upper).sleeping);
    EXPECT_EQ(published(world).stats.awake, 0u);

    BodyDef ball = make_body(Sphere{0.3f}, Vec3(0.2f, 0, 3.5f));
    add(world, ball);
    run(world, 40);
    EXPECT_FALSE(state_of(world, lower).sleeping);
    EXPECT_FALSE(state_of(world, upper).sleeping);
    EXPECT_TRUE(state_of(world, apart).sleeping) << "another island";
}

TEST(World, RemovingTheSupportWakesWhatRestedOnIt) {
    World world;
    add(world, make_floor());
    const BodyId lower = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f)));
    const BodyId upper = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 1.5f)));
    run(world, 120);
    ASSERT_TRUE(state_of(world, upper).sleeping);
    world.apply(DestroyBody{lower});
    run(world, 90);
    EXPECT_NEAR(state_of(world, upper).pose.position.z, 0.5, 0.01);
}

TEST(World, AnObstacleMovedIntoASleeperIsNoticed) {
    World world;
    add(world, make_floor());
    const BodyId sleeper = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f)));
    const BodyId pillar = add(world, make_static(Box{Vec3(0.5f, 0.5f, 2)}, Vec3(5, 0, 2)));
    run(world, 120);
    ASSERT_TRUE(state_of(world, sleeper).sleeping);
    SetBody move;
    move.body = pillar;
    move.position = Vec3(0.8f, 0, 2); // overlaps by 0.2 m
    ASSERT_TRUE(world.apply(move).ok());
    run(world, 60);
    EXPECT_LT(state_of(world, sleeper).pose.position.x, -0.15f);
}

TEST(World, AnImpulseBeyondSaneSpeedsIsRefused) {
    World world;
    BodyDef def = make_body(Sphere{0.1f}, Vec3(0));
    def.mass = 1e-3f;
    const BodyId pebble = add(world, def);
    EXPECT_FALSE(world.apply(ApplyImpulse{pebble, Vec3(1e6f, 0, 0), {}}).ok());
    EXPECT_EQ(state_of(world, pebble).linear_velocity, Vec3(0));
}

TEST(World, SleepingChangesNothingBeforeTheFirstSleep) {
    World with;
    Settings settings;
    settings.sleeping = false;
    World without(settings);
    fill_heap(with, 40);
    fill_heap(without, 40);
    int compared = 0;
    for (int i = 0; i < 600; ++i) {
        with.step();
        without.step();
        if (published(with).stats.awake < 40u) {
            break;
        }
        ++compared;
        for (const BodyId id : with.body_ids()) {
            ASSERT_EQ(state_of(with, id).pose, state_of(without, id).pose);
        }
    }
    EXPECT_GT(compared, 30);
}

TEST(World, GrabPullsTheHeldPointToItsTargetAndLetsGo) {
    World world;
    add(world, make_floor());
    const BodyId box = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.5f)));
    run(world, 120);
    ASSERT_TRUE(world.apply(Grab{box, Vec3(0, 0, 0.5f), Vec3(0, 0, 1.0f)}).ok());
    ASSERT_TRUE(world.apply(MoveGrab{Vec3(2, 1, 3)}).ok());
    run(world, 180);
    const FrameState held = published(world);
    EXPECT_TRUE(held.grab.active);
    EXPECT_LT(glm::length(held.grab.point - Vec3(2, 1, 3)), 0.05f);
    world.apply(ReleaseGrab{});
    run(world, 120);
    EXPECT_FALSE(published(world).grab.active);
    EXPECT_NEAR(state_of(world, box).pose.position.z, 0.5, 0.01);
}

TEST(World, ImpulseChangesMomentumByItself) {
    Settings settings;
    settings.gravity = Vec3(0);
    World world(settings);
    const BodyId box = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0)));
    world.apply(ApplyImpulse{box, Vec3(500, 0, 0), Vec3(0, 0, 0.5f)});
    const BodyState state = state_of(world, box);
    EXPECT_NEAR(state.linear_velocity.x, 0.5, 1e-6);                         // 500 N s on 1000 kg
    EXPECT_NEAR(state.angular_velocity.y, 500 * 0.5 / (1000.0 / 6.0), 1e-4); // I = m a^2 / 6
}

TEST(World, RayFindsTheNearestBody) {
    World world;
    add(world, make_floor());
    add(world, make_body(Sphere{0.5f}, Vec3(0, 0, 2)));
    const BodyId top = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 4)));
    const auto hit = world.ray_cast({Vec3(0.1f, 0.1f, 10), Vec3(0, 0, -1), 100.0f});
    ASSERT_TRUE(hit.has_value());
    EXPECT_EQ(hit->body, top);
    EXPECT_NEAR(hit->hit.distance, 5.5, 1e-4);
    EXPECT_FALSE(world.ray_cast({Vec3(0, 0, 10), Vec3(0, 0, 1), 100.0f}).has_value());
}

TEST(World, CompoundBodyHasTheCentreAndInertiaOfItsParts) {
    World world;
    BodyDef hammer;
    hammer.shapes.push_back({Box{Vec3(0.5f, 0.1f, 0.1f)}, {}}); // handle, 0.04 m^3
    hammer.shapes.push_back({Box{Vec3(0.1f, 0.3f, 0.1f)}, {Vec3(0.6f, 0, 0), identity_orientation}}); // head, 0.024 m^3
    hammer.pose.position = Vec3(1, 2, 3);
    const BodyId id = add(world, hammer);
    const auto model = world.model(id);
    EXPECT_NEAR(model->mass, 64.0, 1e-3);
    const double centre = 0.6 * 24.0 / 64.0;
    EXPECT_NEAR(model->parts[0].pose.position.x, -centre, 1e-6);
    EXPECT_NEAR(model->parts[1].pose.position.x, 0.6 - centre, 1e-6);
    EXPECT_EQ(state_of(world, id).pose.position, Vec3(1, 2, 3)) << "the position is the centre of mass";
    const double izz = 40.0 / 3.0 * (0.25 + 0.01) + 40.0 * centre * centre + 24.0 / 3.0 * (0.01 + 0.09) +
                       24.0 * (0.6 - centre) * (0.6 - centre);
    EXPECT_NEAR(model->inertia[2][2], izz, 1e-3 * izz);
}

TEST(World, ChangingTheTypeTurnsABodyIntoAnObstacleAndBack) {
    World world;
    const BodyId shelf = add(world, make_body(Box{Vec3(1, 1, 0.1f)}, Vec3(0, 0, 2)));
    SetBody fix;
    fix.body = shelf;
    fix.type = BodyType::fixed;
    ASSERT_TRUE(world.apply(fix).ok());
    const BodyId ball = add(world, make_body(Sphere{0.3f}, Vec3(0, 0, 3)));
    run(world, 120);
    EXPECT_NEAR(state_of(world, ball).pose.position.z, 2.4, 0.01);
    fix.type = BodyType::dynamic;
    ASSERT_TRUE(world.apply(fix).ok());
    run(world, 60);
    EXPECT_LT(state_of(world, ball).pose.position.z, 1.0f);
}

} // namespace
} // namespace cairn::physics::testing
