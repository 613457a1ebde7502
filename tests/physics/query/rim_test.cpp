// Round caps that lean a little: what carries them is a point of the rim, and it goes round with the lean.
#include "physics/query/manifold.h"
#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cairn::physics {
namespace {

// A cap of radius 0.4 m, a hair deep in a floor with its top at z = 0.
void expect_contact_at_the_low_side(const Shape& shape, float centre_above_cap, double lean, double heading) {
    constexpr float radius = 0.4f;
    static const Shape floor = oracle::make(Box{Vec3(10.0f, 10.0f, 1.0f)});
    const float x = std::cos(static_cast<float>(heading));
    const float y = std::sin(static_cast<float>(heading));
    const float half = 0.5f * static_cast<float>(lean);
    // Turned about the horizontal axis across the heading, the side of the heading goes down.
    const Quat q(std::cos(half), -y * std::sin(half), x * std::sin(half), 0.0f);
    const Vec3 low = rotate(q, Vec3(radius * x, radius * y, -centre_above_cap));
    const Transform pose{Vec3(0.0f, 0.0f, -low.z - 1e-4f), q};
    const Manifold manifold = collide(floor, {Vec3(0, 0, -1), identity_orientation}, shape, pose, 0.02f);
    ASSERT_GT(manifold.count, 0);
    int deepest = 0;
    for (int i = 1; i < manifold.count; ++i) {
        deepest = manifold.points[i].separation < manifold.points[deepest].separation ? i : deepest;
    }
    const Vec3 off = manifold.points[deepest].point_b - (pose.position + low);
    EXPECT_LT(glm::length(off), 0.02f) << "lean " << lean << ", heading " << heading;
}

TEST(Rim, TheDeepestPointOfALeaningCapIsThatOfTheCircle) {
    const Shape cylinder = oracle::make(Cylinder{0.4f, 0.3f});
    const Shape cone = oracle::make(Cone{0.4f, 0.8f});
    for (const double lean : {0.02, 0.04, 0.1}) {
        for (int k = 0; k < 64; ++k) {
            const double heading = 0.05 + 6.2831853 * k / 64.0;
            expect_contact_at_the_low_side(cylinder, 0.3f, lean, heading);
            expect_contact_at_the_low_side(cone, 0.2f, lean, heading);
        }
    }
}

} // namespace
} // namespace cairn::physics
