// Error 4: where GJK ends with less than a tetrahedron, or with a flat one.
#include "physics/query/distance.h"
#include "tests/physics/known_errors/difference.h"

#include <gtest/gtest.h>

#include <array>

namespace cairn::physics {
namespace {

using known_errors::DVec3;

const Shape unit_box = oracle::make(Box{Vec3(1.0f)});

// Wherever the last simplex is a point, line or triangle through the origin, or the difference itself is
// nearly flat, the normal must be a number.
TEST(KnownErrors, FlatStartsGiveNormals) {
    const Shape capsule = oracle::make(Capsule{0.5f, 1.0f});
    const Shape plate = oracle::make(Box{Vec3(1.0f, 1.0f, 1e-4f)});
    const Shape needle = oracle::make(Box{Vec3(1e-4f, 1e-4f, 1.0f)});
    const Shape sphere = oracle::make(Sphere{0.5f});
    const std::vector<Shape> shapes{unit_box, capsule, plate, needle, sphere};
    const std::vector<Quat> turns{identity_orientation, Quat(0.70710678f, 0.70710678f, 0, 0),
                                  Quat(0.70710678f, 0, 0.70710678f, 0)};
    int overlapping = 0;
    for (const Shape& a : shapes) {
        for (const Shape& b : shapes) {
            for (const Quat& q : turns) {
                for (const Vec3& offset : {Vec3(0.0f), Vec3(0, 0, 0.25f), Vec3(0.25f, 0, 0), Vec3(0, 0, 1e-7f)}) {
                    const Transform pose{offset, q};
                    const DistanceResult r = signed_distance(a, {}, b, pose);
                    ASSERT_NE(r.status, QueryStatus::failed);
                    ASSERT_TRUE(is_finite(r.normal) && is_finite(r.distance));
                    ASSERT_NEAR(glm::length(r.normal), 1.0f, 1e-5f);
                    overlapping += r.distance < 0.0f;
                    // Moving by the depth along the normal separates.
                    const double slab = oracle::separation_along(a, {}, b, pose, DVec3(r.normal));
                    ASSERT_NEAR(slab, double(r.distance), 1e-6);
                }
            }
        }
    }
    EXPECT_GT(overlapping, 200);
}

} // namespace
} // namespace cairn::physics
