// A chain over a smooth bar with a weight at each end is Atwood's machine: the heavier side sinks.
#include "tests/physics/joints/joint_builder.h"

#include <cmath>
#include <string>
#include <vector>

namespace cairn::physics::testing {
namespace {

struct Drape {
    std::string name;
    float bar, link, hz; // m, kg, 1/s
    JointKind joint = JointKind::ball;
};

class DrapedChain : public ::testing::TestWithParam<Drape> {
  protected:
    static constexpr int links = 60;
    static constexpr float length = 0.1f, thickness = 0.03f, weight = 20.0f; // m, m, kg

    DrapedChain() : world(settings()) {
        BodyDef bar = make_static(Cylinder{GetParam().bar, 0.5f}, Vec3(0));
        bar.pose.orientation = z_to_y();
        add(world, bar);
        BodyId last;
        for (int i = 0; i < links; ++i) {
            const Vec3 from = place(i), to = place(i + 1);
            BodyDef def = make_body(Capsule{thickness, 0.5f * length - 0.01f}, 0.5f * (from + to));
            const Vec3 along = glm::normalize(to - from);
            def.pose.orientation = glm::angleAxis(std::atan2(along.x, along.z), Vec3(0, 1, 0));
            def.mass = GetParam().link;
            const BodyId id = add(world, smooth(def));
            hang(last, id, from, i == 0);
            last = id;
        }
        hang(last, last, place(links), true);
    }

    // Joins A to B; or a weight to B, below.
    void hang(BodyId a, BodyId b, const Vec3& at, bool end) {
        if (end) {
            BodyDef def = make_body(Box{Vec3(0.1f)}, at - Vec3(0, 0, 0.1f));
            def.mass = weight;
            a = add(world, smooth(def));
            weights.push_back(a);
        }
        JointDef joint = joint_at(world, GetParam().joint, a, b, at, z_to_y());
        joint.ignore_within = 3;
        join(world, joint);
    }

    World world;
    std::vector<BodyId> weights;

  private:
    static Settings settings() {
        Settings out = without_sleep();
        out.hz = GetParam().hz;
        return out;
    }
    static BodyDef smooth(BodyDef def) {
        def.material.friction = 0.0f;
        return def;
    }
    // Of a joint: half round the bar, and straight down on both sides.
    static Vec3 place(int joint) {
        const float radius = GetParam().bar + thickness, half = 0.5f * 3.14159265f * radius;
        const float s = length * (static_cast<float>(joint) - 0.5f * static_cast<float>(links));
        return std::abs(s) < half ? radius * Vec3(std::sin(s / radius), 0.0f, std::cos(s / radius))
                                  : Vec3(std::copysign(radius, s), 0.0f, half - std::abs(s));
    }
};

// Joints that were solved without the stiffness of contacts, and these without that of joints, seemed to gain energy at
// every substep, and all velocities were taken away for it: the weights hung still, however much one was heavier.
TEST_P(DrapedChain, RunsToTheHeavierSide) {
    run(world, static_cast<int>(2.0f * GetParam().hz));
    EXPECT_NEAR(state_of(world, weights[1]).linear_velocity.z, 0.0f, 0.01f);
    SetBody change;
    change.body = weights[1];
    change.mass = 4.0f * weight;
    ASSERT_TRUE(world.apply(change).ok());
    run(world, static_cast<int>(0.5f * GetParam().hz));
    const float all = 5.0f * weight + static_cast<float>(links) * GetParam().link;
    const float expected = 0.5f * 9.81f * 3.0f * weight / all;
    EXPECT_NEAR(-state_of(world, weights[1]).linear_velocity.z, expected, 0.06f * expected);
    EXPECT_LT(greatest_gap(world), 0.01f * length);
    EXPECT_LT(published(world).stats.max_penetration, 0.3f * thickness);
}

INSTANTIATE_TEST_SUITE_P(Bars, DrapedChain,
                         ::testing::Values(Drape{"Drum", 1.0f, 0.25f, 60.0f}, Drape{"Bar", 0.3f, 0.25f, 60.0f},
                                           Drape{"Hinges", 1.0f, 0.25f, 60.0f, JointKind::hinge},
                                           Drape{"LongSteps", 1.0f, 0.25f, 20.0f},
                                           Drape{"HeavyLinksLongSteps", 1.0f, 1.0f, 20.0f}),
                         [](const auto& test) { return test.param.name; });

} // namespace
} // namespace cairn::physics::testing
