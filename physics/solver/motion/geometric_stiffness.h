// What pulls on a body's joints do to its turning.
#pragma once

#include "physics/solver/motion/motion.h"

namespace cairn::physics {

// A pull on an arm turns a body back like a spring: turned by a small angle t, the arm r has moved by t x r, and the
// pull f has the torque (t x r) x f = -((r . f) t - r (f . t)). A pull that is taken where the arm was at the start of
// a substep of h seconds makes that swing grow instead, from about h omega = 2 on; taken where it will be at its end,
// it adds h^2 times the spring's stiffness to the inertia. That is what light links between heavy bodies need, and
// nothing else: below `free_stiffness` a body keeps its inertia and with it its energy (after S. Andrews, M. Teichmann
// and P. Kry, "Geometric Stiffness for Real-time Constrained Multibody Dynamics", 2017).
class GeometricStiffness {
  public:
    // (h omega)^2 that needs nothing.
    static constexpr double free_stiffness = 1.0;

    // `arm` in m, `impulse` in N s within a substep of `h` s, both world: of the body's joints, one after the other.
    void add(const Vec3& arm, const Vec3& impulse, float h);

    // Whether a body of this inverse inertia (world) can need more inertia at all.
    bool matters(const glm::dmat3& inverse_inertia) const;

    // The inverse inertia that the body has against its joints, and what is left of an angular velocity when the pulls
    // have acted at the end of the substep.
    struct Stiffened {
        glm::dmat3 inverse_inertia{0.0}, keep{1.0};
        double greatest = 0.0; // (h omega)^2
    };
    Stiffened stiffened(const glm::dmat3& inverse_inertia) const;

  private:
    SymmetricMat3 stiffness_; // h^2 times, kg m^2
    float size_ = 0.0f;       // a bound of what it does in any direction
};

} // namespace cairn::physics
