// Pairs of elastic bodies that meet turning: whatever rim, edge or cap it is, no energy is lost.
#include "tests/physics/geometry/generators.h"
#include "tests/physics/world/world_builder.h"

#include <string>

namespace cairn::physics::testing {
namespace {

struct Pair {
    std::string name;
    Geometry a, b;
};

class ElasticPairs : public ::testing::TestWithParam<Pair> {};

// A rim that touches a body of its own size leaves that body's face when it rolls on. Followed along the whole circle,
// as on a floor, it would touch where the other body is not.
TEST_P(ElasticPairs, KeepTheirEnergy) {
    geometry_testing::Random random(3);
    Settings settings = weightless();
    settings.restitution_threshold = 0.01f; // slow impacts bounce as well
    World world(settings);
    constexpr int pairs = 200;
    for (int i = 0; i < pairs; ++i) {
        const Vec3 middle(20.0f * static_cast<float>(i), 0, 0);
        for (const float side : {-1.0f, 1.0f}) {
            BodyDef def = make_body(side < 0.0f ? GetParam().a : GetParam().b, middle);
            def.pose.position += Vec3(side, 0.0f, 0.0f) + 0.1f * random.in_cube();
            def.pose.orientation = random.rotation();
            def.linear_velocity = Vec3(-4.0f * side, 0, 0);
            def.angular_velocity = 3.0f * random.in_cube();
            def.material = {0.0f, 1.0f, 0.0f};
            add(world, def);
        }
    }
    const double before = published(world).stats.kinetic_energy;
    run(world, 40);
    EXPECT_NEAR(published(world).stats.kinetic_energy / before, 1.0, 2e-3);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ElasticPairs,
                         ::testing::Values(Pair{"cylinders", Cylinder{0.25f, 0.2f}, Cylinder{0.25f, 0.2f}},
                                           Pair{"disks", Cylinder{0.4f, 0.05f}, Cylinder{0.4f, 0.05f}},
                                           Pair{"cones", Cone{0.3f, 0.5f}, Cone{0.3f, 0.5f}},
                                           Pair{"cylinder_and_ball", Cylinder{0.25f, 0.2f}, Sphere{0.25f}},
                                           Pair{"cone_and_box", Cone{0.3f, 0.5f}, Box{Vec3(0.25f, 0.2f, 0.15f)}},
                                           Pair{"boxes", Box{Vec3(0.25f, 0.2f, 0.15f)}, Box{Vec3(0.25f, 0.2f, 0.15f)}}),
                         [](const auto& test) { return test.param.name; });

} // namespace
} // namespace cairn::physics::testing
