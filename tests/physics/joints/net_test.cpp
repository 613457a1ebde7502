// Nets of joints: their matrix would fill up, so they are swept over instead of solved exactly.
#include "tests/physics/joints/joint_builder.h"
#include "tests/physics/world/two_threads.h"

#include <cmath>
#include <vector>

namespace cairn::physics::testing {
namespace {

// n x n balls of 1 kg, 1 m apart in a vertical plane, hung from their top row.
void hang_curtain(World& world, int n) {
    std::vector<BodyId> ids;
    const auto at = [&](int column, int row) { return ids[static_cast<std::size_t>(column * n + row)]; };
    for (int column = 0; column < n; ++column) {
        for (int row = 0; row < n; ++row) {
            const Vec3 place(static_cast<float>(column), 0.0f, -static_cast<float>(row));
            BodyDef ball = row == 0 ? make_static(Sphere{0.05f}, place) : make_body(Sphere{0.05f}, place);
            if (row > 0) {
                ball.mass = 1.0f;
                ball.inertia = Vec3(0.064f);
            }
            ids.push_back(add(world, ball));
            if (row == 0) {
                continue;
            }
            join(world,
                 joint_at(world, JointKind::ball, at(column, row - 1), at(column, row), place + Vec3(0, 0, 0.5f)));
            if (column > 0) {
                join(world,
                     joint_at(world, JointKind::ball, at(column - 1, row), at(column, row), place - Vec3(0.5f, 0, 0)));
            }
        }
    }
}

TEST(JointNet, ACurtainHangsWithoutStretchOrGain) {
    World world(without_sleep());
    hang_curtain(world, 30);
    world.step();
    EXPECT_EQ(published(world).stats.joints_swept, 29u * 30u + 29u * 29u);
    const Course course = watched(world, 300);
    EXPECT_LT(course.gain, 1e-3 * 9.81 * 30.0 * 29.0 * 15.0); // of its weight times half its height
    EXPECT_LT(course.gap, 0.01f);
}

// A few sweeps take the place of the exact solution, and must come near it: a small curtain is solved exactly.
TEST(JointNet, ASmallNetIsSolvedExactly) {
    World world(without_sleep());
    hang_curtain(world, 6);
    run(world, 60);
    EXPECT_EQ(published(world).stats.joints_swept, 0u);
    EXPECT_LT(greatest_gap(world), 1e-4f);
}

TEST(JointNet, SameBitsOnTwoThreads) {
    TwoThreads executor;
    World one(without_sleep()), two(without_sleep(), &executor);
    hang_curtain(one, 40);
    hang_curtain(two, 40);
    for (int i = 0; i < 30; ++i) {
        one.step();
        two.step();
        ASSERT_EQ(two.hash(), one.hash()) << "step " << i;
    }
}

// Ten by ten rods on knots, held at the corners, with 50 kg in the middle.
TEST(JointNet, ANetOfRodsCarriesAWeight) {
    World world(without_sleep());
    constexpr int n = 10;
    constexpr float length = 0.5f, gap_at_knots = 0.035f;
    std::vector<BodyId> knots;
    for (int i = 0; i <= n; ++i) {
        for (int j = 0; j <= n; ++j) {
            const Vec3 place(length * static_cast<float>(i), length * static_cast<float>(j), 0.0f);
            const bool corner = (i == 0 || i == n) && (j == 0 || j == n);
            const bool middle = i == n / 2 && j == n / 2;
            BodyDef knot = corner ? make_static(Sphere{0.02f}, place) : make_body(Sphere{middle ? 0.1f : 0.03f}, place);
            if (!corner) {
                knot.mass = middle ? 50.0f : 0.2f;
            }
            knots.push_back(add(world, knot));
        }
    }
    const auto rod = [&](int from, int to, const Vec3& direction) {
        const Vec3 start = state_of(world, knots[static_cast<std::size_t>(from)]).pose.position;
        const Vec3 half = (0.5f * length - gap_at_knots) * direction + 0.01f * (Vec3(1.0f) - direction);
        BodyDef def = make_body(Box{half}, start + (0.5f * length) * direction);
        def.mass = 0.2f;
        const BodyId id = add(world, def);
        join(world, joint_at(world, JointKind::ball, knots[static_cast<std::size_t>(from)], id, start));
        join(world,
             joint_at(world, JointKind::ball, knots[static_cast<std::size_t>(to)], id, start + length * direction));
    };
    for (int i = 0; i <= n; ++i) {
        for (int j = 0; j <= n; ++j) {
            const int knot = i * (n + 1) + j;
            if (i < n) {
                rod(knot, knot + n + 1, Vec3(1, 0, 0));
            }
            if (j < n) {
                rod(knot, knot + 1, Vec3(0, 1, 0));
            }
        }
    }
    const Course course = watched(world, 300);
    EXPECT_LT(course.gain, 0.1);
    EXPECT_LT(course.gap, 0.01f * length);
}

} // namespace
} // namespace cairn::physics::testing
