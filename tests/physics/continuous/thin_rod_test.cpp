// Rods a hundred times longer than thick that are thrown about a room, spinning about all axes.
#include "physics/solver/motion/integrate.h"
#include "tests/physics/world/world_builder.h"

#include <cmath>
#include <random>

namespace cairn::physics::testing {
namespace {

double kinetic_energy_of(const World& world) {
    double sum = 0.0;
    for (const BodyId id : world.body_ids()) {
        if (world.model(id)->mass > 0.0f) {
            const BodyState body = state_of(world, id);
            const glm::dmat3 axes = glm::mat3_cast(glm::dquat(body.pose.orientation));
            const glm::dvec3 spin = glm::transpose(axes) * glm::dvec3(body.angular_velocity);
            const glm::dmat3 inertia(world.model(id)->inertia);
            sum += 0.5 * static_cast<double>(world.model(id)->mass) *
                       glm::dot(glm::dvec3(body.linear_velocity), glm::dvec3(body.linear_velocity)) +
                   0.5 * glm::dot(spin, inertia * spin);
        }
    }
    return sum;
}

void add_room(World& world, float half) {
    constexpr float wall = 0.1f;
    for (int axis = 0; axis < 3; ++axis) {
        for (const float side : {-1.0f, 1.0f}) {
            Vec3 extents(half + 2.0f * wall), place(0.0f);
            extents[axis] = wall;
            place[axis] = side * (half + wall);
            add(world, make_static(Box{extents}, place));
        }
    }
}

// Where their paths end early, spin is carried to another orientation with the angular momentum. A milliradian beside
// the path of free rotation, a rod of 6 mm and 60 cm had two thousand times its energy, and others had no finite
// motion.
TEST(ThinRods, GainNothingAtWalls) {
    for (const float rate : {60.0f, 480.0f}) {
        Settings settings = weightless();
        settings.hz = rate;
        World world(settings);
        add_room(world, 5.0f);
        std::mt19937 random(11);
        const auto any = [&random](float most) {
            return most * (static_cast<float>(random() % 20001) / 10000.0f - 1.0f);
        };
        for (int i = 0; i < 40; ++i) {
            BodyDef rod = make_body(Capsule{0.003f, 0.3f}, Vec3{any(4), any(4), any(4)});
            rod.pose.orientation = normalized(Quat{any(1), any(1), any(1), 1.1f});
            rod.material.restitution = 0.2f;
            rod.linear_velocity = Vec3{any(60), any(60), any(60)};
            rod.angular_velocity = Vec3{any(100), any(100), any(1500)};
            rod.filter.group = 1;
            rod.filter.mask = ~2u; // not with each other
            add(world, rod);
        }
        double energy = kinetic_energy_of(world);
        for (int i = 0; i < 60; ++i) {
            world.step();
            const double now = kinetic_energy_of(world);
            ASSERT_LT(now, 1.02 * energy) << rate << " Hz, step " << i;
            energy = std::min(energy, now);
            ASSERT_TRUE(published(world).stopped.empty());
        }
    }
}

// Against a search over the ellipsoid of that energy.
TEST(ThinRods, SpinOfAnEnergyHasTheNearestMomentum) {
    std::mt19937_64 random(5);
    const auto any = [&random] { return static_cast<double>(random() % 2000001) / 1e6 - 1.0; };
    for (int i = 0; i < 200; ++i) {
        PrincipalInertia inertia;
        inertia.axes = glm::normalize(glm::dquat{any(), any(), any(), 1.1});
        inertia.moments = glm::dvec3(std::pow(10.0, 2.0 * any() - 3.0), 1.0 + 0.5 * any(), 1.0 + 0.5 * any());
        const Quat to = normalized(Quat{1.1f, 0.3f, -0.2f, 0.5f});
        const glm::dquat axes = glm::dquat(to) * inertia.axes;
        const glm::dvec3 along{any(), any(), any()}; // of the momentum, about the principal axes
        const glm::dvec3 spin_there = along / inertia.moments;
        const double energy = 0.3 * glm::dot(along, spin_there);
        const glm::dvec3 found = glm::conjugate(axes) * glm::dvec3(spin_of_energy(inertia, to, Vec3(axes * along),
                                                                                  static_cast<float>(energy)));
        EXPECT_NEAR(glm::dot(inertia.moments * found, found), energy, 1e-4 * energy);
        const double distance = glm::length(inertia.moments * found - along);
        for (int k = 0; k < 200; ++k) { // others of the same energy are further off
            const glm::dvec3 aside = found + 0.1 * glm::length(found) * glm::dvec3{any(), any(), any()};
            const glm::dvec3 other = aside * std::sqrt(energy / glm::dot(inertia.moments * aside, aside));
            EXPECT_GT(glm::length(inertia.moments * other - along), (1.0 - 1e-4) * distance);
        }
    }
}

} // namespace
} // namespace cairn::physics::testing
