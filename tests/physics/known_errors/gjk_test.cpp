// Errors 3, 4, 10 and 12: GJK.
#include "physics/query/distance.h"
#include "physics/query/simplex.h"
#include "tests/physics/known_errors/difference.h"

#include <gtest/gtest.h>

#include <array>

namespace cairn::physics {
namespace {

using known_errors::Difference;
using known_errors::DVec3;
using oracle::Random;

const Shape unit_box = oracle::make(Box{Vec3(1.0f)});

enum class Answer { hit, miss, runs_on };

constexpr int patience = 1000;

namespace as_in_the_source {

// Boolean GJK by signed volumes. A support point that the simplex has already means that there is nothing beyond: but
// the comparison also reads the slots that are not in use, which are zero.
Answer overlap_by_signed_volumes(const Difference& support, bool unused_slots_too) {
    std::array<DVec3, 4> slots{};
    slots[0] = support(DVec3(1, 1, 1));
    std::size_t count = 1;
    DVec3 direction = -slots[0];
    double closest = 1e300;
    for (int step = 0; step < patience; ++step) {
        const DVec3 point = support(direction);
        for (std::size_t i = 0; i < (unused_slots_too ? slots.size() : count); ++i) {
            if (glm::length(slots[i] - point) < 1e-6) {
                return Answer::miss;
            }
        }
        if (glm::dot(direction, point) < 0.0) {
            return Answer::miss;
        }
        slots[count++] = point;
        const ClosestOnSimplex c = closest_on_simplex({slots.data(), count});
        if (c.contains || c.distance_squared < 1e-12) {
            return Answer::hit;
        }
        if (c.distance_squared >= closest) {
            return Answer::miss;
        }
        closest = c.distance_squared;
        direction = -c.point;
        std::array<DVec3, 4> kept{};
        for (int i = 0; i < c.count; ++i) {
            kept[std::size_t(i)] = slots[std::size_t(c.index[std::size_t(i)])];
        }
        slots = kept;
        count = std::size_t(c.count);
    }
    return Answer::runs_on;
}

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

bool along(const DVec3& a, const DVec3& b) {
    return glm::dot(a, b) > 0.0;
}

// The region tests for a triangle whose newest corner comes first. Keeps the part nearest to the origin.
void nearest_part_of_triangle(std::vector<DVec3>& s, DVec3& direction) {
    const DVec3 ab = s[1] - s[0], ac = s[2] - s[0], ao = -s[0];
    const DVec3 normal = glm::cross(ab, ac);
    if (along(glm::cross(normal, ac), ao) && along(ac, ao)) {
        s = {s[0], s[2]};
        direction = glm::cross(glm::cross(ac, ao), ac);
    } else if ((along(glm::cross(normal, ac), ao) || along(glm::cross(ab, normal), ao)) && along(ab, ao)) {
        s = {s[0], s[1]};
        direction = glm::cross(glm::cross(ab, ao), ab);
    } else if (along(glm::cross(normal, ac), ao) || along(glm::cross(ab, normal), ao)) {
        s = {s[0]};
        direction = ao;
    } else if (along(normal, ao)) {
        direction = normal;
    } else {
        s = {s[0], s[2], s[1]};
        direction = -normal;
    }
}

// The face of the tetrahedron that the origin lies beyond, if any; false if the origin is inside.
bool beyond_a_face(std::vector<DVec3>& s, DVec3& direction) {
    const DVec3 ao = -s[0];
    for (int i = 0; i < 3; ++i) {
        const DVec3 p = s[std::size_t(1 + i)], q = s[std::size_t(1 + (i + 1) % 3)], r = s[std::size_t(1 + (i + 2) % 3)];
        DVec3 normal = glm::cross(p - s[0], q - s[0]);
        normal = along(normal, r - s[0]) ? -normal : normal;
        if (along(normal, ao)) {
            s = {s[0], p, q};
            direction = normal;
            return true;
        }
    }
    return false;
}

// Boolean GJK by regions without a cap (patience stands in for the user's). The line's direction is zero if the line
// goes through the origin; a support that only reaches the origin counts as short of it.
Answer overlap_by_regions(const Difference& support, const DVec3& start) {
    std::vector<DVec3> s{support(start)};
    DVec3 direction = -s[0];
    for (int step = 0; step < patience; ++step) {
        const DVec3 point = support(direction);
        if (glm::dot(point, direction) <= 0.0) {
            return Answer::miss;
        }
        s.insert(s.begin(), point);
        if (s.size() == 2) {
            const DVec3 ab = s[1] - s[0];
            direction = glm::cross(glm::cross(ab, -s[0]), ab);
        } else if (s.size() == 3) {
            nearest_part_of_triangle(s, direction);
        } else if (beyond_a_face(s, direction)) {
            nearest_part_of_triangle(s, direction);
        } else {
            return Answer::hit;
        }
    }
    return Answer::runs_on;
}

// Takes the direction by value, so that the caller searches along the old one for ever; after the tests of the faces
// of a tetrahedron it answers true, whatever they found.
bool contains_origin(std::vector<DVec3>& s, DVec3 direction) {
    if (s.size() == 3) {
        nearest_part_of_triangle(s, direction);
        return false;
    }
    beyond_a_face(s, direction);
    return true;
}

Answer overlap_with_stale_direction(const Difference& support) {
    const DVec3 c = support(DVec3(1, 0, 0));
    const DVec3 b = support(DVec3(-1, 0, 0));
    // If b lies short of the origin the two are apart; that is not looked at.
    const DVec3 direction = glm::cross(glm::cross(c - b, -b), c - b);
    std::vector<DVec3> s{support(direction), b, c};
    if (glm::dot(s[0], direction) < 0.0) {
        return Answer::miss;
    }
    for (int step = 0; step < patience; ++step) {
        if (contains_origin(s, direction)) {
            return Answer::hit;
        }
        const DVec3 a = support(direction);
        if (glm::dot(a, direction) < 0.0) {
            return Answer::miss;
        }
        s.insert(s.begin(), a);
    }
    return Answer::runs_on;
}

} // namespace as_in_the_source

// 3: corner on corner the second support is the origin itself, which is no duplicate of an unused slot.
TEST(KnownErrors, SupportAtTheOriginIsNoDuplicate) {
    const Transform touching{Vec3(-2, -2, -2)};
    EXPECT_EQ(as_in_the_source::overlap_by_signed_volumes({unit_box, {}, unit_box, touching}, true), Answer::miss);
    EXPECT_EQ(as_in_the_source::overlap_by_signed_volumes({unit_box, {}, unit_box, touching}, false), Answer::hit);
    for (const Vec3& d :
         {Vec3(-2, -2, -2), Vec3(2, 2, 2), Vec3(-2, 2, 2), Vec3(2, -2, -2), Vec3(2, 2, 0), Vec3(0, 0, -2)}) {
        EXPECT_TRUE(overlap(unit_box, {}, unit_box, {d}));
        const DistanceResult r = signed_distance(unit_box, {}, unit_box, {d});
        EXPECT_EQ(r.status, QueryStatus::touching);
        EXPECT_NEAR(r.distance, 0.0f, 1e-6f);
        EXPECT_NEAR(glm::length(r.normal), 1.0f, 1e-6f);
    }
}

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

// 10: boxes one in the other with a common centre: the first two supports are opposite, their line goes through the
// origin and gives no direction to search along.
TEST(KnownErrors, OriginOnTheLineOfTheSimplex) {
    EXPECT_EQ(as_in_the_source::overlap_by_regions({unit_box, {}, unit_box, {}}, DVec3(1, 1, 1)), Answer::miss);
    // Touching counts as separated.
    EXPECT_EQ(as_in_the_source::overlap_by_regions({unit_box, {}, unit_box, {Vec3(2, 0, 0)}}, DVec3(-1, 0, 0)),
              Answer::miss);
    for (int x = -1; x <= 1; ++x) {
        for (int y = -1; y <= 1; ++y) {
            for (int z = -1; z <= 1; ++z) {
                for (const float k : {0.0f, 0.5f, 1.0f, 2.0f, 2.5f}) {
                    const Vec3 d = Vec3(float(x), float(y), float(z)) * k;
                    const bool expected = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) <= 2.0f;
                    ASSERT_EQ(overlap(unit_box, {}, unit_box, {d}), expected) << x << y << z << k;
                    const DistanceResult r = signed_distance(unit_box, {}, unit_box, {d});
                    ASSERT_NE(r.status, QueryStatus::failed);
                    ASSERT_LE(r.gjk_iterations, 12);
                    ASSERT_LE(r.epa_iterations, 30);
                }
            }
        }
    }
}

// 10: where shapes touch to within a few micrometres, supports can reach past the origin for ever without a simplex
// round it.
TEST(KnownErrors, LoopsEnd) {
    Random random(99);
    const Shape capsule = oracle::make(Capsule{0.5f, 1.0f});
    int endless = 0;
    for (int i = 0; i < 3000; ++i) {
        const Transform pose_a{Vec3(0), i % 3 == 0 ? identity_orientation : random.orientation()};
        Transform pose_b{Vec3(0), i % 3 < 2 ? identity_orientation : random.orientation()};
        const DVec3 n = i % 2 == 0 ? DVec3(0, 0, 1) : random.direction();
        const double gap = (i % 5 - 2) * random.log_between(1e-9, 1e-5);
        const DVec3 on_a = oracle::farthest(capsule, pose_a.orientation, n);
        pose_b.position = Vec3(on_a - oracle::farthest(unit_box, pose_b.orientation, -n) + gap * n);
        endless += as_in_the_source::overlap_by_regions({capsule, pose_a, unit_box, pose_b}, DVec3(1, 0, 0)) ==
                   Answer::runs_on;
        const DistanceResult r = signed_distance(capsule, pose_a, unit_box, pose_b);
        ASSERT_NE(r.status, QueryStatus::failed);
        ASSERT_LE(r.gjk_iterations, 128);
        ASSERT_NEAR(double(r.distance), 0.0, 3e-5);
    }
    EXPECT_GT(endless, 0);
}

// 12: one box three metres beside another. The second support already lies short of the origin.
TEST(KnownErrors, NoFalseHitsBesideAShape) {
    const Transform beside{Vec3(-3, 0.25f, 0.5f)};
    EXPECT_EQ(as_in_the_source::overlap_with_stale_direction({unit_box, {}, unit_box, beside}), Answer::hit);
    EXPECT_FALSE(overlap(unit_box, {}, unit_box, beside));

    Random random(21);
    const Shape diamond = oracle::make(Diamond{1.0f});
    int apart = 0, together = 0, false_hits = 0;
    for (int i = 0; i < oracle::count(20000); ++i) {
        const Shape& a = i % 2 == 0 ? unit_box : diamond;
        const Transform pose_a{Vec3(0), random.orientation()};
        Transform pose_b{Vec3(0), random.orientation()};
        const DVec3 n = random.direction();
        const double gap = random.between(-0.2, 0.2);
        pose_b.position = Vec3(n * (gap - oracle::separation_along(a, pose_a, unit_box, pose_b, n)));
        const bool hit = overlap(a, pose_a, unit_box, pose_b);
        if (gap > 1e-5) { // a slab between them proves it
            ASSERT_FALSE(hit) << i;
            ++apart;
            if (i < 1000) {
                false_hits +=
                    as_in_the_source::overlap_with_stale_direction({a, pose_a, unit_box, pose_b}) == Answer::hit;
            }
        } else {
            together += hit;
        }
    }
    EXPECT_GT(apart, 5000);
    EXPECT_GT(together, 1000);
    EXPECT_GT(false_hits, 100) << "of five hundred or so";
}

} // namespace
} // namespace cairn::physics
