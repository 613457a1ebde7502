// Pinned random input for the geometry tests: the same numbers on every machine and with every standard library.
#pragma once

#include "physics/base/hash.h"
#include "physics/base/math.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::physics::geometry_testing {

// SplitMix64 (Steele, Lea and Flood 2014).
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() { return mix_bits(state_ += 0x9e3779b97f4a7c15u); }
    float uniform(float low, float high) {
        return low + (high - low) * static_cast<float>(static_cast<double>(bits() >> 40) / 16777216.0);
    }
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(bits() % count); }
    Vec3 in_cube() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }
    Vec3 in_ball() {
        for (;;) {
            const Vec3 p = in_cube();
            if (glm::dot(p, p) <= 1.0f) {
                return p;
            }
        }
    }
    Vec3 direction() {
        for (;;) {
            const Vec3 p = in_ball();
            if (glm::dot(p, p) > 1e-4f) {
                return p / std::sqrt(glm::dot(p, p));
            }
        }
    }
    Quat rotation() {
        for (;;) {
            const Vec3 v = in_cube(); // one draw per statement: compilers order arguments differently
            const Quat q(uniform(-1, 1), v.x, v.y, v.z);
            const float length2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
            if (length2 > 0.01f && length2 <= 1.0f) {
                return normalized(q);
            }
        }
    }

  private:
    std::uint64_t state_;
};

struct NamedPoints {
    std::string name;
    std::vector<Vec3> points;
};

// One point set of every family that has ever troubled a hull builder, about 1 m in size, in its own frame.
std::vector<NamedPoints> point_families(std::uint64_t seed);

// Sets of a few thousand points that make a builder's worst cases: rims of prisms, crossing circles, parabolas, noise
// at the tolerance, slivers.
std::vector<NamedPoints> adversarial_sets(std::uint64_t seed);

inline std::vector<Vec3> placed(std::vector<Vec3> points, float scale, const Quat& rotation, const Vec3& offset) {
    for (Vec3& p : points) {
        p = rotate(rotation, scale * p) + offset;
    }
    return points;
}

inline float extent_of(const std::vector<Vec3>& points) {
    Vec3 low = points.front();
    Vec3 high = low;
    for (const Vec3& p : points) {
        low = glm::min(low, p);
        high = glm::max(high, p);
    }
    const Vec3 d = high - low;
    return glm::max(d.x, glm::max(d.y, d.z));
}

} // namespace cairn::physics::geometry_testing
