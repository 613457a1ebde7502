// The parts of a step, each without a world.
#include "physics/world/islands/islands.h"
#include "physics/world/store/waking.h"
#include "physics/world/substeps/island_substeps.h"
#include "physics/world/substeps/mass_scaling.h"

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
    std::uint64_t acting_version = 0;

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
    void touch(std::uint32_t a, std::uint32_t b, std::size_t points = 1) {
        const std::uint32_t pair = contacts.create(make_pair_key(a, b), a, b);
        contacts.set_active(pair, bodies[a].awake || bodies[b].awake);
        Contact contact;
        contact.body_a = a;
        contact.body_b = b;
        contacts.touch(pair, contact, std::vector<ContactPoint>(points));
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
        islands.build(executor, bodies, partition, touching, sides, joints, {acting, ++acting_version});
    }
    bool together(std::uint32_t a, std::uint32_t b) const {
        return islands.root(partition.motion_of(a)) == islands.root(partition.motion_of(b));
    }
    std::vector<std::uint32_t> sleepers(const std::vector<std::uint32_t>& acting = {}) {
        const auto slots = islands.to_sleep(bodies, awake, partition, joints, {acting, acting_version}, settings);
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
    const auto mechanism_of = [&](std::uint32_t slot) { return row.islands.mechanism(row.partition.motion_of(slot)); };
    EXPECT_NE(mechanism_of(2), mechanism_of(3)); // contacts make none
    EXPECT_NE(mechanism_of(2), 0u);
}

TEST(Islands, JointsConnectAndMakeMechanisms) {
    Row row(4);
    const std::uint32_t joint = row.join(1, 2);
    row.touch(2, 3);
    row.build({joint});
    EXPECT_EQ(row.islands.count(), 1u);
    const auto mechanism_of = [&](std::uint32_t slot) { return row.islands.mechanism(row.partition.motion_of(slot)); };
    EXPECT_EQ(mechanism_of(1), mechanism_of(2));
    EXPECT_NE(mechanism_of(2), mechanism_of(3));
    EXPECT_NE(mechanism_of(2), 0u);
}

TEST(Islands, SleepAsAWhole) {
    Row row(5);
    row.touch(1, 2);
    row.touch(3, 4);
    row.build();
    for (std::uint32_t slot = 1; slot < 5; ++slot) {
        row.bodies[slot].sleep_timer = row.settings.sleep_time;
    }
    row.bodies[2].sleep_timer = 0.0f;
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
    row.bodies[1].sleep_timer = row.bodies[2].sleep_timer = row.settings.sleep_time;
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
    std::vector<BodyMotion> motions(row.awake.size() + 1);
    const std::vector<BodyDynamics> dynamics(motions.size());
    for (std::size_t i = 1; i < motions.size(); ++i) {
        motions[i].inverse_mass = 1.0f;
    }
    const ShortStep undivided{0, 1, static_cast<float>(row.settings.substeps)};
    const auto choose = [&] {
        substeps.choose({row.executor,
                         row.settings,
                         1,
                         undivided,
                         row.bodies,
                         row.awake,
                         row.partition,
                         row.islands,
                         row.contacts,
                         row.joints,
                         GrabRecord{},
                         motions,
                         dynamics,
                         {}},
                        state);
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
    EXPECT_TRUE(substeps.classes().empty());
}

namespace {

// The bodies of a row, stacked by their order, with masses in kg.
struct Squeezed {
    Row& row;
    MassScaling scaling;
    std::vector<BodyMotion> motions;
    std::vector<BodyDynamics> dynamics;

    // `rising`: m/s, the lowest of them.
    Squeezed(Row& of, const std::vector<float>& masses, float rising = 0.0f)
        : row(of), motions(of.awake.size() + 1), dynamics(motions.size()) {
        for (std::uint32_t slot = 1; slot <= masses.size(); ++slot) {
            motion(slot).inverse_mass = 1.0f / masses[slot - 1];
        }
        motion(1).linear_velocity.z = rising;
        row.build();
        scaling.begin({row.settings, row.bodies, row.partition, row.islands, row.contacts, row.joints, {}, {}}, motions,
                      dynamics);
    }
    BodyMotion& motion(std::uint32_t slot) { return motions[row.partition.motion_of(slot)]; }
    float mass(std::uint32_t slot) { return 1.0f / motion(slot).inverse_mass; }
};

} // namespace

TEST(MassScaling, WhatIsSqueezedGetsAnEighthOfWhatPressesIt) {
    Row row(4);
    row.build();
    row.touch(0, 1);
    row.touch(1, 2);
    row.touch(2, 3);
    Squeezed squeezed(row, {1.0f, 2.0f, 800.0f});
    EXPECT_FLOAT_EQ(squeezed.mass(1), 100.0f); // through the second
    EXPECT_FLOAT_EQ(squeezed.mass(2), 100.0f);
    EXPECT_FLOAT_EQ(squeezed.mass(3), 800.0f);
    EXPECT_FLOAT_EQ(squeezed.dynamics[row.partition.motion_of(1)].gravity_scale, 0.01f); // the weight it had
    // What the added 99 and 98 kg have taken comes back to what presses, but not what a blow has done.
    squeezed.motion(1).linear_velocity = Vec3(0.1f, 0, 0);
    squeezed.motion(2).linear_velocity = Vec3(0, 50, 0);
    squeezed.scaling.end(row.settings, squeezed.motions, squeezed.dynamics);
    EXPECT_FLOAT_EQ(squeezed.motion(3).linear_velocity.x, 0.1f * 99.0f / 800.0f);
    EXPECT_EQ(squeezed.motion(3).linear_velocity.y, 0.0f);
}

TEST(MassScaling, NothingElseIsScaled) {
    const auto mass_of_first = [](const std::vector<float>& masses, bool on_floor, bool on_joint, float rising = 0.0f) {
        Row row(3);
        row.build();
        if (on_floor) {
            row.touch(0, 1);
        }
        row.touch(1, 2);
        if (on_joint) {
            row.join(0, 1);
        }
        return Squeezed(row, masses, rising).mass(1);
    };
    EXPECT_FLOAT_EQ(mass_of_first({1.0f, 800.0f}, true, false), 100.0f);
    EXPECT_FLOAT_EQ(mass_of_first({1.0f, 800.0f}, false, false), 1.0f); // in the air
    EXPECT_FLOAT_EQ(mass_of_first({1.0f, 800.0f}, true, true), 1.0f);
    EXPECT_FLOAT_EQ(mass_of_first({1.0f, 8.0f}, true, false), 1.0f);
    EXPECT_FLOAT_EQ(mass_of_first({800.0f, 1.0f}, true, false), 800.0f); // the light one lies on top
    EXPECT_FLOAT_EQ(mass_of_first({1.0f, 800.0f}, true, false, 0.5f), 100.0f);
    EXPECT_FLOAT_EQ(mass_of_first({1.0f, 800.0f}, true, false, 1.5f), 1.0f); // it bounces
}

namespace {

// The bodies of a row, stacked by their order.
struct Pile {
    Row row{5};
    ColumnLoads loads;
    IslandGround ground;
    PileInertia inertia;
    std::vector<ColumnContact> columns;
    std::vector<LoadedBody> loaded;
    std::vector<BodyMotion> motions;
    std::vector<BodyDynamics> dynamics;
    std::vector<ChangedGround> changed;
    GrabRecord grab;

    Pile() {
        for (std::uint32_t slot = 1; slot < 5; ++slot) {
            row.bodies[slot].pose.position = Vec3(0, 0, static_cast<float>(slot));
            row.touch(slot - 1, slot, 4);
        }
        columns.push_back({0, 3, 0, row.contacts.pair(0).key});
        build();
    }
    void build() {
        row.waking().commit();
        row.build();
        motions.assign(row.awake.size() + 1, BodyMotion{});
        dynamics.assign(motions.size(), BodyDynamics{});
        for (const std::uint32_t slot : row.awake) {
            motion(slot).inverse_mass = row.bodies.kind(slot).inverse_mass;
            motion(slot).linear_velocity = row.bodies[slot].linear_velocity;
        }
    }
    BodyMotion& motion(std::uint32_t slot) { return motions[row.partition.motion_of(slot)]; }
    BodyDynamics& dynamic(std::uint32_t slot) { return dynamics[row.partition.motion_of(slot)]; }
    float mass(std::uint32_t slot) const { return 1.0f / row.bodies.kind(slot).inverse_mass; }
    void update(bool fresh, ColumnLoads::Scope scope = ColumnLoads::Scope::all) {
        if (fresh) {
            std::vector<ColumnContact> found; // none that asks for more
            loads.estimate(scope, row.settings, row.settings.dt() / static_cast<float>(row.settings.substeps),
                           row.bodies, row.awake, row.partition, row.islands, row.contacts, motions, found);
        }
        ground.find({row.settings, row.bodies, row.awake, row.partition, row.islands, row.contacts, row.joints, motions,
                     changed});
        inertia.update({row.settings, row.bodies, row.awake, row.partition, row.islands, ground, row.contacts,
                        row.joints, grab, dynamics},
                       columns, fresh ? &loads : nullptr, loaded);
    }
    void apply() {
        inertia.apply({row.settings.dt(), row.bodies, row.partition, row.islands}, ground, loaded, motions, dynamics);
    }
    bool stands() const { return inertia.stands(row.islands.root(row.partition.motion_of(1))); }
};

} // namespace

TEST(PileInertia, WhatStandsHasTheInertiaOfItsLoadAndKeepsItsWeight) {
    Pile pile;
    pile.update(false);
    EXPECT_TRUE(pile.loaded.empty()); // only with fresh loads
    pile.update(true);
    ASSERT_TRUE(pile.stands());
    ASSERT_GE(pile.loaded.size(), 2u);
    EXPECT_EQ(pile.loaded[0].slot, 1u);
    EXPECT_NEAR(pile.loaded[0].load, 3.0f * pile.mass(1), 0.01f);
    EXPECT_NEAR(pile.loaded[1].load, 2.0f * pile.mass(1), 0.01f);
    pile.apply();
    EXPECT_NEAR(pile.motion(1).inverse_mass * pile.mass(1), 1.0f / 3.0f, 1e-5f);
    EXPECT_NEAR(pile.dynamic(1).gravity_scale, 1.0f / 3.0f, 1e-5f);
    EXPECT_FLOAT_EQ(pile.motion(4).inverse_mass * pile.mass(4), 1.0f); // nothing rests on the highest
    pile.columns.clear(); // what does not ask any more keeps it until loads are looked at again
    pile.update(false);
    EXPECT_TRUE(pile.stands());
    pile.update(true);
    EXPECT_FALSE(pile.stands());
    EXPECT_TRUE(pile.loaded.empty());
}

TEST(ColumnLoads, AfterASpawnOnlyThoseOfItsIslandAreFoundAnew) {
    Pile pile;
    pile.row.bodies.forget_placed();
    pile.update(true);
    ASSERT_TRUE(pile.stands());
    const auto covers = [&pile](std::uint32_t slot) {
        return pile.loads.covers(pile.row.islands.root(pile.row.partition.motion_of(slot)));
    };
    const std::uint32_t alone = pile.row.add(BodyType::dynamic, Vec3(9, 0, 0));
    pile.build();
    pile.columns.clear(); // seen only by those who look
    pile.update(true, ColumnLoads::Scope::placed);
    EXPECT_TRUE(covers(alone));
    EXPECT_FALSE(covers(1));
    EXPECT_TRUE(pile.stands());
    const std::uint32_t top = pile.row.add(BodyType::dynamic, Vec3(0, 0, 5));
    pile.row.touch(4, top, 4);
    pile.build();
    pile.update(true, ColumnLoads::Scope::placed);
    EXPECT_TRUE(covers(1));
    EXPECT_FLOAT_EQ(pile.loads.carried(1), 4.0f * pile.mass(1) * glm::length(pile.row.settings.gravity));
    EXPECT_FALSE(pile.stands());
}

TEST(PileInertia, WhateverDisturbsAnIslandTakesItAwayAtOnce) {
    const auto stands_after = [](auto&& disturb) {
        Pile pile;
        pile.update(true);
        EXPECT_TRUE(pile.stands());
        disturb(pile);
        pile.update(false);
        EXPECT_EQ(pile.stands(), !pile.loaded.empty());
        return pile.stands();
    };
    EXPECT_TRUE(stands_after([](Pile&) {}));
    EXPECT_FALSE(stands_after([](Pile& p) { p.row.bodies[4].linear_velocity = Vec3(0, 0, 0.2f); }));
    EXPECT_FALSE(stands_after([](Pile& p) { p.row.bodies[4].angular_velocity = Vec3(0, 0, 0.5f); }));
    EXPECT_FALSE(stands_after([](Pile& p) { // all of it, slowly
        for (std::uint32_t slot = 1; slot < 5; ++slot) {
            p.row.bodies[slot].linear_velocity = Vec3(0.02f, 0, 0);
        }
    }));
    EXPECT_FALSE(stands_after([](Pile& p) { p.row.join(0, 2); }));
    EXPECT_FALSE(stands_after([](Pile& p) {
        p.grab.active = true;
        p.grab.grab.body = p.row.bodies.id(3);
    }));
    EXPECT_FALSE(stands_after([](Pile& p) {
        static const BodyPush push;
        p.dynamic(2).push = &push;
    }));
    EXPECT_FALSE(stands_after([](Pile& p) { // its foot hangs in the air
        for (ContactPoint& point : p.row.contacts.points(p.row.contacts[p.row.touching[0]])) {
            point.separation = 0.02f;
        }
    }));
    EXPECT_FALSE(stands_after([](Pile& p) {
        const std::uint32_t lift = p.row.add(BodyType::kinematic, Vec3(1, 0, 1));
        p.row.bodies[lift].linear_velocity = Vec3(0, 0, 1);
        p.row.waking().refresh(lift);
        p.row.waking().commit();
        p.row.touch(1, lift);
        p.build();
    }));
    EXPECT_FALSE(stands_after([](Pile& p) { p.row.settings.gravity = Vec3(0); }));
}
