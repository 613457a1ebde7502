// The answer to one impact: impulses between two bodies that meet at an instant.
#pragma once

#include "physics/solver/motion/motion.h"

#include <array>

namespace cairn::physics {

// One side of an impact. A body that nothing pushes has no inverse mass and no inverse inertia.
struct ImpactBody {
    Vec3 centre{0.0f};             // m, centre of mass, world
    Vec3 velocity{0.0f};           // m/s
    Vec3 spin{0.0f};               // rad/s, world
    float inverse_mass = 0.0f;     // 1/kg
    SymmetricMat3 inverse_inertia; // 1/(kg m^2), world
    Vec3 free_axes{1.0f};          // 0 along the axes of the world along which it is locked
};

struct ImpactContact {
    Vec3 normal{0.0f, 0.0f, 1.0f}; // unit, world, from A to B
    int count = 0;                 // 1..4
    std::array<Vec3, 4> points;    // m, world; both impulses of a point act there
    float friction = 0.0f;
    float restitution = 0.0f;
    float restitution_threshold = 0.0f; // m/s, slower points do not bounce
};

// Changes the velocities so that no point of the contact closes any more: Poisson's two phases, each solved by
// sequential impulses with Coulomb's cone. Compression brings the closing points to rest; restitution then parts those
// that came in faster than the threshold at `restitution` times that speed. Kinetic energy never grows (relative to a
// side that nothing pushes): where Newton's ratio together with friction would feed it, the second phase is given only
// in part. Momentum, linear and angular, is conserved to rounding. Returns false if no point was closing.
bool solve_impact(const ImpactContact& contact, ImpactBody& a, ImpactBody& b);

} // namespace cairn::physics
