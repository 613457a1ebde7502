// Piles on ground that moves: at rest on it as on the floor, with sleeping off.
#include "tests/physics/behaviour/structures.h"
#include "tests/physics/world/world_builder.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace cairn::physics::testing {
namespace {

constexpr float dt = 1.0f / 60.0f; // s

struct Ride {
    float drift = 0.0f; // m, of any body against the ground, at any time after the first second
    float speed = 0.0f; // m/s, of their displacements, in the last second
};

// Where the ground is after some steps.
using Path = std::function<Transform(int)>;

// The bodies stand at `place` on a plate whose surface is the plane z = 0, and begin with its velocities.
Ride ride(const std::vector<BodyDef>& bodies, const Vec3& place, const Vec3& velocity, const Vec3& spin, int steps,
          const Path& course = {}, int max_substeps = Settings().max_substeps, float friction = 0.6f) {
    Settings settings = without_sleep();
    settings.max_substeps = max_substeps;
    World world(settings);
    BodyDef plate = make_body(Box{Vec3(20, 20, 0.5f)}, Vec3(0, 0, -0.5f));
    plate.type = BodyType::kinematic;
    plate.material.friction = friction;
    plate.linear_velocity = velocity;
    plate.angular_velocity = spin;
    const BodyId ground = add(world, plate);
    std::vector<BodyId> ids;
    for (BodyDef def : bodies) {
        def.pose.position += place;
        def.linear_velocity = velocity + glm::cross(spin, def.pose.position - plate.pose.position);
        def.angular_velocity = spin;
        ids.push_back(add(world, def));
    }
    const auto places = [&] {
        std::vector<Vec3> out;
        const Transform under = state_of(world, ground).pose;
        for (const BodyId id : ids) {
            out.push_back(inverse_rotate(under.orientation, state_of(world, id).pose.position - under.position));
        }
        return out;
    };
    const auto farthest = [](const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
        float most = 0.0f;
        for (std::size_t i = 0; i < a.size(); ++i) {
            most = std::max(most, glm::distance(a[i], b[i]));
        }
        return most;
    };
    Ride result;
    std::vector<Vec3> settled, last = places();
    for (int step = 1; step <= steps; ++step) {
        if (course) {
            EXPECT_TRUE(world.apply(MoveKinematic{ground, course(step)}).ok());
        }
        world.step();
        std::vector<Vec3> now = places();
        if (step == 60) {
            settled = now;
        } else if (step > 60) {
            result.drift = std::max(result.drift, farthest(now, settled));
        }
        if (step > steps - 60) {
            result.speed = std::max(result.speed, farthest(now, last) / dt);
        }
        last = std::move(now);
    }
    return result;
}

Transform turned_by(float angle, const Vec3& axis = Vec3(0, 0, 1)) {
    const Quat turn = glm::angleAxis(angle, axis);
    return {turn * Vec3(0, 0, -0.5f), turn};
}

// Of a plate that swings to and fro, 0 at first and then up to 1.
float swing(int step, float rate) {
    return 0.5f - 0.5f * std::cos(rate * dt * static_cast<float>(step));
}

} // namespace

TEST(MovingGround, PilesRestOnATurntable) {
    struct Case {
        const char* name;
        std::vector<BodyDef> bodies;
        float x, rate;
    };
    const Case cases[] = {
        {"tower of 10", tower(10), 2.0f, 0.5f},    {"tower of 10, far out", tower(10), 3.0f, 0.3f},
        {"tower of 20", tower(20), 0.0f, 1.0f},    {"tower of 20, off the axis", tower(20), 1.0f, 0.3f},
        {"pyramid", flat_pyramid(10), 0.0f, 0.5f}, {"wall", plain_wall(8, 10), 0.0f, 0.3f},
    };
    for (const Case& one : cases) {
        const Ride found = ride(one.bodies, Vec3(one.x, 0, 0), Vec3(0.0f), Vec3(0, 0, one.rate), 600);
        EXPECT_LT(found.drift, 2e-3f) << one.name;
        EXPECT_LT(found.speed, 2e-3f) << one.name;
    }
    // With the plain substeps for all, and no inertia of loads, springs give way to what turning asks for.
    const Ride plain = ride(tower(20), Vec3(1, 0, 0), Vec3(0.0f), Vec3(0, 0, 0.3f), 600, {}, 4);
    EXPECT_GT(plain.drift, 0.1f);
}

TEST(MovingGround, PilesRestOnWhatTurnsAsItDrivesOn) {
    const Ride found = ride(tower(20), Vec3(1, 0, 0), Vec3(0.5f, 0, 0), Vec3(0, 0, 0.3f), 600);
    EXPECT_LT(found.drift, 2e-3f);
    EXPECT_LT(found.speed, 2e-3f);
}

// They lean on their springs, which are as stiff as their loads: the ground asks for 2 to 3 % of gravity from the side,
// or 20 along it. Without that they swayed by seven times as much.
TEST(MovingGround, TowersHardlySwayOnWhatSpeedsUpAndSlowsDown) {
    const Vec3 none(0.0f);
    const auto lorry = [](int step) {
        return Transform{Vec3(0.4f * swing(step, 1.0f), 0, -0.5f), identity_orientation};
    };
    const auto lift = [](int step) {
        return Transform{Vec3(0, 0, 4.0f * swing(step, 1.0f) - 0.5f), identity_orientation};
    };
    const auto tilting = [](int step) { return turned_by(0.03f * swing(step, 1.0f), Vec3(0, 1, 0)); };
    const auto table = [](int step) { return turned_by(0.6f * swing(step, 1.0f)); };
    EXPECT_LT(ride(tower(10), none, none, none, 900, lorry).drift, 0.012f);
    EXPECT_LT(ride(tower(10), none, none, none, 900, lift).drift, 0.002f);
    EXPECT_LT(ride(tower(10), none, none, none, 900, tilting).drift, 0.015f);
    EXPECT_LT(ride(tower(10), Vec3(1, 0, 0), none, none, 900, table).drift, 0.03f);
}

// Added inertia must not show where friction does not hold: a pile slides off a turntable as a single box does.
TEST(MovingGround, APileSlidesOffATurntableAsASingleBoxDoes) {
    const auto sliding = [](int boxes) {
        std::vector<BodyDef> bodies;
        for (int i = 0; i < boxes; ++i) {
            BodyDef box = make_body(Box{Vec3(0.5f, 0.5f, 0.05f)}, Vec3(0, 0, 0.05f + 0.1f * static_cast<float>(i)));
            box.material.friction = 0.6f;
            bodies.push_back(box);
        }
        return ride(bodies, Vec3(4, 0, 0), Vec3(0.0f), Vec3(0, 0, 0.6f), 120, {}, Settings().max_substeps, 0.02f).drift;
    };
    const float alone = sliding(1);
    EXPECT_GT(alone, 0.1f);
    EXPECT_NEAR(sliding(12), alone, 0.1f * alone);
}

} // namespace cairn::physics::testing
