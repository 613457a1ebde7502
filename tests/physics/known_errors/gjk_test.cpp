// Error 4: GJK.
#include "physics/query/distance.h"
#include "tests/physics/known_errors/difference.h"

#include <gtest/gtest.h>

#include <array>

namespace cairn::physics {
namespace {

using known_errors::Difference;
using known_errors::DVec3;

const Shape unit_box = oracle::make(Box{Vec3(1.0f)});

namespace as_in_the_source {

// Makes a tetrahedron for EPA of the triangle that GJK ended with, by the support along its normal, whether or not that
// lies in the same plane.
std::array<DVec3, 4> padded(const std::array<DVec3, 3>& triangle, const Difference& support) {
    const DVec3 normal = glm::cross(triangle[1] - triangle[0], triangle[2] - triangle[0]);
    return {triangle[0], triangle[1], triangle[2], support(normal)};
}

// Stands in for shapes grown by a margin: moves all corners away from their centroid.
std::array<DVec3, 4> grown_from_centroid(std::array<DVec3, 4> corners, double margin) {
    const DVec3 centroid = 0.25 * (corners[0] + corners[1] + corners[2] + corners[3]);
    for (DVec3& p : corners) {
        p += margin * glm::normalize(p - centroid);
    }
    return corners;
}

} // namespace as_in_the_source

// 4: boxes that touch with a whole face end GJK on a triangle of that face, and the support along its normal lies in
// it.
TEST(KnownErrors, SimplexIsNotPaddedFlat) {
    const Transform above{Vec3(0, 0, 2)};
    const Difference difference{unit_box, {}, unit_box, above};
    const std::array<DVec3, 3> face{DVec3(2, 2, 0), DVec3(-2, 2, 0), DVec3(-2, -2, 0)};
    const std::array<DVec3, 4> flat = as_in_the_source::padded(face, difference);
    EXPECT_EQ(glm::dot(glm::cross(flat[1] - flat[0], flat[2] - flat[0]), flat[3] - flat[0]), 0.0);
    int without_normal = 0; // among the four faces
    for (std::size_t i = 0; i < 4; ++i) {
        const DVec3 a = flat[i], b = flat[(i + 1) % 4], c = flat[(i + 2) % 4];
        without_normal += std::isnan(glm::normalize(glm::cross(b - a, c - a)).x);
    }
    EXPECT_GT(without_normal, 0);
    // Shapes grown by a millimetre reach beyond this face by two. The corners moved from their centroid do not.
    for (const DVec3& p : as_in_the_source::grown_from_centroid(flat, 1e-3)) {
        EXPECT_EQ(p.z, 0.0);
    }
    for (const float depth : {0.0f, 1e-6f, 1e-3f, 0.1f}) {
        const DistanceResult r = signed_distance(unit_box, {}, unit_box, {Vec3(0, 0, 2 - depth)});
        EXPECT_NEAR(r.distance, -depth, 1e-6f);
        EXPECT_LT(glm::length(r.normal - Vec3(0, 0, 1)), 1e-6f);
    }
}

// 4 goes on: wherever the last simplex is a point, line or triangle through the origin, or the difference itself is
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
