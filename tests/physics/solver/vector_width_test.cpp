// The same bits at every vector width that the processor has.
#include "physics/solver/motion/colouring.h"
#include "tests/physics/joints/joint_builder.h"
#include "tests/physics/solver/only_target.h"
#include "tests/physics/world/world_builder.h"

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

namespace cairn::physics {
namespace {

using testing::add;
using testing::make_body;
using testing::make_floor;
using testing::OnlyTarget;
using testing::published;

// A crowd of boxes, balls and diamonds that falls, meets, bounces and rolls: rows of every kind.
std::uint64_t hash_of_crowd() {
    World world;
    add(world, make_floor());
    for (int i = 0; i < 90; ++i) {
        const auto x = static_cast<float>(i % 3), y = static_cast<float>(i / 3 % 3), z = static_cast<float>(i / 9);
        const Vec3 place(0.9f * x + 0.05f * z, 0.9f * y - 0.03f * z, 0.7f + 1.05f * z);
        BodyDef def = i % 3 == 0   ? make_body(Box{Vec3(0.3f, 0.4f, 0.25f)}, place)
                      : i % 3 == 1 ? make_body(Sphere{0.4f}, place)
                                   : make_body(Diamond{0.4f}, place);
        def.angular_velocity = Vec3(0.5f * y, -0.7f * x, 0.2f);
        def.material.restitution = i % 4 == 0 ? 0.5f : 0.0f;
        def.material.rolling_resistance = i % 5 == 0 ? 0.05f : 0.0f;
        add(world, def);
    }
    for (int i = 0; i < 120; ++i) {
        world.step();
    }
    return world.hash();
}

// A tray that lies on balls and carries more than its contacts find colours for: those left over are solved one after
// the other.
std::uint64_t hash_of_tray() {
    World world;
    add(world, make_floor());
    add(world, make_body(Box{Vec3(4.0f, 4.0f, 0.1f)}, Vec3(0, 0, 0.69f)));
    for (int i = 0; i < 64; ++i) {
        const auto x = static_cast<float>(i % 8) - 3.5f, y = static_cast<float>(i / 8) - 3.5f;
        BodyDef above = i % 3 == 0   ? make_body(Box{Vec3(0.3f)}, Vec3(0.95f * x, 0.95f * y, 1.1f))
                        : i % 3 == 1 ? make_body(Sphere{0.3f}, Vec3(0.95f * x, 0.95f * y, 1.1f))
                                     : make_body(Capsule{0.2f, 0.2f}, Vec3(0.95f * x, 0.95f * y, 1.0f));
        above.pose.orientation = i % 3 == 2 ? Quat(0.70710678f, 0.70710678f, 0.0f, 0.0f) : Quat(1, 0, 0, 0);
        above.material.rolling_resistance = i % 5 == 0 ? 0.05f : 0.0f;
        above.linear_velocity = Vec3(0.3f * y, -0.3f * x, 0.0f);
        add(world, above);
        if (i % 4 == 0) {
            add(world, make_body(Sphere{0.29f}, Vec3(x, y, 0.29f)));
        }
    }
    std::uint32_t colours = 0;
    for (int i = 0; i < 60; ++i) {
        world.step();
        colours = std::max(colours, published(world).stats.colours);
    }
    EXPECT_EQ(colours, Colouring::colour_count) << "no contact was left over";
    return world.hash();
}

// Cones that roll on their sides among capsules, rods and boxes on edge that lie, roll and tip there: rows of two
// points of every kind, side by side.
std::uint64_t hash_of_cones() {
    World world;
    add(world, make_floor());
    const Quat along_y(0.70710678f, -0.70710678f, 0.0f, 0.0f); // from the axis of what lies
    for (int i = 0; i < 49; ++i) {
        const auto x = static_cast<float>(i % 7) - 3.0f, y = static_cast<float>(i / 7) - 3.0f;
        const Vec3 place(1.1f * x, 1.1f * y, 0.0f);
        BodyDef def = i % 4 == 1   ? make_body(Capsule{0.2f, 0.3f}, place + Vec3(0, 0, 0.2f))
                      : i % 4 == 2 ? make_body(Cylinder{0.2f, 0.4f}, place + Vec3(0, 0, 0.2f))
                      : i % 4 == 3 ? make_body(Box{Vec3(0.2f, 0.2f, 0.4f)}, place + Vec3(0, 0, 0.29f))
                                   : make_body(Cone{0.3f, 0.7f}, place + Vec3(0, 0, 0.22f));
        const float angle = i % 4 == 0 ? 0.4048918f : i % 4 == 3 ? 0.79f : 0.0f; // by which it lies on its side
        const Quat tip = i % 4 == 3 ? Quat(std::cos(0.5f * angle), 0, 0, std::sin(0.5f * angle))
                                    : Quat(std::cos(0.5f * angle), std::sin(0.5f * angle), 0, 0);
        def.pose.orientation = i % 4 == 3 ? along_y * tip : tip * along_y;
        def.angular_velocity = Vec3(0, 0.8f * x, 0.3f * y);
        def.linear_velocity = Vec3(0.2f * x, 0, 0);
        def.material.rolling_resistance = i % 5 == 0 ? 0.01f : 0.0f;
        add(world, def);
    }
    for (int i = 0; i < 90; ++i) {
        world.step();
    }
    return world.hash();
}

// Figures that fall onto each other: joints of three to six rows whose brakes, cones and limits act, a chain and a
// loop.
std::uint64_t hash_of_mechanisms() {
    World world;
    add(world, make_floor());
    for (int i = 0; i < 6; ++i) {
        const Vec3 place(0.4f * static_cast<float>(i % 2), 0.3f * static_cast<float>(i % 3),
                         1.0f + static_cast<float>(i));
        BodyId before;
        for (int k = 0; k < 5; ++k) {
            BodyDef part = make_body(Capsule{0.1f, 0.15f}, place + Vec3(0.6f * static_cast<float>(k), 0, 0));
            part.angular_velocity = Vec3(0.3f, -0.5f * static_cast<float>(k), 0.7f);
            const BodyId body = add(world, part);
            if (k > 0) {
                const Vec3 anchor = place + Vec3(0.6f * static_cast<float>(k) - 0.3f, 0, 0);
                JointDef def = testing::joint_at(
                    world,
                    std::array{JointKind::ball, JointKind::hinge, JointKind::weld, JointKind::universal}[(i + k) % 4],
                    before, body, anchor);
                def.motor = def.kind == JointKind::ball || def.kind == JointKind::hinge
                                ? std::optional(JointMotor{0.0f, 2.0f})
                                : std::nullopt;
                if (def.kind == JointKind::ball) {
                    def.cone = 0.6f;
                }
                if (def.kind == JointKind::ball || def.kind == JointKind::hinge) {
                    def.limits = JointLimits{-0.4f, 0.5f};
                }
                testing::join(world, def);
            }
            before = body;
        }
    }
    for (int i = 0; i < 120; ++i) {
        world.step();
    }
    return world.hash();
}

// Cubes side by side, of whose contacts most bear nothing, and a few balls that fall on them: lanes that are left as
// they are beside lanes that bear.
std::uint64_t hash_of_flush_cubes() {
    World world;
    add(world, make_floor());
    for (int i = 0; i < 75; ++i) {
        const auto x = static_cast<float>(i % 5), y = static_cast<float>(i / 5 % 5), z = static_cast<float>(i / 25);
        add(world, make_body(Box{Vec3(0.25f)}, Vec3(0.5f * x, 0.5f * y, 0.25f + 0.5f * z)));
    }
    for (int i = 0; i < 4; ++i) {
        add(world, make_body(Sphere{0.2f}, Vec3(0.3f + 0.4f * static_cast<float>(i), 1.0f, 2.5f)));
    }
    for (int i = 0; i < 90; ++i) {
        world.step();
    }
    return world.hash();
}

void expect_same_at_every_width(std::uint64_t (*hash)()) {
    const std::uint64_t widest = hash();
    int tried = 0;
    for (const std::int64_t target :
         {std::int64_t{HWY_AVX3}, std::int64_t{HWY_AVX2}, std::int64_t{HWY_SSE4}, std::int64_t{HWY_SCALAR}}) {
        if (target != HWY_SCALAR && (hwy::SupportedTargets() & target) == 0) {
            continue; // not on this processor
        }
        const OnlyTarget only(target);
        EXPECT_EQ(hash(), widest) << "target " << target;
        ++tried;
    }
    EXPECT_GE(tried, 1);
}

TEST(VectorWidth, ChangesNoBit) {
    expect_same_at_every_width(hash_of_crowd);
}

TEST(VectorWidth, ChangesNoBitOfMechanisms) {
    expect_same_at_every_width(hash_of_mechanisms);
}

TEST(VectorWidth, ChangesNoBitOfCones) {
    expect_same_at_every_width(hash_of_cones);
}

TEST(VectorWidth, ChangesNoBitOfContactsThatBearNothing) {
    expect_same_at_every_width(hash_of_flush_cubes);
}

TEST(VectorWidth, ChangesNoBitOfContactsInTurn) {
    expect_same_at_every_width(hash_of_tray);
}

} // namespace
} // namespace cairn::physics
