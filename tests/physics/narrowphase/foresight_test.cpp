// Contacts made where bodies are going to meet, against small steps along their paths.
#include "physics/narrowphase/update/foresight.h"

#include "physics/query/distance.h"
#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace cairn::physics {
namespace {

using oracle::DVec3;
using oracle::Random;

constexpr ForesightSettings settings{0.0025f, 0.0005f, 0.1f};

struct Flight {
    Shape shape;
    Sweep path;
    Transform pose_at(float time) const { return compose(body_pose_at(path, time), path.shape_pose); }
    ForeseenSide side(const Material& material) const {
        ForeseenSide out;
        out.now = {&shape, pose_at(0.0f), &path.start, shape.bounding_radius, &material};
        out.path = path;
        out.pushed = true;
        return out;
    }
};

Flight random_flight(Random& random, double turn) {
    Flight flight;
    flight.shape = random.below(2) == 0 ? oracle::make(Sphere{static_cast<float>(random.between(0.2, 0.6))})
                                        : oracle::make(Box{Vec3(random.vector(0.2, 0.6))});
    flight.path.start.position = Vec3(random.vector(-2.0, 2.0));
    flight.path.start.orientation = random.orientation();
    flight.path.linear_velocity = Vec3(random.vector(-3.0, 3.0));
    flight.path.angular_velocity = Vec3(turn * random.direction());
    return flight;
}

// The first time at which the two are as near as that, by small steps; 2 if they are not.
float first_near(const Flight& a, const Flight& b, float near) {
    constexpr int steps = 2000;
    for (int i = 0; i <= steps; ++i) {
        const float time = static_cast<float>(i) / static_cast<float>(steps);
        if (signed_distance(a.shape, a.pose_at(time), b.shape, b.pose_at(time)).distance <= near) {
            return time;
        }
    }
    return 2.0f;
}

TEST(Foresight, FindsWhereTwoAreGoingToMeet) {
    Random random(5);
    const Material material;
    int met = 0, passed = 0;
    for (int i = 0; i < 1500; ++i) {
        const Flight a = random_flight(random, i % 3 == 0 ? 1.0 : 0.0), b = random_flight(random, 0.0);
        if (signed_distance(a.shape, a.pose_at(0.0f), b.shape, b.pose_at(0.0f)).distance < 0.05f) {
            continue; // nothing to foresee
        }
        Vec3 axis(0.0f);
        FoundContact found;
        const bool meets = foresee_contact(a.side(material), b.side(material), settings, nullptr, axis, found);
        const float nearest = first_near(a, b, settings.target + settings.tolerance);
        if (!meets) {
            // What turns back from where the rows begin is left to others; what goes straight is not.
            EXPECT_TRUE(nearest > 1.0f || i % 3 == 0) << "pair " << i << " meets at " << nearest;
            passed += nearest > 1.0f ? 1 : 0;
            continue;
        }
        ++met;
        const Contact& contact = found.contact;
        EXPECT_NEAR(contact.meets_at, nearest, 0.002f) << "pair " << i;
        ASSERT_GT(contact.count, 0);
        // The rows: of what goes straight, the points are as far apart at that time as the bodies are.
        if (i % 3 != 0) {
            float least = 1.0f;
            for (const ContactPoint& point : std::span(found.points).first(contact.count)) {
                const Vec3 closing = b.path.linear_velocity - a.path.linear_velocity;
                least = std::min(least, point.separation + contact.meets_at * glm::dot(contact.normal, closing));
            }
            EXPECT_NEAR(least, settings.target, 2.0f * settings.tolerance) << "pair " << i;
        }
        const Vec3 between = a.pose_at(contact.meets_at).position - contact.meets;
        EXPECT_LT(glm::length(between), a.shape.bounding_radius + 0.01f) << "where they meet is on both";
    }
    EXPECT_GT(met, 50);
    EXPECT_GT(passed, 50);
}

// A contact made where they are now says that two meet which pass each other by; that is what foresight is for.
TEST(Foresight, KnowsWhoPassesBy) {
    const Material material;
    Flight a, b;
    a.shape = oracle::make(Sphere{0.5f});
    b.shape = oracle::make(Sphere{0.5f});
    b.path.start.position = Vec3(1.2f, 0, 0);
    b.path.linear_velocity = Vec3(-1.0f, 3.0f, 0); // past the first
    Vec3 axis(0.0f);
    FoundContact found;
    EXPECT_FALSE(foresee_contact(a.side(material), b.side(material), settings, nullptr, axis, found));
    // By its normal alone, which points along x, the second comes 1 m nearer, and is only 0.2 m away.
    CollideCache cache;
    EXPECT_TRUE(find_contact(a.side(material).now, b.side(material).now, 1.0f, 0.0f, nullptr, {}, cache, found));
    EXPECT_LT(found.points[0].separation + glm::dot(found.contact.normal, b.path.linear_velocity), 0.0f);
}

} // namespace
} // namespace cairn::physics
