// Errors 2, 6 and 9: motion towards contact.
#include "physics/query/manifold.h"
#include "physics/query/time_of_impact.h"
#include "tests/physics/known_errors/difference.h"

#include <gtest/gtest.h>

#include <optional>

namespace cairn::physics {
namespace {

using known_errors::DVec3;

namespace as_in_the_source {

// Greatest speed of a point along a world direction: the first vertex is skipped, and local points are crossed with the
// world's angular velocity.
float greatest_speed(const std::vector<Vec3>& local_points, const Vec3& angular_velocity, const Vec3& direction) {
    float most = 0.0f;
    for (std::size_t i = 1; i < local_points.size(); ++i) {
        most = std::max(most, glm::dot(direction, glm::cross(angular_velocity, local_points[i])));
    }
    return most;
}

// Ten steps of conservative advancement, each as long as the distance and a safe bound on the closing speed allow;
// nothing if they do not suffice.
std::optional<float> time_of_impact(const Shape& a, Sweep sweep_a, const Shape& b, const Sweep& sweep_b, float target,
                                    float duration) {
    float time = 0.0f;
    for (int step = 0; step < 10; ++step) {
        const Transform pose_a = body_pose_at(sweep_a, time), pose_b = body_pose_at(sweep_b, time);
        const DistanceResult apart = signed_distance(a, pose_a, b, pose_b);
        if (apart.distance <= target) {
            return time;
        }
        const float speed = glm::dot(sweep_a.linear_velocity - sweep_b.linear_velocity, apart.normal) +
                            glm::length(sweep_a.angular_velocity) * a.bounding_radius +
                            glm::length(sweep_b.angular_velocity) * b.bounding_radius;
        if (speed <= 0.0f) {
            return std::nullopt;
        }
        time += (apart.distance - 0.5f * target) / speed;
        if (time > duration) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

struct Contact {
    Vec3 normal{0.0f};
    float separation = 0.0f;
};

// Fills the normal in only where the two overlap.
Contact contact(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b) {
    const DistanceResult r = signed_distance(a, pose_a, b, pose_b);
    Contact c;
    c.separation = r.distance;
    if (r.distance <= 0.0f) {
        c.normal = r.normal;
    }
    return c;
}

} // namespace as_in_the_source

// 2: a beam along y (turned by a quarter about z) that spins about z. Its tips run at 60 m/s along x; the error sees
// the width of the beam only.
TEST(KnownErrors, GreatestPointSpeedIsABound) {
    const Shape beam = oracle::make(Box{Vec3(3.0f, 0.25f, 0.25f)});
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) {
        corners.push_back(beam.half_extents * Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    }
    const Transform pose{Vec3(0), normalized(Quat(1, 0, 0, 1))};
    const Vec3 spin(0, 0, 20), direction(1, 0, 0);
    float truth = 0.0f;
    for (const Vec3& p : corners) {
        truth = std::max(truth, glm::dot(direction, glm::cross(spin, rotate(pose.orientation, p))));
    }
    EXPECT_NEAR(truth, 60.0f, 1e-3f);
    EXPECT_LT(as_in_the_source::greatest_speed(corners, spin, direction), 6.0f) << "a tenth of it: bodies tunnel";
    const float ours = max_rotational_speed(beam, Vec3(0.0f), inverse_rotate(pose.orientation, spin),
                                            inverse_rotate(pose.orientation, direction));
    EXPECT_GE(ours, truth);
    EXPECT_LE(ours, truth * 1.0001f);

    // The first vertex is the only one far out.
    const std::vector<Vec3> spike{Vec3(10, 0, 0), Vec3(0, 0.1f, 0), Vec3(0, -0.1f, 0.1f), Vec3(0, -0.1f, -0.1f)};
    const Shape hull = oracle::make(PointSet{std::make_shared<const std::vector<Vec3>>(spike)});
    const float tip = 2.0f * hull.hull->vertices[0].x;
    ASSERT_GT(tip, 14.0f);
    EXPECT_LT(as_in_the_source::greatest_speed(hull.hull->vertices, Vec3(0, 0, 2), Vec3(0, 1, 0)), 0.0f + 1e-3f);
    EXPECT_GE(max_rotational_speed(hull, Vec3(0.0f), Vec3(0, 0, 2), Vec3(0, 1, 0)), tip);
}

// 6: a fast spin needs more than ten steps: the bound on the speed is that of the tips, and the post stands near the
// middle.
TEST(KnownErrors, RunningOutOfStepsIsNotAMiss) {
    const Shape beam = oracle::make(Box{Vec3(3.0f, 0.25f, 0.25f)});
    const Shape post = oracle::make(Box{Vec3(0.1f, 0.1f, 1.0f)});
    Sweep spinning;
    spinning.angular_velocity = Vec3(0, 0, 20);
    Sweep standing;
    standing.start.position = Vec3(0, 0.8f, 0);
    const float duration = 0.2f;
    double contact = -1.0; // the first moment that is seen to overlap, sampled densely
    for (int i = 0; i < 20000 && contact < 0.0; ++i) {
        const float time = duration * float(i) / 20000.0f;
        if (overlap(beam, body_pose_at(spinning, time), post, standing.start)) {
            contact = double(time);
        }
    }
    ASSERT_GT(contact, 0.02);
    EXPECT_FALSE(as_in_the_source::time_of_impact(beam, spinning, post, standing, 1e-3f, duration));
    const TimeOfImpact ours = time_of_impact(beam, spinning, post, standing, duration);
    EXPECT_EQ(ours.status, ToiStatus::hit);
    EXPECT_LE(double(ours.time), contact);
    EXPECT_GE(double(ours.time), contact - 1e-3);
    for (int n = 1; n < 10; ++n) { // cut short it says how far it is safe to go
        ToiSettings settings;
        settings.max_iterations = n;
        const TimeOfImpact r = time_of_impact(beam, spinning, post, standing, duration, settings);
        ASSERT_NE(r.status, ToiStatus::miss) << n;
        ASSERT_LE(double(r.time), contact);
    }
}

// 9: without a normal no closing speed can be told, and who advances along it misses.
TEST(KnownErrors, SeparatedPairsHaveANormal) {
    const Shape box = oracle::make(Box{Vec3(1.0f)});
    const Shape sphere = oracle::make(Sphere{0.5f});
    const Vec3 closing(0, 3, 0); // of A towards B
    const Transform away{Vec3(0, 4, 0)};
    const as_in_the_source::Contact unset = as_in_the_source::contact(box, {}, sphere, away);
    EXPECT_NEAR(unset.separation, 2.5f, 1e-6f);
    EXPECT_EQ(glm::dot(closing, unset.normal), 0.0f) << "they close at 3 m/s";

    const DistanceResult r = signed_distance(box, {}, sphere, away);
    EXPECT_EQ(r.status, QueryStatus::separated);
    EXPECT_EQ(r.normal, Vec3(0, 1, 0));
    EXPECT_EQ(glm::dot(closing, r.normal), 3.0f);
    const DistanceResult boxes = signed_distance(box, {}, box, {Vec3(0, 0, -4)});
    EXPECT_LT(glm::length(boxes.normal - Vec3(0, 0, -1)), 1e-6f);
    EXPECT_NEAR(boxes.distance, 2.0f, 1e-6f);
    // Manifolds of pairs that are near but apart have theirs as well.
    const Manifold near = collide(box, {}, box, {Vec3(0.1f, 0, 2.005f)}, 0.02f);
    EXPECT_EQ(near.count, 4);
    EXPECT_LT(glm::length(near.normal - Vec3(0, 0, 1)), 1e-6f);
}

} // namespace
} // namespace cairn::physics
