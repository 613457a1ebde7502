// Mechanisms at random: one to twenty links on balls, hinges, sliders and welds, in chains, trees and loops.
#pragma once

#include "tests/physics/joints/joint_builder.h"

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace cairn::physics::testing {

class Dice {
  public:
    explicit Dice(unsigned seed) : engine_(seed) {}
    unsigned below(unsigned count) { return static_cast<unsigned>(engine_() % count); }
    float between(float least, float most) {
        return least + (most - least) * static_cast<float>(static_cast<double>(engine_()) / 4294967296.0);
    }
    Vec3 direction() {
        for (;;) {
            // One after the other: compilers differ in the order of arguments.
            const float z = between(-1, 1), y = between(-1, 1), x = between(-1, 1);
            const Vec3 v(x, y, z);
            const float length = glm::length(v);
            if (length > 0.1f && length < 1.0f) {
                return v / length;
            }
        }
    }

  private:
    std::mt19937 engine_;
};

inline Quat from_z_to(const Vec3& direction) {
    const Vec3 axis = glm::cross(Vec3(0, 0, 1), direction);
    return 1.0f + direction.z < 1e-4f ? Quat(0, 1, 0, 0) : normalized(Quat(1.0f + direction.z, axis.x, axis.y, axis.z));
}

// Bars and capsules with edges as 1:1 to 1:200 and masses as 1 to 1000, on a pivot of the world or closed to a loop,
// let go from a random pose, or turning without gravity. What is looked at is the joints: the links do not collide.
struct RandomMechanism {
    World world{without_sleep()};
    double swing = 0.0;    // J
    float shortest = 1.0f; // m, of the links
    std::string what;

    explicit RandomMechanism(unsigned seed) {
        Dice dice(seed);
        constexpr std::array<int, 3> substeps{4, 8, 16};
        Settings settings = without_sleep();
        settings.substeps = substeps[dice.below(3)];
        const bool falls = dice.below(4) != 0;
        Vec3 spin(0.0f);
        if (!falls) {
            settings.gravity = Vec3(0.0f);
            spin = dice.direction();
            spin *= dice.between(1, 5);
        }
        EXPECT_TRUE(world.apply(SetSettings{settings}).ok());
        constexpr std::array<JointKind, 4> kinds{JointKind::ball, JointKind::hinge, JointKind::slider, JointKind::weld};
        const unsigned kind = dice.below(5); // the last: all of them
        const unsigned shape = dice.below(3);
        const unsigned links = 1 + dice.below(20);
        const float ratio = std::pow(10.0f, dice.between(0, 3));
        constexpr std::array<const char*, 5> kind_names{"balls", "hinges", "sliders", "welds", "all kinds"};
        constexpr std::array<const char*, 3> shape_names{"chain", "tree", "loop"};
        what = std::string(shape_names[shape]) + " of " + std::to_string(links) + " on " + kind_names[kind] +
               (falls ? ", " : ", weightless, ") + std::to_string(settings.substeps) + " substeps";
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
            const Geometry geometry =
                dice.below(2) == 0
                    ? Geometry(Box{0.5f * Vec3(thickness, thickness, length)})
                    : Geometry(Capsule{0.5f * thickness, std::max(0.5f * (length - thickness), 0.001f * length)});
            BodyDef link = make_body(geometry, start + (0.5f * length) * direction);
            link.filter.mask = 0;
            link.pose.orientation = from_z_to(direction);
            const float mass = std::pow(ratio, dice.between(0, 1));
            link.mass = mass;
            link.angular_velocity = spin;
            link.linear_velocity = glm::cross(spin, link.pose.position);
            ids.push_back(add(world, link));
            starts.push_back(start);
            ends.push_back(start + length * direction);
            shortest = std::min(shortest, length);
            JointKind of = kinds[kind == 4 ? dice.below(4) : kind];
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

} // namespace cairn::physics::testing
