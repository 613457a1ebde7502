// Fast parts of mechanisms against walls and doors: none passes, and what stops one part does not tear it from the
// others.
#include "tests/physics/joints/joint_builder.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace cairn::physics::testing {
namespace {

enum class Thrown { bob_on_a_rod, chain };

struct Throw {
    Thrown what;
    bool at_a_door; // on a hinge; else at a wall
    float speed;    // m/s
};

struct Throws {
    // A plate of this half thickness, m, whose lower left edge is the hinge of a door.
    static BodyId plate(World& world, float half, bool door) {
        BodyDef def = make_body(Box{Vec3(half, 1, 1)}, Vec3(0.0f));
        if (!door) {
            def.type = BodyType::fixed;
        }
        const BodyId id = add(world, def);
        if (door) {
            join(world, joint_at(world, JointKind::hinge, {}, id, Vec3(0, -1, 0)));
        }
        return id;
    }
    // The bodies, of which the first leads.
    static std::vector<BodyId> thrown(World& world, Thrown what, float x, float speed) {
        BodyDef ball = make_body(Sphere{0.15f}, Vec3(x, 0.2f, 0));
        ball.linear_velocity = Vec3(speed, 0, 0);
        std::vector<BodyId> bodies{add(world, ball)};
        if (what == Thrown::bob_on_a_rod) {
            JointDef rod = joint_at(world, JointKind::distance, {}, bodies[0], ball.pose.position);
            rod.frame_a.position = Vec3(0, 0.2f, 20);
            rod.length = glm::length(rod.frame_a.position - ball.pose.position);
            join(world, rod);
            return bodies;
        }
        for (int i = 0; i < 5; ++i) {
            const float end = x - 0.15f - 0.5f * static_cast<float>(i);
            BodyDef link = make_body(Capsule{0.05f, 0.2f}, Vec3(end - 0.25f, 0.2f, 0));
            link.pose.orientation = normalized(Quat(1, 0, 1, 0));
            link.linear_velocity = Vec3(speed, 0, 0);
            bodies.push_back(add(world, link));
            join(world, joint_at(world, JointKind::ball, bodies[bodies.size() - 2], bodies.back(), Vec3(end, 0.2f, 0)));
        }
        return bodies;
    }
};

class FastLinks : public ::testing::TestWithParam<Throw>, protected Throws {};
class FastLinksControl : public ::testing::Test, protected Throws {};

TEST_P(FastLinks, DoNotPassAndStayTogether) {
    const auto [what, door, speed] = GetParam();
    for (const float half : {0.005f, 0.02f, 0.1f}) {
        for (int phase = 0; phase < 5; ++phase) {
            World world(weightless());
            const BodyId wall = plate(world, half, door);
            const float early = static_cast<float>(phase) / 5.0f * speed / 60.0f;
            const std::vector<BodyId> bodies = thrown(world, what, -1.0f - early, speed);
            const double start = energy(world);
            float gap = 0.0f;
            for (int i = 0; i < 60; ++i) {
                world.step();
                gap = std::max(gap, greatest_gap(world));
                const Transform at = state_of(world, wall).pose;
                for (const BodyId id : bodies) {
                    const Vec3 seen = to_local(at, state_of(world, id).pose.position);
                    const bool before = std::abs(seen.y) < 0.9f && std::abs(seen.z) < 0.9f;
                    ASSERT_FALSE(before && seen.x > half) << half << ' ' << phase << ' ' << i;
                }
            }
            EXPECT_LT(energy(world), 1.02 * start) << half << ' ' << phase;
            EXPECT_LT(gap, 0.05f) << half << ' ' << phase;
        }
    }
}

// The control: some of the same chains pass where nothing follows them along their ways.
TEST_F(FastLinksControl, PassWhereNothingFollowsThem) {
    int passed = 0;
    for (int phase = 0; phase < 5; ++phase) {
        Settings settings = weightless();
        settings.continuous = false;
        World world(settings);
        plate(world, 0.005f, false);
        const float early = static_cast<float>(phase) / 5.0f * 400.0f / 60.0f;
        const BodyId ball = thrown(world, Thrown::chain, -1.0f - early, 400.0f)[0];
        run(world, 30);
        passed += state_of(world, ball).pose.position.x > 1.0f ? 1 : 0;
    }
    EXPECT_GT(passed, 0);
}

std::string name_of(const ::testing::TestParamInfo<Throw>& info) {
    const auto [what, door, speed] = info.param;
    return std::string(what == Thrown::chain ? "chain" : "bob") + (door ? "_at_a_door_" : "_at_a_wall_") +
           std::to_string(static_cast<int>(speed));
}

INSTANTIATE_TEST_SUITE_P(Joints, FastLinks,
                         ::testing::Values(Throw{Thrown::bob_on_a_rod, false, 20},
                                           Throw{Thrown::bob_on_a_rod, false, 400},
                                           Throw{Thrown::bob_on_a_rod, true, 20},
                                           Throw{Thrown::bob_on_a_rod, true, 150}, Throw{Thrown::chain, false, 20},
                                           Throw{Thrown::chain, false, 60}, Throw{Thrown::chain, false, 150},
                                           Throw{Thrown::chain, false, 400}),
                         name_of);

} // namespace
} // namespace cairn::physics::testing
