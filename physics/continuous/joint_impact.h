// The answer to impacts that cannot be told apart: bodies squeezed between others.
#pragma once

#include "physics/base/bytes.h"
#include "physics/continuous/impact_side.h"

#include <cstdint>
#include <span>
#include <vector>

namespace cairn::physics {

struct JointContact {
    std::uint32_t a = 0, b = 0; // bodies, by index; the normal leads from A to B
    ImpactContact contact;      // its restitution is not used
};

// Answered one by one, the impacts of a body between two others follow each other in ever shorter times and time does
// not move on. Here all contacts are solved together, by sequential impulses without restitution, until no point closes
// any more. Momentum, linear and angular, is conserved to rounding.
class JointImpact {
  public:
    // Changes the velocities of `bodies`. `partings`: m/s along the normal that every point of a contact must have at
    // least; 0 where there are none.
    void solve(std::span<const JointContact> contacts, std::span<const float> partings, bool friction,
               std::span<ImpactBody> bodies);
    // Of the last solve, by contact: on B, world, N s.
    std::span<const Vec3> impulses() const { return impulses_; }
    std::size_t memory_bytes() const { return bytes_of(rows_) + bytes_of(sides_) + bytes_of(impulses_); } // of heap

  private:
    struct Row {
        std::uint32_t contact = 0, a = 0, b = 0;
        glm::dvec3 arm_a{0.0}, arm_b{0.0}, n{0.0}, t1{0.0}, t2{0.0};
        double normal_mass = 0.0, tangent_mass = 0.0, friction = 0.0, parting = 0.0;
        double normal = 0.0, tangent_1 = 0.0,
               tangent_2 = 0.0; // impulses so far, N s
    };
    std::vector<Row> rows_;
    std::vector<ImpactSide> sides_;
    std::vector<Vec3> impulses_;
};

} // namespace cairn::physics
