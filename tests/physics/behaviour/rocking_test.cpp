// What rocks on something round, or hangs on it, rolls as it turns: nothing feeds that motion.
#include "tests/physics/behaviour/body_energy.h"

#include <cmath>
#include <functional>
#include <string>

namespace cairn::physics::testing {
namespace {

constexpr float pi = 3.14159265f;

Quat about_y(float angle) {
    return {std::cos(0.5f * angle), 0.0f, std::sin(0.5f * angle), 0.0f};
}
const Quat along_y{std::cos(0.25f * pi), std::sin(0.25f * pi), 0.0f, 0.0f}; // from the axis of a cylinder
const Quat along_x = about_y(0.5f * pi);

BodyDef rough(BodyDef def) {
    def.material = {0.8f, 0.0f, 0.0f};
    return def;
}

BodyDef rod(const Geometry& geometry, float height) {
    BodyDef def = rough(make_static(geometry, Vec3(0, 0, height)));
    def.pose.orientation = along_y;
    return def;
}

// Of a flat body on something round of the radius at `height`, rolled aside by the angle: its middle has been where
// that is highest.
BodyDef rolled_aside(BodyDef def, float radius, float half_thickness, float height, float angle) {
    const Vec3 normal(std::sin(angle), 0, std::cos(angle)), along(std::cos(angle), 0, -std::sin(angle));
    def.pose.position = Vec3(0, 0, height) + (radius + half_thickness) * normal - (radius * angle) * along;
    def.pose.orientation = about_y(angle);
    return rough(def);
}

// A ring of straight pieces, hung on the rod in the plane of x and z and pushed.
BodyDef ring(const std::function<ShapeDef(float)>& piece, float radius, float inner) {
    constexpr int pieces = 16;
    BodyDef def;
    for (int i = 0; i < pieces; ++i) {
        const float angle = 2.0f * pi * static_cast<float>(i) / pieces;
        ShapeDef shape = piece(radius * std::tan(pi / pieces));
        shape.pose.position = radius * Vec3(std::sin(angle), 0, std::cos(angle));
        shape.pose.orientation = about_y(angle) * shape.pose.orientation;
        def.shapes.push_back(shape);
    }
    def.pose.position = Vec3(0, 0, 2.05f - inner);
    def.angular_velocity = Vec3(0, 2, 0);
    def.linear_velocity = Vec3(-2.0f * inner, 0, 0);
    return rough(def);
}

struct Rocker {
    std::string name;
    BodyDef support, body;
};

struct Swing {
    double kinetic = 0.0; // J, the greatest kinetic energy in the first two seconds
    double gain = 0.0;    // J, of all energy in the ten after the first
};

Swing swing_of(const Rocker& rocker, float hz) {
    Settings settings = without_sleep();
    settings.hz = hz;
    World world(settings);
    add(world, rocker.support);
    const BodyId id = add(world, rocker.body);
    Swing found;
    const int second = static_cast<int>(hz);
    double before = 0.0;
    for (int step = 0; step < 11 * second; ++step) {
        world.step();
        if (step < 2 * second) {
            found.kinetic = std::max(found.kinetic, published(world).stats.kinetic_energy);
        }
        if (step == second) {
            before = mechanical_energy(world, id);
        }
    }
    found.gain = mechanical_energy(world, id) - before;
    return found;
}

class Rocking : public ::testing::TestWithParam<Rocker> {};

// With the normal and the place of the contact as they were at the start of the step, a board on a log gains a tenth of
// its energy every second.
TEST_P(Rocking, GainsNothingAndLosesLessTheShorterTheStep) {
    const Swing coarse = swing_of(GetParam(), 60.0f), fine = swing_of(GetParam(), 240.0f);
    EXPECT_GT(coarse.kinetic, 1.0);
    EXPECT_LT(coarse.gain, 0.0);
    EXPECT_GT(coarse.gain, -0.3 * coarse.kinetic);
    EXPECT_LT(fine.gain, 0.0);
    EXPECT_GT(fine.gain, 0.4 * coarse.gain);
}

const ShapeDef bar{Box{Vec3(1.0f, 0.3f, 0.05f)}, {}}, plate{Box{Vec3(1.0f, 1.0f, 0.05f)}, {}};

BodyDef of_shape(const ShapeDef& shape) {
    BodyDef def;
    def.shapes = {shape};
    return def;
}

INSTANTIATE_TEST_SUITE_P(Supports, Rocking,
                         ::testing::Values(Rocker{"board_on_a_log", rod(Cylinder{0.5f, 0.5f}, 0.5f),
                                                  rolled_aside(of_shape(bar), 0.5f, 0.05f, 0.5f, 0.15f)},
                                           Rocker{"board_on_a_capsule", rod(Capsule{0.5f, 0.5f}, 0.5f),
                                                  rolled_aside(of_shape(bar), 0.5f, 0.05f, 0.5f, 0.15f)},
                                           Rocker{"plate_on_a_ball", rough(make_static(Sphere{0.5f}, Vec3(0, 0, 0.5f))),
                                                  rolled_aside(of_shape(plate), 0.5f, 0.05f, 0.5f, 0.1f)},
                                           Rocker{"ring_of_boxes_on_a_rod", rod(Cylinder{0.05f, 0.5f}, 2.0f),
                                                  ring(
                                                      [](float half) {
                                                          return ShapeDef{Box{Vec3(half, 0.05f, 0.03f)}, {}};
                                                      },
                                                      0.5f, 0.47f)},
                                           Rocker{"ring_of_capsules_on_a_rod", rod(Capsule{0.05f, 0.5f}, 2.0f),
                                                  ring(
                                                      [](float half) {
                                                          return ShapeDef{Capsule{0.05f, half}, {Vec3(0.0f), along_x}};
                                                      },
                                                      0.5f, 0.45f)}),
                         [](const auto& test) { return test.param.name; });

// Nothing rolls at rest. Taken along by velocities of which the warm start had not yet been through all bodies, logs
// crept by 0.4 mm a minute.
TEST(Rocking, APileOfLogsLiesStill) {
    World world(without_sleep());
    add(world, make_floor());
    for (const float side : {-1.0f, 1.0f}) {
        add(world, make_static(Box{Vec3(0.2f, 2, 1)}, Vec3(3.2f * side, 0, 1)));
    }
    constexpr int rows = 6;
    for (int row = 0; row < rows; ++row) {
        for (int i = 0; i < rows - row; ++i) {
            const float across = static_cast<float>(i) - 0.5f * static_cast<float>(rows - 1 - row);
            BodyDef log = make_body(Cylinder{0.5f, 1.0f}, Vec3(across, 0, 0.5f + 0.87f * static_cast<float>(row)));
            log.pose.orientation = along_y;
            add(world, log);
        }
    }
    run(world, 600);
    EXPECT_LT(published(world).stats.kinetic_energy, 1e-9);
}

} // namespace
} // namespace cairn::physics::testing
