// Mechanisms that land: a blow to one link is one to all that hangs together with it, at all of their contacts.
#include "tests/physics/joints/random_mechanism.h"
#include "tests/sanitized.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace cairn::physics::testing {
namespace {

// Chains and trees on hinges and balls with stops, thrown onto a floor: many contacts at once on links that are heavy,
// light, thin and stopped.
struct ThrownMechanism {
    World world{without_sleep()};
    double energy_at_start = 0.0; // J, above the floor
    std::string what;

    explicit ThrownMechanism(unsigned seed) {
        Dice dice(seed);
        BodyDef floor = make_body(Box{Vec3(20, 20, 0.5f)}, Vec3(0, 0, -0.5f));
        floor.type = BodyType::fixed;
        floor.material.restitution = dice.below(2) == 0 ? 0.0f : dice.between(0.3f, 1.0f);
        add(world, floor);
        const unsigned links = 2 + dice.below(10);
        const float ratio = std::pow(10.0f, dice.between(0, 2));
        const bool tree = dice.below(2) == 0;
        what = std::string(tree ? "tree of " : "chain of ") + std::to_string(links) + ", elasticity " +
               std::to_string(floor.material.restitution);
        const Vec3 throw_velocity = dice.between(0, 5) * dice.direction() - Vec3(0, 0, 3);
        std::vector<BodyId> ids;
        std::vector<Vec3> ends;
        for (unsigned i = 0; i < links; ++i) {
            const unsigned parent = i == 0 ? 0 : tree ? dice.below(i) : i - 1;
            const Vec3 start = i == 0 ? Vec3(0, 0, 2.5f) : ends[parent];
            Vec3 direction = dice.direction();
            direction.z *= 0.3f;
            direction = glm::normalize(direction);
            const float length = dice.between(0.2f, 0.5f);
            const float thickness = length * dice.between(0.1f, 0.6f);
            const Geometry geometry =
                dice.below(2) == 0
                    ? Geometry(Box{0.5f * Vec3(thickness, thickness, length)})
                    : Geometry(Capsule{0.5f * thickness, std::max(0.5f * (length - thickness), 0.01f * length)});
            BodyDef link = make_body(geometry, start + (0.5f * length) * direction);
            link.filter.group = 1;
            link.filter.mask = 1; // the floor, not each other
            link.pose.orientation = from_z_to(direction);
            link.mass = std::pow(ratio, dice.between(0, 1));
            link.material.restitution = floor.material.restitution;
            link.linear_velocity = throw_velocity;
            ids.push_back(add(world, link));
            ends.push_back(start + length * direction);
            if (i > 0) {
                JointDef def = joint_at(world, dice.below(2) == 0 ? JointKind::hinge : JointKind::ball, ids[parent],
                                        ids.back(), start, from_z_to(dice.direction()));
                if (def.kind == JointKind::hinge) {
                    def.limits = JointLimits{-dice.between(0, 0.8f), dice.between(0, 0.8f)};
                }
                join(world, def);
            }
        }
        energy_at_start = energy(world);
    }
};

class ThrownMechanisms : public ::testing::TestWithParam<unsigned> {};

TEST_P(ThrownMechanisms, LandWithoutGain) {
    for (unsigned i = 0; i < 25; ++i) {
        ThrownMechanism thrown(25 * GetParam() + i);
        FrameState frame;
        double most = 0.0;
        for (int step = 0; step < 360; ++step) {
            thrown.world.step();
            thrown.world.publish(frame);
            for (const ContactState& contact : frame.contacts) {
                ASSERT_TRUE(std::isfinite(contact.normal_impulse)) << thrown.what << ", step " << step;
            }
            most = std::max(most, energy(thrown.world));
            ASSERT_TRUE(std::isfinite(most)) << thrown.what << ", step " << step;
        }
        EXPECT_LE(most, 1.01 * thrown.energy_at_start) << thrown.what << ", number " << 25 * GetParam() + i;
    }
}

INSTANTIATE_TEST_SUITE_P(Joints, ThrownMechanisms, ::testing::Range(0u, sanitized ? 1u : 8u));

} // namespace
} // namespace cairn::physics::testing
