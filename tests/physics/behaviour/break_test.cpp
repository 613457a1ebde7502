// A fast elastic ball that breaks a group of balls: no energy is lost, wherever within a step they meet.
#include "tests/physics/world/world_builder.h"

#include <cmath>
#include <string>
#include <vector>

namespace cairn::physics::testing {
namespace {

constexpr float radius = 0.5f;

BodyDef elastic_ball(const Vec3& position) {
    BodyDef ball = make_body(Sphere{radius}, position);
    ball.material.friction = 0.0f;
    ball.material.restitution = 1.0f;
    return ball;
}

// Balls that touch each other, and are mirrored in the plane y = 0.
std::vector<Vec3> rack(int rows) {
    std::vector<Vec3> places;
    for (int row = 0; row < rows; ++row) {
        for (int i = 0; i <= row; ++i) {
            places.emplace_back(radius * std::sqrt(3.0f) * static_cast<float>(row),
                                radius * (2.0f * static_cast<float>(i) - static_cast<float>(row)), 0.0f);
        }
    }
    return places;
}

std::vector<Vec3> line(int balls) {
    std::vector<Vec3> places;
    for (int i = 0; i < balls; ++i) {
        places.emplace_back(2.0f * radius * static_cast<float>(i), 0, 0);
    }
    return places;
}

double energy_of(const World& world) {
    double sum = 0.0;
    for (const BodyId id : world.body_ids()) {
        const BodyState state = state_of(world, id);
        const auto v = glm::dvec3(state.linear_velocity), w = glm::dvec3(state.angular_velocity);
        const double mass = static_cast<double>(world.model(id)->mass);
        sum += 0.5 * mass * (glm::dot(v, v) + 0.4 * static_cast<double>(radius * radius) * glm::dot(w, w));
    }
    return sum;
}

struct Break {
    std::string name;
    std::vector<Vec3> places;
    float speed; // m/s
};

class ElasticBreak : public ::testing::TestWithParam<Break> {};

TEST_P(ElasticBreak, KeepsEnergyMomentumAndSymmetry) {
    const Break& given = GetParam();
    for (int phase = 0; phase < 8; ++phase) {
        World world(weightless());
        for (const Vec3& place : given.places) {
            add(world, elastic_ball(place));
        }
        const float step = given.speed * world.settings().dt();
        BodyDef cue = elastic_ball(Vec3(-2.0f * radius - (1.2f + 0.125f * static_cast<float>(phase)) * step, 0, 0));
        cue.linear_velocity = Vec3(given.speed, 0, 0);
        add(world, cue);
        const double before = energy_of(world);
        const glm::dvec3 pushed = momentum(world);
        run(world, 60);
        EXPECT_GE(energy_of(world), 0.99 * before) << "phase " << phase;
        EXPECT_LE(energy_of(world), 1.001 * before) << "phase " << phase;
        EXPECT_LT(glm::length(momentum(world) - pushed), 1e-4 * glm::length(pushed)) << "phase " << phase;
        // Each ball has its mirror image.
        for (const BodyId id : world.body_ids()) {
            const Vec3 velocity = state_of(world, id).linear_velocity, image(velocity.x, -velocity.y, velocity.z);
            float nearest = given.speed;
            for (const BodyId other : world.body_ids()) {
                nearest = std::min(nearest, glm::length(state_of(world, other).linear_velocity - image));
            }
            EXPECT_LT(nearest, 0.02f * given.speed) << "phase " << phase;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Groups, ElasticBreak,
                         ::testing::Values(Break{"three_5", rack(2), 5.0f}, Break{"three_20", rack(2), 20.0f},
                                           Break{"three_60", rack(2), 60.0f}, Break{"rack_20", rack(5), 20.0f},
                                           Break{"line_20", line(4), 20.0f}, Break{"line_60", line(4), 60.0f}),
                         [](const auto& of) { return of.param.name; });

} // namespace
} // namespace cairn::physics::testing
