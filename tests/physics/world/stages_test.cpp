// The stages from bounds to contacts, each without a world.
#include "physics/world/contacts/internal_edges.h"
#include "physics/world/contacts/narrowphase.h"
#include "physics/world/contacts/new_pairs.h"
#include "physics/world/contacts/reach.h"
#include "physics/world/store/waking.h"

#include <gtest/gtest.h>

#include <memory>
#include <variant>
#include <vector>

using namespace cairn::physics;

namespace {

// Bodies of one box each, with what the stages up to the contacts need.
struct Boxes {
    BodyKindLibrary kinds;
    BodyStore bodies;
    AwakeBodies awake;
    Broadphase broadphase;
    ContactPool contacts;
    JointStore joints;
    Partition partition;
    NewPairs new_pairs;
    Narrowphase narrowphase;
    SerialExecutor executor;
    Settings settings;

    Waking waking() { return {bodies, awake, contacts, joints}; }
    Narrowphase::World world() { return {executor, settings, bodies, partition, broadphase, contacts}; }

    std::uint32_t add(BodyType type, const Vec3& half, const Vec3& position) {
        BodyDef def;
        def.type = type;
        def.shapes.push_back({Box{half}, {}});
        def.pose.position = position;
        const std::uint32_t slot = bodies.add(def, std::get<std::shared_ptr<const BodyKind>>(kinds.get(def)));
        fit_reach(settings, bodies, slot);
        broadphase.add(bodies.cold[slot].first_shape, bodies.shapes_of(slot)[0].reach, type != BodyType::fixed);
        waking().refresh(slot);
        bodies.rehash(slot);
        return slot;
    }
    void find_pairs() {
        waking().commit();
        partition.update(executor, bodies, awake, narrowphase.sides());
        new_pairs.find(executor, awake, joints, bodies, broadphase, contacts);
    }
    std::vector<std::uint32_t> find_contacts() { // the sleepers that are touched
        narrowphase.begin_step(world());
        const auto to_wake = narrowphase.update(world(), contacts.active());
        return {to_wake.begin(), to_wake.end()};
    }
};

} // namespace

TEST(NewPairs, FindsWhatOverlapsAndWhatWasSpawnedInsideOthers) {
    Boxes boxes;
    const std::uint32_t a = boxes.add(BodyType::dynamic, Vec3(0.5f), Vec3(0.0f));
    const std::uint32_t b = boxes.add(BodyType::dynamic, Vec3(0.5f), Vec3(0.4f, 0, 0));
    const std::uint32_t beside = boxes.add(BodyType::dynamic, Vec3(0.5f), Vec3(0, 1.005f, 0));
    boxes.add(BodyType::dynamic, Vec3(0.5f), Vec3(9.0f));
    boxes.find_pairs();
    EXPECT_EQ(boxes.contacts.size(), 3u);
    EXPECT_TRUE(boxes.bodies.both_entangled(a, b));
    EXPECT_FALSE(boxes.bodies[beside].entangled);
    EXPECT_EQ(boxes.bodies.entangled, 2u);
    boxes.find_contacts();
    boxes.new_pairs.disentangle(boxes.awake, boxes.partition, boxes.narrowphase.sides(), boxes.bodies,
                                boxes.broadphase);
    EXPECT_TRUE(boxes.bodies.both_entangled(a, b)); // still inside each other
    boxes.new_pairs.disentangle(boxes.awake, boxes.partition, {}, boxes.bodies, boxes.broadphase);
    EXPECT_EQ(boxes.bodies.entangled, 0u);
}

TEST(NewPairs, LeavesOutWhatNeverCollides) {
    Boxes boxes;
    const std::uint32_t a = boxes.add(BodyType::dynamic, Vec3(0.5f), Vec3(0.0f));
    const std::uint32_t b = boxes.add(BodyType::dynamic, Vec3(0.5f), Vec3(1, 0, 0));
    boxes.add(BodyType::fixed, Vec3(0.5f), Vec3(0, 0, 9));
    boxes.add(BodyType::fixed, Vec3(0.5f), Vec3(1, 0, 9)); // touches the other, but neither moves
    JointDef joint;
    joint.body_a = boxes.bodies.id(a);
    joint.body_b = boxes.bodies.id(b);
    boxes.joints.add(joint);
    boxes.find_pairs();
    EXPECT_EQ(boxes.contacts.size(), 0u);
}

TEST(Narrowphase, FindsContactsAndWhoMustWake) {
    Boxes boxes;
    const std::uint32_t below = boxes.add(BodyType::dynamic, Vec3(0.5f), Vec3(0.0f));
    const std::uint32_t above = boxes.add(BodyType::dynamic, Vec3(0.5f), Vec3(0, 0, 0.999f));
    boxes.waking().fall_asleep(below);
    boxes.find_pairs();
    EXPECT_EQ(boxes.find_contacts(), std::vector<std::uint32_t>{below});
    ASSERT_EQ(boxes.contacts.touching().size(), 1u);
    const Contact& contact = boxes.contacts[boxes.contacts.touching()[0]];
    EXPECT_EQ(contact.count, 4);
    EXPECT_GT(contact.normal.z, 0.999f); // from A to B
    ASSERT_EQ(boxes.narrowphase.sides().size(), 1u);
    EXPECT_EQ(boxes.narrowphase.sides()[0].body_b, above);
    EXPECT_EQ(boxes.narrowphase.sides()[0].meet, 1u);
    EXPECT_EQ(boxes.narrowphase.sides()[0].deep, 0u);
    EXPECT_TRUE(boxes.narrowphase.at_fixed().empty());
}

// The box lies on the left tile, a little below its top, and its side is just beyond the seam: the right tile's side is
// nearer than its top.
TEST(InternalEdges, DropTheSideOfATileBehindTheFaceOfAnother) {
    for (const float step : {0.0f, 0.1f}) { // by which the right tile is higher
        Boxes boxes;
        const std::uint32_t left = boxes.add(BodyType::fixed, Vec3(1, 1, 0.5f), Vec3(-1, 0, -0.5f));
        boxes.add(BodyType::fixed, Vec3(1, 1, 0.5f), Vec3(1, 0, -0.5f + step));
        boxes.add(BodyType::dynamic, Vec3(0.5f), Vec3(-0.499f, 0, 0.498f));
        boxes.find_pairs();
        boxes.find_contacts();
        ASSERT_EQ(boxes.contacts.touching().size(), 2u);
        EXPECT_EQ(boxes.narrowphase.at_fixed().size(), 2u);
        InternalEdges edges;
        edges.drop(boxes.executor, boxes.settings, boxes.bodies, boxes.narrowphase.at_fixed(), boxes.contacts,
                   boxes.narrowphase.sides());
        ASSERT_EQ(boxes.contacts.touching().size(), step == 0.0f ? 1u : 2u) << step;
        EXPECT_EQ(boxes.narrowphase.sides().size(), boxes.contacts.touching().size());
        EXPECT_EQ(boxes.contacts[boxes.contacts.touching()[0]].body_a, left);
    }
}
