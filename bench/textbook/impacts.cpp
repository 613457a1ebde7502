// Impacts: what elastic balls keep of their energy, alone, in racks and on joints.
#include "bench/textbook/trial.h"

#include <cmath>

namespace cairn::bench {
namespace {

using physics::BodyDef;
using physics::Vec3;

BodyDef elastic_ball(float radius, const Vec3& position, float restitution = 1.0f) {
    BodyDef def = body_of(physics::Sphere{radius}, position, 0.0f);
    def.material.restitution = restitution;
    return def;
}

physics::Settings weightless() {
    physics::Settings settings;
    settings.gravity = Vec3(0.0f);
    return settings;
}

// A ball at `speed` into others that touch each other; per cent of its energy that all have afterwards, the mean of
// eight moments within a step.
double energy_kept(MakeEngine make, const std::vector<Vec3>& others, float speed) {
    constexpr float radius = 0.5f;
    double sum = 0.0;
    for (int phase = 0; phase < 8; ++phase) {
        std::vector<BodyDef> bodies;
        const float step = speed / 60.0f;
        bodies.push_back(
            elastic_ball(radius, Vec3(-2.0f * radius - (1.2f + 0.125f * static_cast<float>(phase)) * step, 0, 0)));
        bodies[0].linear_velocity = Vec3(speed, 0, 0);
        for (const Vec3& place : others) {
            bodies.push_back(elastic_ball(radius, place));
        }
        Course course(make, bodies, weightless());
        const double before = course.kinetic_energy();
        course.run(60);
        sum += 100.0 * course.kinetic_energy() / before;
    }
    return sum / 8.0;
}

std::vector<Vec3> rack(int rows) {
    std::vector<Vec3> places;
    for (int row = 0; row < rows; ++row) {
        for (int i = 0; i <= row; ++i) {
            places.emplace_back(0.5f * std::sqrt(3.0f) * static_cast<float>(row),
                                static_cast<float>(i) - 0.5f * static_cast<float>(row), 0.0f);
        }
    }
    return places;
}

std::vector<Vec3> line(int balls) {
    std::vector<Vec3> places;
    for (int i = 0; i < balls; ++i) {
        places.emplace_back(static_cast<float>(i), 0, 0);
    }
    return places;
}

// From `pivot` in the world to the centre of body `index`, which is at `at`: an arm without weight.
physics::JointDef arm(std::uint32_t index, const Vec3& at, const Vec3& pivot) {
    physics::JointDef def;
    def.body_b = {index, 0};
    def.frame_a.position = pivot;
    def.frame_b.position = pivot - at;
    return def;
}

// A ball on an arm of 2 m meets a plane 45 degrees off its path; m/s afterwards, the mean of twenty places.
double rod_against_plane(MakeEngine make) {
    double sum = 0.0;
    for (int phase = 0; phase < 20; ++phase) {
        const Vec3 at(2, 0, 0);
        BodyDef ball = elastic_ball(0.1f, at);
        ball.linear_velocity = Vec3(0, 3, 0);
        ball.angular_velocity = Vec3(0, 0, 1.5f);
        const float angle = 0.5f + 0.003f * static_cast<float>(phase);
        const Vec3 outwards(std::cos(angle), std::sin(angle), 0), ahead(-outwards.y, outwards.x, 0);
        const Vec3 normal = glm::normalize(outwards - ahead);
        BodyDef plane = body_of(physics::Box{Vec3(0.5f, 1, 1)}, 2.0f * outwards - 0.6f * normal, 0.0f);
        plane.type = physics::BodyType::fixed;
        plane.pose.orientation = glm::angleAxis(std::atan2(normal.y, normal.x), Vec3(0, 0, 1));
        plane.material.restitution = 1.0f;
        Course course(make, {ball, plane}, weightless(), {arm(0, at, Vec3(0))});
        course.run(40);
        const BodyMotionState& end = course.body(0);
        const bool back = glm::dot(end.linear_velocity, Vec3(-end.pose.position.y, end.pose.position.x, 0)) < 0.0f;
        sum += back ? static_cast<double>(glm::length(end.linear_velocity)) : 0.0;
    }
    return sum / 20.0;
}

// Two balls on arms of 2 m, three to one; per cent of their energy after half a minute.
double uneven_cradle(MakeEngine make) {
    std::vector<BodyDef> bodies;
    std::vector<physics::JointDef> arms;
    for (const int i : {0, 1}) {
        const float x = 0.5f * static_cast<float>(i), swing = i == 0 ? 0.6f : 0.0f;
        const Vec3 at(x - 2.0f * std::sin(swing), 0, 2.0f - 2.0f * std::cos(swing));
        BodyDef def = elastic_ball(0.25f, at);
        def.density *= i == 0 ? 3.0f : 1.0f;
        bodies.push_back(def);
        arms.push_back(arm(static_cast<std::uint32_t>(i), at, Vec3(x, 0, 2)));
    }
    Course course(make, bodies, {}, arms);
    const double before = course.energy();
    course.run(30 * 60);
    return 100.0 * course.energy() / before;
}

// From 10 m onto the floor; apex of the fifth bounce, m.
double fifth_apex(MakeEngine make) {
    BodyDef floor = floor_of(0.0f);
    floor.material.restitution = 0.8f;
    Course course(make, {floor, elastic_ball(0.5f, Vec3(0, 0, 10.5f), 0.8f)});
    int bounces = 0;
    double apex = 0.0, before = -1.0;
    course.run(1200, [&] {
        const double speed = static_cast<double>(course.body(1).linear_velocity.z);
        bounces += before < 0.0 && speed > 0.0 ? 1 : 0;
        if (bounces == 5) {
            apex = std::max(apex, static_cast<double>(course.body(1).pose.position.z) - 0.5);
        }
        before = speed;
    });
    return apex;
}

} // namespace

std::vector<Trial> impact_trials() {
    return {{"elastic ball at 20 m/s into 3: energy kept, %", "100", "%.1f",
             [](MakeEngine make) { return energy_kept(make, rack(2), 20.0f); }},
            {"elastic ball at 20 m/s into a rack of 15: energy kept, %", "100", "%.1f",
             [](MakeEngine make) { return energy_kept(make, rack(5), 20.0f); }},
            {"elastic ball at 50 m/s into a line of 4: energy kept, %", "100", "%.1f",
             [](MakeEngine make) { return energy_kept(make, line(4), 50.0f); }},
            {"elastic ball on an arm against a plane at 45 degrees: comes back at m/s", "3", "%.2f", rod_against_plane},
            {"cradle of 3:1 on arms: energy after 30 s, %", "100", "%.1f", uneven_cradle},
            {"ball from 10 m, restitution 0.8: fifth apex, m", "1.07", "%.2f", fifth_apex}};
}

} // namespace cairn::bench
