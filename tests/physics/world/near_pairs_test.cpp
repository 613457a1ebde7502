// No pair that is near is passed over: against the distance of every pair in every step.
#include "physics/query/distance.h"
#include "tests/physics/world/world_builder.h"

#include <array>
#include <cmath>
#include <map>
#include <random>

namespace cairn::physics {
namespace {

using namespace testing;

using Pairs = std::map<std::pair<std::uint32_t, std::uint32_t>, float>; // least separation, m

Pairs contacts_of(const FrameState& frame) {
    Pairs pairs;
    for (const ContactState& contact : frame.contacts) {
        const auto key = std::minmax(contact.body_a.index, contact.body_b.index);
        const auto [at, fresh] = pairs.try_emplace(key, contact.separation);
        at->second = std::min(at->second, contact.separation);
    }
    return pairs;
}

// Single shapes of many kinds dropped into a pit, some of them fast.
void fill(World& world, std::mt19937& generator) {
    std::uniform_real_distribution<float> unit(-1.0f, 1.0f);
    const auto vector = [&](float scale) {
        const float x = unit(generator), y = unit(generator), z = unit(generator);
        return scale * Vec3(x, y, z);
    };
    add(world, make_floor());
    for (const float side : {-1.0f, 1.0f}) {
        add(world, make_static(Box{Vec3(0.5f, 4.0f, 4.0f)}, Vec3(2.5f * side, 0.0f, 4.0f)));
        add(world, make_static(Box{Vec3(4.0f, 0.5f, 4.0f)}, Vec3(0.0f, 2.5f * side, 4.0f)));
    }
    const std::array<Geometry, 6> kinds{Box{Vec3(0.3f)},      Diamond{0.4f},
                                        Sphere{0.3f},         Box{Vec3(0.6f, 0.2f, 0.1f)},
                                        Capsule{0.15f, 0.3f}, Cylinder{0.25f, 0.3f}};
    for (int i = 0; i < 48; ++i) {
        BodyDef def = make_body(kinds[static_cast<std::size_t>(i) % kinds.size()], vector(1.2f));
        def.pose.position.z = 0.6f + 0.35f * static_cast<float>(i / 2);
        def.pose.orientation = normalized(Quat(1.0f, 0.3f, 0.1f, 0.2f) * static_cast<float>(1 + i % 3));
        def.linear_velocity = vector(i % 7 == 0 ? 20.0f : 1.0f);
        def.angular_velocity = vector(3.0f);
        add(world, def);
    }
}

// Every pair nearer than both halves of a slop has a contact in whatever state it is; more is asked for ahead of
// touching where nothing is fast.
struct NearCheck {
    int near = 0, missed = 0;
    float worst = 0.0f; // m, of the depths of shallow contacts
};

void check_step(const FrameState& start, const FrameState& end, NearCheck& check) {
    constexpr float surely = 0.004f;
    const Pairs contacts = contacts_of(end);
    for (std::size_t i = 0; i < start.bodies.size(); ++i) {
        for (std::size_t j = i + 1; j < start.bodies.size(); ++j) {
            const BodyState& a = start.bodies[i];
            const BodyState& b = start.bodies[j];
            if (a.type != BodyType::dynamic && b.type != BodyType::dynamic) {
                continue;
            }
            const Shape& shape_a = *start.models[i]->parts[0].shape;
            const Shape& shape_b = *start.models[j]->parts[0].shape;
            const Vec3 between = b.pose.position - a.pose.position;
            if (glm::length(between) > shape_a.bounding_radius + shape_b.bounding_radius + surely) {
                continue;
            }
            const float distance = signed_distance(shape_a, a.pose, shape_b, b.pose).distance;
            if (distance > surely) {
                continue;
            }
            ++check.near;
            const auto found = contacts.find({a.id.index, b.id.index});
            if (found == contacts.end()) {
                ++check.missed;
            } else if (std::abs(distance) < 0.01f) {
                check.worst = std::max(check.worst, std::abs(found->second - distance));
            }
        }
    }
}

TEST(NearPairs, AllHaveContacts) {
    std::mt19937 generator(11);
    Settings settings;
    settings.sleep_time = 0.25f;
    settings.max_short_steps = 1; // else contacts are those of the last short step's start
    World world(settings);
    fill(world, generator);
    std::uniform_real_distribution<float> unit(-1.0f, 1.0f);
    NearCheck check;
    FrameState start = published(world);
    for (int step = 0; step < 300; ++step) {
        if (step % 25 == 24) { // what is put elsewhere is near to others at once
            SetBody set;
            const std::size_t which = 5 + static_cast<std::size_t>(step * 7) % (start.bodies.size() - 5);
            set.body = start.bodies[which].id;
            const float x = unit(generator), y = unit(generator);
            set.position = Vec3(x, y, 0.8f);
            set.linear_velocity = Vec3(0.0f);
            ASSERT_TRUE(world.apply(set).ok());
            start = published(world);
        }
        world.step();
        FrameState end = published(world);
        check_step(start, end, check);
        start = std::move(end);
    }
    EXPECT_EQ(check.missed, 0);
    EXPECT_GT(check.near, 10000);
    // A thousandth of the size is what a face may be worse than the best direction, and eight thousandths of the inner
    // radius, 0.3 m at most, the bound for what has been taken along.
    EXPECT_LT(check.worst, 0.0028f);
}

// A floor that is moved under a heap that lies and back again a step later, and a fixed body that is put beside it.
TEST(NearPairs, AreFoundWhenWhatIsFixedMoves) {
    World world(without_sleep());
    const BodyId floor = add(world, make_floor());
    const BodyId block = add(world, make_static(Box{Vec3(0.5f)}, Vec3(50.0f, 0.0f, 0.5f)));
    const BodyId box = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0.0f, 0.0f, 0.5f)));
    run(world, 60);
    ASSERT_EQ(published(world).stats.contacts, 1u);
    SetBody away;
    away.body = floor;
    away.position = Vec3(0.0f, 0.0f, -3.0f);
    ASSERT_TRUE(world.apply(away).ok());
    run(world, 1);
    EXPECT_EQ(published(world).stats.contacts, 0u);
    away.position = Vec3(0.0f, 0.0f, -1.0f);
    ASSERT_TRUE(world.apply(away).ok());
    run(world, 1);
    EXPECT_EQ(published(world).stats.contacts, 1u);
    SetBody beside;
    beside.body = block;
    beside.position = Vec3(1.002f, 0.0f, 0.5f);
    ASSERT_TRUE(world.apply(beside).ok());
    run(world, 1);
    EXPECT_EQ(published(world).stats.contacts, 2u);
    EXPECT_GT(state_of(world, box).pose.position.z, 0.49f);
}

TEST(NearPairs, TakeANewSurfaceAtOnce) {
    World world(without_sleep());
    const BodyId floor = add(world, make_floor());
    BodyDef def = make_body(Box{Vec3(0.5f)}, Vec3(0.0f, 0.0f, 0.5f));
    def.linear_velocity = Vec3(0.0f);
    const BodyId box = add(world, def);
    run(world, 60);
    for (const BodyId body : {floor, box}) {
        SetBody slippery;
        slippery.body = body;
        slippery.friction = 0.0f;
        ASSERT_TRUE(world.apply(slippery).ok());
    }
    SetBody push;
    push.body = box;
    push.linear_velocity = Vec3(0.01f, 0.0f, 0.0f); // within the tolerance of what is taken along
    ASSERT_TRUE(world.apply(push).ok());
    run(world, 3);
    EXPECT_NEAR(state_of(world, box).linear_velocity.x, 0.01f, 1e-4f);
}

TEST(NearPairs, GoOnFromASnapshotAsTheyWere) {
    std::mt19937 generator(12);
    World world{Settings{}};
    fill(world, generator);
    run(world, 90);
    const auto snapshot = world.snapshot();
    const std::uint64_t at_snapshot = world.hash();
    run(world, 40);
    const std::uint64_t after = world.hash();
    world.restore(*snapshot);
    EXPECT_EQ(world.hash(), at_snapshot);
    run(world, 40);
    EXPECT_EQ(world.hash(), after);
    World other{Settings{}};
    other.restore(*snapshot);
    run(other, 40);
    EXPECT_EQ(other.hash(), after);
}

// Sums that are kept for what sleeps against hashes that are asked for in every state.
TEST(NearPairs, AskingForTheHashChangesNothing) {
    std::mt19937 generator(13);
    Settings settings;
    settings.sleep_time = 0.2f;
    World asked(settings), silent(settings);
    fill(asked, generator);
    generator.seed(13);
    fill(silent, generator);
    for (int step = 0; step < 240; ++step) {
        asked.step();
        silent.step();
        const std::uint64_t once = asked.hash();
        EXPECT_EQ(asked.hash(), once);
        if (step == 180) {
            ApplyImpulse push;
            push.body = asked.body_ids()[8];
            push.impulse = Vec3(200.0f, 0.0f, 300.0f);
            ASSERT_TRUE(asked.apply(push).ok());
            ASSERT_TRUE(silent.apply(push).ok());
            EXPECT_NE(asked.hash(), once);
        }
    }
    EXPECT_EQ(asked.hash(), silent.hash());
}

} // namespace
} // namespace cairn::physics
