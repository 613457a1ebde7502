// A rim that touches has one point, where it is lowest, wherever the corners of the polygon are by which its cap is
// clipped.
#include "physics/geometry/shape.h"
#include "physics/narrowphase/update/contact_update.h"
#include "physics/query/manifold.h"
#include "tests/physics/geometry/shape_samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace cairn::physics {
namespace {

using geometry_testing::shape_of;

// On a floor whose top is at z = 0, 1 mm deep.
FoundContact on_floor(const Shape& shape, const Quat& orientation) {
    static const Shape floor = shape_of(Box{Vec3(10, 10, 1)});
    static const Material material;
    const Transform ground{Vec3(0, 0, -1), identity_orientation};
    const Aabb box = bounds(shape, {Vec3(0.0f), orientation});
    const Transform pose{Vec3(0, 0, -box.lower.z - 0.001f), orientation};
    CollideCache cache;
    FoundContact found;
    EXPECT_TRUE(find_contact({&floor, ground, &ground, floor.bounding_radius, &material},
                             {&shape, pose, &pose, shape.bounding_radius, &material}, 0.02f, 1.0f / 60.0f, nullptr, {},
                             cache, found));
    return found;
}

Quat tilted(float tilt, float spin) {
    return glm::angleAxis(tilt, Vec3(1, 0, 0)) * glm::angleAxis(spin, Vec3(0, 0, 1));
}

TEST(RimContact, ATiltedDiskTouchesAtItsLowestPointAlone) {
    const Shape disk = shape_of(Cylinder{0.5f, 0.02f});
    for (const float tilt : {0.2f, 0.5f, 0.8f, 1.0f}) {
        for (int i = 0; i < 40; ++i) {
            const float spin = 2.0f * std::numbers::pi_v<float> * static_cast<float>(i) / 40.0f;
            const FoundContact found = on_floor(disk, tilted(tilt, spin));
            ASSERT_EQ(found.contact.count, 1) << tilt << ", " << spin;
            EXPECT_FLOAT_EQ(found.contact.rim_radius, -0.5f); // the disk is B
            EXPECT_NEAR(found.points[0].separation, -0.001f, 1e-4f);
            // In the plane x = 0, below the lower end of the cap.
            const Vec3 at = found.contact.world(found.points[0]);
            EXPECT_NEAR(at.x, 0.0f, 0.01f) << tilt << ", " << spin;
            EXPECT_NEAR(std::abs(at.y), std::abs(0.5f * std::cos(tilt) - 0.02f * std::sin(tilt)), 0.01f);
        }
    }
}

TEST(RimContact, AConeTouchesWithTheRimOfItsBase) {
    const Shape cone = shape_of(Cone{0.4f, 0.4f});
    const FoundContact found = on_floor(cone, tilted(0.5f, 0.3f));
    EXPECT_EQ(found.contact.count, 1);
    EXPECT_FLOAT_EQ(found.contact.rim_radius, -0.4f);
}

// How far it may roll on, by what it touches.
TEST(RimContact, RollsAsFarAsTheFaceBelowReaches) {
    const Shape disk = shape_of(Cylinder{0.5f, 0.02f});
    const float on_wide_floor = on_floor(disk, tilted(0.5f, 0.3f)).contact.rim_reach;
    EXPECT_NEAR(on_wide_floor, 10.0f, 0.01f);
    const auto reach_on = [&](const Shape& below, float top,
                              float x) { // of a disk 1 mm deep, upright but for 0.5 rad, along x
        static const Material material;
        const Quat orientation = tilted(0.5f, 0.3f);
        const float low = 0.5f * std::sin(0.5f) + 0.02f * std::cos(0.5f); // of its lowest point under its centre
        const float aside = 0.5f * std::cos(0.5f) - 0.02f * std::sin(0.5f);
        const Transform pose{Vec3(x, aside, top + low - 0.001f), orientation}, ground;
        CollideCache cache;
        FoundContact found;
        EXPECT_TRUE(find_contact({&below, ground, &ground, below.bounding_radius, &material},
                                 {&disk, pose, &pose, disk.bounding_radius, &material}, 0.02f, 1.0f / 60.0f, nullptr,
                                 {}, cache, found));
        EXPECT_NE(found.contact.rim_radius, 0.0f);
        return found.contact.rim_reach;
    };
    EXPECT_NEAR(reach_on(shape_of(Box{Vec3(0.4f, 0.4f, 0.1f)}), 0.1f, 0.1f), 0.3f, 0.01f);
    EXPECT_NEAR(reach_on(shape_of(Cylinder{0.4f, 0.1f}), 0.1f, 0.1f), 0.3f, 0.01f);
    EXPECT_LT(reach_on(shape_of(Sphere{0.4f}), 0.4f, 0.0f), 0.02f);
}

// What lies, or is about to, needs its other points; what is edged has no rim.
TEST(RimContact, WhatLiesAndWhatIsEdgedHaveNone) {
    const FoundContact lying = on_floor(shape_of(Cylinder{0.5f, 0.02f}), tilted(0.0f, 0.3f));
    EXPECT_EQ(lying.contact.count, 4);
    EXPECT_EQ(lying.contact.rim_radius, 0.0f);
    const FoundContact nearly = on_floor(shape_of(Cylinder{0.5f, 0.02f}), tilted(0.01f, 0.3f));
    EXPECT_GT(nearly.contact.count, 1);
    EXPECT_EQ(nearly.contact.rim_radius, 0.0f);
    const FoundContact on_side =
        on_floor(shape_of(Cylinder{0.2f, 0.5f}), tilted(0.5f * std::numbers::pi_v<float>, 0.3f));
    EXPECT_EQ(on_side.contact.count, 2);
    EXPECT_EQ(on_side.contact.rim_radius, 0.0f);
    const FoundContact box = on_floor(shape_of(Box{Vec3(0.5f, 0.5f, 0.02f)}), tilted(0.5f, 0.3f));
    EXPECT_EQ(box.contact.rim_radius, 0.0f);
}

} // namespace
} // namespace cairn::physics
