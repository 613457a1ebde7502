// Motors and limits in series: each carries what hangs on all that come after it, through links that weigh nothing
// beside it. What is solved one after the other would need thousands of passes to agree.
#include "tests/physics/joints/random_mechanism.h"
#include "tests/sanitized.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace cairn::physics::testing {
namespace {

JointDef tie(BodyId a, BodyId b, float length) {
    JointDef def;
    def.kind = JointKind::distance;
    def.body_a = a;
    def.body_b = b;
    def.limits = JointLimits{0.0f, length};
    return def;
}

BodyDef bead(const Vec3& position, float mass) {
    BodyDef def = make_body(Sphere{0.05f}, position);
    def.mass = mass;
    return def;
}

struct HungLoad {
    std::string name;
    int pieces;
    float mass; // kg, at the end of pieces of 0.1 kg
};

class RopeOfLimits : public ::testing::TestWithParam<HungLoad> {};

TEST_P(RopeOfLimits, KeepsItsLength) {
    World world(without_sleep());
    constexpr float length = 0.3f; // m, of a piece
    BodyId last = add(world, make_static(Sphere{0.05f}, Vec3(0.0f)));
    for (int i = 1; i <= GetParam().pieces; ++i) {
        const float mass = i == GetParam().pieces ? GetParam().mass : 0.1f;
        const BodyId next = add(world, bead(Vec3(0, 0, -length * static_cast<float>(i)), mass));
        join(world, tie(last, next, length));
        last = next;
    }
    const float start = state_of(world, last).pose.position.z;
    float lowest = start;
    for (int i = 0; i < 300; ++i) {
        world.step();
        lowest = std::min(lowest, state_of(world, last).pose.position.z);
    }
    // They sank by metres while the limits knew of one bead each.
    EXPECT_GT(lowest, start - 2e-3f);
    EXPECT_LT(glm::length(state_of(world, last).linear_velocity), 1e-3f);
}

INSTANTIATE_TEST_SUITE_P(Loads, RopeOfLimits,
                         ::testing::Values(HungLoad{"ten_pieces_a_tonne", 10, 1000.0f},
                                           HungLoad{"three_pieces_ten_tonnes", 3, 10000.0f},
                                           HungLoad{"sixty_pieces_fifty", 60, 50.0f}, HungLoad{"alike", 30, 0.1f}),
                         [](const auto& test) { return test.param.name; });

// An arm along X of links of 1 kg and 1 m, with half a tonne at its tip. Joints are at 0, 1, 2 .. m.
struct LongArm {
    World world{without_sleep()};
    std::vector<JointId> joints;
    BodyId load;

    LongArm(int links, float mass, const std::function<void(JointDef&, int)>& drive, JointKind kind) {
        BodyId last;
        for (int i = 0; i < links; ++i) {
            BodyDef link = make_body(Box{Vec3(0.4f, 0.05f, 0.05f)}, Vec3(0.5f + static_cast<float>(i), 0, 0));
            link.mass = 1.0f;
            link.filter.mask = 0;
            const BodyId next = add(world, link);
            JointDef def = joint_at(world, kind, last, next, Vec3(i, 0, 0), z_to_y());
            drive(def, i);
            joints.push_back(join(world, def));
            last = next;
        }
        BodyDef heavy = make_body(Sphere{0.3f}, Vec3(links, 0, 0));
        heavy.mass = mass;
        heavy.filter.mask = 0;
        load = add(world, heavy);
        join(world, joint_at(world, JointKind::weld, last, load, Vec3(links, 0, 0)));
    }
    float lowest_in(int steps) {
        float lowest = 0.0f;
        for (int i = 0; i < steps; ++i) {
            world.step();
            lowest = std::min(lowest, state_of(world, load).pose.position.z);
        }
        return lowest;
    }
};

struct DrivenArm {
    std::string name;
    JointKind kind;
    std::function<void(JointDef&, int)> drive;
};

class ArmOfSix : public ::testing::TestWithParam<DrivenArm> {};

TEST_P(ArmOfSix, HoldsHalfATonne) {
    LongArm arm(6, 500.0f, GetParam().drive, GetParam().kind);
    EXPECT_GT(arm.lowest_in(300), -1e-2f); // it sank to the ground, even with 10 kg
    EXPECT_LT(glm::length(state_of(arm.world, arm.load).linear_velocity), 1e-3f);
}

JointAxis driven(float most) {
    JointAxis axis;
    axis.mode = JointAxis::Mode::motor;
    axis.motor = JointMotor{0.0f, most};
    return axis;
}

INSTANTIATE_TEST_SUITE_P(Drives, ArmOfSix,
                         ::testing::Values(DrivenArm{"braked_hinges", JointKind::hinge,
                                                     [](JointDef& def, int) {
                                                         def.motor = JointMotor{0.0f, 1e6f};
                                                     }},
                                           DrivenArm{"braked_balls", JointKind::ball,
                                                     [](JointDef& def, int) {
                                                         def.motor = JointMotor{0.0f, 1e6f};
                                                     }},
                                           DrivenArm{
                                               "limited_hinges", JointKind::hinge,
                                               [](JointDef& def, int) {
                                                   def.limits = JointLimits{-1.0f, 0.0f}; // about +Y positive is down
                                               }},
                                           DrivenArm{"brakes_and_limits", JointKind::hinge,
                                                     [](JointDef& def, int i) {
                                                         if (i % 2 == 0) {
                                                             def.motor = JointMotor{0.0f, 1e6f};
                                                         } else {
                                                             def.limits = JointLimits{-1.0f, 0.0f};
                                                         }
                                                     }},
                                           DrivenArm{"six_axes", JointKind::six_dof,
                                                     [](JointDef& def, int) {
                                                         def.axes.resize(joint_axes);
                                                         def.axes[5] = driven(1e6f);
                                                     }},
                                           DrivenArm{"six_limited_axes", JointKind::six_dof,
                                                     [](JointDef& def, int) {
                                                         def.axes.resize(joint_axes);
                                                         def.axes[5].mode = JointAxis::Mode::limited;
                                                         def.axes[5].limits = JointLimits{-1.0f, 0.0f};
                                                     }}),
                         [](const auto& test) { return test.param.name; });

// Motors that are strong enough lift, those that are not slip with all their force.
TEST(ArmOfThree, LiftsAtTheSpeedsOfItsMotors) {
    LongArm arm(
        3, 200.0f,
        [](JointDef& def, int i) {
            def.motor = JointMotor{i == 1 ? -0.2f : 0.0f, 1e5f};
        },
        JointKind::hinge);
    run(arm.world, 60);
    EXPECT_NEAR(joint_state(arm.world, arm.joints[0]).position, 0.0f, 2e-3f);
    EXPECT_NEAR(joint_state(arm.world, arm.joints[1]).position, -0.2f, 2e-3f);
    EXPECT_NEAR(joint_state(arm.world, arm.joints[2]).position, 0.0f, 2e-3f);
}

TEST(ArmOfThree, SlipsWhereAMotorIsTooWeak) {
    const float mass = 200.0f;
    // The first joint has nine tenths of what would hold, the others hold: all falls as one lever about it.
    LongArm arm(
        3, mass,
        [](JointDef& def, int i) {
            const float moment = 9.81f * (200.0f * 3.0f + 0.5f + 1.5f + 2.5f);
            def.motor = JointMotor{0.0f, i == 0 ? 0.9f * moment : 1e6f};
        },
        JointKind::hinge);
    const int steps = 12;
    run(arm.world, steps);
    const float links = 3.0f * (0.8f * 0.8f + 0.1f * 0.1f) / 12.0f + 0.25f + 2.25f + 6.25f;
    const float inertia = links + mass * (9.0f + 0.4f * 0.09f);
    const float acceleration = 0.1f * 9.81f * (mass * 3.0f + 4.5f) / inertia;
    const float time = static_cast<float>(steps) / 60.0f;
    EXPECT_NEAR(joint_state(arm.world, arm.joints[0]).position, 0.5f * acceleration * time * time, 3e-4f);
    EXPECT_NEAR(joint_state(arm.world, arm.joints[1]).position, 0.0f, 1e-3f);
    EXPECT_NEAR(joint_state(arm.world, arm.joints[2]).position, 0.0f, 1e-3f);
}

// Ropes of limits with beads of 1 to 100 times the weight of the lightest, slack or not, thrown onto a floor.
TEST(ThrownRopes, LandWithoutGain) {
    for (unsigned seed = 0; seed < (sanitized ? 10u : 60u); ++seed) {
        Dice dice(seed);
        World world(without_sleep());
        BodyDef floor = make_static(Box{Vec3(20, 20, 0.5f)}, Vec3(0, 0, -0.5f));
        floor.material.restitution = dice.below(2) == 0 ? 0.0f : dice.between(0.3f, 1.0f);
        add(world, floor);
        const unsigned beads = 2 + dice.below(20);
        const float slack = dice.below(2) == 0 ? 1.0f : dice.between(1, 2);
        const bool loop = dice.below(3) == 0;
        const Vec3 thrown = dice.between(0, 8) * dice.direction();
        const Vec3 spin = dice.between(0, 6) * dice.direction();
        std::vector<BodyId> ids;
        Vec3 at(0, 0, 4);
        const Vec3 start = at;
        for (unsigned i = 0; i < beads; ++i) {
            BodyDef def = bead(at, std::pow(100.0f, dice.between(0, 1)));
            def.material.restitution = floor.material.restitution;
            def.linear_velocity = thrown + glm::cross(spin, at - start);
            ids.push_back(add(world, def));
            Vec3 direction = dice.direction();
            direction.z *= 0.3f;
            const Vec3 next = at + dice.between(0.15f, 0.4f) * glm::normalize(direction);
            if (i > 0) {
                const float apart = glm::distance(at, state_of(world, ids[i - 1]).pose.position);
                join(world, tie(ids[i - 1], ids[i], slack * apart));
            }
            at = next;
        }
        if (loop) {
            const float apart = glm::distance(state_of(world, ids.front()).pose.position, at);
            join(world, tie(ids.front(), ids.back(), slack * apart));
        }
        const double before = energy(world);
        const Course course = watched(world, 300);
        EXPECT_LT(course.gain, 0.01 * before) << "seed " << seed << ", " << beads << " beads, slack " << slack;
        EXPECT_TRUE(world.stopped().empty()) << "seed " << seed;
    }
}

// Planks of 2 kg on stiff hinges give way under balls of half a tonne, and throw none of them off.
TEST(LoadedBridge, GainsNothing) {
    World world(without_sleep());
    constexpr int planks = 30;
    constexpr float plank = 0.5f; // m
    const BodyId post = add(world, make_static(Box{Vec3(0.1f, 0.5f, 0.05f)}, Vec3(plank * planks + 0.15f, 0, 5)));
    BodyId last;
    for (int i = 0; i < planks; ++i) {
        const float x = plank * static_cast<float>(i);
        BodyDef def = make_body(Box{Vec3(0.24f, 0.5f, 0.05f)}, Vec3(x + 0.5f * plank, 0, 5));
        def.mass = 2.0f;
        const BodyId next = add(world, def);
        JointDef hinge = joint_at(world, JointKind::hinge, last, next, Vec3(x, 0, 5), z_to_y());
        hinge.limits = JointLimits{-0.1f, 0.1f};
        hinge.motor = JointMotor{0.0f, 20.0f};
        join(world, hinge);
        last = next;
    }
    join(world, joint_at(world, JointKind::hinge, last, post, Vec3(plank * planks, 0, 5), z_to_y()));
    for (int i = 0; i < 3; ++i) {
        const auto k = static_cast<float>(i);
        BodyDef ball = make_body(Sphere{0.4f}, Vec3(plank * planks * (k + 1.0f) / 4.0f, 0, 6.0f + k));
        ball.mass = 500.0f;
        add(world, ball);
    }
    // It rose by half when errors of position were given the energy of the whole bridge.
    EXPECT_LT(watched(world, 330).gain, 1.0);
}

} // namespace
} // namespace cairn::physics::testing
