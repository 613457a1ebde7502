// The parts of a step, each without a world.
#include "physics/world/island_substeps.h"
#include "physics/world/islands.h"
#include "physics/world/waking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <variant>
#include <vector>

using namespace cairn::physics;

namespace {

// Boxes a metre wide in a row, the first of them fixed, with what the stages up to the islands need.
struct Row {
    BodyKindLibrary kinds;
    BodyStore bodies;
    AwakeBodies awake;
    ContactPool contacts;
    JointStore joints;
    Partition partition;
    Islands islands;
    SerialExecutor executor;
    Settings settings;
    std::vector<TouchingSides> sides;
    std::vector<std::uint32_t> touching;

    explicit Row(int count) {
        for (int i = 0; i < count; ++i) {
            add(i == 0 ? BodyType::fixed : BodyType::dynamic, Vec3(static_cast<float>(i), 0, 0));
        }
        waking().commit();
    }

    Waking waking() { return {bodies, awake, contacts, joints}; }

    std::uint32_t add(BodyType type, const Vec3& position) {
        BodyDef def;
        def.type = type;
        def.shapes.push_back({Box{Vec3(0.5f)}, {}});
        def.pose.position = position;
        const std::uint32_t slot = bodies.add(def, std::get<std::shared_ptr<const BodyKind>>(kinds.get(def)));
        waking().refresh(slot);
        bodies.rehash(slot);
        return slot;
    }

    // Bodies of one shape each: the index of the shape is the slot.
    void touch(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t pair = contacts.create(make_pair_key(a, b), a, b);
        contacts.set_active(pair, bodies[a].awake || bodies[b].awake);
        Contact contact;
        contact.body_a = a;
        contact.body_b = b;
        contacts.touch(pair, contact, std::vector<ContactPoint>(1));
        contacts.commit();
        touching.push_back(contacts.pair(pair).contact);
        sides.emplace_back(a, b, true, false, false);
    }

    std::uint32_t join(std::uint32_t a, std::uint32_t b) {
        JointDef def;
        def.body_a = bodies.id(a);
        def.body_b = bodies.id(b);
        return joints.add(def);
    }

    void build(const std::vector<std::uint32_t>& acting = {}) {
        partition.update(executor, bodies, awake, sides);
        islands.build(executor, bodies, partition, touching, sides, joints, acting);
    }
    bool together(std::uint32_t a, std::uint32_t b) const {
        return islands.root(partition.motion_of(a)) == islands.root(partition.motion_of(b));
    }
    std::vector<std::uint32_t> sleepers(const std::vector<std::uint32_t>& acting = {}) {
        const auto slots = islands.to_sleep(bodies, awake, partition, joints, acting, settings);
        return {slots.begin(), slots.end()};
    }
};

} // namespace

TEST(BodyStore, ReusesSlotsButNotHandles) {
    Row row(3);
    const BodyId gone = row.bodies.id(1);
    const std::uint64_t hash = row.bodies.resting_hash;
    row.waking().set_awake(1, false);
    row.bodies.remove(1);
    EXPECT_EQ(row.bodies.find(gone), nullptr);
    EXPECT_EQ(row.bodies.count(), 2u);
    EXPECT_EQ(row.add(BodyType::dynamic, Vec3(9)), 1u);
    EXPECT_EQ(row.bodies.find(gone), nullptr);
    EXPECT_NE(row.bodies.find(row.bodies.id(1)), nullptr);
    EXPECT_EQ(row.bodies.resting_hash, hash); // that of the fixed body
    EXPECT_EQ(row.bodies.shapes.size(), 3u);  // the run of one shape was reused
}

TEST(BodyStore, TracesWhatABodyHasMoved) {
    Row row(2);
    const Transform start = row.bodies[1].pose;
    row.bodies[1].pose.position += Vec3(0, 0, 0.25f);
    row.bodies.trace_motion(1, start);
    EXPECT_NEAR(gap_after(1.0f, row.bodies.traces[0], row.bodies.traces[1], row.bodies.trace_epoch), 0.75f, 1e-5f);
    row.bodies.lose_track(1);
    EXPECT_LT(gap_after(1.0f, row.bodies.traces[0], row.bodies.traces[1], row.bodies.trace_epoch), -1e30f);
}

TEST(AwakeBodies, ListsOnceWhatSleptAndWokeAgain) {
    Row row(4);
    EXPECT_EQ(std::vector<std::uint32_t>(row.awake.begin(), row.awake.end()), (std::vector<std::uint32_t>{1, 2, 3}));
    const std::uint64_t version = row.awake.version();
    row.waking().fall_asleep(2);
    row.waking().wake(2);
    row.waking().fall_asleep(3);
    EXPECT_FALSE(row.awake.listed());
    row.waking().commit();
    EXPECT_TRUE(row.awake.listed());
    EXPECT_GT(row.awake.version(), version);
    EXPECT_EQ(std::vector<std::uint32_t>(row.awake.begin(), row.awake.end()), (std::vector<std::uint32_t>{1, 2}));
}

TEST(Waking, GoesThroughContactsAndJoints) {
    Row row(6);
    row.touch(1, 2);
    row.join(2, 3);
    row.touch(4, 5);
    for (std::uint32_t slot = 1; slot < 6; ++slot) {
        row.waking().fall_asleep(slot);
    }
    row.waking().commit();
    EXPECT_EQ(row.awake.size(), 0u);
    EXPECT_TRUE(row.contacts.active().empty());
    row.waking().wake(1);
    row.waking().commit();
    EXPECT_EQ(std::vector<std::uint32_t>(row.awake.begin(), row.awake.end()), (std::vector<std::uint32_t>{1, 2, 3}));
    EXPECT_EQ(row.contacts.active().size(), 1u);
}

TEST(Islands, FixedBodiesConnectNothing) {
    Row row(5);
    row.touch(0, 1);
    row.touch(0, 2);
    row.touch(2, 3);
    row.build();
    EXPECT_FALSE(row.together(1, 2));
    EXPECT_TRUE(row.together(2, 3));
    EXPECT_EQ(row.islands.count(), 3u);
    EXPECT_FALSE(row.islands.in_one_mechanism(row.partition.motion_of(2), row.partition.motion_of(3)));
}

TEST(Islands, JointsConnectAndMakeMechanisms) {
    Row row(4);
    const std::uint32_t joint = row.join(1, 2);
    row.touch(2, 3);
    row.build({joint});
    EXPECT_EQ(row.islands.count(), 1u);
    EXPECT_TRUE(row.islands.in_one_mechanism(row.partition.motion_of(1), row.partition.motion_of(2)));
    EXPECT_FALSE(row.islands.in_one_mechanism(row.partition.motion_of(2), row.partition.motion_of(3)));
}

TEST(Islands, SleepAsAWhole) {
    Row row(5);
    row.touch(1, 2);
    row.touch(3, 4);
    row.build();
    for (std::uint32_t slot = 1; slot < 5; ++slot) {
        row.bodies[slot].quiet_time = row.settings.sleep_time;
    }
    row.bodies[2].quiet_time = 0.0f;
    EXPECT_EQ(row.sleepers(), (std::vector<std::uint32_t>{3, 4}));
}

TEST(Islands, AMovingKinematicBodyKeepsWhatItTouchesAwake) {
    Row row(3);
    const std::uint32_t lift = row.add(BodyType::kinematic, Vec3(5));
    row.bodies[lift].linear_velocity = Vec3(0, 0, 1);
    row.waking().refresh(lift);
    row.waking().commit();
    row.touch(2, lift);
    row.build();
    row.bodies[1].quiet_time = row.bodies[2].quiet_time = row.settings.sleep_time;
    EXPECT_EQ(row.sleepers(), std::vector<std::uint32_t>{1});
    EXPECT_EQ(row.islands.count(), 2u); // the lift is none
}

TEST(IslandSubsteps, OnlyWhatWasSpawnedTouchingTakesMore) {
    Row row(5);
    row.touch(1, 2);
    row.touch(3, 4);
    row.bodies[3].placed = row.bodies[4].placed = false; // these have been there for a while
    std::erase_if(row.bodies.placed, [](std::uint32_t slot) { return slot > 2; });
    row.build();
    IslandSubsteps substeps;
    SubstepState state;
    const auto choose = [&] {
        substeps.choose(
            {row.settings, 1, row.bodies, row.awake, row.partition, row.islands, row.contacts, row.joints, {}}, state);
    };
    const auto taken = [&](std::uint32_t slot) {
        return substeps.taken_by(row.partition.motion_of(slot), row.settings.substeps);
    };
    choose();
    EXPECT_GE(taken(1), 2 * row.settings.substeps);
    EXPECT_EQ(taken(1), taken(2));
    EXPECT_EQ(taken(3), row.settings.substeps);
    EXPECT_EQ(state.recovering.size(), 1u);
    row.bodies.forget_placed();
    row.bodies[1].linear_velocity = Vec3(1, 0, 0); // disturbed
    choose();
    choose();
    EXPECT_TRUE(state.recovering.empty());
    EXPECT_EQ(taken(1), row.settings.substeps);
    row.settings.max_substeps = row.settings.substeps;
    choose();
    EXPECT_TRUE(substeps.paces().empty());
}
