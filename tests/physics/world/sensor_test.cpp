// Sensor shapes: what they report, and that they act on nothing.
#include "physics/world/state_image.h"
#include "tests/physics/world/two_threads.h"
#include "tests/physics/world/world_builder.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

using namespace cairn::physics;
using namespace cairn::physics::testing;

namespace {

ShapeDef sensor(Geometry geometry, const Vec3& position = Vec3(0.0f)) {
    return {std::move(geometry), {position, identity_orientation}, true};
}

BodyDef make_zone(const Vec3& half, const Vec3& position) {
    BodyDef def = make_static(Box{half}, position);
    def.shapes[0].sensor = true;
    return def;
}

SensorOverlap overlap_of(BodyId zone, BodyId body, std::uint32_t sensor_shape = 0, std::uint32_t shape = 0) {
    return {zone, body, sensor_shape, shape};
}

} // namespace

TEST(Sensor, TellsWhatEntersStaysAndLeaves) {
    World world(weightless());
    const BodyId zone = add(world, make_zone(Vec3(1.0f), Vec3(0.0f)));
    BodyDef ball = make_body(Sphere{0.25f}, Vec3(-2.0f, 0, 0));
    ball.linear_velocity = Vec3(6.0f, 0, 0);
    const BodyId id = add(world, ball);
    int begun = 0, ended = 0;
    for (int i = 0; i < 60; ++i) {
        world.step();
        const bool inside = std::abs(state_of(world, id).pose.position.x) <= 1.25f;
        EXPECT_EQ(world.inside_sensor(zone, 0) == std::vector<WorldShape>(inside ? 1 : 0, {id, 0}), true) << i;
        EXPECT_EQ(published(world).inside.size(), inside ? 1u : 0u);
        for (const SensorOverlap& one : world.sensor_events().begun) {
            EXPECT_EQ(one, overlap_of(zone, id));
            ++begun;
        }
        for (const SensorOverlap& one : world.sensor_events().ended) {
            EXPECT_EQ(one, overlap_of(zone, id));
            ++ended;
        }
    }
    EXPECT_EQ(begun, 1);
    EXPECT_EQ(ended, 1);
    EXPECT_FLOAT_EQ(state_of(world, id).linear_velocity.x, 6.0f) << "nothing held it";
}

TEST(Sensor, ActsOnNothing) {
    // Two worlds, one of them with sensors all over: bodies move by the same bits, and fall asleep.
    World plain, sensed;
    const auto build = [](World& world, bool with) {
        add(world, make_floor());
        for (int i = 0; i < 4; ++i) {
            BodyDef box = make_body(Box{Vec3(0.5f)}, Vec3(0.1f * float(i), 0, 0.6f + 1.1f * float(i)));
            if (with) {
                box.shapes.push_back(sensor(Sphere{2.0f}, Vec3(0.3f, 0, 0)));
            }
            add(world, box);
        }
        if (with) {
            add(world, make_zone(Vec3(3.0f), Vec3(0, 0, 1.0f)));
        }
    };
    build(plain, false);
    build(sensed, true);
    for (int i = 0; i < 240; ++i) {
        plain.step();
        sensed.step();
    }
    for (const BodyId id : plain.body_ids()) {
        EXPECT_EQ(state_of(plain, id).pose, state_of(sensed, id).pose);
        EXPECT_EQ(plain.model(id)->mass, sensed.model(id)->mass);
        EXPECT_EQ(plain.model(id)->inertia, sensed.model(id)->inertia);
    }
    const BodyId top = plain.body_ids().back();
    EXPECT_TRUE(state_of(sensed, top).sleeping);
    EXPECT_EQ(sensed.inside_sensor(sensed.body_ids().back(), 0).size(), 4u) << "what sleeps is seen, the floor is not";
    EXPECT_EQ(sensed.inside_sensor(top, 1).size(), 2u) << "the floor is too far away, and one of the boxes";
    EXPECT_FALSE(sensed.ray_cast({Vec3(-9, 0, 9), Vec3(0, 0, 1)}));
}

TEST(Sensor, ABodyOfSensorsAloneIsOfAnyType) {
    World world(weightless());
    BodyDef ghost = make_body(Box{Vec3(0.5f)}, Vec3(0.0f));
    ghost.shapes[0].sensor = true;
    const CommandResult refused = world.apply(CreateBody{ghost});
    EXPECT_NE(refused.error.find("state its mass"), std::string::npos) << refused.error;
    ghost.mass = 2.0f;
    ghost.linear_velocity = Vec3(200.0f, 0, 0); // continuous collision has nothing to stop
    const BodyId id = add(world, ghost);
    EXPECT_FLOAT_EQ(world.model(id)->mass, 2.0f);
    EXPECT_NEAR(world.model(id)->inertia[0][0], 2.0f / 6.0f, 1e-5f) << "as if solid";
    ghost.type = BodyType::kinematic;
    ghost.mass.reset();
    ghost.linear_velocity = Vec3(1.0f, 0, 0);
    ghost.pose.position = Vec3(0, 5.0f, 0);
    const BodyId lift = add(world, ghost);
    const BodyId wall = add(world, make_static(Box{Vec3(1.0f)}, Vec3(3.0f, 5.0f, 0)));
    add(world, make_zone(Vec3(9.0f), Vec3(0.0f)));
    world.step();
    EXPECT_TRUE(world.inside_sensor(lift, 0).empty()) << "sensors do not see each other";
    run(world, 120);
    EXPECT_GT(state_of(world, id).pose.position.x, 300.0f);
    ASSERT_EQ(world.inside_sensor(lift, 0).size(), 1u);
    EXPECT_EQ(world.inside_sensor(lift, 0)[0].body, wall) << "what moves sees what does not";
    SetBody change;
    change.body = lift;
    change.type = BodyType::dynamic;
    const std::string error = world.apply(change).error;
    EXPECT_NE(error.find("state its mass"), std::string::npos) << error;
    EXPECT_TRUE(world.apply(DestroyBody{lift}).ok());
    world.step();
    ASSERT_EQ(world.sensor_events().ended.size(), 1u);
    EXPECT_EQ(world.sensor_events().ended[0].sensor, lift);
}

TEST(Sensor, MassIsOfWhatCollides) {
    World world(weightless());
    BodyDef body = make_body(Sphere{0.5f}, Vec3(0.0f));
    body.shapes.insert(body.shapes.begin(), sensor(Box{Vec3(2.0f)}, Vec3(4.0f, 0, 0)));
    const BodyId with = add(world, body);
    const auto model = world.model(with);
    EXPECT_EQ(model->mass, world.model(add(world, make_body(Sphere{0.5f}, Vec3(0, 30, 0))))->mass);
    EXPECT_EQ(model->parts[1].pose.position, Vec3(0.0f));
    EXPECT_EQ(model->parts[0].pose.position, Vec3(4.0f, 0, 0));
    // Places are those of the definition, in events and in queries.
    const BodyId other = add(world, make_body(Sphere{0.5f}, Vec3(4.0f, 0, 0)));
    world.step();
    ASSERT_EQ(world.sensor_events().inside.size(), 1u);
    EXPECT_EQ(world.sensor_events().inside[0], overlap_of(with, other));
    const auto hit = world.ray_cast({Vec3(0, 0, 9), Vec3(0, 0, -1)});
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->shape, 1u);
    EXPECT_FLOAT_EQ(hit->hit.distance, 8.5f);
}

TEST(Sensor, HeedsFiltersAndJoints) {
    World world(weightless());
    BodyDef def = make_zone(Vec3(5.0f), Vec3(0.0f));
    def.filter.mask = 2u;
    const BodyId zone = add(world, def);
    BodyDef one = make_body(Sphere{0.5f}, Vec3(-2.0f, 0, 0)), two = make_body(Sphere{0.5f}, Vec3(2.0f, 0, 0));
    two.filter.group = 1;
    add(world, one);
    const BodyId seen = add(world, two);
    world.step();
    EXPECT_EQ(world.inside_sensor(zone, 0), (std::vector<WorldShape>{{seen, 0}}));
    JointDef joint;
    joint.kind = JointKind::ball;
    joint.body_a = zone;
    joint.body_b = seen;
    joint.frame_a.position = Vec3(2.0f, 0, 0);
    ASSERT_TRUE(world.apply(CreateJoint{joint}).ok());
    world.step();
    EXPECT_TRUE(world.inside_sensor(zone, 0).empty());
}

TEST(Sensor, IsTheSameForAnyThreadsAndAfterLoading) {
    TwoThreads threads;
    World serial, threaded({}, &threads);
    for (World* world : {&serial, &threaded}) {
        add(*world, make_floor());
        for (int i = 0; i < 30; ++i) {
            BodyDef ball =
                make_body(Sphere{0.3f}, Vec3(0.5f * float(i % 5), 0.5f * float(i / 5), 1.0f + 0.3f * float(i)));
            ball.shapes.push_back(sensor(Sphere{0.5f}));
            add(*world, ball);
        }
        add(*world, make_zone(Vec3(5, 5, 1), Vec3(1, 1, 1)));
    }
    std::size_t most = 0;
    for (int i = 0; i < 90; ++i) {
        serial.step();
        threaded.step();
        ASSERT_EQ(serial.sensor_events().begun, threaded.sensor_events().begun);
        ASSERT_EQ(serial.sensor_events().ended, threaded.sensor_events().ended);
        ASSERT_EQ(serial.sensor_events().inside, threaded.sensor_events().inside);
        most = std::max(most, serial.sensor_events().inside.size());
    }
    EXPECT_GT(most, 50u);
    ASSERT_EQ(serial.hash(), threaded.hash());
    World loaded;
    ASSERT_EQ(loaded.load(serial.image()), "");
    EXPECT_EQ(loaded.sensor_events().inside, serial.sensor_events().inside);
    EXPECT_TRUE(loaded.sensor_events().begun.empty());
    const auto snapshot = serial.snapshot();
    loaded.step();
    serial.step();
    EXPECT_EQ(loaded.hash(), serial.hash());
    EXPECT_EQ(loaded.sensor_events().begun, serial.sensor_events().begun);
    EXPECT_EQ(loaded.sensor_events().inside, serial.sensor_events().inside);
    run(serial, 20);
    serial.restore(*snapshot);
    serial.step();
    EXPECT_EQ(loaded.sensor_events().ended, serial.sensor_events().ended);
}

TEST(Sensor, MeshesAreSeenButAreNone) {
    World world;
    MeshData data;
    data.vertices = {Vec3(-5, -5, 0), Vec3(5, -5, 0), Vec3(0, 5, 0)};
    data.triangles = {{0, 1, 2}};
    BodyDef ground = make_static(Mesh{std::make_shared<const MeshData>(data)}, Vec3(0.0f));
    const BodyId floor = add(world, ground);
    BodyDef ball = make_body(Sphere{0.5f}, Vec3(0, 0, 0.6f));
    ball.shapes.push_back(sensor(Sphere{0.2f}, Vec3(0, 0, -0.5f)));
    ball.locks = 0x38;
    const BodyId id = add(world, ball);
    run(world, 30);
    EXPECT_EQ(world.inside_sensor(id, 1), (std::vector<WorldShape>{{floor, 0}})) << "it feels the ground";
    ground.shapes[0].sensor = true;
    EXPECT_NE(world.apply(CreateBody{ground}).error.find("not a mesh"), std::string::npos);
}
