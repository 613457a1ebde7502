// Light links between heavy bodies: chains hold what hangs on them, and gain no energy.
#include "tests/physics/joints/joint_builder.h"

#include <cmath>
#include <vector>

namespace cairn::physics::testing {
namespace {

// A chain of links of 1 kg and 0.5 m, held out level along x from the origin, with weights (kg) at some of them.
struct HeavyChain {
    World world;
    double swing = 0.0; // J, from lying out to hanging down

    explicit HeavyChain(const std::vector<std::pair<int, float>>& weights, int links = 50) : world(without_sleep()) {
        BodyId last = add(world, make_static(Box{Vec3(0.05f)}, Vec3(0)));
        for (int i = 1; i <= links; ++i) {
            const float x = 0.5f * static_cast<float>(i);
            BodyDef link = make_body(Capsule{0.05f, 0.15f}, Vec3(x, 0, 0));
            link.pose.orientation = normalized(Quat(1, 0, 1, 0)); // along x
            link.mass = 1.0f;
            for (const auto& [place, mass] : weights) {
                if (place == i) {
                    link = make_body(Sphere{0.2f}, Vec3(x, 0, 0));
                    link.mass = mass;
                }
            }
            const BodyId id = add(world, link);
            join(world, joint_at(world, JointKind::ball, last, id, Vec3(x - 0.25f, 0, 0)));
            swing += 9.81 * static_cast<double>(*link.mass * x);
            last = id;
        }
    }
};

class WeightOnAChain : public ::testing::TestWithParam<float> {};

TEST_P(WeightOnAChain, SwingsWithoutStretchOrGain) {
    const float mass = GetParam();
    HeavyChain chain({{50, mass}});
    const Course course = watched(chain.world, 300); // down, and almost up on the other side
    EXPECT_LT(course.gain, 0.001 * chain.swing);
    EXPECT_GT(course.end, -0.05 * chain.swing);
    EXPECT_LT(course.gap, mass > 1000.0f ? 0.05f * 0.5f : 0.01f * 0.5f); // of a link
}

INSTANTIATE_TEST_SUITE_P(HeavyChain, WeightOnAChain, ::testing::Values(100.0f, 1000.0f, 10000.0f, 50000.0f));

TEST(HeavyChain, TwoWeightsOfATonOnOneChain) {
    HeavyChain chain({{25, 1000.0f}, {50, 1000.0f}});
    const Course course = watched(chain.world, 300);
    EXPECT_LT(course.gain, 0.001 * chain.swing);
    EXPECT_LT(course.gap, 0.01f * 0.5f);
}

// Two tonnes on links of 3 kg below a hook that is moved and stops from 5 m/s within a step. The blow runs through the
// chain as 650 kN; the arcs of the substep after it led further and further away, and joints opened by 0.43 m.
TEST(HeavyChain, HoldsWhereItsCraneStopsAtOnce) {
    for (const int stop : {120, 148, 180, 212}) {
        World world(without_sleep());
        BodyDef def = make_static(Box{Vec3(0.2f)}, Vec3(0, 0, 15));
        def.type = BodyType::kinematic;
        const BodyId hook = add(world, def);
        BodyId last = hook;
        Vec3 at = def.pose.position;
        for (int i = 0; i < 20; ++i) {
            def = make_body(Capsule{0.05f, 0.2f}, at - Vec3(0, 0, 0.25f));
            def.mass = 3.0f;
            const BodyId link = add(world, def);
            join(world, joint_at(world, JointKind::ball, last, link, at));
            last = link;
            at.z -= 0.5f;
        }
        def = make_body(Box{Vec3(0.5f)}, at - Vec3(0, 0, 0.5f));
        def.mass = 2000.0f;
        join(world, joint_at(world, JointKind::ball, last, add(world, def), at));
        const auto move = [&](float speed) {
            SetBody set;
            set.body = hook;
            set.linear_velocity = Vec3(speed, 0, 0);
            ASSERT_TRUE(world.apply(set).ok());
        };
        move(5.0f);
        run(world, stop);
        move(0.0f);
        EXPECT_LT(watched(world, 30).gap, 0.02f) << "after " << stop << " steps";
    }
}

} // namespace
} // namespace cairn::physics::testing
