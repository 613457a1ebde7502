// Ropes and nets without slack, and what is heavy beside their links falling on them. Nothing of them can give way at
// first, so their joints are asked for what has no bound; still they only carry, and gain no energy.
#include "tests/physics/joints/joint_builder.h"

#include <cmath>
#include <vector>

namespace cairn::physics::testing {
namespace {

constexpr float link = 0.5f; // m

// 40 links of 8 kg between two posts, level and taut.
void stretch_rope(World& world) {
    const int links = 40;
    const float left = -0.5f * link * static_cast<float>(links);
    BodyId last = add(world, make_static(Box{Vec3(0.2f)}, Vec3(left - 0.2f, 0, 5)));
    for (int i = 0; i < links; ++i) {
        const float x = left + (static_cast<float>(i) + 0.5f) * link;
        BodyDef def = make_body(Capsule{0.1f, 0.15f}, Vec3(x, 0, 5));
        def.pose.orientation = normalized(Quat(1, 0, 1, 0)); // along x
        def.mass = 8.0f;
        const BodyId id = add(world, def);
        join(world, joint_at(world, JointKind::ball, last, id, Vec3(x - 0.5f * link, 0, 5)));
        last = id;
    }
    const BodyId post = add(world, make_static(Box{Vec3(0.2f)}, Vec3(-left + 0.2f, 0, 5)));
    join(world, joint_at(world, JointKind::ball, last, post, Vec3(-left, 0, 5)));
}

class BoxOnATautRope : public ::testing::TestWithParam<float> {};

TEST_P(BoxOnATautRope, IsCarriedOrFallsOffWithoutGain) {
    World world(without_sleep());
    stretch_rope(world);
    const float mass = GetParam();
    for (const float x : {-4.0f, 0.0f}) {
        BodyDef box = make_body(Box{Vec3(0.5f)}, Vec3(x, 0, 7));
        box.mass = mass;
        add(world, box);
    }
    const Course course = watched(world, 600);
    EXPECT_TRUE(std::isfinite(course.end));
    EXPECT_TRUE(world.stopped().empty());
    EXPECT_LT(course.gain, 0.01 * 2.0 * static_cast<double>(mass) * 9.81 * 1.5); // of their fall
}

INSTANTIATE_TEST_SUITE_P(TautRope, BoxOnATautRope, ::testing::Values(10.0f, 100.0f, 1000.0f, 4000.0f, 20000.0f));

// Knots of 0.9 kg, tied by ropes of 0.4 m, between four posts; a ball of two tons falls into it from 4 m.
TEST(TautRope, ANetCatchesAHeavyBall) {
    World world(without_sleep());
    constexpr int n = 16;
    constexpr float mesh = 0.4f;
    std::vector<BodyId> knots;
    const auto tie = [&](BodyId a, BodyId b) {
        JointDef def;
        def.kind = JointKind::distance;
        def.body_a = a;
        def.body_b = b;
        def.limits = JointLimits{0.0f, mesh};
        join(world, def);
    };
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) {
            const Vec3 place(mesh * (static_cast<float>(i) - 7.5f), mesh * (static_cast<float>(k) - 7.5f), 4.0f);
            const bool post = (i == 0 || i == n - 1) && (k == 0 || k == n - 1);
            BodyDef knot = post ? make_static(Sphere{0.06f}, place) : make_body(Sphere{0.06f}, place);
            if (!post) {
                knot.mass = 0.9f;
            }
            knots.push_back(add(world, knot));
            if (i > 0) {
                tie(knots[static_cast<std::size_t>((i - 1) * n + k)], knots.back());
            }
            if (k > 0) {
                tie(knots[knots.size() - 2], knots.back());
            }
        }
    }
    BodyDef ball = make_body(Sphere{0.8f}, Vec3(0.1f, 0.05f, 9.0f));
    ball.mass = 2000.0f;
    const BodyId id = add(world, ball);
    const Course course = watched(world, 600);
    EXPECT_TRUE(std::isfinite(course.end));
    EXPECT_TRUE(world.stopped().empty());
    EXPECT_LT(course.gain, 0.01 * 2000.0 * 9.81 * 4.0);
    EXPECT_GT(state_of(world, id).pose.position.z, 0.0f); // it hangs there
}

} // namespace
} // namespace cairn::physics::testing
