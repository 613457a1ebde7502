// What stands, beside the theory of rigid blocks: M. Milankovitch, "Theorie der Druckkurven" (1907) for the arch, the
// harmonic series for the overhang, the catenary for the arch that needs no thickness.
#include "bench/textbook/trial.h"
#include "tests/physics/behaviour/structures.h"

#include <cmath>
#include <numbers>

namespace cairn::bench {
namespace {

using physics::BodyDef;
using physics::Vec3;
using namespace physics::testing;

std::vector<BodyDef> on_floor(std::vector<BodyDef> bodies) {
    bodies.insert(bodies.begin(), floor_of(bodies.back().material.friction));
    return bodies;
}

// A distance in mm, or none if what should stand has fallen.
double millimetres(double metres, double fallen) {
    return metres < fallen ? 1e3 * metres : std::numeric_limits<double>::infinity();
}

double drift_of(MakeEngine make, std::vector<BodyDef> bodies, int seconds, double fallen) {
    Course course(make, on_floor(std::move(bodies)));
    course.run(60 * seconds);
    return millimetres(course.drift(), fallen);
}

bool stands(MakeEngine make, std::vector<BodyDef> bodies, int seconds) {
    Course course(make, on_floor(std::move(bodies)));
    course.run(60 * seconds);
    return course.drift() < 0.25;
}

double least_thickness(MakeEngine make, int wedges) {
    return limit_of_standing(0.08, 0.2, [&](float t) { return stands(make, thin_arch(wedges, t, 2.0f), 10); });
}

double least_friction(MakeEngine make, int wedges) {
    return limit_of_standing(0.2, 0.6, [&](float mu) { return stands(make, thin_arch(wedges, 0.2f, mu), 30); });
}

double greatest_overhang(MakeEngine make, int bricks) {
    const auto stand = [&](float share) {
        Course course(make, overhang(bricks, share));
        course.run(600);
        return course.sag() < 0.1;
    };
    return limit_of_standing(1.1, 0.3, stand);
}

double sink_under(MakeEngine make, int boxes, float ratio) {
    Course course(make, on_floor(loaded_tower(boxes, ratio)));
    course.run(600);
    return course.drift() < 0.25 ? millimetres(course.sag(), 0.9) : std::numeric_limits<double>::infinity();
}

// Stones of equal length along a hanging chain turned over, 0.5 m thick and 1 m deep, 20 m wide; the first and the last
// are fixed. Their line of thrust runs through their middles.
std::vector<BodyDef> catenary(int stones) {
    constexpr double half_width = 10.0, parameter = 5.0, half_thickness = 0.25;
    const double half_length = parameter * std::sinh(half_width / parameter);
    const double top = parameter * std::cosh(half_width / parameter);
    std::vector<BodyDef> bodies;
    for (int i = 0; i < stones; ++i) {
        auto points = std::make_shared<std::vector<Vec3>>();
        Vec3 middle(0.0f);
        for (const int end : {i, i + 1}) {
            const double s = half_length * (2.0 * end / stones - 1.0), x = parameter * std::asinh(s / parameter);
            const double z = top - parameter * std::cosh(x / parameter), slope = -std::sinh(x / parameter);
            const double across = half_thickness / std::sqrt(1.0 + slope * slope);
            for (const double side : {-across, across}) {
                for (const float y : {-0.5f, 0.5f}) {
                    points->emplace_back(static_cast<float>(x - side * slope), y, static_cast<float>(z + side));
                    middle += points->back() / 8.0f;
                }
            }
        }
        for (Vec3& p : *points) {
            p -= middle;
        }
        BodyDef def = body_of(physics::PointSet{points}, middle, 0.6f);
        def.pose.position += std::get<physics::Shape>(physics::build_shape(def.shapes.front().geometry)).author_offset;
        def.type = i == 0 || i + 1 == stones ? physics::BodyType::fixed : physics::BodyType::dynamic;
        bodies.push_back(std::move(def));
    }
    return bodies;
}

double catenary_drift(MakeEngine make, int stones) {
    Course course(make, catenary(stones));
    course.run(1200);
    return millimetres(std::max(course.drift(), course.sag()), 1.0);
}

// On a slope that friction holds.
double creep(MakeEngine make) {
    const float angle = std::atan(0.45f);
    BodyDef slope = floor_of(0.5f), box = body_of(physics::Box{Vec3(0.5f, 0.5f, 0.25f)}, Vec3(0), 0.5f);
    slope.pose.orientation = box.pose.orientation = glm::angleAxis(angle, Vec3(0, 1, 0));
    slope.pose.position = physics::rotate(slope.pose.orientation, Vec3(0, 0, -1));
    box.pose.position = physics::rotate(box.pose.orientation, Vec3(0, 0, 0.25f));
    Course course(make, {slope, box});
    course.run(60);
    const Vec3 settled = course.body(1).pose.position;
    course.run(24 * 60);
    return 1e3 * static_cast<double>(glm::distance(course.body(1).pose.position, settled));
}

double turntable_creep(MakeEngine make) {
    const Vec3 spin(0, 0, 1), at(1.5f, 0, 0.25f);
    BodyDef table = body_of(physics::Cylinder{3.0f, 0.1f}, Vec3(0, 0, -0.1f), 0.5f);
    table.type = physics::BodyType::kinematic;
    table.angular_velocity = spin;
    BodyDef rider = body_of(physics::Box{Vec3(0.25f)}, at, 0.5f);
    rider.angular_velocity = spin;
    rider.linear_velocity = glm::cross(spin, at);
    Course course(make, {table, rider});
    course.run(3600);
    const glm::dvec3 end(course.body(1).pose.position);
    return millimetres(std::abs(std::hypot(end.x, end.y) - 1.5), 1.5);
}

// Rings of eight boxes, each through the one above it, upright and crosswise; the first is fixed.
std::vector<BodyDef> ring_chain(int rings) {
    constexpr float radius = 0.5f, half = 0.1f;
    const float step = 2.0f * (radius - half); // they touch
    std::vector<BodyDef> bodies;
    for (int ring = 0; ring < rings; ++ring) {
        BodyDef def;
        def.type = ring == 0 ? physics::BodyType::fixed : physics::BodyType::dynamic;
        def.material.friction = 0.5f;
        def.pose.position = Vec3(0, 0, -step * static_cast<float>(ring));
        def.pose.orientation = glm::angleAxis(ring % 2 == 0 ? 0.0f : 0.5f * std::numbers::pi_v<float>, Vec3(0, 0, 1));
        for (int side = 0; side < 8; ++side) {
            const float angle = 0.25f * std::numbers::pi_v<float> * static_cast<float>(side);
            physics::Transform pose;
            pose.orientation = glm::angleAxis(angle, Vec3(0, 1, 0));
            pose.position = physics::rotate(pose.orientation, Vec3(0, 0, radius));
            def.shapes.push_back(
                {physics::Box{Vec3(radius * std::tan(std::numbers::pi_v<float> / 8.0f), half, half)}, pose});
        }
        bodies.push_back(std::move(def));
    }
    return bodies;
}

double ring_sink(MakeEngine make, int rings) {
    Course course(make, ring_chain(rings));
    course.run(1200);
    const double hung = static_cast<double>(course.start().bodies.back().pose.position.z);
    return millimetres(
        std::abs(static_cast<double>(course.body(static_cast<std::size_t>(rings) - 1).pose.position.z) - hung), 0.9);
}

double energy_of_heap(MakeEngine make) {
    std::vector<BodyDef> bodies = pen();
    bodies.push_back(floor_of(0.6f));
    for (BodyDef& gem : loose_diamonds(100)) {
        bodies.push_back(std::move(gem));
    }
    Course course(make, bodies);
    course.run(30 * 60);
    return course.kinetic_energy();
}

Trial row(std::string name, std::string theory, const char* format, std::function<double(MakeEngine)> measure) {
    return {std::move(name), std::move(theory), format, std::move(measure)};
}

} // namespace

std::vector<Trial> statics_trials() {
    std::vector<Trial> rows;
    for (const float friction : {0.3f, 0.5f, 0.8f}) {
        rows.push_back(
            row("102 crossed planks, friction " + std::to_string(friction).substr(0, 3) + ": drift in 60 s, mm", "0",
                "%.2g", [=](MakeEngine make) { return drift_of(make, plank_tower(6, friction), 60, 0.1); }));
    }
    for (const int wedges : {15, 25, 51}) {
        rows.push_back(row("arch of " + std::to_string(wedges) + " wedges: least thickness by radius",
                           wedges == 15 ? "0.106" : "0.107", "%.3f",
                           [=](MakeEngine make) { return least_thickness(make, wedges); }));
    }
    for (const int wedges : {15, 25}) {
        rows.push_back(row("arch of " + std::to_string(wedges) + " wedges, 0.2 thick: least friction", "0.309", "%.3f",
                           [=](MakeEngine make) { return least_friction(make, wedges); }));
    }
    for (const int bricks : {3, 5, 10, 20}) {
        rows.push_back(row("overhang of " + std::to_string(bricks) + " bricks by the harmonic sum", "1", "%.2f",
                           [=](MakeEngine make) { return greatest_overhang(make, bricks); }));
    }
    for (const float ratio : {100.0f, 400.0f, 1000.0f}) {
        rows.push_back(
            row("a cube under one " + std::to_string(static_cast<int>(ratio)) + " times as heavy: sinks by mm", "0",
                "%.2g", [=](MakeEngine make) { return sink_under(make, 1, ratio); }));
    }
    for (const float ratio : {200.0f, 500.0f, 1000.0f}) {
        rows.push_back(
            row("ten cubes under one " + std::to_string(static_cast<int>(ratio)) + " times as heavy: sinks by mm", "0",
                "%.2g", [=](MakeEngine make) { return sink_under(make, 10, ratio); }));
    }
    for (const int storeys : {3, 7, 10}) {
        rows.push_back(row("house of cards of " + std::to_string(storeys) + " storeys: drift in 30 s, mm", "0", "%.2g",
                           [=](MakeEngine make) { return drift_of(make, house_of_cards(storeys), 30, 0.3); }));
    }
    for (const int stones : {101, 501, 951}) {
        rows.push_back(row("catenary arch of " + std::to_string(stones) + " stones: moves in 20 s by mm", "0", "%.2g",
                           [=](MakeEngine make) { return catenary_drift(make, stones); }));
    }
    for (const int rings : {3, 10}) {
        rows.push_back(row("chain of " + std::to_string(rings) + " linked rings: sinks in 20 s by mm", "0", "%.2g",
                           [=](MakeEngine make) { return ring_sink(make, rings); }));
    }
    rows.push_back(row("box on a slope of 0.9 of its friction: creep in 24 s, mm", "0", "%.2g", creep));
    rows.push_back(row("box on a turntable, friction 0.5, 1 rad/s: creep in 60 s, mm", "0", "%.2g", turntable_creep));
    rows.push_back(row("100 diamonds in a pen: energy after 30 s, J", "0", "%.2g", energy_of_heap));
    return rows;
}

} // namespace cairn::bench
