// Bodies that start inside each other come apart gently, and those that only touch stay.
#include "tests/physics/world/world_builder.h"
#include "tests/sanitized.h"

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace cairn::physics::testing {
namespace {

struct Parting {
    float fastest = 0.0f; // m/s, of any body at any time
    float deepest = 0.0f; // m, at the end
};

Parting part(World& world, int steps) {
    Parting result;
    for (int step = 0; step < steps; ++step) {
        world.step();
        for (const BodyId id : world.body_ids()) {
            result.fastest = std::max(result.fastest, glm::length(state_of(world, id).linear_velocity));
        }
    }
    result.deepest = published(world).stats.max_penetration;
    return result;
}

TEST(Overlap, PairsOfEveryKindPartNoFasterThanTheLimit) {
    const std::vector<Geometry> kinds{Sphere{0.5f},         Box{Vec3(0.5f)},  Capsule{0.3f, 0.4f},
                                      Cylinder{0.4f, 0.4f}, Cone{0.5f, 1.0f}, Diamond{0.6f}};
    for (std::size_t a = 0; a < kinds.size(); ++a) {
        for (std::size_t b = a; b < kinds.size(); ++b) {
            for (const Vec3& offset : {Vec3(0), Vec3(0.05f, 0.02f, 0.1f), Vec3(0, 0, 0.4f)}) {
                Settings settings;
                settings.gravity = Vec3(0);
                World world(settings);
                add(world, make_body(kinds[a], Vec3(0)));
                add(world, make_body(kinds[b], offset));
                const Parting parting = part(world, 150);
                // The spring limits the speed at the contact; a body's own share of it is less.
                EXPECT_LT(parting.fastest, settings.max_push_speed) << "kinds " << a << " and " << b;
                EXPECT_LT(parting.deepest, 0.02f) << "kinds " << a << " and " << b;
            }
        }
    }
}

TEST(Overlap, TheLimitIsTheOneThatIsSet) {
    for (const float limit : {0.5f, 3.0f}) {
        Settings settings;
        settings.gravity = Vec3(0);
        settings.max_push_speed = limit;
        World world(settings);
        add(world, make_body(Box{Vec3(0.5f)}, Vec3(0)));
        add(world, make_body(Box{Vec3(0.5f)}, Vec3(0.1f, 0, 0.2f)));
        const float fastest = part(world, 60).fastest;
        EXPECT_LT(fastest, limit);
        EXPECT_GT(fastest, 0.02f * limit) << "they were not pushed at all";
    }
}

// Many bodies made in one place: pushes add up along chains of bodies, but nothing is shot away.
TEST(Overlap, CrowdInOnePlaceIsNotAnExplosion) {
    World world;
    add(world, make_floor());
    for (int i = 0; i < 27; ++i) {
        const Vec3 cell(static_cast<float>(i % 3), static_cast<float>(i / 3 % 3), static_cast<float>(i / 9));
        add(world, make_body(i % 2 == 0 ? Geometry(Box{Vec3(0.5f)}) : Geometry(Sphere{0.5f}),
                             0.45f * cell + Vec3(0, 0, 0.4f)));
    }
    float highest = 0.0f, fastest = 0.0f;
    for (int step = 0; step < 240; ++step) {
        world.step();
        for (const BodyId id : world.body_ids()) {
            const BodyState state = state_of(world, id);
            highest = std::max(highest, state.pose.position.z);
            fastest = std::max(fastest, glm::length(state.linear_velocity));
        }
    }
    // Three layers deep, each may leave its neighbour at the push speed.
    EXPECT_LT(fastest, 3.0f * world.settings().max_push_speed);
    EXPECT_LT(highest, 5.0f);
    EXPECT_LT(published(world).stats.max_penetration, 0.02f);
}

// All in a hundredth of their size, turned every way: what contacts ask for then grows without end, since normals turn
// with every move.
TEST(Overlap, HundredsInOnePointLeaveItWithoutAnExplosion) {
    for (const Geometry& shape : {Geometry(Sphere{0.2f}), Geometry(Box{Vec3(0.2f)})}) {
        World world;
        add(world, make_floor());
        constexpr int count = 400;
        for (int i = 0; i < count; ++i) {
            const auto at = [i](float k) { return 0.005f * std::sin(12.9898f * static_cast<float>(i) + k); };
            BodyDef def = make_body(shape, Vec3(at(1), at(2), 3.0f + at(3)));
            def.mass = 1.0f;
            add(world, def);
        }
        const Parting parting = part(world, sanitized ? 40 : 300);
        // They spread over some ten layers, each of which may leave the one below at the push speed.
        EXPECT_LT(parting.fastest, 8.0f * world.settings().max_push_speed);
        EXPECT_LT(published(world).stats.kinetic_energy, 0.5 * count * (sanitized ? 81.0 : 9.0)) << "of all";
    }
}

TEST(Overlap, BoxSunkIntoTheFloorRisesWithoutALeap) {
    World world;
    add(world, make_floor());
    const BodyId box = add(world, make_body(Box{Vec3(0.5f)}, Vec3(0, 0, 0.1f)));
    float highest = 0.0f, fastest = 0.0f;
    for (int step = 0; step < 180; ++step) {
        world.step();
        highest = std::max(highest, state_of(world, box).pose.position.z);
        fastest = std::max(fastest, state_of(world, box).linear_velocity.z);
    }
    EXPECT_LT(highest, 0.52f);
    EXPECT_LT(fastest, world.settings().max_push_speed);
    EXPECT_NEAR(state_of(world, box).pose.position.z, 0.5f, 0.005f);
}

// Crosses of three beams in one another: what stiff springs push with must not become a blow when softer ones follow.
TEST(Overlap, CrossesInOneAnotherPartInPeace) {
    for (int seed = 0; seed < 8; ++seed) {
        World world(without_sleep());
        add(world, make_floor());
        std::mt19937 random(static_cast<unsigned>(seed));
        std::uniform_real_distribution<float> any(-1.0f, 1.0f);
        const auto draw = [&] {
            const float x = any(random);
            const float y = any(random);
            return Vec3(x, y, any(random));
        };
        for (int i = 0; i < 3 + 2 * seed; ++i) {
            BodyDef cross;
            for (const Vec3& half : {Vec3(0.4f, 0.06f, 0.06f), Vec3(0.06f, 0.4f, 0.06f), Vec3(0.06f, 0.06f, 0.4f)}) {
                cross.shapes.push_back({Box{half}, {}});
            }
            cross.pose.position = Vec3(0, 0, 1.5f) + 0.3f * draw();
            const Vec3 turn = draw();
            cross.pose.orientation = glm::angleAxis(3.0f * glm::length(turn), glm::normalize(turn));
            add(world, cross);
        }
        float fastest = 0.0f;
        for (int step = 0; step < 120; ++step) {
            world.step();
            const FrameState frame = published(world);
            ASSERT_TRUE(frame.stopped.empty()) << seed;
            for (const BodyState& body : frame.bodies) {
                fastest = std::max(fastest, glm::length(body.linear_velocity));
            }
        }
        EXPECT_LT(fastest, 20.0f) << seed; // seventeen in one heap part at 16 m/s
    }
}

// Cells filled without a gap: nothing may press anything out.
TEST(Overlap, FlushBlockOfBoxesStaysTogether) {
    Settings settings;
    settings.gravity = Vec3(0);
    World world(settings);
    std::vector<BodyDef> defs;
    for (int i = 0; i < 64; ++i) {
        defs.push_back(make_body(Box{Vec3(0.5f)}, Vec3(i % 4, i / 4 % 4, i / 16)));
        add(world, defs.back());
    }
    run(world, 300);
    const std::vector<BodyId> ids = world.body_ids();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        EXPECT_LT(glm::length(state_of(world, ids[i]).pose.position - defs[i].pose.position), 1e-3f) << i;
    }
}

// Each contact may part at the limit, and in a stack their speeds add up: ten cubes that lay 5 mm in each other were
// thrown up at 11 m/s.
TEST(Overlap, StacksALittleInEachOtherRiseGently) {
    for (const float overlap : {0.005f, 0.02f, 0.05f}) {
        for (const bool upright : {true, false}) {
            World world(without_sleep());
            add(world, make_floor());
            for (int i = 0; i < 10; ++i) {
                const float along = (1.0f - overlap) * static_cast<float>(i);
                add(world, make_body(Box{Vec3(0.5f)}, upright ? Vec3(0, 0, 0.5f + along) : Vec3(along, 0, 0.5f)));
            }
            EXPECT_LT(part(world, 30).fastest, 4.0f) << overlap << (upright ? " upright" : " in a row");
        }
    }
}

} // namespace
} // namespace cairn::physics::testing
