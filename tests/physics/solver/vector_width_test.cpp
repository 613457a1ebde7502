// The same bits at every vector width that the processor has.
#include "tests/physics/solver/only_target.h"
#include "tests/physics/world/world_builder.h"

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <cstdint>
#include <set>
#include <vector>

namespace cairn::physics {
namespace {

using testing::add;
using testing::make_body;
using testing::make_floor;
using testing::OnlyTarget;

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

TEST(VectorWidth, ChangesNoBit) {
    const std::uint64_t widest = hash_of_crowd();
    int tried = 0;
    for (const std::int64_t target :
         {std::int64_t{HWY_AVX3}, std::int64_t{HWY_AVX2}, std::int64_t{HWY_SSE4}, std::int64_t{HWY_SCALAR}}) {
        if (target != HWY_SCALAR && (hwy::SupportedTargets() & target) == 0) {
            continue; // not on this processor
        }
        const OnlyTarget only(target);
        EXPECT_EQ(hash_of_crowd(), widest) << "target " << target;
        ++tried;
    }
    EXPECT_GE(tried, 1);
}

} // namespace
} // namespace cairn::physics
