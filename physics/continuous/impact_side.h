// What impulses do to one body of an impact.
#pragma once

#include "physics/continuous/impact.h"

namespace cairn::physics {

// One body of an impact, in double precision.
struct ImpactSide {
    double inverse_mass = 0.0;
    SymmetricMat3 inverse_inertia;
    glm::dvec3 velocity{0.0}, spin{0.0}, free_axes{1.0};

    explicit ImpactSide(const ImpactBody& body)
        : inverse_mass(double(body.inverse_mass)),
          inverse_inertia(body.inverse_inertia),
          velocity(body.velocity),
          spin(body.spin),
          free_axes(body.free_axes) {}

    glm::dvec3 turned_by(const glm::dvec3& torque) const {
        const SymmetricMat3& m = inverse_inertia;
        return {double(m.xx) * torque.x + double(m.xy) * torque.y + double(m.xz) * torque.z,
                double(m.xy) * torque.x + double(m.yy) * torque.y + double(m.yz) * torque.z,
                double(m.xz) * torque.x + double(m.yz) * torque.y + double(m.zz) * torque.z};
    }
    void push(const glm::dvec3& arm, const glm::dvec3& impulse) {
        velocity += inverse_mass * (free_axes * impulse);
        spin += turned_by(glm::cross(arm, impulse));
    }
    // Inverse effective mass between the directions d and e.
    double compliance(const glm::dvec3& arm, const glm::dvec3& d, const glm::dvec3& e) const {
        return inverse_mass * glm::dot(free_axes * d, e) + glm::dot(glm::cross(arm, d), turned_by(glm::cross(arm, e)));
    }
};

} // namespace cairn::physics
