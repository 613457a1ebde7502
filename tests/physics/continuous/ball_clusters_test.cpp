// Clusters of balls so fast that many meet several others within a step, against a simulation that goes from impact to
// impact.
#include "tests/physics/world/world_builder.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace cairn::physics::testing {
namespace {

constexpr double ball_radius = 0.15;     // m
constexpr double greatest_speed = 240.0; // m/s along an axis: 4 m in a step

struct Ball {
    DVec3 at, velocity; // m, m/s
    int links = 0;      // of the longest chain of impacts that has come to it
};

// In a layer, apart.
std::vector<Ball> cluster(std::mt19937& generator) {
    const auto uniform = [&] { return static_cast<double>(generator() % 2000001u) * 1e-6 - 1.0; };
    std::vector<Ball> balls;
    while (balls.size() < 8) {
        Ball ball;
        ball.at = DVec3(uniform(), uniform(), 0.0);
        if (std::any_of(balls.begin(), balls.end(),
                        [&](const Ball& other) { return glm::length(other.at - ball.at) < 2.1 * ball_radius; })) {
            continue;
        }
        const double x = uniform(), y = uniform();
        ball.velocity = greatest_speed * DVec3(x, y, 0.0);
        balls.push_back(ball);
    }
    return balls;
}

// s until two balls meet; infinity: never.
double meet(const Ball& a, const Ball& b) {
    const DVec3 apart = b.at - a.at, velocity = b.velocity - a.velocity;
    const double approach = -glm::dot(apart, velocity), squared = glm::dot(velocity, velocity);
    const double root = approach * approach - squared * (glm::dot(apart, apart) - 4.0 * ball_radius * ball_radius);
    return approach > 0.0 && root > 0.0 ? (approach - std::sqrt(root)) / squared
                                        : std::numeric_limits<double>::infinity();
}

// Where smooth elastic balls are after `time`, s.
std::vector<Ball> from_impact_to_impact(std::vector<Ball> balls, double time) {
    while (true) {
        double first = time;
        std::pair<std::size_t, std::size_t> pair{0, 0};
        for (std::size_t i = 0; i < balls.size(); ++i) {
            for (std::size_t k = i + 1; k < balls.size(); ++k) {
                if (const double t = meet(balls[i], balls[k]); t < first) {
                    first = t;
                    pair = {i, k};
                }
            }
        }
        for (Ball& ball : balls) {
            ball.at += first * ball.velocity;
        }
        time -= first;
        if (pair.second == 0) {
            return balls;
        }
        Ball& a = balls[pair.first];
        Ball& b = balls[pair.second];
        const DVec3 normal = glm::normalize(b.at - a.at);
        const DVec3 along = glm::dot(b.velocity - a.velocity, normal) * normal;
        a.velocity += along;
        b.velocity -= along;
        a.links = b.links = std::max(a.links, b.links) + 1;
    }
}

// Impacts are half a slop early, and each multiplies what came before, so that only balls count to which short chains
// of impacts have come. 0.4 % of them are elsewhere. Where a ball does not look past one that has been knocked out of
// its way, it is 0.6 %.
TEST(BallClusters, BallsAreWhereASimulationFromImpactToImpactHasThem) {
    Settings settings = weightless();
    settings.max_short_steps = 1;
    settings.linear_slop = 1e-4f;
    std::mt19937 generator(3);
    int short_chains = 0, elsewhere = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        World world(settings);
        const std::vector<Ball> start = cluster(generator);
        std::vector<BodyId> ids;
        for (const Ball& ball : start) {
            BodyDef def = make_body(Sphere{static_cast<float>(ball_radius)}, Vec3(ball.at));
            def.linear_velocity = Vec3(ball.velocity);
            def.material.restitution = 1.0f;
            def.material.friction = 0.0f;
            ids.push_back(add(world, def));
        }
        const std::vector<Ball> expected = from_impact_to_impact(start, static_cast<double>(settings.dt()));
        world.step();
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (expected[i].links <= 2) {
                const DVec3 at(state_of(world, ids[i]).pose.position);
                ++short_chains;
                elsewhere += glm::length(at - expected[i].at) > 0.2 * ball_radius ? 1 : 0;
            }
        }
    }
    EXPECT_GT(short_chains, 5000);
    EXPECT_LT(elsewhere, short_chains / 200);
}

} // namespace
} // namespace cairn::physics::testing
