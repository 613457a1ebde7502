// Bodies squeezed between others, answered for together.
#include "physics/continuous/joint_impact.h"
#include "tests/physics/world/world_builder.h"

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace cairn::physics::testing {
namespace {

SymmetricMat3 ball_tensor(float inverse) {
    return {inverse, inverse, inverse, 0.0f, 0.0f, 0.0f};
}

double closing(const JointContact& joint, std::span<const ImpactBody> bodies, int point) {
    const Vec3& p = joint.contact.points[static_cast<std::size_t>(point)];
    const ImpactBody& a = bodies[joint.a];
    const ImpactBody& b = bodies[joint.b];
    const Vec3 velocity =
        (b.velocity + glm::cross(b.spin, p - b.centre)) - (a.velocity + glm::cross(a.spin, p - a.centre));
    return -static_cast<double>(glm::dot(velocity, joint.contact.normal));
}

// A row of four balls between two walls, pushed together by random velocities: no point closes afterwards, the row
// keeps its momentum but for what the walls take, and no energy is made.
TEST(JointImpact, SqueezedRowPartsKeepsMomentumAndLosesEnergy) {
    std::mt19937 generator(23);
    const auto uniform = [&](float low, float high) {
        return low + (high - low) * static_cast<float>(generator() % 1000000u) * 1e-6f;
    };
    JointImpact impact;
    int squeezed = 0; // contacts that push, of 2500
    for (int round = 0; round < 500; ++round) {
        std::array<ImpactBody, 6> bodies; // the first and the last are walls
        std::array<JointContact, 5> contacts;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            bodies[i].centre = Vec3(static_cast<float>(i), 0, 0);
            if (i > 0 && i < 5) {
                const float x = uniform(-100.0f, 100.0f);
                const float y = uniform(-100.0f, 100.0f);
                const float spin = uniform(-100.0f, 100.0f);
                bodies[i].velocity = Vec3(x, y, 0);
                bodies[i].spin = Vec3(0, 0, spin);
                bodies[i].inverse_mass = uniform(0.2f, 2.0f);
                bodies[i].inverse_inertia = ball_tensor(10.0f * bodies[i].inverse_mass);
            }
        }
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            contacts[i].a = static_cast<std::uint32_t>(i);
            contacts[i].b = static_cast<std::uint32_t>(i + 1);
            contacts[i].contact.normal = Vec3(1, 0, 0);
            contacts[i].contact.count = 1;
            contacts[i].contact.points[0] = Vec3(static_cast<float>(i) + 0.5f, 0, 0);
            contacts[i].contact.friction = uniform(0.0f, 1.0f);
        }
        const auto energy = [&] {
            double sum = 0.0;
            for (std::size_t i = 1; i < 5; ++i) {
                const double v2 = static_cast<double>(glm::dot(bodies[i].velocity, bodies[i].velocity));
                const double w2 = static_cast<double>(glm::dot(bodies[i].spin, bodies[i].spin));
                sum += 0.5 * (v2 / static_cast<double>(bodies[i].inverse_mass) +
                              w2 / static_cast<double>(bodies[i].inverse_inertia.xx));
            }
            return sum;
        };
        const double before = energy();
        const std::array<ImpactBody, 6> start = bodies;
        impact.solve(contacts, {}, true, bodies);
        EXPECT_LE(energy(), before * (1.0 + 1e-6)) << round;
        int held = 0;
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            EXPECT_LT(closing(contacts[i], bodies, 0), 1.0) << round; // of up to 200 m/s
            held += impact.impulses()[i].x > 0.0f ? 1 : 0;
        }
        squeezed += held;
        // Each body took what its two contacts gave it.
        for (std::size_t i = 1; i < 5; ++i) {
            const Vec3 taken = (bodies[i].velocity - start[i].velocity) / bodies[i].inverse_mass;
            const Vec3 given = impact.impulses()[i - 1] - impact.impulses()[i];
            EXPECT_LT(glm::length(taken - given), 1e-4f * (1.0f + glm::length(impact.impulses()[i]))) << round;
        }
    }
    EXPECT_GT(squeezed, 1000);
    EXPECT_LT(squeezed, 2400) << "some contacts have nothing to do";
}

TEST(JointImpact, PartsAsFastAsItIsAsked) {
    std::array<ImpactBody, 2> bodies;
    bodies[0].centre = Vec3(0, 0, -1);
    bodies[1].centre = Vec3(0, 0, 1);
    bodies[1].inverse_mass = 0.5f;
    bodies[1].inverse_inertia = ball_tensor(1.0f);
    std::array<JointContact, 1> contacts;
    contacts[0].b = 1;
    contacts[0].contact.count = 1;
    const std::array<float, 1> partings{0.25f};
    JointImpact impact;
    impact.solve(contacts, partings, false, bodies);
    EXPECT_NEAR(bodies[1].velocity.z, 0.25f, 1e-4f);
    impact.solve(contacts, {}, false, bodies);
    EXPECT_NEAR(bodies[1].velocity.z, 0.25f, 1e-4f) << "it parts already";
}

// A spinning plate that a heavy ball drives against a wall: hit by either side in turn it met both in ever shorter
// times, stood still and was pressed into the wall by a millimetre a step.
TEST(JointImpact, PlateBetweenABallAndAWallIsNotPressedIn) {
    float deepest = 0.0f;
    int met = 0;
    for (int i = 0; i < 20; ++i) {
        const auto f = static_cast<float>(i);
        Settings settings;
        settings.gravity = Vec3(0);
        World world(settings);
        BodyDef wall = make_static(Box{Vec3(0.5f, 50, 50)}, Vec3(0.5f, 0, 0));
        wall.material.restitution = 0.8f;
        add(world, wall);
        BodyDef plate = make_body(Box{Vec3(0.05f, 0.3f, 0.3f)}, Vec3(-0.4f, 0, 0));
        plate.angular_velocity = Vec3(20.0f * std::sin(f), 150.0f * std::cos(f), 150.0f * std::sin(2.0f * f));
        plate.material.restitution = 0.8f;
        const BodyId thin = add(world, plate);
        BodyDef ball = make_body(Sphere{0.5f}, Vec3(-2.0f, 0.1f * std::sin(3.0f * f), 0));
        ball.linear_velocity = Vec3(100, 0, 0);
        ball.material.restitution = 0.8f;
        const BodyId heavy = add(world, ball);
        for (int step = 0; step < 20; ++step) {
            world.step();
            const BodyState state = state_of(world, thin);
            const Mat3 axes = rotation_matrix(state.pose.orientation);
            const float reach = 0.05f * std::abs(axes[0].x) + 0.3f * std::abs(axes[1].x) + 0.3f * std::abs(axes[2].x);
            deepest = std::max(deepest, state.pose.position.x + reach);
        }
        met += state_of(world, heavy).linear_velocity.x < 50.0f ? 1 : 0;
    }
    EXPECT_EQ(met, 20);
    EXPECT_LT(deepest, 0.0075f) << "the slop and half as much again";
}

} // namespace
} // namespace cairn::physics::testing
