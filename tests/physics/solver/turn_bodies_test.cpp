// Bodies that are turned together, one in each lane, get the same bits as each alone, at every vector width.
#include "physics/solver/motion/integrate.h"
#include "physics/solver/turns/turn_bodies.h"
#include "tests/physics/solver/only_target.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

namespace cairn::physics {
namespace {

using testing::OnlyTarget;

constexpr float h = 1.0f / 240.0f; // s

struct Bodies {
    std::vector<BodyMotion> motions;
    std::vector<BodyDynamics> dynamics;
    std::vector<PrincipalInertia> principal;
    std::vector<std::uint32_t> all;
};

// Of all sorts: at rest, slow, and as fast as needs several pieces; with one moment of inertia and with three; without
// mass. The first never moves.
Bodies make_bodies(std::size_t count) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> any(-1.0f, 1.0f);
    const auto vector = [&] { return Vec3(any(random), any(random), any(random)); };
    Bodies out;
    out.motions.resize(count);
    out.dynamics.resize(count);
    out.principal.resize(count);
    out.all.resize(count - 1);
    std::iota(out.all.begin(), out.all.end(), 1u);
    for (std::size_t i = 1; i < count; ++i) {
        constexpr std::array<float, 4> rates{0.0f, 0.01f, 5.0f, 300.0f}; // rad/s
        out.motions[i].angular_velocity = rates[i % 4] * vector();
        out.motions[i].delta_rotation = normalized(Quat(2.0f, any(random), any(random), any(random)));
        out.motions[i].inverse_mass = i % 7 == 0 ? 0.0f : 1.0f;
        out.dynamics[i].start_orientation = normalized(Quat(any(random), any(random), any(random), any(random)));
        if (i % 3 != 0) {
            SymmetricMat3 inertia{2.0f + any(random), 3.0f + any(random), 4.0f + any(random)};
            inertia.xy = 0.2f * any(random);
            out.principal[i] = principal_inertia(inertia);
            out.dynamics[i].principal = &out.principal[i];
        }
    }
    return out;
}

bool same_bits(const std::vector<BodyMotion>& a, const std::vector<BodyMotion>& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(BodyMotion)) == 0;
}

TEST(TurnBodies, TogetherAsOneByOneAtEveryWidth) {
    const Bodies before = make_bodies(300);
    std::vector<BodyMotion> alone = before.motions;
    for (const std::uint32_t i : before.all) {
        turn_bodies({&i, 1}, alone, before.dynamics, h);
    }
    EXPECT_FALSE(same_bits(alone, before.motions));
    for (const std::int64_t target :
         {std::int64_t{HWY_AVX3}, std::int64_t{HWY_AVX2}, std::int64_t{HWY_SSE4}, std::int64_t{HWY_SCALAR}}) {
        if (target != HWY_SCALAR && (hwy::SupportedTargets() & target) == 0) {
            continue; // not on this processor
        }
        const OnlyTarget only(target);
        std::vector<BodyMotion> together = before.motions;
        turn_bodies(before.all, together, before.dynamics, h);
        EXPECT_TRUE(same_bits(together, alone)) << "target " << target;
    }
}

TEST(TurnBodies, FreeOnesKeepTheirAngularMomentum) {
    Bodies bodies = make_bodies(300);
    const auto momentum = [&](std::uint32_t i) {
        const BodyMotion& motion = bodies.motions[i];
        const glm::dquat q =
            glm::normalize(glm::dquat(motion.delta_rotation) * glm::dquat(bodies.dynamics[i].start_orientation) *
                           bodies.principal[i].axes);
        return q * (bodies.principal[i].moments * (glm::conjugate(q) * glm::dvec3(motion.angular_velocity)));
    };
    int free = 0, changed = 0;
    for (const std::uint32_t i : bodies.all) {
        if (bodies.dynamics[i].principal == nullptr || bodies.motions[i].inverse_mass == 0.0f) {
            continue;
        }
        const Vec3 spin = bodies.motions[i].angular_velocity;
        const glm::dvec3 before = momentum(i);
        for (int step = 0; step < 20; ++step) {
            turn_bodies({&i, 1}, bodies.motions, bodies.dynamics, h);
        }
        EXPECT_LE(glm::distance(momentum(i), before), 1e-5 * glm::length(before)) << i;
        ++free;
        changed += glm::distance(bodies.motions[i].angular_velocity, spin) > 0.01f * glm::length(spin) ? 1 : 0;
    }
    EXPECT_GT(free, 100);
    EXPECT_GT(changed, 50) << "nothing was there to tell it from turning by the angular velocity";
}

} // namespace
} // namespace cairn::physics
