// Sliding, rolling and spinning, beside closed forms or the limit of short steps.
#include "bench/textbook/trial.h"

#include <cmath>
#include <numbers>

namespace cairn::bench {
namespace {

using glm::dvec3;
using physics::BodyDef;
using physics::Vec3;

// mm beyond v^2 / (2 mu g).
double stopping_error(MakeEngine make) {
    BodyDef box = body_of(physics::Box{Vec3(0.5f, 0.5f, 0.02f)}, Vec3(0, 0, 0.02f), 0.5f);
    box.linear_velocity = Vec3(4, 0, 0);
    Course course(make, {floor_of(0.5f), box});
    course.run(180);
    return 1e3 * (static_cast<double>(course.body(1).pose.position.x) - 16.0 / (2.0 * 0.5 * 9.81));
}

// A ball that begins to slide at 7 m/s rolls at 5.
double rolling_speed(MakeEngine make) {
    BodyDef ball = body_of(physics::Sphere{0.5f}, Vec3(0, 0, 0.5f), 0.4f);
    ball.linear_velocity = Vec3(7, 0, 0);
    Course course(make, {floor_of(0.4f), ball});
    course.run(180);
    return static_cast<double>(course.body(1).linear_velocity.x);
}

// s until Euler's disk of half a metre, tilted by half a radian in steady precession at 2 (g / (R sin a))^1/2
// (H. K. Moffatt, "Euler's disk and its finite-time singularity", 2000), lies.
double time_of_disk(MakeEngine make) {
    constexpr float radius = 0.5f, half_height = 0.02f, tilt = 0.5f;
    const float s = std::sin(tilt), c = std::cos(tilt);
    BodyDef disk = body_of(physics::Cylinder{radius, half_height}, Vec3(0, 0, radius * s + half_height * c), 0.8f);
    disk.pose.orientation = glm::angleAxis(tilt, Vec3(1, 0, 0));
    disk.angular_velocity = (2.0f * std::sqrt(9.81f / (radius * s)) * s) * Vec3(0, c, s);
    Course course(make, {floor_of(0.8f), disk});
    int last = 0, step = 0;
    course.run(60 * 60, [&] {
        ++step;
        const Vec3 up = physics::rotate(course.body(1).pose.orientation, Vec3(0, 0, 1));
        last = std::abs(up.z) < std::cos(0.05f) ? step : last;
    });
    return last / 60.0;
}

// Degrees from upright after 20 s, of a ball whose weight sits low, spun about the vertical and disturbed.
double tilt_of_top(MakeEngine make) {
    BodyDef top = body_of(physics::Sphere{0.5f}, Vec3(0, 0, 0.5f), 0.3f);
    physics::Transform low;
    low.position = Vec3(0, 0, -0.15f);
    top.shapes.push_back({physics::Sphere{0.3f}, low});
    top.pose.orientation = glm::angleAxis(0.02f, Vec3(1, 0, 0));
    top.angular_velocity = Vec3(0.2f, 0, 20);
    Course course(make, {floor_of(0.3f), top});
    course.run(1200);
    const Vec3 up = physics::rotate(course.body(1).pose.orientation, Vec3(0, 0, 1));
    return std::acos(std::clamp(static_cast<double>(up.z), -1.0, 1.0)) * 180.0 / std::numbers::pi;
}

// Euler's equations by the classical method of Runge and Kutta, in double precision and steps of 10 us.
glm::dquat turned_exactly(const dvec3& moments, const dvec3& spin, double seconds) {
    struct State {
        glm::dquat q;
        dvec3 w;
    };
    const auto rate = [&](const State& s) {
        const dvec3 l = moments * s.w;
        return State{0.5 * s.q * glm::dquat(0.0, s.w), -glm::cross(s.w, l) / moments};
    };
    const auto along = [](const State& s, const State& d, double h) { return State{s.q + h * d.q, s.w + h * d.w}; };
    State state{glm::dquat(1, 0, 0, 0), spin};
    const int steps = static_cast<int>(std::lround(seconds * 1e5));
    const double h = seconds / steps;
    for (int i = 0; i < steps; ++i) {
        const State a = rate(state), b = rate(along(state, a, 0.5 * h)), c = rate(along(state, b, 0.5 * h)),
                    d = rate(along(state, c, h));
        state.q = glm::normalize(state.q + (h / 6.0) * (a.q + 2.0 * b.q + 2.0 * c.q + d.q));
        state.w += (h / 6.0) * (a.w + 2.0 * b.w + 2.0 * c.w + d.w);
    }
    return state.q;
}

// Degrees between where a box is and should be after five turns about its middle axis, slightly disturbed.
double middle_axis_error(MakeEngine make) {
    BodyDef box = body_of(physics::Box{Vec3(1.0f, 0.6f, 0.2f)}, Vec3(0), 0.5f);
    const Vec3 spin(0.02f, 6.0f, 0.02f);
    box.angular_velocity = spin;
    physics::Settings settings;
    settings.gravity = Vec3(0.0f);
    Course course(make, {box}, settings);
    const int steps = static_cast<int>(std::lround(5.0 * 2.0 * std::numbers::pi / 6.0 * 60.0));
    course.run(steps);
    const physics::Mat3& inertia = course.model(0).inertia;
    const glm::dquat exact =
        turned_exactly(dvec3(inertia[0][0], inertia[1][1], inertia[2][2]), dvec3(spin), steps / 60.0);
    const glm::dquat is(course.body(0).pose.orientation), error = glm::conjugate(exact) * glm::normalize(is);
    return 2.0 * std::asin(std::min(glm::length(dvec3(error.x, error.y, error.z)), 1.0)) * 180.0 / std::numbers::pi;
}

} // namespace

std::vector<Trial> motion_trials() {
    return {{"box that slides at 4 m/s, friction 0.5: stops too far by mm", "0", "%.1f", stopping_error},
            {"ball that slides at 7 m/s, friction 0.4: rolls at m/s", "5", "%.4f", rolling_speed},
            {"Euler's disk: lies after s", "tens", "%.1f", time_of_disk},
            {"ball with its weight low, 20 rad/s: tilt after 20 s, degrees", "1.8", "%.1f", tilt_of_top},
            {"five turns about a disturbed middle axis: off by degrees", "0", "%.1f", middle_axis_error}};
}

} // namespace cairn::bench
