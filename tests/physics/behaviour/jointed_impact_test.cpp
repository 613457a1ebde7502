// Impacts pass through joints: what is hit moves with all that hangs together with it.
#include "tests/physics/world/world_builder.h"

#include <cmath>
#include <string>
#include <vector>

namespace cairn::physics::testing {
namespace {

JointId join(World& world, const JointDef& def) {
    const CommandResult result = world.apply(CreateJoint{def});
    EXPECT_TRUE(result.ok()) << result.error;
    return result.joint;
}

BodyDef smooth(Geometry geometry, const Vec3& position, float mass, float restitution) {
    BodyDef def = make_body(std::move(geometry), position);
    def.mass = mass;
    def.material.friction = 0.0f;
    def.material.restitution = restitution;
    return def;
}

double energy(const World& world, const std::vector<BodyId>& bodies) {
    double sum = 0.0;
    for (const BodyId id : bodies) {
        const BodyState state = state_of(world, id);
        const Vec3 local = inverse_rotate(state.pose.orientation, state.angular_velocity);
        const auto model = world.model(id);
        sum += 0.5 * static_cast<double>(model->mass * glm::dot(state.linear_velocity, state.linear_velocity) +
                                         glm::dot(local, model->inertia * local)) +
               static_cast<double>(model->mass) * 9.81 * static_cast<double>(state.pose.position.z);
    }
    return sum;
}

struct Blow {
    float arm, restitution; // m, from the pivot
};

// A rod of two metres that hangs from a hinge, at rest without gravity, is hit at any height. With its inertia I about
// the pivot, a ball of mass m and speed v at the arm d leaves it (1 + e) m d v / (I + m d^2). Its centre of percussion,
// where the hinge feels nothing, is at 4/3 m.
class CompoundPendulum : public ::testing::TestWithParam<Blow> {};

TEST_P(CompoundPendulum, IsHitOffItsCentreOfPercussion) {
    const Blow& blow = GetParam();
    for (int phase = 0; phase < 8; ++phase) {
        World world(weightless());
        const BodyId rod = add(world, smooth(Box{Vec3(0.05f, 0.05f, 1)}, Vec3(0, 0, -1), 2.0f, blow.restitution));
        JointDef hinge;
        hinge.kind = JointKind::hinge;
        hinge.body_b = rod;
        hinge.frame_b.position = Vec3(0, 0, 1);
        hinge.frame_a.orientation = hinge.frame_b.orientation = glm::angleAxis(1.57079633f, Vec3(1, 0, 0));
        join(world, hinge);
        const float gap = 0.3f + 0.0104f * static_cast<float>(phase); // an eighth of a step each
        BodyDef def = smooth(Sphere{0.1f}, Vec3(-0.15f - gap, 0, -blow.arm), 1.0f, blow.restitution);
        def.linear_velocity = Vec3(5, 0, 0);
        const BodyId ball = add(world, def);
        run(world, 10);
        const double inertia = static_cast<double>(world.model(rod)->inertia[1][1]) + 2.0;
        const double d = static_cast<double>(blow.arm), e = static_cast<double>(blow.restitution);
        const double rate = (1.0 + e) * d * 5.0 / (inertia + d * d);
        EXPECT_NEAR(-state_of(world, rod).angular_velocity.y, rate, 0.005 * rate) << "phase " << phase;
        EXPECT_NEAR(state_of(world, ball).linear_velocity.x, 5.0 - inertia * rate / d, 0.02) << "phase " << phase;
    }
}

INSTANTIATE_TEST_SUITE_P(Arms, CompoundPendulum,
                         ::testing::Values(Blow{0.6f, 1.0f}, Blow{1.3333f, 1.0f}, Blow{1.8f, 1.0f}, Blow{0.6f, 0.5f},
                                           Blow{1.8f, 0.5f}, Blow{0.6f, 0.0f}, Blow{1.8f, 0.0f}),
                         [](const auto& of) {
                             return "Arm" + std::to_string(static_cast<int>(100.0f * of.param.arm)) + "E" +
                                    std::to_string(static_cast<int>(100.0f * of.param.restitution));
                         });

// Two balls on a rod, or on a taut string, one of which is hit at 45 degrees by a third: across the rod the one that is
// hit gives way alone, along it both do. A string that is hit so that it would slacken holds nothing.
TEST(JointedImpact, ARodPassesABlowOnAndAStringOnlyPulls) {
    for (const bool string : {false, true}) {
        for (const bool pulls : {true, false}) {
            World world(weightless());
            const BodyId hit = add(world, smooth(Sphere{0.1f}, Vec3(0), 1.0f, 1.0f));
            const BodyId other = add(world, smooth(Sphere{0.1f}, Vec3(pulls ? -1.0f : 1.0f, 0, 0), 1.0f, 1.0f));
            JointDef rod;
            rod.kind = JointKind::distance;
            rod.body_a = hit;
            rod.body_b = other;
            if (string) {
                rod.limits = JointLimits{0.0f, 1.0f};
            }
            join(world, rod);
            const float side = std::sqrt(0.5f);
            BodyDef def = smooth(Sphere{0.1f}, -0.45f * Vec3(side, side, 0), 1.0f, 1.0f);
            def.linear_velocity = 5.0f * Vec3(side, side, 0);
            const BodyId cue = add(world, def);
            run(world, 5);
            const bool together = !string || pulls;
            // The impulse P along n changes the speed of its point by P (n_x^2 / (m + M) + n_y^2 / m).
            const double gives = 1.0 + (together ? 0.5 * 0.5 + 0.5 : 1.0), impulse = 10.0 / gives;
            const Vec3 before = def.linear_velocity, after = state_of(world, cue).linear_velocity;
            EXPECT_NEAR(glm::dot(before / 5.0f, after), 5.0 - impulse, 0.01) << string << pulls;
            EXPECT_NEAR(energy(world, {hit, other, cue}), 12.5, 0.01) << string << pulls;
            EXPECT_LT(glm::length(momentum(world) - glm::dvec3(before)), 1e-3);
        }
    }
}

// A ball on a rod of two metres meets a plane 45 degrees off its path. It can only go back the way that it came, with
// all of its speed, wherever within a step it arrives.
TEST(JointedImpact, AnElasticBallOnARodComesBackFromASlantedPlane) {
    for (int phase = 0; phase < 20; ++phase) {
        World world(weightless());
        BodyDef def = smooth(Sphere{0.1f}, Vec3(2, 0, 0), 1.0f, 1.0f);
        def.linear_velocity = Vec3(0, 3, 0);
        const BodyId ball = add(world, def);
        JointDef rod;
        rod.kind = JointKind::distance;
        rod.body_b = ball;
        rod.length = 2.0f;
        join(world, rod);
        const float angle = 0.5f + 0.003f * static_cast<float>(phase); // where they meet
        const Vec3 outwards(std::cos(angle), std::sin(angle), 0), ahead(-outwards.y, outwards.x, 0);
        const Vec3 normal = glm::normalize(outwards - ahead);
        BodyDef plane = make_static(Box{Vec3(0.5f, 1, 1)}, 2.0f * outwards - 0.6f * normal);
        plane.pose.orientation = glm::angleAxis(std::atan2(normal.y, normal.x), Vec3(0, 0, 1));
        plane.material.friction = 0.0f;
        plane.material.restitution = 1.0f;
        add(world, plane);
        run(world, 40);
        const BodyState state = state_of(world, ball);
        EXPECT_NEAR(glm::length(state.linear_velocity), 3.0f, 0.01f) << "phase " << phase;
        EXPECT_LT(glm::dot(state.linear_velocity, Vec3(-state.pose.position.y, state.pose.position.x, 0)), 0.0f);
    }
}

// Two balls on strings, three to one: each passes its energy on and gets it back, for half a minute.
TEST(JointedImpact, ACradleOfThreeToOneKeepsItsEnergy) {
    World world(without_sleep());
    std::vector<BodyId> balls;
    for (const int i : {0, 1}) {
        const float x = 0.5f * static_cast<float>(i), swing = i == 0 ? 0.6f : 0.0f;
        BodyDef def = smooth(Sphere{0.25f}, Vec3(x - 2.0f * std::sin(swing), 0, 2.0f - 2.0f * std::cos(swing)),
                             i == 0 ? 3.0f : 1.0f, 1.0f);
        balls.push_back(add(world, def));
        JointDef string;
        string.kind = JointKind::distance;
        string.body_b = balls.back();
        string.frame_a.position = Vec3(x, 0, 2);
        string.length = 2.0f;
        join(world, string);
    }
    const double start = energy(world, balls);
    for (int second = 1; second <= 30; ++second) {
        run(world, 60);
        ASSERT_NEAR(energy(world, balls), start, 0.02 * start) << "after " << second << " s";
    }
}

// A table, symmetrical left and right, comes straight down. Its first foot was asked to bear it all, and friction
// bounded by that threw it aside at 2.4 m/s.
TEST(JointedImpact, ATableThatLandsStaysWhereItLands) {
    for (const float speed : {0.0f, 5.0f, 10.0f}) {
        World world(without_sleep());
        add(world, make_floor());
        const auto falling = [&](const Vec3& half, const Vec3& position, float mass) {
            BodyDef def = make_body(Box{half}, position + Vec3(0, 0, 0.45f));
            def.mass = mass;
            def.linear_velocity = Vec3(0, 0, -speed);
            return add(world, def);
        };
        const BodyId plank = falling(Vec3(1, 0.3f, 0.15f), Vec3(0, 0, 0.55f), 50.0f);
        for (const float side : {-0.8f, 0.8f}) {
            JointDef weld;
            weld.kind = JointKind::weld;
            weld.body_a = plank;
            weld.body_b = falling(Vec3(0.1f, 0.3f, 0.2f), Vec3(side, 0, 0.2f), 5.0f);
            weld.frame_a.position = Vec3(side, 0, -0.15f);
            weld.frame_b.position = Vec3(0, 0, 0.2f);
            join(world, weld);
        }
        run(world, 120);
        const Vec3 at = state_of(world, plank).pose.position;
        EXPECT_LT(std::hypot(at.x, at.y), 1e-3f) << speed;
        EXPECT_NEAR(at.z, 0.55f, 2e-3f) << speed;
    }
}

} // namespace
} // namespace cairn::physics::testing
