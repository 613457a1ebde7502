// Random mechanisms of hinges, sliders and welds: none gains energy, no pivot opens.
#include "tests/physics/joints/joint_builder.h"
#include "tests/sanitized.h"

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace cairn::physics::testing {
namespace {

class Dice {
  public:
    explicit Dice(unsigned seed) : engine_(seed) {}
    unsigned below(unsigned count) { return static_cast<unsigned>(engine_() % count); }
    float between(float least, float most) {
        return least + (most - least) * static_cast<float>(static_cast<double>(engine_()) / 4294967296.0);
    }
    Vec3 direction() {
        for (;;) {
            const Vec3 v(between(-1, 1), between(-1, 1), between(-1, 1));
            const float length = glm::length(v);
            if (length > 0.1f && length < 1.0f) {
                return v / length;
            }
        }
    }

  private:
    std::mt19937 engine_;
};

Quat from_z_to(const Vec3& direction) {
    const Vec3 axis = glm::cross(Vec3(0, 0, 1), direction);
    return 1.0f + direction.z < 1e-4f ? Quat(0, 1, 0, 0) : normalized(Quat(1.0f + direction.z, axis.x, axis.y, axis.z));
}

// One to twenty links with the inertia of rods whose edges are as 1:1 to 1:200, masses as 1 to 1000, in chains and
// trees on a pivot of the world or closed to a loop, let go from a random pose. What is looked at is the joints: the
// links are drawn as small balls, so that they do not meet.
struct Mechanism {
    World world{without_sleep()};
    double swing = 0.0;    // J
    float shortest = 1.0f; // m
    std::string what;

    explicit Mechanism(unsigned seed) {
        Dice dice(seed);
        constexpr std::array<int, 3> substeps{4, 8, 16};
        Settings settings = without_sleep();
        settings.substeps = substeps[dice.below(3)];
        const bool falls = dice.below(4) != 0;
        const Vec3 spin = falls ? Vec3(0.0f) : dice.between(1, 5) * dice.direction();
        if (!falls) {
            settings.gravity = Vec3(0.0f);
        }
        EXPECT_TRUE(world.apply(SetSettings{settings}).ok());
        constexpr std::array<JointKind, 3> kinds{JointKind::hinge, JointKind::slider, JointKind::weld};
        const unsigned kind = dice.below(4); // the last: all of them
        const unsigned shape = dice.below(3);
        const unsigned links = 1 + dice.below(20);
        const float ratio = std::pow(10.0f, dice.between(0, 3));
        what = "links " + std::to_string(links) + ", kind " + std::to_string(kind) + ", shape " +
               std::to_string(shape) + ", substeps " + std::to_string(settings.substeps);
        std::vector<BodyId> ids;
        std::vector<Vec3> starts, ends;
        for (unsigned i = 0; i < links; ++i) {
            const bool tree = shape == 1 && i > 0;
            const unsigned parent = tree ? dice.below(i) : i - 1;
            Vec3 start = i == 0 ? Vec3(0.0f) : ends[parent];
            if (tree && dice.below(2) == 0) {
                start = glm::mix(starts[parent], ends[parent], dice.between(0.2f, 1.0f));
            }
            const Vec3 direction = dice.direction();
            const float length = dice.between(0.3f, 1.0f);
            const float thickness = length * std::pow(10.0f, -dice.between(0, 2.3f));
            BodyDef link = make_body(Sphere{0.002f}, start + (0.5f * length) * direction);
            link.pose.orientation = from_z_to(direction);
            const float mass = std::pow(ratio, dice.between(0, 1));
            link.mass = mass;
            const float across = mass * (length * length + thickness * thickness) / 12.0f;
            link.inertia = Vec3(across, across, mass * thickness * thickness / 6.0f);
            link.angular_velocity = spin;
            link.linear_velocity = glm::cross(spin, link.pose.position);
            ids.push_back(add(world, link));
            starts.push_back(start);
            ends.push_back(start + length * direction);
            shortest = std::min(shortest, length);
            JointKind of = kinds[kind == 3 ? dice.below(3) : kind];
            if (i == 0 && of == JointKind::slider) {
                of = JointKind::hinge; // a slider on the world could fall for ever
            }
            JointDef def =
                joint_at(world, of, i == 0 ? BodyId{} : ids[parent], ids.back(), start, from_z_to(dice.direction()));
            if (of == JointKind::slider) {
                def.limits = JointLimits{-0.2f, 0.2f};
            }
            join(world, def);
            swing += 2.0 * 9.81 * static_cast<double>(mass * std::max(glm::length(link.pose.position), 0.5f));
        }
        if (shape == 2 && links > 2) {
            join(world, joint_at(world, JointKind::ball, BodyId{}, ids.back(), ends.back()));
        }
        if (!falls) {
            swing = std::max(energy(world), 0.1);
        }
    }
};

class RandomMechanism : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomMechanism, GainsNothingAndHolds) {
    for (unsigned seed = 12 * GetParam(); seed < 12 * GetParam() + 12; ++seed) {
        Mechanism mechanism(seed + 1);
        const Course course = watched(mechanism.world, 600);
        EXPECT_LT(course.gain, 0.01 * mechanism.swing) << "seed " << seed << ": " << mechanism.what;
        // With four substeps, light links at the end of a whip turn by half a radian within one.
        const float most_gap = mechanism.world.settings().substeps > 4 ? 0.01f : 0.1f; // of a link
        EXPECT_LT(course.gap, most_gap * mechanism.shortest) << "seed " << seed << ": " << mechanism.what;
    }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, RandomMechanism, ::testing::Range(0u, sanitized ? 1u : 12u));

} // namespace
} // namespace cairn::physics::testing
