// Contacts that are taken along, against contacts that are asked for anew.
#include "physics/narrowphase/carry/carry.h"

#include "physics/narrowphase/update/contact_update.h"
#include "physics/query/distance.h"
#include "tests/physics/query/pair_generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace cairn::physics {
namespace {

using oracle::DVec3;
using oracle::Kind;
using oracle::Pair;
using oracle::Random;

constexpr float margin = 0.02f;
constexpr float dt = 1.0f / 60.0f;

bool find(const Pair& pair, const Transform& pose_a, const Transform& pose_b, FoundContact& out) {
    const Material material;
    CollideCache cache;
    return find_contact({&pair.a, pose_a, &pose_a, pair.a.bounding_radius, &material},
                        {&pair.b, pose_b, &pose_b, pair.b.bounding_radius, &material}, margin, dt, nullptr, {}, cache,
                        out);
}

float least_separation(const FoundContact& found) {
    float least = found.points[0].separation;
    for (std::size_t i = 1; i < found.contact.count; ++i) {
        least = std::min(least, found.points[i].separation);
    }
    return least;
}

bool carry(FoundContact& found, const Transform& a, const Transform& b) {
    return physics::carry(found.contact, std::span(found.points).first(found.contact.count), a, b, margin, dt);
}

// Both bodies are moved together, and B against A by `share` of what the contact bears: half by its way, half by its
// turn.
void move(const Pair& pair, const Contact& contact, double share, Transform& a, Transform& b, Random& random) {
    const auto turned = [](const Quat& q, const DVec3& turn) {
        const Vec3 v(0.5 * turn);
        return normalized(Quat(std::sqrt(1.0f - glm::dot(v, v)), v.x, v.y, v.z) * q);
    };
    const double bears = share * double(contact.tolerance);
    const DVec3 way = 0.5 * bears * random.direction();
    const DVec3 turn =
        0.5 * bears / double(std::min(pair.a.bounding_radius, pair.b.bounding_radius)) * random.direction();
    // About the smaller body's centre, in the larger one's frame: the first is moved if it is the smaller.
    Transform& moved = pair.a.bounding_radius < pair.b.bounding_radius ? a : b;
    moved.position += Vec3(way);
    moved.orientation = turned(moved.orientation, turn);
    const DVec3 common_way = random.vector(-1.0, 1.0);
    const DVec3 common_turn = random.vector(-0.3, 0.3);
    for (Transform* pose : {&a, &b}) {
        const Quat by = turned(identity_orientation, common_turn);
        pose->position = rotate(by, pose->position) + Vec3(common_way);
        pose->orientation = normalized(by * pose->orientation);
    }
}

struct Errors {
    int contacts = 0, refused = 0, beyond_bound = 0;
    double worst = 0.0, sum = 0.0, sum_left_alone = 0.0; // shares of the tolerance; of contacts of faces
    int faces = 0;
};

Errors carry_pairs(double share) {
    Random random(5);
    Errors errors;
    for (const Kind a : {Kind::box, Kind::hull, Kind::diamond}) {
        for (const Kind b : {Kind::box, Kind::hull, Kind::diamond}) {
            for (int i = 0; i < 300; ++i) {
                const Pair pair = oracle::random_pair(a, b, random);
                FoundContact found;
                if (pair.ratio == oracle::Ratio::hundreds || !find(pair, pair.pose_a, pair.pose_b, found)) {
                    continue;
                }
                // What floats cannot tell from no motion, and points that come to lie beyond the margin.
                const bool beyond = std::any_of(found.points.begin(), found.points.begin() + found.contact.count,
                                                [&](const ContactPoint& point) {
                                                    return point.separation + 2.0f * found.contact.tolerance > margin;
                                                });
                if (beyond || found.contact.tolerance < 1e-5f * (1.0f + static_cast<float>(pair.size))) {
                    continue;
                }
                const float true_before = signed_distance(pair.a, pair.pose_a, pair.b, pair.pose_b).distance;
                const float before = least_separation(found);
                Transform pose_a = pair.pose_a, pose_b = pair.pose_b;
                move(pair, found.contact, share, pose_a, pose_b, random);
                ++errors.contacts;
                if (!carry(found, pose_a, pose_b)) {
                    ++errors.refused;
                    continue;
                }
                const float now = least_separation(found);
                const float true_now = signed_distance(pair.a, pose_a, pair.b, pose_b).distance;
                const float tolerance = found.contact.tolerance;
                // A unit of the last place of coordinates of up to a few metres, and a distance's own accuracy.
                const float rounding = 2e-6f * (1.0f + static_cast<float>(pair.size));
                const float agreed = std::abs(before - true_before);
                errors.beyond_bound += std::abs(now - true_now) > agreed + 2.0f * tolerance + rounding ? 1 : 0;
                FoundContact anew;
                if (found.contact.count >= 3 && tolerance > 20.0f * rounding && find(pair, pose_a, pose_b, anew) &&
                    anew.contact.count == found.contact.count) {
                    const double unit = double(tolerance);
                    const double error = double(std::abs(now - least_separation(anew))) / unit;
                    ++errors.faces;
                    errors.sum += error;
                    errors.worst = std::max(errors.worst, error);
                    errors.sum_left_alone += double(std::abs(before - least_separation(anew))) / unit;
                }
            }
        }
    }
    return errors;
}

TEST(Carry, SaysTheDepthThatAQueryWouldSay) {
    const Errors errors = carry_pairs(0.9);
    EXPECT_EQ(errors.refused, 0);
    EXPECT_EQ(errors.beyond_bound, 0);
    EXPECT_GT(errors.contacts, 300);
    // Of faces the error is of second order, but where the deepest of many corners was left out. A contact whose points
    // stay what they were is wrong by what it has moved.
    ASSERT_GT(errors.faces, 60);
    EXPECT_LT(errors.sum / errors.faces, 0.05);
    EXPECT_GT(errors.sum_left_alone / errors.faces, 0.2);
}

TEST(Carry, RefusesWhatHasMovedFurther) {
    const Errors errors = carry_pairs(2.5);
    EXPECT_GT(errors.contacts, 300);
    EXPECT_EQ(errors.refused, errors.contacts);
}

Pair box_on_floor() {
    Pair pair;
    pair.a = oracle::make(Box{Vec3(50.0f, 50.0f, 1.0f)});
    pair.b = oracle::make(Box{Vec3(0.5f)});
    pair.pose_a.position = Vec3(0.0f, 0.0f, -1.0f);
    pair.pose_b.position = Vec3(20.0f, -30.0f, 0.499f);
    return pair;
}

TEST(Carry, KeepsFeaturesAndImpulsesAndCountsOn) {
    const Pair pair = box_on_floor();
    FoundContact found;
    ASSERT_TRUE(find(pair, pair.pose_a, pair.pose_b, found));
    ASSERT_EQ(found.contact.count, 4);
    found.points[2].normal_impulse = 3.0f;
    const FoundContact before = found;
    Transform pose_b = pair.pose_b;
    pose_b.position += Vec3(1e-4f, 0.0f, -2e-4f);
    ASSERT_TRUE(carry(found, pair.pose_a, pose_b));
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(found.points[i].feature, before.points[i].feature);
        EXPECT_EQ(found.points[i].normal_impulse, before.points[i].normal_impulse);
        EXPECT_NEAR(found.points[i].separation, before.points[i].separation - 2e-4f, 1e-6f);
        EXPECT_EQ(found.contact.ages[i], before.contact.ages[i] + 1);
    }
}

TEST(Carry, RefusesAWiderMargin) {
    const Pair pair = box_on_floor();
    FoundContact found;
    ASSERT_TRUE(find(pair, pair.pose_a, pair.pose_b, found));
    const std::span<ContactPoint> points(found.points.data(), 4);
    EXPECT_TRUE(physics::carry(found.contact, points, pair.pose_a, pair.pose_b, margin, dt));
    EXPECT_FALSE(physics::carry(found.contact, points, pair.pose_a, pair.pose_b, 2.0f * margin, dt));
}

TEST(Carry, LeavesRoundShapesAlone) {
    Pair pair = box_on_floor();
    pair.b = oracle::make(Cylinder{0.5f, 0.5f});
    FoundContact found;
    ASSERT_TRUE(find(pair, pair.pose_a, pair.pose_b, found));
    EXPECT_FALSE(carry(found, pair.pose_a, pair.pose_b));
}

// By a hundredth of the tolerance a step, and back again: what is kept does not drift away.
TEST(Carry, DoesNotDrift) {
    const Pair pair = box_on_floor();
    FoundContact found;
    ASSERT_TRUE(find(pair, pair.pose_a, pair.pose_b, found));
    const float before = found.points[0].separation;
    for (int i = 0; i < 10000; ++i) {
        Transform pose_b = pair.pose_b;
        pose_b.position.z += (i % 2 == 0 ? 1.0f : -1.0f) * 0.01f * found.contact.tolerance;
        ASSERT_TRUE(carry(found, pair.pose_a, pose_b));
    }
    ASSERT_TRUE(carry(found, pair.pose_a, pair.pose_b));
    EXPECT_NEAR(found.points[0].separation, before, 1e-7f);
}

} // namespace
} // namespace cairn::physics
