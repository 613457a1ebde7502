// Sliding to a stop on the level: how far, and straight.
#include "tests/physics/world/world_builder.h"

#include <cmath>
#include <numbers>

namespace cairn::physics::testing {
namespace {

constexpr double sliding_gravity = 9.81;

struct Slide {
    BodyState end;
    float yaw_rate = 0.0f; // rad/s, greatest about the vertical on the way
    bool stopped = false;
};

// On a floor of the same friction; thin bodies, so that braking hardly shifts their weight forward.
Slide slide(const Geometry& geometry, float half_height, float yaw, const Vec3& velocity, float spin, float friction) {
    World world;
    BodyDef floor = make_floor();
    floor.material.friction = friction;
    add(world, floor);
    BodyDef def = make_body(geometry, Vec3(0, 0, half_height));
    def.pose.orientation = glm::angleAxis(yaw, Vec3(0, 0, 1));
    def.linear_velocity = velocity;
    def.angular_velocity = Vec3(0, 0, spin);
    def.material.friction = friction;
    def.can_sleep = false;
    const BodyId id = add(world, def);
    Slide result;
    for (int step = 0; step < 600 && !result.stopped; ++step) {
        world.step();
        const BodyState state = state_of(world, id);
        result.yaw_rate = std::max(result.yaw_rate, std::abs(state.angular_velocity.z));
        result.stopped = glm::length(state.linear_velocity) < 1e-3f && glm::length(state.angular_velocity) < 1e-2f;
    }
    result.end = state_of(world, id);
    return result;
}

TEST(Sliding, BoxStopsAfterItsSpeedSquaredOverTwiceTheFrictionAndDoesNotTurn) {
    for (const float friction : {0.2f, 0.5f}) {
        for (const float yaw : {0.0f, 0.3f, 0.785398f}) {
            for (const float heading : {0.0f, 0.7f}) {
                const Vec3 velocity(4.0f * std::cos(heading), 4.0f * std::sin(heading), 0.0f);
                const Slide box = slide(Box{Vec3(0.5f, 0.5f, 0.02f)}, 0.02f, yaw, velocity, 0.0f, friction);
                ASSERT_TRUE(box.stopped);
                const double expected = 16.0 / (2.0 * static_cast<double>(friction) * sliding_gravity);
                const Vec3 end = box.end.pose.position;
                EXPECT_NEAR(static_cast<double>(glm::dot(end, velocity / 4.0f)), expected, 2e-3)
                    << "friction " << friction << ", yaw " << yaw << ", heading " << heading;
                EXPECT_LT(glm::length(glm::cross(end, velocity / 4.0f) * Vec3(0, 0, 1)), 0.01 * expected);
                EXPECT_LT(box.yaw_rate, 0.02f) << "yaw " << yaw << ", heading " << heading;
            }
        }
    }
}

// A thin ring of evenly spread weight, which is how a disc stands on its rim in this engine. Returns its way to rest.
double ring_way(double radius, double speed, double spin, double friction, double unit_inertia) {
    double way = 0.0;
    const double dt = 1e-4;
    constexpr int points = 180;
    while (speed > 1e-4 || std::abs(spin) * radius > 1e-4) {
        double force = 0.0, torque = 0.0;
        for (int i = 0; i < points; ++i) {
            const double angle = 2.0 * std::numbers::pi * (i + 0.5) / points;
            const double vx = speed - spin * radius * std::sin(angle), vy = spin * radius * std::cos(angle);
            const double length = std::sqrt(vx * vx + vy * vy) + 1e-9;
            force -= friction * sliding_gravity * vx / length / points;
            torque -=
                friction * sliding_gravity * radius * (std::cos(angle) * vy - std::sin(angle) * vx) / length / points;
        }
        const double next = speed + dt * force;
        if (next < 0.0) {
            break;
        }
        way += dt * next;
        speed = next;
        spin += dt * torque / unit_inertia;
    }
    return way;
}

// Spin spends friction sideways, so that a spinning disc goes further than a still one; and both stop together.
TEST(Sliding, SpinningDiscStopsStraightAndWhereItShould) {
    const float friction = 0.3f, radius = 0.5f;
    for (const float spin : {0.0f, 4.0f, 12.0f}) {
        const Slide disc = slide(Cylinder{radius, 0.01f}, 0.01f, 0.0f, Vec3(3, 0, 0), spin, friction);
        ASSERT_TRUE(disc.stopped);
        // 1/2 r^2 of a disc about its axis.
        const double expected =
            ring_way(static_cast<double>(radius), 3.0, static_cast<double>(spin), static_cast<double>(friction), 0.125);
        EXPECT_NEAR(static_cast<double>(disc.end.pose.position.x), expected, 0.01 * expected) << "spin " << spin;
        EXPECT_LT(std::abs(disc.end.pose.position.y), 0.01f * disc.end.pose.position.x) << "spin " << spin;
    }
}

TEST(Sliding, SpinningBoxStopsStraight) {
    for (const float spin : {3.0f, -12.0f}) {
        const Slide box = slide(Box{Vec3(0.5f, 0.5f, 0.01f)}, 0.01f, 0.2f, Vec3(3, 0, 0), spin, 0.3f);
        ASSERT_TRUE(box.stopped);
        EXPECT_LT(std::abs(box.end.pose.position.y), 0.01f * box.end.pose.position.x) << "spin " << spin;
    }
}

// A flat thing that only spins stays where it is and loses its spin at the rate mu g arm / (I/m).
// A cube that is thrown flat onto the floor, edge or corner first, has no reason to turn left rather than right:
// friction that is solved corner by corner gave it one (a quarter of a radian a second, and three centimetres to the
// side).
TEST(Sliding, CubeThatLandsFlatKeepsItsHeading) {
    for (const float drop : {0.0f, 0.02f, 0.3f}) {
        for (const float yaw : {0.0f, 0.785398163f}) {
            const Slide cube = slide(Box{Vec3(0.5f)}, 0.5f + drop, yaw, Vec3(5, 0, 0), 0.0f, 0.5f);
            ASSERT_TRUE(cube.stopped);
            EXPECT_LT(cube.yaw_rate, 1e-4f) << "drop " << drop << ", yaw " << yaw;
            EXPECT_NEAR(cube.end.pose.position.y, 0.0f, 1e-4f) << "drop " << drop << ", yaw " << yaw;
            EXPECT_GT(cube.end.pose.position.x, 2.4f);
        }
    }
}

// A torque of the resistance times the radius times the weight, against what rolls: (c g) / (1 + I / (m r^2)). Drums
// and discs roll on their radius, whatever ball fits into them.
TEST(Sliding, RollingResistanceBrakesDrumsAndDiscsByTheirRadius) {
    for (const float half_height : {0.8f, 0.3f, 0.05f}) {
        World world(without_sleep());
        BodyDef floor = make_floor();
        floor.material.friction = 1.0f;
        add(world, floor);
        BodyDef drum = make_body(Cylinder{0.5f, half_height}, Vec3(0, 0, 0.5f));
        drum.pose.orientation = glm::angleAxis(1.57079633f, Vec3(1, 0, 0));
        drum.linear_velocity = Vec3(4, 0, 0);
        drum.angular_velocity = Vec3(0, 8, 0);
        drum.material.rolling_resistance = 0.1f;
        const BodyId id = add(world, drum);
        run(world, 120);
        EXPECT_NEAR(state_of(world, id).linear_velocity.x, 4.0f - 2.0f * 0.1f * 9.81f / 1.5f, 0.06f) << half_height;
    }
}

TEST(Sliding, SpinInPlaceFadesAtAConstantRate) {
    World world;
    add(world, make_floor());
    BodyDef def = make_body(Cylinder{0.5f, 0.01f}, Vec3(0, 0, 0.01f));
    def.angular_velocity = Vec3(0, 0, 20);
    const BodyId id = add(world, def);
    run(world, 10);
    const float before = state_of(world, id).angular_velocity.z;
    run(world, 30);
    const double lost = static_cast<double>(before - state_of(world, id).angular_velocity.z);
    const double expected =
        0.5 * sliding_gravity * 0.5 / 0.125 * 0.5; // friction 0.5, rim 0.5 m, 1/2 r^2, half a second
    EXPECT_NEAR(lost, expected, 0.01 * expected);
    EXPECT_LT(glm::length(state_of(world, id).pose.position * Vec3(1, 1, 0)), 1e-3f);
}

// Floors are laid in tiles: nothing may catch on the seams, whatever slides or rolls across them and whichever way.
class Seams : public ::testing::TestWithParam<float> {};

struct Crossing {
    Geometry geometry;
    float height = 0.0f; // m, of its centre at the start
    Quat turn = identity_orientation;
    float friction = 0.0f;
    float speed = 6.0f; // m/s
    float rolls = 0.0f; // m, radius by which it rolls; 0: it slides
};

// Greatest speed up or down, m/s, of a body that crosses a floor of unit tiles for a second and a half.
float rise_over_tiles(const Crossing& crossing, float heading) {
    World world;
    const int last = static_cast<int>(1.5f * crossing.speed) + 3;
    for (int x = -2; x <= last; ++x) {
        const int middle = static_cast<int>(static_cast<float>(x) * std::tan(heading));
        for (int y = middle - 3; y <= middle + 3; ++y) {
            BodyDef tile =
                make_static(Box{Vec3(0.5f)}, Vec3(static_cast<float>(x), static_cast<float>(y) + 0.5f, -0.5f));
            tile.material.friction = crossing.friction;
            add(world, tile);
        }
    }
    const Vec3 ahead(std::cos(heading), std::sin(heading), 0.0f);
    BodyDef def = make_body(crossing.geometry, Vec3(0, 0, crossing.height));
    def.pose.orientation = glm::angleAxis(heading, Vec3(0, 0, 1)) * crossing.turn;
    def.linear_velocity = crossing.speed * ahead;
    if (crossing.rolls > 0.0f) {
        def.angular_velocity = (crossing.speed / crossing.rolls) * Vec3(-ahead.y, ahead.x, 0.0f);
    }
    def.material.friction = crossing.friction;
    const BodyId id = add(world, def);
    run(world, 12);
    float fastest = 0.0f;
    for (int step = 0; step < 78; ++step) {
        world.step();
        fastest = std::max(fastest, std::abs(state_of(world, id).linear_velocity.z));
    }
    EXPECT_GT(glm::dot(state_of(world, id).pose.position, ahead), crossing.speed) << "it was stopped";
    return fastest;
}

const Crossing sliding_box{Box{Vec3(0.4f, 0.4f, 0.2f)}, 0.2f, identity_orientation, 0.1f};
const Crossing rolling_ball{Sphere{0.3f}, 0.3f, identity_orientation, 0.4f, 6.0f, 0.3f};

TEST_P(Seams, DoNotKickWhatCrossesThem) {
    const float heading = GetParam();
    EXPECT_LT(rise_over_tiles(sliding_box, heading), 0.01f) << "box";
    EXPECT_LT(rise_over_tiles({Cylinder{0.4f, 0.2f}, 0.2f, identity_orientation, 0.1f}, heading), 0.01f) << "disc";
    EXPECT_LT(rise_over_tiles({Sphere{0.3f}, 0.3f, identity_orientation, 0.4f}, heading), 0.01f) << "ball";
}

// Its axis lies across the way. That it spins does not make it fast: a twist about that axis moves no surface.
TEST_P(Seams, DoNotKickARollingCapsule) {
    const Quat across = glm::angleAxis(1.57079633f, Vec3(1, 0, 0));
    EXPECT_LT(rise_over_tiles({Capsule{0.3f, 0.4f}, 0.3f, across, 0.4f}, GetParam()), 0.01f) << "slides at first";
    EXPECT_LT(rise_over_tiles({Capsule{0.3f, 0.4f}, 0.3f, across, 0.4f, 6.0f, 0.3f}, GetParam()), 0.01f);
    EXPECT_LT(rise_over_tiles({Cylinder{0.3f, 0.4f}, 0.3f, across, 0.4f, 6.0f, 0.3f}, GetParam()), 0.01f);
}

// From 10 m/s on these bodies are swept along their paths, against the sides of tiles, too.
TEST_P(Seams, DoNotKickWhatIsSweptAcrossThem) {
    const Quat across = glm::angleAxis(1.57079633f, Vec3(1, 0, 0));
    for (const float speed : {1.0f, 12.0f, 60.0f}) {
        Crossing box = sliding_box;
        box.friction = 0.1f * std::min(speed / 6.0f, 1.0f); // it must not stop on the way
        Crossing ball = rolling_ball;
        Crossing capsule{Capsule{0.3f, 0.4f}, 0.3f, across, 0.4f, speed, 0.3f};
        Crossing cylinder{Cylinder{0.3f, 0.4f}, 0.3f, across, 0.4f, speed, 0.3f};
        box.speed = ball.speed = speed;
        EXPECT_LT(rise_over_tiles(box, GetParam()), 0.01f) << "box at " << speed;
        EXPECT_LT(rise_over_tiles(ball, GetParam()), 0.01f) << "ball at " << speed;
        EXPECT_LT(rise_over_tiles(capsule, GetParam()), 0.01f) << "capsule at " << speed;
        EXPECT_LT(rise_over_tiles(cylinder, GetParam()), 0.01f) << "cylinder at " << speed;
    }
}

INSTANTIATE_TEST_SUITE_P(Headings, Seams, ::testing::Values(0.0f, 0.1f, 0.5f));

} // namespace
} // namespace cairn::physics::testing
