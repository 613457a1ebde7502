// Rows that do not fit into the caches are worked on by code of their own, which asks for what comes next: the same
// bits as where all is near.
#include "tests/physics/solver/only_target.h"
#include "tests/physics/world/world_builder.h"

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <cstdint>

namespace cairn::physics {
namespace {

using testing::add;
using testing::make_body;
using testing::make_floor;
using testing::OnlyTarget;

// In eight parts, so that the rows of each are few.
class EightParts final : public Executor {
  public:
    void parallel_for(std::size_t count, std::size_t grain, const Block& block) override {
        serial_.parallel_for(count, grain, block);
    }
    int thread_count() const override { return 8; }

  private:
    SerialExecutor serial_;
};

// Rows of every kind, and many: bodies packed so that each meets its neighbours from the first step on, in place of a
// long fall.
std::uint64_t hash_of_packed(Executor* executor) {
    World world({}, executor);
    add(world, make_floor());
    for (int i = 0; i < 2000; ++i) {
        const auto x = static_cast<float>(i % 14), y = static_cast<float>(i / 14 % 14);
        const auto z = static_cast<float>(i / 196);
        const Vec3 place(0.79f * x + 0.02f * z, 0.79f * y - 0.01f * z, 0.395f + 0.79f * z);
        BodyDef def = i % 3 == 0   ? make_body(Box{Vec3(0.4f)}, place)
                      : i % 3 == 1 ? make_body(Sphere{0.4f}, place)
                                   : make_body(Diamond{0.6f}, place);
        def.angular_velocity = Vec3(0.1f * y, -0.2f * x, 0.3f);
        def.material.restitution = i % 4 == 0 ? 0.5f : 0.0f;
        def.material.rolling_resistance = i % 5 == 0 ? 0.05f : 0.0f;
        add(world, def);
    }
    for (int i = 0; i < 6; ++i) {
        world.step();
    }
    return world.hash();
}

TEST(FarBlocks, ChangeNoBit) {
    const std::uint64_t far = hash_of_packed(nullptr);
    EightParts executor;
    EXPECT_EQ(hash_of_packed(&executor), far);
    for (const std::int64_t target : {std::int64_t{HWY_AVX2}, std::int64_t{HWY_SSE4}, std::int64_t{HWY_SCALAR}}) {
        if (target != HWY_SCALAR && (hwy::SupportedTargets() & target) == 0) {
            continue; // not on this processor
        }
        const OnlyTarget only(target);
        EXPECT_EQ(hash_of_packed(nullptr), far) << "target " << target;
    }
}

} // namespace
} // namespace cairn::physics
